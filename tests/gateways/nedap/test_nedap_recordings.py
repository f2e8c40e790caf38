"""Recordings of real servers: their clients' lines go in, and our lines are compared with theirs.

What differs must have a ruling: a line of theirs that we do not say, a line that we say in other
words, or a reply of ours where they had another. Nothing else may differ.
"""

import re
from pathlib import Path

import pytest

from tests.gateways.nedap.peers import Peer, club
from tests.recordings import Sent, go_lines, go_recordings

GAMES = [path for path in go_recordings() if path.stem != "probe_reuvers"]

# What they say and we do not: a pattern, and why.
NOT_OURS = {
    r"CHAT Welcome.*": "greetings are no word of the source",
    r"CHAT Hi [a-z]+!": "nothing answers PLAYER in the source",
    r"CHAT (Type|You can|PLAYER |GO |MOVE |CHAT |EXIT |PASS |TABLEFLIP |SCORE |HINT |CANCEL ).*": (
        "explanations for people"
    ),
    r"CHAT Possible keywords.*": "a WARNING says the right form in the same line",
    r"PLAYER [a-z]+": "who comes is told to nobody",
    r"CHAT \[[a-z]+ has left\]": "who goes is told to the opponent",
    r"CHAT The connection of your opponent was lost\.": "after the end there is no opponent",
    r"WARNING (Unknown keyword\.|The server does not now this keyword)": (
        "an empty line is ignored; another keyword is named, see OURS"
    ),
    r"END 0 0": "one of them ends a finished game again when the opponent leaves",
    r"WARNING It is not your turn\.": "in our words, see OURS",
    r"WARNING You may not use the [A-Z]+ command at this moment\.": "in our words, see OURS",
    r"WARNING The name should consist of 20 lowercase letters\.": "in our words, see OURS",
}

# What we say in their place.
OURS = (
    r"WARNING keyword [a-zA-Z]+ unknown",
    r"WARNING it is somebody else's turn",
    r"WARNING you are not in a game",
    r"WARNING expected PLAYER name.*",
)


SUPERKO = "their server forgets earlier boards; ours ends the game there, so nothing follows"
AREA = "their server gives points that reach both colours to one; ours to nobody"

# Where a game takes another course: their line, ours in its place, and why.
OTHER: dict[str, tuple[str, str, str]] = {
    "cross_minthamie_vs_reuvers_on_reuvers_server": (
        "VALID white 4 6",
        "INVALID white superko: repeats the position after move 35",
        SUPERKO,
    ),
    "real_minthamie_server_minthamie_clients": (
        "VALID black 3 1",
        "INVALID black superko: repeats the position after move 30",
        SUPERKO,
    ),
    "real_reuvers_server_reuvers_clients": (
        "VALID black 0 0",
        "INVALID black superko: repeats the position after move 24",
        SUPERKO,
    ),
    "human_minthamie_vs_banierink_on_reuvers_server": ("END 40 3", "END 2 4", AREA),
}


def explained(recording: str, ours: list[str], theirs: list[str]) -> tuple[list[str], list[str]]:
    """Both without the one difference that `OTHER` gives a reason for."""
    if recording not in OTHER:
        return ours, theirs
    their_line, our_line, why = OTHER[recording]
    at = ours.index(our_line)
    assert theirs[at] == their_line
    if why is AREA:
        return [*ours[:at], *ours[at + 1 :]], [*theirs[:at], *theirs[at + 1 :]]
    assert ours[at + 1 :] == ["END -1 -1"]
    return ours[:at], theirs[:at]


def same(lines: list[str], other: tuple[str, ...]) -> list[str]:
    """The lines that no pattern explains."""
    return [line for line in lines if not any(re.fullmatch(one, line) for one in other)]


def black_waits_longest(sent: list[Sent]) -> list[Sent]:
    """One server gives black to the second: the source leaves it open, we give it to the first."""
    first, second = (line for line in sent if line.data.startswith(b"GO "))
    kept = [line for line in sent if line is not first]
    at = kept.index(second) + 1
    return [*kept[:at], first, *kept[at:]]


@pytest.mark.parametrize("recording", GAMES, ids=lambda path: path.stem)
async def test_what_real_servers_said_we_say(recording: Path) -> None:
    theirs: dict[str, list[str]] = {}
    ours: dict[str, list[str]] = {}
    sent = list(go_lines(recording))
    if recording.stem.startswith("real_minthamie"):
        sent = black_waits_longest(sent)
    async with club() as room:
        peers: dict[str, Peer] = {}
        for direction, client, data in sent:
            if direction == "to client":
                theirs.setdefault(client, []).append(data.decode().rstrip("\n"))
                continue
            if client not in peers:
                peers[client] = await room.peer()
            peers[client].write(data)
            for name, peer in peers.items():
                ours.setdefault(name, []).extend(await peer.heard())
    assert ours
    for client, lines in ours.items():
        mine, their = same(lines, OURS), same(theirs[client], tuple(NOT_OURS))
        mine, their = explained(recording.stem, mine, their)
        assert mine == their, client
