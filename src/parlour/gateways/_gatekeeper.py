"""Who may have a connection, by the address it comes from."""

import logging
from collections import Counter
from collections.abc import Iterable

from parlour.games import Refusal, Refused
from parlour.gateways._addresses import customer_of, known_address, known_network
from parlour.gateways._bans import Bans
from parlour.gateways._limits import Limits
from parlour.gateways._rate import Allowance

log = logging.getLogger("parlour.tcp")


TOLD_AT_ONCE = 8  # answers; a page asks for as many things at once, and then one a second


class Networks:
    """Whether an address is in one of some networks, written as in `10.0.0.0/8`."""

    def __init__(self, networks: Iterable[str]) -> None:
        """Take the networks. A single address is one, too.

        Raises:
            ValueError: one of them is no network.
        """
        self._networks = [known_network(network) for network in networks]

    def __contains__(self, address: str) -> bool:
        known = known_address(address)
        return known is not None and any(known in network for network in self._networks)


class Gatekeeper:
    """Counts the connections of each address, and turns away what is too much.

    Every door asks `admit` when a connection comes and says `left` when an admitted one is gone.
    Further reasons to turn somebody away belong into `admit`, in front of what it counts.
    """

    def __init__(self, limits: Limits, bans: Bans | None = None) -> None:
        self._bans = bans or Bans()
        self._limits = limits
        self._exempt = Networks(limits.exempt)
        self._arrivals = Allowance(limits.arrivals, limits.arrivals_at_once)
        self._strangers = Allowance(limits.strangers, limits.strangers_at_once)
        self._told = Allowance(1, TOLD_AT_ONCE)  # of each customer who is turned away
        self._said = Allowance(1, 1)  # lines of the log a second for each customer
        self.connections: Counter[str] = Counter()

    def admit(self, address: str, now: int) -> None:
        """Count one more connection of `address`.

        Raises:
            Refused: BANNED, LIMIT, and nothing was counted; the detail is for the peer.
        """
        self._bans.check_address(address, now)
        if self.is_exempt(address):
            return
        why = self._objection(customer_of(address), now)
        if why:
            if self.may_say(address, now):
                log.info("%s is turned away: %s", address, why)
            raise Refused(Refusal.LIMIT, why)
        self.connections[customer_of(address)] += 1

    def _objection(self, customer: str, now: int) -> str:
        """Why there is no room for one more; counts a new connection where there is."""
        limits = self._limits
        if self.connections[customer] >= limits.connections:
            return f"your address has {limits.connections} connections already"
        if self._strangers.wait(customer, now):
            return "too many connections of your address ended without a login: wait a little"
        if not self._arrivals.admits(customer, now):
            return f"more than {limits.arrivals} new connections a second: wait a little"
        return ""

    def left(self, address: str, logged_in: bool, now: int) -> None:
        """An admitted connection is gone; `logged_in`: it had shown what it came for."""
        if self.is_exempt(address):
            return
        customer = customer_of(address)
        self.connections[customer] -= 1
        if self.connections[customer] <= 0:
            del self.connections[customer]
        if not logged_in:
            self._strangers.charge(customer, 1, now)

    def tells(self, address: str, now: int) -> bool:
        """Whether who is turned away hears why; of a flood, most get neither session nor answer."""
        return self.is_exempt(address) or self._told.admits(customer_of(address), now)

    def may_say(self, address: str, now: int) -> bool:
        """Whether one more line of the log is about an address; who repeats itself gets none."""
        return self._said.admits(customer_of(address), now)

    def is_exempt(self, address: str) -> bool:
        """Whether the limits per address do not hold for it."""
        return address in self._exempt
