"""`parlour prune`: what finished long ago goes, and nothing else."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from parlour.cli import main
from parlour.gateways.admin import STREAM
from parlour.gateways.mug import RoomAggregate
from parlour.host import StoreError, Write
from parlour.stores import SqliteStore
from tests.cli.servers import Server, parlour
from tests.cli.test_matches import WIN, played, record
from tests.durability.log import Line, streams
from tests.gateways.mug.record_rooms import Story, cancelled, two_rounds
from tests.gateways.textbook.peers import visiting
from tests.gateways.web.browsers import Browser
from tests.records.play import NOON

DAY = 86_400_000
LATER = b'{"type":"SeatPainted/1","at":7,"seat":0}'


async def record_rooms(data: Path, rooms: dict[str, Story]) -> None:
    """Append the rooms to the log of `data`."""
    store = SqliteStore(data / "log.sqlite3")
    done: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
    store.append([Write(name, 0, story.log) for name, story in rooms.items()], done.set_result)
    assert await done is None
    await store.close()


def games(data: Path) -> dict[str, list[Line]]:
    """What is in the log besides what operators did."""
    return {name: story for name, story in streams(data).items() if name != STREAM}


def pruned(data: Path, before: str, *more: str) -> int:
    return main(["prune", "--finished-before", before, "--data", str(data), *more])


def test_what_has_finished_by_then_is_counted_and_nothing_is_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    won = played(*WIN)
    asyncio.run(record(tmp_path, {"match-won": won, "match-begun": played("0,0")}))
    before = games(tmp_path)

    assert pruned(tmp_path, "2027-01-16") == 0

    size = sum(len(line.text) for line in before["match-won"])
    assert capsys.readouterr().out == (
        "finished before 2027-01-16 00:00:00: 1 match and 0 rooms,"
        f" {len(won.history)} events of {size} bytes\n"
        "nothing is removed; with --yes it is\n"
    )
    assert games(tmp_path) == before


def test_only_what_has_finished_by_then_is_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = played()
    late.now += 2 * DAY
    late.play(*WIN)
    tables = {"match-won": played(*WIN), "match-begun": played("0,0"), "match-late": late}
    asyncio.run(record(tmp_path, tables))
    size = (tmp_path / "log.sqlite3").stat().st_size
    before = games(tmp_path)

    assert pruned(tmp_path, "2027-01-16", "--yes") == 0

    del before["match-won"]
    assert games(tmp_path) == before
    left = (tmp_path / "log.sqlite3").stat().st_size
    assert capsys.readouterr().out.endswith(f"removed; the log has {left} bytes and had {size}\n")
    assert main(["verify", "--data", str(tmp_path)]) == 0


def test_the_file_becomes_smaller(tmp_path: Path) -> None:
    table = played(*WIN)
    asyncio.run(record(tmp_path, {f"match-{number}": table for number in range(500)}))
    size = (tmp_path / "log.sqlite3").stat().st_size

    assert pruned(tmp_path, "2028-01-01", "--yes") == 0

    assert games(tmp_path) == {}
    assert (tmp_path / "log.sqlite3").stat().st_size < size / 5


def test_an_open_room_keeps_its_match_and_a_closed_one_goes(tmp_path: Path) -> None:
    """The room's second match has ended, and the room has not been told of it yet."""
    open_room = two_rounds()
    del open_room.log[-1]
    assert b"RoundOpened" in open_room.log[-2]
    asyncio.run(record_rooms(tmp_path, {"room-open": open_room, "room-closed": cancelled()}))
    asyncio.run(record(tmp_path, {"match-1": played(*WIN), "match-2": played(*WIN)}))

    assert pruned(tmp_path, "2028-01-01", "--yes") == 0

    assert set(games(tmp_path)) == {"room-open", "match-2"}
    room = None
    for line in games(tmp_path)["room-open"]:
        room = RoomAggregate().evolve(room, RoomAggregate().decode(line.text.encode()))
    assert room is not None
    assert room.match == "match-2"


