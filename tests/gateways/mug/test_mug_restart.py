"""The service is killed and starts again over the same log: what stands, and who is believed."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from parlour.gateways.mug import MugOptions
from parlour.gateways.mug._room_commands import CreateRoom
from parlour.match import PlayMove, Status, Tick
from parlour.stores import MemoryStore
from tests.gateways.mug.stage import (
    MUG,
    ROOM,
    Client,
    Stage,
    canonical,
    occupant,
    on_stage,
    state,
    turn,
    with_room,
)

ANNA, BEN = "anna@example.org/home", "ben@example.org/home"
CARL = "carl@example.org/home"
BEGUN = f"<message from='{ROOM}/{{}}'><start xmlns='{MUG}#user'/></message>"
Play = Callable[[Stage], Coroutine[Any, Any, None]]


async def killed(play: Play) -> MemoryStore:
    """The log that a service leaves that is killed after `play`."""
    store = MemoryStore()
    stage = Stage(store, options=MugOptions(), run=1)
    await stage.host.recover(120_000)
    stage.gateway.connected()
    await play(stage)
    await stage.settled()
    await stage.host.close()
    return store


async def sign(client: Client, *told_before: str) -> None:
    """Answer the question whether one is still there; before it everything was told anew."""
    *told, asked = await client.told()
    assert "urn:xmpp:ping" in asked
    if told_before:
        assert [canonical(one) for one in told] == [
            canonical(with_room(one)) for one in told_before
        ]
    name = asked.partition(" id='")[2].partition("'")[0]
    client.says(f"<iq type='result' id='{name}'/>")


async def two_in_mid_game(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    anna.moves(1, 2, 2)
    await stage.settled()
    ben.moves(2, 1, 1)


async def test_a_match_of_two_goes_on_when_both_give_a_sign() -> None:
    store = await killed(two_in_mid_game)
    async with on_stage(store, run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        board = "O . .\n. X .\n. . ."
        await sign(
            anna,
            state("paused", board),
            occupant("ben", role="o", jid=BEN),
            occupant("anna", "owner", "x", jid=ANNA),
        )
        await anna.hears()
        await sign(ben)
        for client in (anna, ben):
            await client.hears(state("active", board))
        anna.moves(3, 3, 3)
        assert turn(3, 3, 3) in (await ben.told())[0]


async def test_whatever_somebody_says_is_a_sign() -> None:
    store = await killed(two_in_mid_game)
    async with on_stage(store, run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await stage.forget()
        ben.says("<message><body>what happened?</body></message>")
        anna.says("<message><body>no idea</body></message>")
        await stage.settled()
        anna.moves(3, 3, 3)
        assert turn(3, 3, 3) in "".join(await ben.told())


async def test_starts_that_were_not_needed_do_no_harm() -> None:
    """A client that was told of the pause does what ends every other pause."""
    store = await killed(two_in_mid_game)
    async with on_stage(store, run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await stage.forget()
        anna.starts()
        await anna.hears(BEGUN.format("anna"))
        await stage.forget()
        ben.starts()
        await anna.hears(state("active", "O . .\n. X .\n. . ."), BEGUN.format("ben"))


async def paused(stage: Stage) -> None:
    """Both are there, and have to start again."""
    _, ben = await stage.match("anna", "ben")
    ben.leaves("ben")
    ben.enters("ben")


async def time_to_come_back_is_over(stage: Stage) -> None:
    stage.now += 120_000
    for stream in stage.host.directory.unfinished:
        stage.host.submit(stream, Tick())
    await stage.settled()


async def test_a_start_outlives_the_time_to_come_back() -> None:
    async with on_stage(await killed(paused), run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        await sign(ben)
        anna.starts()
        await ben.hears(BEGUN.format("anna"))
        await time_to_come_back_is_over(stage)
        await ben.hears(BEGUN.format("anna"))
        await stage.forget()
        ben.starts()
        await anna.hears(BEGUN.format("ben"), state("active"))


async def test_who_was_ready_waits_for_the_start_of_the_one_who_comes_later() -> None:
    store = await killed(two_in_mid_game)
    async with on_stage(store, run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        await time_to_come_back_is_over(stage)
        ben.says("<presence/>")
        await stage.forget()
        ben.starts()
        await anna.hears(BEGUN.format("ben"), state("active", "O . .\n. X .\n. . ."))


async def test_a_start_does_not_wait_for_the_sign_of_the_other() -> None:
    async def with_carl(stage: Stage) -> None:
        await paused(stage)
        stage.client(CARL).enters("carl")

    async with on_stage(await killed(with_carl), run=2) as stage:
        anna, ben, carl = (stage.client(jid) for jid in (ANNA, BEN, CARL))
        await stage.forget()
        anna.starts()
        await anna.hears(BEGUN.format("anna"))
        carl.starts()
        await carl.is_refused("forbidden")
        await stage.forget()
        ben.starts()
        await anna.hears(BEGUN.format("ben"), state("active"))


async def test_a_match_begins_by_a_start_before_the_sign_of_the_other() -> None:
    async def both_sit(stage: Stage) -> None:
        anna, ben = await stage.table("anna", "ben")
        anna.takes_role("x")
        ben.takes_role("o")

    async with on_stage(await killed(both_sit), run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        anna.starts()
        await anna.hears(BEGUN.format("anna"))
        await stage.forget()
        ben.starts()
        await anna.hears(BEGUN.format("ben"), state("active"))


async def test_a_role_that_was_given_up_before_the_restart_is_free() -> None:
    async def one_sits(stage: Stage) -> None:
        await two_in_mid_game(stage)
        stage.client(BEN).takes_role("none")

    async with on_stage(await killed(one_sits), run=2) as stage:
        anna = stage.client(ANNA)
        await sign(anna)
        anna.starts()
        assert "a role is free" in await anna.is_refused("not-allowed", "cancel")


async def test_who_is_gone_after_the_restart_leaves_the_room() -> None:
    store = await killed(two_in_mid_game)
    async with on_stage(store, run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        await stage.forget()
        ben.gone = True
        stage.now += 61_000
        stage.gateway.tick()
        await anna.hears(occupant("ben", role="none", type="unavailable"))
        ben.gone = False
        await ben.told()
        ben.enters("ben")
        told = await ben.told()
        assert "role='o'" in told[-2]
        assert "<status>active" in told[-1]  # nobody gave up a role: all who were ready still are


async def test_roles_are_kept_while_players_may_come_back() -> None:
    async def play(stage: Stage) -> None:
        await two_in_mid_game(stage)
        stage.client(CARL).enters("carl")

    store = await killed(play)
    async with on_stage(store, run=2) as stage:
        anna, ben, carl = (stage.client(jid) for jid in (ANNA, BEN, CARL))
        await stage.forget()
        for role in ("x", "o"):
            carl.takes_role(role)
            await carl.is_refused("conflict")
        anna.says("<presence/>")
        carl.takes_role("o")
        await carl.is_refused("conflict")
        ben.says("<presence/>")
        assert "<status>active" in (await carl.told())[-1]


async def test_a_role_is_free_when_the_time_to_come_back_is_over() -> None:
    async def play(stage: Stage) -> None:
        await two_in_mid_game(stage)
        stage.client(CARL).enters("carl")

    store = await killed(play)
    async with on_stage(store, run=2) as stage:
        carl = stage.client(CARL)
        await stage.forget()
        stage.client(ANNA).says("<presence/>")
        await time_to_come_back_is_over(stage)
        await stage.forget()
        carl.takes_role("o")
        told = "".join(await carl.told())
        assert "<item affiliation='none' role='o'/>" in told


async def test_a_textbook_player_is_lost_and_the_other_is_told() -> None:
    async def play(stage: Stage) -> None:
        (anna,) = await stage.table("anna")
        player = await stage.against_stranger(anna)
        anna.moves(1, 1, 1)
        await stage.settled()
        player.does(PlayMove(player.identity, "1,1"))

    store = await killed(play)
    async with on_stage(store, run=2) as stage:
        anna = stage.client(ANNA)
        await sign(anna)
        await stage.forget()
        stage.gateway.tick()
        gone = occupant("player", role="none", type="unavailable")
        await anna.hears(state("inactive", next="o", result="<won>x</won>"), gone)
        (stream,) = stage.host.directory.open
        table, _ = await stage.host.state(stream)
        assert table.status is Status.OPEN
        assert table.seat_of("xmpp:anna@example.org") == 0


async def test_rooms_stand_as_they_were_set() -> None:
    async def play(stage: Stage) -> None:
        anna, ben = await stage.table("anna", "ben")
        anna.configures("membersonly=1\nroomname=Keep\nanonymity=non-anonymous", "rows=4\ncols=4")
        ben.says(f"<presence to='{ROOM}/benjamin'><game xmlns='{MUG}'/></presence>")

    store = await killed(play)
    async with on_stage(store, run=2) as stage:
        ben, carl = stage.client(BEN), stage.client("carl@example.org/home")
        await sign(
            ben,
            state("inactive", size=(4, 4, 3)),
            occupant("anna", "owner", jid=ANNA),
            occupant("benjamin", "member", jid=BEN),
        )
        carl.enters("carl")
        await carl.is_refused("registration-required")


async def test_closed_rooms_do_not_come_back() -> None:
    async def play(stage: Stage) -> None:
        (anna,) = await stage.table("anna")
        anna.leaves("anna")

    store = await killed(play)
    async with on_stage(store, run=2) as stage:
        anna = stage.client(ANNA)
        await anna.hears()
        anna.enters("anna")
        assert "<status>created</status>" in (await anna.told())[0]


async def test_roles_of_a_match_that_has_not_begun_are_kept() -> None:
    async def play(stage: Stage) -> None:
        anna, ben = await stage.table("anna", "ben")
        anna.takes_role("x")
        ben.takes_role("o")

    store = await killed(play)
    async with on_stage(store, run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        await sign(ben)
        await stage.forget()
        anna.starts()
        ben.starts()
        assert "<status>active" in (await ben.told())[-1]


async def test_the_dialect_of_those_inside_is_remembered() -> None:
    foreign = "http://website.org/protocol/mug"
    game = f"<game xmlns='{foreign}' var='{foreign}/tictactoe'/>"

    async def play(stage: Stage) -> None:
        await stage.table("anna")
        stage.client("abc@example.org/garden").enters("abc")
        phone = stage.client("abc@example.org/phone")
        phone.says(f"<presence to='{ROOM}/abc'>{game}</presence>")

    store = await killed(play)
    async with on_stage(store, run=2) as stage:
        phone = stage.client("abc@example.org/phone")
        assert f"<game xmlns='{foreign}'>" in (await phone.told())[0]


async def test_a_round_that_had_no_time_to_end_ends_now() -> None:
    async def play(stage: Stage) -> None:
        await stage.final_turn()
        (stream,) = stage.host.directory.unfinished
        stage.gateway.close()  # what follows is recorded, and the room does not hear of it
        stage.host.submit(stream, PlayMove("xmpp:anna@example.org", "2,0"))

    store = await killed(play)
    async with on_stage(store, run=2) as stage:
        anna = stage.client(ANNA)
        await sign(anna)
        await stage.forget()
        stage.gateway.tick()
        await anna.hears(state("inactive", next="o", result="<won>x</won>"))


async def test_a_room_whose_match_cannot_be_read_goes_on_without_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = await killed(two_in_mid_game)
    (match,) = [stream for stream in store._streams if stream.startswith("match-")]
    store._streams[match] = [b"a match of the future"] * len(store._streams[match])
    store._log = [
        one._replace(data=b"a match of the future") if one.stream == match else one
        for one in store._log
    ]
    async with on_stage(store, run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await stage.forget()
        anna.takes_role("x")
        ben.takes_role("o")
        anna.starts()
        ben.starts()
        assert "<status>active" in (await ben.told())[-1]
    assert "goes on without its match" in caplog.text


async def test_a_room_of_a_game_that_is_not_played_here_is_left_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def play(stage: Stage) -> None:
        await stage.table("anna")
        stage.host.create("room", CreateRoom("pond", "go", {"size": 9}, BEN, "ben"))

    store = await killed(play)
    async with on_stage(store, run=2) as stage:
        await sign(stage.client(ANNA))
        await stage.client(BEN).hears()
    (line,) = [one for one in caplog.messages if "left alone" in one]
    assert line == "pond is left alone: nobody plays go here"


async def test_who_gives_no_sign_after_a_restart_is_gone_after_a_minute() -> None:
    async def sits_there(stage: Stage) -> None:
        await stage.table("anna", "ben")

    async with on_stage(await killed(sits_there), run=2) as stage:
        anna = stage.client("anna@example.org/home")
        anna.says("<message type='chat'><body>still here</body></message>")
        stage.client(BEN).gone = True
        for _ in range(61):
            stage.now += 1_000
            stage.gateway.tick()
        await stage.settled()
        assert list(stage.gateway._keepers["garden"].room.occupants) == ["anna@example.org"]
