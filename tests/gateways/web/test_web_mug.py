"""A browser and a user of Multi-User Gaming at one table."""

from parlour.gateways import Desk
from parlour.host import Chat
from tests.gateways.mug.stage import on_stage
from tests.gateways.web.browsers import Browser, door


async def test_a_guest_plays_in_a_room_of_an_xmpp_user() -> None:
    async with on_stage() as stage:
        desk = Desk(stage.host, stage.pairer, Chat())
        async with door(desk, stage.new_id) as (_, port):
            alice = stage.client("alice@example.org/home")
            alice.enters("Alice")
            alice.accepts_defaults()
            alice.takes_role("x")
            await stage.settled()
            bob = Browser(port)
            await bob.arrive("Bob")
            (listing,) = (await bob.http.get("/api/matches?status=open")).json()["matches"]
            async with bob.tab() as tab:
                match = listing["id"]
                await tab.watch(match)
                await tab.ask("take-seat", match=match)
                alice.starts()
                await tab.event(match, "started")

                alice.moves(1, 1, 1)
                await tab.ply(match, 1)
                await tab.play(match, "1,1")
                await stage.settled()
                told = "".join(await alice.told())

                assert listing["players"] == [{"seat": 0, "name": "Alice", "protocol": "xmpp"}]
                assert tab.moves == ["0,0", "1,1"]
                assert "row='2' col='2'" in told
            await bob.http.aclose()
