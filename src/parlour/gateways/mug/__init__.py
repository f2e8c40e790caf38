"""Multi-User Gaming over XMPP."""

from parlour.gateways.mug._component import Account, Component

__all__ = ["Account", "Component"]
