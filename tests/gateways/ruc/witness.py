"""A client that believes nothing: it holds all it hears to the protocol and to the rules."""

from parlour.games.chinese_checkers import ChineseCheckers, Options, Position
from parlour.wire.ruc import LOST
from tests.gateways.ruc.peers import Peer, Said


class Witness:
    """One player's connection, what it must believe of its room, and what it has sent."""

    def __init__(self, peer: Peer, name: str, options: Options) -> None:
        self.peer = peer
        self.name = name
        self.options = options
        self.inside = False
        self.asked = False
        self.present: set[str] = set()
        self.zones: dict[str, str] = {}
        self.position: Position | None = None
        self.turn: str | None = None
        self.sent: str | None = None
        self.replayed = False

    @property
    def on_turn(self) -> bool:
        return self.turn is not None and self.turn == self.zones.get(self.name)

    @property
    def running(self) -> bool:
        return self.position is not None

    async def listens(self) -> None:
        """Take in everything said up to now."""
        for said in await self.peer.heard():
            self.hears(said)

    def hears(self, said: Said) -> None:
        op, data1, data2 = said
        if op == "ERROR":
            self.sent = None
            self.asked = False
            return
        assert self.inside or (op == "JOIN_ROOM_REPLY" and self.asked), f"{said} outside a room"
        getattr(self, f"_{op.lower()}")(data1, data2)

    def _join_room_reply(self, names: str, states: str) -> None:
        assert not self.inside
        assert len(names.split()) == len(states)
        self.inside, self.asked = True, False
        self.present = {*names.split(), self.name}
        self.replayed = True

    def _join_room(self, name: str, nothing: str) -> None:
        assert nothing == ""
        assert self.running or name not in self.present
        self.present.add(name)
        self.replayed = False

    def _leave_room(self, name: str, nothing: str) -> None:
        assert nothing == ""
        assert name in self.present
        self.present.discard(name)
        self.replayed = False
        if name == self.name and self._seat() not in self._playing():
            self._out()

    def _player_ready(self, name: str, _: str) -> None:
        assert not self.running
        assert name in self.present
        self.replayed = False

    def _start_game(self, names: str, zones: str) -> None:
        assert not self.running
        assert self.replayed or set(names.split()) == self.present
        assert self.name in names.split()
        self.zones = dict(zip(names.split(), zones.split(), strict=True))
        assert sorted(zones.split()) == zones.split()
        self.position = ChineseCheckers().start(self.options, len(self.zones))
        assert self.position.zones == tuple(zones.split())

    def _move(self, zone: str, path: str) -> None:
        position = self.position
        assert position is not None
        seat = position.zones.index(zone)
        if path == LOST:
            self.sent = self.sent if zone != self.zones[self.name] else None
            assert position.playing(seat)
            self.position = position.without(seat)
            # Who leaves on turn hears whose turn it is instead, in the same write.
            passes_on = zone == self.turn and self.position.outcome is None
            if self.name not in self.present and not passes_on:
                self._out()
            return
        assert zone != self.zones[self.name] or self.replayed, "a move came back to its mover"
        assert position.turn == seat
        numbers = path.split(" ")
        move = ">".join(f"{x},{y}" for x, y in zip(numbers[::2], numbers[1::2], strict=True))
        self.position = position.play(move)

    def _start_turn(self, zone: str, time: str) -> None:
        self._confirmed()
        assert self.position is not None
        assert len(time) == 10
        assert self.position.turn == self.position.zones.index(zone)
        self.turn, self.replayed = zone, False
        if self.name not in self.present:
            self._out()

    def _end_turn(self, *nothing: str) -> None:
        self._confirmed()
        assert nothing == ("", "")
        assert self.position is not None
        assert self._seat() in self.position.finished

    def _end_game(self, names: str, _: str) -> None:
        self._confirmed()
        assert self.position is not None
        outcome = self.position.outcome
        assert outcome is not None
        by_zone = {zone: name for name, zone in self.zones.items()}
        seats = [seat for group in outcome.ranking for seat in group]
        assert names == " ".join(by_zone[self.position.zones[seat]] for seat in seats)
        self._out()

    def _close_room(self, *_: str) -> None:
        self._out()

    def _confirmed(self) -> None:
        """What was sent is played: the next START_TURN or END_ is all that says so."""
        if self.sent is not None:
            assert self.position is not None
            self.position, self.sent = self.position.play(self.sent), None

    def _seat(self) -> int | None:
        zone = self.zones.get(self.name)
        return self.position.zones.index(zone) if self.position and zone else None

    def _playing(self) -> set[int]:
        if self.position is None:
            return set()
        return {seat for seat in range(len(self.zones)) if self.position.playing(seat)}

    def _out(self) -> None:
        self.inside, self.position, self.turn, self.sent = False, None, None, None
        self.zones, self.present = {}, set()
