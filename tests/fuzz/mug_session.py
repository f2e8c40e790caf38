"""The rooms of Multi-User Gaming, told any stanzas by three users while a stranger plays along.

A line of the script is `0` to `2` and a stanza of that user, or `+` and a number of milliseconds,
or what a textbook player does.
"""

import asyncio
import logging
from collections import Counter
from xml.etree import ElementTree

from parlour.gateways.mug import MugOptions
from parlour.gateways.mug._component import domain_of, normal
from tests.fuzz.stanza_codecs import KINDS, STREAM, parsed
from tests.gateways.mug.stage import DOMAIN, ROOM, Stage, on_stage
from tests.gateways.mug.test_mug_anything import (
    USERS,
    Listener,
    Strangers,
    check_beliefs,
)

LINES_MOST = 40
TOLD_MOST = 1 << 19  # bytes, of everything that a script makes the rooms say
OPTIONS = MugOptions(rate=1000, burst=1000)
STRANGE = ("comes", "plays", "goes")


def check_mug_session(data: bytes) -> None:
    """Nothing raises, requests are answered once, and whoever is inside knows what is so."""
    listener = Listener()
    logging.getLogger().addHandler(listener)
    try:
        asyncio.run(_play(data.decode(errors="ignore").split("\n")[:LINES_MOST]))
    finally:
        logging.getLogger().removeHandler(listener)
    assert listener.heard == []


async def _play(lines: list[str]) -> None:
    owed: Counter[tuple[str, str]] = Counter()
    async with on_stage(options=OPTIONS) as stage:
        strangers = Strangers(stage)
        for line in lines:
            if line in STRANGE:
                await strangers.does(line)
            elif line[:1] == "+" and line[1:].isascii() and line[1:6].isdigit():
                stage.now += int(line[1:6])
                await stage.settled()
                stage.gateway.tick()
            elif line[:1] in ("0", "1", "2"):
                owed += _said(stage, f"{USERS[int(line[0])]}@example.org/home", line[1:])
        await stage.settled()
        check_beliefs(stage)
    _check_answers(stage, owed)


def _said(stage: Stage, sender: str, xml: str) -> Counter[tuple[str, str]]:
    """Hand a stanza over as a component does; the answer that is owed to it."""
    element = parsed(xml.encode())
    if element is None or element.tag.rpartition("}")[2] not in KINDS:
        return Counter()
    to = normal(element.get("to", ROOM))
    if to is None or domain_of(to) != DOMAIN or not element.tag.startswith(f"{{{STREAM}}}"):
        return Counter()
    element.set("from", sender)
    element.set("to", to)
    stage.gateway.received(element)
    # RFC 6120, section 8.2.3: one of no known type is told so.
    asks = element.tag.endswith("}iq") and element.get("type") not in ("result", "error")
    return Counter({(sender, element.get("id", "")): 1} if asks else {})


def _check_answers(stage: Stage, owed: Counter[tuple[str, str]]) -> None:
    assert sum(map(len, stage.said)) <= TOLD_MOST
    answers: Counter[tuple[str, str]] = Counter()
    for xml in stage.said:
        element = ElementTree.fromstring(xml)
        assert element.tag in KINDS
        assert domain_of(element.attrib["from"]) == DOMAIN
        if element.tag == "iq" and element.get("type") in ("result", "error"):
            answers[element.attrib["to"], element.get("id", "")] += 1
    assert answers == owed
