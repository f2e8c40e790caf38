"""Whole games of two to six over real sockets, every frame of every player held to the rules."""

import pytest

from parlour.games import Cause
from parlour.games.chinese_checkers import Options
from tests.gateways.ruc.peers import house
from tests.gateways.ruc.race import Race, some
from tests.service import Clock

# Seeds with which greedy players do not block each other for ever.
HOME = [(2, 1), (3, 47), (4, 44), (5, 14), (6, 7)]


@pytest.mark.parametrize(("count", "seed"), HOME, ids=lambda number: str(number))
async def test_a_game_is_won_by_position(count: int, seed: int) -> None:
    """All but one come home, and the last survivor gets END_GAME only."""
    async with house(Clock()) as home:
        race = Race(await home.started(*some(count)))
        await race.to_the_end(seed)
    outcome = race.position.outcome
    assert outcome is not None
    assert sorted(outcome.causes) == sorted([Cause.HOME] * (count - 1) + [Cause.LAST_STANDING])


@pytest.mark.parametrize("count", [3, 6])
async def test_an_endless_game_ends_by_the_round_limit(count: int) -> None:
    """Seeds whose greedy players block each other; the judge ranks whoever is still on the way."""
    options = Options(max_rounds=60)
    async with house(Clock(), max_rounds=60) as home:
        race = Race(await home.started(*some(count)), options)
        await race.to_the_end(0)
    outcome = race.position.outcome
    assert outcome is not None
    assert Cause.ROUND_LIMIT in outcome.causes
    assert race.position.round == 60


async def test_a_target_that_others_fill_is_home_where_the_room_says_so() -> None:
    options = Options(blocked_target="full")
    async with house(Clock(), blocked_target="full") as home:
        race = Race(await home.started(*some(3)), options)
        await race.to_the_end(47)


async def test_the_same_connections_play_again_in_the_same_room() -> None:
    async with house(Clock(), max_rounds=3) as home:
        peers = await home.started(*some(3))
        await Race(peers, Options(max_rounds=3)).to_the_end(1)
        again = await home.gathered(peers, some(3))
        await Race(again, Options(max_rounds=3)).to_the_end(2)
        assert len(home.service.host.directory.finished) == 2


async def test_two_rooms_do_not_hear_each_other() -> None:
    async with house(Clock()) as home:
        garden = Race(await home.started(*some(3), room="garden"))
        cellar = Race(await home.started(*some(3), room="cellar"))
        await garden.plays("-4,5>-4,4")
        await cellar.quiet()
        await cellar.plays("-4,6>-2,4")
        await garden.quiet()
