"""The clients of a torture, whatever happens to them, and where their matches are looked for."""

import asyncio
import random
from pathlib import Path

import pytest
from slixmpp.exceptions import IqTimeout
from slixmpp.xmlstream.xmlstream import NotConnectedError

from benchmarks.torture import mug, players, web
from benchmarks.torture.mug import Occupant
from benchmarks.torture.nedap import Nedap
from benchmarks.torture.notes import Began, GaveUp, Notebook, read
from benchmarks.torture.players import Caller, World
from benchmarks.torture.proof import Index, Story
from benchmarks.torture.tables import Tables
from benchmarks.torture.textbook import Textbook
from parlour.cli import GAMES
from parlour.match import (
    CreateMatch,
    LeaveSeat,
    MatchAggregate,
    Newcomer,
    SetReady,
    TakeSeat,
    Terms,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("make", "silent"), [(Textbook, False), (Textbook, True), (Nedap, True)])
async def test_a_client_that_is_not_let_in_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: type[Caller], silent: bool
) -> None:
    """At a door that says nothing, or closes at once."""
    monkeypatch.setattr(players, "LOST_PATIENCE", 0.1)
    notebook = Notebook(tmp_path / "notes.jsonl")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if silent:
            await reader.read()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        world = World(notebook, random.Random(1), 1.0)
        world.ports = {make.protocol: server.sockets[0].getsockname()[1]}
        client = Nedap(world, 5) if make is Nedap else make(world)
        await asyncio.wait_for(client.live(), 10)
    notebook.close()
    assert isinstance(list(read(tmp_path / "notes.jsonl"))[-1], GaveUp)


async def test_a_browser_that_is_never_answered_ends_its_game_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "LOST_PATIENCE", 0.1)
    notebook = Notebook(tmp_path / "notes.jsonl")
    async with await asyncio.start_server(lambda _, out: out.close(), "127.0.0.1", 0) as server:
        world = World(notebook, random.Random(1), 0.01)
        world.ports = {"web": server.sockets[0].getsockname()[1]}
        tables = Tables(world, {"web": 1})
        tables.open = False
        tables.peace.set()
        await asyncio.wait_for(tables.keep(1), 10)
    notebook.close()
    assert "no answer to GET /api/me" in tables.failures[0]
    assert isinstance(list(read(tmp_path / "notes.jsonl"))[-1], GaveUp)


def test_who_left_before_the_start_and_came_again_played_in_one_match() -> None:
    """As players of tables that a restart finds open do."""
    rules, who = MatchAggregate(GAMES), Newcomer("ruc:ann 127.0.0.1", "ann")
    other = Newcomer("web:bob", "bob", Terms(ready=True))
    match, events = None, []
    for command in (
        CreateMatch("tictactoe", {}, (other, who)),
        LeaveSeat(who.identity),
        TakeSeat(who),
        SetReady(who.identity),
    ):
        for event in rules.decide(match, command, 1):
            match = rules.evolve(match, event)
            events.append(event)
    assert match is not None
    story = Story("match-1", match, events)
    began = Began(2, "ruc:ann", 1, 2, True, identity="ruc:ann ")
    assert Index([story], [began]).find(began) == [story]


class Unlucky(Occupant):
    """Whose stream ends in the middle of everything it does."""

    def __init__(self, world: World, ends: list[BaseException]) -> None:
        super().__init__(world, "room", "x", public=False)
        self.ends = ends

    async def _do_what_is_to_be_done(self) -> None:
        if self.ends:
            raise self.ends.pop()
        self.over = True


async def test_an_occupant_outlives_whatever_slixmpp_says_of_a_lost_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mug, "NUDGE", 0.01)
    world = World(Notebook(tmp_path / "notes.jsonl"), random.Random(1), 1.0)
    ends: list[BaseException] = [NotConnectedError(), asyncio.CancelledError(), IqTimeout(None)]
    client = Unlucky(world, ends)
    await asyncio.wait_for(client.live(), 10)
    assert (client.over, client.ends) == (True, [])
    world.notebook.close()
