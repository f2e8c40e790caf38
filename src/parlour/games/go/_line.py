"""Lines of play: the moves of a game, and where variations leave them."""

from collections.abc import Iterator

PASS = 0  # Cell 0 is border on a board of any size, so it can stand for a pass.


class Line:
    """Moves in a row. It grows at its end only, so what a position has seen of it stays true.

    `points[i]` is the cell of move `start + i + 1`; moves up to `start` are those of `parent`.
    """

    __slots__ = ("parent", "points", "start")

    def __init__(self, parent: "Line | None" = None, start: int = 0) -> None:
        self.parent = parent
        self.start = start
        self.points: list[int] = []

    def extended(self, ply: int, point: int) -> "Line":
        """A line with `point` as move `ply + 1`: this one where that fits, else a new one."""
        played = ply - self.start
        if played == len(self.points):
            self.points.append(point)
            return self
        if self.points[played] == point:
            return self
        line = Line(self, ply)
        line.points.append(point)
        return line

    def backwards(self, ply: int) -> Iterator[int]:
        """The cells of moves `ply`, `ply - 1` and so on down to move 1."""
        line: Line | None = self
        while line is not None:
            points = line.points  # Not sliced: a pass asks for one move of thousands.
            for index in range(ply - line.start - 1, -1, -1):
                yield points[index]
            ply, line = line.start, line.parent

    def passed(self, ply: int) -> bool:
        """Whether move `ply` was a pass; move 0 was none."""
        return next(self.backwards(ply), None) == PASS
