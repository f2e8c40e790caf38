"""One client's view of a room: which frames each fact of the match means for it.

RUC course network protocol. Before the start seats are the chairs of those who are in the room;
from START_GAME on they are the zones of the players.
"""

from typing import Any

from parlour.games import Seat
from parlour.games.chinese_checkers import Position
from parlour.gateways.ruc._names import Names
from parlour.host import Recorded
from parlour.match import (
    ForfeitCause,
    Match,
    MatchAborted,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    Player,
    Resumed,
    SeatAway,
    SeatBack,
    SeatForfeited,
    SeatLeft,
    SeatReady,
    SeatTaken,
    Status,
)
from parlour.wire.ruc import LOST, ErrorCode, Frame, Opcode, error_frame


class Room:
    """The match in a room as far as this client has been told of it.

    `asked` says that the match has been asked for the client's seat, so that the next word of it
    is the answer, and not the story of an earlier stay under the same name. What came before the
    answer is not told to a newcomer; who comes back hears the game so far in one piece.
    """

    def __init__(self, stream: str, identity: str, names: Names) -> None:
        self.stream = stream
        self.match: Match | None = None
        self.inside = False
        self.leaving = False
        self.asked = False
        self._identity = identity
        self._names = names
        self._told: list[Frame] = []
        self._called: dict[str, str] = {}  # for END_GAME, when others forget it

    @property
    def seat(self) -> Seat | None:
        """Where the client sits."""
        return self.match.seat_of(self._identity) if self.match is not None else None

    @property
    def running(self) -> bool:
        """Whether the game has begun and is not over."""
        return self.match is not None and self.match.status.started

    @property
    def lost(self) -> bool:
        """Whether the client's pieces have been taken off the board."""
        position = self.match.position if self.match is not None else None
        return isinstance(position, Position) and self.seat in position.lost

    def frames(self, record: Recorded) -> list[Frame]:
        """What a fact means for this client."""
        before, self.match = self.match, record.state
        after: Match = record.state
        event = record.event
        frames = self._said(event, before, after)
        if self.inside:
            return frames
        if (
            isinstance(event, SeatTaken | SeatBack)
            and self.asked
            and self._is_me(after, event.seat)
        ):
            self.inside = True
            return [self._reply(after)] if isinstance(event, SeatTaken) else self._back(after)
        if isinstance(event, MatchStarted | MovePlayed | SeatForfeited):
            self._told += [one for one in frames if one.op in (Opcode.START_GAME, Opcode.MOVE)]
            if isinstance(event, MovePlayed) and self._is_me(after, event.seat):
                self._told.append(self._move(event, after))
        return []

    def name(self, player: Player, match: Match) -> str:
        """What the player is called here."""
        if player.identity not in self._called:
            company = [one for _, one in match.players()]
            self._called[player.identity] = self._names.of(self.stream, player, company)
        return self._called[player.identity]

    def _said(self, event: Any, before: Match | None, after: Match) -> list[Frame]:
        match event:
            case SeatTaken(seat=seat) | SeatBack(seat=seat):
                name = self._name_at(seat, after)
                return [] if self._is_me(after, seat) else [Frame(Opcode.JOIN_ROOM, name)]
            case SeatLeft(seat=seat) if before is not None:
                return [Frame(Opcode.LEAVE_ROOM, self._name_at(seat, before))]
            case SeatAway(seat=seat):
                return [Frame(Opcode.LEAVE_ROOM, self._name_at(seat, after))]
            case SeatReady():
                return self._ready(event, after)
            case MatchStarted():
                return [self._start(after), *self._turn(event.at, after)]
            case MovePlayed():
                moved = [] if self._is_me(after, event.seat) else [self._move(event, after)]
                return [*moved, *self._arrived(before, after), *self._turn(event.at, after)]
            case SeatForfeited():
                return self._lost(event, before, after)
            case Resumed():
                return self._turn(event.at, after)
            case MatchEnded():
                return [Frame(Opcode.END_GAME, self._ranking(after))]
            case MatchAborted(detail=detail):
                return [Frame(Opcode.CLOSE_ROOM, detail)]
            case _:
                return []

    def _ready(self, event: SeatReady, match: Match) -> list[Frame]:
        if not event.ready:  # this protocol has no word for it
            return []
        ready = [Frame(Opcode.PLAYER_READY, self._name_at(event.seat, match))]
        players = [player for _, player in match.players()]
        count = len(players)
        everybody = all(player.ready for player in players)
        if everybody and count > 1 and not match.game.can_start(match.options, count):
            detail = f"all {count} players are ready, but this room does not start with {count}"
            ready.append(error_frame(ErrorCode.OTHER_ERROR, detail))
        return ready

    def _start(self, match: Match) -> Frame:
        names = " ".join(self.name(player, match) for _, player in match.players())
        return Frame(Opcode.START_GAME, names, " ".join(match.seat_names))

    def _turn(self, at: int, match: Match) -> list[Frame]:
        """START_TURN in seconds: real clients break on milliseconds."""
        if match.turn is None or match.status is not Status.LIVE:
            return []
        return [Frame(Opcode.START_TURN, match.seat_names[match.turn], str(at // 1000))]

    def _move(self, event: MovePlayed, match: Match) -> Frame:
        path = event.move.replace(",", " ").replace(">", " ")
        return Frame(Opcode.MOVE, match.seat_names[event.seat], path)

    def _arrived(self, before: Match | None, after: Match) -> list[Frame]:
        """END_TURN only to the player who has now won by position."""
        then = before.position if before is not None else None
        now = after.position
        assert isinstance(now, Position)
        finished = then.finished if isinstance(then, Position) else ()
        mine = self.seat in now.finished and self.seat not in finished
        return [Frame(Opcode.END_TURN)] if mine else []

    def _lost(self, event: SeatForfeited, before: Match | None, after: Match) -> list[Frame]:
        """The seat's pieces are gone: everybody hears that, the loser included."""
        frames = []
        was_there = after.player(event.seat).away_since is None
        if was_there and event.cause in (ForfeitCause.LEFT, ForfeitCause.ABSENCE):
            frames.append(Frame(Opcode.LEAVE_ROOM, self._name_at(event.seat, after)))
        frames.append(Frame(Opcode.MOVE, after.seat_names[event.seat], LOST))
        frames += self._arrived(before, after)
        if before is not None and before.turn != after.turn:
            frames += self._turn(event.at, after)
        return frames

    def _ranking(self, match: Match) -> str:
        assert match.outcome is not None
        seats = [seat for group in match.outcome.ranking for seat in group]
        return " ".join(self._name_at(seat, match) for seat in seats)

    def _reply(self, match: Match) -> Frame:
        """Who was in the room before, and who of them is ready."""
        others = [one for _, one in match.players() if one.identity != self._identity]
        others.sort(key=lambda player: player.joined)
        names = " ".join(self.name(player, match) for player in others)
        states = "".join("1" if player.ready else "0" for player in others)
        return Frame(Opcode.JOIN_ROOM_REPLY, names, states)

    def _back(self, match: Match) -> list[Frame]:
        """The whole game so far, as if it had just been played."""
        since = match.clock.since if match.clock is not None else 0
        told, self._told = self._told, []
        return [self._reply(match), *told, *self._turn(since, match)]

    def _is_me(self, match: Match, seat: Seat) -> bool:
        player = match.seats[seat]
        return player is not None and player.identity == self._identity

    def _name_at(self, seat: Seat, match: Match) -> str:
        return self.name(match.player(seat), match)
