"""The REST half: who one is, which games and matches there are, records, and opening tables."""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar
from urllib.parse import unquote

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from parlour.games import AnyGame, Refusal, Refused
from parlour.gateways import customer_of
from parlour.gateways.web._answers import answer, read_body
from parlour.gateways.web._bodies import (
    GameInfo,
    Games,
    LegalMoves,
    Me,
    NewName,
    NewTable,
    Opened,
    ProtocolInfo,
    Protocols,
)
from parlour.gateways.web._catalogue import LISTED_MOST, Catalogue
from parlour.gateways.web._connection import Hall
from parlour.gateways.web._declined import Declined, No
from parlour.gateways.web._guests import COOKIE, REMEMBERED, Cookies
from parlour.gateways.web._openers import Openers
from parlour.gateways.web._session import Guest
from parlour.gateways.web._story import Story
from parlour.gateways.web._tables import LOOKS, clean_name
from parlour.host import Recorded, StoreError, UnreadableError, nothing
from parlour.match import CreateMatch, Listing, Match
from parlour.records import SgfError, json_record, sgf

log = logging.getLogger("parlour.web")

STATES = ("open", "live", "finished")
LISTED = 50
DIGITS_MOST = 12
EVENTS_OF_A_LOOK = 500  # a longer match counts as several

Body = TypeVar("Body", bound=Struct)


