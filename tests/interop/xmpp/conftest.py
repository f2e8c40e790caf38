"""One Prosody and one ejabberd for all tests that leave them running."""

from collections.abc import Iterator

import pytest

from tests.interop.xmpp.servers import Ejabberd, Prosody, XmppServer

KINDS = (Prosody, Ejabberd)


@pytest.fixture(scope="session", params=KINDS, ids=lambda kind: kind.__name__)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[XmppServer]:
    """A server that no test stops."""
    with request.param(tmp_path_factory.mktemp("xmpp") / "server") as running:
        yield running


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def own_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[XmppServer]:
    """A server of the test's own, to be stopped and started."""
    with request.param(tmp_path_factory.mktemp("xmpp") / "server") as running:
        yield running
