"""The REST half: guests, games, tables, records, and what every answer carries."""

import json
import re
from http import HTTPStatus
from pathlib import Path

from parlour.cli import GAMES
from parlour.gateways import Limits
from parlour.gateways.web import WebOptions
from parlour.match import AbortCause, AbortMatch
from tests.gateways.web.browsers import Browser, house, table
from tests.host.stores import FailingStore


async def test_an_operator_can_name_further_origins() -> None:
    options = WebOptions(origins=("https://play.example.org",))
    async with house(options) as doors, doors.guest() as alice:
        headers = {**alice.writing, "Origin": "https://play.example.org"}
        answer = await alice.http.put("/api/me", json={"name": "Alice"}, headers=headers)

    assert answer.status_code == HTTPStatus.OK


async def test_every_game_has_a_form_whose_defaults_open_a_table() -> None:
    async with house() as doors, doors.guest() as alice:
        games = (await alice.http.get("/api/games")).json()["games"]
        for game in games:
            fields = game["options"]["properties"]
            defaults = {name: field["default"] for name, field in fields.items()}
            await alice.open(game["name"], options=defaults)

    assert [game["name"] for game in games] == [game.name for game in GAMES]
    assert [game["players"] for game in games] == [[2], [2], [2, 3, 4, 5, 6]]
    assert [game["seating"] for game in games] == ["fixed", "fixed", "at-start"]


async def test_a_room_has_one_unfinished_match() -> None:
    async with house() as doors, doors.guest() as alice:
        await alice.open("go", room="Garden")
        answer = await alice.http.post(
            "/api/matches", json={"game": "go", "room": "garden"}, headers=alice.writing
        )

    assert (answer.status_code, answer.json()["refusal"]) == (409, "name-taken")


async def test_a_guest_sits_at_16_tables_at_most() -> None:
    async with house(limits=Limits(tables=100)) as doors, doors.guest() as alice:
        for _ in range(16):
            await alice.open("go")
        answer = await alice.http.post("/api/matches", json={"game": "go"}, headers=alice.writing)

    assert (answer.status_code, answer.json()["refusal"]) == (429, "limit")


async def test_a_store_that_cannot_write_is_said_and_the_table_is_not_there() -> None:
    store = FailingStore()
    async with house(store=store) as doors, doors.guest() as alice:
        store.failing = True
        answer = await alice.http.post("/api/matches", json={"game": "go"}, headers=alice.writing)
        store.failing = False
        total = (await alice.http.get("/api/matches")).json()["total"]

    assert (answer.status_code, answer.json()["refusal"], total) == (503, "unavailable", 0)


async def test_matches_are_listed_by_what_is_asked_for_the_newest_first() -> None:
    async with house() as doors, doors.guest("Alice") as alice, alice.tab() as tab:
        old = await alice.open("go", options={"size": 9})
        new = await alice.open("go", room="garden")
        await alice.open("go", visibility="hidden")
        done = await alice.open("tictactoe")
        await tab.watch(done)
        await tab.ask("leave", match=done)
        await tab.event(done, "aborted")
        async with table(doors, room="played") as (played, one, other):
            await other.ask("resign", match=played)
            await one.event(played, "ended")

        async def listed(query: str) -> list[str]:
            found = (await alice.http.get(f"/api/matches?{query}")).json()["matches"]
            return [one["id"] for one in found]

        assert await listed("") == [new, old, played, done]
        assert await listed("status=open") == [new, old]
        assert await listed("status=finished") == [played, done]
        assert await listed("status=finished&begun=true") == [played]
        assert await listed("status=finished&begun=false") == [done]
        assert await listed("status=live") == []
        assert await listed("game=tictactoe") == [played, done]
        assert await listed("room=garden") == [new]
        assert await listed("limit=1&offset=1") == [old]
        for wrong in (
            "status=lost",
            "begun=1",
            "limit=0",
            "limit=201",
            "offset=-1",
            "limit=%C2%B2",
        ):
            assert (await alice.http.get(f"/api/matches?{wrong}")).status_code == 400


async def test_records_are_downloads_for_other_programs() -> None:
    async with house() as doors, doors.guest() as eve:
        async with table(doors, "go", options={"size": 5}) as (match, one, other):
            await one.play(match, "2,2")
            await other.ask("resign", match=match)
            await one.event(match, "ended")
        async with table(doors) as (line, _, _):
            pass
        sgf = await eve.http.get(f"/api/matches/{match}/record.sgf")
        record = await eve.http.get(f"/api/matches/{match}/record.json")
        none = await eve.http.get(f"/api/matches/{line}/record.sgf")
        state = (await eve.http.get(f"/api/matches/{match}")).json()

    assert sgf.text.startswith("(;FF[4]GM[1]")
    assert "PB[Alice]PW[Bob]" in sgf.text
    assert ";B[cc]" in sgf.text
    assert sgf.headers["content-disposition"] == f'attachment; filename="{match}.sgf"'
    assert record.json()["result"]["ranking"] == [["black"], ["white"]]
    assert (none.status_code, none.json()["refusal"]) == (404, "no-record")
    assert state["moves"][0]["move"] == "2,2"
    assert state["forfeits"][0]["cause"] == "resigned"


