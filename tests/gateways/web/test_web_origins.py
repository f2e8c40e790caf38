"""Where a write may come from, and what an address can be asked."""

import pytest

from tests.gateways.web.browsers import house


@pytest.mark.parametrize(
    ("scheme", "reached_by", "status"),
    [
        ("http:", "http", 200),
        ("https:", "http", 200),  # a proxy that ends TLS and does not say so
        ("https:", "https", 200),
        ("http:", "https", 403),
        ("", "http", 403),
        ("javascript:", "http", 403),
        ("chrome-extension:", "http", 403),
    ],
)
async def test_a_page_of_our_host_is_ours_by_http_and_https_only(
    scheme: str, reached_by: str, status: int
) -> None:
    async with house() as doors, doors.guest() as alice:
        origin = f"{scheme}//127.0.0.1:{doors.port}"
        headers = {**alice.writing, "Origin": origin, "X-Forwarded-Proto": reached_by}
        answer = await alice.http.put("/api/me", json={"name": "Al"}, headers=headers)

    assert answer.status_code == status


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/api/me", "GET, HEAD, PUT"),
        ("PUT", "/api/matches", "GET, HEAD, POST"),
        ("POST", "/api/games", "GET, HEAD"),
        ("POST", "/", "GET, HEAD"),
    ],
)
async def test_who_asks_in_a_wrong_way_is_told_the_right_ones(
    method: str, path: str, allow: str
) -> None:
    async with house() as doors, doors.guest() as alice:
        answer = await alice.http.request(method, path, headers=alice.writing)

    assert (answer.status_code, answer.headers["allow"]) == (405, allow)
