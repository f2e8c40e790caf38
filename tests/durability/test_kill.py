"""What any client saw confirmed is in the log after SIGKILL, in its own match, exactly once.

PARLOUR_KILL_ROUNDS sets the number of kills (default 4).
"""

import asyncio
import os
import random
import time
from pathlib import Path

import pytest

from parlour.cli import GAMES
from parlour.match import Match, MatchAggregate
from tests.cli.servers import Server, parlour
from tests.durability.log import Line, lines, moves, streams
from tests.durability.players import CONTINUE, DRAW, WON_1, WON_2, Crowd, Player
from tests.gateways.textbook.peers import Door, Peer, visiting

pytestmark = pytest.mark.slow

ROUNDS = int(os.environ.get("PARLOUR_KILL_ROUNDS", "4"))
TABLES = 20
MATCHES = MatchAggregate(GAMES)


def folded(story: list[Line]) -> Match:
    """The match that its recorded events lead to; a move against the rules would raise."""
    match: Match | None = None
    for line in story:
        match = MATCHES.evolve(match, MATCHES.decode(line.text.encode()))
    assert match is not None
    return match


def status(story: list[Line]) -> int | None:
    """The recorded result in the protocol's numbers."""
    outcome = folded(story).outcome
    if outcome is None:
        return None
    return DRAW if outcome.winner is None else (WON_1, WON_2)[outcome.winner]


def hold_to_its_clients(story: list[Line], pair: tuple[Player, Player]) -> None:
    """The match has every move that its clients were told of, and none that they did not send."""
    recorded = moves(story)
    sent = max((player.board for player in pair), key=len)
    assert recorded == sent[: len(recorded)]
    for player in pair:
        assert recorded[: len(player.confirmed)] == player.confirmed
        if player.status is not None:
            assert (recorded, status(story)) == (player.confirmed, player.status)


async def test_confirmed_moves_survive_sigkill(tmp_path: Path) -> None:
    rng = random.Random(7)
    before: set[str] = set()
    for _ in range(ROUNDS):
        with Server(tmp_path, doors=("textbook",)) as server:
            crowd = Crowd(server.ports["textbook"], rng)
            games = [asyncio.create_task(crowd.games()) for _ in range(TABLES)]
            await crowd.hear(rng.randint(100, 1000))
            server.process.kill()
            await asyncio.gather(*games)
        recorded = streams(tmp_path)
        new = [story for stream, story in recorded.items() if stream not in before]
        # One more may be there, of two players who were still to hear of it.
        assert len(crowd.matches) <= len(new) <= len(crowd.matches) + 1
        for story, pair in zip(new, crowd.matches, strict=False):
            hold_to_its_clients(story, pair)
        before = set(recorded)

    with Server(tmp_path, doors=("textbook",)):
        ends = {story[-1].kind for story in streams(tmp_path).values()}
    assert ends == {"MatchEnded", "MatchAborted"}


async def three_moves(door: Door) -> tuple[Peer, Peer]:
    """Two players in the middle of a game."""
    first, second = await door.pair()
    for mover, other, cell in (
        (first, second, (0, 0)),
        (second, first, (1, 1)),
        (first, second, (2, 1)),
    ):
        mover.mark(*cell)
        assert await other.ints(3) == (CONTINUE, *cell)
    return first, second


MOVES_AND_THE_END = """
1. x 0,0
X . .
. . .
. . .

2. o 1,1
X . .
. O .
. . .

3. x 1,2
X . .
. O .
. X .

aborted: nobody at the table could come back
"""


async def test_a_match_cut_off_by_sigkill_is_aborted_and_has_every_move(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("textbook",)) as server:
        async with visiting(server.ports["textbook"]) as door:
            await three_moves(door)
            server.process.kill()
            server.process.wait()

    with Server(tmp_path, doors=("textbook",)) as server:
        async with visiting(server.ports["textbook"]) as door:
            await three_moves(door)  # neither is seated where somebody is missing
            listed = await asyncio.to_thread(parlour, "matches", "--data", str(tmp_path))

            cut_off, new = (line.split() for line in listed.stdout.splitlines())
            assert (cut_off[4], new[4]) == ("aborted", "live")
            replay = ("replay", cut_off[0], "--data", str(tmp_path))
            shown = await asyncio.to_thread(parlour, *replay)
            assert shown.stdout.endswith(MOVES_AND_THE_END)


async def test_sigterm_leaves_the_matches_in_the_log_for_the_next_start(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("textbook",)) as server:
        async with visiting(server.ports["textbook"]) as door:
            players = [player for _ in range(10) for player in await three_moves(door)]
            waiting = await door.peer()
            assert await waiting.ints(1) == (1,)
            before = lines(tmp_path)

            begin = time.monotonic()
            ended, said = await asyncio.to_thread(server.stop)
            assert ended == 0
            assert [line for line in said.splitlines() if " INFO " not in line] == []
            assert time.monotonic() - begin < 5

            # The protocol has no word for it: the connection ends, and nobody has won.
            assert [await player.rest() for player in [*players, waiting]] == [()] * 21
    assert lines(tmp_path) == before

    with Server(tmp_path, doors=("textbook",)):
        stories = streams(tmp_path).values()
    assert [[line.kind for line in story][-2:] for story in stories] == [
        ["Suspended", "MatchAborted"]
    ] * 10
