"""The servers' ends of the protocols, one folder each, and what runs them on sockets."""

from parlour.gateways._addresses import customer_of
from parlour.gateways._bans import LAST, Ban, BanKind, Bans, kept_as, subject
from parlour.gateways._crowd import ACCEPTED, lengthen
from parlour.gateways._desk import Desk
from parlour.gateways._files import NoFileLeft
from parlour.gateways._gatekeeper import Gatekeeper, Networks
from parlour.gateways._guesses import WRONG_MOST, Guesses
from parlour.gateways._limits import Limits
from parlour.gateways._peer import peer_of
from parlour.gateways._rate import Allowance
from parlour.gateways._session import (
    NOTHING,
    Close,
    Effect,
    Effects,
    Find,
    Follow,
    Listen,
    Note,
    Open,
    Say,
    Session,
    StopFinding,
    Submit,
    Unfollow,
    Wake,
    Write,
    goodbye,
)
from parlour.gateways._speakers import LOOKS_ON, SERVER
from parlour.gateways._tcp import Connection
from parlour.gateways._tls import CertificateError, Certificates, Handshake
from parlour.gateways._turns import Turns
from parlour.gateways._unread import Unread

__all__ = [
    "ACCEPTED",
    "LAST",
    "LOOKS_ON",
    "NOTHING",
    "SERVER",
    "WRONG_MOST",
    "Allowance",
    "Ban",
    "BanKind",
    "Bans",
    "CertificateError",
    "Certificates",
    "Close",
    "Connection",
    "Desk",
    "Effect",
    "Effects",
    "Find",
    "Follow",
    "Gatekeeper",
    "Guesses",
    "Handshake",
    "Limits",
    "Listen",
    "Networks",
    "NoFileLeft",
    "Note",
    "Open",
    "Say",
    "Session",
    "StopFinding",
    "Submit",
    "Turns",
    "Unfollow",
    "Unread",
    "Wake",
    "Write",
    "customer_of",
    "goodbye",
    "kept_as",
    "lengthen",
    "peer_of",
    "subject",
]
