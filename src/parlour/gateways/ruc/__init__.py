"""Chinese checkers for 2 to 6 over JSON lines, the protocol of a 2022 university course."""

from parlour.gateways.ruc._gateway import RucGateway
from parlour.gateways.ruc._names import Names, shown_name
from parlour.gateways.ruc._options import RucOptions
from parlour.gateways.ruc._session import RucSession

__all__ = ["Names", "RucGateway", "RucOptions", "RucSession", "shown_name"]
