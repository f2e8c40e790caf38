"""What is said where few listen is heard at once; where many do, in order and a bite at a time."""

import asyncio
import gc
from weakref import WeakSet

import pytest

from parlour.host import Chat, ChatLine

TABLE, ROOM = "match-1", "waiting room"
MANY = 300
TURN = 128  # times that lines may be heard in one turn of the loop: two bites


def line(number: int, topic: str = ROOM) -> ChatLine:
    return ChatLine(topic, "nedap:alice", "alice", f"line {number}", number)


class Crowd:
    """Many who listen in one room, and how much they have heard."""

    def __init__(self, chat: Chat, size: int = MANY) -> None:
        self.heard: list[list[int]] = [[] for _ in range(size)]
        self.stops = [
            chat.listen(ROOM, lambda said, mine=mine: mine.append(said.at))  # type: ignore[misc]
            for mine in self.heard
        ]

    @property
    def count(self) -> int:
        return sum(map(len, self.heard))

    async def hears(self, count: int) -> list[int]:
        """Wait until so many lines were heard; returns how many in each turn of the loop."""
        turns = []
        while (before := self.count) < count:
            await asyncio.sleep(0)
            turns.append(self.count - before)
        return turns


def test_at_a_table_everybody_hears_a_line_before_it_is_answered() -> None:
    chat = Chat()
    heard: list[str] = []
    for _ in range(3):
        chat.listen(TABLE, lambda said: heard.append(said.text))

    assert chat.say(line(1, TABLE)) == 3

    assert heard == ["line 1"] * 3


async def test_where_many_listen_all_hear_all_in_order_with_others_in_between() -> None:
    chat = Chat()
    crowd = Crowd(chat)

    for number in range(20):
        assert chat.say(line(number)) == MANY

    async with asyncio.timeout(5):
        turns = await crowd.hears(20 * MANY)
    assert max(turns) <= TURN
    assert crowd.heard == [list(range(20))] * MANY


async def test_a_crowd_that_has_heard_hears_again() -> None:
    chat = Chat()
    crowd = Crowd(chat)
    for number in range(3):
        chat.say(line(number))
        await crowd.hears(MANY * (number + 1))
    assert crowd.heard == [[0, 1, 2]] * MANY


async def test_what_is_said_to_a_few_waits_for_what_was_said_to_many() -> None:
    chat = Chat()
    crowd = Crowd(chat, 17)
    chat.say(line(1))
    crowd.stops.pop()()

    chat.say(line(2))  # to no more than hear a line at once

    async with asyncio.timeout(5):
        await crowd.hears(2 * 16)
    assert crowd.heard == [*([[1, 2]] * 16), []]


async def test_who_stops_hears_no_more_and_an_empty_room_is_forgotten() -> None:
    chat = Chat()
    crowd = Crowd(chat)
    chat.say(line(1))

    for stop in crowd.stops:
        stop()
    other = Crowd(chat, 1)
    chat.say(line(2))
    await asyncio.sleep(0.01)

    assert crowd.count == 0
    assert other.heard == [[2]]
    assert chat.lines(ROOM) == [line(2)]


async def test_who_passes_on_to_many_has_its_turn_and_others_hear_at_once() -> None:
    chat = Chat()
    room: list[int] = []
    table: list[int] = []
    chat.listen(ROOM, lambda said: room.append(said.at), lambda: MANY)
    chat.listen(ROOM, lambda said: table.append(said.at))

    for number in range(20):
        assert chat.say(line(number)) == MANY + 1
    assert (room, table) == ([], list(range(20)))

    async with asyncio.timeout(5):
        while len(room) < 20:
            before = len(room)
            await asyncio.sleep(0)
            assert len(room) - before <= 1
    assert room == table


async def test_of_a_flood_the_newest_lines_are_heard() -> None:
    chat = Chat()
    crowd = Crowd(chat, 20)

    for number in range(1500):
        chat.say(line(number))

    async with asyncio.timeout(5):
        await crowd.hears(20 * 1000)
    assert crowd.heard == [list(range(500, 1500))] * 20


class Text(str):
    """What is said, for as long as anybody keeps it."""


class Speech:
    """Lines that somebody says, and how many of them are in memory still."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._texts: WeakSet[Text] = WeakSet()

    def says(self, topic: str, count: int) -> None:
        for number in range(count):
            text = Text(f"line {number}")
            self._texts.add(text)
            self._chat.say(ChatLine(topic, "nedap:alice", "alice", text, number))

    def kept(self) -> int:
        gc.collect()
        return len(self._texts)


def test_a_table_of_two_keeps_the_last_lines_and_no_more() -> None:
    chat = Chat()
    for _ in range(2):
        chat.listen(TABLE, lambda said: None)
    speech = Speech(chat)

    speech.says(TABLE, 1500)

    assert [said.at for said in chat.lines(TABLE)] == list(range(1300, 1500))
    assert speech.kept() == 200


async def test_what_many_have_still_to_hear_is_kept_until_they_have() -> None:
    chat = Chat()
    crowd = Crowd(chat, 20)
    speech = Speech(chat)

    speech.says(ROOM, 700)
    waiting = speech.kept()
    async with asyncio.timeout(5):
        await crowd.hears(20 * 700)

    assert waiting == 700
    assert speech.kept() == 200
    assert crowd.heard == [list(range(700))] * 20


async def test_a_listener_that_fails_costs_nobody_else_a_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    chat = Chat()

    def fail(said: ChatLine) -> None:
        raise RuntimeError("a mistake of ours")

    chat.listen(ROOM, fail)
    crowd = Crowd(chat, 20)

    chat.say(line(1))
    async with asyncio.timeout(5):
        await crowd.hears(20)

    assert "a line of chat was not heard" in caplog.text
