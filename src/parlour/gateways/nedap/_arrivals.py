"""A limit on new connections: some real clients reconnect thousands of times a second."""

BURST = 50  # times the rate: a classroom, or a load test, may come all at once
REMEMBERED = 10_000  # addresses


class Arrivals:
    """At most `rate` new connections a second from one address, and BURST times that at once."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._full_at: dict[str, float] = {}

    def admits(self, address: str, now: int) -> bool:
        """Whether one more may come at `now`; it is counted when it may."""
        if not self._rate:
            return True
        # The moment at which the address will have its whole allowance again.
        full_at = max(self._full_at.get(address, now), now) + 1000 / self._rate
        if full_at - now > BURST * 1000:
            return False
        self._full_at[address] = full_at
        if len(self._full_at) > REMEMBERED:
            self._full_at = {one: at for one, at in self._full_at.items() if at > now}
        return True
