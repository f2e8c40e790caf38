"""What can be set before a game of m,n,k."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

SMALLEST, LARGEST = 3, 10  # Tic-tac-toe document, example 2: the form offers 3 to 10.

Rows = Annotated[
    int,
    Meta(
        ge=SMALLEST,
        le=LARGEST,
        title="Number of rows",
        description="How many cells high the board is",
    ),
]
Cols = Annotated[
    int,
    Meta(
        ge=SMALLEST,
        le=LARGEST,
        title="Number of columns",
        description="How many cells wide the board is",
    ),
]
Strike = Annotated[
    int,
    Meta(
        ge=SMALLEST,
        le=LARGEST,
        title="In a row to win",
        description="How many marks in a line win; no more than the shorter side of the board",
    ),
]
First = Annotated[
    Literal["x", "o"],
    Meta(
        title="Who begins",
        description="The mark that is set first",
        extra_json_schema={"labels": {"x": "X begins", "o": "O begins"}, "unusual": True},
    ),
]


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
                f"strike is {self.strike}: that is more in a row than"
                f" {self.cols} by {self.rows} has room for"
            )
        if self.first not in ("x", "o"):
            raise ValueError(f"first is {self.first}, not x or o")
