"""What every request must pass before it reaches a page, and what every answer carries."""

from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.games import Refusal, Refused
from parlour.gateways import Allowance, Desk, customer_of
from parlour.gateways.web._answers import problem
from parlour.gateways.web._declined import Declined, No
from parlour.gateways.web._frames import FRAMES, FrameProtocol

SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


class Guard:
    """Lets in what comes from our own pages or from no page, and not too often."""

    def __init__(
        self,
        app: ASGIApp,
        origins: Iterable[str],
        desk: Desk,
        refused: Callable[[str], None],
    ) -> None:
        self._app = app
        self._refused = refused
        self._origins = {origin.rstrip("/").lower() for origin in origins}
        self._now = desk.host.now
        self._rate = desk.limits.requests
        self._requests = Allowance(self._rate, desk.limits.requests_at_once)
        self._bans = desk.bans
        self._gatekeeper = desk.gatekeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        no = self._objection(scope)
        if no is not None:
            self._refused(no.refusal)
        if scope["type"] == "websocket":
            if no is None:
                await self._connected(scope, receive, send)
            else:  # before the handshake is answered this is a 403
                await receive()
                await send({"type": "websocket.close", "code": 1008})
            return

        async def armed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        answer: ASGIApp | Response = self._app if no is None else problem(no)
        await answer(scope, receive, armed)

    async def _connected(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A WebSocket until it is closed."""
        frames = _frames(scope)
        try:
            await self._app(scope, receive, send)
        finally:
            if not _is_counted(scope):
                self._gatekeeper.left(_address(scope), frames.accepted, self._now())

    def _objection(self, scope: Scope) -> Declined | None:
        """Why the request is not let in; a WebSocket over a proxy that is has been counted."""
        address = _address(scope)
        if (ban := self._bans.of_address(address, self._now())) is not None:
            return Declined(Refusal.BANNED, ban.sentence())
        exempt = self._gatekeeper.is_exempt(address)
        if not exempt and not self._requests.admits(customer_of(address), self._now()):
            return Declined(Refusal.LIMIT, f"more than {self._rate} requests a second")
        headers = Headers(scope=scope)
        asks = scope["type"] == "http" and scope["method"] in SAFE
        if not asks and not self._is_ours(headers, scope["scheme"]):
            return Declined(No.FORBIDDEN, f"{headers['origin']} is another origin")
        if scope["type"] == "websocket" and not _is_counted(scope):
            try:
                self._gatekeeper.admit(address, self._now())
            except Refused as no:
                return Declined(no.refusal, no.detail)
        return None

    def _is_ours(self, headers: Headers, scheme: str) -> bool:
        """Browsers say which page a request comes from, and scripts cannot change it.

        A proxy may end TLS and not say so: then a page that is secure speaks to us in plain text.
        """
        origin = headers.get("origin")
        if origin is None or origin.lower() in self._origins:
            return True
        try:
            page = urlsplit(origin.lower())
        except ValueError:  # no browser says such a thing
            return False
        schemes = ("https",) if scheme in ("https", "wss") else ("http", "https")
        return page.scheme in schemes and page.netloc == headers.get("host", "").lower() != ""


def _address(scope: Scope) -> str:
    """Where a request comes from, as far as it is known; a proxy may have said so."""
    return scope["client"][0] if scope.get("client") else ""


def _is_counted(scope: Scope) -> bool:
    """Whether a WebSocket was counted for its address when its connection came."""
    return _frames(scope).place.is_counted_for(_address(scope))


def _frames(scope: Scope) -> FrameProtocol:
    frames = scope["extensions"][FRAMES]
    assert isinstance(frames, FrameProtocol)
    return frames
