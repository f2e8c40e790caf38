/** Every game that the page can show, and how it shows one that it does not know. */
import { html } from "lit";
import { chineseCheckers } from "./chinese-checkers-ui.ts";
import type { GameUi } from "./game-ui.ts";
import { go } from "./go-ui.ts";
import { tictactoe } from "./tictactoe-ui.ts";

const GAMES = new Map<string, GameUi>([
  ["tictactoe", tictactoe],
  ["go", go],
  ["chinese_checkers", chineseCheckers],
]);

/** A game of another server: the server draws it, and moves are told as it writes them. */
const UNKNOWN: GameUi = {
  draw: ({ diagram }) => html`<pre>${diagram ?? ""}</pre>`,
  optionsText: () => "",
  moveText: (_, move) => move,
  seatName: ({ seats }, seat) => seats[seat]?.name ?? "",
  sign: (_, seat) =>
    html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="7" fill="#8d8779" />
      <text
        x="8"
        y="8.5"
        fill="#fff"
        font-size="9"
        text-anchor="middle"
        dominant-baseline="central"
      >
        ${seat + 1}
      </text>
    </svg>`,
};

export function uiOf(game: string): GameUi {
  return GAMES.get(game) ?? UNKNOWN;
}
