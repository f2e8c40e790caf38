"""The REST half answers as its own OpenAPI document says, whatever it is asked."""

from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
)

from parlour.host import StoreError
from parlour.stores import MemoryStore
from tests.cli.servers import Server
from tests.gateways.web.browsers import house


class UnreadableStore(MemoryStore):
    """Nothing can be read of it."""

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        raise StoreError("input/output error")


EXAMPLES = 25  # of each operation: together fewer than one address may ask for at once


async def test_the_document_says_how_one_writes_and_what_a_store_that_fails_leads_to() -> None:
    async with house(store=UnreadableStore()) as doors, doors.guest() as alice:
        told = (await alice.http.get("/api/openapi.json")).json()
        opened = await alice.http.post("/api/matches", json={"game": "go"}, headers=alice.writing)
        unread = await alice.http.get(opened.headers["location"])
    post = told["paths"]["/api/matches"]["post"]
    (scheme,) = post["security"][0]
    writes = [
        path
        for path, operations in told["paths"].items()
        for operation in operations.values()
        if "security" in operation
    ]

    assert told["components"]["securitySchemes"][scheme]["name"] in alice.http.cookies
    assert "location" in post["responses"]["201"]["headers"]
    assert writes == ["/api/me", "/api/matches"]
    assert str(unread.status_code) in told["paths"]["/api/matches/{id}"]["get"]["responses"]
    assert unread.status_code == HTTPStatus.SERVICE_UNAVAILABLE


def can_be_wrong(operation: Any) -> bool:
    """Whether it has a body or a query, and not only texts that may be anything."""
    asked = operation.definition.raw
    return "requestBody" in asked or any(
        one["in"] == "query" for one in asked.get("parameters", ())
    )


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("known", [True, False], ids=["a guest", "a stranger"])
@pytest.mark.parametrize("mode", GenerationMode)
def test_every_operation_keeps_to_the_document(
    tmp_path: Path, known: bool, mode: GenerationMode
) -> None:
    with Server(tmp_path, doors=("web", "nedap")) as server:
        url = f"http://127.0.0.1:{server.ports['web']}"
        headers = {}
        if known:
            me = httpx.get(f"{url}/api/me")
            cookie = me.headers["set-cookie"].partition(";")[0]
            headers = {"Cookie": cookie, "X-CSRF-Token": me.json()["token"], "Origin": url}
        schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
        operations = [schema[path][method] for path in schema for method in schema[path]]
        assert len(operations) == 13

        for operation in operations:
            if mode is GenerationMode.NEGATIVE and not can_be_wrong(operation):
                continue

            @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
            @given(case=operation.as_strategy(generation_mode=mode))
            # Rules beyond a schema's bounds (odd boards, a name of spaces) are refused with reason,
            # and what is wrong with a cookie or a token is put right by `headers`.
            def keeps(case: "schemathesis.Case[Any]") -> None:
                case.call_and_validate(
                    base_url=url,
                    headers=headers,
                    excluded_checks=[positive_data_acceptance, negative_data_rejection],
                )

            keeps()
        assert httpx.get(f"{url}/readyz").text == "ok"
        status, said = server.stop()

    assert status == 0
    assert "Traceback" not in said
