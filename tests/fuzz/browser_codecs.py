"""What browsers say: JSON on the WebSocket and in the bodies of requests."""

import contextlib

import msgspec

from parlour.cli import GAMES
from parlour.gateways.web._bodies import NewName, NewTable
from parlour.gateways.web._declined import Declined
from parlour.gateways.web._frames import is_text
from parlour.gateways.web._requests import Request, Seek, envelope, read_request
from parlour.gateways.web._tables import NAME_LENGTH, Tables, clean_name
from parlour.host import Directory
from parlour.match import CreateMatch
from tests.fuzz.pieces import is_fit_to_show

GRACE = 60_000
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def check_requests(data: bytes) -> None:
    """A message is a request or declined, as bytes and as text; what is read is written again."""
    try:
        request: Request = read_request(data)
    except Declined:
        named = envelope(data)
        assert named.id is None or isinstance(named.id, int)
        return
    assert read_request(msgspec.json.encode(request)) == request
    if is_text(data):  # what the reader skips need not be
        assert read_request(data.decode()) == request
    if isinstance(request, Seek):
        tables = Tables(GAMES, Directory(), GRACE)
        with contextlib.suppress(Declined):
            seek = tables.seek(request, "web:a", "Alice")
            _check_options(tables, CreateMatch(seek.game, seek.options, control=seek.control))


def check_bodies(data: bytes) -> None:
    """The body of a request opens a table or names a guest, or is declined."""
    tables = Tables(GAMES, Directory(), GRACE)
    with contextlib.suppress(Declined, *UNREADABLE):
        wanted = msgspec.json.decode(data, type=NewTable)
        _check_options(tables, tables.create(wanted, "web:a", "Alice"))
    with contextlib.suppress(Declined, *UNREADABLE):
        name = clean_name(msgspec.json.decode(data, type=NewName).name)
        assert is_fit_to_show(name, NAME_LENGTH)
        assert clean_name(name) == name


def _check_options(tables: Tables, command: CreateMatch) -> None:
    game = tables.games[command.game]
    options = msgspec.convert(command.options, game.options)
    assert game.capacity(options) >= len(command.newcomers)
    assert msgspec.json.decode(msgspec.json.encode(command), type=CreateMatch) == command
