"""How much one full JID may ask for: a token bucket each."""

from collections import OrderedDict

REMEMBERED = 10_000


class Buckets:
    """`burst` at once, and `rate` a second after that."""

    def __init__(self, rate: int, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def take(self, session: str, now: int) -> bool:
        """Whether one more is within the limits."""
        left, since = self._buckets.get(session, (float(self._burst), now))
        left = min(self._burst, left + (now - since) * self._rate / 1000)
        granted = left >= 1
        self._buckets[session] = (left - 1 if granted else left, now)
        self._buckets.move_to_end(session)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return granted

    def charge(self, session: str, cost: int) -> None:
        """Take `cost` more for what was granted, as a debt where there is not as much."""
        left, since = self._buckets.get(session, (float(self._burst), 0))
        self._buckets[session] = (left - cost, since)
