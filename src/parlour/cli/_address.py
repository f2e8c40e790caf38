"""Where to listen, to connect and to be called, as people type it."""

import re
from ipaddress import ip_network

LABEL = r"[^\W_](?:[\w-]*[^\W_])?"
DOMAIN = re.compile(rf"{LABEL}(?:\.{LABEL})*")
COMPONENT = re.compile(r"component:(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+)):([0-9]{1,5})")
# RFC 6454, section 6.2: scheme and host, and a port where it is not the scheme's own.
ORIGIN = re.compile(r"https?://(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::[0-9]{1,5})?/?")


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


def component(server: str) -> tuple[str, int] | None:
    """Host and port of a `component:HOST:PORT`; None for `managed` and `off`.

    Raises:
        ConfigError: it is none of them.
    """
    if server in ("managed", "off"):
        return None
    match = COMPONENT.fullmatch(server)
    if match is None or not 0 < int(match[3]) <= 65_535:
        raise ConfigError(
            f"{server!r} is no XMPP server: expected managed, component:HOST:PORT or off"
        )
    return match[1] or match[2], int(match[3])


def check_domain(domain: str) -> None:
    """Say what is wrong with the name of a host.

    Raises:
        ConfigError: it is no domain in small letters.
    """
    if len(domain) > 255 or domain != domain.lower() or DOMAIN.fullmatch(domain) is None:
        raise ConfigError(f"{domain!r} is no domain: expected a name such as games.example.org")


def check_origins(origins: tuple[str, ...]) -> None:
    """Say what is wrong with a list of origins.

    Raises:
        ConfigError: one of them is not what a browser calls an origin.
    """
    for origin in origins:
        if ORIGIN.fullmatch(origin) is None:
            raise ConfigError(f"{origin!r} is no origin: expected one as in https://example.org")


def check_networks(networks: tuple[str, ...]) -> None:
    """Say what is wrong with a list of networks.

    Raises:
        ConfigError: one of them is no network.
    """
    for network in networks:
        try:
            ip_network(network)
        except ValueError:
            raise ConfigError(
                f"{network!r} is no network: expected one as in 10.0.0.0/8 or ::1"
            ) from None
