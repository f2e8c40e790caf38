"""How one fact changes a match. Facts are not judged again: what is recorded has happened.

What names seats that cannot be meant was recorded by no version of this program: such a stream
cannot be read, which is better than every session failing over a state that cannot be.
"""

from collections.abc import Sequence
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from parlour.games import Seat
from parlour.match._clock import Clock, TimeControl
from parlour.match._events import (
    Event,
    MatchAborted,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    Pause,
    Resumed,
    SeatAway,
    SeatBack,
    SeatForfeited,
    SeatLeft,
    SeatReady,
    SeatTaken,
    Suspended,
)
from parlour.match._match import Match, Player, Status
from parlour.match._rulebook import Rulebook
from parlour.match._terms import Terms

# What it costs to have left the table, to have been away and back, and to have said ready.
LEFT, CAME_BACK, SAID_READY = 100, 10, 2
CALM: dict[str, int] = {}


def evolve(match: Match | None, event: Event, rules: Rulebook) -> Match:
    """The match after `event`; None is the match before its first event.

    Raises:
        ValueError, LookupError, Refused: no match can have come to that.
    """
    if type(event) is MovePlayed and match is not None:
        return _moved(match, event, rules)
    if isinstance(event, MatchCreated):
        if match is not None:
            raise ValueError(f"a match is created once: {event!r}")
        return _created(event, rules)
    if match is None:
        raise ValueError(f"a match begins with MatchCreated, not {event!r}")
    assert not isinstance(event, MovePlayed)
    lived = match.at
    match = replace(match, version=match.version + 1, at=event.at)
    if isinstance(event, SeatTaken | SeatLeft | SeatReady | SeatAway | SeatBack):
        return _seat_changed(match, event)
    match event:
        case MatchStarted():
            return _started(match, event, rules)
        case Suspended():
            return _suspended(match, event, lived)
        case Resumed():
            return _resumed(match, event.at)
        case SeatForfeited():
            return _forfeited(match, event)
        case MatchEnded():
            return _ended(match, event)
        case MatchAborted():
            return _finished(match, event.at, Status.ABORTED)
        case _:
            assert_never(event)


def _created(event: MatchCreated, rules: Rulebook) -> Match:
    game = rules.games[event.game]
    options: Any = msgspec.convert(event.options, game.options)
    return Match(
        game=game,
        options=options,
        room=event.room,
        visibility=event.visibility,
        control=event.control,
        opening=event.opening,
        seats=(None,) * game.capacity(options),
        at=event.at,
    )


def _moved(match: Match, event: MovePlayed, rules: Rulebook) -> Match:
    if match.position is None or match.clock is None:
        raise ValueError(f"a move before the start: {event!r}")
    if event.seat != match.position.turn:
        raise ValueError(f"a move of seat {event.seat}, not of {match.position.turn}: {event!r}")
    position = rules.play(match.position, event.move)
    return replace(
        match,
        version=match.version + 1,
        at=event.at,
        position=position,
        clock=match.clock.pressed(event.at, position.turn),
        unrest=CALM,
    )


def _seat_changed(
    match: Match, event: SeatTaken | SeatLeft | SeatReady | SeatAway | SeatBack
) -> Match:
    seat = event.seat
    _check_seat(match, event)
    match = _stirred(match, event)
    match event:
        case SeatTaken():
            if match.seats[seat] is not None:
                raise ValueError(f"somebody sits there: {event!r}")
            terms = event.terms
            player = Player(event.identity, event.name, terms, match.version, terms.ready)
            return match.with_player(seat, player)
        case SeatLeft():
            return match.with_player(seat, None)
        case SeatReady():
            return match.with_player(seat, replace(match.player(seat), ready=event.ready))
        case SeatAway():
            return match.with_player(seat, replace(match.player(seat), away_since=event.at))
        case SeatBack():
            player = match.player(seat)
            ready = player.ready or player.terms.ready
            return match.with_player(seat, replace(player, ready=ready, away_since=None))
        case _:
            assert_never(event)


