"""What a room has asked the host for and waits for."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from parlour.games import Refused
from parlour.host import Accept, Host, Refuse, ignore, nothing

Commands = Sequence[tuple[str, Any]]


class Asking:
    """Passes commands on and counts those on the way; `settled` is called after each."""

    def __init__(self, host: Host, settled: Accept) -> None:
        self._host = host
        self._settled = settled
        self._on_the_way = 0

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._on_the_way > 0

    def expect(self) -> None:
        """Something else is on the way, too; `done` ends that."""
        self._on_the_way += 1

    def done(self) -> None:
        """A command is done; its facts, where there are any, are told before the loop turns."""
        self._on_the_way -= 1
        self._settled()

    def submit(
        self, stream: str, command: Any, refuse: Refuse = ignore, accept: Accept = nothing
    ) -> None:
        """Ask a stream for something."""
        self._ask(partial(self._host.submit, stream, command), refuse, accept)

    def insist(self, stream: str, command: Any) -> None:
        """Ask for what follows from a fact, until it can be recorded."""

        def refused(no: Refused) -> None:
            if no.refusal.passes:
                self._host.insist(stream, command)

        self.submit(stream, command, refused)

    def submit_together(
        self, commands: Commands, refuse: Refuse = ignore, accept: Accept = nothing
    ) -> None:
        """Ask several streams for what is recorded in all or none; they are told in that order."""
        self._ask(partial(self._host.submit_together, commands), refuse, accept)

    def _ask(self, ask: Callable[[Refuse, Accept], None], refuse: Refuse, accept: Accept) -> None:
        self.expect()

        def refused(no: Refused) -> None:
            try:
                refuse(no)
            finally:  # a mistake in what follows must not make the room wait for good
                self.done()

        def accepted() -> None:
            try:
                accept()
            finally:
                self.done()

        ask(refused, accepted)
