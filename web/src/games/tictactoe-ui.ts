/** How the page shows tic-tac-toe. */
import { html, nothing, svg } from "lit";
import { MARK_COLOURS } from "../boards/mark-colours.ts";
import "../boards/tictactoe-board.ts";
import { words } from "../words.ts";
import { cellOf, leadOf, textsOf, type GameUi } from "./game-ui.ts";

export const tictactoe: GameUi = {
  board: "tictactoe-board",
  searches: [{}],

  draw: (
    match,
    { shown, playable = false, blocked = "", confirm = false, thumbnail = false, onMove, onChoose },
  ) =>
    html`<tictactoe-board
      .rows=${Number(match.options["rows"])}
      .cols=${Number(match.options["cols"])}
      .strike=${Number(match.options["strike"])}
      .start=${match.start}
      .lead=${leadOf(match)}
      .moves=${textsOf(match)}
      .shown=${shown}
      .playable=${playable}
      .blocked=${blocked}
      .confirm=${confirm}
      .thumbnail=${thumbnail}
      @move=${onMove ?? nothing}
      @choose=${onChoose ?? nothing}
    ></tictactoe-board>`,

  optionsText: ({ rows, cols, strike }) =>
    `${words.times(Number(cols), Number(rows))}, ${strike} in a row`,

  moveText(_, move) {
    const [x, y] = cellOf(move);
    return `${String.fromCharCode(97 + x)}${y + 1}`;
  },

  seatName: ({ seats }, seat) => words.marks[seat] ?? seats[seat]?.name ?? "",

  sign: (_, seat) =>
    html`<svg
      class="sign"
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke-width="2.4"
      stroke-linecap="round"
    >
      ${seat === 0 ? svg`<path stroke=${MARK_COLOURS[0]} d="M3 3l10 10M13 3L3 13"/>` : svg`<circle stroke=${MARK_COLOURS[1]} cx="8" cy="8" r="5.4"/>`}
    </svg>`,
};
