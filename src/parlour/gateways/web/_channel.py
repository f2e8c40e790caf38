"""One match and everybody who watches it: followed once, told and encoded once for all of them."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Protocol

import msgspec

from parlour.games import Refusal, Refused
from parlour.gateways import LOOKS_ON, SERVER
from parlour.gateways.web._declined import Declined
from parlour.gateways.web._frames import text_frame
from parlour.gateways.web._offers import Offers
from parlour.gateways.web._session import Guest
from parlour.gateways.web._story import Story
from parlour.gateways.web._tables import Tables
from parlour.gateways.web._told import ChatLines, ChatLineView, RematchOffered, Watchers
from parlour.gateways.web._views import (
    MoveEvent,
    RematchView,
    name_shown,
    protocol_of,
    text_shown,
)
from parlour.host import (
    Chat,
    ChatLine,
    Follower,
    Host,
    Recorded,
    StoreError,
    UnreadableError,
)
from parlour.match import Match, Status, fold_name

TAIL = 256  # events that who was away is told of; the whole state is shorter than more of them
READ_AGAIN = 1.0  # seconds
COUNTED_EVERY = 1.0  # seconds between two words on how many look on

log = logging.getLogger("parlour.web")
_encoder = msgspec.json.Encoder()
encode = _encoder.encode
fold = lru_cache(1024)(fold_name)  # those who come hear the same names over and over


class Watcher(Protocol):
    """A connection as a channel sees it."""

    @property
    def guest(self) -> Guest:
        """Whose it is."""

    def fail(self) -> None:
        """End: what was to be told cannot be."""

    def write(self, frame: bytes) -> None:
        """Send a frame."""

    def opened(self, stream: str, version: int, match: Match) -> None:
        """The state, or what was missed of it, has been sent."""

    def seats_changed(self, stream: str, version: int, match: Match) -> None:
        """Something other than a move has happened."""

    def looks_on(self, stream: str) -> bool:
        """Whether it counts among those who look on: no player, no preview."""


NotOpened = Callable[[Declined], None]


class Channel:
    """Follows one match as long as anybody watches, or the next game is being recorded.

    `empty` is called when that is over.
    """

    def __init__(
        self,
        stream: str,
        host: Host,
        chat: Chat,
        tables: Tables,
        empty: Callable[[str], None],
    ) -> None:
        self.stream = stream
        self.story = Story(stream)
        self.offers = Offers(stream, host, tables, self._offered, self._end_if_empty)
        self._host = host
        self._chat = chat
        self._tables = tables
        self._empty = empty
        self._events: deque[bytes] = deque(maxlen=TAIL)
        self._state: bytes | None = None
        self.watchers: dict[Watcher, None] = {}
        self._waiting: dict[Watcher, tuple[int, NotOpened]] = {}
        self._counter: asyncio.TimerHandle | None = None
        self._counted = -1
        self._listener = chat.listen(stream, self._heard, lambda: len(self.watchers), joins=True)
        self._follower: Follower | None = None
        self._reading = asyncio.get_running_loop().create_task(self._read())

    @property
    def size(self) -> int:
        """How many watch, those included who wait until the match is read."""
        return len(self.watchers) + len(self._waiting)

    def join(self, watcher: Watcher, after: int, refuse: NotOpened) -> None:
        """Tell a watcher what it has missed since `after`, and then everything that happens.

        `refuse` is called when there is nothing to tell of: the log has it not, or not readably.
        """
        if self.story.match is None:
            self._waiting[watcher] = after, refuse
        else:
            self._begin(watcher, after)

    def leave(self, watcher: Watcher) -> None:
        """Tell it no more."""
        self._waiting.pop(watcher, None)
        if watcher in self.watchers:
            del self.watchers[watcher]
            self._count_soon()
            self._withdraw(watcher.guest.identity)
        self._end_if_empty()

    def _end_if_empty(self) -> None:
        if not (self.size or self.offers.recording):
            self.close()
            self._empty(self.stream)

    def close(self) -> None:
        """Follow no more."""
        self._reading.cancel()
        if self._follower is not None:
            self._follower.stop()
        self._listener.stop()
        self.offers.close()
        if self._counter is not None:
            self._counter.cancel()

    def view(self) -> bytes | None:
        """The match as it is, as JSON; None while it is being read."""
        if self.story.match is None:
            return None
        if self._state is None:
            locked = self._tables.locks.locked(self.stream)
            self._state = encode(self.story.view(locked, self.offers.view))
        return self._state

    def say(self, identity: str, name: str, text: str) -> None:
        """Say something to everybody at the table."""
        line = ChatLine(self.stream, identity, self._name(identity, name), text, self._host.now())
        self._chat.say(line)

    def _withdraw(self, identity: str) -> None:
        """Who looks at the match no more, by any connection, offers nothing there either."""
        match = self.story.match
        assert match is not None
        if all(one.guest.identity != identity for one in self.watchers):
            self.offers.leave(match, identity)

    def _offered(self) -> None:
        self._state = None
        self._tell(self._rematch())

    # What the host and the chat tell

    async def _read(self) -> None:
        """Take in what there is, a long match beside the loop, and follow from there."""
        try:
            while not await self._is_read():
                await asyncio.sleep(READ_AGAIN)
            after = self.story.version
            # Who cannot be told of a fact must not believe to be up to date.
            self._follower = self._host.follow(self.stream, after, self._followed, self._fail)
            self._begin_waiting()
        except Declined as no:
            self._refuse(no)
        except Exception:
            log.exception("%s cannot be told", self.stream)
            self._fail()

    def _refuse(self, no: Declined) -> None:
        """There is nothing to watch, now or later. What is not over has a clock, and is counted."""
        if self.stream in self._host.directory.finished:
            self._host.directory.forget(self.stream)
        waiting, self._waiting = self._waiting, {}
        for _, refuse in waiting.values():
            refuse(no)
        self._end_if_empty()

    async def _is_read(self) -> bool:
        """Read the match; False when too many others are being read.

        Raises:
            Declined: UNKNOWN_STREAM.
        """
        story = Story(self.stream)
        try:
            records = await self._host.history(self.stream)
        except UnreadableError as error:
            log.error("%s", error)
            raise Declined.unreadable(self.stream) from None
        except (Refused, StoreError):
            return True  # whoever follows is told when it can be read
        if not records:  # whoever keeps the log has taken it out
            raise Declined(Refusal.UNKNOWN_STREAM, f"there is no {self.stream} any more")
        try:
            told = await self._tables.errands.do(partial(_learn, story, records), len(records))
        except Declined:
            return False
        self.story = story
        self._events.extend(told)
        return True

    def _fail(self) -> None:
        for watcher in (*self.watchers, *self._waiting):
            watcher.fail()

    def _followed(self, records: Sequence[Recorded]) -> None:
        first = self.story.match is None
        told = self.story.learn(records)
        encoded = [encode(event) for event in told]
        self._events.extend(encoded)
        self._state = None
        if self.watchers:
            self._tell(self._batch(encoded))
            if not all(isinstance(event, MoveEvent) for event in told):
                self._seats_changed()
        if first:
            self._begin_waiting()

    def _begin_waiting(self) -> None:
        """The match is known: tell it to those who have asked meanwhile."""
        if self.story.match is None:
            return
        self.offers.look_up(self.story.match)
        waiting, self._waiting = self._waiting, {}
        for watcher, (after, _) in waiting.items():
            self._begin(watcher, after)

    def _seats_changed(self) -> None:
        match = self.story.match
        assert match is not None
        for watcher in tuple(self.watchers):
            watcher.seats_changed(self.stream, self.story.version, match)
        self._count_soon()  # who sits down looks on no more

    def _heard(self, lines: Sequence[ChatLine]) -> None:
        """Tell what was said meanwhile, all in one frame."""
        self._tell(self._lines(lines, history=False))

    # What watchers are told

    def _begin(self, watcher: Watcher, after: int) -> None:
        match, version = self.story.match, self.story.version
        assert match is not None
        missed = version - after
        if after and 0 <= missed <= len(self._events):
            tail = list(islice(self._events, len(self._events) - missed, None))
            watcher.write(text_frame(self._batch(tail)))
        else:
            watcher.write(text_frame(self._whole()))
        self.watchers[watcher] = None
        watcher.opened(self.stream, version, match)
        lines = self._chat.lines(self.stream)
        behind = self._listener.behind  # lines that everybody is told soon
        lines = lines[: max(0, len(lines) - behind)]
        watcher.write(text_frame(self._lines(lines, history=True)))
        # Who was away may believe in an offer that has ended without a trace.
        if self.offers.view is not None or (after and match.status is Status.OVER):
            watcher.write(text_frame(self._rematch()))
        self._count_soon(watcher)

    def _tell(self, message: bytes) -> None:
        frame = text_frame(message)
        for watcher in tuple(self.watchers):
            watcher.write(frame)

    def _batch(self, events: Sequence[bytes]) -> bytes:
        head = (
            f'{{"type":"events","match":"{self.stream}","version":{self.story.version},"events":['
        )
        return head.encode() + b",".join(events) + b"]}"

    def _whole(self) -> bytes:
        state = self.view()
        assert state is not None
        return b'{"type":"match","now":%d,"match":%b}' % (self._host.now(), state)

    def _rematch(self) -> bytes:
        return encode(RematchOffered(self.stream, self.offers.view or RematchView()))

    def _lines(self, lines: Sequence[ChatLine], history: bool) -> bytes:
        return encode(ChatLines(self.stream, history, tuple(map(self._line, lines))))

    def _line(self, line: ChatLine) -> ChatLineView:
        match = self.story.match
        seat = None if match is None or not line.identity else match.seat_of(line.identity)
        name, text = name_shown(line.name), text_shown(line.text)
        if match is not None and seat is None and line.identity and _looks_like(name, match):
            name = f"{name} {LOOKS_ON}"
        return ChatLineView(name, seat, protocol_of(line.identity), text, line.at)

    def _name(self, identity: str, name: str) -> str:
        match = self.story.match
        seat = None if match is None else match.seat_of(identity)
        return name if match is None or seat is None else match.player(seat).name

    def _count_soon(self, newcomer: Watcher | None = None) -> None:
        if newcomer is not None and self._counted >= 0:
            newcomer.write(text_frame(encode(Watchers(self.stream, self._counted))))
        if self._counter is None:
            loop = asyncio.get_running_loop()
            self._counter = loop.call_later(COUNTED_EVERY, self._count)

    def _count(self) -> None:
        self._counter = None
        count = sum(watcher.looks_on(self.stream) for watcher in self.watchers)
        if count != self._counted:
            self._counted = count
            self._tell(encode(Watchers(self.stream, count)))


def _looks_like(name: str, match: Match) -> bool:
    """Whether somebody who looks on is called like a player, or like the server."""
    called = fold(name)
    return called == SERVER or any(fold(player.name) == called for _, player in match.players())


def _learn(story: Story, records: Sequence[Recorded]) -> list[bytes]:
    """Take a match in, and return the newest of what is told of it."""
    return [encode(event) for event in story.learn(records)[-TAIL:]]
