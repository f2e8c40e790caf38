"""The stanzas of the plugin: read and written as the documents show them."""

from xml.etree.ElementTree import canonicalize, fromstring

from slixmpp import Message, Presence

from parlour.clients.mug import MUG
from parlour.clients.mug._plugin import _folded
from parlour.clients.mug._stanza import (
    NS,
    NS_TICTACTOE,
    NS_USER,
    TicTacToeMove,
    TicTacToeState,
    register_stanzas,
    state_of,
)
from parlour.match import fold_name
from parlour.wire.mug import nick_key

RARE = (*range(0x1BC00, 0x1BD00), *range(0x1D100, 0x1D200), *range(0xE0000, 0xE1001))

register_stanzas()

MID_GAME = f"""
<presence xmlns='jabber:client' from='garden@games.example.org'>
  <game xmlns='{NS}'>
    <status>active</status>
    <state xmlns='{NS_TICTACTOE}'>
      <rows>3</rows><cols>3</cols><strike>3</strike><next>o</next>
      <board>
        <field row='1' col='1'>x</field>
        <field row='2' col='1'>o</field>
        <field row='2' col='3'>x</field>
      </board>
    </state>
  </game>
</presence>
"""


def test_a_state_is_read() -> None:
    """Tic-tac-toe document, example 4."""
    game = Presence(xml=fromstring(MID_GAME))["mug"]
    state = game["tictactoe"]
    assert game["status"] == "active"
    assert (state["rows"], state["cols"], state["strike"], state["next"]) == ("3", "3", "3", "o")
    assert state["board"] == {(1, 1): "x", (2, 1): "o", (2, 3): "x"}
    assert (state["won"], state["draw"]) == ("", False)
    found = state_of(game)
    assert found is not None
    assert found.tag == f"{{{NS_TICTACTOE}}}state"


def test_a_board_that_is_written_reads_the_same() -> None:
    state = TicTacToeState()
    for board in ({(1, 1): "x"}, {(3, 2): "o", (1, 3): "x"}):
        state["board"] = board
        assert state["board"] == board
    del state["board"]
    assert state["board"] == {}


def test_a_turn_is_written_as_the_document_shows_it() -> None:
    """Tic-tac-toe document, example 6."""
    move = TicTacToeMove()
    move["id"], move["row"], move["col"] = "7", "3", "2"
    message = Message()
    message["type"] = "chat"
    message["mug_turn"].append(move)
    del message["id"]
    assert canonicalize(str(message)) == canonicalize(
        f"<message xmlns='jabber:client' type='chat'><turn xmlns='{NS_USER}'>"
        f"<move xmlns='{NS_TICTACTOE}' id='7' row='3' col='2'/></turn></message>"
    )


def test_the_plugin_is_called_by_its_name() -> None:
    assert (MUG.name, MUG.dependencies) == ("mug", {"xep_0004", "xep_0030"})


def test_nicknames_are_compared_as_rooms_and_tables_compare_them() -> None:
    """The three stand on nothing common, and have one list of what shows nothing."""
    for code in (*range(0x3400), *range(0xA000, 0xAC00), *range(0xF900, 0x10000), *RARE):
        nick = f"a{chr(code)}B"
        assert _folded(nick) == nick_key(nick) == fold_name(nick), hex(code)


def test_of_a_hostile_board_only_fields_are_read() -> None:
    fields = "".join(
        f"<field row='{row}' col='1'>x</field>"
        for row in ("2", "", "b", "\u0662", "9" * 5000, "-1")
    )
    board = f"<state xmlns='{NS_TICTACTOE}'><board>{fields}<field col='1'>x</field></board></state>"
    assert TicTacToeState(xml=fromstring(board))["board"] == {(2, 1): "x"}
