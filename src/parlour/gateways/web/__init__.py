"""The browser's door: REST, one WebSocket per tab, and the client's pages, on uvicorn."""

from parlour.gateways.web._bodies import ProtocolInfo
from parlour.gateways.web._gateway import WebGateway
from parlour.gateways.web._metrics import Metrics
from parlour.gateways.web._operator import Reception
from parlour.gateways.web._options import WebOptions
from parlour.gateways.web._secret import WeakSecretError, load_secret

__all__ = [
    "Metrics",
    "ProtocolInfo",
    "Reception",
    "WeakSecretError",
    "WebGateway",
    "WebOptions",
    "load_secret",
]
