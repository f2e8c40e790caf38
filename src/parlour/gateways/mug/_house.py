"""What the rooms of one service share."""

from collections.abc import Callable

from parlour.gateways import Allowance, Bans, Guesses
from parlour.gateways.mug._listing import Listing
from parlour.gateways.mug._options import MugOptions
from parlour.gateways.mug._outbox import Outbox
from parlour.gateways.mug._view import identity_of
from parlour.host import Chat, Host
from parlour.wire.mug import Condition, Node, Stanza, bare

PART = 20  # stanzas made of one that cost its sender as much as another
ANSWER = 1 << 14  # bytes of an answer that cost as much as one stanza
STRANGERS_WRONG_MOST = 30  # passwords of a room: a guest has as many bare JIDs as they like
PARTS_MOST = 20  # however many hear: whoever comes into a large room is still heard there


class House:
    """The service as its rooms see it."""

    def __init__(
        self,
        host: Host,
        chat: Chat,
        options: MugOptions,
        domain: str,
        outbox: Outbox,
        new_id: Callable[[], str],
        bans: Bans,
    ) -> None:
        self.host = host
        self.chat = chat
        self.options = options
        self.domain = domain
        self.outbox = outbox
        self.new_id = new_id
        self._bans = bans
        self.allowance = Allowance(options.rate, options.burst)
        self._reproofs = Allowance(1, 1)
        self.listing = Listing()
        self.guesses = Guesses()
        self.guesses_of_strangers = Guesses(STRANGERS_WRONG_MOST)
        self.signs: dict[str, int] = {}  # of life: when full JIDs have said something last

    def heard(self, session: str) -> int:
        """When a full JID said something last; 0 where that is not known."""
        return self.signs.get(session, 0)

    def banned(self, session: str, nick: str) -> str:
        """Why somebody does not come in, nor is called so; empty where nothing is against it."""
        ban = self._bans.of_person(identity_of(bare(session)), nick, self.host.now())
        return "" if ban is None else ban.sentence()

    def may_speak(self, stanza: Stanza) -> bool:
        """Whether its sender may say one more thing.

        Who floods is told so once a second and not while much is unsent: refusals would be a flood
        themselves, and fill the stream of everybody. So would answers to what has too long an id:
        it costs as much, and has none.
        """
        now = self.host.now()
        if self.allowance.admits(stanza.sender, now):
            return stanza.echoes
        if (
            stanza.echoes
            and not self.outbox.crowded()
            and self._reproofs.admits(stanza.sender, now)
        ):
            self.outbox.refuse(stanza, Condition.RESOURCE_CONSTRAINT, "not so fast")
        return False

    def admits(self, stanza: Stanza, *, entering: bool = False) -> bool:
        """Whether what many hear may be told just now; refuses the stanza otherwise."""
        if self.outbox.crowded(entering=entering):
            self.outbox.refuse(stanza, Condition.RESOURCE_CONSTRAINT, "too much is on its way")
            return False
        return True

    def answer_charged(self, stanza: Stanza, payload: Callable[[], Node]) -> None:
        """Answer with what may be long, unless that has to wait; who asked pays for its size."""
        if self.outbox.busy():
            self.outbox.refuse(stanza, Condition.RESOURCE_CONSTRAINT, "too much is on its way")
            return
        size = self.outbox.answer_with(stanza, payload())
        self.allowance.charge(stanza.sender, size // ANSWER, self.host.now())

    def charge(self, stanza: Stanza, told: int, more: int = 0) -> None:
        """Let its sender pay for `told` stanzas that others send out for one, and `more`."""
        cost = min(told // PART, PARTS_MOST) + more
        self.allowance.charge(stanza.sender, cost, self.host.now())
