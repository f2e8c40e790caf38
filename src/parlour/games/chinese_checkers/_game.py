"""The constants of Chinese checkers."""

from parlour.games import Seating
from parlour.games.chinese_checkers._options import COUNTS, MOST, Options
from parlour.games.chinese_checkers._position import Position
from parlour.games.chinese_checkers._star import HOMES

# RUC course network protocol, START_GAME_OP: the course deals 2, 3 and 6. Four sit as two
# opposite pairs; five leave F empty.
DEALT = {2: "AD", 3: "ACE", 4: "ABDE", 5: "ABCDE", 6: "ABCDEF"}


class ChineseCheckers:
    """Two to six zones; seats in the order A to F, which is the order of turns."""

    name = "chinese_checkers"
    title = "Chinese checkers"
    options = Options
    seating = Seating.AT_START

    def capacity(self, options: Options) -> int:
        return options.players or MOST

    def can_start(self, options: Options, players: int) -> bool:
        if options.players:
            return players == options.players
        return players in COUNTS[options.player_counts]

    def seat_names(self, options: Options, players: int) -> tuple[str, ...]:
        return tuple(DEALT[players])

    def start(self, options: Options, players: int) -> Position:
        zones = self.seat_names(options, players)
        return Position(options, zones, tuple(HOMES[zone] for zone in zones))
