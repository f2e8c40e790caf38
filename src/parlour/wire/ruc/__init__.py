"""Chinese checkers over TCP: one JSON object per line, both ways."""

from parlour.wire.ruc._codec import Codec, Heard, encode
from parlour.wire.ruc._data import (
    LOST,
    Path,
    canonical,
    parse_path,
    read_error,
    read_names,
    read_time,
)
from parlour.wire.ruc._frames import ErrorCode, Frame, Malformed, Opcode, error_frame

__all__ = [
    "LOST",
    "Codec",
    "ErrorCode",
    "Frame",
    "Heard",
    "Malformed",
    "Opcode",
    "Path",
    "canonical",
    "encode",
    "error_frame",
    "parse_path",
    "read_error",
    "read_names",
    "read_time",
]
