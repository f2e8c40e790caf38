"""A match that is listed and cannot be told: whoever wants to watch it hears so."""

import pytest
from msgspec.structs import replace

from parlour.host import Write
from parlour.match import Listing, Status, Visibility
from parlour.stores import MemoryStore
from tests.contracts.stores import appended
from tests.gateways.web.browsers import House, house, table
from tests.host.test_host import CREATE

LATER = b'{"type":"SeatPainted/1","at":7,"seat":0}'


async def watched_and_asked_for(doors: House, match: str) -> None:
    """Both are refused in the same words, the listing is gone, and the connection lives."""
    async with doors.guest() as eve, eve.tab() as tab:
        asked = await tab.ask("watch", match=match)
        got = await eve.http.get(f"/api/matches/{match}")
        listed = (await eve.http.get("/api/matches")).json()["total"]
        pong = await tab.ask("ping")

    assert (asked["type"], asked["refusal"], asked["match"]) == (
        "refused",
        "unknown-stream",
        match,
    )
    assert (got.status_code, got.json()["refusal"]) == (404, "unknown-stream")
    assert listed == 0
    assert pong["type"] == "pong"
    assert doors.gateway.hall.existing(match) is None


async def test_a_finished_match_that_cannot_be_read_is_refused() -> None:
    store = MemoryStore()
    async with house(store=store) as doors:
        async with table(doors) as (match, one, other):
            await one.ask("resign", match=match)
            await other.event(match, "ended")
        count = len(await store.read(match))
        assert await appended(store, Write(match, count, [LATER])) is None

        await watched_and_asked_for(doors, match)


@pytest.mark.parametrize("seats", [1, 2], ids=["open", "live"])
async def test_a_look_at_what_is_not_over_takes_it_out_of_no_list(seats: int) -> None:
    """The host goes on with it: its clock has an alarm, and somebody's tables are counted."""
    store = MemoryStore()
    async with house(store=store) as doors, doors.guest() as eve, eve.tab() as tab:
        host = doors.service.host
        match = host.create("match", replace(CREATE, newcomers=CREATE.newcomers[:seats]))
        _, count = await host.state(match)
        before = host.directory.get(match)
        assert await appended(store, Write(match, count, [LATER])) is None

        asked = await tab.ask("watch", match=match)

        assert (asked["type"], asked["refusal"]) == ("refused", "unknown-stream")
        assert before is not None
        assert host.directory.unfinished == {match: before}
        assert doors.gateway.hall.existing(match) is None


async def test_a_finished_match_that_is_no_longer_in_the_log_is_refused() -> None:
    async with house() as doors:
        listing = Listing("go", {}, "", Visibility.PUBLIC, 0, Status.OVER, ())
        doors.service.host.directory.put("match-gone", listing)

        await watched_and_asked_for(doors, "match-gone")
