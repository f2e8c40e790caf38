"""How often somebody may be wrong about a password."""

from collections import OrderedDict

WRONG_MOST = 5  # within WITHIN
WITHIN = 60_000  # ms
REMEMBERED = 10_000  # pairs of a table, or room, and who guesses


class Guesses:
    """Wrong passwords of each table and customer, counted in minutes that begin with the first.

    A customer is an address (see `customer_of`), or a bare JID where accounts speak. Of `most` in a
    minute the next is not looked at.
    """

    def __init__(self, most: int = WRONG_MOST) -> None:
        self.most = most
        self._wrong: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()

    def may(self, table: str, customer: str, now: int) -> bool:
        """Whether another password is looked at."""
        began, count = self._wrong.get((table, customer), (now, 0))
        return count < self.most or now - began >= WITHIN

    def wrong(self, table: str, customer: str, now: int) -> None:
        """That was not the password."""
        began, count = self._wrong.get((table, customer), (now, 0))
        if now - began >= WITHIN:
            began, count = now, 0
        self._wrong[table, customer] = began, count + 1
        self._wrong.move_to_end((table, customer))
        if len(self._wrong) > REMEMBERED:
            self._wrong.popitem(last=False)

    def right(self, table: str, customer: str) -> None:
        """What was called wrong before it was looked at is not."""
        began, count = self._wrong.get((table, customer), (0, 0))
        if count:
            self._wrong[table, customer] = began, count - 1
