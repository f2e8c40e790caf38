"""A stream read stanza by stanza: namespaces as Namespaces in XML 1.0 has them, faults alone."""

from typing import Any
from xml.etree import ElementTree
from xml.parsers.expat import ParserCreate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.wire.mug import Ended, Opened, Oversized, Read, StreamReader, _stream, read_stanza

STREAMS = "http://etherx.jabber.org/streams"
HEADER = f"<stream:stream xmlns='jabber:component:accept' xmlns:stream='{STREAMS}' id='s1'>"
LAST = "<message id='last'/>"

SOUND = [
    "<message to='a'>one<body>two</body>three</message>",
    "<message xml:lang='en'><x xmlns='urn:x' xmlns:p='urn:p' p:a='1' a='2'/></message>",
    "<message><p:x xmlns:p='urn:1'><p:y xmlns:p='urn:2'/><p:z/></p:x></message>",
    "<message><x xmlns='urn:1'><y xmlns=''><z/></y></x><stream:error/></message>",
    "<message xmlns='jabber:client'><body>&lt;&amp;&#10;<![CDATA[<b>]]></body></message>",
    "<message><x xmlns:xml='http://www.w3.org/XML/1998/namespace' xml:base='u'/></message>",
    "<presence>\n<!-- nothing --><?nothing at all?></presence>",
]

XML = "http://www.w3.org/XML/1998/namespace"
UNSOUND = {
    "the namespace of xml": f"<message id='m'><foo xmlns='{XML}'/></message>",
    "its prefix": "<message id='m'><xml:foo/></message>",
    "another prefix for it": f"<message id='m'><x xmlns:p='{XML}'/></message>",
    "another namespace for its prefix": "<message id='m'><x xmlns:xml='urn:p'/></message>",
    "the namespace of xmlns": "<message id='m'><x xmlns='http://www.w3.org/2000/xmlns/'/></message>",
    "the prefix xmlns": "<message id='m'><xmlns:foo/></message>",
    "that prefix declared": "<message id='m'><x xmlns:xmlns='urn:p'/></message>",
    "an unbound prefix": "<message id='m'><p:foo/></message>",
    "one of an attribute": "<message id='m'><foo p:a='1'/></message>",
    "a prefix out of its scope": "<message id='m'><x xmlns:p='urn:p'/><p:y/></message>",
    "a prefix taken back": "<message id='m'><x xmlns:p=''/></message>",
    "two prefixes": "<message id='m'><x xmlns:a='urn:a' xmlns:b='urn:b'><a:b:c/></x></message>",
    "no prefix": "<message id='m'><:foo/></message>",
    "no name": "<message id='m'><x xmlns:p='urn:p'><p:/></x></message>",
    "a name that is none": "<message id='m'><x xmlns:p='urn:p'><p:1/></x></message>",
    "a prefix that is none": "<message id='m'><x xmlns:1='urn:p'/></message>",
    "one attribute twice": "<message id='m'><x xmlns:p='u' xmlns:q='u' p:a='1' q:a='2'/></message>",
    "a brace": "<message id='m'><x xmlns='urn:}b&gt;&lt;iq/&gt;'/></message>",
    "a hundred prefixes": "<message id='m'><x "
    + " ".join(f"xmlns:p{number}='urn:p'" for number in range(100))
    + "/></message>",
}


def stanzas_of(text: str, size: int = 1 << 20) -> list[Read]:
    reader, data = StreamReader(), (HEADER + text).encode()
    read = [one for at in range(0, len(data), size) for one in reader.feed(data[at : at + size])]
    assert isinstance(read[0], Opened)
    assert read[0].header.get("id") == "s1"
    rest = [one for one in read[1:] if isinstance(one, Read)]
    assert len(rest) == len(read) - 1
    return rest


def as_text(element: ElementTree.Element) -> str:
    element.tail = None
    return ElementTree.canonicalize(ElementTree.tostring(element, encoding="unicode"))


@pytest.mark.parametrize("renewed", [0, 1 << 20], ids=["new-parsers", "one-parser"])
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_sound_stanzas_are_what_a_parser_with_namespaces_reads(
    size: int, renewed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_stream, "RENEWED_AFTER", renewed)
    read = stanzas_of("\n".join(SOUND), size)
    judged = ElementTree.fromstring(HEADER + "".join(SOUND) + "</stream:stream>")
    assert [as_text(one.stanza) for one in read] == [as_text(one) for one in judged]
    assert all(one.sound for one in read)


class Deferring:
    """A parser that puts unfinished tags off, as expat does from 2.6 on unless told otherwise."""

    def __init__(self) -> None:
        self.__dict__.update(parser=ParserCreate(), defers=True, unfinished=b"", held=b"")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["parser"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["parser"], name, value)

    def SetReparseDeferralEnabled(self, enabled: bool) -> None:
        self.__dict__["defers"] = enabled

    def Parse(self, data: bytes, last: bool) -> None:
        own = self.__dict__
        own["held"] += data
        if own["defers"] and len(own["held"]) < len(own["unfinished"]):
            return
        own["unfinished"] = (own["unfinished"] + own["held"]).rpartition(b">")[2]
        held, own["held"] = own["held"], b""
        own["parser"].Parse(held, last)


