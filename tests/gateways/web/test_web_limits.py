"""What a browser may not do: come from elsewhere, flood, send too much, or read too slowly."""

import asyncio
import contextlib
import socket
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from parlour.gateways import Limits
from parlour.gateways.web import WebOptions
from tests.gateways.web.browsers import SOON, house, table
from tests.host.stores import SlowStore


async def closed(connection: ClientConnection) -> int:
    """The code with which the server closes, whatever it says before."""
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(SOON):
            while True:
                await connection.recv()
    await connection.wait_closed()
    return connection.close_code or 0


async def test_a_page_of_another_origin_gets_no_connection() -> None:
    options = WebOptions(origins=("https://play.example.org",))
    async with house(options) as doors, doors.guest() as alice:
        for origin in ("http://evil.example", f"http://localhost:{doors.port}", "null"):
            with pytest.raises(InvalidStatus) as refused:
                async with alice.tab(origin=origin):
                    pass
            assert refused.value.response.status_code == 403
        for ours in ("https://play.example.org", None):  # None: no browser
            async with alice.tab(origin=ours):
                pass


async def test_a_flood_is_refused_and_then_ended() -> None:
    async with house() as doors, table(doors) as (match, one, other), doors.guest() as eve:
        async with eve.tab() as tab:
            for _ in range(400):
                await tab.say("watch", match=match)
            code = await closed(tab.socket)
        await one.play(match, "0,0")
        await other.ply(match, 1)

    assert code == 1008


async def test_messages_above_the_limit_are_not_carried_out() -> None:
    async with house() as doors, doors.guest() as eve, eve.tab() as tab:
        numbers = [await tab.say("ping") for _ in range(100)]
        answers = [(await tab.answer(number))["type"] for number in numbers]

        assert answers.count("pong") < 80
        assert {message["refusal"] for message in tab.heard if message["type"] == "refused"} == {
            "limit"
        }


async def test_a_message_above_16_kib_ends_the_connection() -> None:
    async with house() as doors, doors.guest() as eve, eve.tab() as tab:
        await tab.socket.send(b"x" * 16_385)

        assert await closed(tab.socket) == 1009


async def test_a_guest_has_32_connections_at_most() -> None:
    async with house() as doors, doors.guest() as eve, contextlib.AsyncExitStack() as stack:
        for _ in range(32):
            await stack.enter_async_context(eve.tab())
        with pytest.raises(ConnectionClosed) as refused:
            async with eve.tab():
                pass

        assert refused.value.rcvd is not None
        assert refused.value.rcvd.code == 1008


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"{}", b"nonsense", b'{"type":"dance","id":7}', b'{"type":"watch","id":7}',
     b'{"type":"move","id":7,"match":"m","move":"0,0"}', b"\xff\xfe", b'{"type":"ping","id":"7"}'],
)  # fmt: skip
async def test_what_is_no_message_is_refused_and_the_connection_lives(text: bytes) -> None:
    async with house() as doors, doors.guest() as eve, eve.tab() as tab:
        await tab.socket.send(text)
        refused = await tab.until("refused")
        await tab.ask("ping")

    assert refused["refusal"] == "malformed"
    assert refused["id"] == (7 if b'"id":7' in text else None)


def ends(chat: dict[str, Any]) -> bool:
    """Whether somebody has talked enough for once."""
    return any(line["text"] == "over to you" for line in chat["lines"])


