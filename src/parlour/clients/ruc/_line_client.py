"""A Chinese checkers player at a terminal: draws the star, takes typed paths, leaves by itself.

RUC course network protocol. What real servers send is tolerated: error names, zone letters in
the ranking, trailing spaces, milliseconds, a START_TURN in another segment than its MOVE.
"""

import re
from itertools import zip_longest

from msgspec.structs import replace

from parlour.clients import Step
from parlour.games import Refused
from parlour.games.chinese_checkers import CELLS, ChineseCheckers, Options, Position
from parlour.wire import Malformed, WireError, clean
from parlour.wire.ruc import (
    LOST,
    Codec,
    Frame,
    Opcode,
    canonical,
    encode,
    parse_path,
    read_error,
    read_names,
    read_time,
)

NUMBERS = re.compile(r"-?[0-9]{1,3}(?:[ ,>]+-?[0-9]{1,3})+", re.ASCII)
HELP = "`ready` when the game may begin, x y x y for a path, `leave` to go."
HELP_PLAYING = """\
A path is the cells of one move, x y each: start, landings, end. A row has its y at the left and
the x of its first and last cell at the right; 0 0 is the middle. One step to a neighbour is a
path, and so is a chain of hops, each over one piece of anybody's. `leave` loses the game and goes.
A legal first move of yours: {example}"""
LIMIT = """\
Who takes too long for a move is out. The server says how long that is: in rooms that were opened
as here a Parlour server gives 15 s if not set otherwise, at other tables there is another time."""
COME_BACK = """\
The server closed the connection. If a game is on, the same command comes back to it: a Parlour
server keeps the seat for 30 s or until the time for the move is over, if not set otherwise."""
NOT_INSIDE = "You are not in the room. Start again; another --name or --room may do."
SHOWN = 500  # characters of what a server may write into a terminal at once
# The server says when a game ends; whatever its round limit is, ours must not come first.
OPTIONS = Options(max_rounds=10_000)


