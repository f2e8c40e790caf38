"""The laws at the top of `parlour/games/_contract.py`, for every game in `games.py`."""

import json
import random
import re
import sys
from itertools import chain

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games import AnyGame, Cause, Outcome, Position, Refusal, Refused
from tests.contracts.games import GAMES, TABLES, Field, Table, fields, look, refusal, wander

NO = (Refusal.ILLEGAL_MOVE, Refusal.MALFORMED_MOVE)
GARBAGE = [
    "",
    " ",
    "0",
    ",",
    ">",
    "-1,0",
    "0,-1",
    "01,0",
    "+1,0",
    "-0,0",
    " 0,0",
    "0,0 ",
    "0,0\n",
    "0,\n0",
    "0,0\0",
    "\0",
    "0, 0",
    "1_0,0",
    "1e0,0",
    "0.0,0",
    "0,0,0",
    "0;0",
    "\u0661,\u0662",  # Arabic-Indic digits
    "\uff11,\uff12",  # full-width digits
    "\xb2,\xb3",  # superscripts
    "0,0\u2028",
    "\ud800",
    "PASS",
    "p\u0430ss",  # a Cyrillic letter
    "9" * 5_000,
    f"0,{'9' * 5_000}",
    "0,0>" * 20_000 + "0,0",
    "x" * 1_000_000,
]

tables = pytest.mark.parametrize(
    "table", TABLES, ids=[f"{table.game.name}-{table.players}" for table in TABLES]
)
games = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
seeds = st.integers(0, 10_000)


def stop(table: Table, data: st.DataObject) -> Position:
    """A position that Hypothesis chose from a random game."""
    game = list(wander(table, data.draw(seeds, label="seed")))
    return game[data.draw(st.integers(0, len(game) - 1), label="ply")]


def check_outcome(outcome: Outcome, players: int) -> None:
    """Each seat has one place and one cause, and a score where there are scores."""
    assert all(outcome.ranking)
    assert sorted(chain.from_iterable(outcome.ranking)) == list(range(players))
    assert len(outcome.causes) == players
    assert len(outcome.scores) in (0, players)
    assert outcome.winner in (None, outcome.ranking[0][0])
    assert msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome) == outcome


def check(position: Position, players: int) -> None:
    """What holds in every position."""
    moves = list(position.moves())
    assert len(moves) == len(set(moves))
    assert (position.outcome is None) == (position.turn is not None)
    assert position.diagram()
    assert not position.diagram().endswith("\n")
    assert not position.playing(-1)
    assert not position.playing(players)
    if position.turn is None:
        assert position.outcome is not None
        check_outcome(position.outcome, players)
        assert moves == []
        assert not any(map(position.playing, range(players)))
    else:
        assert moves
        assert position.playing(position.turn)


@tables
@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_ends_and_every_position_keeps_the_laws(table: Table, seed: int) -> None:
    last = None
    for ply, position in enumerate(wander(table, seed)):
        assert position.ply == ply
        check(position, table.players)
        last = position
    assert last is not None
    assert last.outcome is not None
    assert last.ply > 0
    assert Cause.LEFT not in last.outcome.causes


@tables
@given(data=st.data())
def test_every_listed_move_is_played(table: Table, data: st.DataObject) -> None:
    position = stop(table, data)
    for move in position.moves():
        after = position.play(move)
        assert after.ply == position.ply + 1
        check(after, table.players)


@tables
@pytest.mark.parametrize("seed", range(3))
def test_a_position_never_changes(table: Table, seed: int) -> None:
    rng = random.Random(seed)
    game = list(wander(table, seed))
    before = [look(position, table.players) for position in game]
    for position in game:  # side lines of three moves from everywhere
        for _ in range(3):
            moves = list(position.moves())
            position = position.play(rng.choice(moves)) if moves else position
        position.without(rng.randrange(table.players))
    rng.shuffle(order := list(range(len(game))))
    assert [look(game[place], table.players) for place in order] == [before[n] for n in order]


@tables
@given(seed=seeds)
def test_the_text_of_the_moves_gives_the_game_again(table: Table, seed: int) -> None:
    moves, rng, position = [], random.Random(seed), table.start()
    while position.turn is not None:
        moves.append(rng.choice(list(position.moves())))
        position = position.play(moves[-1])
    again = table.start()
    for move in json.loads(json.dumps(moves)):
        assert re.fullmatch(r"[!-~]{1,1000}", move), "a move is printable ASCII without spaces"
        again = again.play(move)
    assert look(again, table.players) == look(position, table.players)


@tables
@given(data=st.data())
def test_nothing_is_accepted_that_no_listed_move_does(table: Table, data: st.DataObject) -> None:
    """A move with one character more, less or other is refused, or is as good as listed."""
    position = stop(table, data)
    moves = list(position.moves()) or ["0,0"]
    move = data.draw(st.sampled_from(moves), label="move")
    place = data.draw(st.integers(0, len(move)), label="place")
    gone = data.draw(st.integers(0, 1), label="gone")
    new = data.draw(st.text(max_size=1) | st.sampled_from("0123456789-+,> \n"), label="new")
    changed = move[:place] + new + move[place + gone :]
    if refusal(position, changed) is None:
        results = [look(position.play(move), table.players) for move in moves]
        assert look(position.play(changed), table.players) in results
    else:
        assert refusal(position, changed) in NO


