"""The server's settings: one table per protocol, from a TOML file and the command line."""

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from parlour.cli._address import (
    ConfigError,
    address,
    check_domain,
    check_networks,
    check_origins,
    component,
)
from parlour.cli._data import DATA
from parlour.gateways import Limits
from parlour.gateways.mug import MugSettings
from parlour.gateways.nedap import NedapOptions
from parlour.gateways.ruc import RucOptions
from parlour.gateways.textbook import TextbookOptions
from parlour.gateways.web import WebOptions

Listen = Annotated[str, Meta(description="HOST:PORT, or off")]
Secure = Annotated[str, Meta(description="HOST:PORT for the same over TLS, or off")]


class TextbookConfig(TextbookOptions, frozen=True, forbid_unknown_fields=True):
    """The table [textbook]."""

    listen: Listen = "127.0.0.1:8000"
    tls: Secure = "off"


class NedapConfig(NedapOptions, frozen=True, forbid_unknown_fields=True):
    """The table [nedap]."""

    listen: Listen = "127.0.0.1:2727"
    tls: Secure = "off"


class RucConfig(RucOptions, frozen=True, forbid_unknown_fields=True):
    """The table [ruc]."""

    listen: Listen = "127.0.0.1:16666"
    tls: Secure = "off"


class WebConfig(WebOptions, frozen=True, forbid_unknown_fields=True):
    """The table [web]."""

    listen: Listen = "127.0.0.1:8080"
    tls: Secure = "off"


class XmppConfig(MugSettings, frozen=True, forbid_unknown_fields=True):
    """The table [xmpp]."""

    server: Annotated[
        str,
        Meta(
            description="managed: a Prosody of our own, on loopback; component:HOST:PORT: yours; "
            "or off"
        ),
    ] = "managed"
    domain: Annotated[str, Meta(description="where rooms are: ROOM@DOMAIN")] = "games.localhost"
    secret_file: Annotated[
        str, Meta(description="file of the secret that your server asks the component for")
    ] = ""
    clients: Annotated[
        int, Meta(ge=0, le=65_535, description="managed: port for XMPP clients; 0: a free one")
    ] = 5222
    http: Annotated[
        int,
        Meta(ge=0, le=65_535, description="managed: port for WebSocket and BOSH; 0: a free one"),
    ] = 5280


class TlsConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The table [tls]."""

    cert: Annotated[
        str, Meta(description="file of the certificate chain in PEM; read again on SIGHUP")
    ] = ""
    key: Annotated[str, Meta(description="file of its key; empty: in the same file")] = ""


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    data: Annotated[str, Meta(description="directory of the log")] = DATA
    log: Annotated[Literal["text", "json"], Meta(description="how log lines look")] = "text"
    reclaim: Annotated[
        int, Meta(ge=0, le=86_400, description="seconds to come back in after a restart")
    ] = 120
    textbook: TextbookConfig = TextbookConfig()
    nedap: NedapConfig = NedapConfig()
    ruc: RucConfig = RucConfig()
    web: WebConfig = WebConfig()
    xmpp: XmppConfig = XmppConfig()
    tls: TlsConfig = TlsConfig()
    limits: Limits = Limits()


TABLES: dict[str, tuple[str, ...]] = {
    name: kind.__struct_fields__
    for name, kind in get_type_hints(Config).items()
    if isinstance(kind, type) and issubclass(kind, Struct)
}
WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
NO_CHOICE = "Invalid enum value "  # how msgspec begins to say it
PROTOCOLS = tuple(name for name, settings in TABLES.items() if "listen" in settings)

# The texts that must be more than text, and the options that set them.
CHECKED: dict[tuple[str, str], tuple[str | None, Callable[[Any], object]]] = {
    **{(name, "listen"): (f"--{name}", address) for name in PROTOCOLS},
    **{(name, "tls"): (f"--{name}-tls", address) for name in PROTOCOLS},
    ("xmpp", "server"): ("--xmpp", component),
    ("xmpp", "domain"): ("--xmpp-domain", check_domain),
    ("web", "origins"): (None, check_origins),
    ("limits", "exempt"): (None, check_networks),
    ("limits", "proxies"): (None, check_networks),
}


def load(path: Path | None, overrides: dict[str, Any]) -> Config:
    """The settings of the file at `path` with `overrides` (nested like the file) on top.

    Raises:
        ConfigError: the file cannot be read, or a setting is unknown or out of bounds.
    """
    text, settings = "", {}
    if path is not None:
        try:
            text = path.read_text("utf-8")
            settings = tomllib.loads(text)
        except OSError as error:
            raise ConfigError(f"cannot read {path}: {error.strerror}") from None
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ConfigError(f"{path}: {error}") from None
    _check_keys(settings, str(path), text)
    try:
        from_file = msgspec.convert(settings, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}{_line(text, str(error))}: {_in_words(str(error))}") from None
    try:
        config = msgspec.convert(_merged(msgspec.to_builtins(from_file), overrides), Config)
    except msgspec.ValidationError as error:
        raise ConfigError(_in_words(str(error))) from None
    _check_texts(config, settings, f"{path}", text)
    return config


def dump(config: Config) -> str:
    """The settings as a TOML file that says what each of them is."""
    lines: list[str] = []
    tables: list[str] = []
    for field in msgspec.structs.fields(Config):
        value = getattr(config, field.name)
        if isinstance(value, Struct):
            tables += ["", f"[{field.name}]", *_settings(value)]
    lines += _settings(config)
    return "\n".join([*lines, *tables])


def _merged(settings: dict[str, Any], overrides: dict[str, Any]) -> dict[str, Any]:
    merged = dict(settings)
    for name, value in overrides.items():
        merged[name] = _merged(merged[name], value) if isinstance(value, dict) else value
    return merged


def _settings(table: Struct) -> list[str]:
    lines = []
    for field in msgspec.structs.fields(type(table)):
        value = getattr(table, field.name)
        if isinstance(value, Struct):
            continue
        text = msgspec.json.encode(value).decode()
        described = msgspec.inspect.type_info(field.type)
        note = _description(described)
        lines.append(f"{field.name} = {text}" + (f"  # {note}" if note else ""))
    return lines


def _description(info: msgspec.inspect.Type) -> str:
    if isinstance(info, msgspec.inspect.Metadata) and info.extra_json_schema:
        return str(info.extra_json_schema.get("description", ""))
    return ""


def _check_keys(settings: dict[str, Any], path: str, text: str) -> None:
    """Unknown names are errors with the line: a misspelt limit must not silently be none."""
    for name, value in settings.items():
        _check_key(name, Config.__struct_fields__, path, text, "")
        if name in TABLES and isinstance(value, dict):
            for key in value:
                _check_key(key, TABLES[name], path, text, name)


def _check_key(name: str, known: Sequence[str], path: str, text: str, table: str) -> None:
    if name not in known:
        where = f" in [{table}]" if table else ""
        number = line_of(text, table, name)
        raise ConfigError(
            f"{path}, line {number}: unknown setting {name!r}{where}; known: {', '.join(known)}"
        )


def _check_texts(config: Config, settings: dict[str, Any], path: str, text: str) -> None:
    """A wrong address is found before anything is started, with the line where a file has it."""
    for (table, name), (option, check) in CHECKED.items():
        value = getattr(getattr(config, table), name)
        try:
            check(value)
        except ConfigError as error:
            in_file = option is None or settings.get(table, {}).get(name) == value
            where = f"{path}, line {line_of(text, table, name)}" if in_file else option
            raise ConfigError(f"{where}: {error}") from None


def _choices(path: str) -> str:
    """What the setting at a path such as `$.nedap.cancel` may be, as in `keep or close`."""
    kind: Any = Config
    for name in path.strip("`").split(".")[1:]:
        kind = next(field.type for field in msgspec.structs.fields(kind) if field.name == name)
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    *others, last = get_args(kind)
    return f"{', '.join(others)} or {last}"


def _in_words(error: str) -> str:
    """What msgspec says of a wrong value, in words of TOML."""
    said, _, path = error.partition(" - at ")
    if said.startswith(NO_CHOICE):
        said = f"expected {_choices(path)}, not {said.removeprefix(NO_CHOICE)}"
    for kind, word in WORDS.items():
        said = said.replace(f"`{kind}`", word)
    return f"{path.strip('`').removeprefix('$.')}: {said[:1].lower()}{said[1:]}" if path else said


def _line(text: str, error: str) -> str:
    """Where the setting stands that msgspec complains of.

    By a path such as `$.textbook.listen`, or `$.limits.exempt[0]` for one of a list.
    """
    match = re.search(r"at `\$\.([\w.]+)", error)
    if match is None:
        return ""
    table, _, name = match[1].rpartition(".")
    return f", line {line_of(text, table, name)}"


def line_of(text: str, table: str, name: str) -> int:
    """The number of the line that sets `name` in `[table]`, counted from 1.

    Where the name does not stand at the head of a line of its own, the line of its table.
    """
    wanted = _bare(f"{table}.{name}" if table else name)
    current, nearest = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\[?([^\]]+)\]", line)
        assigned = re.match(r"([^=#]+)=", line)
        if header is not None:
            current = key = _bare(header[1])
        elif assigned is not None:
            key = f"{current}.{_bare(assigned[1])}".lstrip(".")
        else:
            continue
        if f"{key}.".startswith(f"{wanted}."):
            return number
        if key == table:
            nearest = number
    return nearest


def _bare(key: str) -> str:
    return re.sub(r"[\s'\"]", "", key)
