"""Reads into memory what the log has of a stream past the version known."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from parlour.host._aside import Aside
from parlour.host._ports import Store, StoreError, UnreadableError
from parlour.host._stream import Live, Recorded

log = logging.getLogger("parlour.host")

RETRY_AFTER = 1000  # ms until what the store could not do is tried again


class Tasks:
    """Background work that nobody awaits, kept from the garbage collector."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin `work`."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self) -> None:
        """End all of it."""
        for task in tuple(self._tasks):
            task.cancel()


class Loader:
    """Brings streams up to date, and calls `loaded` with what was new in them.

    A medium that fails is asked again until it answers, and `failed` is told each time. An event
    that cannot be understood makes its stream unreadable, which is said once; others go on.
    """

    def __init__(
        self,
        store: Store,
        tasks: Tasks,
        loaded: Callable[[Live, Sequence[Recorded]], None],
        failed: Callable[[Live, StoreError], None],
    ) -> None:
        self._store = store
        self._tasks = tasks
        self._loaded = loaded
        self._failed = failed
        self._aside = Aside()  # players wait for this one, and not behind those who look back
        self._closed = False

    def load(self, live: Live) -> None:
        """Begin to read, now or after what the stream is busy with.

        It is busy until `loaded` is called.
        """
        if live.busy:
            live.rung = True
        else:
            self._begin(live)

    def give_up(self, live: Live) -> None:
        """Nothing is decided on a stream any more: a mistake of ours costs that one alone."""
        log.error("%s is left as it is, and the others go on", live.stream)
        live.unreadable = UnreadableError(f"{live.stream} cannot be taken up")

    def close(self) -> None:
        """Read nothing any more."""
        self._closed = True

    def _begin(self, live: Live) -> None:
        live.busy = True
        live.rung = False
        if not self._closed:
            self._tasks.spawn(self._read(live))

    async def _read(self, live: Live) -> None:
        records: list[Recorded] = []
        try:
            # With the newest that is known: where it is missing, the stream was taken out.
            data = await self._store.read(live.stream, max(live.version - 1, 0))
            if live.version and not data:
                raise UnreadableError(f"{live.stream} is no longer in the log")
            data = data[1:] if live.version else data
            # Followers look at `live` while another thread may be folding what is new in it.
            copy = Live(live.stream, live.aggregate, live.left)
            copy.state, copy.version = live.state, live.version
            records = await self._aside.do(partial(copy.read, data), len(data))
            live.advance(records)
        except UnreadableError as error:
            log.error("%s", error)
            live.unreadable = error
        except StoreError as error:
            asyncio.get_running_loop().call_later(RETRY_AFTER / 1000, self._begin, live)
            self._failed(live, error)
            return
        except Exception:  # a mistake of ours: whoever waits is refused, and does not wait for ever
            log.exception("%s cannot be read", live.stream)
            self.give_up(live)
        live.busy = False
        self._loaded(live, records)
