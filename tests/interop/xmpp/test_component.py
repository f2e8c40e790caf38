"""The component stream against real servers: let in, refused, lost and found again."""

import asyncio
import logging

import pytest

from tests.interop.xmpp.peers import account, component, person, shown
from tests.interop.xmpp.servers import GAMES, SOON, Prosody, XmppServer

pytestmark = [pytest.mark.external, pytest.mark.slow]

STANZAS = "{urn:ietf:params:xml:ns:xmpp-stanzas}"


async def until_logged(caplog: pytest.LogCaptureFixture, words: str) -> list[str]:
    """The lines of the component's log as soon as one of them has the words."""
    async with asyncio.timeout(SOON):
        while True:
            lines = [
                record.getMessage() for record in caplog.records if record.name == "parlour.xmpp"
            ]
            if any(words in line for line in lines):
                return lines
            await asyncio.sleep(0.01)


async def test_a_component_is_let_in_and_hears_and_answers(server: XmppServer) -> None:
    async with component(account(server)) as games, person(server, "alice", "phone") as alice:
        assert await games.next_told() == "connected"
        alice.say(f"<iq type='get' id='q1' to='room@{GAMES}'><query xmlns='x:y'/></iq>")
        asked = await games.next_stanza()
        assert (asked.get("from"), asked.get("to")) == ("alice@localhost/phone", f"room@{GAMES}")
        games.component.send(f"<iq type='result' id='q1' from='room@{GAMES}' to='{alice.jid}'/>")
        assert (await alice.hears(lambda one: one.get("id") == "q1")).get("type") == "result"


async def test_messages_without_a_body_and_all_presences_are_heard(server: XmppServer) -> None:
    async with component(account(server)) as games, person(server, "bob") as bob:
        bob.say(f"<message to='room@{GAMES}'><turn xmlns='x:y'/></message>")
        bob.say(f"<presence to='room@{GAMES}/b'><game xmlns='x:y'/></presence>")
        bob.say(f"<presence to='room@{GAMES}/b' type='unavailable'/>")
        heard = [await games.next_stanza() for _ in range(3)]
    names = [one.tag.rpartition("}")[2] for one in heard]
    assert names == ["message", "presence", "presence"], [shown(one) for one in heard]


async def test_stanzas_arrive_in_the_order_in_which_they_were_sent(server: XmppServer) -> None:
    count = 2000
    async with component(account(server)) as games, person(server, "carol") as carol:
        await games.next_told()
        carol.say(f"<message to='{GAMES}'/>")
        await games.next_stanza()
        for number in range(count):
            kind = "message" if number % 2 else "presence"
            games.component.send(f"<{kind} from='{GAMES}' to='{carol.jid}' id='n{number}'/>")
        numbered = [
            (await carol.hears(lambda one: one.get("id", "").startswith("n"))).get("id")
            for _ in range(count)
        ]
    assert numbered == [f"n{number}" for number in range(count)]


async def test_addresses_are_normalised(server: XmppServer) -> None:
    async with component(account(server)) as games, person(server, "alice", "Phone") as alice:
        alice.say(f"<message to='ROOM@{GAMES.upper()}/Nick \uff4e'/>")
        heard = await games.next_stanza()
    assert (heard.get("from"), heard.get("to")) == ("alice@localhost/Phone", f"room@{GAMES}/Nick n")


async def test_an_address_that_is_none_costs_only_its_sender(own_server: XmppServer) -> None:
    if not isinstance(own_server, Prosody):
        pytest.skip("ejabberd answers such an address itself")
    async with component(account(own_server)) as games, person(own_server, "alice") as alice:
        alice.say(f"<presence to='room@{GAMES}/🙌\u0378'/>")
        alice.say(f"<message id='m1' to='room@{GAMES}'/>")
        refused = await alice.hears(lambda one: one.get("type") == "error")
        assert refused.find(f"*/{STANZAS}jid-malformed") is not None, shown(refused)
        assert (await games.next_stanza()).get("id") == "m1"


async def test_the_roster_stays_empty(server: XmppServer) -> None:
    async with component(account(server)) as games, person(server, "alice") as alice:
        for number in range(50):
            alice.say(f"<presence to='room@{GAMES}/n{number}'/>")
        for _ in range(50):
            await games.next_stanza()
        assert list(games.component._stream.roster.keys()) in ([], [GAMES])


async def test_a_wrong_secret_is_one_line_and_tried_again(
    server: XmppServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.INFO, "slixmpp")  # whose words tell of the second try
    async with component(account(server, secret="a guess")) as games:
        lines = await until_logged(caplog, "refuses the secret for games.localhost")
        while len([one for one in caplog.messages if "connection_lost" in one]) < 2:
            await asyncio.sleep(0.01)
        assert games.told.empty()
        assert len(lines) == 1


async def test_an_unknown_domain_is_one_line(
    server: XmppServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with component(account(server, domain="chess.localhost")):
        lines = await until_logged(caplog, "trying again")
    assert len(lines) == 1
    assert "chess.localhost" in lines[0]


async def test_a_taken_domain_is_one_line_and_entered_when_it_is_free(
    own_server: XmppServer, caplog: pytest.LogCaptureFixture
) -> None:
    if not isinstance(own_server, Prosody):
        pytest.skip("ejabberd lets both in and shares the stanzas out")
    async with component(account(own_server)) as first:
        assert await first.next_told() == "connected"
        async with component(account(own_server)) as second:
            await until_logged(caplog, "has another component connected as games.localhost")
            assert second.told.empty()
            await first.component.close()
            assert await second.next_told() == "connected"


async def test_a_stanza_from_a_wrong_domain_is_one_line_and_a_new_stream(
    own_server: XmppServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with component(account(own_server)) as games, person(own_server, "alice") as alice:
        assert await games.next_told() == "connected"
        games.component.send(f"<message from='somebody@else.where' to='{alice.jid}'/>")
        lines = await until_logged(caplog, "does not come from games.localhost")
        assert len(lines) == 1
        assert [await games.next_told() for _ in range(2)] == ["disconnected", "connected"]


async def test_a_server_that_comes_late_is_waited_for(
    own_server: XmppServer, caplog: pytest.LogCaptureFixture
) -> None:
    own_server.stop()
    async with component(account(own_server)) as games:
        await until_logged(caplog, "cannot be reached (Connect")
        own_server.start()
        assert await games.next_told() == "connected"


async def test_what_is_sent_while_the_server_restarts_arrives_when_it_is_back(
    own_server: XmppServer,
) -> None:
    async with component(account(own_server)) as games:
        assert await games.next_told() == "connected"
        own_server.stop()
        assert await games.next_told() == "disconnected"
        own_server.start()
        async with person(own_server, "alice", "phone") as alice:
            # Before the handshake or after it, and whatever the back-off is: it is sent.
            alice.client.send_presence()
            games.component.send(f"<message id='late' from='{GAMES}' to='{alice.jid}'/>")
            assert (await alice.hears(lambda one: one.get("id") == "late")).get("from") == GAMES
        assert await games.next_told() == "connected"


async def test_the_last_words_are_sent(server: XmppServer) -> None:
    async with person(server, "alice", "phone") as alice:
        async with component(account(server)) as games:
            assert await games.next_told() == "connected"
            games.goodbye = f"<message id='bye' from='{GAMES}' to='{alice.jid}'/>"
        assert (await alice.hears(lambda one: one.get("id") == "bye")).get("from") == GAMES
