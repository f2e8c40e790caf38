"""The games that matches can be played in."""

from collections.abc import Iterable, Mapping

from parlour.games import AnyGame, Position


class Rulebook:
    """The games by name.

    It remembers the last move it played: `decide` plays a move to test it and `evolve` plays
    the same move to apply it, and for large boards that is most of the work of a move.
    """

    def __init__(self, games: Iterable[AnyGame]) -> None:
        self.games: Mapping[str, AnyGame] = {game.name: game for game in games}
        self._before: Position | None = None
        self._move = ""
        self._after: Position | None = None

    def play(self, position: Position, move: str) -> Position:
        """The position after `move`.

        Raises:
            Refused: the rules of the game forbid it.
        """
        if self._after is not None and self._before is position and self._move == move:
            return self._after
        after = position.play(move)
        self._before, self._move, self._after = position, move, after
        return after
