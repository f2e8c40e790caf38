"""What was written once is read for ever: recorded logs are folded again by every version."""

from pathlib import Path
from typing import get_args

import pytest

from parlour.match import AbortCause, Event, ForfeitCause, Match, Pause
from tests.match.record_logs import summary
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
    text = b"".join(log.read_bytes() for log in LOGS)
    for kind in get_args(Event):
        assert f'"type":"{kind.__struct_config__.tag}"'.encode() in text
    for cause in (*ForfeitCause, *AbortCause, *Pause):
        assert f'"{cause}"'.encode() in text


def test_the_tag_of_an_event_carries_its_schema_version() -> None:
    for kind in get_args(Event):
        assert kind.__struct_config__.tag == f"{kind.__name__}/1"
