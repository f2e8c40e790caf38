"""Holds the server's log to what the clients noted: nothing lost, doubled, wrong or stuck.

It reads a run's folder and stands on no code of the run, so that it can be asked again later.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.torture.happened import Quiet, Share, missing, moves_of, played, tellings
from benchmarks.torture.notes import (
    Began,
    CalledOff,
    Ended,
    Fault,
    GaveUp,
    Killed,
    Missed,
    Note,
    Planned,
    Refused,
    Secured,
    Sent,
    Shown,
    Started,
    by_client,
    read,
)
from parlour.cli import GAMES
from parlour.match import (
    AbortCause,
    Event,
    ForfeitCause,
    Match,
    MatchAborted,
    MatchAggregate,
    MatchStarted,
    MovePlayed,
    SeatForfeited,
    SeatTaken,
)
from tests.durability.log import Line, streams

CLOCKS = 30  # ms within which the clock of a run of the server is known, see `Index`
SHOWN = 30  # problems of a kind
MATCHES = MatchAggregate(GAMES)


class Story(Struct):
    """One match as the log has it."""

    stream: str
    match: Match
    events: list[Event]
    problems: list[str] = []

    @property
    def moves(self) -> list[tuple[int, str]]:
        """Seat and move of each ply."""
        return [(one.seat, one.move) for one in self.events if isinstance(one, MovePlayed)]

    @property
    def forfeits(self) -> list[SeatForfeited]:
        """Who lost before the end, and why."""
        return [one for one in self.events if isinstance(one, SeatForfeited)]


class Verdict(Struct):
    """What was found. The torture is passed when there are no `problems`."""

    matches: int = 0
    ended: int = 0
    aborted: int = 0
    forfeits: dict[str, int] = {}
    clients: dict[str, int] = {}
    secured: dict[str, int] = {}
    moves_logged: int = 0
    moves_told: int = 0
    results_told: int = 0
    ways_back: int = 0
    missed: int = 0
    gave_up: int = 0
    turned_away: int = 0
    played: dict[str, Share] = {}
    faults: dict[str, int] = {}
    kills: dict[str, int] = {}
    refusals: dict[str, int] = {}
    lost: int = 0
    doubled: int = 0
    wrong_results: int = 0
    stuck: int = 0
    kept_out: int = 0
    idle: int = 0
    tracebacks: int = 0
    problems: list[str] = []

    def blame(self, kind: str, text: str) -> None:
        """Count a problem, and keep its description."""
        setattr(self, kind, getattr(self, kind) + 1)
        if getattr(self, kind) <= SHOWN:
            self.problems.append(f"{kind}: {text}")


def examine(folder: Path) -> Verdict:
    """Compare the notes of the clients with the log that the server left."""
    verdict = Verdict()
    try:
        log = streams(folder / "data")
    except AssertionError as error:
        verdict.problems.append(f"the log is unsound: {error}")
        return verdict
    stories = [_story(name, lines) for name, lines in log.items() if name.startswith("match-")]
    notes = list(read(folder / "notes.jsonl"))
    _count(verdict, stories, notes)
    index = Index(stories, notes)
    seats: dict[tuple[str, int], list[Note]] = {}
    for client, own in by_client(notes).items():
        _hold(verdict, client, own, index, seats)
    for story in stories:
        verdict.problems += story.problems
        _hold_to_its_seats(verdict, story, seats)
    _hold_to_what_must_happen(verdict, notes, seats)
    strangers = any(isinstance(note, Planned) and note.strangers for note in notes)
    _read_server_log(verdict, folder / "server.log", strangers)
    return verdict


def _story(stream: str, lines: Sequence[Line]) -> Story:
    """Fold a match by the rules; an event that cannot be is a problem."""
    match: Match | None = None
    events: list[Event] = []
    problems: list[str] = []
    for line in lines:
        event = MATCHES.decode(line.text.encode())
        events.append(event)
        try:
            match = MATCHES.evolve(match, event)
        except Exception as error:  # whatever it is that the log cannot be
            problems.append(f"{stream}: event {line.version} cannot be: {error!r}")
            break
    assert match is not None
    return Story(stream, match, events, problems)


def _count(verdict: Verdict, stories: Sequence[Story], notes: Sequence[Note]) -> None:
    verdict.matches = len(stories)
    verdict.ended = sum(story.match.outcome is not None for story in stories)
    verdict.aborted = sum(isinstance(story.events[-1], MatchAborted) for story in stories)
    verdict.moves_logged = sum(len(story.moves) for story in stories)
    verdict.forfeits = Counter(str(one.cause) for story in stories for one in story.forfeits)
    verdict.clients = Counter(client.partition(":")[0] for client in by_client(notes))
    verdict.secured = Counter(
        note.client.partition(":")[0] for note in notes if isinstance(note, Secured)
    )
    verdict.missed = sum(isinstance(note, Missed) for note in notes)
    verdict.results_told = sum(isinstance(note, Ended) for note in notes)
    verdict.faults = Counter(note.kind for note in notes if isinstance(note, Fault))
    verdict.kills = Counter(note.client for note in notes if isinstance(note, Killed))
    verdict.refusals = Counter(
        " ".join(note.text.split()[:5]) for note in notes if isinstance(note, Refused)
    )


class Index:
    """Finds the match of a client by what the client knows.

    Each run of the server has a clock of its own, made at its start, which on a busy machine may
    be some hundredths of a second off: how much shows in what players with names were told.
    """

    def __init__(self, stories: Iterable[Story], notes: Sequence[Note]) -> None:
        self._streams = {story.stream: story for story in stories}
        self._identities: dict[str, dict[str, Story]] = {}
        self._textbook: list[tuple[int, int, Story]] = []
        for story in self._streams.values():
            started = any(isinstance(one, MatchStarted) for one in story.events)
            for event in story.events:
                if not isinstance(event, SeatTaken):
                    continue
                # Nedap's and RUC's have an address behind the name.
                known = event.identity.partition(" ")[0]
                if started:  # once, also for who left before that and came again
                    self._identities.setdefault(known, {})[story.stream] = story
                if known.startswith("textbook:"):  # player 2 hears of the seat, not of the start
                    self._textbook.append((event.at, event.seat, story))
        self._runs = [note.at for note in notes if isinstance(note, Started)]
        self._late = self._clocks(notes)

    def _clocks(self, notes: Sequence[Note]) -> dict[int, int]:
        """For each run, how much later than in the log a player was told of a start, at least."""
        late: dict[int, int] = {}
        for note in notes:
            if isinstance(note, Began) and not note.since and len(found := self.find(note)) == 1:
                began = next(one for one in found[0].events if isinstance(one, MatchStarted)).at
                run = self._run(note.at)
                if self._run(began) == run:  # or it was told only after a restart
                    late[run] = min(late.get(run, note.at - began), note.at - began)
        return late

    def _run(self, at: int) -> int:
        return bisect_right(self._runs, at)

    def find(self, began: Began) -> list[Story]:
        """The matches that it may be; one, where all is well."""
        if began.stream:
            return [self._streams[began.stream]] if began.stream in self._streams else []
        if began.identity:
            return list(self._identities.get(began.identity.strip(), {}).values())
        for late in (0, self._late.get(self._run(began.at), 0)):
            found = [
                story
                for at, seat, story in self._textbook
                if began.since - CLOCKS <= at + late <= began.at + CLOCKS and seat == began.seat
            ]
            if len(found) == 1:
                break
        return found


def _hold(
    verdict: Verdict,
    client: str,
    notes: Sequence[Note],
    index: Index,
    seats: dict[tuple[str, int], list[Note]],
) -> None:
    """One client's notes against the match that it played in."""
    began = next((note for note in notes if isinstance(note, Began)), None)
    if began is None:
        return
    found = index.find(began)
    if len(found) != 1:
        verdict.blame("lost", f"{client} was told of a match, and the log has {len(found)}")
        return
    story = found[0]
    if (story.stream, began.seat) in seats:
        verdict.blame("lost", f"{client} has the same seat in {story.stream} as another")
    seats[story.stream, began.seat] = list(notes)
    told = tellings(notes)
    verdict.ways_back += len(told) - 1
    verdict.moves_told += moves_of(notes)
    for telling in told:
        if telling != story.moves[: len(telling)]:
            kind = "doubled" if _without_echoes(telling) == story.moves else "lost"
            verdict.blame(kind, f"{client} in {story.stream} {_difference(telling, story.moves)}")
    for note in notes:
        if isinstance(note, Shown) and sorted(note.marks) != sorted(story.moves[: len(note.marks)]):
            verdict.blame("lost", f"{client} in {story.stream} was shown {note.marks}")
        if isinstance(note, Ended) and not _agrees(note, story.match):
            outcome = story.match.outcome
            verdict.blame("wrong_results", f"{client} in {story.stream}: {note}, not {outcome}")
        if isinstance(note, CalledOff) and story.match.status != "aborted":
            verdict.blame("wrong_results", f"{client}: {story.stream} was not called off")
        if isinstance(note, Missed) and not _may_be_missed(story, began.seat):
            verdict.blame("stuck", f"{client} was not let back into {story.stream}")


