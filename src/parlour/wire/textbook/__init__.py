"""Textbook tic-tac-toe over sockets: big-endian integers, told apart by position."""

from parlour.wire.textbook._client import ClientCodec, Message
from parlour.wire.textbook._numbers import (
    Move,
    Result,
    Role,
    Start,
    Status,
    encode_move,
    encode_role,
    encode_start,
    encode_status,
)
from parlour.wire.textbook._server import ServerCodec

__all__ = [
    "ClientCodec",
    "Message",
    "Move",
    "Result",
    "Role",
    "ServerCodec",
    "Start",
    "Status",
    "encode_move",
    "encode_role",
    "encode_start",
    "encode_status",
]
