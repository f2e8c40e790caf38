"""What an operator does to browsers, and what pages hear of it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.gateways.admin.operators import House
from tests.gateways.web.browsers import Browser, Tab

pytestmark = pytest.mark.slow


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    with House(tmp_path, "web") as house:
        yield house
        status, said = house.stop()
    assert status == 0
    assert "Traceback" not in said


@pytest.fixture
async def browser(house: House) -> AsyncIterator[Browser]:
    browser = Browser(house.ports["web"])
    await browser.arrive("alice")
    yield browser
    await browser.http.aclose()


async def closed(tab: Tab) -> tuple[int, str]:
    """The code and the reason of the end."""
    await tab.socket.wait_closed()
    return tab.socket.close_code or 0, tab.socket.close_reason or ""


async def test_a_page_is_listed_and_kicked(house: House, browser: Browser) -> None:
    async with browser.tab() as tab:
        (here,) = await house.operator.connections("web")
        assert (here["name"], here["address"]) == ("alice", "127.0.0.1")
        assert here["identity"].startswith("web:")

        await house.operator.does("kick", here["id"], "--reason", "that will do")

        assert await closed(tab) == (1008, "that will do")
    async with browser.tab():  # a kick is no ban
        pass


async def test_a_name_that_is_banned_is_nobodys(house: House, browser: Browser) -> None:
    async with browser.tab() as tab:
        await house.operator.does("ban", "--name", "Alice", "--reason", "rude")
        assert await closed(tab) == (1008, "you are banned: rude")

    body = {"game": "tictactoe"}
    opened = await browser.http.post("/api/matches", json=body, headers=browser.writing)
    assert opened.status_code == 403
    assert opened.json() == {"refusal": "banned", "detail": "you are banned: rude"}
    other = Browser(house.ports["web"])
    await other.arrive("bob")
    renamed = await other.http.put("/api/me", json={"name": "ALICE"}, headers=other.writing)
    assert renamed.json()["refusal"] == "banned"
    async with other.tab():
        pass
    with pytest.raises(ConnectionClosed):
        async with browser.tab():
            pass
    await other.http.aclose()


async def test_a_guest_is_banned_by_identity(house: House, browser: Browser) -> None:
    async with browser.tab() as tab:
        (here,) = await house.operator.connections("web")
        await house.operator.does("ban", "--name", here["identity"])
        assert await closed(tab) == (1008, "you are banned")
    assert (
        await browser.http.put("/api/me", json={"name": "other"}, headers=browser.writing)
    ).status_code == 403


async def test_an_address_that_is_banned_gets_no_page(house: House, browser: Browser) -> None:
    async with browser.tab() as tab:
        await house.operator.does("ban", "--address", "127.0.0.0/8", "--reason", "noise")
        assert await closed(tab) == (1008, "you are banned: noise")
    await browser.http.aclose()
    browser.http = browser.at(browser.port).http

    answer = await browser.http.get("/api/games")

    assert answer.status_code == 403
    assert answer.json() == {"refusal": "banned", "detail": "you are banned: noise"}


async def test_a_closed_match_is_told_as_aborted(house: House, browser: Browser) -> None:
    match = await browser.open("tictactoe")
    async with browser.tab() as tab:
        await tab.say("watch", match=match)
        await tab.until("match")

        await house.operator.does("close", "--match", match, "--reason", "the power goes")

        (event,) = (await tab.until("events"))["events"]
        assert (event["type"], event["cause"]) == ("aborted", "operator")
        assert event["detail"] == "the power goes"


async def test_a_room_of_the_web_is_closed_by_its_name(house: House, browser: Browser) -> None:
    match = await browser.open("tictactoe", room="Garden")

    answer = await house.operator.does("close", "--room", "garden")

    assert answer["match"] == match
    no = await house.operator.asks("close", "--room", "garden")
    assert no["detail"] == "there is no room 'garden'"


async def test_an_announcement_is_a_notice(house: House, browser: Browser) -> None:
    async with browser.tab() as tab:
        assert await house.operator.reads("announce", "tea at five") == "web: 1 told\n"
        assert (await tab.until("notice"))["text"] == "tea at five"


async def test_a_table_may_be_opened_in_a_drain_and_nobody_can_start(
    house: House, browser: Browser
) -> None:
    other = Browser(house.ports["web"])
    await other.arrive("bob")
    going = await browser.open("tictactoe")
    async with other.tab() as tab:
        await tab.say("watch", match=going)
        await tab.until("match")
        taken = await tab.answer(await tab.say("take-seat", match=going))
        assert taken["type"] == "done"
        await house.operator.does("drain")
        waiting = await browser.open("tictactoe")
        await tab.say("watch", match=waiting)
        await tab.until("match")

        no = await tab.answer(await tab.say("take-seat", match=waiting))

        assert (no["refusal"], no["detail"]) == (
            "unavailable",
            "no game begins now: the server is about to stop",
        )
        sought = await tab.answer(await tab.say("seek", game="go"))
        assert (sought["refusal"], sought["detail"]) == (no["refusal"], no["detail"])
        await house.operator.does("undrain")
        assert (await tab.answer(await tab.say("take-seat", match=waiting)))["type"] == "done"
    await other.http.aclose()
