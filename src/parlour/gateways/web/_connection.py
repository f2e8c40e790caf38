"""Runs a browser's session on its WebSocket."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial

from starlette.types import Receive, Scope, Send

from parlour.games import Refusal, Refused
from parlour.gateways import Bans, customer_of
from parlour.gateways.web import _effects as effects
from parlour.gateways.web import _requests as requests
from parlour.gateways.web._channel import Channel, encode
from parlour.gateways.web._declined import Declined
from parlour.gateways.web._effects import Effect
from parlour.gateways.web._frames import FRAMES, FrameProtocol, text_frame
from parlour.gateways.web._guests import Guests, Present
from parlour.gateways.web._lobby import LobbyBoard
from parlour.gateways.web._session import TOO_MANY, Guest, WebSession
from parlour.gateways.web._tables import Tables
from parlour.gateways.web._told import RefusedRequest, Told
from parlour.host import MISTAKEN, Accept, Chat, Host, Refuse, StoreError
from parlour.match import Match, TakeSeat

log = logging.getLogger("parlour.web")

UNREAD = Declined(Refusal.UNAVAILABLE, "the log cannot be read just now")


class Hall:
    """What the connections of this gateway share."""

    def __init__(
        self,
        host: Host,
        chat: Chat,
        tables: Tables,
        guests: Guests,
        lobby: LobbyBoard,
        epoch: str,
        bans: Bans,
        declined: Callable[[str], None],
    ) -> None:
        self.host = host
        self.bans = bans
        self.declined = declined  # hears of every request that does not get as far as the match
        self.tables = tables
        self.guests = guests
        self.lobby = lobby
        self.epoch = epoch
        self.connections: set[Connection] = set()
        self._chat = chat
        self._channels: dict[str, Channel] = {}

    def channel(self, stream: str) -> Channel:
        """The channel of a match that exists."""
        channel = self._channels.get(stream)
        if channel is None:
            channel = Channel(stream, self.host, self._chat, self.tables, self._forget)
            self._channels[stream] = channel
        return channel

    def existing(self, stream: str) -> Channel | None:
        """The channel of a match that somebody watches."""
        return self._channels.get(stream)

    def close(self) -> None:
        """Say goodbye to everybody."""
        self.guests.close()
        for connection in tuple(self.connections):
            connection.close()
        self.lobby.close()

    def _forget(self, stream: str) -> None:
        self._channels.pop(stream, None)


class Connection:
    """Carries a session's effects out; the session never learns of sockets."""

    def __init__(self, hall: Hall, guest: Guest | None) -> None:
        self._hall = hall
        self.since = self.heard = hall.host.now()
        self._guest = guest
        self._present: Present | None = None
        self._session: WebSession
        self._frames: FrameProtocol
        self._channels: dict[str, Channel] = {}
        self._inputs: list[Callable[[], Sequence[Effect]]] = []
        self._busy = False
        self._closing: int | None = None
        self._knock: requests.Watch | requests.TakeSeat | None = None
        self._customer = ""
        self._tasks: set[asyncio.Task[None]] = set()
        self._looked_up: dict[str, list[effects.WatchMatch]] = {}

    async def run(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a WebSocket from its handshake to its end."""
        await receive()
        await send({"type": "websocket.accept"})
        frames = scope["extensions"][FRAMES]
        assert isinstance(frames, FrameProtocol)
        self._frames = frames
        hall = self._hall
        self._customer = customer_of(scope["client"][0]) if scope.get("client") else ""
        if self._guest is not None:
            identity, name = self._guest.identity, self._guest.name
            if (ban := hall.bans.of_person(identity, name, hall.host.now())) is not None:
                frames.send_away(ban.sentence())
                return
            self._present = hall.guests.enter(self._guest, self)
            if self._present is None:
                await send({"type": "websocket.close", "code": TOO_MANY})
                return
            self._guest = self._present.guest
        self._session = WebSession(self._guest, hall.tables, self._customer)
        hall.connections.add(self)
        try:
            self._welcome()
            await self._serve(receive, send)
        finally:
            self._lost()

    async def _serve(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            self.heard = self._hall.host.now()
            data = message.get("text") or message.get("bytes") or ""
            self._hear(partial(self._asked, data))
            while self._knock is not None:
                await self._look_at(self._knock)
            if self._closing is not None:
                await send({"type": "websocket.close", "code": self._closing})
                return

    def _asked(self, data: str | bytes) -> Sequence[Effect]:
        return self._counted(self._session.received(data, self._hall.host.now()))

    def _counted(self, answers: Sequence[Effect]) -> Sequence[Effect]:
        """What the session says of a request by itself; the match's refusals come later."""
        for effect in answers:
            if isinstance(effect, effects.Tell) and isinstance(effect.message, RefusedRequest):
                self._hall.declined(effect.message.refusal)
        return answers

    async def _look_at(self, request: requests.Watch | requests.TakeSeat) -> None:
        """Find out whether a password is right; the session hears nothing else meanwhile."""
        self._knock = None
        now, no = self._hall.host.now, None
        locks = self._hall.tables.locks
        try:
            await locks.look(request.match, request.password, self._customer, now())
        except Declined as wrong:
            no = wrong
        self._hear(lambda: self._counted(self._session.knocked(request, no, now())))

    # What the operator asks

    @property
    def peer(self) -> str:
        """The other end of the socket, as in `10.0.0.7:51234`."""
        return self._frames.peer

    @property
    def address(self) -> str:
        """Where the page is, which a proxy knows better than the socket."""
        return self._frames.address

    @property
    def guest(self) -> Guest:
        """Who it is; nobody without a cookie."""
        return self._guest or Guest("", "")

    def send_away(self, why: str) -> None:
        """End the connection with a reason."""
        self._frames.send_away(why)

    # What the gateway tells the connection

    def write(self, frame: bytes) -> None:
        """Send a frame that is ready."""
        self._frames.write_frame(frame)

    def fail(self) -> None:
        """A mistake of ours: the page comes again and finds everything."""
        self._frames.drop("a mistake of ours")

    def tell(self, message: Told) -> None:
        """Send a message."""
        self.write(text_frame(encode(message)))

    def answer(self, id_: int | None, no: Refused) -> None:
        """A request was refused."""
        self._hear(partial(self._session.refused, id_, None, no))

    def opened(self, stream: str, version: int, match: Match) -> None:
        """What was missed of a match has been sent; where one sits comes right behind it."""
        for effect in self._session.opened(stream, version, match):
            self._act(effect)

    def seats_changed(self, stream: str, version: int, match: Match) -> None:
        """Something other than a move has happened at a match that is watched."""
        self._hear(partial(self._session.seats_changed, stream, version, match))

    def looks_on(self, stream: str) -> bool:
        """Whether the guest counts among those who look on."""
        return self._session.looks_on(stream)

    def close(self) -> None:
        """The service stops."""
        self._hear(self._session.closing)

    def _welcome(self) -> None:
        seats: tuple[str, ...] = ()
        seeking = None
        if self._present is not None and self._guest is not None:
            seats = self._hall.guests.seats(self._guest.identity)
            seeking = self._present.seeking
        now = self._hall.host.now()
        self._hear(partial(self._session.connected, self._hall.epoch, seats, seeking, now))

    def _lost(self) -> None:
        self._hall.connections.discard(self)
        for task in self._tasks:
            task.cancel()
        for channel in self._channels.values():
            channel.leave(self)
        self._hall.lobby.leave(self)
        if self._present is not None:
            self._hall.guests.leave(self._present, self)

    # What the session wants

    def _hear(self, hear: Callable[[], Sequence[Effect]]) -> None:
        """Give the session one input and carry out what that leads to.

        A mistake of ours costs this connection and nobody else anything.
        """
        self._inputs.append(hear)
        if self._busy:  # an effect is being carried out: its answer comes after it
            return
        self._busy = True
        try:
            while self._inputs:
                for effect in self._inputs.pop(0)():
                    self._act(effect)
        except Exception:
            log.exception("a browser's session failed; its connection is closed")
            self._inputs.clear()
            self.fail()
        finally:
            self._busy = False

    def _act(self, effect: Effect) -> None:
        match effect:
            case effects.Tell(message):
                self.tell(message)
            case effects.Ask():
                self._ask(effect)
            case effects.Knock(request):
                self._knock = request
            case effects.WatchMatch():
                self._watch(effect)
            case effects.UnwatchMatch(stream):
                channel = self._channels.pop(stream, None)
                if channel is not None:
                    channel.leave(self)
            case effects.WatchLobby():
                self._hall.lobby.join(self)
            case effects.UnwatchLobby():
                self._hall.lobby.leave(self)
            case effects.Close(code):
                self._closing = code
            case _:
                self._act_as_guest(effect)

    def _act_as_guest(self, effect: Effect) -> None:
        present = self._present
        assert present is not None
        match effect:
            case effects.Find(id_, seek):
                self._hall.guests.seek(present, self, id_, seek)
            case effects.StopFinding():
                self._hall.guests.stop_seeking(present)
            case effects.Say(stream, text):
                channel = self._channels.get(stream)
                if channel is not None:
                    channel.say(present.guest.identity, present.guest.name, text)
            case effects.OfferRematch() | effects.EndRematch():
                self._negotiate(effect, present.guest)

    def _ask(self, ask: effects.Ask) -> None:
        refuse, accept = self._answers(ask.id, ask.stream)
        if isinstance(ask.command, TakeSeat):
            sitter = ask.command.newcomer.identity
            refuse, accept = self._hall.tables.seats.asking([sitter], ask.stream, refuse, accept)
        self._hall.host.submit(ask.stream, ask.command, refuse, accept)

    def _negotiate(self, wanted: effects.OfferRematch | effects.EndRematch, guest: Guest) -> None:
        channel = self._channels.get(wanted.stream)
        refuse, accept = self._answers(wanted.id, wanted.stream)
        try:
            if channel is None or channel.story.match is None:
                raise Declined(Refusal.UNKNOWN_STREAM, "the match is still being read")
            if isinstance(wanted, effects.OfferRematch):
                online = self._hall.guests.is_online
                channel.offers.offer(channel.story, guest.identity, online, refuse, accept)
            else:
                channel.offers.end(channel.story.match, guest.identity)
                accept()
        except Declined as no:
            self.tell(RefusedRequest(wanted.id, wanted.stream, no.refusal, no.detail))

    def _answers(self, id_: int | None, stream: str) -> tuple[Refuse, Accept]:
        """How the session hears that what it asked of a match is refused, or recorded."""
        return (
            lambda no: self._hear(partial(self._session.refused, id_, stream, no)),
            lambda: self._hear(partial(self._session.accepted, id_, stream)),
        )

    def _watch(self, wanted: effects.WatchMatch) -> None:
        stream, hall = wanted.stream, self._hall
        if hall.host.directory.get(stream) is not None or stream in self._channels:
            self._looked_up.pop(stream, None)
            self._join(wanted)
        elif stream in self._looked_up:
            self._looked_up[stream].append(wanted)
        elif not hall.tables.looks.admits(self._customer, hall.host.now()):
            no = Declined(Refusal.LIMIT, "ask for matches that are long over more slowly")
            self._not_opened(wanted, no)
        else:  # being created just now, finished long ago, or not there at all: the log knows
            asked = self._looked_up[stream] = [wanted]
            task = asyncio.get_running_loop().create_task(self._look_up(stream, asked))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _look_up(self, stream: str, asked: list[effects.WatchMatch]) -> None:
        """Answer all who `asked` meanwhile; of a match that is there the last one counts."""
        no: Declined | None = None
        try:
            await self._hall.host.state(stream)
        except Refused as refused:
            no = Declined.of(refused)
        except StoreError:
            no = UNREAD
        except Exception:  # a mistake of ours must not keep them waiting
            log.exception("%s could not be looked up", stream)
            no = Declined(Refusal.MISTAKE, MISTAKEN)
        if self._looked_up.get(stream) is not asked:  # it was listed meanwhile, and joined
            return
        del self._looked_up[stream]
        if no is not None:
            for wanted in asked:
                self._hear(partial(self._session.not_opened, wanted.id, stream, no))
        elif self._session.watches(stream):
            self._join(asked[-1])

    def _join(self, wanted: effects.WatchMatch) -> None:
        channel = self._hall.channel(wanted.stream)
        most = self._hall.tables.limits.spectators
        if channel.size >= most and wanted.stream not in self._channels:
            seats = () if self._guest is None else self._hall.guests.seats(self._guest.identity)
            if wanted.stream not in seats:
                no = Declined(Refusal.LIMIT, f"{most} connections watch that match already")
                self._hear(partial(self._session.not_opened, wanted.id, wanted.stream, no))
                return
        self._channels[wanted.stream] = channel
        channel.join(self, wanted.after, partial(self._not_opened, wanted))

    def _not_opened(self, wanted: effects.WatchMatch, no: Declined) -> None:
        self._channels.pop(wanted.stream, None)
        self._hear(partial(self._session.not_opened, wanted.id, wanted.stream, no))