@tables
@given(data=st.data())
def test_an_earlier_move_is_played_again_only_if_it_is_legal(
    table: Table, data: st.DataObject
) -> None:
    game = list(wander(table, data.draw(seeds, label="seed")))
    ply = data.draw(st.integers(0, len(game) - 1), label="ply")
    position, moves = game[ply], set(game[ply].moves())
    earlier = set(chain.from_iterable(before.moves() for before in game[:ply]))
    others = [move for move in earlier - moves if refusal(position, move) is None]
    if others:
        results = [look(position.play(move), table.players) for move in moves]
        assert all(look(position.play(move), table.players) in results for move in others)


@tables
@pytest.mark.parametrize("text", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_refused(table: Table, text: str) -> None:
    start = table.start()
    before = look(start, table.players)
    assert text in before.moves or refusal(start, text) in NO
    assert look(start, table.players) == before


@tables
@given(text=st.text(max_size=50))
def test_any_text_is_played_or_refused(table: Table, text: str) -> None:
    start = table.start()
    assert text in set(start.moves()) or refusal(start, text) in NO


@tables
def test_a_refusal_repeats_little_of_what_it_refuses(table: Table) -> None:
    position = table.start()
    for text in set(GARBAGE) - set(position.moves()):
        with pytest.raises(Refused) as no:
            position.play(text)
        assert len(no.value.detail) < 150


@tables
def test_after_the_end_every_move_is_refused(table: Table) -> None:
    *_, end = wander(table, seed=1)
    for move in [*table.start().moves(), *GARBAGE]:
        assert refusal(end, move) is Refusal.MALFORMED_MOVE


@tables
@given(data=st.data())
def test_any_seat_may_leave_at_any_moment(table: Table, data: st.DataObject) -> None:
    position = stop(table, data)
    seats = range(table.players)
    for seat in data.draw(st.permutations([-1, *seats, *seats, table.players]), label="leaving"):
        left = position.without(seat)
        if not position.playing(seat):
            assert left is position
            continue
        assert left.ply == position.ply
        assert not left.playing(seat)
        assert [left.playing(other) for other in seats if other != seat] == [
            position.playing(other) and left.turn is not None for other in seats if other != seat
        ]
        check(left, table.players)
        if left.outcome is not None:
            assert left.outcome.causes[seat] is Cause.LEFT
            assert seat not in left.outcome.ranking[0]
        elif position.turn != seat:
            assert left.turn == position.turn
        position = left
    assert position.outcome is not None


@tables
@given(data=st.data())
def test_who_left_is_never_on_turn_again(table: Table, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, table.players - 1), label="seat")
    rng = random.Random(data.draw(seeds, label="then"))
    position = stop(table, data)
    was_playing = position.playing(seat)
    position = position.without(seat)
    while position.turn is not None:
        assert position.turn != seat
        position = position.play(rng.choice(list(position.moves())))
    check(position, table.players)
    assert position.outcome is not None
    assert (position.outcome.causes[seat] is Cause.LEFT) == was_playing


@tables
def test_no_rule_recurses(table: Table) -> None:
    """A game fits in a few frames: one that recursed over cells or moves would need more."""
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 20)
    try:
        for position in wander(table, seed=2):
            position.diagram()
    finally:
        sys.setrecursionlimit(limit)


@games
def test_the_names_are_fit_for_logs_and_people(game: AnyGame) -> None:
    assert re.fullmatch(r"[a-z_]+", game.name)
    assert game.title.strip() == game.title != ""
    assert msgspec.inspect.type_info(game.options)
    assert sum(game.name == other.name for other in GAMES) == 1


@games
def test_a_game_starts_with_the_numbers_of_players_it_allows(game: AnyGame) -> None:
    options = game.options()
    capacity = game.capacity(options)
    allowed = [players for players in range(-1, 50) if game.can_start(options, players)]
    assert allowed
    assert min(allowed) >= 2
    assert max(allowed) == capacity
    for players in allowed:
        names = game.seat_names(options, players)
        assert len(names) == len(set(names)) == players
        start = game.start(options, players)
        check(start, players)
        assert start.ply == 0
        assert all(map(start.playing, range(players)))


@games
def test_every_option_has_a_default_and_is_said_in_words(game: AnyGame) -> None:
    for field in fields(game.options):
        assert not field.required, field.name
        assert field.said.get("title"), field.name
        assert "\n" not in field.said.get("description", "\n"), field.name
        labels = field.said.get("labels", {})
        assert all(len(label) > len(choice) or label.isdigit() for choice, label in labels.items())
        if field.listed:
            assert set(labels) == set(field.right)
    assert game.options() == game.options()
    assert hash(game.options()) == hash(game.options())


@games
def test_wrong_options_are_refused_however_they_come(game: AnyGame) -> None:
    for field in fields(game.options):
        for value in field.wrong:
            with pytest.raises(ValueError, match=field.name):
                game.options(**{field.name: value})
            with pytest.raises(msgspec.ValidationError):
                msgspec.json.decode(json.dumps({field.name: value}), type=game.options)
    with pytest.raises(TypeError):
        game.options(no_such_option=1)
    with pytest.raises(msgspec.ValidationError, match="no_such_option"):
        msgspec.json.decode('{"no_such_option": 1}', type=game.options)


def one_of(field: Field) -> st.SearchStrategy[object]:
    return st.sampled_from(field.right)


@games
@given(data=st.data())
def test_options_are_the_same_constructed_and_decoded(game: AnyGame, data: st.DataObject) -> None:
    wanted = {field.name: data.draw(one_of(field)) for field in fields(game.options)}
    try:
        options = game.options(**wanted)
    except ValueError:
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(json.dumps(wanted), type=game.options)
        return
    assert msgspec.json.decode(json.dumps(wanted), type=game.options) == options
    assert msgspec.json.decode(msgspec.json.encode(options), type=game.options) == options
