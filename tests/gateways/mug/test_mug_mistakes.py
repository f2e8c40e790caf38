"""A mistake of ours in telling what happened costs a room one fact, and not the room."""

import pytest

from parlour.host import StoreError
from parlour.match import LeaveSeat, Newcomer, TakeSeat, Terms
from parlour.stores import MemoryStore
from tests.gateways.mug.stage import (
    MUG,
    ROOM,
    Client,
    Stage,
    canonical,
    occupant,
    state,
    turn,
    with_room,
)

ONCE_A_MINUTE = [1, 3, 7, 15, 31, 63, 123, 183, 243]
"""From second to second, as it is tried again."""


def fails_once(monkeypatch: pytest.MonkeyPatch, stage: Stage, name: str) -> None:
    """The room's teller has a mistake that shows once."""
    teller = stage.gateway._keepers["garden"].teller
    sound = getattr(teller, name)

    def broken(*_: object, **__: object) -> None:
        monkeypatch.setattr(teller, name, sound)
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(teller, name, broken)


def fails_twice(monkeypatch: pytest.MonkeyPatch, stage: Stage) -> None:
    """A turn cannot be told, nor the room be mended after that."""
    fails_once(monkeypatch, stage, "told")
    fails_once(monkeypatch, stage, "assume")


async def second(stage: Stage) -> None:
    stage.now += 1_000
    stage.gateway.tick()
    await stage.settled()


async def tries(stage: Stage, caplog: pytest.LogCaptureFixture) -> list[int]:
    """The seconds of the next four minutes in which the room says that it stands still."""
    seconds = []
    for passed in range(1, 245):
        caplog.clear()
        await second(stage)
        if "stands still" in caplog.text:
            seconds.append(passed)
    return seconds


async def has_heard(client: Client, *expected: str) -> None:
    told = [canonical(one) for one in await client.told()]
    assert told[-len(expected) :] == [canonical(with_room(one)) for one in expected]


async def test_a_turn_that_could_not_be_told_stands_and_the_match_goes_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = await stage.match("anna", "ben")
    fails_once(monkeypatch, stage, "told")
    anna.moves(1, 1, 1)
    await has_heard(
        ben,
        state("active", "X . .", "o"),
        occupant("anna", "owner", "x"),
        occupant("ben", role="o"),
    )
    assert "cannot tell what happened in garden@" in caplog.text
    await stage.forget()
    ben.moves(2, 2, 2)
    assert turn(2, 2, 2) in (await anna.told())[0]


