"""At how many tables a guest sits: nobody may have too many seats."""

from collections.abc import Iterable

from parlour.games import Refusal, Refused
from parlour.gateways.web._declined import Declined
from parlour.host import Accept, Directory, Refuse

SEEK = "seek"  # the seat that a guest has not found yet; a guest has one seek at most


class Seats:
    """The seats of guests, those included that are being asked for.

    What is asked for in one instant is in the directory only when it is in the log.
    """

    def __init__(self, directory: Directory, most: int) -> None:
        self._directory = directory
        self._most = most
        self._asked: dict[str, set[object]] = {}

    def has_room(self, identity: str, where: object = None) -> bool:
        """Whether there may be one more seat; that at `where` is had already, or will be."""
        seated = {stream for stream, _ in self._directory.seated(identity)}
        return len((seated | self._asked.get(identity, set())) - {where}) < self._most

    def sits(self, identity: str, stream: str) -> bool:
        """Whether the guest has a seat there, or has asked for one."""
        seated = any(where == stream for where, _ in self._directory.seated(identity))
        return seated or stream in self._asked.get(identity, ())

    def check(self, identity: str, where: object = None) -> None:
        """See `has_room`.

        Raises:
            Declined: LIMIT.
        """
        if not self.has_room(identity, where):
            raise Declined(Refusal.LIMIT, f"you sit at {self._most} tables already")

    def ask(self, identity: str, where: object) -> None:
        """Count a seat until it is `answered`."""
        self._asked.setdefault(identity, set()).add(where)

    def answered(self, identity: str, where: object) -> None:
        """The seat is had, which the directory knows, or it is not."""
        asked = self._asked.get(identity, set())
        asked.discard(where)
        if not asked:
            self._asked.pop(identity, None)

    def asking(
        self, identities: Iterable[str], where: object, refuse: Refuse, accept: Accept
    ) -> tuple[Refuse, Accept]:
        """Count a seat of each until the host calls one of the two that this returns."""
        holders = tuple(identities)
        for identity in holders:
            self.ask(identity, where)

        def answered() -> None:
            for identity in holders:
                self.answered(identity, where)

        def refused(no: Refused) -> None:
            answered()
            refuse(no)

        def accepted() -> None:
            answered()
            accept()

        return refused, accepted