def test_what_cannot_be_read_is_kept(tmp_path: Path) -> None:
    asyncio.run(record(tmp_path, {"match-later": played(*WIN)}, LATER))
    asyncio.run(record(tmp_path, {"tournament-one": played(*WIN)}))

    assert pruned(tmp_path, "2028-01-01", "--yes") == 0

    assert set(games(tmp_path)) == {"match-later", "tournament-one"}


@pytest.mark.parametrize(
    ("date", "removed"),
    [("2027-01-15T12:00:00+00:00", False), ("2027-01-15T12:00:30+00:00", True)],
)
def test_the_moment_counts(tmp_path: Path, date: str, removed: bool) -> None:
    """Played from noon on, a command a second."""
    table = played(*WIN)
    assert NOON < table.history[-1][0].at < NOON + 30_000
    asyncio.run(record(tmp_path, {"match-won": table}))

    assert pruned(tmp_path, date, "--yes") == 0

    assert (games(tmp_path) == {}) is removed


@pytest.mark.parametrize(
    "date", ["yesterday", "2027-13-01", "1.2.2027", "9999-12-31x", "", "9999-12-31T23:59-14:00"]
)
def test_what_is_no_date_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], date: str
) -> None:
    assert pruned(tmp_path, date) == 2
    assert capsys.readouterr().err == (
        f"parlour: --finished-before: {date!r} is no date: expected one such as 2026-01-31"
        " or 2026-01-31T12:00\n"
    )


def test_who_has_removed_it_is_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-won": played(*WIN)}))
    assert pruned(tmp_path, "2028-01-01", "--yes") == 0

    (line,) = streams(tmp_path)[STREAM]

    act = json.loads(line.text)
    assert (act["type"], act["streams"], act.get("uid", -1)) == ("Pruned/1", 1, os.getuid())
    assert main(["verify", "--data", str(tmp_path)]) == 0
    assert pruned(tmp_path, "9999-01-01", "--yes") == 0  # which does not go itself
    assert len(streams(tmp_path)[STREAM]) == 2


@pytest.mark.slow
async def test_beside_a_running_server(tmp_path: Path) -> None:
    """Somebody watches the match that goes, and a game goes on."""
    late = played()
    late.now += 400 * DAY
    late.play(*WIN)
    await record(tmp_path, {"match-won": played(*WIN), "match-late": late})
    with Server(tmp_path, doors=("textbook", "web")) as server:
        browser = Browser(server.ports["web"])
        await browser.arrive()
        async with browser.tab() as tab, visiting(server.ports["textbook"]) as door:
            await tab.say("watch", match="match-won")
            await tab.until("match")
            first, second = await door.pair()

            done = await asyncio.to_thread(
                parlour,
                *("prune", "--finished-before", "2028-01-01", "--yes", "--data", str(tmp_path)),
            )

            assert (done.returncode, done.stderr) == (0, "")
            assert "bytes of the log are free for new events" in done.stdout
            first.mark(0, 0)
            await second.ints(3)
            async with browser.tab() as another:
                await another.say("watch", match="match-won")
                await another.until("match")
            answer = await browser.http.get("/api/matches/match-won/record.json")
            assert answer.status_code == 404
            listed = (await browser.http.get("/api/matches?status=finished")).json()["matches"]
            assert [one["id"] for one in listed] == ["match-late"]
        await browser.http.aclose()
        status, said = server.stop()
    assert status == 0
    assert "Traceback" not in said
    assert "match-won" not in games(tmp_path)
    assert len(games(tmp_path)) == 2


@pytest.mark.slow
def test_a_server_that_runs_after_it_lists_what_is_left(tmp_path: Path) -> None:
    asyncio.run(record(tmp_path, {"match-won": played(*WIN), "match-begun": played("0,0")}))
    assert pruned(tmp_path, "2028-01-01", "--yes") == 0

    with Server(tmp_path, doors=("textbook",)) as server:
        (line,) = parlour("matches", "--data", str(tmp_path)).stdout.splitlines()
        assert line.startswith("match-begun")
        status, said = server.stop()
    assert status == 0
    assert "Traceback" not in said
