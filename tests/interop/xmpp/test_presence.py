"""Who is still there: pings (XEP-0199) and hibernating sessions (XEP-0198) on real servers."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.gateways.mug import _pulse
from tests.interop.xmpp.conftest import KINDS
from tests.interop.xmpp.house import ROOM, parlour_behind, player
from tests.interop.xmpp.peers import person
from tests.interop.xmpp.servers import SOON, XmppServer
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
    ("condition", "stays"),
    [("feature-not-implemented", True), ("service-unavailable", False), ("", True)],
    ids=["knows-no-pings", "is-not-there", "answers"],
)
async def test_what_an_answer_to_a_ping_means(
    server: XmppServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    condition: str,
    stays: bool,
) -> None:
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
        if stays:
            # The next question is asked only of who is still believed to be there.
            await ben.hears(lambda one: one.find("{urn:xmpp:ping}ping") is not None)
            assert "ben left" not in anna.heard
        else:
            await anna.hears_of("ben left")
