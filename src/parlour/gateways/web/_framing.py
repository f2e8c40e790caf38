"""Requests after which a connection ends: what follows them might be read in two ways."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

VERSIONS = ("1.0", "1.1")  # of HTTP, in which more may follow


class LastRequests:
    """An application that closes the connection behind an answer to a doubtful request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def closing(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [one for one in message["headers"] if one[0].lower() != b"connection"]
                message = {**message, "headers": [*headers, (b"connection", b"close")]}
            await send(message)

        await self._app(scope, receive, closing if _is_last(scope) else send)


def _is_last(scope: Scope) -> bool:
    """Whether it has two lengths (RFC 9112, 6.1), or is of an HTTP that is not spoken here."""
    if scope["type"] != "http":
        return False
    names = {name for name, _ in scope["headers"]}
    return {b"content-length", b"transfer-encoding"} <= names or (
        scope["http_version"] not in VERSIONS
    )
