"""Commands that must be heard although nobody is left to ask again."""

import asyncio
from collections.abc import Callable
from typing import Any

from parlour.games import Refused
from parlour.host._loader import RETRY_AFTER

Submit = Callable[[str, Any, Callable[[Refused], None]], None]


class Insistence:
    """Asks for a command until the store can record it or a rule says no."""

    def __init__(self, submit: Submit) -> None:
        self._submit = submit
        self._timers: dict[object, asyncio.TimerHandle] = {}
        self._closed = False

    def ask(self, stream: str, command: Any, still: Callable[[], bool]) -> None:
        """Ask now, and again each second while the service is not able to and it is `still` so."""
        key = object()

        def ask() -> None:
            self._timers.pop(key, None)
            if still():
                self._submit(stream, command, refused)

        def refused(no: Refused) -> None:
            if no.refusal.passes and not self._closed:
                loop = asyncio.get_running_loop()
                self._timers[key] = loop.call_later(RETRY_AFTER / 1000, ask)

        ask()

    def close(self) -> None:
        """Ask no more."""
        self._closed = True
        for timer in self._timers.values():
            timer.cancel()
