"""The directory: who sits where, which room leads to which match, what other kinds keep."""

import pytest

from parlour.host import Directory, Host, fold_room, holder_of
from parlour.match import CreateMatch, LeaveSeat, Newcomer, Resign, TakeSeat
from parlour.stores import MemoryStore
from tests.host.tallies import Add, Finish, Sum, tally_host
from tests.host.test_host import READY, Ear, make_host, until

HERE, THERE = "nedap:ann 10.0.0.7", "nedap:ann 10.0.0.8"


async def opened(host: Host, *identities: str, room: str = "") -> str:
    """A table where they sit; with two of them the game begins."""
    newcomers = tuple(Newcomer(one, f"n{n}", READY) for n, one in enumerate(identities))
    create = CreateMatch("tictactoe", newcomers=newcomers, room=room)
    stream = host.create("match", create, room=room)
    await until(lambda: stream in host.directory.unfinished)
    return stream


def seats(directory: Directory, holder: str) -> set[tuple[str, str]]:
    return set(directory.seated(holder))


async def test_a_holder_is_found_in_every_seat_whatever_proves_who_it_is() -> None:
    host = make_host(MemoryStore())
    directory = host.directory
    one, other = await opened(host, HERE, "web:b"), await opened(host, THERE)
    assert seats(directory, "nedap:ann") == {(one, HERE), (other, THERE)}
    assert seats(directory, "web:b") == {(one, "web:b")}
    assert seats(directory, HERE) == seats(directory, "nedap:an") == set()

    host.submit(one, Resign(HERE))
    await until(lambda: one in directory.finished)
    assert seats(directory, "nedap:ann") == {(other, THERE)}
    host.submit(other, TakeSeat(Newcomer("web:b", "b")))
    host.submit(other, LeaveSeat(THERE))
    await until(lambda: not seats(directory, "nedap:ann"))
    assert seats(directory, "web:b") == {(other, "web:b")}
    await host.close()


@pytest.mark.parametrize(
    ("identity", "holder"),
    [(HERE, "nedap:ann"), ("web:ann", "web:ann"), ("", "")],
)
def test_a_holder_is_what_others_may_know_of_an_identity(identity: str, holder: str) -> None:
    assert holder_of(identity) == holder


@pytest.mark.parametrize("asked", ["Den", " den ", "DEN", "\uff44en"])
async def test_rooms_that_look_the_same_are_the_same(asked: str) -> None:
    host, ear = make_host(MemoryStore()), Ear()
    stream = await opened(host, "web:a", room="den")
    host.follow(stream, 0, ear.deliver)
    assert host.directory.room(asked) == stream
    assert host.directory.room("den 2") is None
    host.submit(stream, LeaveSeat("web:a"))
    await until(lambda: stream in host.directory.finished)
    assert host.directory.room(asked) is None
    again = await opened(host, "web:a", room=asked)
    assert host.directory.room("den") == again
    await host.close()


def test_a_room_belongs_to_the_first_who_asked() -> None:
    directory = Directory()
    directory.reserve("den", "match-1")
    directory.reserve("DEN", "match-2")
    directory.release("den", "match-2")
    assert directory.room("den") == "match-1"
    directory.release("Den ", "match-1")
    assert directory.room("den") is None
    assert fold_room("Straße") == fold_room("STRASSE")


def test_a_name_held_by_another_kind_is_taken_and_leads_to_no_match() -> None:
    directory = Directory()
    directory.hold("den", "room-1")
    directory.hold("DEN", "room-2")
    assert directory.taken(" Den")
    assert directory.holder("den") == "room-1"
    assert directory.room("den") is None
    directory.reserve("den", "match-1")  # its table
    directory.release("den", "match-1")
    directory.release("den", "room-2")
    assert directory.taken("den")
    directory.put("room-1", Sum(room="den", finished=True))
    assert not directory.taken("den")
    directory.put("room-3", Sum(room="den"))
    assert directory.holder("den") == "room-3"
    directory.forget("room-3")
    assert not directory.taken("den")


