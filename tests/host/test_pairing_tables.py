"""Who waits already is seated at a table that is opened later."""

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from parlour.games.tictactoe import Options
from parlour.host import Pairer
from parlour.lobby import Lobby
from parlour.match import CreateMatch, Newcomer, Visibility
from parlour.stores import MemoryStore
from tests.host.test_host import make_host, until
from tests.host.test_pairing import READY, look, seek, table
from tests.host.wall import turns


async def test_a_table_that_is_opened_is_offered_to_whoever_has_waited_longest() -> None:
    host = make_host(MemoryStore())
    pairer, heard = Pairer(host, Lobby()), [list[str]() for _ in range(3)]
    waiting = [
        replace(seek("ann"), options=to_builtins(Options(cols=4))),
        replace(seek("bob"), seat=0),
        replace(seek("cleo"), seat=0),
    ]
    for who, told in zip(waiting, heard, strict=True):
        look(pairer, who, told)
    await table(host)  # where the first seat is taken
    await turns()
    assert heard == [["waits"]] * 3

    newcomer = Newcomer("web:u", "u", READY, seat=1)
    stream = host.create("match", CreateMatch("tictactoe", {}, (newcomer,)))
    await until(lambda: len(heard[1]) > 1)
    await turns()
    assert heard == [["waits"], ["waits", stream], ["waits"]]
    assert [one.identity for one in pairer.waiting()] == ["web:ann", "web:cleo"]
    await host.close()


@pytest.mark.parametrize(
    "create",
    [
        CreateMatch("tictactoe", {}, (Newcomer("web:t", "t"),)),
        CreateMatch(
            "tictactoe", {}, (Newcomer("web:t", "t", READY),), visibility=Visibility.HIDDEN
        ),
    ],
    ids=["not ready", "hidden"],
)
async def test_a_table_that_is_opened_and_not_offered_is_none(create: CreateMatch) -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    look(pairer, seek("ann"), found)
    stream = host.create("match", create)
    await until(lambda: stream in host.directory.open)
    await turns()
    assert found == ["waits"]
    await host.close()


async def test_a_table_is_offered_when_its_player_is_here_again() -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    pairer.pass_over("web:t")
    look(pairer, seek("ann"), found)
    stream = await table(host)
    await turns()
    assert found == ["waits"]
    pairer.offer_again("web:t")
    await until(lambda: len(found) > 1)
    assert found[1:] == [stream]
    await host.close()


async def test_a_table_that_is_offered_again_is_as_old_as_it_is() -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    oldest = await table(host)
    host.create("match", CreateMatch("tictactoe", {}, (Newcomer("web:u", "u", READY),)))
    await turns()
    pairer.pass_over("web:t")
    pairer.offer_again("web:t")
    look(pairer, seek("ann"), found)
    await until(lambda: bool(found))
    assert found == [oldest]
    await host.close()


async def test_tables_that_were_open_before_are_offered_too() -> None:
    host, found = make_host(MemoryStore()), list[str]()
    stream = await table(host)
    look(Pairer(host, Lobby()), seek("ann"), found)
    await until(lambda: bool(found))
    assert found == [stream]
    await host.close()


async def test_no_table_is_offered_in_a_drain_and_all_are_after_it() -> None:
    host, drains = make_host(MemoryStore()), False
    pairer, found = Pairer(host, Lobby(), lambda: drains), list[str]()
    look(pairer, seek("ann"), found)
    drains = True
    stream = await table(host)
    await turns()
    assert found == ["waits"]
    drains = False
    pairer.look_again()
    await until(lambda: len(found) > 1)
    assert found[1:] == [stream]
    await host.close()
