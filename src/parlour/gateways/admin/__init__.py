"""The operators' door: a local socket, JSON lines, and every act in the log."""

from parlour.gateways.admin._acts import Act, Acts, NamesErased, Pruned
from parlour.gateways.admin._aggregate import STREAM, OperatorAggregate
from parlour.gateways.admin._doors import Door, Rooms, SetLogLevel, Visitor
from parlour.gateways.admin._drain import Drain
from parlour.gateways.admin._gateway import AdminGateway
from parlour.gateways.admin._hands import LEVELS, Hands
from parlour.gateways.admin._socket import NAME, NoSocketError, short, supported, user

__all__ = [
    "LEVELS",
    "NAME",
    "STREAM",
    "Act",
    "Acts",
    "AdminGateway",
    "Door",
    "Drain",
    "Hands",
    "NamesErased",
    "NoSocketError",
    "OperatorAggregate",
    "Pruned",
    "Rooms",
    "SetLogLevel",
    "Visitor",
    "short",
    "supported",
    "user",
]
