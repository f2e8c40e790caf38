"""Records the logs that every later version must be able to read: what happened in them.

    python -m tests.match.record_logs FOLDER

A story that is there already is left alone: old logs are never made anew.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from parlour.match import (
    AbortCause,
    AbortMatch,
    ComeBack,
    CreateMatch,
    Fault,
    ForfeitCause,
    ForfeitSeat,
    Fork,
    GoAway,
    LeaveSeat,
    Match,
    Newcomer,
    PlayMove,
    Resign,
    Restart,
    SetReady,
    TakeSeat,
    Terms,
    Tick,
    TimeControl,
    Visibility,
)
from tests.match.tables import READY, Table

STRICT = Terms(illegal_move=Fault.FORFEIT, out_of_turn=Fault.FORFEIT, ready=True, reclaims=False)


def textbook_win() -> Table:
    table = Table.of(STRICT, STRICT, control=TimeControl(turn=300_000))
    table.plays("0,0", "0,1", "1,0", "1,1", "2,0")
    return table


def draw() -> Table:
    table = Table.of(READY, READY)
    table.plays("0,0", "1,0", "2,0", "1,1", "0,1", "2,1", "1,2", "0,2", "2,2")
    return table


def faults() -> Table:
    table = Table.of(STRICT, STRICT)
    table.does(PlayMove("b", "0,0"))
    return table


def illegal_move() -> Table:
    table = Table.of(STRICT, STRICT)
    table.plays("1,1")
    table.does(PlayMove("b", "1,1"))
    return table


def suspended_and_resumed() -> Table:
    terms = Terms(suspends=True)
    table = Table.of(terms, terms, control=TimeControl(total=60_000, increment=1_000))
    table.does(SetReady("a"))
    table.does(SetReady("b"))
    table.plays("1,1")
    table.now += 2_000
    table.does(GoAway("b"))
    table.does(ComeBack("b"))
    table.does(SetReady("a"))
    table.does(SetReady("b"))
    table.plays("0,0")
    table.does(LeaveSeat("a"))
    table.does(TakeSeat(Newcomer("c", "c", terms)))
    for who in "bc":
        table.does(SetReady(who))
    table.does(Restart(table.now + 120_000))
    for who in "bc":
        table.does(ComeBack(who))
    table.plays("2,2")
    return table


def go_to_the_count() -> Table:
    table = Table.of(READY, READY, game="go", size=5, control=TimeControl(periods=3, period=5_000))
    table.plays(
        "2,2", "1,1", "0,1", "4,4", "1,0", "3,3", "1,2", "4,0", "2,1", "pass", "pass", "pass"
    )
    return table


def time_runs_out() -> Table:
    terms = Terms(ready=True, grace=30_000)
    table = Table.of(terms, terms, game="go", size=9, control=TimeControl(turn=10_000))
    table.plays("4,4")
    table.now += 10_000
    table.does(Tick())
    return table


def absence() -> Table:
    terms = Terms(ready=True, grace=30_000)
    table = Table.of(terms, terms, game="go", size=9)
    table.does(GoAway("a"))
    table.now += 30_000
    table.does(Tick())
    return table


def three_in_a_room() -> Table:
    table = Table()
    table.does(
        CreateMatch(
            "chinese_checkers",
            newcomers=(Newcomer("x", "x"),),
            room="garden",
            visibility=Visibility.HIDDEN,
        )
    )
    for who in "abc":
        table.does(TakeSeat(Newcomer(who, who)))
    for who in "xabc":
        table.does(SetReady(who, ready=who != "x"))
    table.does(LeaveSeat("x"))
    for _ in range(6):
        position = table.state.position
        assert position is not None
        table.plays(next(iter(position.moves())))
    table.does(LeaveSeat("b"))
    table.does(Resign("c"))
    return table


def after_a_restart_nobody_came() -> Table:
    table = Table.of(READY, READY)
    table.does(Restart(table.now + 120_000))
    table.now += 120_000
    table.does(Tick())
    return table


def a_restart_takes_the_nameless() -> Table:
    table = Table.of(STRICT, READY)
    table.does(Restart(table.now + 120_000))
    return table


def everybody_left() -> Table:
    table = Table.of(Terms())
    table.does(LeaveSeat("a"))
    return table


def operator_closed_it() -> Table:
    table = Table.of(READY, READY, READY, game="chinese_checkers")
    table.does(ForfeitSeat(2, ForfeitCause.OPERATOR, "shouting"))
    table.does(AbortMatch(AbortCause.OPERATOR, "closing time"))
    return table


def a_stranger_came() -> Table:
    table = Table.of(STRICT, STRICT)
    table.does(GoAway("b", "an HTTP request instead of a move"))
    return table


def a_fork_with_an_opening() -> Table:
    table = Table()
    newcomers = (Newcomer("a", "a", READY), Newcomer("b", "b", READY))
    fork = Fork("match-abc", 7)
    table.does(CreateMatch("tictactoe", newcomers=newcomers, opening=("1,1", "0,0"), fork_of=fork))
    return table


def begun_in_the_pause_of_a_restart() -> Table:
    table = Table.of(Terms(suspends=True, ready=True), control=TimeControl(turn=60_000))
    table.does(Restart(table.now + 120_000))
    table.does(ComeBack("a"))
    table.now += 1_500
    table.does(TakeSeat(Newcomer("b", "b", READY)))
    table.plays("1,1")
    table.now += 60_000
    table.does(Tick())
    return table


def on_without_the_one_who_left() -> Table:
    terms = Terms(ready=True, grace=30_000)
    control = TimeControl(total=600_000, increment=5_000)
    table = Table.of(terms, terms, terms, game="chinese_checkers", control=control, players=3)
    table.now += 7_000
    table.does(Restart(table.now + 120_000))
    for who in "bc":
        table.does(ComeBack(who))
    table.does(LeaveSeat("a"))
    table.now += 9_000
    table.does(GoAway("b"))
    table.now += 30_000
    table.does(Tick())
    return table


def an_empty_seat_after_a_restart() -> Table:
    terms = Terms(ready=True, suspends=True)
    table = Table.of(terms, terms, terms, game="chinese_checkers", players=3)
    table.does(LeaveSeat("a"))
    table.does(LeaveSeat("b"))
    table.does(TakeSeat(Newcomer("d", "d", READY)))
    table.does(Restart(table.now + 120_000))
    table.does(ComeBack("d"))
    table.now += 120_000
    table.does(Tick())
    return table


def periods_used_up() -> Table:
    control = TimeControl(total=10_000, increment=1_000, periods=3, period=5_000)
    table = Table.of(READY, READY, game="go", size=9, control=control)
    for thought in (3_000, 0, 8_000, 10_000, 12_000, 4_999, 0, 5_001):
        table.now += thought
        position = table.state.position
        assert position is not None
        table.plays(next(iter(position.moves())))
    table.now += 9_999
    table.does(Tick())
    return table


STORIES: tuple[Callable[[], Table], ...] = (
    textbook_win,
    draw,
    faults,
    illegal_move,
    suspended_and_resumed,
    go_to_the_count,
    time_runs_out,
    absence,
    three_in_a_room,
    after_a_restart_nobody_came,
    a_restart_takes_the_nameless,
    everybody_left,
    operator_closed_it,
    a_stranger_came,
    a_fork_with_an_opening,
    begun_in_the_pause_of_a_restart,
    on_without_the_one_who_left,
    an_empty_seat_after_a_restart,
    periods_used_up,
)


def summary(match: Match) -> str:
    """What a folded log comes to, in lines that can be read and compared."""
    outcome = match.outcome
    lines = [
        f"version {match.version}",
        f"status {match.status}",
        f"players {' '.join(f'{seat}:{player.name}' for seat, player in match.players())}",
        f"ranking {outcome.ranking if outcome else None}",
        f"causes {' '.join(outcome.causes) if outcome else None}",
        f"scores {outcome.scores if outcome else None}",
        f"left {match.clock.left if match.clock else None}",
        match.position.diagram() if match.position else "no board",
    ]
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Write the stories that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for story in STORIES:
        log = folder / f"{story.__name__}.jsonl"
        if log.exists():
            continue
        table = story()
        log.write_bytes(b"".join(data + b"\n" for data in table.log))
        log.with_suffix(".txt").write_text(summary(table.state))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