async def test_a_spectator_who_does_not_read_is_dropped_and_nobody_waits() -> None:
    async with house() as doors, table(doors, "go", options={"size": 19}) as (match, one, other):
        request = (
            f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{doors.port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        deaf = socket.create_connection(("127.0.0.1", doors.port))
        with deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(deaf, request.encode())
            assert b" 101 " in await loop.sock_recv(deaf, 4096)
            watch = msgspec.json.encode({"type": "watch", "match": match})
            await loop.sock_sendall(deaf, bytes((0x81, 0x80 | len(watch))) + bytes(4) + watch)
            channel = doors.watched(match)
            while len(channel.watchers) < 3:
                await asyncio.sleep(0)
            async with asyncio.timeout(8):  # less than a peer may stall
                while len(channel.watchers) > 2:  # somebody talks and talks
                    for _ in range(200):
                        channel.say("", "", "x" * 1000)
                    channel.say("", "", "over to you")
                    for reads in (one, other):
                        await reads.until("chat", ends)
        await one.play(match, "3,3")
        await other.ply(match, 1)


async def test_a_match_is_watched_by_so_many_and_its_players_always_may() -> None:
    async with (
        house(limits=Limits(spectators=2)) as doors,
        table(doors) as (match, one, other),  # both watch it
        doors.guest() as eve,
        eve.tab() as tab,
    ):
        refused = await tab.answer(await tab.say("watch", match=match))
        await one.ask("unwatch", match=match)
        await tab.watch(match)
        await one.watch(match)
        await one.play(match, "0,0")
        await other.ply(match, 1)

    assert (refused["type"], refused["refusal"]) == ("refused", "limit")
    assert refused["detail"] == "2 connections watch that match already"


async def test_those_count_too_who_wait_until_the_match_is_read() -> None:
    store = SlowStore()
    async with (
        house(limits=Limits(spectators=2), store=store) as doors,
        doors.guest() as alice,
        contextlib.AsyncExitStack() as stack,
    ):
        match = await alice.open("tictactoe")
        eves = [await stack.enter_async_context(doors.guest()) for _ in range(4)]
        tabs = [await stack.enter_async_context(eve.tab()) for eve in eves]
        sits = await stack.enter_async_context(alice.tab())

        store.go.clear()  # the match is being read for the first of them
        for tab in tabs:
            await tab.say("watch", match=match)
            await tab.ask("ping")
        await tabs[0].say("watch", match=match)  # who has come already may ask again
        await tabs[0].ask("ping")
        await sits.say("watch", match=match)
        await sits.ask("ping")
        store.go.set()
        for tab in (*tabs[:2], sits):
            await tab.until("you")

        refused = [[one for one in tab.heard if one["type"] == "refused"] for tab in tabs]
        assert [len(one) for one in refused] == [0, 0, 1, 1]
        assert refused[2][0]["detail"] == "2 connections watch that match already"
        assert doors.watched(match).size == 3


async def test_each_limit_of_a_player_is_told_and_is_nobody_elses() -> None:
    limits = Limits(tabs=1, watched=1, chat=1, chat_at_once=2, matches=1)
    async with (
        house(limits=limits) as doors,
        table(doors) as (match, one, other),
        doors.guest() as eve,
        eve.tab() as tab,
    ):
        second = await eve.open("tictactoe")
        await tab.watch(match)
        unseen = await tab.answer(await tab.say("watch", match=second))
        says = [await tab.say("say", match=match, text="hello") for _ in range(3)]
        answers = [(await tab.answer(number))["type"] for number in says]
        seatless = await tab.answer(await tab.say("seek", game="tictactoe"))
        with pytest.raises(ConnectionClosed):
            async with eve.tab():
                pass
        await one.ask("say", match=match, text="I may")
        await one.play(match, "0,0")
        await other.ply(match, 1)

    assert unseen["detail"] == "you watch 1 matches already"
    assert answers == ["done", "done", "refused"]
    assert seatless["detail"] == "you sit at 1 tables already"


async def test_who_sits_at_a_match_may_be_wrong_there_as_often_as_messages_come() -> None:
    async with house() as doors, table(doors) as (match, _, other):
        says = [await other.say("move", match=match, move="0,0", ply=0) for _ in range(40)]
        refused = [(await other.answer(number))["refusal"] for number in says]

    assert refused == ["out-of-turn"] * 40


async def test_a_guest_changes_what_they_seek_so_often_in_all_tabs_together() -> None:
    async with (
        house(limits=Limits(seeks=1, seeks_at_once=3)) as doors,
        doors.guest() as eve,
        eve.tab() as one,
        eve.tab() as other,
        doors.guest() as bob,
        bob.tab() as tab,
    ):
        seeks = [await at.ask("seek", game="go") for at in (one, other, other, other)]
        await one.ask("stop-seeking")
        await tab.ask("seek", game="tictactoe")

    assert [answer["type"] for answer in seeks] == ["waiting"] * 3 + ["refused"]
    assert (seeks[3]["refusal"], seeks[3]["detail"]) == ("limit", "seek more slowly")
