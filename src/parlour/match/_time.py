"""What the passing of time does to a match: clocks, absences, the pause after a restart."""

from parlour.games import Seat
from parlour.match._events import AbortCause, ForfeitCause, Pause, Resumed, SeatLeft, SeatReady
from parlour.match._match import Match, Status
from parlour.match._plan import Plan

NOBODY = "nobody at the table could come back"


def wakes_at(match: Match) -> int | None:
    """When a `Tick` will next change the match; None when only a command can."""
    if match.pause is Pause.RESTART:
        return match.pause_until
    if match.status is not Status.LIVE or match.clock is None:
        return None
    deadline = match.clock.deadline()
    absence = _next_absence(match)
    if absence is not None and (deadline is None or absence[0] < deadline):
        return absence[0]
    return deadline


def tick(plan: Plan) -> None:
    """Carry out everything whose time has come, the earliest first."""
    if plan.match.pause is Pause.RESTART and plan.now >= plan.match.pause_until:
        _end_restart(plan)
    elif plan.match.status is Status.OPEN and plan.match.pause is None:
        plan.start_if_ready()  # a table that could not begin when it was ready, as in a drain
    while plan.match.status is Status.LIVE and plan.match.clock is not None:
        match, turn = plan.match, plan.match.turn
        deadline = plan.match.clock.deadline()
        absence = _next_absence(match)
        if absence is not None and (deadline is None or absence[0] < deadline):
            when, seat, cause = absence[0], absence[1], ForfeitCause.ABSENCE
        elif deadline is not None and turn is not None:
            when, seat, cause = deadline, turn, ForfeitCause.TIME
        else:
            return
        if plan.now < when:
            return
        plan.forfeit(seat, cause)


def restart(plan: Plan, until: int) -> None:
    """Stop the clocks for everybody; those who cannot be recognised again are out.

    Before the start an absence frees the seat, now as ever, unless its terms say otherwise.
    """
    plan.suspend(Pause.RESTART, until)
    if plan.match.status is Status.OPEN:
        sat = plan.match.players()
        for seat, player in sat:
            if not (player.terms.suspends or player.terms.rejoins):
                plan.add(SeatLeft(plan.now, seat))
        if sat and not plan.match.players():
            plan.abort(AbortCause.RESTART, NOBODY)
        return
    lost = [seat for seat, player in plan.match.players() if not player.terms.reclaims]
    playing = [seat for seat, _ in plan.match.players() if plan.match.playing(seat)]
    if playing and all(seat in lost for seat in playing):
        plan.abort(AbortCause.RESTART, NOBODY)
        return
    for seat in lost:
        if plan.match.playing(seat):
            plan.forfeit(seat, ForfeitCause.RESTART, "the service was restarted")


def _end_restart(plan: Plan) -> None:
    """The time to come back is over: the game goes on with those who did."""
    away = [seat for seat, player in plan.match.players() if player.away_since is not None]
    if plan.match.status is Status.OPEN:
        plan.add(Resumed(plan.now))
        for seat in away:
            plan.add(SeatLeft(plan.now, seat))
        if plan.match.players():
            plan.start_if_ready()
        elif away:
            plan.abort(AbortCause.RESTART, "nobody came back")
        else:
            plan.abort(AbortCause.EMPTY)
        return
    seats = [seat for seat in range(len(plan.match.seats)) if plan.match.playing(seat)]
    players = [player for seat in seats if (player := plan.match.seats[seat]) is not None]
    if all(player.terms.suspends for player in players):
        _wait_on(plan, Pause.ABSENCE)
    elif all(player.away_since is not None for player in players):
        plan.abort(AbortCause.RESTART, "nobody came back")
    elif len(players) < len(seats):
        _wait_on(plan, Pause.VACANCY)
    else:
        plan.add(Resumed(plan.now))


def _wait_on(plan: Plan, pause: Pause) -> None:
    """Stand still for another reason: nobody hears of that, so who is there and ready stays it."""
    stays = [
        seat
        for seat, player in plan.match.players()
        if player.ready and player.away_since is None and plan.match.playing(seat)
    ]
    plan.suspend(pause)
    for seat in stays:
        if not plan.match.player(seat).ready:
            plan.add(SeatReady(plan.now, seat))


def _next_absence(match: Match) -> tuple[int, Seat] | None:
    """The first moment at which an absent seat is lost."""
    first: tuple[int, Seat] | None = None
    for seat, player in enumerate(match.seats):
        if player is None or player.away_since is None or not match.playing(seat):
            continue
        lost = (player.away_since + player.terms.grace, seat)
        first = lost if first is None else min(first, lost)
    return first