def _without_echoes(telling: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return telling[:1] + [after for before, after in pairwise(telling) if before != after]


def _difference(told: list[tuple[int, str]], logged: list[tuple[int, str]]) -> str:
    for ply, move in enumerate(told):
        if ply >= len(logged):
            return f"was told move {ply}, {move}, which is not in the log"
        if move != logged[ply]:
            return f"was told move {ply} as {move}, the log has {logged[ply]}"
    return "was told the same"


def _agrees(told: Ended, match: Match) -> bool:
    """Whether a result is the recorded one; groups of one may stand for a shared place."""
    outcome = match.outcome
    if outcome is None:
        return False
    if told.scores and tuple(told.scores) != outcome.scores:
        return False
    place = {seat: number for number, group in enumerate(outcome.ranking) for seat in group}
    order = [place[seat] for group in told.ranking for seat in group]
    shared = any(len(group) > 1 for group in told.ranking)
    exact = told.ranking == [sorted(group) for group in outcome.ranking]
    return order == sorted(order) and len(order) == len(place) and (exact or not shared)


def _may_be_missed(story: Story, seat: int) -> bool:
    return story.match.status.finished or any(one.seat == seat for one in story.forfeits)


def _hold_to_its_seats(
    verdict: Verdict, story: Story, seats: dict[tuple[str, int], list[Note]]
) -> None:
    """Every recorded move was asked for, as that move; and the match has come to an end."""
    asked: dict[int, set[tuple[int, str]]] = {
        seat: {(note.ply, note.move) for note in notes if isinstance(note, Sent)}
        for (stream, seat), notes in seats.items()
        if stream == story.stream
    }
    for ply, (seat, move) in enumerate(story.moves):
        if seat in asked and (ply, move) not in asked[seat]:
            verdict.blame("doubled", f"{story.stream}: nobody asked for move {ply}, {seat} {move}")
    if story.match.status.started and not _waits_by_its_terms(story.match):
        verdict.blame(
            "stuck", f"{story.stream} is {story.match.status} for ever: {story.events[-1]}"
        )
    for one in story.forfeits:
        player = story.match.seats[one.seat]
        returns = player is not None and player.terms.reclaims
        if returns and one.cause in (ForfeitCause.TIME, ForfeitCause.ABSENCE):
            verdict.blame("stuck", f"{story.stream}: seat {one.seat} lost by {one.cause}")
    last = story.events[-1]
    returns = any(player.terms.reclaims for _, player in story.match.players())
    if isinstance(last, MatchAborted) and last.cause is AbortCause.RESTART and returns:
        verdict.blame("stuck", f"{story.stream} was called off: {last.detail}")


def _waits_by_its_terms(match: Match) -> bool:
    """Everybody has gone, and everybody has agreed that the game then waits for them."""
    players = [player for _, player in match.players()]
    return all(one.terms.suspends and one.away_since is not None for one in players)


def _hold_to_what_must_happen(
    verdict: Verdict, notes: Sequence[Note], seats: dict[tuple[str, int], list[Note]]
) -> None:
    """Whoever came has played, and games of every kind were played to their end."""
    quiet = Quiet(notes)
    gone = [note for note in notes if isinstance(note, GaveUp)]
    verdict.gave_up = len(gone)
    for note in gone:
        if quiet.blames(note):
            seconds = (note.at - note.since) / 1000
            verdict.blame("kept_out", f"no game began for {note.client}, there for {seconds} s")
    verdict.played = played(seats)
    for text in missing(notes, verdict.played):
        verdict.blame("idle", text)


def _read_server_log(verdict: Verdict, path: Path, strangers: bool) -> None:
    for line in path.read_text("utf-8", "replace").splitlines():
        if "Traceback" in line:
            verdict.blame("tracebacks", line)
        verdict.turned_away += "is turned away" in line
    if strangers and not verdict.turned_away:
        verdict.blame("idle", "no stranger met a limit")


def report(verdict: Verdict) -> str:
    """The verdict for people."""
    rows = [
        f"{name:14} {value}"
        for name, value in msgspec.to_builtins(verdict).items()
        if name != "problems"
    ]
    return "\n".join([*rows, *(f"! {one}" for one in verdict.problems)])
