"""Who looks finds: an opponent, or a table that waits for one."""

from msgspec import to_builtins

from parlour.games.tictactoe import Options
from parlour.host import Host, Pairer
from parlour.lobby import Lobby, Seek
from parlour.match import CreateMatch, Newcomer, Status, Terms
from parlour.stores import MemoryStore
from tests.host.stores import HeldStore
from tests.host.test_host import Ear, make_host, until

READY = Terms(ready=True)
OPTIONS = to_builtins(Options())


def seek(name: str) -> Seek:
    return Seek(f"web:{name}", f"web:{name}", name, "tictactoe", OPTIONS, READY)


def look(pairer: Pairer, name: str, found: list[str]) -> None:
    pairer.seek(seek(name), found.append, Ear().refuse, lambda: found.append("waits"))


async def table(host: Host) -> str:
    stream = host.create("match", CreateMatch("tictactoe", newcomers=(Newcomer("web:t", "t"),)))
    await until(lambda: stream in host.directory.unfinished)
    return stream


async def test_two_who_look_meet() -> None:
    host = make_host(MemoryStore())
    pairer, first, second = Pairer(host, Lobby()), list[str](), list[str]()
    look(pairer, "ann", first)
    look(pairer, "bob", second)
    assert first == ["waits", *second]
    await until(lambda: second[0] in host.directory.unfinished)
    assert [one.name for one in host.directory.unfinished[second[0]].sitters] == ["ann", "bob"]
    await host.close()


async def test_two_who_race_for_one_seat_do_not_share_it() -> None:
    host = make_host(MemoryStore())
    pairer, first, second = Pairer(host, Lobby()), list[str](), list[str]()
    stream = await table(host)
    look(pairer, "ann", first)
    look(pairer, "bob", second)
    await until(lambda: first and second)
    assert (first, second) == ([stream], ["waits"])
    await host.close()


async def test_who_goes_and_comes_while_being_seated_sits_once() -> None:
    store = HeldStore()
    host = make_host(store)
    pairer, first, second = Pairer(host, Lobby()), list[str](), list[str]()
    stream = await table(host)
    store.held = True
    look(pairer, "ann", first)
    pairer.cancel("web:ann")
    look(pairer, "ann", second)
    store.release()
    await until(lambda: second)
    await until(lambda: len(host.directory.unfinished[stream].sitters) == 1)
    assert (first, second) == ([], ["waits"])
    assert host.directory.unfinished[stream].status is Status.OPEN
    assert pairer.cancel("web:ann")
    await host.close()
