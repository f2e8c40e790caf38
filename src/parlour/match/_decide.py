"""Which facts a command adds to a match: the rules of the table, whatever the game."""

from typing import assert_never

import msgspec

from parlour.games import Refusal, Refused, Seat
from parlour.match._commands import (
    AbortMatch,
    ComeBack,
    Command,
    CreateMatch,
    ForfeitSeat,
    GoAway,
    LeaveSeat,
    Newcomer,
    PlayMove,
    Resign,
    Restart,
    SetReady,
    TakeSeat,
    Tick,
)
from parlour.match._events import (
    AbortCause,
    Event,
    ForfeitCause,
    MatchCreated,
    MatchEnded,
    MovePlayed,
    Pause,
    SeatAway,
    SeatBack,
    SeatLeft,
    SeatReady,
    SeatTaken,
)
from parlour.match._evolve import evolve
from parlour.match._match import Match, Status
from parlour.match._names import fold_name
from parlour.match._plan import Plan
from parlour.match._rulebook import Rulebook
from parlour.match._terms import Fault
from parlour.match._time import restart, tick

# Between two moves a player may leave 100 times, come back 1,000 times or say ready 5,000 times:
# that is more often than others, who leave 2,000 times together, can make them say it anew.
UNREST_MOST, ALL_UNREST_MOST = 10_000, 200_000
OPEN_ANOTHER = "open another table"


def decide(match: Match | None, command: Command, now: int, rules: Rulebook) -> list[Event]:
    """The facts that `command` adds at `now`; none when it changes nothing.

    Raises:
        Refused: a rule of the table or of the game said no.
    """
    if type(command) is PlayMove and match is not None:
        return _play(match, command, now, rules)
    if isinstance(command, CreateMatch):
        return _create(match, command, now, rules)
    if match is None:
        raise Refused(Refusal.UNKNOWN_STREAM, "there is no such match")
    assert not isinstance(command, PlayMove)
    if match.status.finished:
        if isinstance(command, TakeSeat | SetReady | Resign):
            raise Refused(Refusal.OVER, "the match is over")
        return []
    plan = Plan(match, now, rules)
    _plan(plan, command)
    return plan.events


def _plan(
    plan: Plan,
    command: (
        TakeSeat
        | LeaveSeat
        | SetReady
        | Resign
        | GoAway
        | ComeBack
        | Restart
        | Tick
        | ForfeitSeat
        | AbortMatch
    ),
) -> None:
    match command:
        case TakeSeat(newcomer, instead_of):
            _take(plan, newcomer, instead_of)
            plan.start_if_ready()
        case LeaveSeat(by):
            _leave(plan, by)
        case SetReady(by, ready):
            _set_ready(plan, by, ready)
        case Resign(by):
            plan.forfeit(_playing_seat(plan.match, by), ForfeitCause.RESIGNED)
        case GoAway(by, stranger):
            _go_away(plan, by, stranger)
        case ComeBack(by):
            _come_back(plan, by)
        case Restart(until):
            restart(plan, until)
        case Tick():
            tick(plan)
        case ForfeitSeat(seat, cause, detail, ply):
            if plan.match.playing(seat) and (ply is None or _is_at(plan.match, ply)):
                plan.forfeit(seat, cause, detail)
        case AbortMatch():
            _abort(plan, command)
        case _:
            assert_never(command)


def _create(match: Match | None, command: CreateMatch, now: int, rules: Rulebook) -> list[Event]:
    if match is not None:
        raise Refused(Refusal.STREAM_EXISTS, "there is a match of that id already")
    game = rules.games.get(command.game)
    if game is None:
        raise Refused(
            Refusal.BAD_OPTIONS,
            f"no game {command.game!r}, only {', '.join(rules.games)}",
        )
    try:
        options = msgspec.convert(command.options, game.options)
    except msgspec.ValidationError as error:
        raise Refused(Refusal.BAD_OPTIONS, str(error)) from None
    created = MatchCreated(
        now,
        command.game,
        msgspec.to_builtins(options),
        command.room,
        command.visibility,
        command.control,
        command.opening,
        command.fork_of,
        command.rematch_of,
        command.lock,
    )
    plan = Plan(evolve(None, created, rules), now, rules)
    plan.events.append(created)
    _check_opening(plan.match)
    for newcomer in command.newcomers:
        _take(plan, newcomer)
    plan.start_if_ready()
    return plan.events


