"""An XMPP client of a torture: tic-tac-toe in a room, gone back to whenever the stream was lost."""

import asyncio
import contextlib
import hashlib
import logging
from functools import partial
from typing import Any, cast

from slixmpp import ClientXMPP
from slixmpp.exceptions import XMPPError
from slixmpp.util.sasl.mechanisms import SCRAM
from slixmpp.xmlstream.xmlstream import NotConnectedError

import parlour.clients.mug  # noqa: F401  # makes the plugin known to slixmpp
from benchmarks.torture.notes import Fault, Shown, now
from benchmarks.torture.players import AGAIN, AWAY, LOST_PATIENCE, Player, World
from parlour.clients.mug import MUG
from parlour.games.tictactoe import Options, TicTacToe

NS = "http://jabber.org/protocol/mug"
HOST, GAMES, PASSWORD = "localhost", "games.localhost", "moves"
ROLES = ("x", "o")
NUDGE = 1.0  # seconds between looks at what is to be done, when nothing is heard
LOGIN = 10.0  # seconds
ANSWER = 5.0


class Occupant(Player):
    """Plays one game in a room; the first to come makes the room.

    In a public one a textbook client may take the other role.
    """

    protocol = "mug"

    def __init__(self, world: World, room: str, role: str, public: bool) -> None:
        super().__init__(world)
        self.public = public
        self.room = f"{room}@{GAMES}"
        self.role = role
        self.client: ClientXMPP | None = None
        self._news = asyncio.Event()
        self._away = 0.0
        self._shown: list[tuple[int, str]] | None = None
        self._registered = False
        self._offered = False  # the other role, to whoever comes
        self._fresh = True  # the room has said nothing yet on this connection

    async def live(self) -> None:
        loop = asyncio.get_running_loop()
        self.since = now()
        end = loop.time() + LOST_PATIENCE
        while not self.over and (self.begun or loop.time() < end):
            self._news.clear()
            await self._try()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), NUDGE)
        if not self.over:
            self.give_up()
        if self.client is not None:
            with contextlib.suppress(XMPPError, TimeoutError, KeyError, NotConnectedError):
                await asyncio.wait_for(self._mug().leave(self.room), ANSWER)
            await self._hang_up()

    def suffer(self, kind: str) -> None:
        if kind == "cut" and self.client is not None and not self.over:
            self.note(Fault, kind="cut")
            self._away = self.world.rng.uniform(0, AWAY)
            self.client.abort()

    async def _try(self) -> None:
        """Do what is to be done; whatever the end of a stream does to that is no end of ours."""
        try:
            await asyncio.wait_for(self._do_what_is_to_be_done(), LOGIN)
        except (XMPPError, TimeoutError):
            pass
        except NotConnectedError:  # the stream's end was not told
            if self.client is not None:
                self._lost(self.client)
        except asyncio.CancelledError:  # slixmpp cancels what waits for a lost stream
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise

    async def _do_what_is_to_be_done(self) -> None:
        if self.client is None:
            away, self._away = self._away, 0.0
            await asyncio.sleep(max(away, AGAIN))
            await self._log_in()
        if self.client is None:
            return
        mug = self._mug()
        room = mug.rooms.get(self.room)
        if room is None:
            room = await mug.enter(self.room, self.name)
            self._offered = False
            owns = room.occupants[self.name].affiliation == "owner"
            if self.begun and room.status == "created":  # anew: the old one has gone
                self.missed()
            elif owns and not self.begun:  # another cannot come in before that
                await mug.configure(self.room, self._form())
            return
        held = {one.role for one in room.occupants.values()}
        mine = room.occupants.get(self.name)
        if mine is None or mine.role != self.role:
            await mug.take_role(self.room, self.role)
        elif self.over:
            return  # or we would start the next round
        elif not (self._offered or self.begun):
            self._offered = True
            if self.public:  # whoever comes is given the other role from now on
                with contextlib.suppress(XMPPError):  # for it is free
                    await mug.start(self.room)
            self.seated.set()
        elif held >= set(ROLES) and room.status == ("paused" if self.begun else "inactive"):
            await mug.start(self.room)
        elif room.status == "active" and self._thinking is None and not self._asked:
            self.consider()

    def _form(self) -> Any:
        plugins: Any = self.client.plugin if self.client is not None else {}
        form = plugins["xep_0004"].make_form("submit")
        form.add_field("FORM_TYPE", "hidden", value=f"{NS}#roomconfig")
        form.add_field("mug#roomconfig_publicroom", value=str(int(self.public)))
        # As textbook clients play it: a second round would begin with the other.
        form.add_field("mug/tictactoe#config_first", value="x")
        return form

    def _mug(self) -> MUG:
        plugins: Any = self.client.plugin if self.client is not None else {}
        return cast(MUG, plugins["mug"])

    async def _log_in(self) -> None:
        """Over a new connection; the first time with a new account."""
        options = {"feature_mechanisms": {"unencrypted_plain": True, "unencrypted_scram": True}}
        client = ClientXMPP(f"{self.name}@{HOST}/board", PASSWORD, plugin_config=options)
        client.enable_plaintext = True
        client.enable_starttls = client.enable_direct_tls = False
        client.register_plugin("mug")
        client.register_plugin("xep_0199")
        if not self._registered:
            client.register_plugin("xep_0077")
            client.plugin["xep_0077"].force_registration = True
            client.add_event_handler("register", partial(self._register, client))
        client.add_event_handler("mug_state", self._state)
        for name in ("mug_occupant", "mug_left", "mug_start", "disconnected"):
            client.add_event_handler(name, self._hear_of)
        begun = asyncio.ensure_future(client.wait_until("session_start", LOGIN))
        client.connect("127.0.0.1", self.world.ports["xmpp"])
        try:
            await begun
        except (TimeoutError, asyncio.CancelledError):
            _drop(client)
            raise
        if not client.is_connected():  # it was lost before anybody could hear of that
            _drop(client)
            return
        self._registered = self._fresh = True
        self.client = client
        client.add_event_handler("disconnected", lambda _: self._lost(client))

    async def _register(self, client: ClientXMPP, _: Any) -> None:
        iq: Any = client.make_iq_set()
        iq["register"]["username"], iq["register"]["password"] = self.name, PASSWORD
        with contextlib.suppress(XMPPError):  # registered just before the last cut
            await iq.send(timeout=ANSWER)

    def _lost(self, client: ClientXMPP) -> None:
        if client is self.client:
            self.client = None
            self._asked = 0.0
            self.rest()
            _drop(client)
            if not self.over:
                self.note(Fault, kind="lost")
            self._news.set()

    async def _hang_up(self) -> None:
        client, self.client = self.client, None
        if client is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.ensure_future(client.disconnect(wait=0.5)), 2)
            _drop(client)

    def _hear_of(self, _: Any) -> None:
        self._news.set()

    def _state(self, said: Any) -> None:
        """The room says how the match stands."""
        self._news.set()
        if self.over or said["from"].bare != self.room:
            return
        status, state = said["mug"]["status"], said["mug"]["tictactoe"]
        marks = sorted(
            (ROLES.index(mark), f"{col - 1},{row - 1}")
            for (row, col), mark in state["board"].items()
        )
        fresh, self._fresh = self._fresh, False
        if status == "active" and not self.begun and self.seated.is_set():
            position = TicTacToe().start(Options(), 2)
            known = f"xmpp:{self.name}@{HOST}"
            self.begin(position, ROLES.index(self.role), 2, identity=known)
        if self.begun and (marks or status == "active") and not (state["won"] or state["draw"]):
            self._show(marks)
        if self.begun and status == "inactive":
            winner = state["won"]
            if winner:
                seat = ROLES.index(winner)
                self.ended([[seat], [1 - seat]])
            elif state["draw"]:
                self.ended([[0, 1]])
            elif fresh:
                self.missed()
            else:
                self.called_off()

    def _show(self, marks: list[tuple[int, str]]) -> None:
        if marks == self._shown:
            return
        if self._asked and len(marks) > self.plies:
            self.answered()
        self._asked = 0.0
        self._shown, self.plies = marks, len(marks)
        self.note(Shown, marks=marks)
        position = TicTacToe().start(Options(), 2)
        turns: dict[int, list[str]] = {0: [], 1: []}
        for seat, move in marks:
            turns[seat].append(move)
        for ply in range(len(marks)):
            position = position.play(turns[ply % 2].pop())
            if position.outcome is not None:
                break
        self.position = position
        self.consider()

    def act(self) -> None:
        if self.client is not None and self.room in self._mug().rooms:
            super().act()

    def ask(self, move: str) -> None:
        column, row = map(int, move.split(","))
        turn = self._mug().move(self.room, self.plies + 1, row + 1, column + 1)
        task = asyncio.ensure_future(turn)
        task.add_done_callback(self._asked_for)

    def _asked_for(self, task: "asyncio.Future[None]") -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, XMPPError):
            self.refused(str(error.condition))
        if error is not None:
            self._asked = 0.0
            self._news.set()


def _drop(client: ClientXMPP) -> None:
    client.abort()
    filters = client._run_out_filters
    if filters is not None:  # it would keep the client alive
        filters.cancel()


def _stretched(mechanism: SCRAM, text: bytes, salt: bytes, iterations: int) -> bytes:
    """Hi of SCRAM (RFC 5802, section 2.2).

    slixmpp's own takes 50 to 100 ms of all clients' time: of fifty who come back at once on a busy
    machine each would have given up before it was their turn.
    """
    assert mechanism.hash is not None
    return hashlib.pbkdf2_hmac(mechanism.hash().name, bytes(text), salt, iterations)


SCRAM.Hi = _stretched  # type: ignore  # where it is made for all of slixmpp
logging.getLogger("slixmpp").setLevel(logging.CRITICAL)
