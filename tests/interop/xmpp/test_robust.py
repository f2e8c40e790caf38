"""What a component owes to users and servers that behave as real ones do."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
import pytest_asyncio

from parlour.cli._service import Service
from tests.interop.xmpp.house import ROOM, Player, parlour_behind, player
from tests.interop.xmpp.peers import Person, person, shown
from tests.interop.xmpp.servers import GAMES, HOST, Ejabberd, XmppServer
from tests.interop.xmpp.test_games import begin

pytestmark = [pytest.mark.external, pytest.mark.slow]

MUG = "http://jabber.org/protocol/mug"
STANZAS = "{urn:ietf:params:xml:ns:xmpp-stanzas}"
PING = "<ping xmlns='urn:xmpp:ping'/>"


@pytest_asyncio.fixture
async def service(server: XmppServer, tmp_path: Path) -> AsyncIterator[Service]:
    async with parlour_behind(server, tmp_path / "data") as running:
        yield running


@pytest_asyncio.fixture
async def anna(server: XmppServer, service: Service) -> AsyncIterator[Player]:
    """The owner of the garden, inside."""
    async with player(server, "alice") as someone:
        await someone.mug.enter(ROOM, "anna")
        await someone.mug.configure(ROOM)
        yield someone


@pytest_asyncio.fixture
async def ben(server: XmppServer, anna: Player) -> AsyncIterator[Player]:
    """A guest inside."""
    async with player(server, "bob") as someone:
        await someone.mug.enter(ROOM, "ben")
        await anna.hears_of("ben: none")
        yield someone


@pytest_asyncio.fixture
async def stranger(server: XmppServer, service: Service) -> AsyncIterator[Person]:
    """Somebody outside."""
    async with person(server, "carol", "home") as someone:
        yield someone


def entering(nick: str) -> str:
    return f"<presence to='{ROOM}/{nick}'><game xmlns='{MUG}' var='{MUG}/tictactoe'/></presence>"


async def reply(who: Person, id: str) -> Element:
    return await who.hears(lambda one: one.get("id") == id)


async def refusal(who: Person, id: str) -> str:
    """The condition of the error that answers `id`."""
    answer = await reply(who, id)
    assert answer.get("type") == "error", shown(answer)
    conditions = [one for one in answer.iter() if one.tag.startswith(STANZAS)]
    return conditions[0].tag.removeprefix(STANZAS)


async def still_serves(who: Person) -> None:
    """The stream stands: the service answers."""
    who.say(f"<iq type='get' id='alive' to='{GAMES}'>{PING}</iq>")
    assert (await reply(who, "alive")).get("type") == "result"


async def test_who_leaves_under_another_nick_leaves(anna: Player, ben: Player) -> None:
    ben.say(f"<presence type='unavailable' to='{ROOM}/somebody'/>")
    await anna.hears_of("ben left")


async def test_a_bounce_removes_the_session(anna: Player, ben: Player) -> None:
    ben.say(
        f"<message type='error' to='{ROOM}'><error type='cancel'>"
        f"<service-unavailable xmlns='{STANZAS[1:-1]}'/></error></message>"
    )
    await anna.hears_of("ben left")


@contextlib.asynccontextmanager
async def blocked(who: Person, jid: str) -> AsyncIterator[None]:
    """While `who` blocks somebody; servers would remember it for the account."""

    async def order(step: str) -> None:
        what = f"<{step} xmlns='urn:xmpp:blocking'><item jid='{jid}'/></{step}>"
        who.say(f"<iq type='set' id='{step}'>{what}</iq>")
        assert (await reply(who, step)).get("type") == "result"

    await order("block")
    try:
        yield
    finally:
        await order("unblock")


async def test_who_blocks_another_stays_and_plays(anna: Player, ben: Player) -> None:
    """XEP-0191: Ben's server keeps from him what Anna says, or gives it back to her nickname."""
    await begin(anna, ben)
    async with blocked(ben, f"{ROOM}/anna"):
        await anna.mug.move(ROOM, 1, 1, 1)
        await ben.hears_of("active o: 1,1=x")
        await ben.mug.move(ROOM, 2, 2, 2)
        await anna.mug.move(ROOM, 3, 1, 2)
        await still_serves(ben)
    assert "ben left" not in anna.heard


async def test_coming_in_again_tells_everything_again(anna: Player, ben: Player) -> None:
    ben.say(entering("ben"))
    await ben.hears_of("inactive x:", "anna: none", "ben: none")
    await still_serves(anna)
    assert anna.heard.count("ben: none") == 1