def _check_opening(match: Match) -> None:
    """A set-up position is given by moves, so one that no game can reach is refused here."""
    players = match.game.capacity(match.options)
    if not match.opening or not match.game.can_start(match.options, players):
        return
    position = match.game.start(match.options, players)
    for move in match.opening:
        position = position.play(move)
    if position.outcome is not None:
        raise Refused(Refusal.BAD_OPTIONS, "the opening moves leave nothing to play")


def _take(plan: Plan, newcomer: Newcomer, instead_of: str = "") -> None:
    match = plan.match
    if match.status is Status.LIVE:
        raise Refused(Refusal.ALREADY_STARTED, "the match has begun")
    if _is_restless(match, newcomer.identity) or sum(match.unrest.values()) >= ALL_UNREST_MOST:
        # Whoever seeks tries the next table.
        raise Refused(Refusal.NO_FREE_SEAT, f"too many have come and gone here: {OPEN_ANOTHER}")
    if match.seat_of(newcomer.identity) is not None:
        raise Refused(Refusal.ALREADY_SEATED, f"{newcomer.name} already sits at this table")
    if newcomer.seat is not None and _is_given_up(match, newcomer.seat, instead_of):
        plan.add(SeatLeft(plan.now, newcomer.seat))  # for the newcomer: it is never empty
        match = plan.match
    folded = fold_name(newcomer.name)
    if any(fold_name(player.name) == folded for _, player in match.players()):
        raise Refused(Refusal.NAME_TAKEN, f"somebody at this table is called {newcomer.name}")
    free = [seat for seat, player in enumerate(match.seats) if player is None]
    if newcomer.seat is not None and newcomer.seat not in free:
        raise Refused(Refusal.SEAT_TAKEN, f"seat {newcomer.seat} is not free")
    if not free:
        raise Refused(Refusal.NO_FREE_SEAT, f"all {len(match.seats)} seats are taken")
    seat = free[0] if newcomer.seat is None else newcomer.seat
    plan.add(SeatTaken(plan.now, seat, newcomer.identity, newcomer.name, newcomer.terms))


def _is_given_up(match: Match, seat: Seat, holder: str) -> bool:
    """Whether a player who is away keeps the seat only as long as nobody else wants it.

    Nobody is away before the start but by a restart, and until its pause is over seats are kept.
    """
    if match.status is not Status.SUSPENDED or match.pause is Pause.RESTART:
        return False
    return (
        match.seat_of(holder) == seat
        and match.playing(seat)
        and match.player(seat).away_since is not None
    )


def _leave(plan: Plan, by: str) -> None:
    match = plan.match
    seat = _seat(match, by)
    if match.status is Status.OPEN:
        plan.vacate(seat)
    elif not match.playing(seat):
        return
    elif _suspends(match):
        plan.vacate(seat)
        if plan.match.status is Status.LIVE:
            plan.suspend(Pause.VACANCY)
    else:
        plan.forfeit(seat, ForfeitCause.LEFT)


def _set_ready(plan: Plan, by: str, ready: bool) -> None:
    seat = _seat(plan.match, by)
    if plan.match.status is Status.LIVE:
        raise Refused(Refusal.ALREADY_STARTED, "the game is going on")
    if plan.match.player(seat).ready != ready:
        if ready and _is_restless(plan.match, by):
            raise Refused(Refusal.TOO_OFTEN, f"you have been ready too often: {OPEN_ANOTHER}")
        plan.add(SeatReady(plan.now, seat, ready))
        plan.start_if_ready()


def _go_away(plan: Plan, by: str, stranger: str) -> None:
    match = plan.match
    seat = match.seat_of(by)
    if seat is None or match.player(seat).away_since is not None:
        return
    if match.status is Status.OPEN:
        plan.vacate(seat)
    elif stranger and match.playing(seat) and not match.moved:
        plan.abort(AbortCause.STRANGER, stranger)
    elif not match.playing(seat) or match.status is Status.SUSPENDED:
        plan.add(SeatAway(plan.now, seat))
    elif _suspends(match):
        plan.add(SeatAway(plan.now, seat))
        plan.suspend(Pause.ABSENCE)
    elif match.player(seat).terms.grace == 0:
        plan.forfeit(seat, ForfeitCause.LEFT)  # for whom nobody waits was not away for long
    else:
        plan.add(SeatAway(plan.now, seat))


