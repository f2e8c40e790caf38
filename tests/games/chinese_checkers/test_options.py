"""What the options accept, constructed and decoded alike."""

from typing import Any

import msgspec
import pytest

from parlour.games.chinese_checkers import Options

WRONG: list[dict[str, Any]] = [
    {"players": 1},
    {"players": 7},
    {"players": -1},
    {"players": 5, "player_counts": "2,3,6"},
    {"player_counts": "2"},
    {"blocked_target": "none"},
    {"max_rounds": 0},
    {"max_rounds": 10_001},
]


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_options_are_refused_however_they_come(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w+ is .*, not "):
        Options(**wrong)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


def test_right_options_are_read() -> None:
    right = {"players": 6, "player_counts": "2,3,6", "blocked_target": "full", "max_rounds": 9}
    assert msgspec.convert(right, Options) == Options(6, "2,3,6", "full", 9)
    assert msgspec.convert({}, Options) == Options(0, "2-6", "strict", 500)
