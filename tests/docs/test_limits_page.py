"""The page of limits names each of them, with its default."""

import re
from pathlib import Path

import msgspec

from parlour.gateways import Limits

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/limits.md"


def test_the_table_is_that_of_the_settings() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `?(.+?)`? \|", PAGE.read_text("utf-8"), re.MULTILINE)
    written = {name: msgspec.json.decode(default) for name, default in rows}

    assert written == msgspec.to_builtins(Limits(), builtin_types=()) | {
        name: list(getattr(Limits(), name)) for name in ("exempt", "proxies")
    }
