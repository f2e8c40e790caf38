"""What an operator does to Go players, as their clients hear it."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.gateways.admin.operators import House
from tests.gateways.nedap.peers import Peer

pytestmark = pytest.mark.slow


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    with House(tmp_path, "nedap") as house:
        yield house
        status, said = house.stop()
    assert status == 0
    assert "Traceback" not in said


async def comes(house: House, name: str, address: str = "127.0.0.1") -> Peer:
    peer = await Peer.connect(house.ports["nedap"], address)
    peer.send(f"PLAYER {name}")
    assert await peer.heard() == []
    return peer


async def game(house: House) -> tuple[Peer, Peer]:
    """Alice with black and Bob with white."""
    alice, bob = await comes(house, "alice"), await comes(house, "bob")
    alice.send("GO 5")
    await alice.hears("WAITING")
    bob.send("GO 5")
    await bob.hears("WAITING", "READY white alice 5")
    await alice.hears("READY black bob 5")
    return alice, bob


async def test_who_is_here_and_what_is_played_is_listed(house: House) -> None:
    alice, bob = await game(house)

    first, second = sorted(
        await house.operator.connections("nedap"), key=lambda one: str(one["name"])
    )

    assert (first["name"], first["identity"]) == ("alice", "nedap:alice 127.0.0.1")
    assert first["address"] == "127.0.0.1"
    assert first["id"].startswith("nedap/127.0.0.1:")
    assert 0 < first["since"] <= first["heard"]
    assert second["name"] == "bob"
    (match,) = (await house.operator.does("matches"))["matches"]
    assert (match["game"], match["status"]) == ("go", "live")
    assert [player["name"] for player in match["players"]] == ["alice", "bob"]
    listed = await house.operator.reads("connections")
    assert listed.splitlines()[0].split() == ["ID", "IDENTITY", "NAME", "SINCE", "IDLE"]
    assert first["id"] in listed
    assert match["id"] in await house.operator.reads("matches")
    await alice.close()
    await bob.close()


async def test_who_is_kicked_hears_why_and_the_other_that_they_are_away(house: House) -> None:
    alice, bob = await game(house)

    answer = await house.operator.does("kick", "alice", "--reason", "that will do")

    assert answer["connections"] == 1
    assert await alice.rest() == ["WARNING that will do"]
    await bob.hears("CHAT server: alice is away, 30 s")
    again = await Peer.connect(house.ports["nedap"])  # a kick is no ban
    again.send("PLAYER alice")
    await again.hears("READY black bob 5")
    (act,) = (await house.operator.does("history"))["acts"]
    assert (act["type"], act["whom"]) == ("VisitorKicked/1", "alice")
    assert act["uid"] == os.getuid()
    for peer in (alice, bob, again):
        await peer.close()


async def test_a_connection_is_kicked_by_its_id(house: House) -> None:
    alice, bob = await comes(house, "alice"), await comes(house, "bob")
    here = await house.operator.connections("nedap")
    (id_,) = (one["id"] for one in here if one["name"] == "bob")

    assert await house.operator.reads("kick", id_) == "1 connection ended\n"

    assert await bob.rest() == ["WARNING the operator has ended your connection"]
    assert await alice.heard() == []
    await alice.close()
    await bob.close()


async def test_a_name_that_is_banned_ends_who_is_there_and_does_not_come_in(house: House) -> None:
    alice, bob = await game(house)

    answer = await house.operator.does("ban", "--name", "alice", "--for", "1h", "--reason", "rude")

    assert answer["connections"] == 1
    (said,) = await alice.rest()
    assert said.startswith("WARNING you are banned until 20")
    assert said.endswith(" UTC: rude")
    await bob.hears("CHAT server: alice is away, 30 s")
    again = await Peer.connect(house.ports["nedap"])
    again.send("PLAYER alice")
    await again.hears(said)
    again.send("PLAYER carol")  # it was the name that was banned
    assert await again.heard() == []
    (ban,) = (await house.operator.does("bans"))["bans"]
    assert (ban["kind"], ban["who"], ban["reason"]) == ("name", "alice", "rude")
    assert "let in again" in await house.operator.reads("unban", "--name", "alice")
    assert (await house.operator.does("bans"))["bans"] == []
    once_more = await Peer.connect(house.ports["nedap"])
    once_more.send("PLAYER alice")
    await once_more.hears("READY black bob 5")
    for peer in (alice, bob, again, once_more):
        await peer.close()


async def test_an_address_that_is_banned_ends_who_is_there_and_does_not_come_in(
    house: House,
) -> None:
    alice, bob = await comes(house, "alice", "127.0.0.2"), await comes(house, "bob")

    answer = await house.operator.does("ban", "--address", "127.0.0.2/31")

    assert answer["connections"] == 1
    assert await alice.rest() == ["WARNING you are banned"]
    again = await Peer.connect(house.ports["nedap"], "127.0.0.3")
    assert await again.rest() == ["WARNING you are banned"]
    assert await bob.heard() == []
    for peer in (alice, bob, again):
        await peer.close()


async def test_a_match_is_closed_for_everybody(house: House) -> None:
    alice, bob = await game(house)
    (match,) = (await house.operator.does("matches"))["matches"]

    await house.operator.does("close", "--match", match["id"], "--reason", "the power goes")

    for peer in (alice, bob):
        await peer.hears("CHAT server: the game is called off: the power goes", "END 0 0")
        peer.send("GO 5")
    await alice.hears("WAITING")
    no = await house.operator.asks("close", "--match", match["id"])
    assert no["detail"] == (
        f"no match {match['id']!r} is going on: `admin matches` lists those that are"
    )
    await alice.close()
    await bob.close()


async def test_an_announcement_is_a_warning(house: House) -> None:
    alice, bob = await game(house)

    answer = await house.operator.does("announce", "tea at five\nEND 0 0")

    assert (answer["told"], answer["untold"]) == ({"nedap": 2}, {})
    for peer in (alice, bob):
        await peer.hears("WARNING tea at five END 0 0")
    assert await house.operator.reads("announce", "again") == "nedap: 2 told\n"
    await alice.close()
    await bob.close()


async def test_no_game_begins_in_a_drain_and_the_server_ends_with_the_last(tmp_path: Path) -> None:
    with House(tmp_path, "nedap") as house:
        alice, bob = await game(house)
        carol = await comes(house, "carol")
        carol.send("GO 9")
        await carol.hears("WAITING")

        answer = await house.operator.does("drain")

        assert answer["games"] == 1
        for what in ("connections", "matches"):
            assert (await house.operator.does(what))["drains"] is True
            said = (await house.operator.reads(what)).splitlines()[0]
            assert said == "the server drains: no game begins, and it ends with the last one"
        dave = await comes(house, "dave")
        dave.send("GO 9")
        no = "WARNING no game begins now: the server is about to stop: try GO again"
        await dave.hears("WAITING", no)
        assert await carol.heard() == []  # and waits on
        alice.send("MOVE 1 1")
        await bob.hears("VALID black 1 1")
        bob.send("TABLEFLIP")
        await alice.hears("VALID black 1 1", "TABLEFLIPPED white", "END -1 -1")
        for peer in (alice, bob, carol, dave):
            await peer.rest()
            await peer.close()
        house.process.wait(timeout=10)
        assert house.process.returncode == 0


async def test_games_begin_again_after_the_end_of_a_drain(house: House) -> None:
    alice, bob = await comes(house, "alice"), await comes(house, "bob")
    erna, fritz = await comes(house, "erna"), await comes(house, "fritz")
    for one, other in ((erna, fritz),):
        one.send("GO 7")
        await one.hears("WAITING")
        other.send("GO 7")
        await other.hears("WAITING", "READY white erna 7")
        await one.hears("READY black fritz 7")
    alice.send("GO 5")
    await alice.hears("WAITING")
    await house.operator.does("drain")
    bob.send("GO 5")
    await bob.hears(
        "WAITING", "WARNING no game begins now: the server is about to stop: try GO again"
    )
    assert await alice.heard() == []
    await house.operator.does("undrain")
    assert (await house.operator.does("matches"))["drains"] is False

    bob.send("GO 5")
    await bob.hears("WAITING", "READY white alice 5")

    erna.send("EXIT")
    await fritz.hears("TABLEFLIPPED black", "END -1 -1")
    assert await house.operator.acts() == ["DrainBegun/1", "DrainEnded/1"]
    for peer in (alice, bob, erna, fritz):
        await peer.close()
