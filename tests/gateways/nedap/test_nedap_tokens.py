"""Every line that we send, byte by byte: the real clients count tokens, and die of one more.

GoProtocol (Nedap University, 2016-2018), 'Samenvatting Protocol'.
"""

import re

import pytest

from parlour.gateways.nedap import NedapOptions
from tests.gateways.nedap.peers import Club, Peer, club

COLOUR, NAME, NUMBER = "(black|white)", "[a-z]{1,20}", "(0|[1-9][0-9]{0,4})"
TEXT = "[!-~]([ -~]*[!-~])?"

TOKENS = {
    "WAITING": "WAITING",
    "READY": f"READY {COLOUR} {NAME} {NUMBER}",
    "VALID": f"VALID {COLOUR} {NUMBER} {NUMBER}",
    "PASSED": f"PASSED {COLOUR}",
    "INVALID": f"INVALID {COLOUR} {TEXT}",
    "TABLEFLIPPED": f"TABLEFLIPPED {COLOUR}",
    "END": f"END ({NUMBER} {NUMBER}|-1 -1)",
    "CHAT": f"CHAT {NAME}: [ -~]+",  # as it was said, spaces and all
    "WARNING": f"WARNING {TEXT}",
}
TABLE_FORM = {**TOKENS, "READY": f"READY {NUMBER} black {NAME} white {NAME}"}


class Recorder(Peer):
    """A client that keeps the bytes as they came."""

    raw = b""

    async def line(self) -> str:
        line = await super().line()
        self.raw += line.encode() + b"\n"
        return line


async def everything(room: Club) -> bytes:
    """What two hear who use every keyword: a game to its end, an illegal move, a resignation."""
    black, white = await Recorder.connect(room.port), await Recorder.connect(room.port)
    for player, line in (
        (black, "PLAYER alice"),
        (black, "GO 131"),
        (white, "GO abcdefghijklmnopqrst 131"),
        (black, "MOVE 0 130"),
        (white, "MOVE 130 0"),
        (white, "MOVE 1 1"),
        (white, "MOVE 1 1 1"),
        (white, "CHAT  Good  luck "),
        (black, "BOO"),
        (black, "PASS"),
        (white, "PASS"),
        (black, "GO 5"),
        (white, "GO 5"),
        (black, "MOVE 5 5"),
        (white, "GO 5"),
        (black, "GO 5"),
        (black, "TABLEFLIP"),
    ):
        player.send(line)
        for one in (player, black, white):
            await one.heard()
    for one in (black, white):
        await one.close()
    return black.raw + white.raw


@pytest.mark.parametrize(
    ("options", "tokens"),
    [(NedapOptions(), TOKENS), (NedapOptions(ready_form="table"), TABLE_FORM)],
    ids=["READY colour opponent size", "READY size colour name colour name"],
)
async def test_every_keyword_has_its_tokens_and_not_one_more(
    options: NedapOptions, tokens: dict[str, str]
) -> None:
    async with club(options) as room:
        heard = (await everything(room)).decode("ascii")
    *lines, rest = heard.split("\n")
    assert rest == ""
    assert {line.split(" ")[0] for line in lines} == tokens.keys()
    for line in lines:
        assert re.fullmatch(tokens[line.split(" ")[0]], line), line
