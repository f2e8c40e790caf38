"""What a player of this protocol asks of the lobby and of the match."""

from msgspec import to_builtins

from parlour.games.go import Options
from parlour.gateways.nedap._names import REALM, Login
from parlour.gateways.nedap._options import NedapOptions
from parlour.lobby import Seek
from parlour.match import Fault, Terms, TimeControl
from parlour.wire.nedap import Go


def seek_for(go: Go, login: Login, options: NedapOptions) -> Seek:
    """The seek of one GO. An illegal move loses; a move out of turn is only answered."""
    return Seek(
        identity=login.identity,
        holder=REALM + login.name,
        name=login.name,
        game="go",
        options=to_builtins(Options(size=go.size, end=options.end)),
        terms=Terms(
            illegal_move=Fault.FORFEIT,
            out_of_turn=Fault.ANSWER,
            grace=options.grace * 1000,
            ready=True,
            reclaims=options.grace > 0,
            turn_limit=options.turn_limit * 1000,
        ),
        control=TimeControl(total=options.total * 1000, increment=options.increment * 1000),
        opponent=None if go.opponent is None else REALM + go.opponent,
    )
