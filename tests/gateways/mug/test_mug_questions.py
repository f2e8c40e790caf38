"""Questions as fast as they can be asked must not cut the stream of everybody."""

from xml.etree import ElementTree

import pytest

from parlour.gateways.mug import MugOptions, _outbox
from parlour.wire.mug import DISCO_INFO, DISCO_ITEMS, OWNER, PING, RSM
from tests.gateways.mug.stage import DOMAIN, GAME, MUG, ROOM, Client, Stage, on_stage
from tests.gateways.mug.test_mug_pace import USERS, Pipe

ITEM = f"{{{DISCO_ITEMS}}}item"
LOUD = "&amp;" * 199


def asks(client: Client, namespace: str = DISCO_ITEMS, to: str = DOMAIN, inside: str = "") -> None:
    query = f"<query xmlns='{namespace}'>{inside}</query>"
    client.says(f"<iq type='get' id='q' to='{to}'>{query}</iq>")


def pings(client: Client, to: str = DOMAIN) -> None:
    client.says(f"<iq type='get' id='p' to='{to}'><ping xmlns='{PING}'/></iq>")


async def makes_rooms(client: Client, count: int, title: str = "") -> list[str]:
    """The addresses of rooms that `client` has made and configured."""
    rooms = [f"room{number:03d}@{DOMAIN}" for number in range(count)]
    field = f"<field var='mug#roomconfig_roomname'><value>{title}</value></field>" if title else ""
    for room in rooms:
        client.says(f"<presence to='{room}/n'><game xmlns='{MUG}' var='{GAME}'/></presence>")
        client.says(
            f"<iq type='set' id='c' to='{room}'><query xmlns='{OWNER}'><options>"
            f"<x xmlns='jabber:x:data' type='submit'>{field}</x></options></query></iq>"
        )
    await client.stage.forget()
    return rooms


async def listed(client: Client) -> dict[str, str]:
    """Addresses and titles of the rooms that the service lists, page by page."""
    found: dict[str, str] = {}
    after = ""
    while True:
        inside = f"<set xmlns='{RSM}'><after>{after}</after></set>" if after else ""
        asks(client, inside=inside)
        (told,) = await client.told()
        page = [
            (one.attrib["jid"], one.get("name", "")) for one in ElementTree.XML(told).iter(ITEM)
        ]
        if not page or page[-1][0] in found:
            return found
        found |= dict(page)
        after = page[-1][0]


def left(stage: Stage, client: Client) -> int:
    """How many stanzas a client may still send in this instant."""
    count = 0
    while stage.gateway._house.allowance.admits(client.jid, stage.now):
        count += 1
    return count


# What an answer costs


async def test_a_list_is_small_whatever_rooms_are_called() -> None:
    async with on_stage(options=MugOptions(rooms_most=200, burst=1000)) as stage:
        anna = stage.client("anna@example.org/home")
        rooms = await makes_rooms(anna, 60, LOUD)
        guest = stage.client("guest@example.org/home")
        asks(guest)
        (told,) = await guest.told()
        assert told.count("<item ") == 50
        assert len(told) < 25_000
        titles = await listed(guest)
        assert list(titles) == rooms
        assert set(titles.values()) == {"&" * 63 + "…"}


async def test_who_asks_pays_for_the_bytes_of_the_answer() -> None:
    async with on_stage(options=MugOptions(rooms_most=200, rate=1000, burst=1000)) as stage:
        anna = stage.client("anna@example.org/home")
        await makes_rooms(anna, 60, LOUD)
        guest = stage.client("guest@example.org/home")
        asks(guest)
        (told,) = await guest.told()
        assert left(stage, guest) == 1000 - 1 - len(told) // (1 << 14)
        assert len(told) > 1 << 14


async def test_while_much_is_unsent_discovery_waits_and_talk_does_not(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_outbox, "MUCH", 4000)
    anna, ben, *_ = await stage.table(*USERS)
    guest = stage.client("guest@example.org/home")
    pipe = Pipe(stage)
    while pipe.unsent() <= 500:
        asks(guest, to=ROOM)
    await stage.forget()
    for namespace in (DISCO_INFO, DISCO_ITEMS):
        for to in (DOMAIN, ROOM):
            asks(guest, namespace, to)
            await guest.is_refused("resource-constraint", "wait")
    asks(anna, OWNER, ROOM)
    await anna.is_refused("resource-constraint", "wait")
    anna.says("<message type='chat'><body>still here</body></message>")
    assert "still here" in (await ben.told())[-1]
    pings(guest)
    assert "type='result'" in (await guest.told())[0]
    pipe.takes()
    asks(guest)
    assert "type='result'" in (await guest.told())[0]


# What a flood is answered


async def test_not_so_fast_is_said_once_a_second(stage: Stage) -> None:
    await stage.table("anna")
    ben = stage.client("ben@example.org/home")
    ann = stage.client("ann@example.org/home")
    for second in range(3):
        for _ in range(200):
            pings(ben)
        told = await ben.told()
        assert sum("type='result'" in one for one in told) == (20 if second else 60)
        assert sum("not so fast" in one for one in told) == 1
        pings(ann)
        assert "type='result'" in (await ann.told())[0]
        stage.now += 1000


async def test_a_flood_hears_nothing_while_much_is_unsent(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_outbox, "MUCH", 1000)
    await stage.table("anna")
    ben = stage.client("ben@example.org/home")
    Pipe(stage)
    for _ in range(200):
        pings(ben)
    assert len(await ben.told()) == 60


async def test_stanzas_too_large_to_read_count_as_others_do(stage: Stage) -> None:
    await stage.table("anna")
    ben = stage.client("ben@example.org/home")
    for _ in range(100):
        ben.says(f"<message><body>{'<b/>' * 600}</body></message>")
    told = await ben.told()
    assert sum("<policy-violation " in one for one in told) == 60
    assert sum("not so fast" in one for one in told) == 1


# The list as it changes


async def test_the_list_follows_what_rooms_become(stage: Stage) -> None:
    guest = stage.client("guest@example.org/home")
    assert await listed(guest) == {}
    (anna,) = await stage.table("anna")
    assert await listed(guest) == {ROOM: "garden"}
    for config, expected in (
        ("roomname=Backyard", {ROOM: "Backyard"}),
        ("publicroom=0", {}),
        ("publicroom=1", {ROOM: "Backyard"}),
    ):
        anna.configures(config)
        await stage.forget()
        assert await listed(guest) == expected
    anna.leaves("anna")
    await stage.forget()
    assert await listed(guest) == {}


async def test_the_list_is_whole_after_a_restart(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    anna.configures("roomname=Backyard")
    await stage.forget()
    async with on_stage(stage.store, run=2) as later:
        assert await listed(later.client("guest@example.org/home")) == {ROOM: "Backyard"}
