"""The operators' acts as the host runs them: one stream, to which is only added."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from parlour.games import Refusal, Refused
from parlour.gateways.admin._acts import Act, Acts, Unbanned, evolve

STREAM = "operator-acts"


class Nothing(Struct, frozen=True):
    """What the directory keeps of it."""

    room: str = ""
    finished: bool = True


class OperatorAggregate:
    """Records what was done. Its commands are the acts themselves; None is no act."""

    kind = "operator"

    def __init__(self) -> None:
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Act)

    def encode(self, event: Act) -> bytes:
        """One act as JSON, its tag first."""
        return self._encoder.encode(event)

    def decode(self, data: bytes) -> Act:
        """The act that `data` records.

        Raises:
            msgspec.ValidationError, msgspec.DecodeError: no version of this program wrote it.
        """
        return self._decoder.decode(data)

    def decide(self, acts: Acts | None, command: Act | None, now: int) -> Sequence[Act]:
        """The act, where there is something to it.

        Raises:
            Refused: nobody of that kind is banned.
        """
        if command is None:
            return ()
        if isinstance(command, Unbanned) and (
            acts is None or (command.kind, command.who) not in acts.bans
        ):
            raise Refused(
                Refusal.UNKNOWN_STREAM,
                f"no {command.kind} {command.who!r} is banned: `admin bans` lists who is",
            )
        return (command,)

    def evolve(self, acts: Acts | None, event: Act) -> Acts:
        """See `evolve`."""
        return evolve(acts, event)

    def wakes_at(self, acts: Acts) -> int | None:
        """A ban ends by the clock of whoever looks at it."""
        return None

    def tick(self) -> None:
        """See `wakes_at`."""

    def restart(self, until: int) -> None:
        """What was done is done."""

    def restarted(self, listing: Any, until: int, now: int) -> Sequence[Act]:
        """See `restart`."""
        return ()

    def listed(self, data: bytes) -> bool:
        """The directory is of games."""
        return False

    def project(self, listing: Any, event: Act) -> Nothing:
        """See `listed`."""
        return Nothing()
