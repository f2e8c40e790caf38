"""A network between browser and server that can go dead, as a train does in a tunnel."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self


class Wire:
    """Forwards connections to a port; cut, it swallows everything and tells nobody.

    Slow, it carries what is asked, and the answers when it is quick again.
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self._dead = threading.Event()
        self._quick = threading.Event()
        self._quick.set()
        self._sockets: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._door.shutdown(socket.SHUT_RDWR)  # which closing alone would not wake anybody by
        self._accepting.join()
        self._door.close()
        self._quick.set()
        self._drop()

    def cut(self) -> None:
        """Nothing gets through any more, and no end hears of it."""
        self._dead.set()

    def mend(self) -> None:
        """New connections get through; those from before are gone."""
        self._drop()
        self._dead.clear()

    @contextlib.contextmanager
    def slow(self) -> Iterator[None]:
        """No answer arrives."""
        self._quick.clear()
        yield
        self._quick.set()

    def _drop(self) -> None:
        for one in self._sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._sockets.clear()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                self._sockets.append(near)
                if self._dead.is_set():
                    continue
                try:
                    far = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    near.close()
                    continue
                self._sockets.append(far)
                for ends in ((near, far, False), (far, near, True)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                if answers:
                    self._quick.wait()
                if not self._dead.is_set():
                    other.sendall(data)
            if not self._dead.is_set():
                other.shutdown(socket.SHUT_WR)
