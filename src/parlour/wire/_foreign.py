"""Recognise the other protocols that port scanners and browsers speak to a game port."""

import re

TLS_HELLO = b"\x16\x03"
"""A TLS record of type handshake (22), major version 3 (RFC 8446, section 5.1)."""

HTTP_METHODS = (
    b"GET ",
    b"POST ",
    b"HEAD ",
    b"OPTIONS ",
    b"PUT ",
    b"CONNECT ",
    b"DELETE ",
    b"PATCH ",
    b"TRACE ",
    b"PRI ",
)
"""The methods of RFC 9110, section 9, PATCH, and the preface of HTTP/2."""

HTTP_REQUEST = re.compile(
    b"(?:" + b"|".join(HTTP_METHODS) + rb")(?:/|\*|https?://|\S+ HTTP/)",
)
"""The head of a request line; `GET fish` is none, a person may have typed it."""
