"""The numbers of the textbook protocol and how they are written: 4 bytes each, big-endian, signed.

Source: Multi-User Gaming / Tic-tac-toe document, "FLOW CHART".
"""

import enum
import struct

from msgspec import Struct

INT = struct.Struct(">i")
PAIR = struct.Struct(">ii")
TRIPLE = struct.Struct(">iii")


class Status(enum.IntEnum):
    """What the server says after a move."""

    PLAYER1_WON = 1
    PLAYER2_WON = 2
    DRAW = 3
    CONTINUE = 4


class Role(Struct, frozen=True, tag="role"):
    """Server: you are player 1 (token X) or player 2 (token O)."""

    player: int


class Start(Struct, frozen=True, tag="start"):
    """Server to player 1 only: player 2 has come. Clients ignore the value."""

    value: int


class Result(Struct, frozen=True, tag="status"):
    """Server: how the match stands. A `Move` of the opponent may follow, by position."""

    status: Status


class Move(Struct, frozen=True, tag="move"):
    """A marked cell, both from 0, row first. Any signed 32-bit value may arrive."""

    row: int
    column: int


def encode_role(player: int) -> bytes:
    """Tell a client that it is player 1 or 2."""
    return INT.pack(player)


def encode_start() -> bytes:
    """Tell player 1 that player 2 has come."""
    return INT.pack(1)


def encode_status(status: Status, move: Move | None = None) -> bytes:
    """Tell a client how the match stands, with the opponent's move where its position has one."""
    if move is None:
        return INT.pack(status)
    return TRIPLE.pack(status, move.row, move.column)


def encode_move(move: Move) -> bytes:
    """Write a move as a client sends it.

    Raises: struct.error for a value beyond 32 bits.
    """
    return PAIR.pack(move.row, move.column)
