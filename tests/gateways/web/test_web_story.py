"""A page that folds what it is told knows the match, in every game and from any version on."""

import copy
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.cli import GAMES
from parlour.games import Position
from parlour.gateways.web._board import cells
from parlour.gateways.web._story import Story
from parlour.host import Recorded
from parlour.match import (
    ComeBack,
    Command,
    CreateMatch,
    GoAway,
    Match,
    MatchAggregate,
    Newcomer,
    PlayMove,
    Resign,
    SetReady,
    Terms,
    TimeControl,
)
from tests.gateways.web.browsers import fold

NOW = 1_800_000_000_000
TABLES: dict[str, tuple[dict[str, Any], int]] = {
    "tictactoe": ({}, 2),
    "go": ({"size": 5, "end": "any"}, 2),
    "chinese_checkers": ({"players": 3}, 3),
}


class Log:
    """A match and the facts in it."""

    def __init__(self, game: str) -> None:
        self.aggregate = MatchAggregate(GAMES)
        self.records: list[Recorded] = []
        self.match: Match | None = None
        self._now = NOW
        options, players = TABLES[game]
        self.names = [f"web:{number}" for number in range(players)]
        newcomers = [Newcomer(name, name.upper(), Terms(grace=1000)) for name in self.names]
        control = TimeControl(total=600_000, increment=1000)
        self.does(CreateMatch(game, dict(options), tuple(newcomers), control=control))

    def does(self, command: Command) -> None:
        self._now += 100
        for event in self.aggregate.decide(self.match, command, self._now):
            self.match = self.aggregate.evolve(self.match, event)
            self.records.append(Recorded("match-1", len(self.records) + 1, event, self.match))

    @property
    def position(self) -> Position:
        assert self.match is not None
        assert self.match.position is not None
        return self.match.position

    def playout(self, seed: int, moves: int) -> None:
        """Everybody gets ready, plays and goes and comes, and one resigns in the end."""
        rng = random.Random(seed)
        for name in self.names:
            self.does(SetReady(name))
        for _ in range(moves):
            assert self.match is not None
            turn = self.match.turn
            if turn is None:
                return
            by = self.match.player(turn).identity
            if rng.random() < 0.1:
                self.does(GoAway(by))
                self.does(ComeBack(by))
            self.does(PlayMove(by, rng.choice(sorted(self.position.moves()))))
        if self.match is not None and not self.match.status.finished:
            self.does(Resign(rng.choice(self.names)))


def told(story: Story) -> dict[str, Any]:
    """The state as a page gets it."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(story.view(False, None)))
    return found


def by_seat(board: list[list[str]] | None) -> list[set[str]] | None:
    return None if board is None else [set(own) for own in board]


@pytest.mark.parametrize("game", TABLES)
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 40), data=st.data())
def test_the_state_and_later_events_make_the_later_state(
    game: str, seed: int, moves: int, data: st.DataObject
) -> None:
    log = Log(game)
    log.playout(seed, moves)
    seen = data.draw(st.integers(1, len(log.records)))

    story = Story("match-1")
    story.learn(log.records[:seen])
    page = copy.deepcopy(told(story))
    for event in story.learn(log.records[seen:]):
        fold(page, msgspec.json.decode(msgspec.json.encode(event)))

    whole = told(story)
    page["board"], whole["board"] = by_seat(page["board"]), by_seat(whole["board"])
    assert page == whole


@pytest.mark.parametrize("game", TABLES)
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 40), data=st.data())
def test_the_board_after_any_move_can_be_made_from_the_start(
    game: str, seed: int, moves: int, data: st.DataObject
) -> None:
    log = Log(game)
    log.playout(seed, moves)
    story = Story("match-1")
    story.learn(log.records)
    page = told(story)
    played = len(page["moves"])
    wanted = data.draw(st.integers(0, played))

    held = {cell: seat for seat, own in enumerate(page["start"]) for cell in own}
    for move in page["moves"][:wanted]:
        held |= move["set"]
    for forfeit in page["forfeits"]:
        if forfeit["after_moves"] <= wanted < played or wanted == played:
            held |= forfeit["set"]

    states = [one.state for one in log.records if one.state.position is not None]
    then = [one.position for one in states if one.position.ply == wanted][-1]
    found = cells(then)
    assert found is not None
    expected = {cell: seat for seat, own in enumerate(found) for cell in own}
    assert {cell: seat for cell, seat in held.items() if seat is not None} == expected
