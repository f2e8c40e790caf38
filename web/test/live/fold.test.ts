import { expect, it } from "vitest";
import type { Seat } from "../../src/api.ts";
import { fold } from "../../src/fold.ts";
import { LIVE, moveEvent, player, ticTacToe } from "../matches.ts";

const common = { version: 5, at: 9, situation: LIVE };

it("sets and clears the cells that a move names", () => {
  const before = ticTacToe({ board: [["0,0"], ["1,0"]], game: "go" });

  const after = fold(before, {
    ...moveEvent(5, 0, "2,0"),
    set: { "2,0": 0, "1,0": null },
    captured: [0, 1],
  });

  expect(after.board).toEqual([["0,0", "2,0"], []]);
  expect([after.captured, after.version, after.moves.length]).toEqual([[0, 1], 5, 1]);
  expect(before.board).toEqual([["0,0"], ["1,0"]]);
});

it("begins with the board, the captured stones and the clock that the start names", () => {
  const control = { turn: 15_000, total: 0, increment: 0, period: 0, periods: 0 };
  const open = ticTacToe({ game: "go", start: null, board: null, started_at: null });

  const started = fold(open, {
    ...common,
    type: "started",
    start: [["0,0"], []],
    captured: [0, 0],
    diagram: null,
    control,
  });

  expect([started.start, started.board]).toEqual([
    [["0,0"], []],
    [["0,0"], []],
  ]);
  expect([started.captured, started.control, started.started_at]).toEqual([[0, 0], control, 9]);
});

it("takes the seats over from every event that has them", () => {
  const seats: Seat[] = [
    { name: "x", player: null },
    { name: "o", player: player("Carol") },
  ];

  expect(fold(ticTacToe(), { ...common, type: "seat-left", seat: 0, seats }).seats).toBe(seats);
});

it("notes after how many moves a seat was forfeited, and how it all ended", () => {
  const played = fold(ticTacToe(), moveEvent(5, 0, "1,1"));
  const forfeited = fold(played, {
    ...common,
    version: 6,
    type: "forfeited",
    seat: 1,
    cause: "resigned",
    detail: "",
    set: {},
    diagram: null,
  });
  const outcome = { ranking: [[0], [1]], causes: ["last-standing", "left"], scores: [] };
  const ended = fold(forfeited, { ...common, version: 7, type: "ended", outcome });

  expect(ended.forfeits).toEqual([
    { seat: 1, cause: "resigned", detail: "", at: 9, set: {}, after_moves: 1 },
  ]);
  expect([ended.outcome, ended.ended_at, ended.version]).toEqual([outcome, 9, 7]);
});