def _stirred(match: Match, event: SeatTaken | SeatLeft | SeatReady | SeatAway | SeatBack) -> Match:
    """The match with those facts counted without which none of the others could go on for ever.

    To be ready no longer costs nothing: the room says it of a player when somebody else sits down.
    """
    player = match.seats[event.seat]
    match event:
        case SeatTaken() | SeatAway() | SeatReady(ready=False):
            return match
        case SeatLeft():
            cost = LEFT
        case SeatBack():
            cost = CAME_BACK
        case SeatReady():
            cost = SAID_READY
        case _:
            assert_never(event)
    if player is None:
        return match
    before = match.unrest.get(player.identity, 0)
    return replace(match, unrest={**match.unrest, player.identity: before + cost})


def _check_seat(
    match: Match, event: SeatTaken | SeatLeft | SeatReady | SeatAway | SeatBack | SeatForfeited
) -> None:
    if not 0 <= event.seat < len(match.seats):
        raise ValueError(f"there are {len(match.seats)} seats: {event!r}")


def _started(match: Match, event: MatchStarted, rules: Rulebook) -> Match:
    taken = dict(match.players())
    if sorted(event.seating) != [*taken] or not match.game.can_start(match.options, len(taken)):
        raise ValueError(f"those at the table cannot have begun so: {event!r}")
    seats = tuple(taken[seat] for seat in event.seating)
    position = match.game.start(match.options, len(seats))
    for move in match.opening:
        position = rules.play(position, move)
    control = _limited(match.control, [player.terms for player in seats])
    clock = Clock.of(control, len(seats)).started(event.at, position.turn)
    return replace(
        match,
        seats=seats,
        control=control,
        status=Status.LIVE,
        position=position,
        clock=clock,
        pause=None,
        pause_until=0,
        unrest=CALM,
    )


def _limited(control: TimeControl, terms: Sequence[Terms]) -> TimeControl:
    if not any(one.suspends for one in terms):
        for one in terms:
            control = control.within(one.turn_limit)
    return control


def _suspended(match: Match, event: Suspended, lived: int) -> Match:
    """After a restart the clock has stopped with the last run of the service.

    When that was nobody knows; the time since the event before, at `lived`, costs no player.
    """
    restart = event.pause is Pause.RESTART
    seats = tuple(
        player and (_away(player, event.at) if restart else _unready(player))
        for player in match.seats
    )
    return replace(
        match,
        seats=seats,
        status=Status.SUSPENDED if match.status.started else match.status,
        clock=match.clock and match.clock.stopped(lived if restart else event.at),
        pause=event.pause,
        pause_until=event.until,
    )


def _away(player: Player, at: int) -> Player:
    return player if player.away_since is not None else replace(player, away_since=at)


def _unready(player: Player) -> Player:
    """Everybody says again that the game may go on, except those who need not say it."""
    return replace(player, ready=player.terms.ready)


def _resumed(match: Match, at: int) -> Match:
    """Absences count from now on: nobody's grace ran while the game stood still."""
    seats = tuple(
        player and (player if player.away_since is None else replace(player, away_since=at))
        for player in match.seats
    )
    return replace(
        match,
        seats=seats,
        status=Status.LIVE if match.status.started else match.status,
        clock=match.clock and match.clock.started(at, match.turn),
        pause=None,
        pause_until=0,
    )


def _forfeited(match: Match, event: SeatForfeited) -> Match:
    if match.position is None or match.clock is None:
        raise ValueError(f"a seat lost before the start: {event!r}")
    _check_seat(match, event)
    before: Seat | None = match.position.turn
    position = match.position.without(event.seat)
    clock = match.clock
    if position.turn != before and match.status is Status.LIVE:
        clock = clock.pressed(event.at, position.turn)
    elif position.turn != before:
        clock = replace(clock, spent=0)
    return replace(match, position=position, clock=clock)


def _ended(match: Match, event: MatchEnded) -> Match:
    outcome, seats = event.outcome, list(range(len(match.seats)))
    ranked = sorted(seat for group in outcome.ranking for seat in group)
    if match.position is None or ranked != seats or len(outcome.causes) != len(seats):
        raise ValueError(f"no outcome for {len(seats)} seats that played: {event!r}")
    return _finished(replace(match, outcome=outcome), event.at, Status.OVER)


def _finished(match: Match, at: int, status: Status) -> Match:
    return replace(match, status=status, clock=match.clock and match.clock.stopped(at), pause=None)
