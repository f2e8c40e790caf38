"""A mistake of ours in one room costs the other rooms nothing."""

import asyncio
from collections import Counter
from collections.abc import Callable

import pytest

from parlour.gateways.mug import MugOptions
from parlour.gateways.mug._keeper import Keeper
from parlour.gateways.mug._teller import Teller
from parlour.host import StoreError
from parlour.stores import MemoryStore
from tests.gateways.mug.stage import DOMAIN, GAME, MUG, Client, Stage, on_stage
from tests.gateways.mug.test_mug_restart import killed
from tests.host.stores import HeldStore
from tests.host.wall import Wall

ORCHARD = f"orchard@{DOMAIN}"


def broken(*_: object, **__: object) -> None:
    raise RuntimeError("a mistake of ours")


def once(sound: Callable[..., None]) -> Callable[..., None]:
    """Fails the first time, and then does what it should."""
    left = [broken]

    def act(*values: object, **named: object) -> None:
        (left.pop() if left else sound)(*values, **named)

    return act


def garden(stage: Stage) -> Keeper:
    return stage.gateway._keepers["garden"]


def plants(client: Client, room: str, nick: str) -> None:
    """Make a room; it stays locked until it is configured."""
    client.says(
        f"<presence to='{room}@{DOMAIN}/{nick}'><game xmlns='{MUG}' var='{GAME}'/></presence>"
    )


def says_in_orchard(client: Client, text: str) -> None:
    client.says(f"<message to='{ORCHARD}' type='chat'><body>{text}</body></message>")


async def two_rooms(stage: Stage) -> tuple[Client, Client]:
    """Anna's garden, where all will go wrong, and behind it Carl's orchard."""
    (anna,) = await stage.table("anna")
    carl = stage.client("carl@example.org/home")
    plants(carl, "orchard", "carl")
    await stage.forget()
    return anna, carl


# The time


