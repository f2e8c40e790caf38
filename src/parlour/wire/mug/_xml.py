"""XML as values, and the one serialiser that all outgoing XML passes.

One character that is not XML would close the stream for every user of the server, so the
serialiser refuses it; text of other protocols is cleaned before it comes here.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from xml.etree.ElementTree import Element

from msgspec import Struct

from parlour.wire.mug._namespaces import (
    STREAMS,
    Dialect,
    canonical,
    dialect_of,
    names_protocol,
    spoken,
)

DEEPEST = 16  # real stanzas of this protocol nest to 8
LARGEST = 500  # elements of one stanza; a configuration form has about 60
LONGEST = 20_000  # characters of one stanza's names of elements, texts and attributes

# XML 1.0, section 2.2: what a document may not contain, and U+FFFE and U+FFFF with it.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# A line break in an attribute would come out as a space, so it is written as a reference.
_ENTITIES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "\r": "&#13;",
    "\n": "&#10;",
    "\t": "&#9;",
}
_IN_ATTRIBUTE = str.maketrans(_ENTITIES)
_IN_TEXT = str.maketrans({one: _ENTITIES[one] for one in "&<>\r"})
XML = "http://www.w3.org/XML/1998/namespace"
# Namespaces in XML 1.0, section 3: no element may be in these, and no prefix be declared for them.
RESERVED = frozenset((XML, "http://www.w3.org/2000/xmlns/"))
# Names of the protocol stand in these attributes, and in the values of these fields.
_NAMING_ATTRIBUTES = ("var", "node")
_NAMING_FIELDS = ("FORM_TYPE", "game", "mug#roomsearch_game", "mug#game")


class IllegalXml(ValueError):
    """Something that must not be sent: the text shows where."""


class Oversized(ValueError):
    """A stanza that is deeper, larger or longer than any of this protocol's."""


class Uri(str):
    """A name of the protocol: written in the dialect of whoever reads it, unlike other text."""

    __slots__ = ()


Attributes = Mapping[str, str]
NONE: Attributes = {}


class Written(Struct, frozen=True, gc=False):
    """Elements as text already: of the namespace of the one around, the same in each dialect."""

    xml: str


class Node(Struct, frozen=True, gc=False):
    """An element. An empty `namespace` is that of the stream."""

    name: str
    namespace: str = ""
    attributes: Attributes = NONE
    children: tuple["Node | Written | str", ...] = ()

    @property
    def text(self) -> str:
        """The text directly inside, without spaces around it."""
        return self.exact_text.strip()

    @property
    def exact_text(self) -> str:
        """The text directly inside, every character of it."""
        return "".join(one for one in self.children if isinstance(one, str))

    def elements(self) -> tuple["Node", ...]:
        """The elements directly inside."""
        return tuple(one for one in self.children if isinstance(one, Node))

    def child(self, name: str, namespace: str) -> "Node | None":
        """The first element of that name directly inside."""
        for one in self.children:
            if isinstance(one, Node) and one.name == name and one.namespace == namespace:
                return one
        return None

    def all(self, name: str, namespace: str) -> tuple["Node", ...]:
        """Every element of that name directly inside."""
        return tuple(
            one for one in self.elements() if one.name == name and one.namespace == namespace
        )


def escape(text: str) -> str:
    """Text that may stand in an attribute between apostrophes, and as well between tags.

    Raises:
        IllegalXml: a character that is not XML.
    """
    return _escaped(text, _IN_ATTRIBUTE)


def _escaped(text: str, entities: Mapping[int, str]) -> str:
    if text.isalnum():  # the most of what is written; no letter or digit means anything else
        return text
    illegal = _ILLEGAL.search(text)
    if illegal is not None:
        raise IllegalXml(f"character U+{ord(illegal[0]):04X} is not XML")
    return text.translate(entities)


