"""A mistake of ours in telling what happened costs a room one fact, and not the room."""

import pytest

from tests.gateways.mug.stage import Client, Stage, canonical, occupant, state, turn, with_room


def fails_once(monkeypatch: pytest.MonkeyPatch, stage: Stage, name: str) -> None:
    """The room's teller has a mistake that shows once."""
    teller = stage.gateway._keepers["garden"].teller
    sound = getattr(teller, name)

    def broken(*_: object, **__: object) -> None:
        monkeypatch.setattr(teller, name, sound)
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(teller, name, broken)


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
    await has_heard(anna, occupant("anna", "owner", "x", jid=anna.jid), state("paused"))


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
