"""How often somebody may do something: a token bucket for each."""

from collections import OrderedDict

REMEMBERED = 10_000  # holders; whoever has asked for nothing for the longest time begins anew
FORGOTTEN = 2  # holders at a time: more than come


class Allowance:
    """`rate` a second on average, and `burst` at once, for each holder."""

    def __init__(self, rate: int, burst: int) -> None:
        # Moments are counted in milliseconds times `rate`: one thing then takes 1000 of them.
        self._rate = rate
        self._most = burst * 1000
        # The moment at which a holder will have the whole allowance again.
        self._full_at: OrderedDict[str, int] = OrderedDict()

    def admits(self, holder: str, now: int) -> bool:
        """Whether the holder may do one more thing at `now`; it is counted when it may."""
        moment = now * self._rate
        full_at = max(self._full_at.get(holder, moment), moment)
        admitted = full_at + 1000 - moment <= self._most
        self._keep(holder, full_at + 1000 if admitted else full_at, moment)
        return admitted

    def wait(self, holder: str, now: int) -> int:
        """Milliseconds until the holder may do one more thing; 0: at once. Nothing is counted."""
        over = self._full_at.get(holder, 0) + 1000 - now * self._rate - self._most
        return max(0, -(-over // self._rate))

    def charge(self, holder: str, cost: int, now: int) -> None:
        """Count `cost` things that are done already, as a debt where there is not as much."""
        moment = now * self._rate
        full_at = max(self._full_at.get(holder, moment), moment) + cost * 1000
        self._keep(holder, full_at, moment)

    def _keep(self, holder: str, full_at: int, moment: int) -> None:
        self._full_at[holder] = full_at
        self._full_at.move_to_end(holder)
        for _ in range(FORGOTTEN):
            quiet = next(iter(self._full_at), None)
            # Who has the whole allowance again is as good as unknown.
            if quiet is None or (
                self._full_at[quiet] > moment and len(self._full_at) <= REMEMBERED
            ):
                break
            del self._full_at[quiet]