def serialise(node: Node, dialect: Dialect = Dialect.JABBER, inside: str = "") -> str:
    """The element as text, to stand where `inside` is the default namespace.

    Raises:
        IllegalXml: a character that is not XML, or a namespace that is reserved.
    """
    head, content = node.name, ""
    if node.namespace != inside:
        head += _declaration(node.namespace, dialect)
    for number, (name, value) in enumerate(node.attributes.items()):
        text = spoken(value, dialect) if isinstance(value, Uri) else value
        head += f" {_attribute_name(name, number)}='{_escaped(text, _IN_ATTRIBUTE)}'"
    for one in node.children:
        if isinstance(one, Node):
            content += serialise(one, dialect, node.namespace)
        elif isinstance(one, Written):
            content += one.xml
        else:
            text = spoken(one, dialect) if isinstance(one, Uri) else one
            content += _escaped(text, _IN_TEXT)
    return f"<{head}>{content}</{node.name}>" if content else f"<{head}/>"


@lru_cache(maxsize=1024)
def _declaration(namespace: str, dialect: Dialect) -> str:
    return f" xmlns='{_declared(spoken(namespace, dialect))}'"


def _declared(namespace: str) -> str:
    """The value of a declaration; a reserved one would end the stream as surely as a control."""
    if namespace in RESERVED:
        raise IllegalXml(f"namespace {namespace} is reserved")
    return escape(namespace)


def _attribute_name(name: str, number: int) -> str:
    """The name, with a prefix declared for it where it has a namespace of its own."""
    if not name.startswith("{"):
        return name
    namespace, local = _split(name)
    if namespace == XML:
        return f"xml:{local}"
    return f"xmlns:a{number}='{_declared(namespace)}' a{number}:{local}"


class Reader:
    """Turns a parsed element into values, in this server's dialect; notes which one it was."""

    def __init__(self) -> None:
        self.dialect: Dialect | None = None
        self._elements = 0
        self._length = 0

    def read(self, element: Element, depth: int = 0) -> Node:
        """The element as a value.

        Raises:
            Oversized: the stanza is too much.
        """
        attributes = element.attrib
        self._count(1, depth, len(element.tag) + sum(map(len, attributes.values())))
        name, namespace, dialect = _names(element.tag)
        self._note(dialect)
        if not attributes.keys().isdisjoint(_NAMING_ATTRIBUTES):
            attributes = {key: self._attribute(key, value) for key, value in attributes.items()}
        naming = name == "field" and attributes.get("var") in _NAMING_FIELDS
        children: list[Node | str] = []
        if element.text:
            self._text(element.text, children)
        for child in element:
            if isinstance(child.tag, str):  # neither a comment nor an instruction
                node = self.read(child, depth + 1)
                children.append(self._named(node) if naming else node)
            if child.tail:
                self._text(child.tail, children)
        return Node(name, namespace, attributes, tuple(children))

    def _attribute(self, name: str, value: str) -> str:
        if name in _NAMING_ATTRIBUTES and names_protocol(value):
            self._note(dialect_of(value))
            return Uri(canonical(value))
        return value

    def _named(self, value: Node) -> Node:
        """A field's value that is a name of the protocol."""
        if value.name != "value" or not names_protocol(value.text):
            return value
        self._note(dialect_of(value.text))
        return Node("value", value.namespace, NONE, (Uri(canonical(value.text)),))

    def _text(self, text: str, children: list[Node | str]) -> None:
        self._count(0, 0, len(text))
        children.append(text)

    def _note(self, dialect: Dialect | None) -> None:
        """The foreign dialect is noticed wherever it shows: servers add elements in the other."""
        if dialect is not None and self.dialect is not Dialect.WEBSITE:
            self.dialect = dialect

    def _count(self, elements: int, depth: int, length: int = 0) -> None:
        self._elements += elements
        self._length += length
        if depth > DEEPEST or self._elements > LARGEST or self._length > LONGEST:
            raise Oversized(f"more than {LARGEST} elements or {LONGEST} characters")


@lru_cache(maxsize=256)
def _names(tag: str) -> tuple[str, str, Dialect | None]:
    """Name, namespace as it is written inside this server, and dialect of an ElementTree tag."""
    namespace, name = _split(tag)
    inside = "" if namespace in STREAMS else canonical(namespace)
    return name, inside, dialect_of(namespace)


def _split(tag: str) -> tuple[str, str]:
    """Namespace and name of an ElementTree tag or attribute; a name has no brace in it."""
    if tag.startswith("{"):
        namespace, _, name = tag[1:].rpartition("}")
        return namespace, name
    return "", tag
