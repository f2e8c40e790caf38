"""The games that matches can be played in."""

from collections.abc import Iterable, Mapping

from parlour.games import AnyGame, Position


class Rulebook:
    """The games by name.

    It remembers the last move it played: `decide` plays a move to test it and `evolve` plays
    the same move to apply it, and for large boards that is most of the work of a move. A long log
    may be folded in another thread meanwhile, so it is remembered in one piece.
    """

    def __init__(self, games: Iterable[AnyGame]) -> None:
        self.games: Mapping[str, AnyGame] = {game.name: game for game in games}
        self._last: tuple[Position | None, str, Position | None] = (None, "", None)

    def play(self, position: Position, move: str) -> Position:
        """The position after `move`.

        Raises:
            Refused: the rules of the game forbid it.
        """
        before, played, after = self._last
        if after is not None and before is position and played == move:
            return after
        after = position.play(move)
        self._last = position, move, after
        return after
