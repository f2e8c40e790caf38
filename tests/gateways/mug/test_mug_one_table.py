"""One table with another protocol: a textbook player in a room of Multi-User Gaming."""

import asyncio

import pytest
from msgspec.structs import replace

from parlour.games import Refused
from parlour.gateways.mug import MugOptions
from parlour.host import ChatLine
from parlour.match import (
    CreateMatch,
    GoAway,
    LeaveSeat,
    Newcomer,
    PlayMove,
    Status,
    TakeSeat,
    Terms,
    Tick,
)
from tests.gateways.mug.stage import ROOM, Stage, occupant, on_stage, state, turn
from tests.host.stores import HeldStore

GRACE = 60_000


async def test_a_vacant_role_is_offered_to_the_next_textbook_player(stage: Stage) -> None:
    """Who has said start begins with the next one; nobody has to wait for whoever has not."""
    anna, carl = await stage.table("anna", "carl")
    anna.takes_role("x")
    await stage.forget()
    early = stage.textbook("early")
    await anna.hears()
    assert not early.stream
    stage.pairer.cancel(early.identity)

    anna.starts()
    assert "offered to other protocols" in await anna.is_refused("not-allowed")
    anna.starts()
    await anna.is_refused("not-allowed")
    await carl.hears()
    player = stage.textbook("player")
    guest = occupant("player", role="o")
    await anna.hears(guest, state("active"))
    await carl.hears(guest, state("active"))
    assert player.stream


async def test_an_offered_role_is_anybody_s_and_then_both_start_again(stage: Stage) -> None:
    anna, carl = await stage.table("anna", "carl")
    anna.takes_role("x")
    anna.starts()
    await stage.forget()
    carl.takes_role("o")
    await carl.hears(occupant("carl", role="o"))
    carl.starts()
    assert "<status>" not in "".join(await carl.told())
    anna.starts()
    assert "<status>active" in (await carl.told())[-1]


@pytest.mark.parametrize("role", ["x", "o"])
async def test_who_makes_no_turn_at_such_a_table_loses_in_time(role: str) -> None:
    async with on_stage(options=MugOptions(turn_limit=300)) as stage:
        anna, _ = await stage.table("anna", "carl")
        await stage.against_stranger(anna, role=role)
        stage.now += 299_999
        stage.gateway.tick()
        await anna.hears()
        stage.now += 1
        stage.gateway.tick()
        told = await anna.told()
        assert "<won>o</won>" in told[0]


async def test_nobody_loses_on_time_for_a_stream_that_was_down() -> None:
    async with on_stage(options=MugOptions(turn_limit=300)) as stage:
        anna, _ = await stage.table("anna", "carl")
        await stage.against_stranger(anna)
        stage.gateway.disconnected()
        stage.now += 400_000
        stage.gateway.tick()
        await stage.settled()
        stage.gateway.connected()
        anna.says("<message><body>was I away?</body></message>")
        stage.now += 299_999
        stage.gateway.tick()
        assert "<won>" not in "".join(await anna.told())
        stage.now += 1
        stage.gateway.tick()
        assert "<won>o</won>" in "".join(await anna.told())


async def test_two_of_the_room_take_the_time_they_want(stage: Stage) -> None:
    anna, _ = await stage.match("anna", "ben")
    stage.now += 3_600_000
    stage.gateway.tick()
    await stage.forget()
    anna.moves(1, 1, 1)
    assert turn(1, 1, 1) in (await anna.told())[0]


async def test_spectators_see_every_move_wherever_it_was_made(stage: Stage) -> None:
    anna, carl = await stage.table("anna", "carl")
    player = await stage.against_stranger(anna)
    anna.moves(1, 1, 1)
    await stage.settled()
    player.does(PlayMove(player.identity, "2,0"))
    await carl.hears(
        f"<message from='{ROOM}/anna' type='chat'>{turn(1, 1, 1)}</message>",
        state("active", "X . .", "o"),
        f"<message from='{ROOM}/player' type='chat'>{turn(2, 1, 3)}</message>",
        state("active", "X . O", "x"),
    )


async def test_a_textbook_player_who_leaves_loses_and_the_next_round_waits(stage: Stage) -> None:
    anna, carl = await stage.table("anna", "carl")
    player = await stage.against_stranger(anna)
    player.does(GoAway(player.identity))
    gone = occupant("player", role="none", type="unavailable")
    won = state("inactive", next="o", result="<won>x</won>")
    await carl.hears(won, gone)
    await stage.forget()
    anna.takes_role("none")
    await carl.hears(occupant("anna", "owner", "none"))