class Rest:
    """Answers every address below /api/ but the WebSocket."""

    def __init__(
        self,
        hall: Hall,
        cookies: Cookies,
        catalogue: Catalogue,
        openers: Openers,
        doors: Callable[[], Sequence[ProtocolInfo]],
    ) -> None:
        self._hall = hall
        self._catalogue = catalogue
        self._openers = openers
        self._cookies = cookies
        self._doors = doors
        self._errands = hall.tables.errands
        self._games = Games(tuple(map(described, hall.tables.games.values())))

    async def me(self, request: Request) -> Response:
        """Who the browser is; somebody new without a cookie of ours."""
        guest = self._guest(request)
        return self._me(request, guest if guest is not None else self._cookies.new())

    async def rename(self, request: Request) -> Response:
        """Be called otherwise from now on."""
        guest = self._writer(request)
        wanted = read(await read_body(request), NewName)
        name = clean_name(wanted.name)
        self._hall.bans.check_person(guest.identity, name, self._hall.host.now())
        guest.name = name
        self._hall.guests.rename(guest)
        return self._me(request, guest)

    async def games(self, request: Request) -> Response:
        """Every game with the form of its options."""
        return answer(self._games)

    async def protocols(self, request: Request) -> Response:
        """Where else one can connect."""
        return answer(Protocols(tuple(self._doors())))

    async def matches(self, request: Request) -> Response:
        """Public matches: what can be watched or joined first."""
        query = request.query_params
        limit = _number(query.get("limit"), LISTED, 1, LISTED_MOST, "limit")
        offset = _number(query.get("offset"), 0, 0, 1 << 31, "offset")
        status = query.get("status") or None
        if status not in (None, *STATES):
            raise Declined(No.MALFORMED, f"status is {status!r}, not open, live or finished")
        begun = query.get("begun") or None
        if begun not in (None, "true", "false"):
            raise Declined(No.MALFORMED, f"begun is {begun!r}, not true or false")
        found = [
            one
            for one in self._listed(status, query.get("game"), query.get("room"))
            if begun is None or one[1].started is (begun == "true")
        ]
        views = [self._hall.tables.listed(*one) for one in found[offset : offset + limit]]
        return answer({"matches": views, "total": len(found)})  # in the shape of `Listings`

    async def open(self, request: Request) -> Response:
        """Open a table and sit down at it."""
        guest = self._writer(request)
        wanted = read(await read_body(request), NewTable)
        hall = self._hall
        address = address_of(request)
        command = self._wanted(wanted, guest, address)
        self._openers.pay(address, hall.host.now())
        if wanted.password:
            listed = wanted.visibility == "public"
            lock = await hall.tables.locks.new(wanted.password, listed, customer_of(address))
            command = self._wanted(wanted, guest, address, lock)
        refusals: list[Refused] = []
        refuse, accept = hall.tables.seats.asking(
            [guest.identity], object(), refusals.append, nothing
        )
        stream = hall.host.create("match", command, refuse, command.room, accept)
        self._openers.opened(stream, guest.identity, address)
        try:
            await hall.host.state(stream)
        except (Refused, StoreError) as no:
            self._openers.closed(stream)
            raise (refusals[0] if refusals else no) from None
        hall.guests.expect(guest)
        response = answer(Opened(stream), 201)
        response.headers["location"] = f"/api/matches/{stream}"
        return response

    def _wanted(self, wanted: NewTable, guest: Guest, address: str, lock: str = "") -> CreateMatch:
        self._openers.check(guest.identity, address)
        return self._hall.tables.create(wanted, guest.identity, guest.name, lock)

    async def match(self, request: Request) -> Response:
        """The whole state of a match."""
        stream = await self._admitted(request)
        channel = self._hall.existing(stream)
        view = None if channel is None else channel.view()
        if channel is not None and view is not None:
            self._charge(request, channel.story.version)
            return Response(view, media_type="application/json")
        records = await self._history(stream, request)
        locks, sequels = self._hall.tables.locks, self._hall.tables.sequels
        locked, following = locks.locked(stream), sequels.of(stream, records[-1].state)

        def told() -> Response:
            story = Story(stream)
            story.learn(records)
            return answer(story.view(locked, following))

        return await self._errands.do(told, len(records), _customer(request))

    async def moves(self, request: Request) -> Response:
        """What may be played."""
        stream = await self._admitted(request)
        newest = (await self._history(stream, request))[-1]
        work, customer = partial(legal_moves, newest.state, newest.version), _customer(request)
        return await self._errands.do(work, customer=customer)

    async def json_record(self, request: Request) -> Response:
        """The record as JSON."""
        stream = await self._admitted(request)
        history = [(one.event, one.state) for one in await self._history(stream, request)]
        data = await self._errands.do(
            partial(json_record, stream, history), len(history), _customer(request)
        )
        return _download(data, "application/json", f"{stream}.json")

    async def sgf_record(self, request: Request) -> Response:
        """The record as SGF."""
        stream = await self._admitted(request)
        history = [(one.event, one.state) for one in await self._history(stream, request)]
        try:
            text = await self._errands.do(partial(sgf, history), len(history), _customer(request))
        except SgfError as error:
            raise Declined(No.NO_RECORD, str(error)) from None
        return _download(text.encode(), "application/x-go-sgf", f"{stream}.sgf")

    # Guests

    def _guest(self, request: Request) -> Guest | None:
        return self._cookies.read(request.cookies.get(COOKIE))

    def _writer(self, request: Request) -> Guest:
        """The guest who may change something.

        Raises:
            Declined: GUEST, FORBIDDEN.
            Refused: BANNED.
        """
        guest = self._guest(request)
        if guest is None:
            raise Declined(No.GUEST, "ask GET /api/me for a cookie first")
        if not self._cookies.is_token(guest, request.headers.get("x-csrf-token", "")):
            raise Declined(No.FORBIDDEN, "X-CSRF-Token must be the token that /api/me gives")
        self._hall.bans.check_person(guest.identity, guest.name, self._hall.host.now())
        return guest

    def _me(self, request: Request, guest: Guest) -> Response:
        response = answer(Me(guest.name, self._cookies.token(guest)))
        response.headers["cache-control"] = "no-store"
        response.set_cookie(
            COOKIE,
            self._cookies.write(guest),
            max_age=REMEMBERED,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )
        return response

    # Matches

    def _listed(
        self, status: str | None, game: str | None, room: str | None
    ) -> Iterator[tuple[str, Listing]]:
        finished = reversed(self._hall.host.directory.finished.items())
        is_public = self._hall.tables.is_public
        for state, matches in (
            ("live", self._catalogue.live.all),
            ("open", self._catalogue.open.all),
            ("finished", lambda: (one for one in finished if is_public(*one))),
        ):
            if status in (state, None):
                for stream, listing in matches():
                    if (game is None or listing.game == game) and (
                        room is None or listing.room == room
                    ):
                        yield stream, listing

    async def _admitted(self, request: Request) -> str:
        stream = str(request.path_params["id"])
        customer = _customer(request)
        if not self._hall.tables.looks.admits(customer, self._hall.host.now()):
            raise too_fast()
        self._hall.tables.check(stream)
        guest = self._guest(request)
        password = unquote(request.headers.get("x-table-password", ""))
        identity = "" if guest is None else guest.identity
        locks, now = self._hall.tables.locks, self._hall.host.now
        while not locks.admit(stream, password, identity, customer, now()):
            await locks.look(stream, password, customer, now())
        return stream

    async def _history(self, stream: str, request: Request) -> list[Recorded]:
        """The whole match, folded for nobody else: another thread may look at its positions.

        Who has looked at too much already must not have more of it read, nor all at once.
        """
        customer = _customer(request)
        async with self._errands.turn(customer):
            if self._hall.tables.looks.wait(customer, self._hall.host.now()) > 1000 // LOOKS:
                raise too_fast()
            try:
                history = await self._hall.host.history(stream)
            except UnreadableError as error:
                log.error("%s", error)
                raise Declined.unreadable(stream) from None
            if not history:
                raise Declined(Refusal.UNKNOWN_STREAM, f"there is no {stream}")
            self._charge(request, len(history))
        return history

    def _charge(self, request: Request, events: int) -> None:
        """Count a look at so long a match as several."""
        cost = events // EVENTS_OF_A_LOOK
        self._hall.tables.looks.charge(_customer(request), cost, self._hall.host.now())


