"""What foreign players are called, and how long that is remembered."""

from parlour.gateways.ruc import Names
from parlour.host import Directory
from parlour.match import Listing, Player, Sitter, Status, Terms, Visibility

BOB = Player("ruc:bob 10.0.0.7", "bob", Terms(), 1, True)
ANNA, OTHER = (Player(f"web:{one}", "Anna", Terms(), 2, True) for one in (1, 2))
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
