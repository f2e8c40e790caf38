"""People at XMPP clients, without a library between the bytes and the clock."""

import base64
import itertools
import re
import socket
import time

from benchmarks.processes import BenchError
from tests.interop.xmpp.servers import GAMES, GUESTS, XmppServer

WITHIN = 30.0  # seconds for anything
MUG = "http://jabber.org/protocol/mug"
GAME = f"{MUG}/tictactoe"
STATE = re.compile(rb"<status>(\w+)</status><state[^>]*>(.*?)</state>", re.DOTALL)
NEXT = re.compile(rb"<next>(\w)</next>")
LONGEST = 1 << 16  # bytes of a stanza and more
# A game without a line: every round has nine turns and ends in a draw.
MARKS = [(1, 1), (1, 2), (1, 3), (2, 2), (2, 1), (2, 3), (3, 2), (3, 1), (3, 3)]

HEADER = (
    "<stream:stream to='{}' version='1.0' xmlns='jabber:client' "
    "xmlns:stream='http://etherx.jabber.org/streams'>"
)
BIND = (
    "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
    "<resource>r</resource></bind></iq>"
)
AUTH = "<auth mechanism='ANONYMOUS' xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>{}</auth>"


class Person:
    """One guest of the server, logged in."""

    def __init__(self, server: XmppServer) -> None:
        self.connection = socket.create_connection(("127.0.0.1", server.clients), WITHIN)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._data = b""
        self.says(HEADER.format(GUESTS))
        self.hears("</stream:features>")
        trace = base64.b64encode(b"bench").decode()
        self.says(AUTH.format(trace))
        self.hears("<success")
        self.says(HEADER.format(GUESTS))
        self.hears("</stream:features>")
        self.says(BIND)
        self.hears("</jid>")

    def says(self, stanza: str) -> None:
        self.connection.sendall(stanza.encode())

    def hears(self, word: str) -> None:
        """Read until the word has come; what was before it is over."""
        wanted = word.encode()
        while wanted not in self._data:
            piece = self.connection.recv(LONGEST)
            if not piece:
                raise BenchError(f"a connection ended before {word!r}")
            self._data = self._data[-LONGEST:] + piece
        self._data = self._data.partition(wanted)[2]

    def enters(self, room: str, nick: str) -> None:
        self.says(
            f"<presence to='{room}@{GAMES}/{nick}'><game xmlns='{MUG}' var='{GAME}'/></presence>"
        )

    def configures(self, room: str) -> None:
        self.says(
            f"<iq type='set' id='c-{room}' to='{room}@{GAMES}'><query xmlns='{MUG}#owner'>"
            "<options><x xmlns='jabber:x:data' type='submit'><field var='mug#roomconfig_maxusers'>"
            "<value>50</value></field></x></options></query></iq>"
        )

    def sits(self, room: str, role: str) -> None:
        self.says(
            f"<presence to='{room}@{GAMES}'><game xmlns='{MUG}'><item role='{role}'/></game>"
            "</presence>"
        )

    def reads(self) -> bytes:
        """What has come; it is not kept."""
        data = self.connection.recv(LONGEST)
        if not data:
            raise BenchError("the server closed a connection")
        return data

    def close(self) -> None:
        self.connection.close()


class Player(Person):
    """Plays round after round, as the states of the room tell."""

    def __init__(self, server: XmppServer, room: str, role: str) -> None:
        super().__init__(server)
        self.room = room
        self.role = role
        self.turns = 0
        self.spent: list[float] = []
        self._sent = 0.0
        self._rest = b""

    def starts(self) -> None:
        self.says(f"<message to='{self.room}@{GAMES}'><start xmlns='{MUG}#user'/></message>")

    def goes_on(self) -> None:
        """Read what has come and do what it asks for."""
        data = self._rest + self.reads()
        end = 0
        for state in STATE.finditer(data):
            end = state.end()
            self._sees(state[1], state[2])
        self._rest = data[end:][-LONGEST:]

    def _sees(self, status: bytes, state: bytes) -> None:
        marks = state.count(b"<field ")
        on_turn = NEXT.search(state)
        mine = on_turn is not None and on_turn[1].decode() == self.role
        if status == b"inactive":
            if b"<draw" in state:
                self.starts()
            return
        if marks and not mine and self._sent:  # our own turn has come back
            self.spent.append((time.perf_counter() - self._sent) * 1000)
            self._sent = 0.0
        self.turns += marks > 0
        if mine:
            self._moves(marks)

    def _moves(self, marks: int) -> None:
        row, col = MARKS[marks]
        self._sent = time.perf_counter()
        self.says(
            f"<message to='{self.room}@{GAMES}' type='chat'><turn xmlns='{MUG}#user'>"
            f"<move xmlns='{GAME}' row='{row}' col='{col}' id='{marks + 1}'/></turn></message>"
        )


class Table:
    """A room with two players and spectators."""

    def __init__(self, server: XmppServer, room: str, occupants: int) -> None:
        self.players = [Player(server, room, role) for role in "xo"]
        self.spectators = [Person(server) for _ in range(occupants - 2)]
        owner = self.players[0]
        owner.enters(room, "n0")
        owner.hears("created")
        owner.configures(room)
        owner.hears(f"c-{room}")
        everybody = [*self.players, *self.spectators]
        for number, one in enumerate(everybody[1:], 1):
            one.enters(room, f"n{number}")
            one.hears(f"/n{number}")
        for player, number in zip(self.players, itertools.count()):
            player.sits(room, player.role)
            for one in self.players:
                one.hears(f"/n{number}")

    def close(self) -> None:
        for one in (*self.players, *self.spectators):
            one.close()
