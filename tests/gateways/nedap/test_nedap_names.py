"""Names of players from elsewhere, and how long they are kept."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games import Refused
from parlour.gateways.nedap import Names, shown_name
from parlour.host import Directory
from parlour.match import Listing, Player, Sitter, Status, Terms, Visibility

BOB = Player("nedap:bob 10.0.0.7", "bob", Terms(), 1, True)


def foreign(name: str, identity: str = "web:1") -> Player:
    return Player(identity, name, Terms(), 2, True)


def listing(status: Status, *identities: str) -> Listing:
    sitters = tuple(Sitter(seat, one, "any", True) for seat, one in enumerate(identities))
    return Listing("go", {}, "", Visibility.PUBLIC, 0, status, sitters)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Alice", "alice"),
        ("\uff21\uff4c\uff49\uff43\uff45", "alice"),
        ("Zo\u00eb 2", "zoe"),
        ("Stra\u00dfe", "strasse"),
        ("\u5c0f\u660e", "guest"),
        ("", "guest"),
        ("a" * 30, "a" * 20),
    ],
)
def test_a_name_is_folded(name: str, shown: str) -> None:
    assert shown_name(name, set().__contains__) == shown


def test_letters_are_added_until_nobody_has_the_name() -> None:
    taken = {"bob", *(f"bob{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")}
    assert shown_name("Bob", taken.__contains__) == "bobaa"
    assert shown_name("b" * 25, {"b" * 20}.__contains__) == "b" * 19 + "a"


@given(st.text(max_size=40), st.sets(st.sampled_from(["guest", "guesta", "a", "b"])))
def test_a_shown_name_can_be_written(name: str, taken: set[str]) -> None:
    shown = shown_name(name, taken.__contains__)
    assert re.fullmatch("[a-z]{1,20}", shown)
    assert shown not in taken


def playing(*streams: str) -> Directory:
    """A directory that has these matches."""
    directory = Directory()
    for stream in streams:
        directory.put(stream, listing(Status.LIVE, "nedap:bob 10.0.0.7", "web:1"))
    return directory


def test_a_foreign_name_is_nobodys_here_and_stays_the_same() -> None:
    names = Names(playing("match-1"), reclaims=True)
    names.log_in("carol", "10.0.0.8", 0)
    table = [BOB, foreign("Carol"), foreign("Bob", "web:2"), foreign("Server", "web:3")]

    shown = names.shown("match-1", table)

    assert shown == ("bob", "carola", "boba", "servera")
    names.log_in("dave", "10.0.0.9", 0)
    assert names.shown("match-1", table) == shown


def test_a_shown_name_cannot_be_taken_until_the_match_is_over() -> None:
    directory = playing("match-1")
    names = Names(directory, reclaims=True)
    names.shown("match-1", [BOB, foreign("Carol")])
    with pytest.raises(Refused):
        names.log_in("carol", "10.0.0.8", 0)

    directory.put("match-1", listing(Status.OVER, "nedap:bob 10.0.0.7", "web:1"))

    assert names.log_in("carol", "10.0.0.8", 0).name == "carol"


def test_a_name_in_the_story_of_a_match_that_is_over_is_free() -> None:
    """The match ends while somebody who comes back waits for the story."""
    directory = playing("match-1")
    names = Names(directory, reclaims=True)
    directory.put("match-1", listing(Status.OVER, "nedap:bob 10.0.0.7", "web:1"))
    assert names.shown("match-1", [BOB, foreign("Carol"), foreign("carol", "web:2")]) == (
        "bob",
        "carol",
        "carola",
    )
    assert names.log_in("carol", "10.0.0.8", 0).name == "carol"
    assert names.log_in("carola", "10.0.0.8", 0).name == "carola"


def test_a_name_in_a_match_that_cannot_be_read_is_free() -> None:
    directory = playing("match-1")
    names = Names(directory, reclaims=True)
    names.shown("match-1", [BOB, foreign("Carol")])
    directory.forget("match-1")
    assert names.log_in("carol", "10.0.0.8", 0).name == "carol"


def test_a_foreign_name_is_not_that_of_a_player_who_is_away() -> None:
    directory = Directory()
    directory.put("match-2", listing(Status.LIVE, "nedap:carol 10.0.0.8", "web:5"))
    names = Names(directory, reclaims=True)
    assert names.shown("match-1", [BOB, foreign("Carol")]) == ("bob", "carola")
