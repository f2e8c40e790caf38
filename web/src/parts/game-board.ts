/** The board of a match, whichever game it is. */
import { html, nothing, type TemplateResult } from "lit";
import type { Match } from "../api.ts";
import { ZONES, type Zone } from "../games/chinese-checkers.ts";
import "../boards/chinese-checkers-board.ts";
import "../boards/go-board.ts";
import "../boards/tictactoe-board.ts";

export interface Drawing {
  /** How many moves are shown; left out, all of them. */
  shown?: number | undefined;
  seat?: number | null;
  playable?: boolean;
  confirm?: boolean;
  thumbnail?: boolean;
  onMove?: (event: CustomEvent<{ move: string }>) => void;
  onChoose?: (event: CustomEvent<{ move: string | null }>) => void;
}

/** The moves as text, the same array for the same moves, so that boards need not compare them. */
const texts = new WeakMap<Match["moves"], string[]>();

function textsOf(match: Match): string[] {
  let moves = texts.get(match.moves);
  if (moves === undefined) texts.set(match.moves, (moves = match.moves.map(({ move }) => move)));
  return moves;
}

/** The seat that made, or will make, the first move. */
function leadOf({ moves, situation, options }: Match): number {
  return moves[0]?.seat ?? situation.turn ?? (options["first"] === "o" ? 1 : 0);
}

export function drawMatch(match: Match, drawing: Drawing = {}): TemplateResult {
  const {
    shown,
    seat,
    playable = false,
    confirm = false,
    thumbnail = false,
    onMove,
    onChoose,
  } = drawing;
  const { options } = match;
  switch (match.game) {
    case "go":
      return html`<go-board
        .size=${Number(options["size"])}
        .start=${match.start}
        .lead=${leadOf(match)}
        .moves=${textsOf(match)}
        .shown=${shown}
        .playable=${playable}
        .confirm=${confirm}
        .thumbnail=${thumbnail}
        @move=${onMove ?? nothing}
        @choose=${onChoose ?? nothing}
      ></go-board>`;
    case "tictactoe":
      return html`<tictactoe-board
        .rows=${Number(options["rows"])}
        .cols=${Number(options["cols"])}
        .strike=${Number(options["strike"])}
        .start=${match.start}
        .lead=${leadOf(match)}
        .moves=${textsOf(match)}
        .shown=${shown}
        .playable=${playable}
        .confirm=${confirm}
        .thumbnail=${thumbnail}
        @move=${onMove ?? nothing}
        @choose=${onChoose ?? nothing}
      ></tictactoe-board>`;
    case "chinese_checkers":
      return html`<chinese-checkers-board
        .zones=${match.start ? match.seats.map(({ name }) => name as Zone) : ZONES}
        .start=${match.start ?? []}
        .seat=${match.start ? (seat ?? undefined) : undefined}
        .departures=${match.forfeits.map((one) => ({ seat: one.seat, after: one.after_moves }))}
        .moves=${textsOf(match)}
        .shown=${shown}
        .playable=${playable}
        .confirm=${confirm}
        .thumbnail=${thumbnail}
        @move=${onMove ?? nothing}
        @choose=${onChoose ?? nothing}
      ></chinese-checkers-board>`;
    default:
      return html`<pre>${match.diagram ?? ""}</pre>`;
  }
}
