"""The REST half answers as its own OpenAPI document says, whatever it is asked."""

from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.cli.servers import Server

pytestmark = pytest.mark.slow

EXAMPLES = 25  # of each operation: together fewer than one address may ask for at once


@pytest.mark.timeout(300)
@pytest.mark.parametrize("known", [True, False], ids=["a guest", "a stranger"])
def test_every_operation_keeps_to_the_document(tmp_path: Path, known: bool) -> None:
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

            @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
            @given(case=operation.as_strategy())
            # Rules beyond a schema's bounds (odd boards, a name of spaces) are refused with reason.
            def keeps(case: "schemathesis.Case[Any]") -> None:
                case.call_and_validate(
                    base_url=url, headers=headers, excluded_checks=[positive_data_acceptance]
                )

            keeps()
        assert httpx.get(f"{url}/readyz").text == "ok"
        status, said = server.stop()

    assert status == 0
    assert "Traceback" not in said
