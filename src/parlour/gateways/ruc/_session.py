"""One Chinese checkers client: joins a room, gets ready, plays, and may join the next room.

RUC course network protocol. A player is known by the connection, never by what data1 or data2
say, because real clients swap them or leave them empty.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from parlour.games import Refusal, Refused
from parlour.games.chinese_checkers import Options
from parlour.gateways import (
    NOTHING,
    Close,
    Effect,
    Effects,
    Follow,
    Note,
    Open,
    Session,
    Submit,
    Unfollow,
    Write,
    goodbye,
)
from parlour.gateways.ruc._names import NAME, Hold, Names, identity_of
from parlour.gateways.ruc._options import RucOptions
from parlour.gateways.ruc._room import Room
from parlour.host import Directory, Recorded
from parlour.match import (
    ComeBack,
    CreateMatch,
    GoAway,
    LeaveSeat,
    Listing,
    MatchAborted,
    MatchEnded,
    Newcomer,
    PlayMove,
    SeatAway,
    SeatForfeited,
    SeatLeft,
    SetReady,
    TakeSeat,
    Terms,
    TimeControl,
)
from parlour.wire import WireError
from parlour.wire.ruc import Codec, ErrorCode, Frame, Malformed, Opcode, encode, error_frame
from parlour.wire.ruc import parse_path as read_path

GAME = "chinese_checkers"
ROOM_LENGTH = 64
HELD_MOST = 64  # requests that a client may send before its JOIN_ROOM is answered

REFUSALS = {
    Refusal.ILLEGAL_MOVE: ErrorCode.INVALID_MOVE,
    Refusal.MALFORMED_MOVE: ErrorCode.INVALID_MOVE,
    Refusal.OUT_OF_TURN: ErrorCode.OUTTURN_MOVE,
    Refusal.NOT_STARTED: ErrorCode.ROOM_NOT_RUNNING,
    Refusal.ALREADY_STARTED: ErrorCode.ROOM_IS_RUNNING,
    Refusal.OVER: ErrorCode.INVALID_JOIN,
    Refusal.NOT_SEATED: ErrorCode.NOT_IN_ROOM,
    Refusal.UNKNOWN_STREAM: ErrorCode.NOT_IN_ROOM,
    Refusal.ALREADY_SEATED: ErrorCode.INVALID_JOIN,
    Refusal.NAME_TAKEN: ErrorCode.INVALID_JOIN,
    Refusal.NO_FREE_SEAT: ErrorCode.INVALID_JOIN,
}


class Answer(Exception):
    """A request is answered with an ERROR frame."""

    def __init__(self, code: ErrorCode, detail: str) -> None:
        super().__init__(detail)
        self.frame = error_frame(code, detail)


class RucSession(Session):
    """A connection's way through rooms, one at a time."""

    def __init__(
        self, address: str, options: RucOptions, directory: Directory, names: Names
    ) -> None:
        self._address = address
        self._options = options
        self._directory = directory
        self._names = names
        self._codec = Codec()
        self._room: Room | None = None
        self._joining: tuple[str, str] | None = None
        self._wish: TakeSeat | None = None  # None: to come back to a seat
        self._tries = 0
        self._held: list[Frame | Malformed] = []
        self._swallows_leave = False
        self._hold: Hold | None = None
        self._gone = False

    # What comes in

    def turned_away(self, why: str, now: int) -> Effects:
        self._gone = True
        answer = _write(error_frame(ErrorCode.OTHER_ERROR, why))
        return (answer, *super().turned_away(why, now))

    def received(self, data: bytes, now: int) -> Effects:
        if self._gives_way():
            return (Unfollow(), Close())
        effects: list[Effect] = []
        for heard in self._codec.feed(data):
            if self._gone:
                break
            if isinstance(heard, WireError):
                self._gone = True
                effects += [Note(str(heard)), *self._go_away(), Close()]
            elif not self._waits():
                effects += self._answered(heard, now)
            elif len(self._held) < HELD_MOST:
                self._held.append(heard)
            else:
                detail = f"{HELD_MOST} requests wait for your JOIN_ROOM or LEAVE_ROOM already"
                effects.append(_write(error_frame(ErrorCode.OTHER_ERROR, detail)))
        return effects

    def _answered(self, heard: Frame | Malformed, now: int) -> Effects:
        if isinstance(heard, Malformed):
            return (_write(error_frame(heard.code, heard.detail)),)
        try:
            return self._asked(heard, now)
        except Answer as answer:
            return (_write(answer.frame),)

    def _waits(self) -> bool:
        """Whether the client is coming or going: what it asks then is about where it will be."""
        return self._joining is not None or (self._room is not None and self._room.leaving)

    def _settled(self, now: int) -> Effects:
        """Where the client is, is known: answer what it asked meanwhile."""
        self._joining, self._tries = None, 0
        effects: list[Effect] = []
        while self._held and not self._waits():
            effects += self._answered(self._held.pop(0), now)
        return effects

    def opened_match(self, stream: str, now: int) -> Effects:
        self._enter(stream).asked = True
        return (Follow(stream),)

    def followed(self, records: Sequence[Recorded], now: int) -> Effects:
        if self._gives_way():
            return (Unfollow(), Close())
        effects: list[Effect] = []
        for record in records:
            room = self._room
            if room is None or record.stream != room.stream:
                break
            outside = not room.inside
            effects += [_write(frame) for frame in room.frames(record)]
            if outside and room.inside:
                self.logged_in = True
                effects += self._settled(now)
            if self._is_out(room, record):
                effects += self._out(record, now)
        room, joining = self._room, self._joining
        if room is not None and joining is not None and room.match is not None and not room.asked:
            effects += self._ask(room, joining[0], now)
        return effects

    def refused(self, command: Any, no: Refused, now: int) -> Effects:
        code = REFUSALS.get(no.refusal, ErrorCode.OTHER_ERROR)
        if no.refusal is Refusal.OVER and isinstance(command, PlayMove | SetReady):
            # It was asked when all was well: the seat was lost meanwhile, or the game has ended.
            code = ErrorCode.OUTTURN_MOVE if self._room is not None else ErrorCode.NOT_IN_ROOM
        answer = _write(error_frame(code, no.detail))
        if isinstance(command, TakeSeat | CreateMatch):
            ended = no.refusal in (Refusal.OVER, Refusal.UNKNOWN_STREAM)
            return self._not_in(answer, now, again=ended)
        if self._joining is not None and isinstance(command, GoAway | ComeBack):
            return self._not_in(answer, now)
        if self._room is not None and isinstance(command, GoAway | LeaveSeat):
            self._room.leaving = False
            return (answer, *self._settled(now))
        return (answer,)

    def _not_in(self, answer: Write, now: int, again: bool = False) -> Effects:
        """The client is not let in. `again`: the game of that room has ended meanwhile."""
        self._room = None
        self._release()
        if again and self._tries == 0 and self._joining is not None:
            self._tries = 1  # the room's next match is another one
            return (Unfollow(), *self._try_again(*self._joining, now))
        return (Unfollow(), answer, *self._settled(now))

    def lost(self, now: int) -> Effects:
        return NOTHING if self._gives_way() or self._gone else self._go_away()

    def closing(self, now: int) -> Effects:
        if self._room is None:
            return NOTHING
        goes_on = self._room.running and self._options.grace > 0
        return (_write(Frame(Opcode.CLOSE_ROOM, goodbye(goes_on))),)

    # What the client asks

    def _asked(self, frame: Frame, now: int) -> Effects:
        match frame.op:
            case Opcode.JOIN_ROOM:
                return self._join(frame.data1, frame.data2, now)
            case Opcode.PLAYER_READY:
                return self._ready()
            case Opcode.MOVE:
                return self._move(frame)
            case Opcode.LEAVE_ROOM:
                return self._leave()
            case _:
                raise Answer(ErrorCode.INVALID_REQ, f"{frame.op.name} is for the server to say")

    def _join(self, room: str, name: str, now: int) -> Effects:
        stream = self._directory.room(room)
        listing = self._directory.get(stream) if stream is not None else None
        identity = identity_of(name, self._address)
        ban = self._names.bans.of_person(identity, name, now)
        if ban is not None:
            raise Answer(ErrorCode.INVALID_JOIN, ban.sentence())
        if stream is not None and listing is not None and listing.status.started:
            if self._room is not None or not self._may_return(listing, identity):
                raise Answer(ErrorCode.ROOM_IS_RUNNING, f"a game is going on in {room}")
            self._wish, self._joining, self._identity = None, (room, name), identity
            self._enter(stream)
            return (Follow(stream),)
        self._check_join(room, name, stream, listing)
        newcomer = Newcomer(identity, name, self._terms())
        self._wish, self._joining, self._identity = TakeSeat(newcomer), (room, name), identity
        self._hold = self._names.hold(room, identity)
        if stream is None:
            return (Open(self._create(room, newcomer)),)
        entered = self._enter(stream)
        if listing is not None:
            return (Follow(stream),)
        entered.asked = True  # it is being created, so that there is nothing to read
        return (Submit(stream, self._wish), Follow(stream))

    def _ask(self, room: Room, name: str, now: int) -> Effects:
        """The room of that name has been read as it was; what it says now is the answer."""
        room.asked = True
        if self._wish is not None:
            return (Submit(room.stream, self._wish),)
        if room.lost:
            running = error_frame(ErrorCode.ROOM_IS_RUNNING, "your seat in this game is lost")
            return self._not_in(_write(running), now)
        self._hold = self._names.hold(name, self._identity)
        # Away and back, so that the match says when everything up to now has been told.
        return (
            Submit(room.stream, GoAway(self._identity)),
            Submit(room.stream, ComeBack(self._identity)),
        )

    def _check_join(
        self, room: str, name: str, stream: str | None, listing: Listing | None
    ) -> None:
        if NAME.fullmatch(name) is None:
            raise Answer(
                ErrorCode.INVALID_JOIN, "a name has 1 to 20 letters A-Z a-z, digits or _, no others"
            )
        taken = self._names.held(room, identity_of(name, self._address))
        if taken or (stream is not None and self._names.is_lent(stream, name)):
            raise Answer(ErrorCode.INVALID_JOIN, f"somebody in {room} is called {name}")
        if not 1 <= len(room) <= ROOM_LENGTH or not room.isprintable() or not room.strip():
            raise Answer(
                ErrorCode.INVALID_JOIN, f"a room's name has 1 to {ROOM_LENGTH} printable letters"
            )
        kept = stream is None and self._directory.taken(room)
        if kept or (listing is not None and listing.game != GAME):
            raise Answer(ErrorCode.INVALID_JOIN, f"{room} is a room for another game")
        if self._room is not None:
            raise Answer(ErrorCode.INVALID_JOIN, "you are in a room already")

    def _may_return(self, listing: Listing, identity: str) -> bool:
        return self._options.grace > 0 and listing.game == GAME and listing.sits(identity)

    def _ready(self) -> Effects:
        room = self._inside()
        if room.running:
            raise Answer(ErrorCode.ROOM_IS_RUNNING, "the game has begun")
        return (Submit(room.stream, SetReady(self._identity)),)

    def _move(self, frame: Frame) -> Effects:
        room = self._inside()
        match, seat = room.match, room.seat
        if match is None or seat is None or not room.running:
            raise Answer(ErrorCode.ROOM_NOT_RUNNING, "the game has not begun")
        if match.turn != seat:
            raise Answer(ErrorCode.OUTTURN_MOVE, "it is somebody else's turn")
        path = read_path(frame.data2)
        if isinstance(path, Malformed):
            raise Answer(path.code, path.detail)
        zone = match.seat_names[seat]
        if frame.data1 != zone:
            raise Answer(ErrorCode.INVALID_MOVE, f"your zone is {zone}")
        move = ">".join(f"{x},{y}" for x, y in path)
        return (Submit(room.stream, PlayMove(self._identity, move)),)

    def _leave(self) -> Effects:
        if self._room is None and self._swallows_leave:
            # After END_GAME the document's client leaves by itself, and is out already.
            self._swallows_leave = False
            return NOTHING
        room = self._inside()
        room.leaving = True
        seat = room.seat
        match = room.match
        if match is not None and room.running and seat is not None and not match.playing(seat):
            return (Submit(room.stream, GoAway(self._identity)),)
        return (Submit(room.stream, LeaveSeat(self._identity)),)

    def _inside(self) -> Room:
        if self._room is None:
            raise Answer(ErrorCode.NOT_IN_ROOM, "join a room first")
        return self._room

    # Coming and going

    def _create(self, room: str, newcomer: Newcomer) -> CreateMatch:
        options = self._options
        game = Options(
            player_counts=options.player_counts,
            blocked_target=options.blocked_target,
            max_rounds=options.max_rounds,
        )
        return CreateMatch(
            GAME,
            to_builtins(game),
            (newcomer,),
            room=room,
            # The terms say it too, but lists show the clock of a room before the start.
            control=TimeControl(turn=options.turn_limit * 1000),
        )

    def _terms(self) -> Terms:
        options = self._options
        return Terms(
            grace=options.grace * 1000,
            reclaims=options.grace > 0,
            turn_limit=options.turn_limit * 1000,
        )

    def _release(self) -> None:
        if self._hold is not None:
            self._names.release(self._hold)
            self._hold = None

    def _enter(self, stream: str) -> Room:
        self._room = Room(stream, self._identity, self._names)
        return self._room

    def _gives_way(self) -> bool:
        """Whether the player has just come back over a newer connection, which has the seat."""
        if self._gone or self._hold is None or not self._hold.superseded:
            return False
        self._gone = True
        return True

    def _try_again(self, room: str, name: str, now: int) -> Effects:
        try:
            return self._join(room, name, now)
        except Answer as answer:
            return (_write(answer.frame), *self._settled(now))

    def _is_out(self, room: Room, record: Recorded) -> bool:
        """Whether the fact ends this client's stay: the game is over, or it has left."""
        event = record.event
        if isinstance(event, MatchEnded | MatchAborted):
            return True
        if room.leaving and isinstance(event, SeatForfeited | SeatAway):
            return event.seat == room.seat
        return isinstance(event, SeatLeft) and room.inside and room.seat is None

    def _out(self, record: Recorded, now: int) -> Effects:
        room, self._room = self._room, None
        self._release()
        if self._joining is not None:
            if self._wish is not None and room is not None and room.asked:
                return (Unfollow(),)  # and the refusal is on its way
            # The game ended before the client was in: the room's next match is another one.
            return (Unfollow(), *self._try_again(*self._joining, now))
        self._swallows_leave = isinstance(record.event, MatchEnded)
        return (Unfollow(), *self._settled(now))

    def _go_away(self) -> Effects:
        room, self._room = self._room, None
        holds = self._hold is not None
        self._release()
        return (Submit(room.stream, GoAway(self._identity)),) if room and holds else NOTHING


def _write(frame: Frame) -> Write:
    return Write(encode(frame))
