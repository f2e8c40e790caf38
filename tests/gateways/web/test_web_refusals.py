"""What is refused, and what every answer carries. All tests ask one server."""

import asyncio
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any

import pytest
import pytest_asyncio

from parlour.stores import MemoryStore
from tests.gateways.web.browsers import Browser, House, house
from tests.host.stores import Door, Medium

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def doors() -> AsyncIterator[House]:
    """A server that no test changes for the others."""
    async with house() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def alice(doors: House) -> AsyncIterator[Browser]:
    """A new guest."""
    async with doors.guest("Alice") as browser:
        yield browser


@pytest.mark.parametrize("name", ["", " \n", "x" * 21, 7])
async def test_a_name_has_1_to_20_characters(alice: Browser, name: object) -> None:
    answer = await alice.http.put("/api/me", json={"name": name}, headers=alice.writing)

    assert (answer.status_code, answer.json()["refusal"]) == (400, "malformed")


@pytest.mark.parametrize(
    ("changes", "status", "refusal"),
    [
        ({"Origin": "http://evil.example"}, 403, "forbidden"),
        ({"Origin": "null"}, 403, "forbidden"),
        ({"Origin": "http://["}, 403, "forbidden"),
        ({"X-CSRF-Token": "guessed"}, 403, "forbidden"),
        ({"X-CSRF-Token": ""}, 403, "forbidden"),
        ({"Content-Type": "text/plain"}, 415, "unsupported"),
        ({"Cookie": "parlour_guest=forged"}, 403, "guest"),
    ],
)
async def test_a_write_from_elsewhere_changes_nothing(
    alice: Browser, changes: dict[str, str], status: int, refusal: str
) -> None:
    headers = {"Content-Type": "application/json", **alice.writing, **changes}
    answer = await alice.http.put("/api/me", content=b'{"name": "Eve"}', headers=headers)
    name = (await alice.http.get("/api/me")).json()["name"]

    assert (answer.status_code, answer.json()["refusal"]) == (status, refusal)
    assert name == "Alice"


@pytest.mark.parametrize(
    ("body", "status", "refusal"),
    [
        ({"game": "chess"}, 422, "bad-options"),
        ({"game": "go", "options": {"size": 8}}, 422, "bad-options"),
        ({"game": "go", "options": {"komi": 6}}, 422, "bad-options"),
        ({"game": "go", "seat": 2}, 422, "bad-options"),
        ({"game": "go", "room": "\u0007"}, 422, "bad-options"),
        ({"game": "go", "room": "r", "password": "p"}, 422, "bad-options"),
        ({"game": "go", "control": {"turn": -1}}, 400, "malformed"),
        ({"game": 3}, 400, "malformed"),
        ([], 400, "malformed"),
        ({"game": "x" * 20_000}, 413, "too-large"),
    ],
)
async def test_a_table_that_cannot_be_opened_is_refused_with_the_reason(
    alice: Browser, body: Any, status: int, refusal: str
) -> None:
    answer = await alice.http.post("/api/matches", json=body, headers=alice.writing)
    listed = (await alice.http.get("/api/matches")).json()

    assert (answer.status_code, answer.json()["refusal"]) == (status, refusal)
    assert listed == {"matches": [], "total": 0}


DEEP = "[" * 5000 + "]" * 5000


async def test_brackets_without_end_are_malformed(alice: Browser) -> None:
    headers = {"Content-Type": "application/json", **alice.writing}
    body = f'{{"game": "go", "options": {{"size": {DEEP}}}}}'
    answer = await alice.http.post("/api/matches", content=body, headers=headers)
    async with alice.tab() as tab:
        await tab.socket.send(f'{{"type": "ping", "x": {DEEP}}}')
        refused = await tab.until("refused")
        pong = await tab.ask("ping")

    assert (answer.status_code, answer.json()["refusal"]) == (400, "malformed")
    assert (refused["refusal"], pong["type"]) == ("malformed", "pong")


@pytest.mark.parametrize("field", ["limit", "offset"])
async def test_a_number_of_5000_digits_is_malformed(alice: Browser, field: str) -> None:
    answer = await alice.http.get(f"/api/matches?{field}=1{'0' * 5000}")
    zeros = await alice.http.get(f"/api/matches?{field}={'0' * 5000}1")

    assert [answer.status_code, zeros.status_code] == [400, 400]