class RucLineClient:
    """One room: from joining it to the ranking of one game."""

    def __init__(self, room: str, name: str) -> None:
        self._room = room
        self._name = name
        self._codec = Codec()
        self._ready: dict[str, bool] = {name: False}
        self._zones: dict[str, str] = {}
        self._position: Position | None = None
        self._mine = False
        self._before: Position | None = None
        self._inside = False
        self._more = False  # whether another move came together with the one that is told
        self._example = "-4 5 -4 4"

    def connected(self) -> Step:
        return Step(encode(Frame(Opcode.JOIN_ROOM, self._room, self._name)), "Connected.")

    def received(self, data: bytes) -> Step:
        send, done, failed = b"", False, False
        shown: list[str] = []
        told = self._codec.feed(data)
        for heard, after in zip_longest(told, told[1:]):
            # Who comes back to a game hears all its moves at once.
            self._more = isinstance(after, Frame) and after.op is Opcode.MOVE
            if isinstance(heard, WireError):
                shown.append(f"The server speaks otherwise: {heard}.")
                return Step(send, "\n".join(shown), done=True, failed=True)
            if isinstance(heard, Malformed):
                shown.append(f"! The server sent something unreadable: {heard.detail}")
                continue
            step = self._told(heard)
            send, done, failed = send + step.send, done or step.done, failed or step.failed
            if step.show:
                shown.append(step.show)
        return Step(send, "\n".join(shown), done, failed)

    def typed(self, line: str) -> Step:
        word = line.strip()
        if word == "ready":
            return Step(encode(Frame(Opcode.PLAYER_READY, self._name)))
        if word == "leave":
            return Step(self._leave(), "You leave.", done=True)
        if NUMBERS.fullmatch(word) is None:
            return Step(show=HELP if self._position is None else self._help())
        return self._move(word)

    def lost(self) -> Step:
        return Step(show=COME_BACK, done=True, failed=True)

    def _move(self, word: str) -> Step:
        before, zone = self._position, self._zones.get(self._name, "")
        if not self._mine or before is None or zone not in before.zones:
            return Step(show="It is not your turn.")
        path = parse_path(" ".join(re.split(r"[ ,>]+", word)))
        if isinstance(path, Malformed):
            return Step(show=f"That is not possible: {path.detail}. {self._ask()}")
        try:
            self._position = _played(before, zone, _text(path))
        except Refused as no:
            return Step(show=f"That is not possible: {no.detail}. {self._ask()}")
        self._mine, self._before = False, before
        return Step(encode(Frame(Opcode.MOVE, zone, canonical(path))), draw(self._position))

    def _told(self, frame: Frame) -> Step:
        name = clean(frame.data1, SHOWN)
        match frame.op:
            case Opcode.JOIN_ROOM_REPLY:
                self._inside = True
                return Step(show=self._entered(frame))
            case Opcode.JOIN_ROOM:
                self._ready[name] = False
                return Step(show=f"{name} comes in.{self._states()}")
            case Opcode.LEAVE_ROOM:
                self._ready.pop(name, None)
                return Step(show=f"{name} leaves.{self._states()}")
            case Opcode.PLAYER_READY:
                self._ready[name] = True
                return Step(show=f"{name} is ready.{self._states()}")
            case Opcode.START_GAME:
                return Step(show=self._start(frame))
            case Opcode.START_TURN:
                return Step(show=self._turn(frame))
            case Opcode.MOVE:
                return Step(show=self._moved(frame))
            case Opcode.END_TURN:
                return Step(show="All your pieces are home!")
            case Opcode.END_GAME:
                return Step(self._leave(), self._ranking(frame), done=True)
            case Opcode.CLOSE_ROOM:
                why = f": {name}" if name else ""
                return Step(show=f"The server closes the room{why}.", done=True)
            case Opcode.ERROR:
                return self._error(frame)

    def _entered(self, frame: Frame) -> str:
        names = read_names(clean(frame.data1, SHOWN))
        self._ready |= {
            name: state == "1" for name, state in zip(names, frame.data2.strip(), strict=False)
        }
        return f"You are in {clean(self._room, SHOWN)} as {self._name}.{self._states()}\n{HELP}"

    def _states(self) -> str:
        """Who is in the room and who of them is ready; nothing once the game has begun."""
        if self._position is not None:
            return ""
        states = (f"{name} (ready)" if ready else name for name, ready in self._ready.items())
        return f" In the room: {clean(', '.join(states), SHOWN)}."

    def _start(self, frame: Frame) -> str:
        names, zones = read_names(frame.data1), read_names(frame.data2)
        self._zones = dict(zip(names, zones, strict=False))
        self._mine, self._before = False, None
        players = ", ".join(f"{name} {zone}" for name, zone in self._zones.items())
        game, count = ChineseCheckers(), len(zones)
        if not game.can_start(OPTIONS, count) or set(zones) != set(game.seat_names(OPTIONS, count)):
            self._position = None
            return f"The game begins with players that no game has: {clean(players, SHOWN)}."
        self._position = game.start(OPTIONS, count)
        begun = f"The game begins: {clean(players, SHOWN)}.\n{draw(self._position)}"
        zone = self._zones.get(self._name)
        if zone is None:
            return begun
        self._example = _first_move(self._position, zone)
        return f"{begun}\n{self._help()}\n{LIMIT}"

    def _help(self) -> str:
        return HELP_PLAYING.format(example=self._example)

    def _ask(self) -> str:
        return f"Your path, start to end, as in {self._example}: "

    def _turn(self, frame: Frame) -> str:
        zone, since = frame.data1.strip(), _clock(read_time(frame.data2))
        self._before = None
        self._mine = zone == self._zones.get(self._name)
        if self._mine:
            return f"Your turn.{since}\n{self._ask()}"
        who = next((name for name, one in self._zones.items() if one == zone), zone)
        return f"{clean(who, SHOWN)} is on turn.{since}"

    def _moved(self, frame: Frame) -> str:
        zone, position = frame.data1.strip(), self._position
        if position is None or zone not in position.zones:
            return ""
        if frame.data2.strip() == LOST:
            self._position = position.without(position.zones.index(zone))
            mine = zone == self._zones.get(self._name)
            out = (
                "You are out: you took too long"
                if mine
                else f"{zone} is out (left, or took too long)"
            )
            return f"{out}.{self._star()}"
        if self._before is not None and zone == self._zones.get(self._name):
            return ""  # some servers send a move back to its mover
        path = parse_path(frame.data2.strip())
        if isinstance(path, Malformed):
            return f"! {zone} moves, but the path is unreadable: {path.detail}"
        try:
            self._position = _played(position, zone, _text(path))
        except Refused as no:
            return f"! {zone} makes a move that the rules do not know: {no.detail}"
        return f"{zone} moves {_text(path)}.{self._star()}"

    def _star(self) -> str:
        return "" if self._more or self._position is None else f"\n{draw(self._position)}"

    def _ranking(self, frame: Frame) -> str:
        names = list(read_names(clean(frame.data1, SHOWN)))
        if not all(name in self._zones for name in names):  # some servers write the zones
            by_zone = {zone: name for name, zone in self._zones.items()}
            names = [clean(by_zone.get(word, word), SHOWN) for word in names]
        return "\n".join(f"{place}. {name}" for place, name in enumerate(names, 1))

    def _error(self, frame: Frame) -> Step:
        code = read_error(frame.data1)
        said = clean(frame.data2, SHOWN) or (code.name if code is not None else "an error")
        if not self._inside:
            return Step(show=f"! {said}\n{NOT_INSIDE}", done=True, failed=True)
        if self._before is None:
            return Step(show=f"! {said}")
        self._position, self._before, self._mine = self._before, None, True
        return Step(show=f"! {said}\n{draw(self._position)}\n{self._ask()}")

    def _leave(self) -> bytes:
        return encode(Frame(Opcode.LEAVE_ROOM, self._room, self._name))


def draw(position: Position) -> str:
    """The star with the y of each row at its left, and at its right the x of the row's ends."""
    rows = position.diagram().splitlines()
    width, top = max(map(len, rows)), len(rows) // 2
    lines = []
    for y, row in zip(range(top, -top - 1, -1), rows, strict=True):
        xs = [x for x, of_row in CELLS if of_row == y]
        ends = dict.fromkeys((min(xs), max(xs)))  # a tip has one cell
        lines.append(f"y {y:>2}  {row:<{width}}  x {' to '.join(map(str, ends))}")
    return "\n".join(lines)


def _first_move(position: Position, zone: str) -> str:
    """A step with which `zone` may begin, as it is typed."""
    moves = replace(position, turn=position.zones.index(zone)).moves()
    paths = [[int(number) for number in re.split("[,>]", move)] for move in moves]
    step = min(paths, key=lambda path: max(abs(path[0] - path[-2]), abs(path[1] - path[-1])))
    return " ".join(map(str, step))


def _played(position: Position, zone: str, move: str) -> Position:
    """The server says whose move it is: it may know other rules of who is home.

    Raises:
        Refused: no piece of that zone can move so.
    """
    return replace(position, turn=position.zones.index(zone), outcome=None).play(move)


def _clock(time: int | None) -> str:
    """When a turn began; nothing when the server has not said it."""
    if time is None:
        return ""
    return f" It began at {time // 3600 % 24:02}:{time // 60 % 60:02}:{time % 60:02} UTC."


def _text(path: tuple[tuple[int, int], ...]) -> str:
    return ">".join(f"{x},{y}" for x, y in path)
