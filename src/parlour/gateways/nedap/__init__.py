"""Go over text lines, the protocol of the Nedap University course (2016-2018)."""

from parlour.gateways.nedap._gateway import NedapGateway
from parlour.gateways.nedap._names import Login, Names, shown_name
from parlour.gateways.nedap._options import NedapOptions
from parlour.gateways.nedap._session import NedapSession

__all__ = ["Login", "Names", "NedapGateway", "NedapOptions", "NedapSession", "shown_name"]
