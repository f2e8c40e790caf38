"""The only way out: everything this gateway says passes here, in the order it was said."""

from collections import OrderedDict
from collections.abc import Callable, Iterable

from parlour.wire.mug import (
    Condition,
    Dialect,
    Node,
    Stanza,
    error,
    result,
    serialise,
    stanzas,
)

# Bytes; while more is unsent only turns, starts and answers are told, so that matches go on.
MUCH = 1 << 19
# Bytes; while more is unsent nobody comes in. It is far more, since all of a room may come back at
# once: two hundred in two seconds are 5 MB, and 17 MB where their old sessions are still inside.
FULL = 1 << 23
REMEMBERED = 100_000  # full JIDs whose dialect is known


def nothing() -> int:
    """Of what takes all at once, nothing is unsent."""
    return 0


class Payload:
    """What many hear: written once for each dialect."""

    def __init__(self, *nodes: Node) -> None:
        self._nodes = nodes
        self._texts: dict[Dialect, str] = {}

    def text(self, dialect: Dialect) -> str:
        """The payload as XML."""
        text = self._texts.get(dialect)
        if text is None:
            text = "".join([serialise(node, dialect) for node in self._nodes])
            self._texts[dialect] = text
        return text


class Outbox:
    """Says everything in the dialect of whoever hears it.

    `send` takes whole stanzas, one or several in a text. While the stream is down nothing is
    kept: those inside are told anew when it is back.
    """

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._foreign: OrderedDict[str, Dialect] = OrderedDict()
        self.up = False
        self.up_since = 0  # milliseconds since the Unix epoch
        self.unsent: Callable[[], int] = nothing  # bytes that the server has not taken yet

    def crowded(self, *, entering: bool = False) -> bool:
        """Whether the server is too far behind for anything that many hear and no match needs."""
        return self.unsent() > (FULL if entering else MUCH)

    def busy(self) -> bool:
        """Whether lists wait, long before they keep anybody from talking."""
        return self.unsent() > MUCH // 8

    def learn(self, session: str, dialect: Dialect | None) -> None:
        """Remember how a full JID writes; None tells nothing."""
        if dialect is Dialect.JABBER:
            self._foreign.pop(session, None)
        elif dialect is not None:
            self._foreign[session] = dialect
            self._foreign.move_to_end(session)
            if len(self._foreign) > REMEMBERED:
                self._foreign.popitem(last=False)

    def dialect(self, session: str) -> Dialect:
        """How a full JID writes; strangers write as Jabber does."""
        return self._foreign.get(session, Dialect.JABBER)

    def tell(
        self,
        kind: str,
        sender: str,
        sessions: Iterable[str],
        payload: Payload,
        *,
        type: str = "",
        id: str = "",
    ) -> None:
        """Say the same to many full JIDs."""
        if not self.up:
            return
        for dialect, readers in self._by_dialect(sessions).items():
            self._send(stanzas(kind, sender, readers, payload.text(dialect), type=type, id=id))

    def _by_dialect(self, sessions: Iterable[str]) -> dict[Dialect, tuple[str, ...]]:
        everybody = tuple(sessions)
        foreign = bool(self._foreign) and not self._foreign.keys().isdisjoint(everybody)
        if everybody and not foreign:  # as in nearly every room
            return {Dialect.JABBER: everybody}
        readers: dict[Dialect, list[str]] = {}
        for session in everybody:
            readers.setdefault(self.dialect(session), []).append(session)
        return {dialect: tuple(some) for dialect, some in readers.items()}

    def answer(self, request: Stanza) -> None:
        """Say that an iq was carried out."""
        if self.up:
            self._send(result(request, self._asked_in(request)))

    def answer_with(self, request: Stanza, payload: Node) -> int:
        """Answer an iq in the names in which it was asked; how many bytes that takes."""
        if not self.up:
            return 0
        text = result(request, self._asked_in(request), payload)
        self._send(text)
        return len(text.encode())

    def _asked_in(self, request: Stanza) -> Dialect:
        return request.dialect or self.dialect(request.sender)

    def refuse(
        self,
        request: Stanza,
        condition: Condition,
        text: str = "",
        application: Node | None = None,
    ) -> None:
        """Say no, unless what was said was an answer itself."""
        if not request.answered or not self.up:
            return
        by = request.to.partition("/")[0]
        dialect = self.dialect(request.sender)
        self._send(error(request, condition, dialect, text, by, application))
