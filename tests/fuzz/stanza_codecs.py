"""The codecs of Multi-User Gaming: stanzas, their XML, and data forms."""

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

import msgspec
from msgspec import Struct

from parlour.cli import GAMES
from parlour.wire import mug
from tests.fuzz.pieces import is_fit_to_show

STREAM = "jabber:component:accept"
PREFIX = "mug/tictactoe#config_"
NAMES = [f"room{number}" for number in range(300)]
KINDS = ("presence", "message", "iq")


def parsed(data: bytes) -> ElementTree.Element | None:
    """The first element of what a server would hand over, or None where it is not XML."""
    try:
        # A document type could name entities without end; streams must not have one (RFC 6120,
        # section 11.1), and servers refuse it before a component hears of it.
        text = data.decode()
        if "<!" in text or "<?" in text:
            return None
        stream = ElementTree.fromstring(f"<stream xmlns='{STREAM}'>{text}</stream>")
    except (ElementTree.ParseError, ValueError):
        return None
    return stream[0] if len(stream) else None


def check_stanza(data: bytes) -> None:
    """A stanza is read or too large; what was read is written and read as the same again."""
    element = parsed(data)
    if element is None:
        return
    head = mug.head_of(element)
    try:
        stanza = mug.read_stanza(element)
    except mug.Oversized:
        return
    assert (head.sender, head.to, head.id) == (stanza.sender, stanza.to, stanza.id)
    _check_names(stanza)
    if stanza.kind in KINDS:  # a component hears of nothing else
        _check_answers(stanza)
    _check_written(stanza)
    for node in stanza.children:
        move = mug.read_tictactoe_move(node)
        assert move is None or mug.read_tictactoe_move(mug.turn(mug.tictactoe_move(move))) == move
        shown, _ = mug.page_of(node, dict.fromkeys(NAMES, 1))
        assert len(shown) <= len(NAMES)


def _check_written(stanza: mug.Stanza) -> None:
    for dialect in mug.Dialect:
        for node in stanza.children:
            again = _back(mug.serialise(node, dialect))
            assert mug.serialise(again, dialect) == mug.serialise(node, dialect)


def _check_answers(stanza: mug.Stanza) -> None:
    for condition in mug.Condition:
        answer = parsed(mug.error(stanza, condition, mug.Dialect.JABBER, "no", "room").encode())
        assert answer is not None
        assert answer.get("to", "") == stanza.sender
        assert answer.get("type") == "error"


def _back(xml: str) -> mug.Node:
    element = parsed(f"<message>{xml}</message>".encode())
    assert element is not None
    (node,) = mug.read_stanza(element).children
    return node


def _check_names(stanza: mug.Stanza) -> None:
    for address in (stanza.sender, stanza.to):
        node, domain, resource = mug.split_address(address)
        assert mug.bare(address).endswith(domain)
        assert mug.unescape_node(mug.escape_node(node)) == node
        assert not set(mug.escape_node(resource)) & set(" \"&'/:<>@")
        key = mug.nick_key(resource)
        assert mug.nick_key(key) == key
        if mug.acceptable_nick(resource):
            assert key
            assert is_fit_to_show(resource)


def check_form(data: bytes) -> None:
    """A form is read or refused, and so are the options of every game out of it."""
    element = parsed(data)
    if element is None:
        return
    try:
        stanza = mug.read_stanza(element)
    except mug.Oversized:
        return
    for x in _forms(stanza.children):
        try:
            submitted = mug.read_form(x)
        except mug.FormError:
            continue
        for game in GAMES:
            _check_options(game.options, submitted)


def _forms(nodes: Iterable[mug.Node]) -> Iterator[mug.Node]:
    for node in nodes:
        if node.name == "x" and node.namespace == mug.DATA_FORMS:
            yield node
        yield from _forms(node.elements())


def _check_options(kind: type[Struct], submitted: mug.Submitted) -> None:
    """What a form sets is shown in the next form, and set again by sending that back."""
    defaults = msgspec.to_builtins(kind())
    try:
        options = mug.read_options(kind, defaults, submitted, PREFIX)
    except mug.FormError:
        return
    shown = mug.form("submit", mug.option_fields(kind, options, PREFIX))
    again = mug.read_form(_back(mug.serialise(shown)))
    assert mug.read_options(kind, defaults, again, PREFIX) == options
