"""Whose board size is taken when two of different sizes are paired (option pair = "any")."""

PATIENCE = 20_000  # ms; GoProtocol, 'Nieuw spel starten', leaves it to the server


class Patience:
    """Who waits since when, the longest first."""

    def __init__(self) -> None:
        self._since: dict[str, int] = {}

    def begin(self, identity: str, now: int) -> None:
        """Wait from `now` on."""
        self._since.setdefault(identity, now)

    def end(self, identity: str) -> None:
        """Wait no more."""
        self._since.pop(identity, None)

    def yields_at(self, identity: str) -> int | None:
        """When this one takes anybody's size; None as long as nobody has waited longer."""
        eldest = next(iter(self._since), identity)
        return None if eldest == identity else self._since[eldest] + PATIENCE
