"""The owner's side of a room: its configuration (proto-XEP, "Owner Use Cases")."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from parlour.gateways.mug._config import RoomConfig, config_fields, read_config
from parlour.gateways.mug._keeper import Keeper
from parlour.gateways.mug._refusals import refuse
from parlour.gateways.mug._room_commands import CloseRoom, Configure
from parlour.gateways.mug._room_events import Affiliation, Closure
from parlour.gateways.mug._tables import open_to_all, seated, table
from parlour.match import AbortCause, AbortMatch
from parlour.wire.mug import (
    DATA_FORMS,
    MATCH_CONFIG,
    OWNER,
    ROOM_CONFIG,
    Condition,
    FormError,
    Node,
    Stanza,
    Submitted,
    bare,
    form,
    option_fields,
    read_form,
    read_options,
)

ROOM_FORMS = ("", ROOM_CONFIG, MATCH_CONFIG)  # the text uses both names, and real clients none
EMPTY = Submitted("submit", "", {})


class Wanted(Struct, frozen=True):
    """A configuration that was submitted and is acceptable."""

    config: RoomConfig
    options: dict[str, Any]


def owner_query(keeper: Keeper, stanza: Stanza) -> None:
    """A question or an order in the owner's namespace."""
    outbox = keeper.house.outbox
    query = stanza.child("query", OWNER)
    assert query is not None
    if keeper.room.affiliation(bare(stanza.sender)) is not Affiliation.OWNER:
        outbox.refuse(stanza, Condition.FORBIDDEN, "only the owner may")
    elif query.child("item", OWNER) is not None:
        outbox.refuse(stanza, Condition.FEATURE_NOT_IMPLEMENTED, "lists come later")
    elif stanza.type == "get":
        keeper.house.answer_charged(stanza, partial(_options_form, keeper))
    elif any(one.name == "state" for one in query.elements()):
        outbox.refuse(stanza, Condition.FEATURE_NOT_IMPLEMENTED, "set-up states come later")
    else:
        _submitted(keeper, stanza, query)


def _options_form(keeper: Keeper) -> Node:
    """The form; empty options while a match goes on."""
    room, play = keeper.room, keeper.view.play
    if keeper.view.status() not in ("created", "inactive"):
        return Node("query", OWNER, children=(Node("options", OWNER),))
    room_form = form(
        "form",
        config_fields(room.config),
        form_type=ROOM_CONFIG,
        title=f"Configuration for {keeper.view.address}",
        instructions="To select a different configuration, please complete this form.",
    )
    game_form = form(
        "form",
        option_fields(play.game.options, room.options, play.config_prefix),
        form_type=play.config_type,
        title=f"Configuration for {play.game.title}",
        instructions="To select a different configuration, please complete this form.",
    )
    game_options = Node("options", play.namespace, children=(game_form,))
    options = Node("options", OWNER, children=(room_form, game_options))
    return Node("query", OWNER, children=(options,))


def _submitted(keeper: Keeper, stanza: Stanza, query: Node) -> None:
    outbox = keeper.house.outbox
    options = query.child("options", OWNER) or query
    x = options.child("x", DATA_FORMS)
    game = options.child("options", keeper.view.play.namespace)
    game_x = game.child("x", DATA_FORMS) if game is not None else None
    if x is None and game_x is None:
        outbox.refuse(stanza, Condition.BAD_REQUEST, "there is no form in it")
        return
    try:
        room_form = EMPTY if x is None else read_form(x)
        game_form = EMPTY if game_x is None else read_form(game_x)
        if "cancel" in (room_form.type, game_form.type):
            _cancel(keeper, stanza)
            return
        wanted = _wanted(keeper, room_form, game_form)
    except FormError as error:
        outbox.refuse(stanza, Condition.NOT_ACCEPTABLE, str(error))
        return
    if keeper.view.status() in ("created", "inactive"):
        _configure(keeper, stanza, wanted)
    else:
        outbox.refuse(stanza, Condition.NOT_ALLOWED, "a match is going on")


def _wanted(keeper: Keeper, room_form: Submitted, game_form: Submitted) -> Wanted:
    play, room = keeper.view.play, keeper.room
    for submitted, form_types in (
        (room_form, ROOM_FORMS),
        (game_form, ("", play.config_type)),
    ):
        if submitted.type != "submit":
            raise FormError(f"the form is of type {submitted.type!r}, not submit")
        if submitted.form_type not in form_types:
            raise FormError(f"FORM_TYPE is {submitted.form_type!r}, not {form_types[1]}")
    options = read_options(play.game.options, room.options, game_form, play.config_prefix)
    return Wanted(read_config(room.config, room_form), options)


def _cancel(keeper: Keeper, stanza: Stanza) -> None:
    """Of the first configuration: the room goes. Of a later one: all stays as it was."""
    if keeper.room.configured:
        keeper.house.outbox.answer(stanza)
        return
    close = CloseRoom(Closure.CANCELLED)
    accept = partial(keeper.house.outbox.answer, stanza)
    keeper.asking.submit(keeper.stream, close, partial(refuse, keeper, stanza), accept)


def _configure(keeper: Keeper, stanza: Stanza, wanted: Wanted) -> None:
    if not keeper.house.admits(stanza):
        return
    no = partial(refuse, keeper, stanza)

    def accept() -> None:
        keeper.house.outbox.answer(stanza)
        keeper.house.charge(stanza, len(keeper.room.sessions))

    by = bare(stanza.sender)
    configure = Configure(by, wanted.config, wanted.options)
    after = replace(keeper.room, config=wanted.config, options=wanted.options)
    match = keeper.view.match
    if match is None or _same_table(keeper, after.options, wanted.config):
        keeper.asking.submit(keeper.stream, configure, no, accept)
        return
    # The waiting table has the old options: another one takes its place, with the same players.
    stream = keeper.house.host.name("match")
    why = "the room was configured differently"
    abort = AbortMatch(AbortCause.OPERATOR, why, only_waiting=True)
    commands = [
        (keeper.stream, replace(configure, reopened=stream)),
        (keeper.room.match, abort),
        (stream, table(after, seated(after, match, keeper.house.options.grace))),
    ]
    keeper.asking.submit_together(commands, no, accept)


def _same_table(keeper: Keeper, options: Mapping[str, Any], config: RoomConfig) -> bool:
    before = keeper.room
    return options == before.options and open_to_all(config) == open_to_all(before.config)
