"""When a ban ends: by the server's clock, and at a moment that can be told."""

import pytest

from parlour.buses import MemoryBus
from parlour.games import Refused
from parlour.gateways import LAST, Ban, BanKind, Bans
from parlour.gateways.admin import Drain, Hands, OperatorAggregate
from parlour.gateways.admin import _requests as requests
from parlour.gateways.admin._acts import Banned, Unbanned
from parlour.host import Host, nothing
from parlour.stores import MemoryStore

NOW = 1_700_000_000_000
HOUR = 3_600_000


@pytest.fixture
def hands() -> Hands:
    host = Host(MemoryStore(), MemoryBus(), [OperatorAggregate()], lambda: NOW, lambda: "1")
    return Hands(host, Bans(), [], None, Drain(nothing), lambda level, logger: None)


def planned(hands: Hands, until: int = 0, lasts: int = 0) -> Banned:
    act = hands.plan(requests.PutBan(BanKind.NAME, "Zed", until, lasts), NOW, 0, "root")
    assert isinstance(act, Banned)
    return act


@pytest.mark.parametrize(
    ("until", "lasts", "end"),
    [(0, 0, 0), (NOW + 1, 0, NOW + 1), (0, HOUR, NOW + HOUR), (LAST, 0, LAST)],
)
def test_a_ban_ends_when_it_is_said_to(hands: Hands, until: int, lasts: int, end: int) -> None:
    ban = planned(hands, until, lasts).ban
    assert ban.until == end
    assert ban.sentence().startswith("you are banned")


@pytest.mark.parametrize(
    ("until", "lasts", "why"),
    [
        (NOW, 0, "ended already"),
        (-1, 0, "ended already"),
        (0, -1, "ended already"),
        (0, -NOW, "ended already"),
        (LAST + 1, 0, "no calendar"),
        (0, LAST, "no calendar"),
        (NOW + HOUR, HOUR, "not both"),
    ],
)
def test_an_end_that_is_none_is_refused(hands: Hands, until: int, lasts: int, why: str) -> None:
    with pytest.raises(Refused, match=why):
        planned(hands, until, lasts)


HEART = "i \u2764\ufe0f chess"  # as it was recorded when the invisible selector made a difference


@pytest.mark.parametrize(
    ("kind", "recorded", "who"),
    [
        (BanKind.NAME, HEART, HEART),
        (BanKind.ADDRESS, "::ffff:10.0.0.7/128", "::ffff:10.0.0.7"),
        (BanKind.ADDRESS, "::ffff:a00:7", "10.0.0.7"),
        (BanKind.ADDRESS, "::ffff:10.0.0.0/104", "10.0.0.0/8"),
    ],
)
def test_a_ban_that_was_recorded_in_another_form_is_lifted(
    hands: Hands, kind: BanKind, recorded: str, who: str
) -> None:
    acts = OperatorAggregate()
    state = acts.evolve(None, Banned(NOW, ban=Ban(kind, recorded)))
    lift = hands.plan(requests.LiftBan(kind, who), NOW, 0, "root")
    assert acts.decide(state, lift, NOW) == (lift,)
    assert not acts.evolve(state, lift).bans
    assert not acts.evolve(state, Unbanned(NOW, kind=kind, who=recorded)).bans
