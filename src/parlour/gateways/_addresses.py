"""Addresses of the internet: as peers have them and operators write them, in one form."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
CUSTOMER = 64  # bits of an IPv6 address: whoever has one such network has all its addresses


def customer_of(address: str) -> str:
    """What the limits count an address as; the text itself where it is none."""
    known = known_address(address)
    if isinstance(known, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((known, CUSTOMER), strict=False))
    return address if known is None else str(known)


def known_address(text: str) -> Address | None:
    """An address without its interface; an IPv4 address that came over IPv6 as what it is."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
