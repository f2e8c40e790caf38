"""A component that knows no rules: python -m benchmarks.xmpp_bare PORT DOMAIN SECRET.

It answers every turn with as many stanzas of the same sizes as the server does, from texts made
beforehand. What reaches the players through it is all that their XMPP server can carry.
"""

import asyncio
import hashlib
import re
import sys

from benchmarks.xmpp_people import GAME, MARKS, MUG

ATTRIBUTE = re.compile(rb"\b(from|to|id|role)=['\"]([^'\"]*)['\"]")
STANZA = re.compile(rb"<(presence|message|iq)\b.*?</\1>|<presence\b[^>]*/>", re.DOTALL)


def state(marks: int, status: str, last: str) -> str:
    """The state of a board with so many marks."""
    fields = "".join(
        f"<field row='{row}' col='{col}'>{'xo'[number % 2]}</field>"
        for number, (row, col) in enumerate(MARKS[:marks])
    )
    return (
        f"<game xmlns='{MUG}'><status>{status}</status><state xmlns='{GAME}'><rows>3</rows>"
        f"<cols>3</cols><strike>3</strike>{last}<board>{fields}</board></state></game>"
    )


BOARDS = [state(marks, "active", f"<next>{'xo'[marks % 2]}</next>") for marks in range(9)]
BOARDS.append(state(9, "active", ""))
DRAWN = state(0, "inactive", "<next>x</next>").replace("</board>", "</board><draw/>")


class Room:
    """Who is inside, and how many marks there are."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sessions: dict[str, str] = {}
        self.starts = 0
        self.marks = 0

    def everybody(self, kind: str, inside: str, nick: str = "", type: str = "") -> str:
        """The same to all."""
        head = f"<{kind} from='{self.name}{nick}'{type} to='"
        tail = f"'>{inside}</{kind}>"
        return "".join(f"{head}{session}{tail}" for session in self.sessions)

    def hears(self, sender: str, to: str, stanza: bytes, role: str) -> str:
        """What is sent because of a stanza."""
        nick = to.partition("/")[2]
        item = f"<game xmlns='{MUG}'><item affiliation='none' role='{role or 'none'}'/></game>"
        if nick:
            new = "" if self.sessions else state(0, "created", "")
            self.sessions[sender] = nick
            return self.everybody("presence", new) + self.everybody("presence", item, f"/{nick}")
        own = f"/{self.sessions.get(sender, '')}"
        if b"<turn" in stanza:
            self.marks += 1
            move = stanza[stanza.index(b"<turn") : stanza.index(b"</turn>") + 7].decode()
            turn = self.everybody("message", move, own, " type='chat'")
            said = turn + self.everybody("presence", BOARDS[self.marks])
            return said if self.marks < 9 else said + self.everybody("presence", DRAWN)
        if b"<start" in stanza:
            self.starts += 1
            if self.starts % 2:
                return ""
            self.marks = 0
            return self.everybody("presence", BOARDS[0])
        return self.everybody("presence", item, own)


async def main(port: int, domain: str, secret: str) -> None:
    """Be the component until the server goes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"<stream:stream xmlns='jabber:component:accept' to='{domain}' "
        "xmlns:stream='http://etherx.jabber.org/streams'>".encode()
    )
    header = await reader.readuntil(b">")
    while b"id=" not in header:
        header = await reader.readuntil(b">")
    name = re.search(rb"\bid=['\"]([^'\"]*)", header)
    assert name is not None
    writer.write(
        f"<handshake>{hashlib.sha1(name[1] + secret.encode()).hexdigest()}</handshake>".encode()
    )
    await reader.readuntil(b"<handshake")
    print(f"bare 127.0.0.1:{port}", flush=True)
    rooms: dict[str, Room] = {}
    rest = (await reader.read(1 << 16)).partition(b">")[2]
    while True:
        end = 0
        for found in STANZA.finditer(rest):
            end = found.end()
            writer.write(answer(rooms, found[0]).encode())
        rest = rest[end:]
        data = await reader.read(1 << 16)
        if not data:
            return
        rest += data


def answer(rooms: dict[str, Room], stanza: bytes) -> str:
    """What is sent because of a stanza."""
    head = dict(ATTRIBUTE.findall(stanza[: stanza.index(b">")]))
    sender, to = (head.get(name, b"").decode() for name in (b"from", b"to"))
    if stanza.startswith(b"<iq"):
        return f"<iq type='result' id='{head[b'id'].decode()}' from='{to}' to='{sender}'/>"
    role = dict(ATTRIBUTE.findall(stanza)).get(b"role", b"").decode()
    room = rooms.setdefault(to.partition("/")[0], Room(to.partition("/")[0]))
    return room.hears(sender, to, stanza, role)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3]))
