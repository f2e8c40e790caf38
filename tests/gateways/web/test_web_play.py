"""Guests play over real sockets, with each other."""

from tests.gateways.web.browsers import house


async def test_two_guests_play_tictactoe_to_the_end() -> None:
    async with house() as doors, doors.guest("Alice") as alice, doors.guest("Bob") as bob:
        match = await alice.open("tictactoe")
        async with alice.tab() as one, bob.tab() as other:
            assert (await one.watch(match))["seats"][0]["player"]["name"] == "Alice"
            await other.watch(match)
            assert (await other.ask("take-seat", match=match))["type"] == "done"
            await one.event(match, "started")
            await other.event(match, "started")

            for number, move in enumerate(("0,0", "1,1", "0,1", "2,2", "0,2")):
                mover = one if number % 2 == 0 else other
                await mover.play(match, move)
                await one.ply(match, number + 1)
                await other.ply(match, number + 1)

            expected = {"ranking": [[0], [1]], "causes": ["line", "line"], "scores": []}
            for tab in (one, other):
                assert tab.matches[match]["outcome"] == expected
                assert tab.matches[match]["board"] == [["0,0", "0,1", "0,2"], ["1,1", "2,2"]]
