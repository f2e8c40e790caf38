"""Multi-User Gaming for a slixmpp client: commands, events, and what is known of each room."""

import asyncio
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar
from xml.etree.ElementTree import Element

from slixmpp import JID, Iq, Message, Presence
from slixmpp.exceptions import PresenceError, XMPPError
from slixmpp.plugins.base import BasePlugin, register_plugin
from slixmpp.plugins.xep_0004 import Form
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import StanzaPath

from parlour.clients.mug import _stanza as stanza

ANSWER = 30.0  # seconds that a room may take

# As in Parlour's rooms: what shows nothing beside format characters.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2065\u2800\u3164\ufe00-\ufe0f"
    "\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True, slots=True)
class Occupant:
    """What a room says of somebody inside; `jid` is empty where it is not shown."""

    affiliation: str
    role: str
    jid: str


@dataclass(slots=True)
class Room:
    """A room as its last presences show it; `state` is an element of the room's game."""

    game: str
    nick: str
    status: str = ""
    state: Element | None = None
    occupants: dict[str, Occupant] = field(default_factory=dict)


class TurnError(XMPPError):
    """A room refused a turn or a start; `message` is what it said."""

    def __init__(self, message: Message) -> None:
        error = message["error"]
        super().__init__(error["condition"], error["text"], error["type"])
        self.message = message
        self.invalid_turn = error.get_plugin("mug_invalid_turn", check=True) is not None


@dataclass(slots=True)
class _Waiting:
    """Somebody waits for what `matches`, or for the error with that id."""

    id: str
    matches: Callable[[Presence | Message], bool]
    answer: "asyncio.Future[Presence | Message]"