@pytest.mark.parametrize("parser", [ParserCreate, Deferring])
def test_a_stanza_is_read_when_its_last_piece_is_there(
    parser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_stream, "ParserCreate", parser)
    reader = StreamReader()
    reader.feed(HEADER.encode())
    assert not reader.feed(
        b"<presence from='anna@example.org/home' to='garden@games.example.org/an"
    )
    (read,) = reader.feed(b"na' type='unavailable'/>")
    assert isinstance(read, Read)
    assert read.stanza.get("type") == "unavailable"


@pytest.mark.parametrize("stanza", UNSOUND.values(), ids=UNSOUND)
def test_an_unsound_stanza_is_known_by_its_head_and_the_next_one_is_read(stanza: str) -> None:
    bad, last = stanzas_of(stanza + LAST)
    assert (bad.sound, bad.stanza.get("id")) == (False, "m")
    assert (last.sound, last.stanza.get("id")) == (True, "last")
    assert last.stanza.tag == "{jabber:component:accept}message"


NAMESPACES = st.sampled_from(["", "urn:a", "urn:b", XML, "http://www.w3.org/2000/xmlns/"])
PREFIXES = st.sampled_from(["", "p:", "q:", "xml:", "xmlns:", "stream:"])
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["xmlns", "xmlns:p", "xmlns:q", "xmlns:xml", "a", "p:a", "q:a", "xml:a"]),
    NAMESPACES,
    max_size=4,
)
ELEMENTS = st.recursive(
    st.just(""),
    lambda inside: st.builds(
        lambda prefix, attributes, content: (
            f"<{prefix}x "
            + " ".join(f"{name}='{value}'" for name, value in attributes.items())
            + f">{content}</{prefix}x>"
        ),
        PREFIXES,
        ATTRIBUTES,
        st.lists(inside, max_size=3).map("".join),
    ),
    max_leaves=5,
)


@given(ELEMENTS)
def test_no_stanza_is_sound_that_a_parser_with_namespaces_refuses(inside: str) -> None:
    stanza = f"<message id='m'>{inside}</message>"
    read, last = stanzas_of(stanza + LAST)
    try:
        judged = ElementTree.fromstring(f"{HEADER}{stanza}</stream:stream>")[0]
    except ElementTree.ParseError:
        assert not read.sound
    else:
        of_xml = any(one.tag.startswith(f"{{{XML}}}") for one in judged.iter())
        assert read.sound is not of_xml
        assert of_xml or as_text(read.stanza) == as_text(judged)
    assert last.sound
    assert last.stanza.get("id") == "last"


@pytest.mark.parametrize(
    "much", ["<a>" * 10_000 + "</a>" * 10_000, "<a/>" * 10_000], ids=["deep", "many"]
)
def test_of_what_is_too_much_only_so_much_is_kept_that_it_shows(much: str) -> None:
    inside = f"<x xmlns='urn:x' xmlns:p='urn:p'>{much}</x>"
    big, last = stanzas_of(f"<message id='m'>{inside}</message>{LAST}")
    with pytest.raises(Oversized):
        read_stanza(big.stanza)
    assert sum(1 for _ in big.stanza.iter()) < 510
    assert last.stanza.tag == "{jabber:component:accept}message"


def test_of_a_long_text_only_so_much_is_kept_that_it_shows() -> None:
    reader = StreamReader()
    reader.feed(f"{HEADER}<message id='m'><body>".encode())
    for _ in range(64):
        assert not reader.feed(b"x" * 65_536)
    big, last = reader.feed(f"</body></message>{LAST.replace('/>', '>whole</message>')}".encode())
    assert isinstance(big, Read)
    with pytest.raises(Oversized):
        read_stanza(big.stanza)
    assert len("".join(big.stanza.itertext())) < 100_000
    assert isinstance(last, Read)
    assert last.stanza.text == "whole"


def test_names_that_somebody_invents_are_not_remembered_for_good() -> None:
    reader, kept = StreamReader(), 0
    reader.feed(HEADER.encode())
    for number in range(4_000):
        (read,) = reader.feed(f"<message id='{number}'><{'x' * 990}{number}/></message>".encode())
        assert isinstance(read, Read)
        assert read.stanza.get("id") == str(number)
        kept = max(kept, len(reader._parser.intern))
    assert kept < 2 * _stream.RENEWED_AFTER / 1_000


@pytest.mark.parametrize("renewed", [0, 1 << 20], ids=["new-parsers", "one-parser"])
def test_the_end_and_what_is_no_xml_end_it(renewed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_stream, "RENEWED_AFTER", renewed)
    for text, fault in (("</stream:stream>", ""), ("<a></b>", "mismatched tag"), ("&no;", "undef")):
        reader = StreamReader()
        before = [*reader.feed(HEADER.encode()), *reader.feed(LAST.encode())]
        (ended,) = reader.feed(text.encode())
        assert [type(one) for one in before] == [Opened, Read]
        assert isinstance(ended, Ended)
        assert fault in ended.fault
        assert bool(ended.fault) is bool(fault)


def test_a_header_with_a_prefix_that_nobody_declared_ends_it() -> None:
    (ended,) = StreamReader().feed(b"<stream:stream xmlns='jabber:component:accept'>")
    assert isinstance(ended, Ended)
    assert ended.fault
