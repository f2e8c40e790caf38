"""Every screen is free of what axe-core finds, fits its width, and keeps within its size."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.interop.web.screens import THEMES, WIDTHS, House, house, show

pytestmark = [pytest.mark.external, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[3]
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
STATIC = ROOT / "src/parlour/gateways/web/static"
LARGEST_PAGE = 120_000  # bytes, compressed
SCREENS = [
    "lobby",
    "new-go",
    "new-star",
    "finished",
    "connect",
    "over",
    "go",
    "star",
    "large",
    "open",
    "lost",
]


@pytest.fixture(scope="module")
def built_house(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(chromium, tmp_path_factory.mktemp("house")) as built:
        yield built


def violations(found: dict[str, Any]) -> list[str]:
    return [
        f"{one['id']}: {one['help']}: {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_is_accessible_and_fits(built_house: House, name: str) -> None:
    page = show(built_house.alice, built_house.screens()[name])
    page.evaluate(AXE.read_text())
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert violations(json.loads(page.evaluate("axe.run().then(JSON.stringify)"))) == []
    page.close()


def test_the_screens_are_all_of_them(built_house: House) -> None:
    assert set(built_house.screens()) == set(SCREENS)


def test_the_page_is_small(built: None) -> None:
    page = (STATIC / "index.html").read_text()
    named = [STATIC / name for name in re.findall(r'(?:src|href)="/(assets/[^"]+)"', page)]
    assert len(named) >= 3
    imported = [
        STATIC / "assets" / name
        for one in named
        if one.suffix == ".js"
        for name in re.findall(r'["\']\./([\w-]+\.js)["\']', one.read_text())
    ]
    size = sum(len(gzip.compress(one.read_bytes())) for one in {*named, *imported})
    assert size < LARGEST_PAGE