async def test_open_tables_come_the_oldest_first_and_only_while_they_are_open() -> None:
    host = make_host(MemoryStore())
    tables = [await opened(host, "web:a") for _ in range(3)]
    await opened(host, "web:a", "web:b")
    assert list(host.directory.open) == tables
    host.submit(tables[0], TakeSeat(Newcomer("web:b", "b", READY)))  # begins
    host.submit(tables[2], LeaveSeat("web:a"))  # ends
    await until(lambda: list(host.directory.open) == tables[1:2])
    assert set(host.directory.finished) == {tables[2]}
    await host.close()


async def test_tables_that_were_left_push_no_game_out_of_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.host._directory.FINISHED_KEPT", 4)
    monkeypatch.setattr("parlour.host._directory.UNBEGUN_KEPT", 2)
    host = make_host(MemoryStore())
    finished = host.directory.finished

    async def over(*identities: str) -> str:
        stream = await opened(host, *identities)
        host.submit(stream, LeaveSeat(identities[0]))
        await until(lambda: stream in finished)
        return stream

    played = [await over("web:a", "web:b") for _ in range(2)]
    left = [await over("web:a") for _ in range(5)]
    assert list(finished) == [*played, *left[-2:]]
    played += [await over("web:a", "web:b") for _ in range(4)]
    assert list(finished) == played[-4:]
    left.append(await over("web:a"))
    assert list(finished) == [*played[-3:], left[-1]]
    await host.close()


async def test_a_table_that_is_forgotten_takes_the_place_of_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.host._directory.UNBEGUN_KEPT", 2)
    host = make_host(MemoryStore())
    left = [await opened(host, "web:a") for _ in range(3)]
    for number, stream in enumerate(left):
        host.submit(stream, LeaveSeat("web:a"))
        await until(lambda stream=stream: stream in host.directory.finished)  # type: ignore[misc]
        if number == 1:
            host.directory.forget(stream)
    assert list(host.directory.finished) == [left[0], left[2]]
    await host.close()


async def test_other_kinds_are_listed_beside_the_matches_until_they_are_finished() -> None:
    host = tally_host(MemoryStore())
    match, stream = await opened(host, "web:a"), host.create("tally", Add("ann", 1))
    await until(lambda: stream in host.directory.others)
    host.submit(stream, Add("bob", 2))
    await until(lambda: host.directory.others == {stream: Sum(3)})
    assert host.directory.get(stream) is None
    assert set(host.directory.unfinished) == {match}
    host.submit(stream, Finish())
    await until(lambda: host.directory.others == {})
    await host.close()


async def test_who_watches_is_told_of_every_change_until_it_stops() -> None:
    host, seen = make_host(MemoryStore()), list[tuple[str, int]]()
    stop = host.directory.watch(lambda stream, listing: seen.append((stream, len(listing.sitters))))
    stream = await opened(host, "web:a")
    host.submit(stream, TakeSeat(Newcomer("web:b", "b")))
    await until(lambda: len(seen) == 2)
    assert seen == [(stream, 1), (stream, 2)]
    stop()
    await opened(host, "web:c")
    assert len(seen) == 2
    await host.close()


async def test_what_is_forgotten_leaves_no_trace() -> None:
    host = tally_host(MemoryStore())
    stream, tally = await opened(host, "web:a", room="den"), host.create("tally", Add("ann", 1))
    await until(lambda: tally in host.directory.others)
    for one in (stream, tally, "match-stranger"):
        host.directory.forget(one)
    directory = host.directory
    assert (directory.unfinished, directory.open, directory.others) == ({}, {}, {})
    assert directory.room("den") is None
    assert seats(directory, "web:a") == set()
    await host.close()


async def test_who_watches_hears_that_a_match_is_gone() -> None:
    host = make_host(MemoryStore())
    stream = await opened(host, HERE)
    changes: list[tuple[str, bool]] = []
    host.directory.watch(lambda stream, listing: changes.append((stream, listing.finished)))
    host.directory.forget(stream)
    assert changes == [(stream, True)]
    host.directory.forget(stream)
    assert len(changes) == 1
    await host.close()


async def test_a_finished_match_can_be_forgotten_too() -> None:
    host = make_host(MemoryStore())
    stream = await opened(host, "web:a")
    host.submit(stream, LeaveSeat("web:a"))  # ends
    await until(lambda: stream in host.directory.finished)

    host.directory.forget(stream)

    assert host.directory.get(stream) is None
    await host.close()
