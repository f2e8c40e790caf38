"""The one serialiser: whatever it writes is XML and means what was put in."""

import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.wire.mug import (
    DATA_FORMS,
    MUG,
    Dialect,
    Node,
    Oversized,
    Stanza,
    Written,
    escape,
    read_stanza,
    serialise,
    spoken,
    stanzas,
)
from parlour.wire.mug._xml import IllegalXml, Uri

STREAM = "jabber:component:accept"
CONTROLS = "".join(map(chr, range(32)))
XML = st.sampled_from("\t\n\r<>&'\"") | st.characters(
    exclude_categories=["Cs"], exclude_characters=CONTROLS + "\ufffe\uffff"
)
TEXT = st.text(XML, max_size=20)
ILLEGAL = ["\x00", "\x08", "\x0b", "\x1a", "\x1f", "\ud800", "\udfff", "\ufffe", "\uffff"]
NAMES = st.sampled_from(["game", "item", "x", "body"])
NAMESPACES = st.sampled_from(["", MUG, MUG + "#user", DATA_FORMS, "urn:other"])


def nodes() -> st.SearchStrategy[Node]:
    attributes = st.dictionaries(st.sampled_from(["role", "nick", "jid"]), TEXT, max_size=3)
    leaf = st.builds(Node, NAMES, NAMESPACES, attributes)

    def wider(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        mixed = st.lists(children, max_size=3) | TEXT.filter(bool).map(lambda text: [text])
        return st.builds(Node, NAMES, NAMESPACES, attributes, mixed.map(tuple))

    return st.recursive(leaf, wider, max_leaves=8)


def parsed(xml: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<stream xmlns='{STREAM}'>{xml}</stream>")[0]


def read(xml: str) -> Stanza:
    return read_stanza(parsed(xml))


@given(st.lists(st.builds(Node, NAMES, st.just(MUG), st.just({}), st.tuples(TEXT)), max_size=3))
def test_what_is_written_already_comes_out_as_what_it_was_written_from(inside: list[Node]) -> None:
    written = Written("".join(serialise(one, inside=MUG) for one in inside))
    node = Node("game", MUG, children=(written,))
    assert serialise(node) == serialise(Node("game", MUG, children=tuple(inside)))


@given(nodes(), st.sampled_from(Dialect))
def test_what_is_written_is_read_back_in_either_dialect(node: Node, dialect: Dialect) -> None:
    (back,) = read(f"<message>{serialise(node, dialect)}</message>").children
    assert back == node


@given(TEXT)
def test_an_attribute_comes_back_character_by_character(text: str) -> None:
    assert parsed(stanzas("message", text, ("b",))).attrib["from"] == text
    assert parsed(f"<a b='{escape(text)}'>{escape(text)}</a>").text == (text or None)


@pytest.mark.parametrize("illegal", ILLEGAL, ids=ascii)
def test_what_is_not_xml_is_never_written(illegal: str) -> None:
    """Faults, X05: one such character closes the stream for everybody."""
    for node in (
        Node("body", children=(f"a{illegal}",)),
        Node("item", MUG, {"nick": illegal}),
        Node("item", illegal),
    ):
        with pytest.raises(IllegalXml, match=r"U\+"):
            serialise(node)
    with pytest.raises(IllegalXml):
        stanzas("presence", f"room/{illegal}", ("b",))


@given(st.text(max_size=30))
def test_any_text_is_written_or_refused(text: str) -> None:
    try:
        xml = serialise(Node("body", children=(text,)) if text else Node("body"))
    except IllegalXml:
        return
    assert (parsed(xml).text or "") == text


def test_letters_and_digits_are_written_as_they_are() -> None:
    """Every character there is: those that are written without a look mean themselves."""
    unread = "".join(one for one in map(chr, range(sys.maxunicode + 1)) if one.isalnum())
    assert parsed(f"<a>{escape(unread)}</a>").text == unread
    assert parsed(f"<a b='{escape(unread)}'/>").attrib["b"] == unread


def test_namespaces_are_said_where_they_change() -> None:
    inner = Node("state", MUG + "/tictactoe", children=(Node("next", MUG + "/tictactoe"),))
    node = Node("game", MUG, children=(Node("status", MUG, children=("active",)), inner))
    assert serialise(node) == (
        f"<game xmlns='{MUG}'><status>active</status>"
        f"<state xmlns='{MUG}/tictactoe'><next/></state></game>"
    )


def test_only_names_of_the_protocol_are_translated() -> None:
    node = Node("item", MUG, {"var": Uri(MUG), "nick": MUG}, (MUG,))
    said = serialise(node, Dialect.WEBSITE)
    foreign = spoken(MUG, Dialect.WEBSITE)
    assert foreign == "http://website.org/protocol/mug"
    assert said == f"<item xmlns='{foreign}' var='{foreign}' nick='{MUG}'>{MUG}</item>"


def test_foreign_attributes_keep_their_namespace() -> None:
    xml = "<message><a xmlns:z='urn:z' z:b='1' xml:lang='en' c='2'/></message>"
    (node,) = read(xml).children
    again = parsed(f"<message>{serialise(node)}</message>")[0]
    assert again.attrib == parsed(xml)[0].attrib


@pytest.mark.parametrize(
    ("inside", "dialect"),
    [
        ("<game xmlns='http://website.org/protocol/mug'/>", Dialect.WEBSITE),
        ("<x xmlns='website:x:data'/>", Dialect.WEBSITE),
        ("<game xmlns='http://jabber.org/protocol/mug'/>", Dialect.JABBER),
        ("<x xmlns='jabber:x:data'/>", Dialect.JABBER),
        (
            "<query xmlns='http://jabber.org/protocol/disco#info' "
            "node='http://website.org/protocol/mug#matches'/>",
            Dialect.WEBSITE,
        ),
        ("<ping xmlns='urn:xmpp:ping'/>", None),
        ("<body>http://website.org/protocol/mug</body>", None),
        ("<c xmlns='http://jabber.org/protocol/caps'/>", None),
        ("<active xmlns='http://jabber.org/protocol/chatstates'/>", None),
        ("", None),
    ],
)
def test_a_stanza_gives_its_dialect_away(inside: str, dialect: Dialect | None) -> None:
    assert read(f"<message>{inside}</message>").dialect is dialect


def test_form_types_and_searched_games_are_names() -> None:
    field = "<field var='{}'><value>http://website.org/protocol/mug/tictactoe</value></field>"
    fields = "".join(map(field.format, ("FORM_TYPE", "game", "mug#roomsearch_game", "title")))
    (x,) = read(f"<iq><x xmlns='website:x:data'>{fields}</x></iq>").children
    values = [one.elements()[0].text for one in x.elements()]
    assert values == [f"{MUG}/tictactoe"] * 3 + ["http://website.org/protocol/mug/tictactoe"]


@pytest.mark.parametrize(
    "inside",
    ["<a>" * 20 + "</a>" * 20, "<a/>" * 501, "a" * 20_001, f"<a b='{'x' * 20_001}'/>"],
    ids=["deep", "wide", "long", "attribute"],
)
def test_more_than_any_stanza_needs_is_refused(inside: str) -> None:
    with pytest.raises(Oversized):
        read(f"<message>{inside}</message>")


def test_comments_and_instructions_are_nothing() -> None:
    element = parsed("<message><body>a</body></message>")
    element.insert(0, ElementTree.Comment("b"))
    element.insert(0, ElementTree.ProcessingInstruction("c"))
    assert read_stanza(element).children == (Node("body", children=("a",)),)


def test_many_readers_have_a_stanza_each_in_one_text() -> None:
    text = stanzas("message", "r@g/n", ("a@b/c", "d@e/'"), "<body>hi</body>", type="chat", id="7")
    one = "<message from='r@g/n' type='chat' id='7' to='{}'><body>hi</body></message>"
    assert text == one.format("a@b/c") + one.format("d@e/&apos;")
    assert stanzas("presence", "r@g", ()) == ""
    assert stanzas("presence", "r@g", ("a@b",)) == "<presence from='r@g' to='a@b'/>"


@pytest.mark.parametrize(
    "namespace",
    ["http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"],
)
def test_nothing_is_written_in_a_namespace_that_is_reserved(namespace: str) -> None:
    with pytest.raises(IllegalXml):
        serialise(Node("body", children=(Node("foo", namespace),)))
