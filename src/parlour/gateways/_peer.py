"""What the operating system knows of a connection's other end."""

import array
import contextlib
import select
import socket
from typing import Any

try:
    import fcntl
    import termios
except ImportError:  # Windows: that a peer is gone is learned from reading
    fcntl = termios = None  # type: ignore[assignment]  # modules that are missing there

KEEP_ALIVE = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4))

Peer = tuple[Any, ...] | None
"""What a transport says of `peername`; None where the peer is gone already."""


def peer_of(peer: Peer) -> tuple[str, str]:
    """The address, empty when nobody knows it, and the name for the log: `10.0.0.7:51234`."""
    return (str(peer[0]), f"{peer[0]}:{peer[1]}") if peer else ("", "a peer already gone")


def keep_alive(sock: socket.socket) -> None:
    """A peer that waits as long as it likes is asked now and then whether it is still there."""
    with contextlib.suppress(OSError):  # reset before we got here
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEP_ALIVE:
            if hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def is_gone(sock: socket.socket) -> bool:
    """Whether the peer has reset the connection, or closed it and said nothing.

    On a busy server a connection is let in long after it was made. One that has said something
    before it closed is heard.
    """
    if not hasattr(select, "POLLRDHUP"):
        return False
    poll = select.poll()
    poll.register(sock.fileno(), select.POLLRDHUP)
    ((_, events),) = poll.poll(0) or ((0, 0),)
    if events & (select.POLLHUP | select.POLLERR):
        return True
    return bool(events) and not _unread(sock)


def _unread(sock: socket.socket) -> int:
    """How many bytes have come and are not read."""
    count = array.array("i", [0])
    fcntl.ioctl(sock.fileno(), termios.FIONREAD, count)
    return count[0]
