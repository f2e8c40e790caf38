"""Properties of every game of Chinese checkers."""

import random
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from parlour.games import Refusal, Refused
from parlour.games.chinese_checkers import ChineseCheckers, Options, Position
from tests.games.chinese_checkers import slow
from tests.games.chinese_checkers.play import ends_of, wander

positions = st.builds(wander, st.integers(2, 6), st.integers(0, 99), st.integers(0, 200))
cells = st.tuples(st.integers(-9, 9), st.integers(-9, 9)).map(lambda cell: f"{cell[0]},{cell[1]}")
paths = st.lists(cells, min_size=1, max_size=5).map(">".join)


def check(position: Position) -> None:
    """What holds in every position."""
    seats = range(len(position.zones))
    assert (position.outcome is None) == (position.turn is not None)
    assert not set(position.finished) & set(position.lost)
    for seat in seats:
        assert len(position.cells(seat)) == (0 if seat in position.lost else 10)
    standing = list(chain.from_iterable(map(position.cells, seats)))
    assert len(standing) == len(set(standing))
    moves = position.moves()
    assert len(moves) == len(set(moves)) == len(ends_of(position))
    if position.turn is None:
        assert moves == []
        assert position.outcome is not None
        ranked = chain.from_iterable(position.outcome.ranking)
        assert sorted(ranked) == list(seats)
        assert len(position.outcome.causes) == len(seats)
    else:
        assert moves
        assert position.playing(position.turn)
        assert sum(map(position.playing, seats)) > 1


@given(positions)
def test_every_listed_move_is_accepted_and_does_what_it_says(position: Position) -> None:
    seat = position.turn
    assert seat is not None
    before = set(position.cells(seat))
    for move in position.moves():
        start, *_, end = (tuple(map(int, cell.split(","))) for cell in move.split(">"))
        after = position.play(move)
        assert set(after.cells(seat)) == before - {start} | {end}
        assert after.ply == position.ply + 1


@given(positions, st.data())
def test_a_longer_path_is_the_same_move(position: Position, data: st.DataObject) -> None:
    """Any chain that really hops is accepted, unless it ends where it began."""
    seat = position.turn
    assert seat is not None
    start = data.draw(st.sampled_from(position.cells(seat)))
    shortest = {(m.split(">")[0], m.split(">")[-1]): m for m in position.moves()}
    for path in slow.chains(start, slow.read(position), longest=5):
        assert all((x - start[0]) % 2 == (y - start[1]) % 2 == 0 for x, y in path)
        names = [f"{x},{y}" for x, y in path]
        text = ">".join(names)
        if path[-1] != start:
            assert position.play(text) == position.play(shortest[names[0], names[-1]])
        else:
            assert refusal(position, text) is Refusal.ILLEGAL_MOVE


def refusal(position: Position, move: str) -> Refusal | None:
    try:
        position.play(move)
    except Refused as refused:
        return refused.refusal
    return None


@given(positions, paths)
def test_other_paths_are_refused(position: Position, path: str) -> None:
    names = path.split(">")
    if refusal(position, path) is None:
        assert (names[0], names[-1]) in ends_of(position)


@given(positions, st.text(max_size=30))
def test_text_is_accepted_or_refused(position: Position, text: str) -> None:
    assert refusal(position, text) in (Refusal.MALFORMED_MOVE, Refusal.ILLEGAL_MOVE)


@given(st.integers(2, 6), st.integers(0, 99), st.sampled_from(["strict", "full"]), st.data())
def test_seats_may_leave_at_any_time(
    players: int, seed: int, blocked_target: str, data: st.DataObject
) -> None:
    rng = random.Random(seed)
    options = Options(
        blocked_target="full" if blocked_target == "full" else "strict", max_rounds=30
    )
    position = ChineseCheckers().start(options, players)
    leaving = data.draw(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5)), max_size=6))
    for plies, seat in leaving:
        for _ in range(plies):
            if position.turn is not None:
                position = position.play(rng.choice(position.moves()))
        was_playing = position.playing(seat)
        left = position.without(seat)
        assert (left is not position) == was_playing
        assert not left.playing(seat)
        assert left.ply == position.ply
        position = left
        check(position)


@given(st.integers(2, 6), st.integers(0, 99), st.integers(1, 12))
def test_random_games_end_with_their_rounds(players: int, seed: int, rounds: int) -> None:
    end = wander(players, seed, plies=players * rounds, options=Options(max_rounds=rounds))
    check(end)
    assert end.outcome is not None
    assert end.round == rounds


@given(positions)
def test_random_positions_hold(position: Position) -> None:
    check(position)
