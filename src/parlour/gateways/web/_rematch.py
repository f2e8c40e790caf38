"""Another game with the same people: who offers it or does not want it, and what it becomes."""

from collections.abc import Callable

from msgspec import to_builtins
from msgspec.structs import replace

from parlour.games import Refusal, Seat
from parlour.gateways.web._declined import Declined
from parlour.gateways.web._session import REALM
from parlour.gateways.web._views import EndedView, OfferEnd, RematchView
from parlour.match import CreateMatch, Match, Newcomer, Status


def offer(
    match: Match, identity: str, so_far: RematchView | None, online: Callable[[str], bool]
) -> tuple[Seat, ...]:
    """The seats that want another game, that of `identity` included.

    Raises:
        Declined: NOT_SEATED, NOT_STARTED while the game goes on, UNAVAILABLE when it was called
            off, when somebody of another protocol would have to be asked or has gone,
            STREAM_EXISTS when all have offered.
    """
    seat = _seat(match, identity)
    if match.status is Status.ABORTED:
        raise Declined(Refusal.UNAVAILABLE, "the game was called off: seek the same game again")
    if match.status is not Status.OVER:
        raise Declined(Refusal.NOT_STARTED, "the game is not over")
    if not all(player.identity.startswith(REALM) for _, player in match.players()):
        raise Declined(
            Refusal.UNAVAILABLE, "the other player cannot be asked: seek the same game again"
        )
    offers = _open_offers(match, so_far)
    if not all(online(player.identity) for _, player in match.players()):
        raise Declined(Refusal.UNAVAILABLE, "the other player has gone")
    return tuple(sorted({*offers, seat}))


def unwanted(match: Match, identity: str, so_far: RematchView | None) -> RematchView | None:
    """What is left when `identity` wants no other game; None when nobody has offered one.

    One's own offer is withdrawn. Who has none declines those of all others: without them there
    is no game.

    Raises:
        Declined: NOT_SEATED, STREAM_EXISTS when all have offered.
    """
    seat = _seat(match, identity)
    offers = _open_offers(match, so_far)
    if not offers or seat in offers:
        return withdrawn(match, identity, so_far, OfferEnd.WITHDRAWN)
    return RematchView(ended=EndedView(seat, OfferEnd.DECLINED))


def withdrawn(
    match: Match, identity: str, so_far: RematchView | None, cause: OfferEnd
) -> RematchView | None:
    """What is left without the offer of `identity`; None when there is none, or it has begun."""
    if so_far is None or so_far.match is not None:
        return None
    seat = match.seat_of(identity)
    if seat is None or seat not in so_far.offers:
        return None
    left = tuple(one for one in so_far.offers if one != seat)
    return RematchView(left, ended=EndedView(seat, cause))


def rematch(
    stream: str,
    match: Match,
    lock: str,
    has_room: Callable[[str], bool],
) -> CreateMatch:
    """The match after `stream`: everybody moves on by one seat, and it begins at once.

    Raises:
        Declined: LIMIT, somebody sits at other tables.
    """
    players = match.players()
    if not all(has_room(player.identity) for _, player in players):
        raise Declined(Refusal.LIMIT, "the other player sits at too many tables already")
    count = len(players)
    newcomers = {
        (seat + 1) % count: Newcomer(
            player.identity,
            player.name,
            replace(player.terms, ready=True),
            (seat + 1) % count,
        )
        for seat, player in players
    }
    return CreateMatch(
        match.game.name,
        to_builtins(match.options),
        tuple(newcomers[seat] for seat in sorted(newcomers)),
        visibility=match.visibility,
        control=match.control,
        rematch_of=stream,
        lock=lock,
    )


def _seat(match: Match, identity: str) -> Seat:
    seat = match.seat_of(identity)
    if seat is None:
        raise Declined(Refusal.NOT_SEATED, "only those who played may do that")
    return seat


def _open_offers(match: Match, so_far: RematchView | None) -> tuple[Seat, ...]:
    offers = () if so_far is None else so_far.offers
    if len(offers) == len(match.seats):
        raise Declined(Refusal.STREAM_EXISTS, "the next game has begun already")
    return offers