async def test_a_newcomer_who_could_not_be_told_is_inside(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, _ = await stage.match("anna", "ben")
    fails_once(monkeypatch, stage, "entered")
    carl = stage.client("carl@example.org/home")
    carl.enters("carl")
    await has_heard(carl, occupant("ben", role="o"), occupant("carl"))
    await anna.told()
    carl.says("<message type='chat'><body>hello</body></message>")
    assert "hello" in (await anna.told())[0]


async def test_a_player_whose_going_could_not_be_told_is_away(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = await stage.match("anna", "ben")
    fails_once(monkeypatch, stage, "left")
    ben.leaves("ben")
    gone = occupant("ben", role="none", type="unavailable")
    await has_heard(
        anna,
        state("active"),
        gone,
        occupant("anna", "owner", "x", jid=anna.jid),
        state("paused"),
    )
    await ben.hears(gone)


async def test_a_name_that_could_not_be_told_takes_the_place_of_the_one_before(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = await stage.table("anna", "ben")
    fails_once(monkeypatch, stage, "renamed")
    fails_once(monkeypatch, stage, "assume")  # nor can the room be mended at once
    ben.says(f"<presence to='{ROOM}/benjamin'><game xmlns='{MUG}'/></presence>")
    await stage.settled()
    await second(stage)
    await anna.hears(
        state("inactive"),
        occupant("ben", role="none", type="unavailable"),
        occupant("benjamin", jid=ben.jid),
        occupant("anna", "owner", jid=anna.jid),
    )


async def test_a_guest_whose_going_could_not_be_told_is_not_taken_for_inside(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (anna,) = await stage.table("anna")
    anna.takes_role("x")
    await stage.settled()
    (match,) = stage.host.directory.open
    stage.host.submit(match, TakeSeat(Newcomer("nedap:player", "player", Terms(), 1)))
    await stage.forget()
    fails_once(monkeypatch, stage, "told")
    stage.host.submit(match, LeaveSeat("nedap:player"))
    gone = occupant("player", role="none", type="unavailable")
    assert canonical(gone) in [canonical(one) for one in await anna.told()]


async def test_who_is_inside_hears_that_the_room_has_closed_where_that_could_not_be_told(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna = stage.client("anna@example.org/home")
    anna.enters("anna")
    await stage.forget()
    fails_once(monkeypatch, stage, "closed")
    stage.now += 600_000
    stage.gateway.tick()
    why = "<status>the room is closed</status>"
    gone = occupant("anna", "none", "none", type="unavailable").replace("<game", f"{why}<game")
    await has_heard(anna, gone)
    assert not stage.gateway._keepers


async def test_a_room_whose_making_could_not_be_told_is_made(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna = stage.client("anna@example.org/home")
    anna.enters("anna")
    fails_once(monkeypatch, stage, "entered")
    anna.accepts_defaults()
    told = await anna.told()
    assert any("type='result'" in one for one in told)
    assert "<status>inactive" in told[-1]


@pytest.mark.parametrize("of", ["room", "match"])
async def test_a_room_whose_facts_the_host_cannot_tell_any_more_is_read_anew(
    stage: Stage, of: str
) -> None:
    anna, ben = await stage.match("anna", "ben")
    keeper = stage.gateway._keepers["garden"]
    follower = keeper._follower if of == "room" else keeper.rounds._follower
    assert follower is not None
    stage.host._following._lose(follower)
    anna.moves(1, 1, 1)
    assert turn(1, 1, 1) in "".join(await ben.told())
    ben.leaves("ben")
    assert "<status>paused</status>" in (await anna.told())[-1]


async def test_a_room_that_could_not_be_mended_is_mended_a_second_later(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = await stage.match("anna", "ben")
    fails_twice(monkeypatch, stage)
    anna.moves(1, 1, 1)
    await stage.settled()
    assert "garden@games.example.org stands still" in caplog.text
    await stage.forget()
    await second(stage)
    await has_heard(
        ben,
        state("active", "X . .", "o"),
        occupant("anna", "owner", "x"),
        occupant("ben", role="o"),
    )
    await stage.forget()
    ben.moves(2, 2, 2)
    assert turn(2, 2, 2) in (await anna.told())[0]


async def test_a_room_is_mended_for_all_others_where_one_cannot_be_told(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = await stage.match("anna", "ben")
    fails_once(monkeypatch, stage, "told")
    fails_once(monkeypatch, stage, "welcome")  # anna is the first
    anna.moves(1, 1, 1)
    await has_heard(
        ben,
        state("active", "X . .", "o"),
        occupant("anna", "owner", "x"),
        occupant("ben", role="o"),
    )
    assert f"cannot tell {anna.jid} what is so in garden@" in caplog.text
    await stage.forget()
    ben.moves(2, 2, 2)
    assert turn(2, 2, 2) in (await anna.told())[0]


async def test_who_leaves_a_room_that_is_not_mended_yet_is_seen_to_leave(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = await stage.match("anna", "ben")
    fails_twice(monkeypatch, stage)
    anna.moves(1, 1, 1)
    await stage.settled()
    ben.leaves("ben")
    await stage.forget()
    await second(stage)
    gone = occupant("ben", role="none", type="unavailable")
    assert canonical(gone) in [canonical(one) for one in await anna.told()]


async def test_a_room_that_cannot_be_mended_is_tried_again_once_a_minute_in_the_end(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a mistake of ours")

    anna, _ = await stage.match("anna", "ben")
    fails_once(monkeypatch, stage, "told")
    monkeypatch.setattr(stage.gateway._keepers["garden"].teller, "assume", broken)
    anna.moves(1, 1, 1)
    await stage.settled()

    assert await tries(stage, caplog) == ONCE_A_MINUTE
    assert "Traceback" not in caplog.text  # the first was enough


async def test_a_room_that_is_no_longer_in_the_log_is_tried_once_a_minute_in_the_end(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    anna, _ = await stage.table("anna", "ben")
    assert isinstance(stage.store, MemoryStore)
    del stage.store._streams[stage.gateway._keepers["garden"].stream]
    anna.says(f"<presence to='{ROOM}/annie'><game xmlns='{MUG}'/></presence>")
    await stage.settled()

    assert await tries(stage, caplog) == ONCE_A_MINUTE
    assert "Traceback" not in caplog.text


async def test_while_the_medium_fails_a_room_is_tried_each_second_and_says_nothing_itself(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The host says it, once for all rooms."""
    tried = []

    async def fails(told: object) -> None:
        tried.append(told)
        raise StoreError("the medium does not answer")

    await stage.table("anna", "ben")
    mending = stage.gateway._keepers["garden"]._mending
    monkeypatch.setattr(mending, "_read_anew", fails)
    mending.lost()
    await stage.settled()

    assert await tries(stage, caplog) == []
    assert len(tried) == 245


async def test_a_clock_that_is_set_back_keeps_no_room_from_being_mended(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = await stage.match("anna", "ben")
    fails_twice(monkeypatch, stage)
    anna.moves(1, 1, 1)
    await stage.forget()
    stage.now -= 3_600_000
    await second(stage)
    assert canonical(with_room(state("active", "X . .", "o"))) in [
        canonical(one) for one in await ben.told()
    ]


async def test_who_comes_in_is_inside_whatever_goes_wrong_with_the_answer(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a mistake of ours")

    anna, _ = await stage.table("anna", "ben")
    carl = stage.client("carl@example.org/home")
    with monkeypatch.context() as patch:
        patch.setattr(stage.gateway._house, "charge", broken)
        carl.enters("carl")
        await stage.forget()
    carl.says("<message type='chat'><body>hello</body></message>")
    assert "hello" in "".join(await anna.told())
