"""Data forms (XEP-0004): made from a game's typed options, and read back strictly."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from parlour.wire.mug._namespaces import DATA_FORMS
from parlour.wire.mug._xml import Node, Uri

LISTED_MOST = 30  # numbers up to this many are chosen from a list, more are typed
FIELDS_MOST = 60
VALUE_LONGEST = 1_000
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,8})", re.ASCII)
_BOOLEANS = {"0": False, "false": False, "1": True, "true": True}


class FormError(ValueError):
    """A submitted form that says nothing acceptable; the text says what."""


class Field(Struct, frozen=True):
    """One field of a form: `choices` are (label, value)."""

    var: str
    type: str
    label: str = ""
    values: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()


def form(
    kind: str,
    fields: Iterable[Field],
    *,
    form_type: str = "",
    title: str = "",
    instructions: str = "",
) -> Node:
    """A form of `kind` form or result. `form_type` says what its fields mean (XEP-0068)."""
    children: list[Node] = []
    for name, text in (("title", title), ("instructions", instructions)):
        if text:
            children.append(Node(name, DATA_FORMS, children=(text,)))
    if form_type:
        hidden = {"var": "FORM_TYPE", "type": "hidden"}
        children.append(Node("field", DATA_FORMS, hidden, (_value(Uri(form_type)),)))
    children += [_field(field) for field in fields]
    return Node("x", DATA_FORMS, {"type": kind}, tuple(children))


def _field(field: Field) -> Node:
    attributes = {"var": field.var} if field.var else {}
    attributes["type"] = field.type
    if field.label:
        attributes["label"] = field.label
    children = [_value(one) for one in field.values]
    for label, value in field.choices:
        children.append(Node("option", DATA_FORMS, {"label": label}, (_value(value),)))
    return Node("field", DATA_FORMS, attributes, tuple(children))


def _value(text: str) -> Node:
    return Node("value", DATA_FORMS, children=(text,) if text else ())


class Submitted(Struct, frozen=True):
    """A form that was sent back. Values are as they were written, with the spaces around them."""

    type: str
    form_type: str
    values: Mapping[str, tuple[str, ...]]


def read_form(x: Node) -> Submitted:
    """The values of a form.

    Raises:
        FormError: a field without a name or twice, or more than a form holds.
    """
    values: dict[str, tuple[str, ...]] = {}
    for field in x.all("field", DATA_FORMS):
        var = field.attributes.get("var", "")
        if field.attributes.get("type") == "fixed" and not var:
            continue
        if not var or var in values:
            raise FormError(f"a field is called {var!r}, or two are")
        values[var] = tuple(one.exact_text for one in field.all("value", DATA_FORMS))
    if len(values) > FIELDS_MOST:
        raise FormError(f"more than {FIELDS_MOST} fields")
    if any(len(one) > VALUE_LONGEST for many in values.values() for one in many):
        raise FormError(f"a value of more than {VALUE_LONGEST} characters")
    form_type = values.pop("FORM_TYPE", ())
    said = form_type[0].strip() if form_type else ""
    return Submitted(x.attributes.get("type", ""), said, values)


def option_fields(kind: type[Struct], options: Mapping[str, Any], prefix: str) -> list[Field]:
    """The options of a game as fields of a form, each called `prefix` and its name."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        _option_field(f"{prefix}{name}", name, hint, options[name]) for name, hint in hints.items()
    ]


def _option_field(var: str, name: str, hint: Any, value: Any) -> Field:
    base, meta = _taken_apart(hint)
    label = meta.title or name
    if base is bool:
        return Field(var, "boolean", label, ("1" if value else "0",))
    labels = (meta.extra_json_schema or {}).get("labels", {})
    listed = tuple((labels.get(str(one), str(one)), str(one)) for one in _choices(base, meta))
    return Field(var, "list-single" if listed else "text-single", label, (str(value),), listed)


def _taken_apart(hint: Any) -> tuple[Any, Meta]:
    metas = getattr(hint, "__metadata__", ())
    meta = next((one for one in metas if isinstance(one, Meta)), Meta())
    return getattr(hint, "__origin__", hint) if metas else hint, meta


def _choices(base: Any, meta: Meta) -> Sequence[Any]:
    if get_origin(base) is Literal:
        return get_args(base)
    if base is int and meta.ge is not None and meta.le is not None:
        numbers = range(int(meta.ge), int(meta.le) + 1)
        return numbers if len(numbers) <= LISTED_MOST else ()
    return ()


def read_options(
    kind: type[Struct], options: Mapping[str, Any], submitted: Submitted, prefix: str
) -> dict[str, Any]:
    """The options with what was submitted put in; fields that are not there stay as they are.

    Raises:
        FormError: a value that the game does not take.
    """
    hints = get_type_hints(kind, include_extras=True)
    changed = dict(options)
    for name, hint in hints.items():
        values = submitted.values.get(f"{prefix}{name}")
        if values is not None:
            changed[name] = _option(name, hint, values)
    try:
        return dict(msgspec.to_builtins(msgspec.convert(changed, kind)))
    except msgspec.ValidationError as error:
        raise FormError(str(error)) from None


def _option(name: str, hint: Any, values: tuple[str, ...]) -> Any:
    base, _ = _taken_apart(hint)
    text = single(name, values)
    if base is bool:
        return boolean(name, values)
    if base is int:
        if _NUMBER.fullmatch(text) is None:
            raise FormError(f"{name} is {text!r}, not a number")
        return int(text)
    return text


def single(name: str, values: tuple[str, ...]) -> str:
    """The only value of a field, without spaces around it.

    Raises:
        FormError: there are several.
    """
    return exactly_single(name, values).strip()


def exactly_single(name: str, values: tuple[str, ...]) -> str:
    """The only value of a field, every character of it.

    Raises:
        FormError: there are several.
    """
    if len(values) > 1:
        raise FormError(f"{name} has {len(values)} values, not one")
    return values[0] if values else ""


def boolean(name: str, values: tuple[str, ...]) -> bool:
    """The value of a yes-or-no field (XEP-0004, section 3.3).

    Raises:
        FormError: it is neither.
    """
    text = single(name, values)
    if text not in _BOOLEANS:
        raise FormError(f"{name} is {text!r}, not 0 or 1")
    return _BOOLEANS[text]
