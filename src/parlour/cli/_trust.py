"""What a player of ours must be told, to believe the certificate that the server shows."""

import shlex
import ssl


def trust(cert: str) -> str:
    """The option of `parlour play` for a file in PEM; nothing where its issuer is another.

    An authority that issued it may be known to the player's machine. A certificate that vouches
    for itself is known to nobody who was not given it.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cert)
    own = any(one["subject"] == one["issuer"] for one in context.get_ca_certs())
    return f" --ca {shlex.quote(cert)}" if own else ""
