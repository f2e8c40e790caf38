"""Who suits whom, and who is asked first."""

from collections.abc import Sequence
from itertools import count

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.lobby import Lobby, Seek
from parlour.match import Terms, TimeControl

ANN = Seek("web:ann", "web:ann", "ann", "go", {"size": 9}, Terms())
BOB = replace(ANN, identity="web:bob", holder="web:bob", name="bob")
CLEO = replace(ANN, identity="web:cleo", holder="web:cleo", name="cleo")


def test_the_longest_waiting_one_that_suits_is_met() -> None:
    lobby = Lobby()
    assert lobby.add(replace(ANN, options={"size": 19})) is None
    assert lobby.add(BOB) is None
    pairing = lobby.add(CLEO)
    assert pairing is not None
    assert (pairing.first.name, pairing.second.name) == ("bob", "cleo")
    assert [seek.name for seek in lobby.waiting()] == ["ann"]


def test_an_opponent_is_wanted_by_both_or_by_nobody_else() -> None:
    lobby = Lobby()
    lobby.add(replace(ANN, opponent="web:cleo"))
    assert lobby.add(BOB) is None
    assert lobby.add(CLEO) is not None

    lobby.add(BOB)
    assert lobby.add(replace(ANN, opponent="web:cleo")) is None
    assert not ANN.suits(replace(ANN, options={"size": 9}))  # nobody meets themselves


def test_two_who_were_told_the_same_seat_do_not_meet() -> None:
    lobby = Lobby()
    lobby.add(replace(ANN, seat=0))
    assert lobby.add(replace(BOB, seat=0)) is None
    pairing = lobby.add(CLEO)
    assert pairing is not None
    assert pairing.seats() == (0, 1)


def test_who_looks_anew_waits_anew() -> None:
    lobby = Lobby()
    lobby.add(ANN)
    lobby.add(replace(BOB, game="tictactoe"))
    assert lobby.add(replace(ANN, options={"size": 19})) is None  # not paired with themselves
    assert [seek.name for seek in lobby.waiting()] == ["bob", "ann"]
    assert lobby.add(CLEO) is None  # the earlier seek is gone


def test_who_looks_no_more_is_met_by_nobody() -> None:
    lobby = Lobby()
    lobby.add(ANN)
    assert lobby.remove("web:ann")
    assert not lobby.remove("web:ann")
    assert lobby.add(BOB) is None


def test_who_is_flexible_suits_whatever_options() -> None:
    large = replace(BOB, options={"size": 19})
    assert not ANN.suits(large)
    assert replace(ANN, flexible=True).suits(large)
    assert ANN.suits(replace(large, flexible=True))
    assert not replace(ANN, flexible=True).suits(replace(large, game="tictactoe"))


def test_who_was_told_a_seat_keeps_it() -> None:
    lobby = Lobby()
    lobby.add(replace(ANN, seat=1))
    pairing = lobby.add(BOB)
    assert pairing is not None
    assert pairing.seats() == (1, 0)
    lobby.add(ANN)
    pairing = lobby.add(replace(BOB, seat=0))
    assert pairing is not None
    assert pairing.seats() == (1, 0)


def test_nobody_gets_a_clock_that_they_did_not_ask_for() -> None:
    fast = TimeControl(turn=150)
    trap = replace(ANN, control=fast)
    assert not trap.suits(BOB)
    assert not BOB.suits(trap)

    lobby = Lobby()
    lobby.add(trap)
    assert lobby.add(BOB) is None
    pairing = lobby.add(replace(CLEO, control=fast))
    assert pairing is not None
    assert (pairing.first.name, pairing.control) == ("ann", fast)


def test_the_turn_limit_of_a_door_is_nobodys_wish_and_may_be_asked_for() -> None:
    limited = replace(ANN, terms=Terms(turn_limit=300))
    lobby = Lobby()
    for other in (BOB, replace(BOB, control=TimeControl(turn=300))):
        for first, second in ((limited, other), (other, limited)):
            lobby.add(first)
            pairing = lobby.add(second)
            assert pairing is not None
            assert pairing.control == other.control
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


@given(st.lists(st.tuples(seeks, st.booleans()), max_size=40))
def test_whoever_looks_meets_the_first_of_all_who_suits(came: Sequence[tuple[Seek, bool]]) -> None:
    lobby, waiting = Lobby(), list[Seek]()
    for seek, looks in came:
        waiting = [one for one in waiting if one.identity != seek.identity]
        suits = next((one for one in waiting if looks and one.suits(seek)), None)
        if not looks:
            lobby.wait(seek)
        else:
            pairing = lobby.add(seek)
            assert (None if pairing is None else pairing.first) is suits
        if suits is None:
            waiting.append(seek)
        else:
            waiting.remove(suits)
        assert lobby.waiting() == waiting


def test_who_looks_asks_nobody_who_wants_something_else() -> None:
    asked, lobby = count(), Lobby()

    class Counted(Seek, frozen=True):
        def suits(self, other: Seek) -> bool:
            next(asked)
            return super().suits(other)

    for number in range(1, 301):
        who, control = f"web:{number}", TimeControl(turn=number)
        lobby.add(Counted(who, who, who, "go", {"size": 9}, Terms(), control))
    pairing = lobby.add(replace(BOB, control=TimeControl(turn=7)))

    assert pairing is not None
    assert pairing.first.name == "web:7"
    assert next(asked) == 1
