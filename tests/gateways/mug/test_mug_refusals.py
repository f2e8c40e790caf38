"""Every "no" has its words in XMPP."""

import pytest

from parlour.games import Refusal
from parlour.gateways.mug._refusals import CONDITIONS, INVALID_TURNS
from parlour.wire.mug import Condition


def test_every_refusal_has_a_condition() -> None:
    assert set(CONDITIONS) == set(Refusal)


def test_what_the_rules_of_a_game_refuse_is_an_invalid_turn() -> None:
    assert {
        Refusal.ILLEGAL_MOVE,
        Refusal.MALFORMED_MOVE,
        Refusal.OUT_OF_TURN,
        Refusal.STALE_MOVE,
    } == INVALID_TURNS


@pytest.mark.parametrize("condition", Condition)
def test_a_condition_has_one_of_the_types_of_rfc_6120(condition: Condition) -> None:
    assert condition.type in ("auth", "cancel", "modify", "wait")
