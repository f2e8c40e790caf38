"""What can be set before a game of m,n,k."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

SMALLEST, LARGEST = 3, 10  # Tic-tac-toe document, example 2: the form offers 3 to 10.

Rows = Annotated[int, Meta(ge=SMALLEST, le=LARGEST, title="Number of rows")]
Cols = Annotated[int, Meta(ge=SMALLEST, le=LARGEST, title="Number of cols")]
Strike = Annotated[int, Meta(ge=SMALLEST, le=LARGEST, title="Strike")]
First = Annotated[Literal["x", "o"], Meta(title="Select a role who start the game")]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The size of the board, how many marks in a line win, and who begins.

    Raises:
        ValueError: a number outside 3..10, or a strike that is more than the rows or the
            columns (Tic-tac-toe document, section 5), or a role that is neither x nor o.
    """

    rows: Rows = 3
    cols: Cols = 3
    strike: Strike = 3
    first: First = "x"

    def __post_init__(self) -> None:
        for name, value in (("rows", self.rows), ("cols", self.cols), ("strike", self.strike)):
            if not SMALLEST <= value <= LARGEST:
                raise ValueError(f"{name} is {value}, not {SMALLEST} to {LARGEST}")
        if self.strike > min(self.rows, self.cols):
            raise ValueError(
                f"strike {self.strike} is more than a {self.rows} by {self.cols} board allows"
            )
        if self.first not in ("x", "o"):
            raise ValueError(f"first is {self.first}, not x or o")
