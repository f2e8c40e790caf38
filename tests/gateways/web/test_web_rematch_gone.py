"""A rematch that is accepted when the one who offered it has gone."""

import asyncio

from tests.gateways.web.browsers import SOON, house, table


async def test_a_rematch_with_somebody_who_has_gone_is_refused_and_none_begins() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        await other.ask("resign", match=match)
        await one.event(match, "ended")
        await one.ask("rematch", match=match)
        await other.until("rematch")
        await one.socket.close()
        async with asyncio.timeout(SOON):
            while len(doors.gateway.hall.connections) > 1:
                await asyncio.sleep(0)

        answer = await other.ask("rematch", match=match)

        assert answer["refusal"] == "unavailable"
        assert "gone" in answer["detail"]
        assert not doors.service.host.directory.unfinished
