"""By which clock those play who find each other, and which seat they have who ask twice."""

from functools import partial

import pytest
from msgspec.structs import replace

from parlour.games import Refusal
from parlour.host import Pairer
from parlour.lobby import Lobby
from parlour.match import CreateMatch, Match, Newcomer, Status, Terms, TimeControl
from parlour.stores import MemoryStore
from tests.host.stores import HeldStore, Medium
from tests.host.test_host import Ear, make_host, until
from tests.host.test_pairing import READY, look, seek, table
from tests.host.wall import turns


async def test_a_table_with_a_clock_is_for_those_who_ask_for_it() -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    fast = TimeControl(turn=5_000)
    stream = host.create(
        "match",
        CreateMatch("tictactoe", newcomers=(Newcomer("web:t", "t", READY),), control=fast),
    )
    await turns()
    look(pairer, replace(seek("ann"), control=fast), found)
    await turns()
    assert found == [stream]
    await host.close()


@pytest.mark.parametrize("where", ["lobby", "table"])
async def test_the_turn_limit_of_a_door_holds_wherever_its_client_sits(where: str) -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    if where == "table":
        await table(host)
    else:
        look(pairer, seek("ann"), list[str]())
    look(pairer, replace(seek("bob"), terms=Terms(ready=True, turn_limit=300)), found)
    await turns()
    match, _ = await host.state(found[0])
    assert isinstance(match, Match)
    assert match.status is Status.LIVE
    assert match.control == TimeControl(turn=300)
    await host.close()


async def test_who_asks_anew_while_being_seated_keeps_the_seat() -> None:
    store = HeldStore()
    host = make_host(store)
    pairer, first, second = Pairer(host, Lobby()), list[str](), list[str]()
    stream = await table(host)
    store.held = True
    look(pairer, seek("ann"), first)
    look(pairer, seek("ann"), second)
    assert not pairer.stop("web:ann")
    store.release()
    await until(lambda: bool(second))
    await turns()
    assert (first, second) == ([], [stream])
    match, _ = await host.state(stream)
    assert [player.away_since for _, player in match.players()] == [None, None]
    await host.close()


async def test_who_asks_anew_while_a_match_is_created_plays_it() -> None:
    store = HeldStore()
    host = make_host(store)
    pairer, ann, first, second = Pairer(host, Lobby()), list[str](), list[str](), list[str]()
    look(pairer, seek("ann"), ann)
    store.held = True
    look(pairer, seek("bob"), first)
    look(pairer, seek("bob"), second)
    store.release()
    await until(lambda: bool(second))
    await turns()
    assert ann == ["waits", *second]
    assert first == []
    assert host.directory.unfinished[second[0]].status is Status.LIVE
    await host.close()


async def test_who_asks_anew_and_misses_the_seat_looks_for_the_new_game() -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    await table(host)
    look(pairer, seek("bob"), list[str]())
    look(pairer, seek("ann"), list[str]())
    look(pairer, replace(seek("ann"), options={"cols": 4}), found)
    await until(lambda: bool(found))
    assert found == ["waits"]
    assert [one.options for one in pairer.waiting()] == [{"cols": 4}]
    assert pairer.stop("web:ann")
    assert pairer.waiting() == []
    await host.close()


async def test_a_table_whose_player_has_gone_is_offered_to_nobody() -> None:
    host = make_host(MemoryStore())
    pairer, first, second = Pairer(host, Lobby()), list[str](), list[str]()
    stream = await table(host)
    pairer.pass_over("web:t")
    look(pairer, seek("ann"), first)
    await turns()
    pairer.offer_again("web:t")
    look(pairer, seek("bob"), second)
    await turns()
    assert (first, second) == (["waits"], [stream])
    await host.close()


@pytest.mark.parametrize("anew", [False, True])
async def test_who_stops_while_being_seated_and_misses_the_seat_looks_no_more(anew: bool) -> None:
    host, ear = make_host(MemoryStore()), Ear()
    pairer, told = Pairer(host, Lobby()), list[str]()
    await table(host)
    look(pairer, seek("bob"), list[str]())
    pairer.seek(seek("ann"), told.append, ear.refuse, partial(told.append, "waits"))
    assert not pairer.stop("web:ann")
    if anew:
        look(pairer, seek("ann"), told)
    await turns()
    assert told == (["waits"] if anew else [])
    assert ear.refusals == ([] if anew else [Refusal.ALREADY_STARTED])
    assert bool(pairer.waiting()) == anew
    await host.close()


@pytest.mark.parametrize("full", [False, True], ids=["paired", "failed"])
async def test_a_mistake_of_the_first_of_a_pair_does_not_cost_the_second_their_answer(
    full: bool,
) -> None:
    medium, ear, bob = Medium(MemoryStore()), Ear(), list[str]()
    host = make_host(medium)
    pairer = Pairer(host, Lobby())

    def stumbles(_: object) -> None:
        raise ZeroDivisionError

    pairer.seek(seek("ann"), stumbles, stumbles, lambda: None)
    medium.full = full
    pairer.seek(seek("bob"), bob.append, ear.refuse, lambda: None)
    pairer.stop("web:ann")  # else a full disk lets her wait on, and she is told nothing
    await medium.quiet()

    assert (len(bob), ear.refusals) == ((0, [Refusal.UNAVAILABLE]) if full else (1, []))
    assert not pairer.stop("web:bob")
    assert pairer.waiting() == []
    await host.close()
