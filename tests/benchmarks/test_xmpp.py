"""The load on XMPP rooms plays real turns, through our server and through the bare sender."""

import pytest

from benchmarks import xmpp
from benchmarks.xmpp_bare import BOARDS, Room
from tests.interop.xmpp.servers import Prosody


def test_the_bare_sender_says_as_much_to_everybody_as_the_server() -> None:
    room = Room("garden@games.localhost")
    for name in ("anna", "ben", "carl"):
        room.hears(f"{name}@localhost/r", f"{room.name}/{name}", b"<presence/>", "")
    turn = b"<message><turn><move/></turn></message>"
    said = room.hears("anna@localhost/r", room.name, turn, "")
    assert said.count("<turn><move/></turn>") == 3
    assert said.count(BOARDS[1]) == 3
    assert "from='garden@games.localhost/anna' type='chat' to='ben@localhost/r'" in said


@pytest.mark.external
@pytest.mark.slow
def test_turns_get_through_both(monkeypatch: pytest.MonkeyPatch) -> None:
    if not Prosody.installed():
        pytest.skip("prosody is not installed")
    monkeypatch.setattr(xmpp, "PEOPLE", 6)
    with xmpp.servers(Prosody) as server:
        for sender in (xmpp.parlour, xmpp.bare):
            with sender(server) as component:
                found = xmpp.play(server, component, 3, 0.5)
            assert found.turns > 10
            assert 0 < found.median <= found.worst
