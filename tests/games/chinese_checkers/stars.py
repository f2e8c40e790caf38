"""Stars drawn in tests, read into positions and sets of cells."""

from parlour.games.chinese_checkers import Options, Position

# A cell (x, y) is drawn in column 2x + y + 12 of row 8 - y.
EMPTY = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . . . . . .
   . . . . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""

Cell = tuple[int, int]


def drawn(star: str) -> dict[Cell, str]:
    """What is drawn on each of the 121 cells. The drawing may be indented as a whole."""
    lines = [line for line in star.splitlines() if line.strip()]
    margin = min(len(line) - len(line.lstrip()) for line in lines)
    return {
        ((column - margin - 12 - (8 - row)) // 2, 8 - row): mark
        for row, line in enumerate(lines)
        for column, mark in enumerate(line)
        if mark != " "
    }


CELLS = tuple(drawn(EMPTY))


def position(
    star: str,
    turn: str,
    options: Options | None = None,
    finished: str = "",
    lost: str = "",
    round: int = 1,
) -> Position:
    """The drawn position; letters are pieces by zone of origin, and all of them have seats.

    `finished` and `lost` are letters in order; a lost zone has no pieces to be drawn.
    """
    marks = drawn(star)
    assert tuple(marks) == CELLS, "this is not a star"
    zones = tuple(sorted({mark for mark in marks.values() if mark.isupper()} | set(lost)))
    return Position(
        options or Options(),
        zones,
        tuple(
            sum(1 << number for number, mark in enumerate(marks.values()) if mark == zone)
            for zone in zones
        ),
        turn=zones.index(turn),
        finished=tuple(map(zones.index, finished)),
        lost=tuple(map(zones.index, lost)),
        round=round,
    )


def starred(star: str, mark: str = "*") -> set[str]:
    """The cells drawn with `mark`, as text."""
    return {f"{x},{y}" for (x, y), drawing in drawn(star).items() if drawing == mark}
