"""Who suits whom, and who is asked first."""

from collections.abc import Sequence
from itertools import count
from operator import itemgetter

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.lobby import Lobby, Pairing, Seek
from parlour.match import Terms, TimeControl

ANN = Seek("web:ann", "web:ann", "ann", "go", {"size": 9}, Terms())
BOB = replace(ANN, identity="web:bob", holder="web:bob", name="bob")
CLEO = replace(ANN, identity="web:cleo", holder="web:cleo", name="cleo")


def lobby_of(*seeks: Seek) -> Lobby:
    """They came in this order."""
    lobby = Lobby()
    for number, seek in enumerate(seeks):
        lobby.wait(seek.identity, seek, number)
    return lobby


def test_the_longest_waiting_one_that_suits_is_found() -> None:
    lobby = lobby_of(replace(ANN, options={"size": 19}), BOB)
    assert lobby.find(CLEO) == "web:bob"
    assert lobby["web:bob"] is BOB
    assert lobby.waiting() == [replace(ANN, options={"size": 19}), BOB]


def test_an_opponent_is_wanted_by_both_or_by_nobody_else() -> None:
    wants = replace(ANN, opponent="web:cleo")
    lobby = lobby_of(wants)
    assert lobby.find(BOB) is None
    assert lobby.find(CLEO) == "web:ann"
    assert lobby_of(BOB).find(wants) is None
    assert not ANN.suits(replace(ANN, options={"size": 9}))  # nobody meets themselves


def test_two_who_were_told_the_same_seat_do_not_meet() -> None:
    lobby = lobby_of(replace(ANN, seat=0))
    assert lobby.find(replace(BOB, seat=0)) is None
    assert lobby.find(CLEO) == "web:ann"
    assert Pairing(replace(ANN, seat=0), CLEO).seats() == (0, 1)


def test_who_waits_for_something_else_is_no_longer_found_by_the_first() -> None:
    lobby = lobby_of(ANN)
    lobby.wait("web:ann", replace(ANN, options={"size": 19}), 0)
    assert lobby.find(BOB) is None
    assert lobby.find(replace(BOB, options={"size": 19})) == "web:ann"
    assert len(lobby.waiting()) == 1


def test_who_comes_back_with_an_early_number_is_the_first_again() -> None:
    lobby = lobby_of(ANN, BOB)
    lobby.remove("web:ann")
    lobby.wait("web:ann", ANN, 0)
    assert lobby.waiting() == [ANN, BOB]
    assert lobby.find(CLEO) == "web:ann"


def test_whom_somebody_has_asked_already_is_left_out() -> None:
    lobby = lobby_of(ANN, BOB)
    assert lobby.find(CLEO, lambda key: key != "web:ann") == "web:bob"
    assert lobby.find(CLEO, lambda key: False) is None


def test_one_player_may_wait_under_several_keys() -> None:
    lobby = Lobby()
    for number, key in enumerate(("table 1", "table 2")):
        lobby.wait(key, ANN, number)
    assert lobby.find(BOB) == "table 1"
    lobby.remove("table 1")
    assert "table 1" not in lobby
    assert lobby.find(BOB) == "table 2"
    assert lobby.find(ANN) is None


def test_who_looks_no_more_is_found_by_nobody() -> None:
    lobby = lobby_of(ANN)
    assert lobby.remove("web:ann")
    assert not lobby.remove("web:ann")
    assert lobby.find(BOB) is None


def test_who_is_flexible_suits_whatever_options() -> None:
    large = replace(BOB, options={"size": 19})
    assert not ANN.suits(large)
    assert replace(ANN, flexible=True).suits(large)
    assert ANN.suits(replace(large, flexible=True))
    assert not replace(ANN, flexible=True).suits(replace(large, game="tictactoe"))


def test_who_was_told_a_seat_keeps_it() -> None:
    assert Pairing(replace(ANN, seat=1), BOB).seats() == (1, 0)
    assert Pairing(ANN, replace(BOB, seat=0)).seats() == (1, 0)
    assert Pairing(ANN, BOB).seats() == (0, 1)


def test_nobody_gets_a_clock_that_they_did_not_ask_for() -> None:
    fast = TimeControl(turn=150)
    trap = replace(ANN, control=fast)
    assert not trap.suits(BOB)
    assert not BOB.suits(trap)

    lobby = lobby_of(trap)
    assert lobby.find(BOB) is None
    assert lobby.find(replace(CLEO, control=fast)) == "web:ann"
    assert Pairing(trap, replace(CLEO, control=fast)).control == fast


def test_the_turn_limit_of_a_door_is_nobodys_wish_and_may_be_asked_for() -> None:
    limited = replace(ANN, terms=Terms(turn_limit=300))
    for other in (BOB, replace(BOB, control=TimeControl(turn=300))):
        for first, second in ((limited, other), (other, limited)):
            assert lobby_of(first).find(second) == first.identity
            assert Pairing(first, second).control == other.control
    assert not limited.suits(replace(BOB, control=TimeControl(turn=200)))
    assert not limited.suits(replace(BOB, control=TimeControl(turn=400)))


seeks = st.builds(
    lambda who, **asked: replace(ANN, identity=f"web:{who}", holder=f"web:{who}", **asked),
    st.sampled_from("abcdef"),
    game=st.sampled_from(["go", "tictactoe"]),
    options=st.sampled_from([{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 2, "b": [1]}]),
    control=st.sampled_from([TimeControl(), TimeControl(turn=300), TimeControl(total=9)]),
    terms=st.sampled_from([Terms(), Terms(turn_limit=300), Terms(turn_limit=200)]),
    seat=st.sampled_from([None, None, 0, 1]),
    opponent=st.sampled_from([None, None, None, "web:a"]),
    flexible=st.booleans(),
)


@given(
    st.lists(
        st.tuples(seeks, st.integers(0, 20), st.booleans()), max_size=40, unique_by=itemgetter(1)
    ),
    seeks,
    st.sets(st.sampled_from(["web:a", "web:b", "web:c"])),
)
def test_whoever_looks_finds_the_first_of_all_who_suit(
    came: Sequence[tuple[Seek, int, bool]], seek: Seek, asked: set[str]
) -> None:
    lobby, waiting = Lobby(), dict[str, tuple[int, Seek]]()
    for one, number, stays in came:
        lobby.wait(one.identity, one, number)
        waiting[one.identity] = number, one
        if not stays:
            assert lobby.remove(one.identity)
            del waiting[one.identity]
    in_order = sorted(waiting.values(), key=itemgetter(0))
    assert lobby.waiting() == [one for _, one in in_order]

    suits = (one.identity for _, one in in_order if one.identity not in asked and one.suits(seek))
    assert lobby.find(seek, lambda key: key not in asked) == next(suits, None)


def test_who_looks_asks_nobody_who_wants_something_else() -> None:
    asked, lobby = count(), Lobby()

    class Counted(Seek, frozen=True):
        def suits(self, other: Seek) -> bool:
            next(asked)
            return super().suits(other)

    for number in range(1, 301):
        who, control = f"web:{number}", TimeControl(turn=number)
        lobby.wait(who, Counted(who, who, who, "go", {"size": 9}, Terms(), control), number)

    assert lobby.find(replace(BOB, control=TimeControl(turn=7))) == "web:7"
    assert next(asked) == 1
