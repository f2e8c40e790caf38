"""What was written once is read for ever: recorded logs are folded again by every version."""

from pathlib import Path
from typing import get_args

import pytest

from parlour.match import (
    AbortCause,
    Event,
    ForfeitCause,
    Match,
    MatchAborted,
    Pause,
    SeatForfeited,
    Suspended,
)
from tests.match.record_logs import STORIES, summary
from tests.match.tables import MATCHES

LOGS = sorted((Path(__file__).parents[1] / "data" / "logs").glob("*/*.jsonl"))


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_an_old_log_says_what_it_said(log: Path) -> None:
    match: Match | None = None
    for line in log.read_bytes().splitlines():
        match = MATCHES.evolve(match, MATCHES.decode(line))
    assert match is not None
    assert summary(match) == log.with_suffix(".txt").read_text()


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_an_event_is_written_as_it_was_read(log: Path) -> None:
    for line in log.read_bytes().splitlines():
        event = MATCHES.decode(line)
        assert MATCHES.decode(MATCHES.encode(event)) == event


def test_every_event_and_every_cause_is_in_some_log() -> None:
    events = [MATCHES.decode(line) for log in LOGS for line in log.read_bytes().splitlines()]
    assert {type(event) for event in events} == set(get_args(Event))
    assert {event.cause for event in events if isinstance(event, SeatForfeited)} == set(
        ForfeitCause
    )
    assert {event.cause for event in events if isinstance(event, MatchAborted)} == set(AbortCause)
    assert {event.pause for event in events if isinstance(event, Suspended)} == set(Pause)


def test_every_story_has_been_recorded() -> None:
    assert {story.__name__ for story in STORIES} <= {log.stem for log in LOGS}
