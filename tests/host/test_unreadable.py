"""An event that this program cannot read: its stream is out of order, all others go on."""

from collections.abc import Sequence

import pytest

from parlour.buses import MemoryBus
from parlour.games import Refusal, Refused
from parlour.host import Host, StoreError, Write, find
from parlour.match import CreateMatch, GoAway, MovePlayed, PlayMove
from parlour.stores import MemoryStore
from tests.contracts.stores import appended
from tests.host.stores import Medium
from tests.host.test_host import CREATE, Ear, O, X, make_host, until
from tests.match.tables import MATCHES

RECLAIM = 120_000
LATER = b'{"type":"SeatPainted/1","at":7,"seat":0}'
SUSPENDED_9 = b'{"type":"Suspended/9","at":7,"why":"tea"}'
MOVE_9 = b'{"type":"MovePlayed/9","at":7,"moves":[]}'
NONSENSE = b'"\\u0000"'
ILLEGAL = MATCHES.encode(MovePlayed(7, 0, "9,9"))
TOO_EARLY = MATCHES.encode(MovePlayed(7, 1, "nonsense"))
BAD = pytest.mark.parametrize(
    "bad",
    [LATER, SUSPENDED_9, MOVE_9, NONSENSE, ILLEGAL, TOO_EARLY],
    ids=["unknown", "later tag", "later move", "nonsense", "illegal move", "malformed move"],
)
SEEN_BY_THE_DIRECTORY = (LATER, SUSPENDED_9, NONSENSE)


async def two_matches(medium: Medium, bad: Sequence[bytes]) -> tuple[str, str]:
    """A match that cannot be read from its fifth event on, and a sound one."""
    host = make_host(medium)
    broken, sound = host.create("match", CREATE), host.create("match", CREATE)
    await medium.quiet()
    await host.close()
    assert await appended(medium.store, Write(broken, 4, bad)) is None
    return broken, sound


async def refused(host: Host, stream: str) -> Refusal:
    with pytest.raises(Refused) as caught:
        await host.state(stream)
    return caught.value.refusal


@BAD
async def test_it_is_said_once_and_every_command_is_refused(
    bad: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    medium, bus, ear = Medium(MemoryStore()), MemoryBus(), Ear()
    broken, sound = await two_matches(medium, [bad])
    host = make_host(medium, bus)
    for _ in range(3):
        host.submit(broken, PlayMove(X, "0,0"), ear.refuse)
        await medium.quiet()
        assert await refused(host, broken) is Refusal.UNKNOWN_STREAM
    host.submit_together([(sound, PlayMove(X, "0,0")), (broken, GoAway(X))], ear.refuse)
    host.insist(broken, GoAway(X))
    host.follow(broken, 0, ear.deliver)
    bus.connect(print).ring(broken)
    await medium.quiet()

    assert ear.refusals == [Refusal.UNKNOWN_STREAM] * 4
    assert ear.records == []
    said = [one.getMessage() for one in caplog.records if broken in one.getMessage()]
    assert len(said) == 1
    assert said[0].startswith(f"event 5 of {broken} cannot be read")
    assert len(await medium.read(broken)) == 5
    assert (await host.state(sound))[1] == 4
    with pytest.raises(StoreError, match="event 5 of"):
        await host.history(broken)
    await host.close()


@BAD
async def test_recovery_leaves_it_out_and_takes_up_the_others(
    bad: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    medium, ear = Medium(MemoryStore()), Ear()
    broken, sound = await two_matches(medium, [bad, LATER])
    host = make_host(medium)
    await host.recover(RECLAIM)
    if bad not in SEEN_BY_THE_DIRECTORY:  # moves are read when somebody asks for the match
        assert await refused(host, broken) is Refusal.UNKNOWN_STREAM

    assert set(host.directory.unfinished) == {sound}
    assert list(host.directory.seated(O)) == [(sound, O)]
    assert len([one for one in caplog.records if broken in one.getMessage()]) in (1, 2)
    host.follow(sound, 4, ear.deliver)
    await medium.quiet()
    assert len(ear.records) == 1
    await host.close()


async def test_finding_goes_on_past_what_cannot_be_read() -> None:
    medium = Medium(MemoryStore())
    broken, sound = await two_matches(medium, [LATER, ILLEGAL, LATER])
    await appended(medium.store, Write("club-1", 0, [b"{}"]))  # of a kind that nobody runs
    found = await find(medium, {"match": MATCHES})
    assert set(found) == {sound}
    assert found[sound].version == 4
    assert found[sound].listing.sits(X)
    assert broken not in found


async def test_a_command_to_what_was_taken_out_of_the_log_is_refused() -> None:
    """It is not asked of the store again and again, as what another host was faster with is."""
    store, ear, lost = MemoryStore(), Ear(), list[bool]()
    host = make_host(store)
    stream, other = host.create("match", CREATE), host.create("match", CREATE)
    follower = host.follow(stream, 0, ear.deliver, lambda: lost.append(True))
    await host.state(other)
    del store._streams[stream]

    host.submit(stream, PlayMove(X, "0,0"), ear.refuse)
    host.submit(stream, PlayMove(O, "0,0"), ear.refuse)  # out of turn, hence looked up first
    await until(lambda: len(ear.refusals) == 2)

    assert ear.refusals == [Refusal.UNKNOWN_STREAM] * 2
    assert (lost, follower.stopped) == ([True], True)
    assert set(host.directory.unfinished) == {other}
    assert await store.read(stream) == []
    await host.close()


async def test_what_another_version_writes_into_a_match_that_is_followed() -> None:
    medium, bus, ear, lost = Medium(MemoryStore()), MemoryBus(), Ear(), list[str]()
    host = make_host(medium, bus)
    in_a_room = CreateMatch("tictactoe", newcomers=CREATE.newcomers, room="den")
    stream, other = host.create("match", in_a_room, room="den"), host.create("match", CREATE)
    host.follow(stream, 0, ear.deliver, lambda: lost.append(stream))
    host.follow(other, 0, Ear().deliver, lambda: lost.append(other))
    await medium.quiet()
    await appended(medium.store, Write(stream, 4, [LATER]))
    bus.connect(print).ring(stream)
    await medium.quiet()

    host.submit(stream, PlayMove(X, "0,0"), ear.refuse)
    host.submit(other, PlayMove(X, "0,0"), ear.refuse)
    await medium.quiet()
    assert ear.refusals == [Refusal.UNKNOWN_STREAM]
    assert (ear.versions, lost) == ([1, 2, 3, 4], [stream])
    assert set(host.directory.unfinished) == {other}
    assert host.directory.room("den") is None
    assert (await host.state(other))[1] == 5
    await host.close()
