/** How the page shows Chinese checkers. */
import { html, nothing } from "lit";
import type { Match } from "../api.ts";
import "../boards/chinese-checkers-board.ts";
import { LETTER_COLOUR, ZONE_COLOURS } from "../boards/zone-colours.ts";
import { words } from "../words.ts";
import { ZONES, type Departure, type Zone } from "./chinese-checkers.ts";
import { textsOf, type GameUi } from "./game-ui.ts";

/**
 * Who has left the board, and when. Whoever gave up last keeps their place on it: a game that is
 * over is shown as it was played.
 */
function departures({ forfeits, outcome }: Match): Departure[] {
  const gone = outcome?.causes.includes("last-standing") ? forfeits.slice(0, -1) : forfeits;
  return gone.map(({ seat, after_moves: after }) => ({ seat, after }));
}

export const chineseCheckers: GameUi = {
  board: "chinese-checkers-board",
  longMoves: true,

  draw: (
    match,
    { shown, seat, playable = false, blocked = "", confirm = false, thumbnail = false, ...on },
  ) =>
    html`<chinese-checkers-board
      .zones=${match.start ? match.seats.map(({ name }) => name as Zone) : ZONES}
      .start=${match.start ?? []}
      .seat=${match.start ? (seat ?? undefined) : undefined}
      .departures=${departures(match)}
      .moves=${textsOf(match)}
      .shown=${shown}
      .playable=${playable}
      .blocked=${blocked}
      .confirm=${confirm}
      .thumbnail=${thumbnail}
      @move=${on.onMove ?? nothing}
      @choose=${on.onChoose ?? nothing}
    ></chinese-checkers-board>`,

  optionsText: ({ players }, seated = 0) => words.forPlayers(Number(players) || seated),

  moveText(_, move) {
    const cells = move.split(">");
    return `${cells[0]} → ${cells.at(-1)}`;
  },

  seatName({ seats }, seat) {
    const name = seats[seat]?.name ?? "";
    return name && words.zone(name);
  },

  sign({ seats }, seat) {
    const name = seats[seat]?.name ?? "";
    return html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="7" fill=${ZONE_COLOURS[name] ?? "#8d8779"} />
      <text
        x="8"
        y="8.5"
        fill=${LETTER_COLOUR}
        font-size="9"
        font-weight="650"
        text-anchor="middle"
        dominant-baseline="central"
      >
        ${name}
      </text>
    </svg>`;
  },
};
