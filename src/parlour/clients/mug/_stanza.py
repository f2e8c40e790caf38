"""The elements of Multi-User Gaming as slixmpp stanzas.

Proto-XEPs "Multi-User Gaming" and "Tic-tac-toe".
"""

from typing import ClassVar
from xml.etree.ElementTree import Element, SubElement

from slixmpp import Iq, Message, Presence
from slixmpp.plugins.xep_0004 import Form
from slixmpp.stanza.error import Error
from slixmpp.xmlstream import ElementBase, register_stanza_plugin

NS = "http://jabber.org/protocol/mug"
NS_USER = f"{NS}#user"
NS_OWNER = f"{NS}#owner"
NS_TICTACTOE = f"{NS}/tictactoe"


class Item(ElementBase):
    """Who an occupant is: affiliation, role, nickname, and where it may be seen, JID."""

    name = "item"
    namespace = NS
    plugin_attrib = "item"
    interfaces: ClassVar = {"affiliation", "role", "jid", "nick"}


class Game(ElementBase):
    """`<game/>` in a presence: how one enters, what one is, and how the match stands."""

    name = "game"
    namespace = NS
    plugin_attrib = "mug"
    interfaces: ClassVar = {"var", "status", "password"}
    sub_interfaces: ClassVar = {"status", "password"}


class TicTacToeState(ElementBase):
    """The state of a tic-tac-toe match; `board` has the role that marked each (row, column)."""

    name = "state"
    namespace = NS_TICTACTOE
    plugin_attrib = "tictactoe"
    interfaces: ClassVar = {"rows", "cols", "strike", "next", "won", "draw", "board"}
    sub_interfaces: ClassVar = {"rows", "cols", "strike", "next", "won"}
    bool_interfaces: ClassVar = {"draw"}

    def get_board(self) -> dict[tuple[int, int], str]:
        """Rows are counted downward, columns to the right, from 1; what is no field is left out."""
        fields = self.xml.iterfind(f"{{{NS_TICTACTOE}}}board/{{{NS_TICTACTOE}}}field")
        return {
            (int(row), int(col)): field.text or ""
            for field in fields
            if _is_number(row := field.get("row", "")) and _is_number(col := field.get("col", ""))
        }

    def set_board(self, marks: dict[tuple[int, int], str]) -> None:
        self.del_board()
        board = SubElement(self.xml, f"{{{NS_TICTACTOE}}}board")
        for (row, col), role in marks.items():
            field = SubElement(board, f"{{{NS_TICTACTOE}}}field", row=str(row), col=str(col))
            field.text = role

    def del_board(self) -> None:
        for board in self.xml.findall(f"{{{NS_TICTACTOE}}}board"):
            self.xml.remove(board)


class Start(ElementBase):
    """`<start/>`: a player is ready to begin, or to go on."""

    name = "start"
    namespace = NS_USER
    plugin_attrib = "mug_start"
    interfaces: ClassVar[set[str]] = set()


class Turn(ElementBase):
    """`<turn/>`: what a player does, in the elements of the game."""

    name = "turn"
    namespace = NS_USER
    plugin_attrib = "mug_turn"
    interfaces: ClassVar[set[str]] = set()


class TicTacToeMove(ElementBase):
    """A mark; the first move has the number 1."""

    name = "move"
    namespace = NS_TICTACTOE
    plugin_attrib = "tictactoe"
    interfaces: ClassVar = {"id", "row", "col"}


class InvalidTurn(ElementBase):
    """In an error: the turn was none."""

    name = "invalid-turn"
    namespace = NS
    plugin_attrib = "mug_invalid_turn"
    interfaces: ClassVar[set[str]] = set()


class Kicked(ElementBase):
    """In an unavailable presence: the occupant had to leave for an invalid turn."""

    name = "invalid-turn"
    namespace = NS_USER
    plugin_attrib = "mug_kicked"
    interfaces: ClassVar[set[str]] = set()


class Pause(ElementBase):
    """In a presence of the room: the match stands still."""

    name = "pause"
    namespace = NS
    plugin_attrib = "mug_pause"
    interfaces: ClassVar[set[str]] = set()


class OwnerQuery(ElementBase):
    """What the owner asks of a room."""

    name = "query"
    namespace = NS_OWNER
    plugin_attrib = "mug_owner"
    interfaces: ClassVar[set[str]] = set()


class RoomOptions(ElementBase):
    """The room's form, and in an element of the game its form."""

    name = "options"
    namespace = NS_OWNER
    plugin_attrib = "options"
    interfaces: ClassVar[set[str]] = set()


class TicTacToeOptions(ElementBase):
    """The form of tic-tac-toe inside the options of a room."""

    name = "options"
    namespace = NS_TICTACTOE
    plugin_attrib = "tictactoe"
    interfaces: ClassVar[set[str]] = set()


def register_stanzas() -> None:
    """Make the elements known to slixmpp's stanzas."""
    register_stanza_plugin(Presence, Game)
    register_stanza_plugin(Presence, Kicked)
    register_stanza_plugin(Presence, Pause)
    register_stanza_plugin(Game, Item)
    register_stanza_plugin(Game, TicTacToeState)
    register_stanza_plugin(Message, Start)
    register_stanza_plugin(Message, Turn)
    register_stanza_plugin(Turn, TicTacToeMove)
    register_stanza_plugin(Error, InvalidTurn)
    register_stanza_plugin(Iq, OwnerQuery)
    register_stanza_plugin(OwnerQuery, RoomOptions)
    register_stanza_plugin(RoomOptions, Form)
    register_stanza_plugin(RoomOptions, TicTacToeOptions)
    register_stanza_plugin(TicTacToeOptions, Form)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def state_of(game: Game) -> Element | None:
    """The state inside a `<game/>`, whatever game it is of."""
    return next((child for child in game.xml if child.tag.endswith("}state")), None)