def _come_back(plan: Plan, by: str) -> None:
    seat = _seat(plan.match, by)
    if plan.match.player(seat).away_since is not None:
        if _is_restless(plan.match, by):
            raise Refused(
                Refusal.TOO_OFTEN,
                "you have come and gone too often: you count as away until the next move",
            )
        plan.add(SeatBack(plan.now, seat))
        plan.start_if_ready()


def _is_at(match: Match, ply: int) -> bool:
    position = match.position
    return match.status is Status.LIVE and position is not None and position.ply == ply


def _suspends(match: Match) -> bool:
    """Whether an absence stops the game: only when every seat still playing agreed to that."""
    return all(
        player is None or player.terms.suspends
        for seat, player in enumerate(match.seats)
        if match.playing(seat)
    )


def _abort(plan: Plan, command: AbortMatch) -> None:
    if command.only_waiting and plan.match.status.started:
        raise Refused(Refusal.ALREADY_STARTED, "the match has begun")
    if command.only_with is not None:
        for _, player in plan.match.players():
            if player.identity not in command.only_with:
                raise Refused(Refusal.SEAT_TAKEN, f"{player.name} sits at the table, too")
    plan.abort(command.cause, command.detail)


def _is_restless(match: Match, by: str) -> bool:
    """Nobody makes the record of a match as long as they like without a move.

    Only who sits down, says ready or comes back is refused for it: that somebody has gone, or is
    ready no longer, is always recorded, and each time needs one of those before.
    """
    return match.unrest.get(by, 0) >= UNREST_MOST


def _seat(match: Match, by: str) -> Seat:
    seat = match.seat_of(by)
    if seat is None:
        raise Refused(Refusal.NOT_SEATED, "only those who sit at the table may do that")
    return seat


def _playing_seat(match: Match, by: str) -> Seat:
    seat = _seat(match, by)
    if match.status is Status.OPEN:
        raise Refused(Refusal.NOT_STARTED, "the game has not begun")
    if not match.playing(seat):
        raise Refused(Refusal.OVER, "the game is over for this seat")
    return seat


def _play(match: Match, command: PlayMove, now: int, rules: Rulebook) -> list[Event]:
    """The way of one move. It is the hot path, so it decides without a `Plan`."""
    seat = _seat(match, command.by)
    position, clock = match.position, match.clock
    if match.status is not Status.LIVE or position is None or clock is None:
        raise _not_live(match)
    if command.ply is not None and command.ply != position.ply:
        raise Refused(
            Refusal.STALE_MOVE,
            f"move {command.ply} was asked for, move {position.ply} is next",
        )
    deadline = clock.deadline()
    if deadline is not None and now >= deadline:
        return _play_late(match, command, now, rules)
    if position.turn != seat:
        return _out_of_turn(match, seat, now, rules)
    try:
        after = rules.play(position, command.move)
    except Refused as no:
        if match.player(seat).terms.illegal_move is Fault.ANSWER:
            raise
        plan = Plan(match, now, rules)
        plan.forfeit(seat, ForfeitCause.ILLEGAL_MOVE, no.detail)
        return plan.events
    played = MovePlayed(now, seat, command.move)
    return [played] if after.outcome is None else [played, MatchEnded(now, after.outcome)]


def _play_late(match: Match, command: PlayMove, now: int, rules: Rulebook) -> list[Event]:
    """The time of the seat on turn is over: that comes first, and then the move of another seat.

    Who has lost the own seat by it, or finds the match over, is answered by that.
    """
    seat = _seat(match, command.by)
    plan = Plan(match, now, rules)
    tick(plan)
    lost = match.playing(seat) and not plan.match.playing(seat)
    if lost or plan.match.status is not Status.LIVE:
        return plan.events
    return [*plan.events, *_play(plan.match, command, now, rules)]


def _out_of_turn(match: Match, seat: Seat, now: int, rules: Rulebook) -> list[Event]:
    if not match.playing(seat):
        raise Refused(Refusal.OVER, "the game is over for this seat")
    if match.player(seat).terms.out_of_turn is Fault.ANSWER:
        raise Refused(Refusal.OUT_OF_TURN, "it is somebody else's turn")
    plan = Plan(match, now, rules)
    plan.forfeit(seat, ForfeitCause.OUT_OF_TURN, "moved out of turn")
    return plan.events


def _not_live(match: Match) -> Refused:
    if match.status.finished:
        return Refused(Refusal.OVER, "the match is over")
    if match.status is Status.SUSPENDED:
        return Refused(Refusal.SUSPENDED, "the game is suspended")
    return Refused(Refusal.NOT_STARTED, "the game has not begun")