class MUG(BasePlugin):
    """Multi-User Gaming (proto-XEP 0.0.3) with Tic-tac-toe (proto-XEP 0.0.1).

    Events, each with the stanza: `mug_state` (the room says how the match stands),
    `mug_occupant` and `mug_left` (somebody came, changed, went), `mug_start`, `mug_turn`,
    `mug_error` (the room refused something); and each again as `mug::ROOM::state` and so on.
    """

    name = "mug"
    description = "Multi-User Gaming"
    dependencies: ClassVar = {"xep_0004", "xep_0030"}
    stanza = stanza

    rooms: dict[str, Room]

    def plugin_init(self) -> None:
        self.rooms = {}
        self._waiting: list[_Waiting] = []
        self._entering: Counter[str] = Counter()
        stanza.register_stanzas()
        handlers: dict[str, Callable[[Any], None]] = {
            "presence/mug": self._presence,
            "presence@type=error": self._refused,
            "message@type=error": self._refused,
            "message/mug_start": self._start,
            "message/mug_turn": self._turn,
        }
        self._names = [f"MUG {path}" for path in handlers]
        for name, (path, handle) in zip(self._names, handlers.items(), strict=True):
            self.xmpp.register_handler(Callback(name, StanzaPath(path), handle))
        self.xmpp.add_event_handler("session_end", self._gone)

    def session_bind(self, jid: JID) -> None:
        for feature in (stanza.NS, stanza.NS_TICTACTOE):
            self.xmpp.plugin["xep_0030"].add_feature(feature)

    def plugin_end(self) -> None:
        for name in self._names:
            self.xmpp.remove_handler(name)
        self.xmpp.del_event_handler("session_end", self._gone)
        for feature in (stanza.NS, stanza.NS_TICTACTOE):
            self.xmpp.plugin["xep_0030"].del_feature(feature=feature)

    # Commands

    async def enter(
        self, room: str, nick: str, game: str = stanza.NS_TICTACTOE, password: str = ""
    ) -> Room:
        """Go into a room, which is made if it is not there; inside, take another nickname.

        Raises:
            PresenceError: the room refused, and who was inside before still is.
            TimeoutError: it did not answer.
        """
        room = JID(room).bare
        known = self.rooms.setdefault(room, Room(game, nick))
        presence = self.xmpp.make_presence(pto=f"{room}/{nick}")
        presence["mug"]["var"] = game
        if password:
            presence["mug"]["password"] = password

        def entered(one: Presence | Message) -> bool:
            return self._is_own(one, room, "mug") and _folded(known.nick) == _folded(nick)

        self._entering[room] += 1
        try:
            await self._ask(presence, entered)
        except (TimeoutError, asyncio.CancelledError):
            if self._still_outside(room, known):  # but the room may let us in yet
                self.xmpp.make_presence(pto=f"{room}/{nick}", ptype="unavailable").send()
            raise
        finally:
            if self._still_outside(room, known):
                del self.rooms[room]
            self._entering[room] -= 1
        return known

    def _still_outside(self, room: str, known: Room) -> bool:
        """Whether a room has not let us in, and nobody else waits for that."""
        last = self._entering[room] == 1 and self.rooms.get(room) is known
        return last and known.nick not in known.occupants

    async def take_role(self, room: str, role: str) -> None:
        """Become a player, or with the role `none` a spectator.

        Raises:
            PresenceError: the room refused.
            TimeoutError: it did not answer.
        """
        room = JID(room).bare
        presence = self.xmpp.make_presence(pto=room)
        presence["mug"]["item"]["role"] = role

        def taken(one: Presence | Message) -> bool:
            return self._is_own(one, room, "mug") and one["mug"]["item"]["role"] == role

        await self._ask(presence, taken)

    async def start(self, room: str) -> None:
        """Say that one is ready to begin, or to go on after a pause.

        Raises:
            TurnError: the room refused.
            TimeoutError: it did not answer.
        """
        room = JID(room).bare
        message = self.xmpp.make_message(mto=room, mtype="normal")
        message.enable("mug_start")
        await self._ask(message, lambda one: self._is_own(one, room, "mug_start"))

    async def move(self, room: str, number: int, row: int, col: int) -> None:
        """Mark a field of a tic-tac-toe board.

        Raises:
            TurnError: the room refused, and may have put one out.
            TimeoutError: it did not answer.
        """
        move = stanza.TicTacToeMove()
        move["id"], move["row"], move["col"] = str(number), str(row), str(col)
        await self.turn(room, move.xml)

    async def turn(self, room: str, *elements: Element) -> None:
        """Make a turn in the elements of any game.

        Raises:
            TurnError: the room refused, and may have put one out.
            TimeoutError: it did not answer.
        """
        room = JID(room).bare
        message = self.xmpp.make_message(mto=room, mtype="chat")
        for element in elements:
            message["mug_turn"].xml.append(element)
        await self._ask(message, lambda one: self._is_own(one, room, "mug_turn"))

    async def leave(self, room: str) -> None:
        """Go out of a room, if one is inside.

        Raises:
            TimeoutError: it did not answer.
        """
        room = JID(room).bare
        known = self.rooms.get(room)
        if known is None:
            return
        presence = self.xmpp.make_presence(pto=f"{room}/{known.nick}", ptype="unavailable")
        await self._ask(presence, lambda one: self._is_own(one, room, "mug", "unavailable"))

    async def options(self, room: str) -> Iq:
        """The forms of a room, at `iq["mug_owner"]["options"]`.

        Raises:
            IqError, IqTimeout
        """
        iq = self.xmpp.make_iq_get(ito=room)
        iq["mug_owner"].enable("options")
        answer: Iq = await iq.send()
        return answer

    async def configure(
        self, room: str, room_form: Form | None = None, game_form: Form | None = None
    ) -> None:
        """Set the options of a room; without forms, as they are: an instant room.

        Raises:
            IqError, IqTimeout
        """
        iq = self.xmpp.make_iq_set(ito=room)
        options = iq["mug_owner"]["options"]
        form = room_form or self.xmpp.plugin["xep_0004"].make_form("submit")
        options.append(form)
        if game_form is not None:
            options["tictactoe"].append(game_form)
        await iq.send()

    # What rooms say

    def _presence(self, presence: Presence) -> None:
        sender = presence["from"]
        room = self.rooms.get(sender.bare)
        if room is None or presence["type"] == "error":
            return
        game = presence["mug"]
        if sender.resource and _folded(sender.resource) == _folded(room.nick):
            room.nick = sender.resource  # as the room writes it, from now on
        if not sender.resource:
            room.status = game["status"]
            room.state = stanza.state_of(game)
            self._tell("state", presence)
        elif presence["type"] == "unavailable":
            room.occupants.pop(sender.resource, None)
            self._answer(presence)
            if sender.resource == room.nick:
                del self.rooms[sender.bare]
            self._tell("left", presence)
        else:
            item = game["item"]
            shown = Occupant(item["affiliation"], item["role"] or "none", item["jid"])
            if item["nick"]:
                room.occupants.pop(sender.resource, None)
                room.nick = item["nick"] if sender.resource == room.nick else room.nick
            room.occupants[item["nick"] or sender.resource] = shown
            self._tell("occupant", presence)
            self._answer(presence)

    def _start(self, message: Message) -> None:
        if message["type"] != "error" and message["from"].bare in self.rooms:
            self._tell("start", message)
            self._answer(message)

    def _turn(self, message: Message) -> None:
        if message["type"] != "error" and message["from"].bare in self.rooms:
            self._tell("turn", message)
            self._answer(message)

    def _refused(self, said: Presence | Message) -> None:
        for waiting in tuple(self._waiting):
            if waiting.id == said["id"] and not waiting.answer.done():
                error = PresenceError(said) if isinstance(said, Presence) else TurnError(said)
                waiting.answer.set_exception(error)
        if said["from"].bare in self.rooms:
            self._tell("error", said)
        # A room says so of messages to whoever is not inside; what is no role is a presence's.
        # While we come in again it may speak of what was said before.
        room = said["from"].bare
        outside = isinstance(said, Message) and said["error"]["condition"] == "not-acceptable"
        if outside and not self._entering[room]:
            self.rooms.pop(room, None)

    def _tell(self, what: str, said: Presence | Message) -> None:
        self.xmpp.event(f"mug_{what}", said)
        self.xmpp.event(f"mug::{said['from'].bare}::{what}", said)

    # Questions and answers

    def _is_own(
        self, said: Presence | Message, room: str, element: str, type: str = "available"
    ) -> bool:
        """Whether a room says something of ourselves."""
        known = self.rooms.get(room)
        return (
            known is not None
            and said["from"].bare == room
            and said.get_plugin(element, check=True) is not None
            and known.nick in (said["from"].resource, _new_nick(said))
            and (isinstance(said, Message) or said["type"] == type)
        )

    async def _ask(
        self, said: Presence | Message, matches: Callable[[Presence | Message], bool]
    ) -> Presence | Message:
        said["id"] = said["id"] or self.xmpp.new_id()
        waiting = _Waiting(said["id"], matches, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        said.send()
        try:
            return await asyncio.wait_for(waiting.answer, ANSWER)
        finally:
            self._waiting.remove(waiting)

    def _answer(self, said: Presence | Message) -> None:
        """Rooms say things in order: of several who wait for the same the first has it."""
        for waiting in self._waiting:
            if not waiting.answer.done() and waiting.matches(said):
                waiting.answer.set_result(said)
                return

    def _gone(self, _: object) -> None:
        """The session has ended, and with it every stay in a room."""
        self.rooms.clear()
        for waiting in self._waiting:
            if not waiting.answer.done():
                waiting.answer.set_exception(TimeoutError("the connection has ended"))


def _new_nick(said: Presence | Message) -> str:
    """What an occupant is called from now on, where a presence says so."""
    item = said["mug"]["item"] if isinstance(said, Presence) else None
    return item["nick"] if item is not None else ""


def _folded(nick: str) -> str:
    """The form under which rooms compare nicknames: those that look the same are the same."""
    shown = "".join(one for one in _UNSEEN.sub("", nick) if unicodedata.category(one) != "Cf")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold())
    return " ".join(folded.split())


register_plugin(MUG)
