"""Allowances that fill up again with time."""

REMEMBERED = 10_000  # holders of an allowance


class Allowance:
    """So many a second on average, and `most` at once, for each holder."""

    def __init__(self, rate: int, most: int) -> None:
        self._every = 1000 / rate  # ms
        self._most = most * self._every
        self._full_at: dict[str, float] = {}

    def admits(self, holder: str, now: int) -> bool:
        """Whether the holder may do one more thing at `now`; it is counted when it may."""
        # The moment at which the holder will have the whole allowance again.
        full_at = max(self._full_at.get(holder, now), now) + self._every
        if full_at - now > self._most:
            return False
        self._full_at[holder] = full_at
        if len(self._full_at) > REMEMBERED:
            self._full_at = {one: at for one, at in self._full_at.items() if at > now}
        return True
