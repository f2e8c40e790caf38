"""What must have happened in a run: games of every kind, for everybody who came for one."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from benchmarks.torture.notes import (
    Began,
    Ended,
    GaveUp,
    Killed,
    Note,
    Planned,
    Shown,
    Started,
    Told,
)

RECOVERY = 10_000  # ms after a start in which clients find back, and the XMPP server comes up
XMPP_RECOVERY = 20_000  # ms from a kill of the XMPP server until people are in their rooms again
ENOUGH = 10_000  # ms of an undisturbed server in which a game must begin
HOSTS = ("web", "mug")  # those that open a table for clients of other protocols
Seats = Mapping[tuple[str, int], Sequence[Note]]


class Share(Struct):
    """Games of one kind that clients were told of: how many began, their moves and results."""

    matches: int = 0
    moves: int = 0
    results: int = 0


def played(seats: Seats) -> dict[str, Share]:
    """What the clients were told, by the kind of their game; notes by match and seat."""
    matches: dict[str, list[Sequence[Note]]] = {}
    for (stream, _), notes in seats.items():
        matches.setdefault(stream, []).append(notes)
    shares: dict[str, Share] = {}
    for players in matches.values():
        share = shares.setdefault(_kind(players), Share())
        share.matches += 1
        share.moves += max(map(moves_of, players))
        share.results += any(isinstance(note, Ended) for notes in players for note in notes)
    return shares


def _kind(players: Iterable[Sequence[Note]]) -> str:
    protocols = {notes[0].client.partition(":")[0] for notes in players}
    return " with ".join(sorted(protocols, key=lambda name: (name not in HOSTS, name)))


def moves_of(notes: Sequence[Note]) -> int:
    """How many a client was told or shown, however often it came back."""
    shown = [len(note.marks) for note in notes if isinstance(note, Shown)]
    return max([*map(len, tellings(notes)), *shown])


def tellings(notes: Iterable[Note]) -> list[list[tuple[int, str]]]:
    """The game as the client was told it: once, and once more for each way back."""
    told: list[list[tuple[int, str]]] = []
    for note in notes:
        if isinstance(note, Began):
            told.append([])
        elif isinstance(note, Told):
            told[-1].append((note.seat, note.move))
    return told


def missing(notes: Iterable[Note], shares: Mapping[str, Share]) -> list[str]:
    """Of which planned kinds there were no moves or no results; of any, where no plan is noted."""
    plan = next((note for note in notes if isinstance(note, Planned)), None)
    if plan is None:
        whole = Share(
            moves=sum(share.moves for share in shares.values()),
            results=sum(share.results for share in shares.values()),
        )
        return _nothing("any game", whole)
    return [text for kind in plan.kinds for text in _nothing(kind, shares.get(kind, Share()))]


def _nothing(kind: str, share: Share) -> list[str]:
    parts = {"move": share.moves, "result": share.results}
    return [f"nobody was told a {part} of {kind}" for part, count in parts.items() if not count]


class Quiet:
    """When nothing was done to the server, so that a game must begin for whoever comes."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self._down: list[tuple[int, int]] = []  # from and to, in ms
        since: int | None = 0
        for note in notes:
            if isinstance(note, Killed) and note.client == "xmpp":
                self._down.append((note.at, note.at + XMPP_RECOVERY))
            elif isinstance(note, Killed) and since is None:
                since = note.at
            elif isinstance(note, Started) and since is not None:
                self._down.append((since, note.at + RECOVERY))
                since = None

    def blames(self, gone: GaveUp) -> bool:
        """Whether the server had no excuse: it was undisturbed all the time, or long enough."""
        down = sorted(
            (max(begin, gone.since), min(end, gone.at))
            for begin, end in self._down
            if begin <= gone.at and end >= gone.since
        )
        if not down:
            return True
        edges = [(gone.since, gone.since), *down, (gone.at, gone.at)]
        reached = 0
        longest = 0
        for (_, end), (begin, _) in pairwise(edges):
            reached = max(reached, end)
            longest = max(longest, begin - reached)
        return longest >= ENOUGH
