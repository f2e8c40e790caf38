"""Addresses of the internet: as peers have them and operators write them, in one form."""

import ipaddress
from functools import lru_cache

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")  # RFC 4291, section 2.5.5.2
CUSTOMER = 64  # bits of an IPv6 address: whoever has one such network has all its addresses
# An address is asked about several times for each connection and each request.
REMEMBERED = 4096


@lru_cache(REMEMBERED)
def customer_of(address: str) -> str:
    """What the limits count an address as; the text itself where it is none."""
    known = known_address(address)
    if isinstance(known, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((known, CUSTOMER), strict=False))
    return address if known is None else str(known)


@lru_cache(REMEMBERED)
def known_address(text: str) -> Address | None:
    """An address without its interface; an IPv4 address that came over IPv6 as what it is."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def known_network(text: str, strict: bool = True) -> Network:
    """A network as in `10.0.0.0/8`, or one address; of mapped IPv4 addresses what they are.

    Raises:
        ValueError: it is neither, or `strict` and has bits beside its prefix.
    """
    network = ipaddress.ip_network(text.strip(), strict=strict)
    if isinstance(network, ipaddress.IPv6Network) and network.subnet_of(MAPPED):
        first = network.network_address.ipv4_mapped
        return ipaddress.IPv4Network((first, network.prefixlen - MAPPED.prefixlen))
    return network
