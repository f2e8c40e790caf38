/** What the page must know of a game to show its matches; the server knows the rules. */
import type { TemplateResult } from "lit";
import type { Match, Options } from "../api.ts";

export interface Drawing {
  /** How many moves are shown; left out, all of them. */
  shown?: number | undefined;
  seat?: number | null;
  playable?: boolean;
  /** Why nobody can move just now; empty when it is another's turn. */
  blocked?: string;
  confirm?: boolean;
  thumbnail?: boolean;
  onMove?: (event: CustomEvent<{ move: string }>) => void;
  onChoose?: (event: CustomEvent<{ move: string | null }>) => void;
}

export interface GameUi {
  /** The name of the board's element, a `Board`; left out where there is none. */
  board?: string;
  /** Whether the move `pass` has a button. */
  canPass?: boolean;
  /** With which options an opponent can be looked for, the usual ones first; left out, with none. */
  searches?: readonly Options[];
  /** Whether moves are too long for two columns. */
  longMoves?: boolean;
  /** Whether the server has a record in SGF of a game with these options. */
  hasSgf?: (options: Options) => boolean;
  draw(match: Match, drawing: Drawing): TemplateResult;
  /** The options as players say them: `9 × 9`, `4 in a row on 7 × 6`; `players` once it has begun. */
  optionsText(options: Options, players?: number): string;
  /** A move as the players of the game write it. */
  moveText(match: Match, move: string): string;
  /** What a seat is called in the game: Black, X, zone A. */
  seatName(match: Match, seat: number): string;
  /** The picture of a seat, an SVG of the class `sign`. */
  sign(match: Match, seat: number): TemplateResult;
}

/** The moves as text, the same array for the same moves, so that boards need not compare them. */
const texts = new WeakMap<Match["moves"], string[]>();

export function textsOf(match: Match): string[] {
  let moves = texts.get(match.moves);
  if (moves === undefined) texts.set(match.moves, (moves = match.moves.map(({ move }) => move)));
  return moves;
}

/** The seat that made, or will make, the first move. */
export function leadOf({ moves, situation, options }: Match): number {
  return moves[0]?.seat ?? situation.turn ?? (options["first"] === "o" ? 1 : 0);
}

/** Column and row of a cell `x,y`. */
export function cellOf(move: string): [number, number] {
  return move.split(",").map(Number) as [number, number];
}
