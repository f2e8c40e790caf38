"""What is said where few listen is heard at once; where many do, in order and a bite at a time."""

import asyncio
import gc
from collections.abc import Callable, Sequence
from weakref import WeakSet

import pytest

from parlour.host import Chat, ChatLine

TABLE, ROOM = "match-1", "waiting room"
MANY = 300
TURN = 128  # times that lines may be heard in one turn of the loop: two bites


def line(number: int, topic: str = ROOM) -> ChatLine:
    return ChatLine(topic, "nedap:alice", "alice", f"line {number}", number)


def notes(heard: list[int]) -> Callable[[Sequence[ChatLine]], None]:
    """Note which lines are heard."""
    return lambda lines: heard.extend(said.at for said in lines)


class Crowd:
    """Many who listen in one room, and how much they have heard."""

    def __init__(self, chat: Chat, size: int = MANY) -> None:
        self.heard: list[list[int]] = [[] for _ in range(size)]
        self.listeners = [chat.listen(ROOM, notes(mine)) for mine in self.heard]

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
    heard: list[int] = []
    for _ in range(3):
        chat.listen(TABLE, notes(heard))

    assert chat.say(line(1, TABLE)) == 3

    assert heard == [1] * 3


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
    crowd.listeners.pop().stop()

    chat.say(line(2))  # to no more than hear a line at once

    async with asyncio.timeout(5):
        await crowd.hears(2 * 16)
    assert crowd.heard == [*([[1, 2]] * 16), []]


async def test_who_stops_hears_no_more_and_an_empty_room_is_forgotten() -> None:
    chat = Chat()
    crowd = Crowd(chat)
    chat.say(line(1))

    for listener in crowd.listeners:
        listener.stop()
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
    chat.listen(ROOM, notes(room), lambda: MANY)
    chat.listen(ROOM, notes(table))

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
        chat.listen(TABLE, notes([]))
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


def fail(lines: Sequence[ChatLine]) -> None:
    raise RuntimeError("a mistake of ours")


@pytest.mark.parametrize("size", [2, 20])
async def test_a_listener_that_fails_costs_nobody_else_a_line(
    size: int, caplog: pytest.LogCaptureFixture
) -> None:
    chat = Chat()
    chat.listen(ROOM, fail)
    crowd = Crowd(chat, size)

    assert chat.say(line(1)) == size + 1
    async with asyncio.timeout(5):
        await crowd.hears(size)

    assert "a line of chat was not heard" in caplog.text


@pytest.mark.parametrize("size", [2, 20])
async def test_who_is_made_to_stop_while_a_line_is_heard_does_not_hear_it(size: int) -> None:
    chat = Chat()
    chat.listen(ROOM, lambda lines: crowd.listeners[0].stop())
    crowd = Crowd(chat, size)

    chat.say(line(1))
    async with asyncio.timeout(5):
        await crowd.hears(size - 1)

    assert crowd.heard == [[]] + [[1]] * (size - 1)


async def test_an_answer_is_heard_by_everybody_behind_what_it_answers() -> None:
    chat = Chat()
    first: list[int] = []

    def answers(lines: Sequence[ChatLine]) -> None:
        notes(first)(lines)
        if lines[0].at == 1:
            chat.say(line(2))

    chat.listen(ROOM, answers)
    crowd = Crowd(chat, 2)
    page: list[list[int]] = []
    chat.listen(ROOM, lambda lines: page.append([said.at for said in lines]), joins=True)

    chat.say(line(1))
    async with asyncio.timeout(5):
        await crowd.hears(4)

    assert [first, *crowd.heard] == [[1, 2]] * 3
    assert page == [[1, 2]]


async def test_who_joins_lines_hears_many_at_once_at_the_price_of_one() -> None:
    chat = Chat()
    heard: list[list[int]] = []
    page = chat.listen(TABLE, lambda lines: heard.append([said.at for said in lines]), joins=True)
    crowd: list[list[int]] = []
    wide = chat.listen(
        ROOM, lambda lines: crowd.append([said.at for said in lines]), lambda: MANY, joins=True
    )

    for number in range(450):
        assert chat.say(line(number, TABLE)) == 1
        assert chat.say(line(number)) == MANY

    assert heard == [[number] for number in range(450)]
    assert (page.behind, wide.behind, crowd) == (0, 450, [])
    async with asyncio.timeout(5):
        while wide.behind:
            before = len(crowd)
            await asyncio.sleep(0)
            assert len(crowd) - before <= 1
    assert crowd == [list(range(200)), list(range(200, 400)), list(range(400, 450))]


async def test_so_many_lines_a_second_are_heard_where_many_listen() -> None:
    chat = Chat()
    loop, heard = asyncio.get_running_loop(), asyncio.Event()
    chat.listen(ROOM, lambda lines: heard.set(), lambda: 2000, joins=True)
    chat.listen(TABLE, lambda lines: heard.set(), lambda: 2000, joins=True)

    begun = loop.time()
    for topic in (ROOM, TABLE):
        chat.say(line(1, topic))
    for _ in range(2):
        async with asyncio.timeout(5):
            await heard.wait()
        heard.clear()

    assert loop.time() - begun >= 0.099  # 2,000 of 20,000 a second, before the other's turn
