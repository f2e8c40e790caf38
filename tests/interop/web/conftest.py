"""A built client, a Chromium, a server, and guests who open its page."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.cli.servers import Server
from tests.interop.web.guests import CHROMIUM, FLAGS, Guest, build


@pytest.fixture(scope="session")
def built() -> None:
    """The client as its sources are now."""
    build()


@pytest.fixture(scope="module")
def chromium(built: None) -> Iterator[Browser]:
    """One browser process for a module's tests; contexts keep guests apart."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with every door but XMPP's."""
    with Server(tmp_path / "data") as running:
        yield running


@pytest.fixture
def guest(chromium: Browser, server: Server) -> Iterator[Callable[..., Guest]]:
    """Opens the page for somebody; whatever the page complains of fails the test."""
    guests: list[Guest] = []

    def arrive(name: str, port: int | None = None, **context: object) -> Guest:
        guests.append(Guest(chromium, port or server.ports["web"], name, **context))
        return guests[-1]

    yield arrive
    complaints = [complaint for one in guests for complaint in one.complaints]
    for one in guests:
        one.context.close()
    assert complaints == []
