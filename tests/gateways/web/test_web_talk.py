"""Talk at a table: line by line where few watch, and together where many do."""

import contextlib
from typing import Any

import pytest

from parlour.host import Chat, ChatLine
from tests.gateways.web.browsers import House, Tab, house, table

SAID = [f"line {number}" for number in range(50)]


def say_all(chat: Chat, match: str) -> set[int]:
    """Everything in one turn of the loop; returns how many were said to hear it."""
    return {chat.say(ChatLine(match, "web:1", "anna", text, 1)) for text in SAID}


async def hears(tab: Tab) -> tuple[list[str], int]:
    """What is said up to the last line, and in how many messages."""
    lines: list[str] = []
    count = 0
    while not lines or lines[-1] != SAID[-1]:
        message: dict[str, Any] = await tab.until("chat")
        if message["lines"]:
            count += 1
            lines += [line["text"] for line in message["lines"]]
    return lines, count


async def crowd(stack: contextlib.AsyncExitStack, doors: House, size: int) -> tuple[str, list[Tab]]:
    """A table that so many watch."""
    guest = await stack.enter_async_context(doors.guest())
    match = await guest.open("go")
    tabs = [await stack.enter_async_context(guest.tab()) for _ in range(size)]
    for tab in tabs:
        await tab.watch(match)
    return match, tabs


async def test_where_few_watch_each_line_is_told_as_it_is_said() -> None:
    async with house() as doors, contextlib.AsyncExitStack() as stack:
        match, tabs = await crowd(stack, doors, 2)
        say_all(doors.service.desk.chat, match)

        for tab in tabs:
            assert await hears(tab) == (SAID, len(SAID))


async def test_where_many_watch_lines_are_told_together_and_each_once() -> None:
    async with house() as doors, contextlib.AsyncExitStack() as stack:
        match, tabs = await crowd(stack, doors, 24)

        assert say_all(doors.service.desk.chat, match) == {24}

        for tab in tabs:
            lines, messages = await hears(tab)
            assert lines == SAID
            assert messages < 5


async def test_who_comes_between_the_word_and_its_turn_hears_it_once() -> None:
    async with house() as doors, contextlib.AsyncExitStack() as stack:
        match, tabs = await crowd(stack, doors, 24)
        channel, chat = doors.watched(match), doors.service.desk.chat
        say_all(chat, match)
        channel.leave(watcher := next(iter(channel.watchers)))
        channel.join(watcher, 0, lambda no: pytest.fail(str(no)))

        for tab in tabs:
            assert (await hears(tab))[0] == SAID
        chat.say(ChatLine(match, "web:1", "anna", "and no more", 1))
        for tab in tabs:
            more = await tab.until("chat", lambda message: bool(message["lines"]))
            assert [line["text"] for line in more["lines"]] == ["and no more"]


async def test_who_looks_on_passes_neither_for_a_player_nor_for_the_server() -> None:
    async with house() as doors, table(doors) as (match, one, _):
        chat, names = doors.service.desk.chat, ("\uff21lice\u200b", "SERVER", "Carl")
        for name in names:
            chat.say(ChatLine(match, "web:9", name, "hello", 1))
        chat.say(ChatLine(match, "", "", "hello", 1))

        shown = [(await one.until("chat", has_lines))["lines"][0]["name"] for _ in range(4)]

        assert shown == [f"{names[0]} (looks on)", "SERVER (looks on)", "Carl", ""]


def has_lines(message: dict[str, Any]) -> bool:
    return bool(message["lines"])