async def test_a_room_whose_second_fails_keeps_no_other_from_theirs(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await two_rooms(stage)
    monkeypatch.setattr(garden(stage).leaves, "again", broken)
    stage.now += 700_000
    stage.gateway.tick()
    await stage.settled()
    assert list(stage.gateway._keepers) == ["garden"]
    assert f"cannot look at the time in garden@{DOMAIN}" in caplog.text


async def test_the_silent_are_asked_for_a_sign_whatever_goes_wrong_in_a_room(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, _ = await two_rooms(stage)
    monkeypatch.setattr(garden(stage), "tick", broken)
    stage.now += 700_000
    stage.gateway.tick()
    assert "urn:xmpp:ping" in (await anna.told())[-1]


async def test_a_mistake_that_all_rooms_share_is_written_out_once_a_second(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await two_rooms(stage)
    monkeypatch.setattr(Keeper, "tick", broken)
    stage.gateway.tick()
    assert caplog.text.count("cannot look at the time in") == 2
    assert caplog.text.count("Traceback") == 1


async def test_each_room_is_looked_at_once_a_second_and_not_all_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wall, looked, at_once = Wall(asyncio.get_running_loop()), Counter[str](), []
    async with on_stage(options=MugOptions(rooms_most=25)) as stage:
        for number in range(25):
            plants(stage.client("anna@example.org/home"), f"room{number}", "anna")
        await stage.settled()
        monkeypatch.setattr(Keeper, "tick", lambda keeper, now: looked.update([keeper.room.name]))
        for _ in range(30):
            before = looked.total()
            await wall.passes(100)
            at_once.append(looked.total() - before)
        assert looked == Counter({f"room{number}": 3 for number in range(25)})
        assert max(at_once) == 3
        await wall.passes(5_000)  # in which the loop was busy
        assert set(looked.values()) == {4}


async def test_a_second_is_no_longer_where_the_loop_turns_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wall, looked = Wall(asyncio.get_running_loop()), []
    async with on_stage() as stage:
        await stage.table("anna")
        monkeypatch.setattr(Keeper, "tick", lambda keeper, now: looked.append(now))
        for _ in range(50):
            await wall.passes(140)
        assert len(looked) == 7


# The stream


async def test_a_room_that_cannot_say_goodbye_keeps_no_other_from_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, carl = await two_rooms(stage)
    with monkeypatch.context() as patch:
        patch.setattr(garden(stage).teller, "stopping", broken)
        stage.gateway.close()
    assert "the service stops" in "".join(await carl.told())
    assert garden(stage)._follower is None


async def test_when_the_stream_is_back_all_are_asked_whatever_goes_wrong_in_a_room(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, carl = await two_rooms(stage)
    monkeypatch.setattr(garden(stage).teller, "welcome", broken)
    stage.gateway.disconnected()
    stage.gateway.connected()
    (asked,) = await anna.told()
    assert "urn:xmpp:ping" in asked
    assert "<status>created" in (await carl.told())[0]
    assert f"cannot tell {anna.jid} what is so in garden@{DOMAIN}" in caplog.text


async def test_who_is_back_is_heard_in_one_room_whatever_goes_wrong_in_another(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, _ = await two_rooms(stage)
    plants(anna, "meadow", "anna")
    await stage.settled()
    stage.gateway.disconnected()
    stage.gateway.connected()
    await stage.forget()
    monkeypatch.setattr(garden(stage).rounds, "come_back", broken)
    says_in_meadow = f"<message to='meadow@{DOMAIN}' type='chat'><body>hello</body></message>"
    anna.says(says_in_meadow)
    assert "hello" in "".join(await anna.told())


async def test_who_waited_for_a_room_that_closes_is_heard_whatever_goes_wrong_with_another(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        (anna,) = await stage.table("anna")
        ben, carl = (stage.client(f"{one}@example.org/home") for one in ("ben", "carl"))
        store.held = True
        anna.leaves("anna")
        ben.enters("ben")
        carl.enters("carl")
        await stage.settled()
        monkeypatch.setattr(stage.gateway, "_create", once(stage.gateway._create))
        store.release()
        await stage.settled()
        assert garden(stage).creator == "carl@example.org"


async def test_the_time_is_looked_at_whatever_goes_wrong_when_the_stream_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage = Stage(MemoryStore(), MugOptions(), run=1)
    monkeypatch.setattr(stage.gateway._pulse, "doubt", broken)
    with pytest.raises(RuntimeError):
        stage.gateway.connected()
    assert stage.gateway._timer is not None
    stage.gateway.close()
    await stage.host.close()


# The operator


async def test_who_is_sent_away_leaves_the_other_rooms_whatever_goes_wrong_in_one(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, _ = await two_rooms(stage)
    plants(anna, "meadow", "anna")
    await stage.settled()
    monkeypatch.setattr(garden(stage), "put_out", broken)
    stage.gateway.operator.send_away(anna.jid, "that will do")
    await stage.settled()
    assert list(stage.gateway._keepers) == ["garden", "orchard"]


async def test_who_could_not_be_told_what_the_operator_says_is_not_counted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, carl = await two_rooms(stage)
    monkeypatch.setattr(garden(stage), "say", broken)
    assert stage.gateway.operator.announce("we close at eight") == 1
    assert "we close at eight" in "".join(await carl.told())


# The start


def rewrite(store: MemoryStore, old: bytes, new: bytes) -> None:
    """Let something else stand in the log."""
    assert any(old in one.data for one in store._log)
    store._log = [one._replace(data=one.data.replace(old, new)) for one in store._log]
    store._streams = {
        stream: [one.replace(old, new) for one in data] for stream, data in store._streams.items()
    }


async def is_served(stage: Stage) -> None:
    """Rooms can be made, and the time is looked at."""
    carl = stage.client("carl@example.org/home")
    plants(carl, "orchard", "carl")
    assert "<status>created" in (await carl.told())[0]
    assert stage.gateway._timer is not None


async def a_room(stage: Stage) -> None:
    await stage.table("anna")


async def a_match(stage: Stage) -> None:
    await stage.match("anna", "ben")


async def test_a_room_of_which_nobody_can_be_told_keeps_no_other_from_being_served(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = await killed(a_room)
    rewrite(store, b'"rows":3', b'"rows":"three"')
    async with on_stage(store, run=2) as stage:
        await is_served(stage)
    assert f"cannot tell anna@example.org/home what is so in garden@{DOMAIN}" in caplog.text


async def test_a_room_whose_match_is_none_keeps_the_service_from_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = await killed(a_match)
    room, match = store._streams
    rewrite(store, match.encode(), room.encode())
    async with on_stage(store, run=2) as stage:
        await is_served(stage)
    assert f"garden@{DOMAIN} stands still" in caplog.text


async def test_a_room_that_could_not_be_taken_up_is_a_second_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Teller, "assume", once(Teller.assume))
    async with on_stage(await killed(a_room), run=2) as stage:
        await stage.forget()
        stage.now += 1_000
        stage.gateway.tick()
        await stage.settled()
        ben = stage.client("ben@example.org/home")
        ben.enters("ben")
        assert "/ben'" in "".join(await ben.told())


async def test_a_room_that_cannot_be_kept_at_all_keeps_the_service_from_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = await killed(a_room)
    with monkeypatch.context() as patch:
        patch.setattr(Teller, "__init__", broken)
        stage = on_stage(store, run=2)
        up = await stage.__aenter__()
    try:
        await is_served(up)
    finally:
        await stage.__aexit__(None, None, None)
    assert "is left alone" in caplog.text


class HalfSilent(MemoryStore):
    """A log taken over, of which streams of the kind `unread` cannot be read."""

    unread = ""

    def __init__(self, before: MemoryStore) -> None:
        super().__init__()
        self._log, self._streams = before._log, before._streams

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        if self.unread and stream.startswith(self.unread):
            raise StoreError("the medium does not answer")
        return await super().read(stream, after)


@pytest.mark.parametrize("kind", ["room", "match"])
async def test_nothing_is_served_while_the_medium_does_not_say_what_is_so(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = HalfSilent(await killed(a_match))
    stage = Stage(store, MugOptions(), run=2)
    await stage.host.recover(120_000)
    store.unread = kind
    with pytest.raises(StoreError):
        await stage.gateway.recover()
    stage.gateway.close()
    await stage.host.close()
