"""Who is still there: pings (XEP-0199) and hibernating sessions (XEP-0198) on real servers."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.gateways.mug import _pulse
from tests.interop.xmpp.conftest import KINDS
from tests.interop.xmpp.house import ROOM, parlour_behind, player
from tests.interop.xmpp.peers import account, component, person
from tests.interop.xmpp.servers import GAMES, HOST, SOON, XmppServer
from tests.interop.xmpp.test_games import begin
from tests.interop.xmpp.test_robust import STANZAS, entering

pytestmark = [pytest.mark.external, pytest.mark.slow]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def hasty_server(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[XmppServer]:
    """A server that gives a cut session up after a second."""
    monkeypatch.setattr(request.param, "hibernation", 1)
    with request.param(tmp_path / "server") as running:
        yield running


async def test_of_several_resources_only_the_one_that_never_came_back_goes(
    hasty_server: XmppServer, tmp_path: Path
) -> None:
    async with (
        parlour_behind(hasty_server, tmp_path / "data") as service,
        player(hasty_server, "alice") as anna,
        person(hasty_server, "bob", "phone") as phone,
        player(hasty_server, "bob", "xep_0198") as ben,
    ):
        await begin(anna, ben)
        phone.say(entering("ben"))
        await phone.hears(lambda one: one.get("from") == f"{ROOM}/ben")
        await ben.cut()
        (stream,) = service.host.directory.others
        async with asyncio.timeout(SOON):
            while True:
                room, _ = await service.host.state(stream)
                if room.occupants["bob@localhost"].sessions == (phone.jid,):
                    break
                await asyncio.sleep(0.05)
        assert "ben left" not in anna.heard
        assert not any(one.startswith("paused") for one in anna.heard)
        await anna.mug.move(ROOM, 1, 1, 1)
        await phone.hears(lambda one: one.find(".//{*}turn") is not None)


async def test_who_hibernates_for_too_long_is_gone(
    hasty_server: XmppServer, tmp_path: Path
) -> None:
    async with (
        parlour_behind(hasty_server, tmp_path / "data"),
        player(hasty_server, "alice") as anna,
        player(hasty_server, "bob", "xep_0198") as ben,
    ):
        await begin(anna, ben)
        await ben.cut()
        await anna.hears_of("ben left", "paused x:")


@pytest.mark.parametrize(
    "condition",
    ["feature-not-implemented", "service-unavailable", ""],
    ids=["knows-no-pings", "knows-no-questions", "answers"],
)
async def test_what_an_answer_to_a_ping_means(
    server: XmppServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    condition: str,
) -> None:
    """That somebody is there, whatever it is, as long as their server knows them."""
    monkeypatch.setattr(_pulse, "SWEEP", 500)  # ms between looks at who is silent
    async with (
        parlour_behind(server, tmp_path / "data", silence=1, patience=30),
        player(server, "alice", "xep_0199") as anna,
        person(server, "bob", "phone") as ben,
    ):
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        ben.say(entering("ben"))
        await anna.hears_of("ben: none")
        asked = await ben.hears(lambda one: one.find("{urn:xmpp:ping}ping") is not None)
        error = (
            f"<error type='cancel'><{condition} xmlns='{STANZAS[1:-1]}'/></error>"
            if condition
            else ""
        )
        kind = "error" if condition else "result"
        ben.say(f"<iq type='{kind}' id='{asked.get('id')}' to='{asked.get('from')}'>{error}</iq>")
        # The next question is asked only of who is still believed to be there.
        await ben.hears(lambda one: one.find("{urn:xmpp:ping}ping") is not None)
        assert "ben left" not in anna.heard


async def test_a_probe_comes_back_from_where_nobody_is(server: XmppServer) -> None:
    """RFC 6121, section 8.5.3.2.1, and as servers have it: other messages may go elsewhere."""

    async def comes_back(to: str) -> bool:
        notes.component.send(f"<message from='{ROOM}' to='{to}' type='groupchat'/>")
        # Whoever hears what was sent after the probe speaks after its bounce.
        notes.component.send(f"<message from='{ROOM}' to='{here.jid}' type='headline'/>")
        await here.hears(lambda one: one.get("type") == "headline")
        here.say(f"<message to='{GAMES}'><body>the next stanza</body></message>")
        stanza = await notes.next_stanza()
        if stanza.get("type") != "error":
            return False
        assert stanza.get("from") == to
        assert stanza.find(f"./{{*}}error/{STANZAS}service-unavailable") is not None
        await notes.next_stanza()
        return True

    async with component(account(server)) as notes, person(server, "bob", "phone") as here:
        await notes.next_told()
        async with person(server, "bob", "pad") as pad, person(server) as guest:
            for one in (pad, guest):
                assert not await comes_back(one.jid)
                await one.hears(lambda said: said.get("type") == "groupchat")
        assert not await comes_back(here.jid)
        for gone in (pad.jid, guest.jid, f"carol@{HOST}/home", f"nobody@{HOST}/home"):
            assert await comes_back(gone)
