"""Boards of all games in one form: the cells of each seat, and what a move changes."""

from parlour.games import Position, Seat
from parlour.games.chinese_checkers import Position as ChineseCheckersPosition
from parlour.games.go import Position as GoPosition
from parlour.games.tictactoe import Position as TicTacToePosition
from parlour.gateways.web._views import Cells, Changes


def cells(position: Position) -> Cells | None:
    """The pieces of each seat; None for a game that this gateway cannot draw."""
    match position:
        case TicTacToePosition():
            options = position.options
            marks = [
                (position.mark(x, y), f"{x},{y}")
                for y in range(options.rows)
                for x in range(options.cols)
            ]
            return tuple(tuple(cell for mark, cell in marks if mark == seat) for seat in (0, 1))
        case GoPosition():
            return position.stones(0), position.stones(1)
        case ChineseCheckersPosition():
            return tuple(
                tuple(f"{x},{y}" for x, y in position.cells(seat))
                for seat in range(len(position.zones))
            )
        case _:
            return None


def diagram(position: Position) -> str | None:
    """Lines of text for a game that has no cells here."""
    known = isinstance(position, TicTacToePosition | GoPosition | ChineseCheckersPosition)
    return None if known else position.diagram()


def captured(position: Position) -> tuple[int, ...] | None:
    """Stones lost by each seat, in Go."""
    return position.captured if isinstance(position, GoPosition) else None


def move_changes(before: Position, after: Position, seat: Seat, move: str) -> Changes | None:
    """The cells that a move has given to somebody else or emptied."""
    match after:
        case TicTacToePosition():
            return {move: seat}
        case GoPosition():
            assert isinstance(before, GoPosition)
            if move == "pass":
                return {}
            if before.captured == after.captured:
                return {move: seat}
            return _taken(before, after, seat, move)
        case ChineseCheckersPosition():
            path = move.split(">")
            return {path[0]: None, path[-1]: seat}
        case _:
            return None


def forfeit_changes(before: Position, after: Position) -> Changes | None:
    """What leaves the board with a player: the pieces of Chinese checkers, else nothing."""
    if isinstance(after, ChineseCheckersPosition):
        return difference(cells(before), cells(after))
    return None if cells(after) is None else {}


def difference(before: Cells | None, after: Cells | None) -> Changes:
    """The cells that are held otherwise after than before."""
    held = {cell: seat for seat, own in enumerate(before or ()) for cell in own}
    now = {cell: seat for seat, own in enumerate(after or ()) for cell in own}
    changed: Changes = dict.fromkeys(held.keys() - now.keys())
    changed.update({cell: seat for cell, seat in now.items() if held.get(cell) != seat})
    return changed


def _taken(before: GoPosition, after: GoPosition, seat: Seat, move: str) -> Changes:
    """What a move of Go has given and taken, without a look at the whole board.

    Stones go with their chain, and every chain that goes touches the point played.
    """
    point = _point(move)
    near = [one for one in _near(point, before.options.size) if before.stone(*one) is not None]
    gone = [one for one in near if after.stone(*one) is None]
    changed: Changes = {} if after.stone(*point) is None else {move: seat}
    for start in gone:
        changed |= dict.fromkeys(f"{x},{y}" for x, y in _chain(before, start))
    return changed


def _chain(position: GoPosition, start: tuple[int, int]) -> set[tuple[int, int]]:
    """The stones that are connected with the one at `start`."""
    colour, size = position.stone(*start), position.options.size
    found, left = {start}, [start]
    while left:
        for point in _near(left.pop(), size):
            if point not in found and position.stone(*point) == colour:
                found.add(point)
                left.append(point)
    return found


def _point(move: str) -> tuple[int, int]:
    x, y = move.split(",")
    return int(x), int(y)


def _near(point: tuple[int, int], size: int) -> list[tuple[int, int]]:
    """The up to four points beside one."""
    x, y = point
    beside = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    return [(x, y) for x, y in beside if 0 <= x < size and 0 <= y < size]
