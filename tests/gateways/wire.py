"""The server's end of a connection that is not there."""

import asyncio


class Wire(asyncio.Transport):
    """What the server writes is kept until somebody reads `data`."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        super().__init__({"peername": (address, 4242), "sockname": ("127.0.0.1", 80)})
        self.protocol: asyncio.Protocol
        self.data = b""
        self.closed = False
        self.ended = False

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        assert isinstance(protocol, asyncio.Protocol)
        self.protocol = protocol

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """There is no limit: everything is read at once."""

    def get_write_buffer_size(self) -> int:
        return 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.ended:
            raise RuntimeError("Cannot call write() after write_eof()")
        assert not self.closed
        self.data += bytes(data)

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        """The client may keep its own side open: the server closes when it has lingered."""
        self.ended = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        """What is written meanwhile is heard all the same, as what has come before the pause."""

    def resume_reading(self) -> None:
        """See `pause_reading`."""

    def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        if not self.closed:
            self.closed = True
            asyncio.get_running_loop().call_soon(self.protocol.connection_lost, None)
