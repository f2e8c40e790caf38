"""JSON of the wrong kind: numbers that are none, text that is no text, keys that stand twice."""

import msgspec
import pytest

from parlour.gateways.web._declined import Declined
from parlour.gateways.web._requests import Ping, read_request
from tests.gateways.web.browsers import house, table

NUL = "a\u0000b"


@pytest.mark.parametrize(
    "number",
    ["NaN", "Infinity", "-Infinity", "3.0", "3.9", "1e2", "true", '"3"', "[3]", "03", "9" * 5000],
)
def test_a_number_is_an_integer_or_refused(number: str) -> None:
    for message in (
        f'{{"type":"ping","id":{number}}}',
        f'{{"type":"move","match":"match-1","move":"0,0","ply":{number}}}',
        f'{{"type":"take-seat","match":"match-1","seat":{number}}}',
    ):
        with pytest.raises(Declined) as caught:
            read_request(message)
        assert caught.value.refusal == "malformed"


@pytest.mark.parametrize("text", [r"\ud800", r"\udc00a", r"\ud800\ud800"])
def test_half_a_pair_of_surrogates_is_no_text(text: str) -> None:
    with pytest.raises(Declined):
        read_request(f'{{"type":"say","match":"match-1","text":"{text}"}}')


def test_of_a_key_that_stands_twice_the_last_one_counts_but_a_message_has_one_type() -> None:
    assert read_request('{"type":"ping","id":1,"id":2}') == Ping(id=2)
    with pytest.raises(Declined):
        read_request('{"type":"ping","type":"watch-lobby"}')


async def test_a_nul_is_harmless_or_refused_wherever_text_may_stand() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        moved = await one.ask("move", match=match, move=f"0,0{NUL}", ply=0)
        sought = await one.ask("seek", game=NUL)
        watched = await one.ask("watch", match=f"match-{NUL}")
        await one.ask("say", match=match, text=NUL)
        heard = await other.until("chat", lambda message: not message["history"])
        async with doors.guest() as eve:
            me = await eve.http.put("/api/me", json={"name": NUL}, headers=eve.writing)
            room = await eve.http.post(
                "/api/matches", json={"game": "go", "room": NUL}, headers=eve.writing
            )

    assert (moved["refusal"], sought["refusal"]) == ("malformed-move", "bad-options")
    assert watched["refusal"] == "unknown-stream"
    assert [line["text"] for line in heard["lines"]] == ["a b"]
    assert me.json()["name"] == "a b"
    assert (room.status_code, msgspec.json.decode(room.content)["refusal"]) == (422, "bad-options")
