"""A return to large rooms, and talk in them, must not cut the stream of everybody."""

from xml.etree import ElementTree

import pytest

from parlour.gateways.mug import MugOptions, _house, _outbox, _pulse
from tests.gateways.mug.stage import (
    DOMAIN,
    GAME,
    MUG,
    ROOM,
    STANZAS,
    Client,
    Stage,
    on_stage,
    turn,
)
from tests.gateways.mug.test_mug_mistakes import fails_once

USERS = [f"user{number}" for number in range(8)]
PING = "<ping xmlns='urn:xmpp:ping'"
TALK = "<message type='chat' id='{}'><body>{}</body></message>"


class Pipe:
    """A server that takes what was said only when told to."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._taken = len(stage.said)
        stage.gateway.paced_by(self.unsent)

    def unsent(self) -> int:
        return sum(len(one.encode()) for one in self._stage.said[self._taken :])

    def takes(self) -> list[str]:
        """All that was unsent."""
        said = self._stage.said[self._taken :]
        self._taken += len(said)
        self._stage.gateway.drained()
        return said


def makes_room(client: Client, number: int) -> None:
    to = f"to='room{number}@{DOMAIN}"
    client.says(f"<presence {to}/nick'><game xmlns='{MUG}' var='{GAME}'/></presence>")
    form = "<options><x xmlns='jabber:x:data' type='submit'/></options>"
    client.says(f"<iq type='set' id='c' {to}'><query xmlns='{MUG}#owner'>{form}</query></iq>")


def asked(said: list[str]) -> list[str]:
    """The full JIDs that were asked for a sign."""
    return [one.partition(" to='")[2].partition("'")[0] for one in said if PING in one]


async def test_after_a_lost_stream_no_more_is_said_at_once_than_is_taken(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pulse, "LITTLE", 5000)
    await stage.table(*USERS)
    pipe = Pipe(stage)
    stage.gateway.disconnected()
    stage.gateway.connected()
    heard: list[str] = []
    while pipe.unsent():
        assert pipe.unsent() < 5000 + 3000  # one welcome is under 3,000 bytes
        heard += asked(pipe.takes())
    assert heard == [f"{user}@example.org/home" for user in USERS]


async def test_a_second_loss_does_not_begin_from_the_front(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pulse, "LITTLE", 5000)
    await stage.table(*USERS)
    pipe = Pipe(stage)
    stage.gateway.disconnected()
    stage.gateway.connected()
    assert asked(pipe.takes()) == [f"user{number}@example.org/home" for number in range(3)]
    stage.gateway.disconnected()
    pipe.takes()
    stage.gateway.connected()
    assert asked(pipe.takes())[:2] == [f"user{number}@example.org/home" for number in (6, 7)]


async def test_who_waits_to_be_asked_does_not_wait_twice(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pulse, "LITTLE", 0)
    await stage.table(*USERS)
    pipe = Pipe(stage)
    for later in (700_000, 11_000, 11_000):
        stage.now += later
        stage.gateway.tick()
    heard: list[str] = []
    while pipe.unsent():
        heard += asked(pipe.takes())
    assert len(heard) == len(set(heard))


async def test_the_silent_are_looked_for_in_some_rooms_at_a_time(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pulse, "AT_A_TIME", 1)
    for number, user in enumerate(USERS[:3]):
        makes_room(stage.client(f"{user}@example.org/home"), number)
    await stage.forget()
    before = len(asked(stage.said))
    heard = []
    stage.now += 600_000
    for _ in range(3):
        stage.gateway.tick()
        heard.append(len(asked(stage.said)) - before)
    assert heard == [1, 2, 3]


def gives_back(client: Client, said: list[str]) -> None:
    """Nobody is there: the server answers questions itself, and what else was sent comes back."""
    error = f"<error type='cancel'><service-unavailable xmlns='{STANZAS}'/></error>"
    for one in said:
        sent = ElementTree.fromstring(one)
        if sent.tag != "presence" and sent.attrib["to"] == client.jid:
            to, id = sent.attrib["from"], sent.get("id", "")
            client.says(f"<{sent.tag} type='error' to='{to}' id='{id}'>{error}</{sent.tag}>")


async def test_who_is_gone_goes_from_every_room_however_many_are_looked_at_at_a_time(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pulse, "AT_A_TIME", 1)
    anna = stage.client("anna@example.org/home")
    for number in range(3):
        makes_room(anna, number)
    await stage.forget()
    stage.now += 600_000
    for _ in range(3):
        before = len(stage.said)
        stage.gateway.tick()
        gives_back(anna, stage.said[before:])  # the question
        gives_back(anna, stage.said[before:])  # the probe
        await stage.settled()
    assert not any(one.room.occupants for one in stage.gateway._keepers.values())


async def test_what_somebody_said_is_forgotten_with_them_and_not_while_they_come(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pulse, "AT_A_TIME", 1)
    _, ben = await stage.table("anna", "ben")
    ben.leaves("ben")
    await stage.settled()
    stage.now += 10_000
    stage.gateway.tick()
    carl = stage.client("carl@example.org/home")
    carl.enters("carl")
    await stage.settled()
    stage.gateway.tick()
    assert set(stage.gateway._house.signs) == {"anna@example.org/home", carl.jid}


# Talk


@pytest.mark.parametrize("to", ["", "/user1"])
async def test_a_word_is_of_bounded_length(stage: Stage, to: str) -> None:
    anna, ben, *_ = await stage.table(*USERS)
    address = f" to='{ROOM}{to}'"
    for body in ("x" * 2001, "<b xmlns='urn:x'>" + "&amp;" * 12_000 + "</b>"):
        anna.says(TALK.format(1, body).replace(" type", f"{address} type", 1))
        await anna.is_refused("policy-violation", "modify")
    await ben.hears()
    anna.says(TALK.format(2, "&amp;" * 2000).replace(" type", f"{address} type", 1))
    assert "&amp;" * 2000 in (await ben.told())[0]


async def test_who_talks_pays_for_all_that_others_hear() -> None:
    async with on_stage(options=MugOptions(rate=1, burst=60)) as stage:
        anna, ben, *_ = await stage.table(*USERS)
        stage.now += 60_000
        for _ in range(60):
            ben.says(TALK.format(1, "&amp;" * 2000))
        heard = await anna.told()
        assert len(heard) == 12  # each is 10 kB for eight: four parts and the stanza itself
        ben.says("<message><start xmlns='http://jabber.org/protocol/mug#user'/></message>")
        assert "<resource-constraint " in (await ben.told())[-1]
        stage.now += 60_000
        ben.says(TALK.format(1, "sorry"))
        assert "sorry" in (await anna.told())[0]


async def test_while_much_is_unsent_nobody_talks_and_the_match_goes_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_outbox, "MUCH", 1000)
    anna, ben, *_ = await stage.match(*USERS)
    pipe = Pipe(stage)
    anna.says(TALK.format(1, "x" * 200))
    anna.says(TALK.format(2, "y" * 200))
    assert "<resource-constraint " in (await anna.told())[-1]
    anna.moves(1, 1, 1)
    told = await ben.told()
    assert "x" * 200 in told[0]
    assert turn(1, 1, 1) in told[1]
    pipe.takes()
    anna.says(TALK.format(3, "z"))
    assert "<body>z</body>" in (await ben.told())[0]


# What everybody hears of somebody

RENAME = "<presence to='" + ROOM + "/{}'/>"


async def crowd(stage: Stage) -> list[Client]:
    """Forty in one room."""
    (anna,) = await stage.table("user0")
    anna.configures(room="maxusers=none")
    await stage.forget()
    clients = [anna]
    for number in range(1, 40):
        clients.append(stage.client(f"user{number}@example.org/home"))
        clients[-1].enters(f"user{number}")
        await stage.settled()
    return clients


async def takes_little(stage: Stage, pipe: Pipe) -> None:
    """The server takes it bit by bit, and never has much more before it than `LITTLE`."""
    while pipe.unsent():
        assert pipe.unsent() < 20_000 + 15_000  # a welcome into a room of forty is under 11,000
        pipe.takes()
        await stage.settled()


async def test_that_all_of_a_large_room_become_members_is_told_bit_by_bit(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = await crowd(stage)
    monkeypatch.setattr(_pulse, "LITTLE", 20_000)
    pipe = Pipe(stage)
    users[0].configures("membersonly=1")
    await stage.settled()
    await takes_little(stage, pipe)
    for user in users:
        told = [one for one in await user.told() if "affiliation='member'" in one]
        assert len(told) == 39


async def test_a_large_room_is_told_bit_by_bit_what_is_so_after_a_mistake_of_ours(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    users = await crowd(stage)
    monkeypatch.setattr(_pulse, "LITTLE", 20_000)
    pipe = Pipe(stage)
    fails_once(monkeypatch, stage, "renamed")
    users[1].says(RENAME.format("ben"))
    await stage.settled()
    await takes_little(stage, pipe)
    for user in users:
        assert "/ben'" in "".join(await user.told())


@pytest.mark.slow
async def test_a_flood_that_many_hear_leaves_other_rooms_quick(stage: Stage) -> None:
    """However many flood, what an answer elsewhere has to wait for is bounded."""
    users = await crowd(stage)
    stage.now += 600_000
    pipe = Pipe(stage)
    for _ in range(30):
        for number, user in enumerate(users):
            user.enters(f"user{number}")
        await stage.settled()
    refused = sum(len(one) for one in stage.said if "type='error'" in one)
    assert pipe.unsent() - refused < _outbox.MUCH + 40 * 500  # one resync more
    stranger = stage.client("zoe@example.org/home")
    stranger.says("<iq type='get' id='q' to='games.example.org'><ping xmlns='urn:xmpp:ping'/></iq>")
    assert "type='result'" in (await stranger.told())[0]


@pytest.mark.parametrize(
    ("wish", "stanzas"),
    [("resync", 40), ("rename", 40), ("role", 160 + 200), ("come in", 120)],
)
async def test_who_is_told_of_to_many_pays_for_it(wish: str, stanzas: int) -> None:
    async with on_stage(options=MugOptions(rate=1)) as stage:
        *_, ben = await crowd(stage)
        stage.now += 600_000
        if wish == "resync":
            ben.enters("user39")
        elif wish == "rename":
            ben.says(RENAME.format("ben"))
        elif wish == "role":
            ben.takes_role("x")
        else:
            ben = stage.client("new@example.org/home")
            ben.enters("new")
        await stage.settled()
        left = 0
        while stage.gateway._house.allowance.admits(ben.jid, stage.now):
            left += 1
        assert left == 60 - 1 - stanzas // 20


async def test_while_much_is_unsent_only_matches_and_leaves_go_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_outbox, "MUCH", 1000)
    anna, ben, carl, dora = await stage.match(*USERS[:4])
    pipe = Pipe(stage)
    carl.enters("user2")
    carl.enters("user2")
    await stage.forget()
    assert pipe.unsent() > 1000
    carl.enters("user2")
    carl.says(RENAME.format("carl"))
    assert all("<resource-constraint " in said for said in await carl.told())
    assert await dora.told() == []
    anna.moves(1, 1, 1)
    assert turn(1, 1, 1) in (await ben.told())[0]
    dora.leaves("user3")
    assert "unavailable" in (await anna.told())[-1]
    pipe.takes()
    await stage.forget()
    carl.enters("user2")
    assert len(await carl.told()) == 4  # the room, two others, oneself


async def test_whoever_comes_in_is_let_in_while_far_more_is_unsent(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_outbox, "MUCH", 1000)
    monkeypatch.setattr(_outbox, "FULL", 20_000)
    await stage.table("anna")
    pipe = Pipe(stage)
    let_in = 0
    while pipe.unsent() <= 20_000:
        new = stage.client(f"user{let_in}@example.org/home")
        new.enters(f"user{let_in}")
        assert "type='error'" not in "".join(await new.told())
        let_in += 1
    late = stage.client("late@example.org/home")
    late.enters("late")
    await late.is_refused("resource-constraint", "wait")
    pipe.takes()
    late.enters("late")
    assert len(await late.told()) == let_in + 3  # the room, Anna, the others, oneself


async def test_whoever_comes_into_a_large_room_is_heard_there_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_house, "PART", 1)  # forty count like 800
    async with on_stage(options=MugOptions(rate=1)) as stage:
        anna, *_ = await crowd(stage)
        new = stage.client("new@example.org/home")
        new.enters("new")
        await stage.forget()
        new.says(TALK.format(1, "hello"))
        assert "<body>hello</body>" in (await anna.told())[-1]
