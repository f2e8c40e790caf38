"""Games that real clients played through real servers, replayed."""

import json

import pytest

from parlour.games import Refusal, Refused
from parlour.games.chinese_checkers import ChineseCheckers, Options, Position
from tests.recordings import ruc_lines

START_TURN, MOVE, END_GAME = 200006, 200007, 200009
TEAM_4 = "team4_server_team9_clients.txt"
TEAM_9 = "team9_server_team9_clients.txt"
BOT = "team4_server_team4_client_and_bot.txt"


def canonical(numbers: str) -> str:
    """`"0 0 2 0"` as `"0,0>2,0"`."""
    words = numbers.split()
    return ">".join(map(",".join, zip(words[::2], words[1::2], strict=True)))


def replay(name: str) -> tuple[Position, int]:
    """The position after every move sent, and how many there were.

    Every START_TURN must name the zone whose turn it is here.
    """
    position, moves = ChineseCheckers().start(Options(), 2), 0
    for direction, _, line in ruc_lines(name):
        message = json.loads(line)
        turn = position.turn
        if turn is not None and message["op"] == START_TURN:
            assert message["data1"] == position.zones[turn]
        elif turn is not None and message["op"] == MOVE:
            if direction == "from client":
                assert message["data1"] == position.zones[turn]
                position = position.play(canonical(message["data2"]))
                moves += 1
            elif message["data2"] == "-1":
                position = position.without(position.zones.index(message["data1"]))
    return position, moves


@pytest.mark.parametrize(("name", "count"), [(TEAM_4, 294), (TEAM_9, 522)])
def test_a_real_game_replays_without_a_refusal(name: str, count: int) -> None:
    position, moves = replay(name)
    assert moves == position.ply == count
    assert position.outcome is not None


def test_the_ranking_is_the_one_the_server_sent() -> None:
    """alice, in seat 0, ran out of time; the other server ranks zones and is no judge here."""
    position, _ = replay(TEAM_4)
    ends = [json.loads(line) for _, _, line in ruc_lines(TEAM_4) if str(END_GAME).encode() in line]
    assert position.outcome is not None
    ranked = [seat for place in position.outcome.ranking for seat in place]
    assert {end["data1"] for end in ends} == {" ".join(("alice", "bob_2")[s] for s in ranked)}


@pytest.mark.parametrize("numbers", ["1 -5 1 -3", "1 -5 2 -4", "4 -8 0 0", "4 -8 4 -6 4 -8"])
def test_what_the_recorded_server_refused_is_refused(numbers: str) -> None:
    sent = {json.loads(line)["data2"] for _, _, line in ruc_lines(BOT)}
    assert numbers in sent
    position = ChineseCheckers().start(Options(), 2).play("-4,6>-4,4")
    with pytest.raises(Refused) as refused:
        position.play(canonical(numbers))
    assert refused.value.refusal is Refusal.ILLEGAL_MOVE
