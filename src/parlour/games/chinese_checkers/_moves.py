"""How pieces move: every move of a side, and whether a given path is one."""

import re

from parlour.games import Refusal, Refused, malformed
from parlour.games.chinese_checkers._star import (
    BY_NAME,
    CELLS,
    EVERYWHERE,
    HOPS,
    LEGS,
    NAMES,
    NEIGHBOURS,
    STEPS,
    WITHIN_REACH,
    numbers,
)

LONGEST_PATH = len(CELLS)
NUMBER = r"(?:0|-?[1-9][0-9]{0,2})"
PATH = re.compile(rf"{NUMBER},{NUMBER}(?:>{NUMBER},{NUMBER})*")


def find_moves(own: int, occupied: int) -> list[str]:
    """One shortest path for every (start, end) that the pieces in `own` can reach.

    A chain of hops keeps both coordinates even relative to its start, so it never ends where a
    step does, and never stands beside the start, which therefore cannot be hopped over.
    """
    moves: list[str] = []
    for start in numbers(own):
        moves += STEPS[start][occupied & NEIGHBOURS[start]]
        unseen = EVERYWHERE ^ occupied
        chain = [(start, NAMES[start])]
        for here, path in chain:
            for landing, there, text in HOPS[here][occupied & NEIGHBOURS[here]]:
                if unseen & landing:
                    unseen ^= landing
                    longer = path + text
                    moves.append(longer)
                    chain.append((there, longer))
    return moves


def can_move(own: int, occupied: int) -> bool:
    """Whether any piece in `own` has a move.

    Where no neighbour is free, every neighbour can be hopped over, so a free cell within reach
    is enough either way.
    """
    free = EVERYWHERE ^ occupied
    return any(WITHIN_REACH[cell] & free for cell in numbers(own))


def follow(move: str, own: int, occupied: int) -> int:
    """The start and the end of the path, as a bit board of two cells.

    Revisiting a cell within a chain is allowed; so is landing on the start, which is empty
    from the first hop on, except as the end.

    Raises:
        Refused: MALFORMED_MOVE when the text is not canonical; ILLEGAL_MOVE, with the number
            of the hop that fails, when the path is not a move of a piece in `own`.
    """
    names = move.split(">")
    try:
        path = [BY_NAME[name] for name in names]
    except KeyError:
        raise _off_the_board(move, names) from None
    here = first = path[0]
    if not own >> first & 1:
        whose = "another player's piece" if occupied >> first & 1 else "no piece"
        raise _illegal(f"{whose} stands on {names[0]}")
    if not 1 < len(path) <= LONGEST_PATH:
        raise _illegal(f"a path has 2 to {LONGEST_PATH} cells, not {len(path)}")
    standing = occupied ^ 1 << first
    for hop, there in enumerate(path[1:], 1):
        over = LEGS[here].get(there)
        if (
            over is None
            or standing >> there & 1
            or (not standing & over if over else len(path) > 2)
        ):
            raise _illegal(f"hop {hop} {_fault(here, there, over, standing)}")
        here = there
    if here == first:
        raise _illegal(f"the path ends on {names[0]}, where it began")
    return 1 << first | 1 << here


def _fault(here: int, there: int, over: int | None, standing: int) -> str:
    """What is wrong with one leg of a path, which `follow` has found to be wrong."""
    leg = f"from {NAMES[here]} to {NAMES[there]}"
    if over is None:
        return f"{leg} is neither a step nor over one adjacent piece"
    if standing >> there & 1:
        return f"lands on an occupied cell {NAMES[there]}"
    if over:
        return f"{leg} has no piece to jump over on {NAMES[over.bit_length() - 1]}"
    return f"{leg} is a step, and a move is one step or only hops"


def _off_the_board(move: str, names: list[str]) -> Refused:
    if PATH.fullmatch(move) is None:
        return malformed(move, "x,y>x,y and so on as in -4,5>-4,4")
    hop = next(index for index, name in enumerate(names) if name not in BY_NAME)
    what = f"hop {hop} lands on" if hop else "the path starts on"
    return _illegal(f"{what} {names[hop]}, which is off the board")


def _illegal(detail: str) -> Refused:
    return Refused(Refusal.ILLEGAL_MOVE, detail)
