import { render } from "lit";
import { describe, expect, it } from "vitest";
import type { Match } from "../../src/api.ts";
import type { ChineseCheckersBoard } from "../../src/boards/chinese-checkers-board.ts";
import { chineseCheckers } from "../../src/games/chinese-checkers-ui.ts";
import { LIVE, RESIGNED, player, ticTacToe } from "../matches.ts";

/** The seats whose pieces the board takes away, for a match of three. */
function taken(changes: Partial<Match>): number[] {
  const seats = ["A", "C", "E"].map((name) => ({ name, player: player(name) }));
  const match = ticTacToe({ game: "chinese_checkers", seats, ...changes });
  const page = document.createElement("div");
  render(chineseCheckers.draw(match, {}), page);
  const board = page.querySelector<ChineseCheckersBoard>("chinese-checkers-board")!;
  return board.departures.map(({ seat }) => seat);
}

it("says for how many a table is, and how many play once it has begun", () => {
  expect(chineseCheckers.optionsText({ players: 0 })).toBe("2 to 6 players");
  expect(chineseCheckers.optionsText({ players: 0 }, 2)).toBe("2 players");
});

describe("the pieces of who gives up", () => {
  const forfeits = [RESIGNED, { ...RESIGNED, seat: 2 }];
  const left = ["last-standing", "left", "left"];

  it("leave the board while the others play on", () => {
    expect(taken({ forfeits: [RESIGNED] })).toEqual([1]);
  });

  it("stay on it when that ends the game", () => {
    const outcome = { ranking: [[0], [2], [1]], causes: left, scores: [] };
    const situation = { ...LIVE, status: "over" as const, turn: null };

    expect(taken({ forfeits, outcome, situation })).toEqual([1]);
  });
});