async def test_the_room_offers_its_table_only_with_options_that_textbook_knows(
    stage: Stage,
) -> None:
    (anna,) = await stage.table("anna")
    anna.configures("", "rows=4\ncols=4")
    anna.takes_role("x")
    anna.starts()  # offers the other role
    await stage.forget()
    player = stage.textbook("player")
    await anna.hears()
    assert not player.stream


@pytest.mark.parametrize(
    "config", ["publicroom=0", "membersonly=1", "passwordprotectedroom=1\nroomsecret=x"]
)
async def test_a_closed_room_offers_its_table_to_nobody(stage: Stage, config: str) -> None:
    (anna,) = await stage.table("anna")
    anna.configures(config)
    anna.takes_role("x")
    anna.starts()  # offers the other role
    await stage.forget()
    player = stage.textbook("player")
    await anna.hears()
    assert not player.stream


async def test_at_such_a_table_nothing_pauses_and_the_absent_lose_after_their_grace() -> None:
    async with on_stage(options=MugOptions(grace=60)) as stage:
        anna, carl = await stage.table("anna", "carl")
        player = await stage.against_stranger(anna)
        anna.leaves("anna")
        await carl.hears(occupant("anna", "owner", "none", type="unavailable"))
        state_now, _ = await stage.host.state(player.stream)
        assert state_now.status is Status.LIVE
        stage.now += GRACE - 1
        anna.enters("anna")
        assert "role='x'" in (await anna.told())[-1]
        stage.now += GRACE
        anna.moves(1, 1, 1)
        assert turn(1, 1, 1) in "".join(await carl.told())


async def test_giving_the_role_up_there_is_a_resignation(stage: Stage) -> None:
    anna, carl = await stage.table("anna", "carl")
    player = await stage.against_stranger(anna)
    anna.takes_role("none")
    told = await carl.told()
    assert "<won>o</won>" in "".join(told)
    over, _ = await stage.host.state(player.stream)
    assert over.status is Status.OVER


async def test_a_guest_s_name_is_nobody_else_s(stage: Stage) -> None:
    anna, carl = await stage.table("anna", "carl")
    await stage.against_stranger(anna)
    ben = stage.client("ben@example.org/home")
    ben.enters("Player")
    await ben.is_refused("conflict")
    for nick in ("player", "PLAYER"):
        carl.says(f"<message to='{ROOM}/{nick}' type='chat'><body>hello</body></message>")
        await carl.is_refused("feature-not-implemented")
        carl.says(f"<iq type='get' id='1' to='{ROOM}/{nick}'><ping xmlns='urn:xmpp:ping'/></iq>")
        await carl.is_refused("feature-not-implemented")
    ben.enters("ben")
    told = await ben.told()
    assert any(f"from='{ROOM}/player'" in one and "role='o'" in one for one in told)


WEB_BEN = Newcomer("web:1", "ben", Terms(grace=GRACE), 1)


async def test_a_guest_who_comes_back_has_no_name_that_is_taken_meanwhile(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    anna.takes_role("x")
    await stage.settled()
    (stream,) = stage.host.directory.unfinished
    stage.host.submit(stream, TakeSeat(WEB_BEN))
    await stage.settled()
    stage.host.submit(stream, LeaveSeat("web:1"))
    await stage.settled()
    stage.client("ben@example.org/home").enters("ben")
    await stage.forget()
    stage.host.submit(stream, TakeSeat(WEB_BEN))
    await anna.hears(occupant("ben 2", role="o"))


async def test_a_guest_gives_way_to_an_occupant_who_came_at_the_same_time() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        (anna,) = await stage.table("anna")
        anna.takes_role("x")
        await stage.forget()
        (stream,) = stage.host.directory.unfinished
        store.held = True
        stage.host.submit(stream, TakeSeat(WEB_BEN))
        ben = stage.client("ben@example.org/home")
        ben.enters("ben")
        await stage.settled()
        store.release()
        await anna.hears(
            occupant("ben", role="o"),
            occupant("ben", role="none", type="unavailable"),
            occupant("ben 2", role="o"),
            occupant("ben", jid=ben.jid),
        )
        told = await ben.told()
        assert [one for one in told if "unavailable" in one] == []
        assert "/ben 2'" in told[-2]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("carl", "carl 2"),
        ("a\x00b\ufffec\ufffc\u2ff0", "a bc"),
        ("\U0001f64c", "guest"),
        ("\u3164", "guest"),
        ("<b>'\"&", "<b>'\"&"),
        ("\u202eevil", "evil"),
        ("x" * 100, "x" * 39 + "..."),
    ],
    ids=ascii,
)
async def test_foreign_names_are_made_harmless(stage: Stage, name: str, shown: str) -> None:
    """Faults, X05 and X06: one bad character would close the stream for everybody."""
    anna, carl = await stage.table("anna", "carl")
    anna.takes_role("x")
    anna.starts()  # offers the other role
    await stage.forget()
    stage.textbook(name)
    told, _ = await carl.told()
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = escaped.replace("'", "&apos;").replace('"', "&quot;")
    assert f"from='{ROOM}/{escaped}'" in told
    assert anna


