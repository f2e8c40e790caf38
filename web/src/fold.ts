/** A match is a fold of its events, here as on the server; no rule of a game is needed. */
import type { Cells, Changes, Control, Match, Outcome, Seat, Situation } from "./api.ts";

interface Happened {
  version: number;
  at: number;
  situation: Situation;
  seats?: Seat[];
}

export type MatchEvent = Happened &
  (
    | { type: "seat-taken" | "seat-left" | "away" | "back"; seat: number }
    | { type: "ready"; seat: number; ready: boolean }
    | {
        type: "started";
        start: Cells | null;
        captured: number[] | null;
        diagram: string | null;
        control: Control;
      }
    | {
        type: "move";
        seat: number;
        move: string;
        set: Changes | null;
        captured: number[] | null;
        diagram: string | null;
      }
    | { type: "suspended" | "resumed" }
    | {
        type: "forfeited";
        seat: number;
        cause: string;
        detail: string;
        set: Changes | null;
        diagram: string | null;
      }
    | { type: "ended"; outcome: Outcome }
    | { type: "aborted"; cause: string; detail: string }
  );

/** The match after `event`, which is the next one. */
export function fold(match: Match, event: MatchEvent): Match {
  const { version, at, situation, seats = match.seats } = event;
  const next = { ...match, version, situation, seats };
  switch (event.type) {
    case "started":
      return {
        ...next,
        start: event.start,
        board: event.start,
        captured: event.captured,
        diagram: event.diagram,
        control: event.control,
        started_at: at,
      };
    case "move": {
      const { seat, move, set, captured, diagram } = event;
      const moves = [...match.moves, { seat, move, at, set }];
      return { ...next, moves, captured, diagram, board: changed(match.board, set) };
    }
    case "forfeited": {
      const { seat, cause, detail, set, diagram } = event;
      const forfeit = { seat, cause, detail, at, set, after_moves: match.moves.length };
      return {
        ...next,
        forfeits: [...match.forfeits, forfeit],
        diagram,
        board: changed(match.board, set),
      };
    }
    case "ended":
      return { ...next, outcome: event.outcome, ended_at: at };
    case "aborted":
      return { ...next, abort: { cause: event.cause, detail: event.detail }, ended_at: at };
    default:
      return next;
  }
}

function changed(board: Cells | null, set: Changes | null): Cells | null {
  if (board === null || set === null) return board;
  return board.map((cells, seat) => [
    ...cells.filter((cell) => !(cell in set)),
    ...Object.keys(set).filter((cell) => set[cell] === seat),
  ]);
}
