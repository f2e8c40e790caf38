"""A page outlives its server: SIGKILL under a running game, SIGTERM with open pages."""

import asyncio
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.cli.servers import Server
from tests.gateways.web.browsers import Browser

pytestmark = pytest.mark.slow


async def test_a_match_of_two_guests_goes_on_after_sigkill(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("web",)) as server:
        alice, bob = Browser(server.ports["web"]), Browser(server.ports["web"])
        await alice.arrive("Alice")
        await bob.arrive("Bob")
        async with alice.tab() as one, bob.tab() as other:
            match = await alice.open("tictactoe")
            await one.watch(match)
            await other.watch(match)
            await other.ask("take-seat", match=match)
            await one.event(match, "started")
            await one.play(match, "0,0")
            await other.ply(match, 1)
            await other.play(match, "1,1")
            await one.ply(match, 2)
            server.process.kill()
            server.process.wait()
            known, epoch = one.matches[match], one.heard[0]["epoch"]

    with Server(tmp_path, doors=("web",)) as server:
        again, opponent = alice.at(server.ports["web"]), bob.at(server.ports["web"])
        async with again.tab() as one:
            assert (one.heard[0]["name"], one.heard[0]["seats"]) == ("Alice", [match])
            assert one.heard[0]["epoch"] != epoch
            one.matches[match] = known
            await one.watch(match, after=known["version"])
            assert one.matches[match]["situation"]["pause"] == "restart"
            async with opponent.tab() as other:
                await one.event(match, "resumed")
                await other.watch(match)
                await one.play(match, "0,1")
                await other.ply(match, 3)

                moves = [move["move"] for move in one.matches[match]["moves"]]
                assert moves == ["0,0", "1,1", "0,1"]
                assert one.matches[match]["board"] == other.matches[match]["board"]
    for browser in (alice, bob, again, opponent):
        await browser.http.aclose()


async def test_a_move_on_its_way_at_sigkill_is_there_once_or_not_at_all(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("web",)) as server:
        alice = Browser(server.ports["web"])
        await alice.arrive("Alice")
        bob = Browser(server.ports["web"])
        await bob.arrive("Bob")
        async with alice.tab() as one, bob.tab() as other:
            match = await alice.open("tictactoe")
            await one.watch(match)
            await other.ask("take-seat", match=match)
            await one.event(match, "started")
            await one.say("move", match=match, move="0,0", ply=0)
            server.process.kill()
            server.process.wait()

    with Server(tmp_path, doors=("web",)) as server:
        again, opponent = alice.at(server.ports["web"]), bob.at(server.ports["web"])
        async with again.tab() as one, opponent.tab():
            await one.watch(match)
            while one.matches[match]["situation"]["status"] != "live":
                await one.hear()
            await one.ask("move", match=match, move="0,0", ply=0)  # a page that was not told
            await one.ply(match, 1)

            assert [move["move"] for move in one.matches[match]["moves"]] == ["0,0"]
    for browser in (alice, bob, again, opponent):
        await browser.http.aclose()


async def test_sigterm_says_so_to_open_pages_and_ends_in_time(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("web", "nedap")) as server:
        alice = Browser(server.ports["web"])
        await alice.arrive("Alice")
        async with alice.tab() as one, alice.tab():
            match = await alice.open("go")
            await one.watch(match)
            begin = time.monotonic()
            stopped = asyncio.create_task(asyncio.to_thread(server.stop))
            await one.until("restarting")
            with pytest.raises(ConnectionClosed) as closed:
                await one.hear()
            status, said = await stopped

        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        assert status == 0
        assert "Traceback" not in said
        assert time.monotonic() - begin < 4
        await alice.http.aclose()