async def test_a_guest_goes_with_a_round_that_no_other_follows(stage: Stage) -> None:
    anna, carl = await stage.table("anna", "carl")
    player = await stage.against_stranger(anna)
    anna.leaves("anna")
    await stage.forget()
    stage.now += GRACE
    player.does(Tick())
    await carl.hears(
        state("inactive", next="o", result="<won>o</won>"),
        occupant("player", role="none", type="unavailable"),
    )


async def test_a_guest_left_behind_keeps_waiting_and_keeps_nobody_out(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    anna.takes_role("x")
    await stage.forget()
    (stream,) = stage.host.directory.unfinished
    stage.host.submit(stream, TakeSeat(replace(WEB_BEN, terms=Terms(ready=True))))
    await stage.settled()
    anna.leaves("anna")
    await stage.forget()
    table, _ = await stage.host.state(stream)
    assert table.status is Status.OPEN
    anna.enters("anna")
    assert "<status>created</status>" in (await anna.told())[0]
    other = stage.textbook("other")
    await stage.settled()
    assert other.stream == stream


@pytest.mark.parametrize("turns", range(12))
async def test_who_sits_down_as_a_room_goes_is_not_called_off_and_keeps_no_room(
    stage: Stage, turns: int
) -> None:
    (anna,) = await stage.table("anna")
    anna.takes_role("x")
    await stage.forget()
    (stream,) = stage.host.directory.unfinished
    anna.leaves("anna")
    for _ in range(turns):
        await asyncio.sleep(0)
    refused: list[Refused] = []
    stage.host.submit(stream, TakeSeat(WEB_BEN), refused.append)
    await stage.settled()
    stage.gateway.tick()
    await stage.settled()
    assert not stage.host.directory.others
    table, _ = await stage.host.state(stream)
    sits = [player.identity for _, player in table.players()]
    assert (WEB_BEN.identity in sits, table.status.finished) == (not refused, bool(refused))


@pytest.mark.parametrize("game", ["chinese_checkers", "tictactoe"])
async def test_a_table_of_another_protocol_keeps_its_name(stage: Stage, game: str) -> None:
    stage.host.create("match", CreateMatch(game, room="Garden"), room="Garden")
    await stage.settled()
    anna = stage.client("anna@example.org/home")
    anna.enters("anna")
    await anna.is_refused("not-allowed")


@pytest.mark.parametrize(
    ("identity", "name", "sender", "said"),
    [
        ("textbook:player", "player", f"{ROOM}/player", "hello"),
        ("web:zed", "zed", ROOM, "zed (looks on): hello"),
        ("", "", ROOM, "hello"),
    ],
    ids=["guest", "onlooker", "server"],
)
async def test_what_is_said_at_the_table_elsewhere_is_heard_in_the_room(
    stage: Stage, identity: str, name: str, sender: str, said: str
) -> None:
    anna, carl = await stage.table("anna", "carl")
    player = await stage.against_stranger(anna)
    stage.chat.say(ChatLine(player.stream, identity, name, "hello\x00", stage.now))
    told = f"<message from='{sender}' type='chat'><body>{said} </body></message>"
    for client in (anna, carl):
        await client.hears(told)


async def test_what_is_said_in_the_room_is_heard_elsewhere(stage: Stage) -> None:
    anna, carl = await stage.table("anna", "carl")
    player = await stage.against_stranger(anna)
    heard: list[ChatLine] = []
    stage.chat.listen(player.stream, heard.extend)
    carl.says("<message type='chat'><body>good\nluck</body></message>")
    await anna.hears(f"<message from='{ROOM}/carl' type='chat'><body>good\nluck</body></message>")
    (line,) = heard
    assert (line.name, line.text) == ("carl", "good luck")


async def test_a_closed_room_hears_nothing_any_more(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    player = await stage.against_stranger(anna)
    anna.leaves("anna")
    await stage.forget()
    stage.chat.say(ChatLine(player.stream, "web:zed", "zed", "hello", stage.now))
    await anna.hears()


async def test_talk_from_elsewhere_waits_for_a_server_that_is_behind(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    player = await stage.against_stranger(anna)
    await stage.forget()
    unsent = 1 << 20
    stage.gateway.paced_by(lambda: unsent)
    stage.chat.say(ChatLine(player.stream, "web:zed", "zed", "unheard", stage.now))
    unsent = 0
    stage.chat.say(ChatLine(player.stream, "web:zed", "zed", "heard", stage.now))
    (told,) = await anna.told()
    assert "zed (looks on): heard" in told
