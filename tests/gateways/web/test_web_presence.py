"""Guests come, go, come back and are called something."""

import asyncio

from parlour.gateways.web import WebOptions
from parlour.host import ChatLine
from parlour.match import CreateMatch, Newcomer, Terms
from tests.gateways.web.browsers import house, table


async def test_a_page_that_is_loaded_anew_was_never_away() -> None:
    async with house() as doors, doors.guest() as alice:
        match = await alice.open("tictactoe")
        async with alice.tab() as one:
            version = (await one.watch(match))["version"]
        async with alice.tab() as two:
            again = await two.watch(match)

            assert two.heard[0]["seats"] == [match]
            assert (again["version"], again["situation"]["status"]) == (version, "open")


async def test_an_open_table_is_given_up_after_the_grace() -> None:
    async with (
        house(WebOptions(linger=0, grace=0)) as doors,
        doors.guest() as alice,
        doors.guest() as bob,
        bob.tab() as watching,
    ):
        async with alice.tab():
            match = await alice.open("go")
            await watching.watch(match)
        await watching.event(match, "aborted")


async def test_who_opens_a_table_and_never_comes_gives_it_up() -> None:
    async with house(WebOptions(linger=0, grace=0)) as doors, doors.guest() as alice:
        await alice.open("go")
        async with asyncio.timeout(5):
            while doors.service.host.directory.unfinished:
                await asyncio.sleep(0.01)


async def test_a_new_name_counts_from_the_next_table_on() -> None:
    async with house() as doors, doors.guest("Alice") as alice, alice.tab() as tab:
        before = await alice.open("go")
        await alice.arrive("Alicia")
        await tab.watch(before)
        after = await alice.open("go")
        await tab.watch(after)

        shown = [tab.matches[match]["seats"][0]["player"]["name"] for match in (before, after)]
        assert shown == ["Alice", "Alicia"]


async def test_a_seat_can_be_chosen_and_only_a_free_one() -> None:
    async with house() as doors, doors.guest() as alice, doors.guest() as bob:
        match = await alice.open("go", seat=1)
        async with alice.tab(), bob.tab() as tab:
            taken = await tab.ask("take-seat", match=match, seat=1)
            free = await tab.ask("take-seat", match=match, seat=0)
            third = await tab.ask("take-seat", match=match)

            assert (taken["refusal"], free["type"]) == ("seat-taken", "done")
            assert third["refusal"] == "already-started"


async def test_a_player_may_resign_or_leave_and_the_other_wins() -> None:
    async with house() as doors:
        for request, cause in (("resign", "resigned"), ("leave", "left")):
            async with table(doors) as (match, one, other):
                await one.ask(request, match=match)
                await other.event(match, "ended")

                assert other.matches[match]["forfeits"][0]["cause"] == cause
                assert other.matches[match]["outcome"]["ranking"] == [[1], [0]]
                assert other.matches[match]["situation"]["turn"] is None


async def test_a_new_seek_replaces_the_old_one_and_a_seek_can_be_given_up() -> None:
    async with house() as doors, doors.guest() as alice, alice.tab() as tab:
        for size in (9, 13):
            assert (await tab.ask("seek", game="go", options={"size": size}))["type"] == "waiting"
        waiting = [seek.options["size"] for seek in doors.service.desk.pairer.waiting()]
        stopped = await tab.ask("stop-seeking")
        async with alice.tab() as again:
            assert again.heard[0]["seeking"] is None

        assert waiting == [13]
        assert stopped["type"] == "done"
        assert doors.service.desk.pairer.waiting() == []


async def test_what_changes_nothing_is_answered_too() -> None:
    async with house() as doors, doors.guest() as alice, alice.tab() as tab:
        match = await alice.open("chinese_checkers")
        answers = [await tab.ask("ready", match=match) for _ in range(2)]

    assert [answer["type"] for answer in answers] == ["done", "done"]


async def test_a_time_limit_is_told_and_kept() -> None:
    async with house() as doors, table(doors, control={"turn": 300}) as (match, one, other):
        situation = one.matches[match]["situation"]
        await other.event(match, "forfeited")

        assert situation["deadline"] == one.matches[match]["started_at"] + 300
        assert situation["clock"] is None
        assert other.matches[match]["forfeits"][0]["cause"] == "time"


async def test_a_clock_that_counts_the_game_is_told() -> None:
    control = {"total": 60_000, "periods": 3, "period": 5000}
    async with house() as doors, table(doors, control=control) as (match, one, other):
        await one.play(match, "0,0")
        await other.ply(match, 1)
        clock = other.matches[match]["situation"]["clock"]

        assert (clock["running"], clock["periods"]) == (1, [3, 3])
        assert clock["left"][1] == 60_000
        assert 50_000 < clock["left"][0] <= 60_000


async def test_what_other_protocols_call_and_say_comes_on_one_printable_line() -> None:
    async with house() as doors, doors.guest() as eve, eve.tab() as tab:
        host = doors.service.host
        hostile = "a\nb\u202e\u2028" + "c" * 2000
        newcomer = Newcomer("xmpp:a@b.example", hostile, Terms(ready=True))
        match = host.create("match", CreateMatch("go", newcomers=(newcomer,), room=hostile))
        state = await tab.watch(match)
        listing = (await eve.http.get("/api/matches")).json()["matches"][0]
        doors.service.desk.chat.say(ChatLine(match, "xmpp:a@b.example", hostile, hostile, 1))
        said = await tab.until("chat", lambda message: not message["history"])

    shown = [
        listing["room"],
        listing["players"][0]["name"],
        state["room"],
        state["seats"][0]["player"]["name"],
        said["lines"][0]["name"],
    ]
    assert set(shown) == {"a b  " + "c" * 58 + "…"}
    assert said["lines"][0]["text"] == "a b  " + "c" * 994 + "…"
