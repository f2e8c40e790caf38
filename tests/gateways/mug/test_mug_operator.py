"""What operators do to rooms, as those inside hear it."""

import pytest
from msgspec.structs import replace

from parlour.cli._hands import Jids
from parlour.games import Refusal, Refused
from parlour.gateways import Ban, BanKind, Bans
from parlour.gateways.admin import Drain, Hands
from parlour.gateways.admin import _requests as requests
from parlour.gateways.admin._acts import Banned
from parlour.gateways.mug import MugGateway, MugOptions
from parlour.host import nothing
from parlour.match import AbortCause, MatchAborted, PlayMove
from tests.gateways.mug.stage import DOMAIN, GAME, MUG, ROOM, Stage, on_stage
from tests.host.stores import FailingStore


def said_by_room(text: str) -> str:
    return f"<message from='{ROOM}' type='chat'><body>{text}</body></message>"


async def test_who_is_inside_is_told(stage: Stage) -> None:
    await stage.table("anna", "ben")
    assert stage.gateway.operator.inside() == {
        "anna@example.org/home": ("anna",),
        "ben@example.org/home": ("ben",),
    }


async def test_a_nickname_in_any_room_is_found_kicked_and_banned(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    other = f"<presence to='attic@{DOMAIN}/Zed'><game xmlns='{MUG}' var='{GAME}'/></presence>"
    anna.says(other)
    await stage.forget()
    bans, jids = Bans(), Jids(stage.gateway.operator)
    hands = Hands(stage.host, bans, [jids], jids, Drain(nothing), lambda level, logger: None)
    assert [one.names for one in hands.visitors()] == [("anna", "Zed"), ("ben",)]

    kick = requests.Kick("zed")
    planned = hands.plan(kick, 1, 0, "root")
    assert (await hands.act(kick, planned))["connections"] == 1

    await stage.settled()
    assert list(stage.gateway.operator.inside()) == [ben.jid]
    anna.says(other)
    anna.enters("anna")
    await stage.forget()
    assert len(list(hands.visitors())) == 2
    put = requests.PutBan(BanKind.NAME, "zed")
    planned = hands.plan(put, 1, 0, "root")
    assert isinstance(planned, Banned)
    bans.put([planned.ban])
    assert (await hands.act(put, planned))["connections"] == 1
    await stage.settled()
    assert list(stage.gateway.operator.inside()) == [ben.jid]


async def test_everybody_inside_hears_an_announcement(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")

    assert stage.gateway.operator.announce("tea at five & scones") == 2

    await anna.hears(said_by_room("tea at five &amp; scones"))
    await ben.hears(said_by_room("tea at five &amp; scones"))


async def test_who_is_sent_away_hears_why_and_the_others_that_they_left(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")

    stage.gateway.operator.send_away(ben.jid, "that will do")

    told = await ben.told()
    assert "<body>that will do</body>" in told[0]
    assert "type='unavailable'" in told[1]
    (left,) = await anna.told()
    assert "type='unavailable'" in left
    assert f"from='{ROOM}/ben'" in left
    assert list(stage.gateway.operator.inside()) == [anna.jid]


async def test_a_room_is_closed_and_its_match_called_off(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    (match,) = stage.host.directory.unfinished

    assert await stage.gateway.operator.close_room("garden", "the night falls")

    for client in (anna, ben):
        told = await client.told()
        assert "<body>the night falls</body>" in told[0]
        assert "the operator has closed the room" in told[-1]
        assert "type='unavailable'" in told[-1]
    last = (await stage.host.history(match))[-1].event
    assert isinstance(last, MatchAborted)
    assert (last.cause, last.detail) == (AbortCause.OPERATOR, "the night falls")
    assert not stage.host.directory.unfinished
    assert not stage.host.directory.others
    anna.enters("anna")  # the name is free
    assert len(await anna.told()) > 1
    assert stage.gateway.operator.inside() == {anna.jid: ("anna",)}


async def test_a_room_whose_match_ends_at_that_moment_is_closed_all_the_same(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    (match,) = stage.host.directory.unfinished
    for number, (player, move) in enumerate(
        [(anna, "0,0"), (ben, "0,1"), (anna, "1,0"), (ben, "1,1"), (anna, "2,0")], 1
    ):
        user = player.jid.partition("/")[0]
        stage.host.submit(match, PlayMove(f"xmpp:{user}", move))
        if number < 5:
            await stage.forget()

    assert await stage.gateway.operator.close_room("garden", "")

    await stage.settled()
    assert not stage.gateway.operator.inside()
    assert not stage.host.directory.unfinished


async def test_a_room_that_cannot_be_closed_is_not_called_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.gateways.mug._operator.AGAIN", 0)
    store = FailingStore()
    async with on_stage(store, MugOptions()) as stage:
        anna, _ = await stage.match("anna", "ben")
        store.failing = True

        with pytest.raises(Refused, match="the room is not closed: ") as said:
            await stage.gateway.operator.close_room("garden", "the night falls")

        assert said.value.refusal is Refusal.UNAVAILABLE
        assert await anna.told() == []
        assert anna.jid in stage.gateway.operator.inside()
        store.failing = False
        assert await stage.gateway.operator.close_room("garden", "the night falls")
        assert not stage.gateway.operator.inside()


async def test_a_closed_room_is_one_fewer_of_whoever_made_it(stage: Stage) -> None:
    """Also when somebody else owns it by then, which no command brings about so far."""
    await stage.table("anna")
    keeper = stage.gateway._keepers["garden"]
    keeper.view.room = replace(keeper.room, owner="ben@example.org")
    keeper.stop()
    stage.gateway._closed(keeper)
    assert stage.gateway._owned == {}


async def test_no_room_of_that_name_is_said(stage: Stage) -> None:
    assert not await stage.gateway.operator.close_room("attic", "")


def with_bans(stage: Stage) -> Bans:
    """Nothing is banned yet in rooms that ask for it."""
    bans = Bans()
    stage.gateway = MugGateway(
        stage.host, stage.chat, MugOptions(), DOMAIN, stage._send, stage.new_id, bans
    )
    stage.gateway.connected()
    return bans


async def test_who_is_banned_while_coming_in_does_not_stay(stage: Stage) -> None:
    bans = with_bans(stage)
    (anna,) = await stage.table("anna")
    ben, carl = (stage.client(f"{user}@example.org/home") for user in ("ben", "carl"))
    ben.enters("ben")
    carl.enters("carl")  # and waits for its turn behind ben
    bans.put([Ban(BanKind.JID, "ben@example.org"), Ban(BanKind.NAME, "carl")])
    await stage.settled()

    assert list(stage.gateway.operator.inside()) == [anna.jid]
    told = await ben.told()
    assert "you are banned" in told[-2]
    assert "type='unavailable'" in told[-1]
    await carl.is_refused("forbidden")
    stage.gateway.close()


async def test_who_takes_a_name_while_it_is_banned_does_not_stay(stage: Stage) -> None:
    bans = with_bans(stage)
    anna, ben = await stage.table("anna", "ben")
    ben.says(f"<presence to='{ROOM}/zed'/>")
    bans.put([Ban(BanKind.NAME, "zed")])
    await stage.settled()

    assert list(stage.gateway.operator.inside()) == [anna.jid]
    stage.gateway.close()


async def test_who_is_banned_does_not_come_in(stage: Stage) -> None:
    bans = with_bans(stage)
    (anna,) = await stage.table("anna")
    bans.put(
        [
            Ban(BanKind.JID, "ben@example.org", reason="rude"),
            Ban(BanKind.JID, "evil.example"),
            Ban(BanKind.NAME, "zed"),
        ]
    )

    for jid, nick in (
        ("ben@example.org/home", "benjamin"),
        ("carol@evil.example/home", "carol"),
        ("dave@example.org/home", "Zed"),
    ):
        client = stage.client(jid)
        client.enters(nick)
        said = await client.is_refused("forbidden")
        assert "you are banned" in said
    anna.enters("zed")
    await anna.is_refused("forbidden")
    stage.client("erna@example.org/home").enters("erna")
    assert len(await stage.client("erna@example.org/home").told()) > 1
    stage.gateway.close()