def too_fast() -> Declined:
    """What they hear who look at more than they may."""
    return Declined(Refusal.LIMIT, f"more than {LOOKS} matches a second: watch them")


def legal_moves(match: Match, version: int) -> Response:
    """What may be played, as JSON."""
    position = None if match.status.finished else match.position
    if position is None:
        return answer(LegalMoves(version, None, ()))
    return answer(LegalMoves(version, match.turn, tuple(position.moves())))


def described(game: AnyGame) -> GameInfo:
    """A game as pages show it."""
    options = game.options()
    most = game.capacity(options)
    counts = tuple(one for one in range(1, most + 1) if game.can_start(options, one))
    return GameInfo(
        name=game.name,
        title=game.title,
        seating=game.seating.value,
        players=counts,
        seats=game.seat_names(options, most),
        options=form(game.options),
    )


def form(options: type[Struct]) -> dict[str, Any]:
    """The JSON Schema of a game's options; its description is for programmers."""
    schema = msgspec.json.schema(options)["$defs"][options.__name__]
    return {key: value for key, value in schema.items() if key != "description"}


def read(body: bytes, kind: type[Body]) -> Body:
    """A body as a struct.

    Raises:
        Declined: MALFORMED.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Declined(No.MALFORMED, str(error)) from None


def address_of(request: Request) -> str:
    """Where a request comes from, as far as it is known."""
    return request.client.host if request.client is not None else ""


def _number(text: str | None, default: int, least: int, most: int, name: str) -> int:
    if text is None:
        return default
    short = text.isascii() and text.isdigit() and len(text) <= DIGITS_MOST
    if not short or not least <= int(text) <= most:
        raise Declined(No.MALFORMED, f"{name} is {text[:40]!r}, not {least} to {most}")
    return int(text)


def _download(data: bytes, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)


def _customer(request: Request) -> str:
    return customer_of(address_of(request))
