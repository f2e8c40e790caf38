/** How the page shows Go. */
import { html, nothing } from "lit";
import "../boards/go-board.ts";
import { words } from "../words.ts";
import { cellOf, leadOf, textsOf, type GameUi } from "./game-ui.ts";
import { pointName } from "./go.ts";

const LARGEST_SGF = 52; // lines: SGF names them a to z and A to Z

export const go: GameUi = {
  board: "go-board",
  canPass: true,
  searches: [{ size: 9 }, { size: 13 }, { size: 19 }],
  hasSgf: ({ size }) => Number(size) <= LARGEST_SGF,

  draw: (
    match,
    { shown, playable = false, blocked = "", confirm = false, thumbnail = false, onMove, onChoose },
  ) =>
    html`<go-board
      .size=${Number(match.options["size"])}
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
    ></go-board>`,

  optionsText: ({ size }) => words.times(Number(size), Number(size)),

  moveText({ options }, move) {
    if (move === "pass") return words.pass;
    const size = Number(options["size"]);
    const [x, y] = cellOf(move);
    return pointName(size, y * size + x);
  },

  seatName: ({ seats }, seat) => words.stones[seat] ?? seats[seat]?.name ?? "",

  sign(_, seat) {
    // On wood, as on the board: a black stone on a dark page looks like an empty ring.
    return html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="3" fill="light-dark(#e9c98f, #b8925a)" />
      <circle cx="8" cy="8" r="6.2" fill=${seat === 0 ? "#1d1c1f" : "#f8f6f1"} />
    </svg>`;
  },
};
