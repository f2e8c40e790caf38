"""The operators' door: requests on a local socket, carried out and recorded."""

import asyncio
import logging
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any

import msgspec

from parlour.games import Refusal, Refused
from parlour.gateways import Ban, BanKind, Bans
from parlour.gateways.admin import _requests as requests
from parlour.gateways.admin._acts import Act, ActRefused, Acts, Banned, Unbanned, VisitorKicked
from parlour.gateways.admin._aggregate import STREAM
from parlour.gateways.admin._asking import ask
from parlour.gateways.admin._hands import Doing, Hands, NotFound
from parlour.gateways.admin._socket import NAME, NoSocketError, listening, peer_of
from parlour.host import Host, Recorded, StoreError

log = logging.getLogger("parlour.admin")

LINE_MOST = 4 << 20  # a list of what was pruned
URGENT = (Banned, VisitorKicked)  # on a full disk and in a crowd, too
CLOSING = 1.0  # seconds for what is being answered

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(requests.Request).decode


class AdminGateway:
    """Serves the local socket of a data directory."""

    def __init__(self, host: Host, bans: Bans, hands: Hands, data: Path) -> None:
        self._host = host
        self._bans = bans
        self._hands = hands
        self._path = data / NAME
        self._server: asyncio.Server | None = None
        self._recorded: tuple[Ban, ...] = ()
        self._unrecorded: list[Banned] = []
        self._talks: set[asyncio.Task[None]] = set()
        self._answering: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Take up the bans of former runs, and listen where that is possible.

        Raises:
            StoreError: the medium failed.
        """
        history = await self._host.history(STREAM)
        self._followed(history)
        self._host.follow(STREAM, len(history), self._followed)
        try:
            bound = listening(self._path)
        except NoSocketError as error:
            log.warning("%s", error)
            return
        self._server = await asyncio.start_unix_server(self._received, sock=bound, limit=LINE_MOST)

    async def close(self) -> None:
        """Hear nobody any more."""
        if self._server is None:
            return
        self._server.close()
        self._path.unlink(missing_ok=True)
        if self._answering:
            await asyncio.wait(self._answering, timeout=CLOSING)
        talks = tuple(self._talks)
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)

    def _followed(self, records: Sequence[Recorded]) -> None:
        if records:
            acts: Acts = records[-1].state
            self._recorded = tuple(acts.bans.values())
            events = [one.event for one in records]
            self._unrecorded = [act for act in self._unrecorded if act not in events]
            self._put_bans()

    def _put_bans(self) -> None:
        self._bans.put((*self._recorded, *(act.ban for act in self._unrecorded)))

    def _received(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A task of asyncio's own would print a traceback when it is cancelled.
        task = asyncio.get_running_loop().create_task(self._talk(reader, writer))
        self._talks.add(task)
        task.add_done_callback(self._talks.discard)
        task.add_done_callback(self._answering.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            by = peer_of(writer.get_extra_info("socket").fileno())
            while line := await reader.readline():
                self._answering.add(task)
                writer.write(_encode(await self._answer(line, by)) + b"\n")
                await writer.drain()
                self._answering.discard(task)
        except (ConnectionError, ValueError) as error:  # gone, or a line without an end
            log.info("an operator's connection ended: %s", error)
        except Exception:
            log.exception("a mistake of ours; the operator's connection is closed")
        finally:
            writer.close()

    async def _answer(self, line: bytes, by: tuple[int, str]) -> dict[str, Any]:
        try:
            request = _decode(line)
            return {"ok": True, **await self._carry_out(request, by)}
        except (msgspec.DecodeError, RecursionError) as error:  # deep in what is skipped, too
            return _no("malformed", str(error))
        except Refused as no:
            return _no(no.refusal, no.detail)
        except NotFound as no:
            return _no("unknown", str(no))
        except StoreError as error:
            return _no("unavailable", str(error))

    async def _carry_out(self, request: requests.Request, by: tuple[int, str]) -> dict[str, Any]:
        hands = self._hands
        match request:
            case requests.Connections():
                return {"drains": hands.drains, "connections": list(hands.visitors())}
            case requests.Matches():
                return {"drains": hands.drains, "matches": list(hands.matches())}
            case requests.ListBans():
                return {"bans": hands.bans()}
            case requests.History(last=last):
                records = await self._host.history(STREAM)
                acts = [one.event for one in records[-last:]] if last > 0 else []
                return {"acts": [msgspec.to_builtins(act) for act in acts]}
            case _:
                act = hands.plan(request, self._host.now(), *by)
                recorded = await self._record(act)
                log.info("%s", _encode(act).decode())
                answer = await self._do(request, act)
                return answer if recorded else {**answer, "recorded": False}

    async def _do(self, request: Doing, act: Act) -> dict[str, Any]:
        """Do what has been recorded, or have it recorded that it could not be done.

        Raises:
            NotFound, Refused: see `Hands.act`.
        """
        try:
            return await self._hands.act(request, act)
        except (NotFound, Refused) as no:
            why = no.detail if isinstance(no, Refused) else str(no)
            kind = type(act).__name__
            refused = ActRefused(self._host.now(), act.uid, act.user, act=kind, of=act.at, why=why)
            try:
                await ask(self._host, STREAM, refused)
            except Refused:
                self._host.insist(STREAM, refused)
            raise

    async def _record(self, act: Act) -> bool:
        """Nothing is done that is not in the log, but who must go does not wait for the disk.

        False when it will be recorded as soon as that can be.

        Raises:
            Refused: a rule said no, or the log cannot be written.
        """
        held = self._hold(act)
        try:
            await ask(self._host, STREAM, act)
        except Refused as no:
            if held and isinstance(act, Unbanned) and no.refusal is Refusal.UNKNOWN_STREAM:
                self._drop(held)  # that ban was never recorded
                return True
            if not no.refusal.passes or not isinstance(act, URGENT):
                for one in held:
                    self._insist(one)
                raise
            if isinstance(act, Banned):
                self._drop(self._hold(act))  # another may have been refused meanwhile
                self._unrecorded.append(act)
                self._put_bans()
                self._insist(act)
            else:
                self._host.insist(STREAM, act)
            return False
        self._drop(held)
        return True

    def _hold(self, act: Act) -> list[Banned]:
        """The unrecorded bans of whom `act` is about: in force, but not insisted on meanwhile.

        One that was recorded after `act` would undo it.
        """
        about = _subject_of(act)
        held = [copy(one) for one in self._unrecorded if _subject_of(one) == about]
        others = [one for one in self._unrecorded if _subject_of(one) != about]
        self._unrecorded = others + held
        return held

    def _drop(self, held: Sequence[Banned]) -> None:
        """Something newer is so."""
        if held:
            self._unrecorded = [one for one in self._unrecorded if one not in held]
            self._put_bans()

    def _insist(self, act: Banned) -> None:
        # This very one: for its copy something else asks, or nothing any more.
        self._host.insist(STREAM, act, lambda: any(one is act for one in self._unrecorded))


def _subject_of(act: Act) -> tuple[BanKind, str] | None:
    match act:
        case Banned(ban=ban):
            return ban.kind, ban.who
        case Unbanned(kind=kind, who=who):
            return kind, who
        case _:
            return None


def _no(refusal: str, detail: str) -> dict[str, Any]:
    return {"ok": False, "refusal": str(refusal), "detail": detail}
