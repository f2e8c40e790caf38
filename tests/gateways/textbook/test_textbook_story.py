"""A session through whole matches: whatever happens, chopped bytes lead to what whole ones do."""

import itertools
import struct
from collections import deque
from collections.abc import Sequence
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from parlour.games import Refusal, Refused
from parlour.gateways import Close, Effect, Effects, Note, Submit, Wake, Write
from parlour.gateways.textbook import TextbookSession
from parlour.gateways.textbook._session import TERMS
from parlour.host import Recorded
from parlour.match import GoAway, MovePlayed, PlayMove
from parlour.wire import WireError
from parlour.wire.textbook import ClientCodec, Move, Result, Role, Start
from tests.match.tables import MATCHES, Table

NOW = 1_000_000
Step = bytes | PlayMove | GoAway | bool
"""Bytes of the player, a command of the other player, or whether the store fails from now on."""


class Story:
    """Player 1's session at a table with somebody else; the commands it asks for are decided."""

    def __init__(self) -> None:
        self.table = Table.of(TERMS, TERMS)
        self.session = TextbookSession("a", "a", turn_limit=0)
        self.failing = False
        self.retries = False
        self.said: list[Effect] = []
        self._begin()

    def _begin(self) -> None:
        self.carry_out(self.session.connected(NOW))
        self.carry_out(self.session.waiting(NOW))
        self.carry_out(self.session.paired("match-1", NOW))
        state, records = None, []
        for version, data in enumerate(self.table.log, 1):
            event = MATCHES.decode(data)
            state = MATCHES.evolve(state, event)
            records.append(Recorded("match-1", version, event, state))
        self.carry_out(self.session.followed(records, NOW))

    def happens(self, step: Step, cuts: Sequence[int] = ()) -> None:
        """One step; bytes arrive in pieces, cut at `cuts`."""
        if isinstance(step, bytes):
            edges = sorted({0, len(step), *(cut for cut in cuts if cut < len(step))})
            for begin, end in itertools.pairwise(edges):
                self.carry_out(self.session.received(step[begin:end], NOW))
        elif isinstance(step, bool):
            self.failing = step
            if self.retries and not step:
                self.retries = False
                self.carry_out(self.session.woken(NOW))
        elif not self.failing:
            self.carry_out(self._decided(step))

    def carry_out(self, effects: Effects) -> None:
        """Everything that follows from effects, in order."""
        todo = deque(effects)
        while todo:
            effect = todo.popleft()
            if isinstance(effect, Submit):
                todo += self._asked(effect.command)
            elif isinstance(effect, Wake):
                self.retries = True
            elif isinstance(effect, Write | Close | Note):
                self.said.append(effect)

    def _asked(self, command: Any) -> Effects:
        if self.failing:
            no = Refused(Refusal.UNAVAILABLE, "no space left")
            return self.session.refused(command, no, NOW)
        return self._decided(command)

    def _decided(self, command: Any) -> Effects:
        state = self.table.match
        version = len(self.table.log)
        try:
            events = self.table.does(command)
        except Refused as no:
            mine = getattr(command, "by", "") == "a"
            return self.session.refused(command, no, NOW) if mine else ()
        records = []
        for number, event in enumerate(events, version + 1):
            state = MATCHES.evolve(state, event)
            records.append(Recorded("match-1", number, event, state))
        return self.session.followed(records, NOW)


on_board = st.integers(0, 2)
anywhere = st.sampled_from([0, 1, 2, 3, -1, 2**31 - 1])
pair = struct.Struct(">ii").pack
steps: st.SearchStrategy[Step] = st.one_of(
    st.builds(pair, on_board, on_board),
    st.builds(lambda x, y: PlayMove("b", f"{x},{y}"), on_board, on_board),
    st.booleans(),
    st.builds(pair, on_board, on_board),
    st.builds(lambda x, y: PlayMove("b", f"{x},{y}"), on_board, on_board),
    st.just(GoAway("b")),
    st.lists(st.builds(pair, anywhere, on_board), max_size=6).map(b"".join),
    st.binary(max_size=12),
)
stories = st.lists(st.tuples(steps, st.lists(st.integers(1, 47), max_size=4)), max_size=12)


@given(stories)
def test_pieces_give_the_same_match_and_the_same_answers(
    story: list[tuple[Step, list[int]]],
) -> None:
    whole, chopped = Story(), Story()
    for step, cuts in story:
        whole.happens(step)
        chopped.happens(step, cuts)
    assert chopped.said == whole.said
    assert chopped.table.log == whole.table.log


@settings(max_examples=150)
@example([(pair(0, 0), []), (PlayMove("b", "1,1"), []), (GoAway("b"), [])])
@example([(True, []), (pair(0, 0), []), (False, []), (PlayMove("b", "1,1"), [])])
@given(stories)
def test_every_move_is_played_or_loses_and_the_client_understands_all_it_hears(
    story: list[tuple[Step, list[int]]],
) -> None:
    played = Story()
    for step, cuts in story:
        played.happens(step, cuts)
    played.happens(False)  # the store works in the end

    events = [MATCHES.decode(data) for data in played.table.log]
    moves = [one for one in events if isinstance(one, MovePlayed)]
    closes = [index for index, one in enumerate(played.said) if isinstance(one, Close)]
    if closes:
        assert closes == [len(played.said) - 1]
    else:
        sent = sum(len(step) for step, _ in story if isinstance(step, bytes)) // 8
        assert played.table.state.outcome is None
        assert len([one for one in moves if one.seat == 0]) == sent

    heard = b"".join(one.data for one in played.said if isinstance(one, Write))
    messages = ClientCodec().feed(heard)
    assert messages[:2] == [Role(1), Start(1)]
    told = [f"{one.column},{one.row}" for one in messages if isinstance(one, Move)]
    others = [one.move for one in moves if one.seat == 1]
    # Who loses by a fault may hear the last move again; who spoke no protocol hears no more.
    assert told in (others, [*others, *others[-1:]]) or (closes and told == others[: len(told)])
    results = [one.status for one in messages if isinstance(one, Result) and one.status != 4]
    assert not any(isinstance(one, WireError) for one in messages)
    outcome = played.table.state.outcome
    if outcome is not None and results:
        assert results == [3 if outcome.winner is None else outcome.winner + 1]
