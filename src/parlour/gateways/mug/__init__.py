"""Multi-User Gaming over XMPP."""

from parlour.gateways.mug._component import Account, Component
from parlour.gateways.mug._gateway import MugGateway
from parlour.gateways.mug._operator import Operator
from parlour.gateways.mug._options import MugOptions, MugSettings
from parlour.gateways.mug._room_aggregate import RoomAggregate

__all__ = [
    "Account",
    "Component",
    "MugGateway",
    "MugOptions",
    "MugSettings",
    "Operator",
    "RoomAggregate",
]
