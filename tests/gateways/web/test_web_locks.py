"""A table's password is kept as a hash in the log: it outlives the server and is shown nowhere."""

import asyncio
import hashlib
import threading
from pathlib import Path

import msgspec
import pytest

from parlour.cli import main
from parlour.gateways.web._locks import Lock, new_lock
from parlour.match import MatchCreated
from parlour.stores import MemoryStore
from tests.cli.servers import Server
from tests.gateways.web.browsers import Browser, House, house

WRONG_LOCKS = [
    "",
    "listed",
    "listed 1",
    "sealed x y",
    "listed 16384 8 1 !!! ???",
    "listed 3 0 0 AA BB",
]


@pytest.mark.parametrize("listed", [True, False])
def test_a_lock_is_opened_by_its_password_alone(listed: bool) -> None:
    lock = Lock(new_lock("sesame", listed))

    assert lock.fits("sesame")
    assert not lock.fits("Sesame")
    assert lock.listed is listed


def test_a_lock_is_salted() -> None:
    assert new_lock("sesame", True) != new_lock("sesame", True)


@pytest.mark.parametrize("text", WRONG_LOCKS)
def test_a_lock_that_makes_no_sense_is_opened_by_nothing(text: str) -> None:
    assert not any(Lock(text).fits(password) for password in ("", "sesame"))


async def begin(alice: Browser, bob: Browser) -> str:
    """A game at a table with a password."""
    match = await alice.open("tictactoe", password="sesame")
    async with bob.tab() as tab:
        done = await tab.ask("take-seat", match=match, password="sesame")
    assert done["type"] == "done"
    return match


async def ask_around(doors: House, match: str, password: str = "") -> list[object]:
    """What a stranger hears at every way to a table."""
    async with doors.guest() as eve, eve.tab() as tab:
        heard = []
        number = await tab.say("watch", match=match, password=password)
        while (answer := await tab.hear())["type"] != "match" and answer.get("id") != number:
            pass
        heard.append(answer.get("refusal"))
        answer = await tab.ask("take-seat", match=match, password=password)
        heard.append(answer.get("refusal"))
        headers = {"X-Table-Password": password}
        for path in ("", "/moves", "/record.json", "/record.sgf"):
            told = (await eve.http.get(f"/api/matches/{match}{path}", headers=headers)).json()
            heard.append(told.get("refusal"))
        return heard


async def test_a_restart_opens_no_table() -> None:
    store = MemoryStore()
    async with (
        house(store=store) as doors,
        doors.guest("Alice") as alice,
        doors.guest("Bob") as bob,
    ):
        match = await begin(alice, bob)
    async with house(store=store) as doors:
        blind, wrong = await ask_around(doors, match), await ask_around(doors, match, "simsim")
        again = alice.at(doors.port)
        async with again.http, again.tab() as tab:  # who sits there
            state = await tab.watch(match)
    async with house(store=store) as doors:
        right = await ask_around(doors, match, "sesame")

    assert blind == ["password"] * 6
    assert wrong == ["password"] * 5 + ["limit"]
    assert state["locked"]
    assert right == [None, "no-free-seat", None, None, None, "no-record"]


async def test_a_page_that_asks_at_once_is_answered_in_order() -> None:
    async with house() as doors, doors.guest() as alice, doors.guest() as bob, bob.tab() as tab:
        match = await alice.open("tictactoe", password="sesame")
        wrong = await tab.say("watch", match=match, password="simsim")
        await tab.say("watch", match=match, password="sesame")
        said = await tab.say("say", match=match, text="hello")
        await tab.answer(said)
        told = [(one["type"], one["id"]) for one in tab.heard if "id" in one]

        assert told == [("refused", wrong), ("done", said)]


async def test_many_passwords_at_once_hold_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of the hashes is computed on the loop that everybody's moves wait for."""
    ran: list[bool] = []
    scrypt = hashlib.scrypt

    def watched(*arguments: object, **named: object) -> bytes:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            ran.append(True)
        else:
            ran.append(False)
        return scrypt(*arguments, **named)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(hashlib, "scrypt", watched)
    async with house() as doors, doors.guest() as alice:
        match = await alice.open("tictactoe", password="sesame")
        async with doors.guest() as eve, eve.tab() as tab:
            await tab.ask("watch", match=match, password="simsim")
            await tab.watch(match, password="sesame")
        async with doors.guest() as bob, bob.tab() as tab:
            await tab.watch(match, password="sesame")

    # To keep it, one that is wrong, one that is right; once it was right it is known.
    assert ran == [True] * 3


async def test_no_answer_and_no_message_has_the_hash() -> None:
    store = MemoryStore()
    async with house(store=store) as doors, doors.guest("Alice") as alice, alice.tab() as tab:
        match = await alice.open("tictactoe", password="sesame")
        await tab.say("watch-lobby")
        await tab.watch(match)
        async with doors.guest("Bob") as bob, bob.tab() as other:
            await other.ask("take-seat", match=match, password="sesame")
        await tab.event(match, "started")
        paths = ("", f"/{match}", f"/{match}/moves", f"/{match}/record.json")
        texts = [(await alice.http.get(f"/api/matches{path}")).text for path in paths]
        await tab.until("lobby-changed", lambda message: bool(message["put"]))
        texts.append(msgspec.json.encode(tab.heard).decode())
    created = msgspec.json.decode((await store.read(match))[0])

    salt, hashed = created["lock"].split(" ")[-2:]
    assert "sesame" not in msgspec.json.encode(created).decode()
    for text in texts:
        assert match in text or "moves" in text
        assert not any(secret in text for secret in (salt, hashed, "scrypt", "sesame"))


async def test_a_password_is_looked_at_while_long_matches_are_read() -> None:
    async with house() as doors, doors.guest() as alice, doors.guest() as bob, bob.tab() as tab:
        over = threading.Event()
        errands = doors.gateway.hall.tables.errands
        readings = [asyncio.create_task(errands.do(over.wait)) for _ in range(32)]
        await asyncio.sleep(0)

        try:
            match = await alice.open("tictactoe", password="sesame")
            assert (await tab.watch(match, password="sesame"))["locked"]
            assert not any(reading.done() for reading in readings)
        finally:
            over.set()
            await asyncio.gather(*readings)


@pytest.mark.slow
async def test_a_table_asks_for_its_password_after_sigkill(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(tmp_path, doors=("web",)) as server:
        alice, bob = Browser(server.ports["web"]), Browser(server.ports["web"])
        async with alice.http, bob.http:
            await alice.arrive("Alice")
            await bob.arrive("Bob")
            match = await begin(alice, bob)
        server.process.kill()
        server.process.wait()

    for command in (["matches"], ["replay", match], ["export", match]):
        assert await asyncio.to_thread(main, [*command, "--data", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    with Server(tmp_path, doors=("web",)) as server:
        eve = Browser(server.ports["web"])
        async with eve.http:
            await eve.arrive("Eve")
            async with eve.tab() as tab:
                blind = await tab.ask("watch", match=match)
                wrong = await tab.ask("watch", match=match, password="simsim")
                state = await tab.watch(match, password="sesame")

    assert [blind["refusal"], wrong["refusal"]] == ["password"] * 2
    assert state["locked"]
    assert match in said
    assert not any(word in said for word in ("listed", "16384", "sesame"))


def test_the_log_of_a_table_without_a_password_is_as_before() -> None:
    assert b"lock" not in msgspec.json.encode(MatchCreated(7, "tictactoe", {}))
