"""Names of guests that only look alike, and names of which nothing shows."""

import pytest

from tests.gateways.web.browsers import house


@pytest.mark.parametrize("name", ["sam", "S\u200bam"], ids=ascii)
async def test_guests_whose_names_look_the_same_are_told_apart_at_the_table(name: str) -> None:
    async with house() as doors, doors.guest("Sam") as one, doors.guest(name) as other:
        match = await one.open("tictactoe")
        async with one.tab(), other.tab() as tab:
            await tab.watch(match)
            await tab.ask("take-seat", match=match)
            await tab.event(match, "started")

            names = [seat["player"]["name"] for seat in tab.matches[match]["seats"]]
    assert names == ["Sam", f"{name} 2"]


@pytest.mark.parametrize("name", ["\u200b", "\u2060\u00ad", "\ufeff "], ids=ascii)
async def test_nobody_has_a_name_of_which_nothing_shows(name: str) -> None:
    async with house() as doors, doors.guest() as eve:
        answer = await eve.http.put("/api/me", json={"name": name}, headers=eve.writing)

    assert (answer.status_code, answer.json()["refusal"]) == (400, "malformed")
