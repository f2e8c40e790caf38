"""`parlour erase` in what operators did: no form of a name stays, no address of a connection."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from parlour.cli import main
from parlour.cli._recording import recorded
from parlour.gateways import Ban, BanKind, subject
from parlour.gateways.admin import STREAM, Act, OperatorAggregate
from parlour.gateways.admin._acts import Banned, VisitorKicked
from parlour.host import nothing
from parlour.stores import Upkeep
from tests.cli.test_erase import erased, found
from tests.cli.test_matches import WIN, played, record
from tests.durability.log import streams as all_streams


def record_act(log: Path, act: Act) -> None:
    with Upkeep(log) as upkeep:
        upkeep.replace((), nothing, recorded(act))


def test_what_operators_wrote_of_somebody_is_without_the_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ban of the name holds for the placeholder then, which is nobody's."""
    asyncio.run(record(tmp_path, {"match-one": played(*WIN, players=("Zebediah", "bob"))}))
    ban = Ban(BanKind.NAME, "zebediah", reason="Zebediah was rude")
    log = tmp_path / "log.sqlite3"
    record_act(log, Banned(1, 0, "root", ban=ban))
    record_act(log, VisitorKicked(2, 0, "root", whom="nedap:zebediah", connections=1))

    (token,) = erased(tmp_path, "Zebediah", capsys)

    assert found(tmp_path, "zebediah") == []
    banned, kicked, _ = (line.text for line in all_streams(tmp_path)[STREAM])
    assert f'"who":"{token}","reason":"{token} was rude"' in banned
    assert f'"whom":"nedap:{token}"' in kicked


def test_what_is_announced_is_what_is_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The match in which somebody sat, and what operators did to them."""
    asyncio.run(record(tmp_path, {"match-one": played(*WIN, players=("zebediah", "bob"))}))
    record_act(tmp_path / "log.sqlite3", kicked("zebediah"))

    for options in ([], ["--yes"]):
        assert main(["erase", "zebediah", "--data", str(tmp_path), *options]) == 0

    said = capsys.readouterr().out.splitlines()
    assert said[1] == "nothing is deleted; with --yes 2 events in 2 streams would be changed"
    assert said[-1] == "changed: 2 events in 2 streams; the file is written anew"


def acts_after_erasing(
    data: Path, identity: str, name: str, *acts: Act, capsys: pytest.CaptureFixture[str]
) -> tuple[str, list[str]]:
    """The token, and what operators did, when a player of the only match is erased."""
    table = played("0,0", players=("alice", "bob"))
    seat = msgspec.structs.replace(table.history[1][0], identity=identity, name=name)
    table.history[1] = (seat, table.match)
    asyncio.run(record(data, {"match-one": table}))
    for act in acts:
        record_act(data / "log.sqlite3", act)
    (token,) = erased(data, identity.partition(" ")[0], capsys)
    return token, [line.text for line in all_streams(data)[STREAM][:-1]]


def banned(kind: BanKind, who: str, reason: str = "") -> Banned:
    return Banned(1, 0, "root", ban=Ban(kind, subject(kind, who), reason=reason))


def kicked(whom: str) -> VisitorKicked:
    return VisitorKicked(2, 0, "root", whom=whom, connections=1)


def test_a_name_is_gone_in_every_form_that_means_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bans are kept folded, and an operator writes as they like."""
    token, acts = acts_after_erasing(
        tmp_path,
        "web:k3y",
        "Straße \uff21nna",
        banned(BanKind.NAME, "Straße \uff21nna", "STRASSE\u00a0ANNA was rude"),
        banned(BanKind.NAME, "web:k3y"),
        kicked("stra\u00adße anna"),
        kicked("web:k3y"),
        capsys=capsys,
    )

    whos = [f'"who":"{token}","reason":"{token} was rude"', f'"who":"web:{token}"']
    whoms = [f'"whom":"{token}"', f'"whom":"web:{token}"']
    for text, said in zip(acts, whos + whoms, strict=True):
        assert said in text
    for form in ("strasse", "straße", "k3y"):
        assert found(tmp_path, form) == []


def test_no_address_of_a_connection_that_was_kicked_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token, acts = acts_after_erasing(
        tmp_path,
        "xmpp:anna@example.org",
        "zed",
        kicked("nedap/203.0.113.77:4242"),
        kicked("web/[2001:db8::77]:4242"),
        kicked("xmpp/anna@example.org/home"),
        kicked("xmpp/ben@example.org/home"),
        kicked("anna@example.org"),
        capsys=capsys,
    )

    jid = f"{token}@erased.invalid"
    whoms = [
        "nedap/erased",
        "web/erased",
        f"xmpp/{jid}/1",
        "xmpp/ben@example.org/home",
        jid,
    ]
    for text, whom in zip(acts, whoms, strict=True):
        assert f'"whom":"{whom}"' in text
    for form in ("203.0.113.77", "2001:db8", "anna"):
        assert found(tmp_path, form) == []


def test_addresses_and_domains_are_no_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server could not read a ban of an address that is none."""
    before = banned(BanKind.ADDRESS, "10.0.0.7"), banned(BanKind.JID, "10.example")
    _, acts = acts_after_erasing(tmp_path, "nedap:10 10.0.0.9", "10", *before, capsys=capsys)

    operator = OperatorAggregate()
    assert tuple(operator.decode(text.encode()) for text in acts) == before
