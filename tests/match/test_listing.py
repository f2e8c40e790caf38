"""What a directory keeps of a match says the same as the match."""

import pytest

from parlour.match import ComeBack, Restart, SetReady, Terms
from tests.match.tables import Table


@pytest.mark.parametrize("ready", [True, False])
def test_who_comes_back_before_the_start_is_ready_where_the_terms_say_so(ready: bool) -> None:
    table = Table.of(Terms(ready=ready, rejoins=True))
    table.does(SetReady("a", ready=False))
    table.does(Restart(table.now + 2_000))
    table.does(ComeBack("a"))
    (sitter,) = table.listing.sitters
    assert sitter.ready == table.state.player(0).ready == ready
    assert not sitter.away
