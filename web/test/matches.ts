/** Matches as the server describes them, for tests. */
import type { Match, Situation } from "../src/api.ts";

export const LIVE: Situation = {
  status: "live",
  turn: 0,
  ply: 0,
  clock: null,
  deadline: null,
  pause: null,
  pause_until: null,
};

/** Seat 1 gave up before anybody had moved. */
export const RESIGNED = { seat: 1, cause: "resigned", detail: "", at: 0, set: {}, after_moves: 0 };

export function player(name: string, protocol = "web") {
  return { name, protocol, ready: true, away_since: null, grace: 60_000 };
}

export function ticTacToe(changes: Partial<Match> = {}): Match {
  return {
    id: "match-1",
    version: 4,
    game: "tictactoe",
    options: { rows: 3, cols: 3, strike: 3, first: "x" },
    room: "",
    visibility: "public",
    locked: false,
    control: { turn: 0, total: 0, increment: 0, period: 0, periods: 0 },
    created_at: 0,
    started_at: 0,
    ended_at: null,
    situation: LIVE,
    seats: [
      { name: "x", player: player("Alice") },
      { name: "o", player: player("bob", "textbook") },
    ],
    start: [[], []],
    board: [[], []],
    captured: null,
    moves: [],
    forfeits: [],
    outcome: null,
    abort: null,
    rematch: null,
    diagram: null,
    ...changes,
  };
}

/** The event of a move that was played as number `ply`, by the seats in turn. */
export function moveEvent(version: number, ply: number, move: string) {
  const seat = ply % 2;
  return {
    type: "move" as const,
    version,
    at: version,
    seat,
    move,
    set: { [move]: seat },
    captured: null,
    diagram: null,
    situation: { ...LIVE, turn: 1 - seat, ply: ply + 1 },
  };
}
