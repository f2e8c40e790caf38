"""What a room refuses, and what changes nothing, when somebody else was faster."""

import pytest

from parlour.games import Refusal, Refused
from parlour.gateways.mug._config import RoomConfig
from parlour.gateways.mug._room_commands import (
    ChangeNick,
    CloseRoom,
    Configure,
    CreateRoom,
    EndRound,
    Enter,
    Leave,
    OpenRound,
    RoomCommand,
    RoomRestart,
    RoomTick,
)
from parlour.gateways.mug._room_events import Closure
from tests.gateways.mug.record_rooms import ANNA, BEN, OPTIONS, ROOMS, Story, lost_and_closed

OWNER = "anna@example.org"


def open_room() -> Story:
    story = Story()
    story.does(Configure(OWNER, RoomConfig(), OPTIONS))
    return story


def with_a_round() -> Story:
    story = open_room()
    story.does(OpenRound("match-1"))
    return story


REFUSED: list[tuple[RoomCommand, Refusal]] = [
    (CreateRoom("garden", "tictactoe", OPTIONS, BEN, "ben"), Refusal.ROOM_EXISTS),
    (OpenRound("match-2"), Refusal.STREAM_EXISTS),
    (EndRound("match-0", OPTIONS), Refusal.UNKNOWN_STREAM),
    (ChangeNick("ben@example.org", "benjamin"), Refusal.NOT_INSIDE),
    (ChangeNick(OWNER, ""), Refusal.MALFORMED_NAME),
    (Configure("ben@example.org", RoomConfig(), OPTIONS), Refusal.NOT_OWNER),
    (CloseRoom(Closure.EMPTY, "match-1"), Refusal.ROOM_EXISTS),
    (CloseRoom(Closure.UNCONFIGURED, "match-1"), Refusal.ROOM_EXISTS),
    (CloseRoom(Closure.OPERATOR, "match-0"), Refusal.ROOM_EXISTS),
    (Enter(BEN, "anna"), Refusal.NAME_TAKEN),
    (Enter(BEN, "guest", reserved=("Guest",)), Refusal.NAME_TAKEN),
]
NOTHING: list[RoomCommand] = [
    Enter(ANNA, "anna"),
    Leave(BEN),
    ChangeNick(OWNER, "anna"),
    RoomTick(),
    RoomRestart(),
]


@pytest.mark.parametrize(("command", "why"), REFUSED, ids=lambda one: type(one).__name__)
def test_what_a_room_refuses(command: RoomCommand, why: Refusal) -> None:
    story = with_a_round()
    with pytest.raises(Refused) as no:
        story.does(command)
    assert no.value.refusal is why


@pytest.mark.parametrize("command", NOTHING, ids=lambda one: type(one).__name__)
def test_what_changes_nothing_adds_nothing(command: RoomCommand) -> None:
    story = with_a_round()
    before = story.room
    story.does(command)
    assert story.room is before


def test_nothing_can_be_asked_of_a_closed_room() -> None:
    story = lost_and_closed()
    for command in (Enter(ANNA, "anna"), OpenRound("match-1"), CloseRoom(Closure.EMPTY)):
        with pytest.raises(Refused) as no:
            story.does(command)
        assert no.value.refusal is Refusal.UNKNOWN_STREAM


def test_a_room_has_nothing_to_do_at_any_time() -> None:
    assert ROOMS.wakes_at(with_a_round().room) is None
    assert isinstance(ROOMS.tick(), RoomTick)
    assert isinstance(ROOMS.restart(0), RoomRestart)


def test_a_log_that_does_not_begin_with_a_creation_is_none() -> None:
    event = ROOMS.decode(with_a_round().log[-1])
    with pytest.raises(ValueError, match="a room begins with RoomCreated"):
        ROOMS.evolve(None, event)
