"""What one address may have of the web, directly and through a reverse proxy."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from parlour.gateways import Limits
from tests.gateways.web.browsers import SOON, House, house


@contextlib.asynccontextmanager
async def client(
    doors: House, address: str = "127.0.0.2", forwarded: str = ""
) -> AsyncIterator[httpx.AsyncClient]:
    """A client at an address of this machine, or a proxy that speaks for another one."""
    async with httpx.AsyncClient(
        transport=httpx.AsyncHTTPTransport(local_address=address),
        base_url=f"http://127.0.0.1:{doors.port}",
        headers={"x-forwarded-for": forwarded} if forwarded else {},
    ) as opened:
        yield opened


async def statuses(doors: House, count: int, address: str, forwarded: str = "") -> list[int]:
    async with client(doors, address, forwarded) as opened:
        return [(await opened.get("/healthz")).status_code for _ in range(count)]


async def gone(doors: House) -> None:
    """Nobody has a connection that counts."""
    async with asyncio.timeout(SOON):
        while doors.service.desk.gatekeeper.connections:
            await asyncio.sleep(0)


async def test_who_has_too_many_connections_reads_429_before_any_request() -> None:
    limits = Limits(exempt=(), proxies=(), connections=1)
    async with house(limits=limits) as doors:
        async with client(doors) as first:
            assert (await first.get("/healthz")).status_code == 200  # and is kept alive
            async with client(doors) as second:
                refused = await second.get("/healthz")
            async with client(doors, "127.0.0.3") as other:
                assert (await other.get("/healthz")).status_code == 200
        await gone(doors)

    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "1"
    assert refused.json()["detail"] == "your address has 1 connections already"


async def test_a_page_keeps_its_place_when_it_opens_its_websocket() -> None:
    async with house(limits=Limits(exempt=(), proxies=())) as doors:
        async with doors.guest() as alice, alice.tab():
            pass
        await gone(doors)


async def told_after_a_visit(path: str) -> int:
    """What a stranger hears who has been there before, and asked for something and no more."""
    async with house(
        limits=Limits(exempt=(), proxies=(), strangers=1, strangers_at_once=1)
    ) as doors:
        async with client(doors) as scanner:
            await scanner.get(path)
        await gone(doors)
        async with client(doors) as scanner:
            return (await scanner.get("/healthz")).status_code


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/healthz", 200),
        ("/api/games", 200),
        ("/api/admin.php", 429),
        ("/api/matches/match-1", 429),
        ("/api/matches?status=won", 429),
    ],
)
async def test_who_asks_for_what_there_is_not_is_a_stranger(path: str, told: int) -> None:
    assert await told_after_a_visit(path) == told


@pytest.mark.parametrize("forwarded", ["", "203.0.113.7"])
async def test_a_websocket_where_there_is_none_makes_a_stranger(forwarded: str) -> None:
    proxies = ("127.0.0.0/8",) if forwarded else ()
    limits = Limits(exempt=(), proxies=proxies, strangers=1, strangers_at_once=1)
    headers = {"X-Forwarded-For": forwarded}
    async with house(limits=limits) as doors:
        refused = []
        for path in ("/ws", "/api/live"):
            with pytest.raises(InvalidStatus) as no:
                await connect(
                    f"ws://127.0.0.1:{doors.port}{path}", additional_headers=headers, proxy=None
                )
            refused.append(no.value.response.status_code)
            await gone(doors)

    assert refused == [403, 403 if forwarded else 429]


async def test_requests_of_an_address_have_a_pace() -> None:
    limits = Limits(exempt=("127.0.0.1",), proxies=(), requests=1, requests_at_once=3)
    async with house(limits=limits) as doors:
        assert await statuses(doors, 5, "127.0.0.2") == [200, 200, 200, 429, 429]
        assert await statuses(doors, 5, "127.0.0.3") == [200, 200, 200, 429, 429]
        assert await statuses(doors, 5, "127.0.0.1") == [200] * 5


@pytest.mark.parametrize(
    "forwarded",
    ["203.0.113.{}", "203.0.113.{}:4711", "[2001:db8:0:{}::1]:4711", "10.0.0.1, 203.0.113.{}:0"],
)
async def test_websockets_are_counted_for_the_address_that_a_proxy_speaks_for(
    forwarded: str,
) -> None:
    """Some proxies write the port of their peer, too."""
    limits = Limits(exempt=(), proxies=("127.0.0.0/8",), connections=1)
    async with house(limits=limits) as doors, doors.guest() as alice:
        async with alice.tab(forwarded=forwarded.format(1)):
            with pytest.raises(InvalidStatus) as refused:
                async with alice.tab(forwarded=forwarded.format(1)):
                    pass
            async with alice.tab(forwarded=forwarded.format(2)):
                assert sum(doors.service.desk.gatekeeper.connections.values()) == 2
        await gone(doors)

    assert refused.value.response.status_code == 403


async def test_a_proxy_that_says_nothing_has_one_address_for_all() -> None:
    limits = Limits(exempt=(), proxies=("127.0.0.0/8",), connections=1)
    async with house(limits=limits) as doors, doors.guest() as alice:
        async with alice.tab():
            with pytest.raises(InvalidStatus):
                async with alice.tab():
                    pass
        await gone(doors)


async def test_behind_a_proxy_each_address_is_counted_by_itself() -> None:
    limits = Limits(
        exempt=(), proxies=("127.0.0.9",), connections=1, requests=1, requests_at_once=2
    )
    async with house(limits=limits) as doors, client(doors, "127.0.0.9", "203.0.113.3") as first:
        await first.get("/healthz")  # a proxy may have as many connections as it likes
        assert await statuses(doors, 3, "127.0.0.9", "203.0.113.1") == [200, 200, 429]
        assert await statuses(doors, 3, "127.0.0.9", "203.0.113.2") == [200, 200, 429]


@pytest.mark.parametrize("forwarded", ["127.0.0.1", "203.0.113.7, 127.0.0.1"])
async def test_nobody_but_a_proxy_speaks_for_others(forwarded: str) -> None:
    """A stranger who claims to be this machine is not exempt for it."""
    limits = Limits(exempt=("127.0.0.1",), proxies=(), requests=1, requests_at_once=1)
    async with house(limits=limits) as doors:
        assert await statuses(doors, 2, "127.0.0.2", forwarded) == [200, 429]
