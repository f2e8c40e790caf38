"""Reads a server's stream stanza by stanza, so that a bad one costs itself and not the stream.

Servers pass on what is XML and yet breaks Namespaces in XML 1.0: an element in the namespace of
`xml`, a prefix that nobody declared. A parser that knows namespaces ends at either for good, and
with it everybody's stream; so the parser used here knows none, and prefixes are resolved by hand.
"""

from collections.abc import Mapping
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import ExpatError, ParserCreate, XMLParserType

from msgspec import Struct

from parlour.wire.mug._xml import DEEPEST, LARGEST, LONGEST, RESERVED, XML

RENEWED_AFTER = 1 << 20  # bytes; the parser remembers every name of an element or attribute
PREFIXES_MOST = 64  # declared at a time; real stanzas have one or two
# What may follow a prefix. A parser without namespaces lets `p:1` pass, and `1` alone is no name.
_BEGINS_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")


class Opened(Struct, frozen=True):
    """The header of the stream."""

    header: Element


class Read(Struct, frozen=True):
    """A stanza. One that is not `sound` breaks the rules of namespaces: only its head counts."""

    stanza: Element
    sound: bool


class Ended(Struct, frozen=True):
    """There is no more: the stream was closed, or is no XML as `fault` says."""

    fault: str = ""


class _Unsound(ValueError):
    """A name or declaration that Namespaces in XML 1.0 forbids."""


class StreamReader:
    """Stanzas out of the bytes of a stream, which come in pieces.

    Of a stanza that is larger, longer or deeper than any may be, only so much is kept that this
    shows.
    """

    def __init__(self) -> None:
        self.opened = False
        self._read: list[Opened | Read | Ended] = []
        self._depth = 0
        self._default = ""
        self._prefixes: Mapping[str, str] = {"xml": XML}
        self._outside: list[tuple[str, Mapping[str, str]]] = []  # the same of elements around
        self._builder = TreeBuilder()
        self._stanza = Element("")
        self._elements = 0
        self._length = 0  # characters of text
        self._sound = True
        self._parser = self._new_parser()
        self._root = ""
        self._fed = 0  # bytes, to this parser

    def _new_parser(self) -> XMLParserType:
        parser = ParserCreate()
        parser.buffer_text = True
        # From 2.6 on expat looks at a tag that came in pieces only when twice as much is there:
        # the last stanza before a silence would wait for the next one. What that saves is little,
        # as servers bound the size of stanzas.
        if hasattr(parser, "SetReparseDeferralEnabled"):
            parser.SetReparseDeferralEnabled(False)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        return parser

    def feed(self, data: bytes) -> list[Opened | Read | Ended]:
        """What these bytes complete; nothing follows an `Ended`."""
        try:
            self._parser.Parse(data, False)
        except ExpatError as error:
            self._read.append(Ended(str(error)))
        else:
            self._fed += len(data)
            if self._fed > RENEWED_AFTER and self._depth == 1:
                self._renew()
        read, self._read = self._read, []
        return read

    def _renew(self) -> None:
        """Go on with a new parser, unless the old one has a piece of the next stanza."""
        if self._parser.CurrentByteIndex < self._fed:
            return
        self._parser = self._new_parser()
        root = f"<{self._root}>".encode()
        self._fed = len(root)
        self._parser.StartElementHandler = None  # the header has been told
        self._parser.Parse(root, False)
        self._parser.StartElementHandler = self._start

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        depth = self._depth
        self._depth = depth + 1
        if depth == 1:
            self._builder = TreeBuilder()
            self._parser.CharacterDataHandler = self._text
            self._elements, self._length, self._sound = 0, 0, True
        self._elements += 1
        if self._elements > LARGEST + 1 or depth > DEEPEST + 2:
            self._parser.StartElementHandler = self._pass_start
            self._parser.EndElementHandler = self._pass_end
            self._parser.CharacterDataHandler = None
            return
        self._outside.append((self._default, self._prefixes))
        try:
            if attributes:
                attributes = self._declare(attributes)
            tag = self._tag(name) if ":" in name else self._in_default(name)
        except _Unsound:
            self._sound, tag = False, name
        if depth == 0:
            self._root = name
            self._open(tag, attributes)
            return
        element = self._builder.start(tag, attributes)
        if depth == 1:
            self._stanza = element

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        if self._sound:
            self.opened = True
            self._read.append(Opened(Element(tag, attributes)))
        else:
            self._read.append(Ended("its header has a prefix that is not declared"))

    def _text(self, text: str) -> None:
        if self._length <= LONGEST:
            self._builder.data(text)
            self._length += len(text)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._default, self._prefixes = self._outside.pop()
        if self._depth:
            self._builder.end(name)
        if self._depth < 2:
            self._ended()

    def _ended(self) -> None:
        if self._depth:
            self._parser.CharacterDataHandler = None
            self._read.append(Read(self._stanza, self._sound))
        else:
            self._read.append(Ended())

    # What is passed over

    def _pass_start(self, _name: str, _attributes: dict[str, str]) -> None:
        self._depth += 1

    def _pass_end(self, _name: str) -> None:
        self._depth -= 1
        if self._depth == 1:
            self._default, self._prefixes = self._outside[1]
            del self._outside[1:]
            self._parser.StartElementHandler = self._start
            self._parser.EndElementHandler = self._end
            self._ended()

    # Namespaces in XML 1.0

    def _declare(self, attributes: dict[str, str]) -> dict[str, str]:
        """Take the declarations out; return the rest under full names."""
        if ":" not in "".join(attributes):  # as in nearly every element
            if "xmlns" in attributes:
                self._default = _allowed(attributes.pop("xmlns"))
            return attributes
        rest: dict[str, str] = {}
        named = []
        for name, value in attributes.items():
            if ":" not in name:
                if name == "xmlns":
                    self._default = _allowed(value)
                else:
                    rest[name] = value
            elif name.startswith("xmlns:"):
                self._bind(name[len("xmlns:") :], value)
            else:
                named.append(name)
        for name in named:
            full = self._full(name)
            if full in rest:
                raise _Unsound
            rest[full] = attributes[name]
        return rest

    def _bind(self, prefix: str, namespace: str) -> None:
        if prefix == "xml" and namespace == XML:
            return
        reserved = prefix in ("xml", "xmlns") or prefix[:1] not in _BEGINS_NAME
        if reserved or not _allowed(namespace) or len(self._prefixes) > PREFIXES_MOST:
            raise _Unsound
        self._prefixes = {**self._prefixes, prefix: namespace}

    def _tag(self, name: str) -> str:
        tag = self._full(name)
        if name.startswith("xml:"):  # servers write it as a default namespace, which none may be
            raise _Unsound
        return tag

    def _in_default(self, name: str) -> str:
        return f"{{{self._default}}}{name}" if self._default else name

    def _full(self, name: str) -> str:
        prefix, _, local = name.rpartition(":")
        namespace = self._prefixes.get(prefix)
        if namespace is None or local[:1] not in _BEGINS_NAME:
            raise _Unsound
        return f"{{{namespace}}}{local}"


def _allowed(namespace: str) -> str:
    # No URI has a brace in it (RFC 3986), and `{namespace}name` must stay unambiguous.
    if namespace in RESERVED or "}" in namespace:
        raise _Unsound
    return namespace
