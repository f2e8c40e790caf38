"""One textbook client: told its role at once, its moves taken as they come, never asked again.

Tic-tac-toe document, section 9 (flow chart). The clients cannot be told "try again", so every
fault of a player loses the game.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from parlour.games import Refusal, Refused, Seat
from parlour.games.tictactoe import Options
from parlour.gateways import (
    NOTHING,
    Close,
    Effect,
    Effects,
    Find,
    Follow,
    Note,
    Session,
    StopFinding,
    Submit,
    Unfollow,
    Wake,
    Write,
)
from parlour.host import RETRY_AFTER, Recorded
from parlour.lobby import Seek
from parlour.match import (
    AbortCause,
    Fault,
    GoAway,
    Match,
    MatchAborted,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    PlayMove,
    Terms,
)
from parlour.wire import WireError
from parlour.wire.textbook import (
    Move,
    ServerCodec,
    Status,
    encode_role,
    encode_start,
    encode_status,
)

# A client knows no way back to its seat, and no word for "not like this".
TERMS = Terms(illegal_move=Fault.FORFEIT, out_of_turn=Fault.FORFEIT, ready=True, reclaims=False)
GAME_OPTIONS = to_builtins(Options())
WON = (Status.PLAYER1_WON, Status.PLAYER2_WON)
THINKING = 300_000  # ms, the turn limit's default
MOVES_KEPT = 4  # the second in a row loses; more of them need not be kept


class TextbookSession(Session):
    """A connection's way from its role to its result."""

    def __init__(self, identity: str, name: str, turn_limit: int) -> None:
        self._seek = Seek(
            identity=identity,
            holder=identity,
            name=name,
            game="tictactoe",
            options=GAME_OPTIONS,
            terms=replace(TERMS, turn_limit=turn_limit),
        )
        self._identity = identity
        self._codec = ServerCodec()
        self._role: Seat | None = None
        self._stream = ""
        self._last: dict[Seat, Move] = {}
        self._decider: Seat | None = None
        self._begun = False  # the match of `_stream`
        self._started = False  # the player may move as far as the client knows
        self._moves: list[str] = []
        self._asked: PlayMove | None = None  # the first of them, on its way to the match
        self._over = False

    def connected(self, now: int) -> Effects:
        return (Find(self._seek),)

    def waiting(self, now: int) -> Effects:
        """Nobody is there: this is player 1, and stays it whoever comes."""
        if self._role is not None:
            return NOTHING
        self._role = 0
        return (Write(encode_role(1)), Find(replace(self._seek, seat=0), waited=True))

    def paired(self, stream: str, now: int) -> Effects:
        self._stream, self._begun, self._asked = stream, False, None
        self.logged_in = True  # the protocol has no login, and a scanner finds no opponent
        self._last, self._decider = {}, None
        return (Follow(stream),)

    def received(self, data: bytes, now: int) -> Effects:
        effects: list[Effect] = []
        for item in self._codec.feed(data):
            if self._over:
                break
            if isinstance(item, WireError):
                effects += self._leave(str(item), stranger=str(item))
            elif not self._stream and not self._started:
                effects += self._leave("moved before an opponent came")
            elif len(self._moves) < MOVES_KEPT:
                self._moves.append(f"{item.column},{item.row}")
                effects += self._next_move()
        return effects

    def followed(self, records: Sequence[Recorded], now: int) -> Effects:
        effects: list[Effect] = []
        for record in records:
            effects += self._told(record.event, record.state)
        return effects

    def refused(self, command: Any, no: Refused, now: int) -> Effects:
        if self._over:
            return NOTHING
        if isinstance(command, PlayMove):
            # One that found the match over is kept: the end of the match, or the next, is near.
            if command is not self._asked or no.refusal is Refusal.OVER:
                return NOTHING
            self._asked = None
            if no.refusal.passes:
                return (Wake(now + RETRY_AFTER),)
        return self._leave(f"refused: {no.detail}")

    def woken(self, now: int) -> Effects:
        return self._next_move()

    def lost(self, now: int) -> Effects:
        return () if self._over else self._go()

    def _next_move(self) -> list[Effect]:
        """One move at a time: what comes behind it is out of turn when its turn has come."""
        if not self._begun or not self._moves or self._asked is not None:
            return []
        self._asked = PlayMove(self._identity, self._moves[0])
        return [Submit(self._stream, self._asked)]

    def _leave(self, why: str, stranger: str = "") -> list[Effect]:
        """End the connection, which loses the game where there is one."""
        self._over = True
        return [Note(why), *self._go(stranger), Close()]

    def _go(self, stranger: str = "") -> list[Effect]:
        if self._stream:
            return [Submit(self._stream, GoAway(self._identity, stranger))]
        return [StopFinding(self._identity)]

    def _told(self, event: Any, match: Match) -> list[Effect]:
        seat = match.seat_of(self._identity)
        if seat is None or self._over:
            return []
        effects: list[Effect] = []
        if self._role is None:
            self._role = seat
            effects.append(Write(encode_role(seat + 1)))
        match event:
            case MatchStarted():
                if seat == 0 and not self._started:
                    effects.append(Write(encode_start()))
                self._started = self._begun = True
                effects += self._next_move()
            case MovePlayed():
                effects += self._moved(seat, event, match)
            case MatchEnded() if match.outcome is not None:
                effects += self._ended(seat, match)
            case MatchAborted(cause=AbortCause.STRANGER) if self._role == 0:
                # Player 1 has heard of a start; whoever comes next is the opponent after all.
                self._stream, self._begun = "", False
                effects += [Unfollow(), Find(replace(self._seek, seat=0), waited=True)]
            case MatchAborted():
                self._over = True
                effects.append(Close())
            case _:
                pass
        return effects

    def _moved(self, seat: Seat, event: MovePlayed, match: Match) -> list[Effect]:
        """The mover hears nothing; the other side hears it here unless it ends the game."""
        column, row = event.move.split(",")
        move = self._last[event.seat] = Move(int(row), int(column))
        mine = event.seat == seat
        if mine:
            self._moves, self._asked = self._moves[1:], None
        if match.turn is None:
            self._decider = event.seat
            return []
        if mine:
            return self._next_move()
        return [Write(encode_status(Status.CONTINUE, move))]

    def _ended(self, seat: Seat, match: Match) -> list[Effect]:
        """The result; the side that waits for the other's move hears that move with it.

        Who made the last move, or wins because the other left, hears the status alone. A player
        who lost by a fault waits for the status that follows the own move, and reads the
        winner's last move behind it where there is one.
        """
        assert match.outcome is not None
        winner = match.outcome.winner
        status = Status.DRAW if winner is None else WON[winner]
        knows = winner if self._decider is None else self._decider
        last = None if seat == knows else self._last.get(1 - seat)
        self._over = True
        # The book's client does not read while its person thinks: who wins on turn because the
        # other left reads that only behind the next click.
        thinks = self._decider is None and seat == winner
        return [Write(encode_status(status, last)), Close(THINKING) if thinks else Close()]
