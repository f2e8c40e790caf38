"""What one stranger may have of the server: the table [limits] of its settings."""

from typing import Annotated

from msgspec import Meta, Struct

LOOPBACK = ("127.0.0.0/8", "::1/128")

Networks = tuple[str, ...]
Many = Annotated[int, Meta(ge=1, le=1_000_000)]
Bytes = Annotated[int, Meta(ge=1 << 16, le=1 << 30)]
Seconds = Annotated[float, Meta(gt=0, le=600)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Whatever a peer could have too much of.

    An address is an IPv4 address or an IPv6 network of 64 bits, for that much is one customer's.
    Where a limit has a twin `..._at_once`, the first is a rate a second and the twin what may
    come in one instant.
    """

    exempt: Annotated[
        Networks, Meta(description="networks whose addresses have none of the limits per address")
    ] = LOOPBACK
    proxies: Annotated[
        Networks, Meta(description="networks of reverse proxies: their X-Forwarded-For is believed")
    ] = LOOPBACK

    # Of an address, over all protocols but XMPP
    connections: Annotated[Many, Meta(description="connections of one address")] = 1_000
    arrivals: Annotated[Many, Meta(description="new connections of one address a second")] = 200
    arrivals_at_once: Annotated[Many, Meta(description="and in one instant")] = 1_000
    strangers: Annotated[
        Many,
        Meta(description="connections of one address a second that end without a login"),
    ] = 20
    strangers_at_once: Annotated[Many, Meta(description="and in one instant")] = 1_000
    handshakes: Annotated[
        Many, Meta(description="TLS handshakes of one address a second; more are made later")
    ] = 50
    handshakes_at_once: Annotated[Many, Meta(description="and in one instant")] = 100
    handshake: Annotated[Seconds, Meta(description="seconds that a TLS handshake may take")] = 10.0

    # Over plain sockets
    lines: Annotated[
        Many,
        Meta(description="lines, or 64 bytes, of one address a second; more is heard later"),
    ] = 500
    lines_at_once: Annotated[Many, Meta(description="and in one instant")] = 2_000
    # A long Go game in Nedap's lines is below 200 KiB.
    unread: Annotated[
        Bytes, Meta(description="bytes that a connection may leave unread for a moment")
    ] = 1 << 20
    stalled: Annotated[
        Seconds,
        Meta(
            description="seconds that a connection may leave more than 64 KiB unread,"
            " or anything when its peer ends it or the server stops"
        ),
    ] = 10.0

    # Of the web
    # The whole state of the longest game, four times.
    unread_pages: Annotated[
        Bytes, Meta(description="bytes that a page may leave unread for a moment")
    ] = 1 << 22
    requests: Annotated[
        Many, Meta(description="HTTP requests and WebSockets of one address a second")
    ] = 100
    requests_at_once: Annotated[Many, Meta(description="and in one instant")] = 1_000

    messages: Annotated[Many, Meta(description="messages of one WebSocket a second")] = 20
    messages_at_once: Annotated[Many, Meta(description="and in one instant")] = 60
    tabs: Annotated[Many, Meta(description="WebSockets of one guest")] = 32
    watched: Annotated[Many, Meta(description="matches that one WebSocket watches")] = 64

    # Of XMPP
    stanzas: Annotated[Many, Meta(description="stanzas of one full JID a second")] = 20
    stanzas_at_once: Annotated[Many, Meta(description="and in one instant")] = 60
    rooms: Annotated[Many, Meta(description="rooms of one bare JID")] = 20
    all_rooms: Annotated[Many, Meta(description="rooms of everybody together")] = 20_000
    occupants: Annotated[Many, Meta(description="occupants of a room, whatever its owner says")] = (
        200
    )
    sessions: Annotated[Many, Meta(description="clients that share a nickname in a room")] = 10

    # Of a player
    chat: Annotated[Many, Meta(description="lines of chat of one player a second")] = 1
    chat_at_once: Annotated[Many, Meta(description="and in one instant")] = 10
    seeks: Annotated[Many, Meta(description="seeks of one guest of the web a second")] = 1
    seeks_at_once: Annotated[Many, Meta(description="and in one instant")] = 10
    matches: Annotated[
        Many, Meta(description="unfinished matches that one guest of the web sits at")
    ] = 16
    tables: Annotated[
        Many, Meta(description="tables of one guest of the web that wait for players")
    ] = 8
    tables_of_address: Annotated[Many, Meta(description="the same of one address")] = 64
    spectators: Annotated[
        Many, Meta(description="WebSockets that watch one match; who sits there always may")
    ] = 5_000