async def test_no_answer_tells_an_identity() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        await one.play(match, "0,0")
        await one.ask("say", match=match, text="hello")
        await other.say("watch-lobby")
        await other.until("lobby")
        told = [json.dumps(message) for message in (*one.heard, *other.heard)]
        async with doors.guest() as eve:
            told += [(await eve.http.get(f"/api/matches{rest}")).text for rest in ("", f"/{match}")]

    assert not [text for text in told if "web:" in text or "identity" in text]


async def test_a_list_says_how_matches_ended() -> None:
    async with house() as doors:
        async with table(doors) as (match, one, other):
            await other.ask("resign", match=match)
            await one.event(match, "ended")
            whole = one.matches[match]
        async with doors.guest() as carol, carol.tab() as tab:
            left = await carol.open("go")
            begun = (await carol.http.get("/api/matches?status=open")).json()["matches"][0]
            await tab.watch(left)
            await tab.ask("leave", match=left)
            listed = (await carol.http.get("/api/matches?status=finished")).json()["matches"]
    ends = {one["id"]: (one["outcome"], one["forfeits"], one["abort"]) for one in listed}

    assert (begun["outcome"], begun["forfeits"], begun["abort"]) == (None, [], None)
    assert ends[match] == (whole["outcome"], [{"seat": 1, "cause": "resigned"}], None)
    assert whole["outcome"]["ranking"] == [[0], [1]]
    assert ends[left] == (None, [], "empty")


async def test_a_list_says_why_the_operator_closed_a_match() -> None:
    async with house() as doors, table(doors) as (match, one, _):
        why = AbortMatch(AbortCause.OPERATOR, "the power\ngoes off")
        doors.service.host.submit(match, why)
        await one.event(match, "aborted")
        browser = Browser(doors.port)
        async with browser.http as http:
            [listed] = (await http.get("/api/matches?status=finished")).json()["matches"]

    assert (listed["abort"], listed["abort_detail"]) == ("operator", "the power goes off")
    assert one.matches[match]["abort"]["detail"] == listed["abort_detail"]


async def test_health_is_said_in_a_word_and_figures_to_this_machine_only() -> None:
    async with house() as doors, table(doors) as (match, one, _):
        await one.play(match, "0,0")
        await one.ask("move", match=match, move="0,0", ply=1)
        browser = Browser(doors.port)
        async with browser.http as http:
            assert (await http.get("/healthz")).text == "ok"
            assert (await http.get("/readyz")).text == "ok"
            await http.put("/api/me", headers={"Origin": "http://evil.example"})
            figures = (await http.get("/metrics")).text
            far = {"X-Forwarded-For": "192.0.2.1"}
            assert (await http.get("/metrics", headers=far)).status_code == HTTPStatus.FORBIDDEN

    assert 'parlour_connections{protocol="web"} 2.0' in figures
    assert 'parlour_matches{state="live"} 1.0' in figures
    assert 'parlour_refusals_total{kind="forbidden"} 1.0' in figures


async def test_whatever_is_refused_is_counted_once() -> None:
    async with house() as doors, doors.guest() as alice, doors.guest() as eve, eve.tab() as tab:
        match = await alice.open("tictactoe", password="sesame")
        await tab.ask("watch", match=match)
        await tab.ask("watch", match=match, password="simsim")
        await tab.ask("dance")
        await tab.ask("move", match=match, move="0,0", ply=0)  # which the host counts
        path = f"/api/matches/{match}"
        await eve.http.get(path)
        await eve.http.get(path, headers={"X-Table-Password": "simsim"})
        await eve.http.post("/api/matches", json={"game": "chess"}, headers=eve.writing)
        await eve.http.get(f"{path}nothing")
        figures = (await eve.http.get("/metrics")).text
    counts = dict(re.findall(r'refusals_total{kind="([\w-]+)"} (\d+)', figures))

    assert counts == {
        "password": "4",
        "malformed": "1",
        "bad-options": "1",
        "unknown-stream": "1",
    }


async def test_a_built_client_is_served_and_its_assets_are_kept(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>client</title>")
    (tmp_path / "assets/main-a1b2.js").write_text("1;")
    async with house(client=tmp_path) as doors, doors.guest() as alice:
        pages = [await alice.http.get(path) for path in ("/", "/match/match-1", "/index.html")]
        script = await alice.http.get("/assets/main-a1b2.js")
        missing = await alice.http.get("/assets/old.js")
        escaped = await alice.http.get("/..%2f..%2fetc/passwd.txt")
        nothing = await alice.http.get("/api/nothing")

    assert [page.text for page in pages] == ["<title>client</title>"] * 3
    assert {page.headers["cache-control"] for page in pages} == {"no-cache"}
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    assert (missing.status_code, escaped.status_code, nothing.status_code) == (404, 404, 404)
