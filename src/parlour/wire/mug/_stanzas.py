"""Whole stanzas: what came in, taken apart, and what goes out, put together."""

from collections.abc import Iterable
from functools import lru_cache
from xml.etree.ElementTree import Element

from msgspec import Struct

from parlour.wire.mug._errors import Condition
from parlour.wire.mug._namespaces import MUC_USER, MUG, PING, STANZAS, USER, Dialect
from parlour.wire.mug._xml import Node, Reader, escape, serialise

KINDS = ("presence", "message", "iq")
# Characters of an id, and of what else of a refused stanza comes back: an apostrophe comes back as
# six, and answers must not fill the stream that all share. Ids of clients have some thirty.
LONGEST_ECHO = 1_000
# Of a refused stanza these come back with the error, so that the sender sees which one it was.
_ECHOED = (("turn", USER), ("start", USER))

_escaped = lru_cache(maxsize=2048)(escape)  # of JIDs, which are no longer than 3 kB


@lru_cache(maxsize=256)
def _addresses(readers: tuple[str, ...]) -> tuple[str, ...]:
    """Of all who are in a room: the same hear one thing after another."""
    return tuple([_escaped(reader) for reader in readers])


class Stanza(Struct, frozen=True, gc=False):
    """What somebody sent: `sender` and `to` are JIDs as the server normalised them."""

    kind: str
    sender: str
    to: str
    type: str
    id: str
    children: tuple[Node, ...]
    dialect: Dialect | None

    def child(self, name: str, namespace: str) -> Node | None:
        """The first payload of that name."""
        for one in self.children:
            if one.name == name and one.namespace == namespace:
                return one
        return None

    @property
    def answered(self) -> bool:
        """Whether an error may answer it: nothing is ever said to an error or a result."""
        return self.type not in ("error", "result")

    @property
    def echoes(self) -> bool:
        """Whether its id is short enough to come back with an answer."""
        return len(self.id) <= LONGEST_ECHO

    @property
    def leaves(self) -> bool:
        """Whether its sender goes: only of a presence the type says so."""
        return self.kind == "presence" and self.type == "unavailable"


def read_stanza(element: Element) -> Stanza:
    """A parsed stanza as values.

    Raises:
        Oversized: it is more than any stanza of this protocol needs.
    """
    reader = Reader()
    node = reader.read(element)
    attributes = node.attributes
    return Stanza(
        node.name,
        attributes.get("from", ""),
        attributes.get("to", ""),
        attributes.get("type", ""),
        attributes.get("id", ""),
        node.elements(),
        reader.dialect,
    )


def head_of(element: Element) -> Stanza:
    """The stanza without what is in it: enough to answer one that cannot be read."""
    name = element.tag.rpartition("}")[2]
    get = element.attrib.get
    return Stanza(name, get("from", ""), get("to", ""), get("type", ""), get("id", ""), (), None)


def stanzas(
    kind: str,
    sender: str,
    readers: Iterable[str],
    payload: str = "",
    *,
    type: str = "",
    id: str = "",
) -> str:
    """The same stanza for each reader, in one text, around a payload that is XML already.

    Raises:
        IllegalXml: a character that is not XML.
    """
    more = (f" type='{escape(type)}'" if type else "") + (f" id='{escape(id)}'" if id else "")
    head = f"<{kind} from='{_escaped(sender)}'{more} to='"
    rest = f"'>{payload}</{kind}>" if payload else "'/>"
    # One join for all: a text of its own for each reader costs half as much again.
    addresses = _addresses(tuple(readers))
    return f"{head}{f'{rest}{head}'.join(addresses)}{rest}" if addresses else ""


def result(request: Stanza, dialect: Dialect, payload: Node | None = None) -> str:
    """The answer to an iq that was carried out."""
    content = "" if payload is None else serialise(payload, dialect)
    return stanzas("iq", request.to, (request.sender,), content, type="result", id=request.id)


def error(
    request: Stanza,
    condition: Condition,
    dialect: Dialect,
    text: str = "",
    by: str = "",
    application: Node | None = None,
) -> str:
    """The answer to a stanza that was refused, from whom it was addressed to.

    `by` is the room, `application` a condition of our own beside the general one.
    """
    attributes = {"type": condition.type}
    if by:
        attributes["by"] = by
    children = [Node(condition.value, STANZAS)]
    if text:
        children.append(Node("text", STANZAS, children=(text,)))
    if application is not None:
        children.append(application)
    failure = Node("error", "", attributes, tuple(children))
    echo = "".join(serialise(node, dialect) for node in _echo(request))
    content = (echo if len(echo) <= LONGEST_ECHO else "") + serialise(failure, dialect)
    return stanzas(
        request.kind, request.to, (request.sender,), content, type="error", id=request.id
    )


def _echo(request: Stanza) -> Iterable[Node]:
    game = request.child("game", MUG)
    if request.kind == "presence" and game is not None:
        # The game is named as in the request; a password is not repeated.
        named = {name: value for name, value in game.attributes.items() if name == "var"}
        yield Node("game", MUG, named)
        return
    for name, namespace in _ECHOED:
        echoed = request.child(name, namespace)
        if echoed is not None and request.kind == "message":
            yield echoed


def status_presence(
    status: str,
    state: Node | None = None,
    *,
    configuration_changed: bool = False,
) -> tuple[Node, ...]:
    """What a room says of itself: the payload of a presence from its bare address.

    A pause is said twice in one stanza: by the status, and by the element of the examples.
    """
    children: list[Node | str] = []
    if configuration_changed:
        children.append(Node("configuration-changed", MUG))
    children.append(Node("status", MUG, children=(status,)))
    if state is not None:
        children.append(state)
    game = Node("game", MUG, children=tuple(children))
    return (game, Node("pause", MUG)) if status == "paused" else (game,)


def occupant_presence(
    affiliation: str, role: str = "", *, jid: str = "", nick: str = ""
) -> tuple[Node, ...]:
    """What a room says of an occupant: the payload of a presence from `room/nick`."""
    attributes = {"affiliation": affiliation}
    if jid:
        attributes["jid"] = jid
    if nick:
        attributes["nick"] = nick
    if role:
        attributes["role"] = role
    return (Node("game", MUG, children=(Node("item", MUG, attributes),)),)


def invalid_turn_kick() -> Node:
    """Beside an unavailable presence: why the occupant had to go."""
    return Node("invalid-turn", USER)


def believed_lost() -> tuple[Node, ...]:
    """Beside an unavailable presence: what was sent to the occupant came back."""
    # XEP-0045, section 15.6.2: 333.
    code = Node("status", MUC_USER, {"code": "333"})
    why = Node("status", children=("you were believed to be gone",))
    return why, Node("x", MUC_USER, children=(code,))


def invalid_turn_error() -> Node:
    """The condition of a turn that is none."""
    return Node("invalid-turn", MUG)


def start() -> Node:
    """A player wants to begin, or go on."""
    return Node("start", USER)


def turn(move: Node) -> Node:
    """A move as everybody hears it."""
    return Node("turn", USER, children=(move,))


def ping() -> Node:
    """Are you there? (XEP-0199)"""
    return Node("ping", PING)
