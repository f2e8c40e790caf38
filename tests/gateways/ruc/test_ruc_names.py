"""What foreign players are called, and how long that is remembered."""

from parlour.gateways.ruc import Names
from parlour.host import Directory
from parlour.match import (
    Listing,
    Newcomer,
    Player,
    Resign,
    Sitter,
    Status,
    TakeSeat,
    Terms,
    Visibility,
)
from parlour.wire.ruc import Opcode
from tests.gateways.ruc.peers import house

BOB = Player("ruc:bob 10.0.0.7", "bob", Terms(), 1, True)
ANNA = Player("web:1", "Anna", Terms(), 2, True)
OTHER = Player("web:2", "Ann\u00e4", Terms(), 3, True)  # the same in the protocol's letters
COMPANY = [BOB, ANNA, OTHER]


def listing(status: Status) -> Listing:
    sitters = tuple(Sitter(seat, one.identity, "any", True) for seat, one in enumerate(COMPANY))
    return Listing("chinese_checkers", {}, "room1", Visibility.PUBLIC, 0, status, sitters)


def test_a_name_is_lent_until_the_match_is_over_whoever_is_inside() -> None:
    directory = Directory()
    directory.put("match-1", listing(Status.LIVE))
    names = Names(directory)
    assert [names.of("match-1", one, COMPANY) for one in COMPANY] == ["bob", "Anna", "Anna2"]
    assert names.of("match-1", OTHER, [OTHER]) == "Anna2"
    assert names.is_lent("match-1", "anna2")

    directory.put("match-1", listing(Status.OVER))

    assert not names.is_lent("match-1", "anna2")


def test_who_reads_of_a_match_that_is_over_keeps_no_name_busy() -> None:
    directory = Directory()
    directory.put("match-1", listing(Status.OVER))
    names = Names(directory)

    assert names.of("match-1", ANNA, COMPANY) == "Anna"

    assert not names.is_lent("match-1", "Anna")


async def test_the_ranking_calls_foreign_players_as_the_game_did() -> None:
    async with house() as home:
        (bob,) = await home.joined("bob")
        host, (stream,) = home.service.host, home.service.host.directory.unfinished
        for one in (ANNA, OTHER):
            host.submit(stream, TakeSeat(Newcomer(one.identity, one.name, Terms(ready=True))))
        await bob.heard()
        bob.says(Opcode.PLAYER_READY)
        said = await bob.heard()
        for one in (ANNA, OTHER):
            host.submit(stream, Resign(one.identity))
        said += await bob.heard()

    (start,) = [one for one in said if one[0] == "START_GAME"]
    (end,) = [one for one in said if one[0] == "END_GAME"]
    assert start[1].split() == ["bob", "Anna", "Anna2"]
    assert end[1].split() == ["bob", "Anna2", "Anna"]  # who resigned first is last