async def test_a_role_is_lost_with_the_last_session(
    server: XmppServer, anna: Player, ben: Player
) -> None:
    await ben.mug.take_role(ROOM, "o")
    async with person(server, "bob", "phone") as phone:
        phone.say(entering("ben"))
        await phone.hears(lambda one: one.get("from") == f"{ROOM}/ben")
        await ben.mug.leave(ROOM)
        phone.say(f"<message to='{ROOM}' type='chat'><body>still here</body></message>")
        heard = await anna.hears(lambda one: one.findtext("{jabber:client}body") == "still here")
        assert heard.get("from") == f"{ROOM}/ben"
        assert "ben left" not in anna.heard
    await anna.hears_of("ben left")


async def test_a_self_ping_tells_whether_one_is_inside(ben: Player, stranger: Person) -> None:
    """XEP-0410."""
    ben.say(f"<iq type='get' id='in' to='{ROOM}/ben'>{PING}</iq>")
    stranger.say(f"<iq type='get' id='out' to='{ROOM}/carl'>{PING}</iq>")
    assert (await reply(ben, "in")).get("type") == "result"
    assert await refusal(stranger, "out") == "not-acceptable"


async def test_who_is_not_inside_is_told_so(anna: Player, stranger: Person) -> None:
    stranger.say(f"<message id='s1' to='{ROOM}'><start xmlns='{MUG}#user'/></message>")
    stranger.say(f"<message id='s2' to='{ROOM}/anna' type='chat'><body>psst</body></message>")
    assert [await refusal(stranger, one) for one in ("s1", "s2")] == ["not-acceptable"] * 2


@pytest.mark.parametrize("to", [GAMES, ROOM, f"{ROOM}/anna", f"nowhere@{GAMES}"])
async def test_errors_and_results_are_never_answered(
    anna: Player, stranger: Person, to: str
) -> None:
    error = f"<error type='cancel'><bad-request xmlns='{STANZAS[1:-1]}'/></error>"
    stranger.say(f"<message type='error' id='echo-1' to='{to}'>{error}</message>")
    stranger.say(f"<presence type='error' id='echo-2' to='{to}'>{error}</presence>")
    stranger.say(f"<iq type='error' id='echo-3' to='{to}'>{error}</iq>")
    stranger.say(f"<iq type='result' id='echo-4' to='{to}'/>")
    stranger.say(f"<iq type='get' id='last' to='{GAMES}'>{PING}</iq>")
    first = await stranger.hears(lambda one: one.get("id", "").startswith(("echo-", "last")))
    assert first.get("id") == "last"


@pytest.mark.parametrize("to", [GAMES, ROOM, f"{ROOM}/anna", f"nowhere@{GAMES}"])
async def test_every_question_gets_one_answer(anna: Player, stranger: Person, to: str) -> None:
    for kind in ("get", "set"):
        stranger.say(f"<iq type='{kind}' id='q-{kind}' to='{to}'><x xmlns='no:such'/></iq>")
    stranger.say(f"<iq type='get' id='q-end' to='{GAMES}'>{PING}</iq>")
    heard = []
    while "q-end" not in heard:
        answer = await stranger.hears(lambda one: one.get("id", "").startswith("q-"))
        heard.append(answer.get("id"))
    assert heard == ["q-get", "q-set", "q-end"]


async def test_other_kinds_of_stanzas_have_defined_answers(ben: Player) -> None:
    ben.say(f"<message id='g' type='groupchat' to='{ROOM}'><body>hello</body></message>")
    assert await refusal(ben, "g") == "bad-request"
    ben.say(f"<message id='h' type='headline' to='{ROOM}'><body>news</body></message>")
    ben.say(f"<presence to='{ROOM}'/>")
    await still_serves(ben)
    assert [one for one in ben.heard if "error" in one] == ["error bad-request"]


async def test_jids_are_shown_to_the_owner_only(anna: Player, ben: Player) -> None:
    assert anna.mug.rooms[ROOM].occupants["ben"].jid == ben.jid
    assert ben.mug.rooms[ROOM].occupants["anna"].jid == ""
    assert "alice" not in "".join([shown(ben.inbox.get_nowait()) for _ in range(ben.inbox.qsize())])


async def test_who_floods_is_slowed_down_and_nobody_else(anna: Player, stranger: Person) -> None:
    count = 300
    for number in range(count):
        stranger.say(f"<iq type='get' id='f-{number}' to='{ROOM}'>{PING}</iq>")
    anna.say(f"<iq type='get' id='calm' to='{ROOM}/anna'>{PING}</iq>")
    assert (await reply(anna, "calm")).get("type") == "result"
    stranger.say(f"<message id='last' to='{ROOM}'><xml:foo/></message>")  # is answered at any rate
    answers = []
    while (heard := await stranger.hears()).get("id") != "last":
        answers.append(heard)
    slowed = [one for one in answers if one.find(f".//{STANZAS}resource-constraint") is not None]
    assert 0 < len(slowed) <= len(answers) < count / 2


