"""Says the facts of a match in lines, as one of its players hears them."""

from typing import Any

from parlour.games import Seat
from parlour.games.go import Options
from parlour.gateways import SERVER
from parlour.host import Recorded
from parlour.match import (
    ForfeitCause,
    Match,
    MatchAborted,
    MatchEnded,
    MovePlayed,
    Resumed,
    SeatAway,
    SeatBack,
    SeatForfeited,
    Suspended,
)
from parlour.wire.nedap import Chat, End, Invalid, Ready, ReadyTable, Tableflipped, encode

# GoProtocol, 'Ongeldige zet': INVALID is for a move that the rules forbid. Everybody else who
# loses a seat has left the table, as far as the protocol has words for it.
INVALID = (ForfeitCause.ILLEGAL_MOVE, ForfeitCause.OUT_OF_TURN)


class Teller:
    """One player's view of a match that has started: colours and names are settled."""

    __slots__ = ("_colours", "_moved", "_passed", "names", "seat")

    def __init__(self, match: Match, seat: Seat, names: tuple[str, ...]) -> None:
        self.seat = seat
        self.names = names
        self._colours = match.seat_names
        self._moved = tuple(f"VALID {colour} " for colour in self._colours)
        self._passed = tuple(f"PASSED {colour}\n".encode() for colour in self._colours)

    @property
    def opponent(self) -> str:
        """What the other player is called; of several, the next one."""
        return self.names[(self.seat + 1) % len(self.names)]

    def ready(self, match: Match, form: str) -> bytes:
        """The line that begins a game, in a form of the source, and the moves it begins with."""
        assert isinstance(match.options, Options)
        size = match.options.size
        if form == "table":
            line = encode(ReadyTable(tuple(zip(self._colours, self.names, strict=True)), size))
        else:
            line = encode(Ready(self._colours[self.seat], self.opponent, size))
        return line + self._opening(match) if match.opening else line

    def _opening(self, match: Match) -> bytes:
        lines = b""
        position = match.game.start(match.options, len(match.seats))
        for move in match.opening:
            assert position.turn is not None
            lines += self.move(position.turn, move)
            position = position.play(move)
        return lines

    def move(self, seat: Seat, move: str) -> bytes:
        """VALID or PASSED; the mover hears it like everybody. The hot path of the server."""
        if move == "pass":
            return self._passed[seat]
        return f"{self._moved[seat]}{move.replace(',', ' ')}\n".encode()

    def fact(self, event: Any) -> bytes:
        """What belongs to the game itself, and is said again to a player who comes back."""
        match event:
            case MovePlayed(seat=seat, move=move):
                return self.move(seat, move)
            case SeatForfeited(seat=seat, cause=cause, detail=detail):
                colour = self._colours[seat]
                if cause in INVALID:
                    return encode(Invalid(colour, detail))
                return encode(Tableflipped(colour))
            case MatchEnded(outcome=outcome):
                # 'Afsluiten bij een tableflip': -1 for everybody when there is no score.
                return encode(End(outcome.scores or (-1,) * len(self._colours)))
            case MatchAborted():
                # A lone END -1 -1 is the death of one real client: it looks for the loser.
                return says(called_off(event)) + encode(End((0,) * len(self._colours)))
            case _:
                return b""

    def news(self, record: Recorded) -> bytes:
        """What matters only at the moment: who goes and comes, and pauses."""
        match record.event:
            case SeatAway(seat=seat) if seat != self.seat:
                return self.away(record.state, seat)
            case SeatBack(seat=seat) if seat != self.seat:
                return says(f"{self.names[seat]} is back")
            case Suspended():
                return says("the game is suspended")
            case Resumed():
                return says("the game goes on")
            case _:
                return b""

    def away(self, match: Match, seat: Seat) -> bytes:
        """How long an absent player has to come back."""
        if not match.playing(seat):
            return b""
        seconds = match.player(seat).terms.grace // 1000
        return says(f"{self.names[seat]} is away, {seconds} s")

    def absences(self, match: Match) -> bytes:
        """Who is not there just now."""
        return b"".join(
            self.away(match, seat)
            for seat, player in match.players()
            if player.away_since is not None and seat != self.seat
        )


def called_off(aborted: MatchAborted) -> str:
    """That there is no result, and why."""
    return f"the game is called off: {aborted.detail or aborted.cause}"


def says(text: str) -> bytes:
    """A line of chat from the server itself."""
    return encode(Chat(f"{SERVER}: {text}"))