@pytest.mark.parametrize("rest", ["", "/moves", "/record.json"])
async def test_a_match_that_cannot_be_read_just_now_is_unavailable(rest: str) -> None:
    medium = Medium(MemoryStore())
    async with house(store=Door(medium)) as doors, doors.guest() as alice, alice.tab() as tab:
        medium.silent = True
        answer = await alice.http.get(f"/api/matches/match-none{rest}")
        watched = await tab.ask("watch", match="match-none")
        medium.silent = False

        assert (answer.status_code, answer.json()["refusal"]) == (503, "unavailable")
        assert watched["refusal"] == "unavailable"


async def test_who_goes_in_the_middle_of_a_body_is_no_mistake_of_ours(
    alice: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    head = {"Host": "a", "Content-Length": "100", "Content-Type": "application/json"}
    cookie = f"parlour_guest={alice.http.cookies['parlour_guest']}"
    head |= {"Cookie": cookie, "X-CSRF-Token": alice.token}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    _, writer = await asyncio.open_connection("127.0.0.1", alice.port)
    writer.write(f"POST /api/matches HTTP/1.1\r\n{lines}\r\n{{".encode())
    await writer.drain()
    await alice.http.get("/healthz")  # by now the body is waited for
    writer.close()
    await writer.wait_closed()
    for _ in range(3):
        await alice.http.get("/healthz")

    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("rest", ["", "/moves", "/record.json", "/record.sgf"])
@pytest.mark.parametrize("match", ["match-none", "nothing", "room-1"])
async def test_a_match_that_is_not_there_is_404(alice: Browser, match: str, rest: str) -> None:
    answer = await alice.http.get(f"/api/matches/{match}{rest}")

    assert (answer.status_code, answer.json()["refusal"]) == (404, "unknown-stream")


@pytest.mark.parametrize("path", ["/", "/api/me", "/api/nothing", "/healthz", "/x/y.js"])
async def test_every_answer_carries_the_headers_that_protect_the_page(
    alice: Browser, path: str
) -> None:
    headers = (await alice.http.get(path)).headers

    assert headers["x-content-type-options"] == "nosniff"
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert "script-src" not in policy
    assert policy["frame-ancestors"] == "'none'"
    assert "server" not in headers


@pytest.mark.parametrize(
    ("method", "path", "status", "refusal"),
    [
        ("GET", "/api/nothing", 404, "not-found"),
        ("GET", "/api/matches/a/b/c", 404, "not-found"),
        ("DELETE", "/api/matches", 405, "not-allowed"),
        ("POST", "/", 405, "not-allowed"),
    ],
)
async def test_what_is_not_there_is_said_in_the_same_shape(
    alice: Browser, method: str, path: str, status: int, refusal: str
) -> None:
    answer = await alice.http.request(method, path)

    assert (answer.status_code, answer.json()["refusal"]) == (status, refusal)


async def test_a_cookie_behind_https_is_secure(alice: Browser) -> None:
    answer = await alice.http.get("/api/me", headers={"X-Forwarded-Proto": "https"})

    assert "Secure" in answer.headers["set-cookie"]


async def test_a_cookie_that_we_have_not_signed_makes_somebody_new(alice: Browser) -> None:
    cookie = alice.http.cookies["parlour_guest"]
    alice.http.cookies.clear()
    alice.http.cookies.set("parlour_guest", f"x{cookie}", domain="127.0.0.1")

    assert (await alice.http.get("/api/me")).json()["name"] != "Alice"


async def test_a_guest_is_known_again_by_a_cookie_that_scripts_cannot_read(doors: House) -> None:
    async with doors.guest() as alice:
        first = (await alice.http.get("/api/me")).json()
        answer = await alice.http.put("/api/me", json={"name": " Zoë\n"}, headers=alice.writing)
        again = await alice.http.get("/api/me")

    assert first["name"].startswith("guest-")
    assert answer.json() == again.json() == {"name": "Zoë", "token": first["token"]}
    cookie = answer.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=lax", "Path=/", "Max-Age="))
    assert "Secure" not in cookie


async def test_the_document_describes_every_route_and_message(alice: Browser) -> None:
    document = (await alice.http.get("/api/openapi.json")).json()

    assert document["openapi"].startswith("3.1")
    assert document["paths"].keys() >= {"/api/me", "/api/matches", "/api/matches/{id}", "/healthz"}
    assert document["components"]["schemas"].keys() >= {"MatchView", "Move", "MoveEvent", "Problem"}


async def test_without_a_built_client_every_page_says_how_to_build_it(alice: Browser) -> None:
    for path in ("/", "/match/match-1"):
        page = await alice.http.get(path)
        assert page.status_code == HTTPStatus.OK
        assert "<h1>Parlour</h1>" in page.text
