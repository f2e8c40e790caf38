"""Who opens tables: nobody may have too many that wait for players, nor open them too fast."""

from collections import Counter, OrderedDict
from collections.abc import Callable

from parlour.games import Refusal
from parlour.gateways import Allowance, customer_of
from parlour.gateways.web._declined import Declined
from parlour.host import Directory
from parlour.match import Listing, Status

REMEMBERED = 10_000  # matches of which is known where they were opened from
OPENED, OPENED_AT_ONCE = 1, 64  # tables of one address: a second, and at once


class Openers:
    """The guest and the address behind each open table of this gateway.

    The log does not say who opened a table, nor from where. What `take_up` finds is taken for that
    of who sat down first, and counts when they want another one, for the address they ask from
    then. Not what has a room: those of other protocols go on when their openers have left.
    """

    def __init__(
        self, directory: Directory, most: int, most_of_address: int, exempt: Callable[[str], bool]
    ) -> None:
        self._directory = directory
        self._most = most
        self._most_of_address = most_of_address
        self._exempt = exempt
        self._pace = Allowance(OPENED, OPENED_AT_ONCE)
        self._waiting: dict[str, tuple[str, str]] = {}
        self._found: dict[str, str] = {}
        """Who sat down first, by the tables found at the start that are not counted yet."""
        self._opened_from: OrderedDict[str, str] = OrderedDict()
        self._guests: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        directory.watch(self._listed)

    def take_up(self) -> None:
        """Take in the tables that wait since before this run of the service."""
        for stream, listing in self._directory.open.items():
            if listing.sitters and not listing.room:
                self._found[stream] = listing.sitters[0].identity

    def check(self, identity: str, address: str) -> None:
        """Whether one more table may be opened.

        Raises:
            Declined: LIMIT.
        """
        self._adopt(identity, customer_of(address))
        if self._guests[identity] >= self._most:
            raise Declined(Refusal.LIMIT, f"{self._most} tables of yours wait for players already")
        if self._exempt(address):
            return
        if self._addresses[customer_of(address)] >= self._most_of_address:
            raise Declined(
                Refusal.LIMIT,
                f"{self._most_of_address} tables of your address wait for players already",
            )

    def pay(self, address: str, now: int) -> None:
        """Count a table that is asked for: also one that is left at once stays in the log.

        Raises:
            Declined: LIMIT.
        """
        if not self._exempt(address) and not self._pace.admits(customer_of(address), now):
            raise Declined(Refusal.LIMIT, "open tables more slowly")

    def opened(self, stream: str, identity: str, address: str) -> None:
        """Count a table that is being created."""
        self._count(stream, identity, customer_of(address))

    def closed(self, stream: str) -> None:
        """The table waits no more, or was not created after all."""
        self._found.pop(stream, None)
        if stream not in self._waiting:
            return
        identity, address = self._waiting.pop(stream)
        for counts, holder in ((self._guests, identity), (self._addresses, address)):
            counts[holder] -= 1
            if counts[holder] <= 0:
                del counts[holder]

    def share_of(self, stream: str, listing: Listing) -> str:
        """Whose share of a list a match is: that of an address, else of who sat down first."""
        address = self._opened_from.get(stream)
        if address is not None:
            return address
        if not listing.sitters:
            return stream
        identity = listing.sitters[0].identity
        return identity.partition(" ")[2] or identity  # `nedap:alice 10.0.0.7`

    def _adopt(self, identity: str, customer: str) -> None:
        """Count what was found of a guest, once, for the address that they ask from now."""
        for stream, _ in self._directory.seated(identity):
            if self._found.get(stream) == identity:
                del self._found[stream]
                self._count(stream, identity, customer)

    def _count(self, stream: str, identity: str, customer: str) -> None:
        self._waiting[stream] = identity, customer
        self._guests[identity] += 1
        self._addresses[customer] += 1
        self._opened_from[stream] = customer
        if len(self._opened_from) > REMEMBERED:
            self._opened_from.popitem(last=False)

    def _listed(self, stream: str, listing: Listing) -> None:
        if listing.status is not Status.OPEN:
            self.closed(stream)
