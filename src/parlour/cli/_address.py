"""Where to listen or to connect, as people type it."""

import re


class ConfigError(Exception):
    """A setting is wrong; the message says which, where, and what it may be."""


def address(listen: str) -> tuple[str, int] | None:
    """Host and port of a `HOST:PORT`; None for `off`.

    Raises:
        ConfigError: it is neither.
    """
    if listen == "off":
        return None
    match = re.fullmatch(r"(?:\[([^\]]+)\]|([^:\[\]]*)):([0-9]{1,5})", listen)
    if match is None or int(match[3]) > 65535:
        raise ConfigError(f"{listen!r} is no address: expected HOST:PORT or off")
    return match[1] or match[2] or "127.0.0.1", int(match[3])