async def test_an_oversized_stanza_is_refused_and_the_stream_stands(ben: Player) -> None:
    ben.say(f"<message id='big' to='{ROOM}' type='chat'><body>{'x' * 30_000}</body></message>")
    assert await refusal(ben, "big") == "policy-violation"
    ben.say(f"<message id='deep' to='{ROOM}'>{'<a>' * 50}{'</a>' * 50}</message>")
    assert await refusal(ben, "deep") == "policy-violation"
    await still_serves(ben)


@pytest.mark.parametrize("inside", ["<xml:foo/>", "<foo xmlns='urn:}x'/>"], ids=["xml", "brace"])
async def test_what_a_parser_with_namespaces_refuses_costs_only_its_sender(
    caplog: pytest.LogCaptureFixture, anna: Player, ben: Player, stranger: Person, inside: str
) -> None:
    stranger.say(f"<message id='m' to='{GAMES}'>{inside}</message>")
    ben.say(f"<message id='n' type='chat' to='{ROOM}/anna'>{inside}<body>hi</body></message>")
    assert [await refusal(stranger, "m"), await refusal(ben, "n")] == ["bad-request"] * 2
    await still_serves(anna)
    ben.say(f"<presence type='unavailable' to='{ROOM}/ben'>{inside}</presence>")
    await anna.hears_of("ben left")
    assert "trying again" not in caplog.text


async def test_a_prefix_of_a_client_s_header_costs_only_its_sender(
    caplog: pytest.LogCaptureFixture, server: XmppServer, anna: Player
) -> None:
    """ejabberd passes the prefix on without its declaration, Prosody as a namespace."""
    bob = Person(server, f"bob@{HOST}/raw")
    bob.client.stream_header = bob.client.stream_header.replace(" ", " xmlns:p='urn:p' ", 1)
    await bob.log_in()
    try:
        bob.say(f"<iq type='get' id='m' to='{GAMES}'><p:foo p:a='1'/></iq>")
        unbound = isinstance(server, Ejabberd)
        assert await refusal(bob, "m") == ("bad-request" if unbound else "feature-not-implemented")
        await still_serves(anna)
        assert "trying again" not in caplog.text
    finally:
        await bob.log_out()


async def test_names_in_capitals_are_the_same_room(anna: Player, stranger: Person) -> None:
    stranger.say(entering("carl").replace("garden@games", "GARDEN@Games"))
    await anna.hears_of("carl: none")


async def test_nicknames_that_look_the_same_are_a_conflict(anna: Player, stranger: Person) -> None:
    for number, nick in enumerate(["ANNA", "\uff41nna", "an\u200bna"]):
        stranger.say(entering(nick).replace("<presence", f"<presence id='n{number}'"))
        assert await refusal(stranger, f"n{number}") == "conflict"


async def test_a_lost_component_stream_is_mended_and_everybody_told(
    anna: Player, ben: Player, service: Service
) -> None:
    """The XMPP server goes on; only its connection to us is cut."""
    await begin_here(anna, ben)
    await anna.mug.move(ROOM, 1, 1, 1)
    await ben.hears_of("active o: 1,1=x")
    assert service.xmpp is not None
    service.xmpp._component._stream.abort()
    for one in (anna, ben):  # asked whether they are still there, they say something
        await one.hears(lambda said: said.find("{urn:xmpp:ping}ping") is not None)
        one.say(f"<presence to='{ROOM}'/>")
        await one.hears_of("active o: 1,1=x")
    await ben.mug.move(ROOM, 2, 2, 2)
    await anna.hears_of("ben 2: 2,2")


async def begin_here(anna: Player, ben: Player) -> None:
    await anna.mug.take_role(ROOM, "x")
    await ben.mug.take_role(ROOM, "o")
    await anna.mug.start(ROOM)
    await ben.mug.start(ROOM)


async def test_the_silent_are_asked_and_go(server: XmppServer, tmp_path: Path) -> None:
    """XEP-0199: who goes while nobody can be told is missed when asked."""
    async with player(server, "alice", "xep_0199") as anna:
        async with player(server, "bob") as ben, parlour_behind(server, tmp_path / "data"):
            await begin(anna, ben)
        async with parlour_behind(server, tmp_path / "data"):
            await anna.hears_of("ben left")
            assert ROOM in anna.mug.rooms
