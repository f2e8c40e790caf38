import { describe, expect, it } from "vitest";
import type { Listing, Match } from "../../src/api.ts";
import {
  deafText,
  duration,
  listedResult,
  newsText,
  resultText,
  timeText,
} from "../../src/parts/telling.ts";
import { uiOf } from "../../src/games/games.ts";
import { routeOf } from "../../src/router.ts";
import { LIVE, RESIGNED, player, ticTacToe } from "../matches.ts";

describe("time", () => {
  it.each([
    [0, "0:00"],
    [999, "0:01"],
    [61_000, "1:01"],
    [3_600_000, "1:00:00"],
    [-5, "0:00"],
  ])("%i ms is %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it("runs for the seat in turn only, then by periods", () => {
    const control = { turn: 0, total: 60_000, increment: 0, period: 30_000, periods: 3 };
    const clock = {
      left: [60_000, 42_000],
      periods: [3, 3],
      running: 0,
      since: 1_000,
      spent: 5_000,
    };
    const match = ticTacToe({ control, situation: { ...LIVE, clock } });

    expect([timeText(match, 0, 11_000), timeText(match, 1, 11_000)]).toEqual(["0:45", "0:42"]);
    expect(timeText(match, 0, 1_000 + 55_000 + 31_000)).toBe("0:29 (2)");
  });

  it("counts a limit for each move down to its deadline", () => {
    const match = ticTacToe({ situation: { ...LIVE, deadline: 90_000 } });
    expect([timeText(match, 0, 30_000), timeText(match, 1, 30_000)]).toEqual(["1:00", ""]);
  });
});

describe("a result", () => {
  it("names the winner and the line", () => {
    const outcome = { ranking: [[0], [1]], causes: ["line", "line"], scores: [] };
    expect(resultText(ticTacToe({ outcome }))).toBe("Alice wins with a line");
  });

  it("names the cause for which the other seat was lost", () => {
    const outcome = { ranking: [[0], [1]], causes: ["last-standing", "left"], scores: [] };
    const forfeits = [{ seat: 1, cause: "time", detail: "", at: 0, set: {}, after_moves: 0 }];
    const match = ticTacToe({ outcome, forfeits });
    expect([resultText(match), resultText(match, 1)]).toEqual(
      Array(2).fill("Alice wins: bob lost on time"),
    );
    expect(resultText(match, 0)).toBe("You win: bob lost on time");
  });

  it("of many names who gave up", () => {
    const seats = ["Alice", "Bob", "Carol"].map((name) => ({ name: "", player: player(name) }));
    const outcome = {
      ranking: [[2], [1], [0]],
      causes: ["left", "left", "last-standing"],
      scores: [],
    };
    const forfeits = [0, 1].map((seat) => ({ ...RESIGNED, seat }));
    expect(resultText(ticTacToe({ seats, outcome, forfeits }))).toBe(
      "Places: 1. Carol, 2. Bob, 3. Alice. Alice resigned. Bob resigned",
    );
  });

  it("names both scores and all places", () => {
    const counted = { ranking: [[0, 1]], causes: ["area", "area"], scores: [12, 12] };
    expect(resultText(ticTacToe({ outcome: counted }))).toBe("A draw: by area (12 : 12)");
  });

  it.each([
    [
      { ranking: [[1], [0]], causes: ["area", "area"], scores: [3, 12] },
      "bob wins by area (3 : 12)",
    ],
    [
      { ranking: [[0, 1]], causes: ["board-full", "board-full"], scores: [] },
      "A draw: the board is full",
    ],
    [null, ""],
  ])("is said of a listed match as well: %j", (outcome, text) => {
    const players = ["Alice", "bob"].map((name, seat) => ({ seat, name, protocol: "web" }));
    const listing = {
      players,
      outcome,
      forfeits: [],
      abort: null,
      abort_detail: "",
    } as unknown as Listing;
    expect(listedResult(listing)).toBe(text);
    expect(listedResult({ ...listing, abort: "empty" })).toContain("everybody left");
  });

  it("of a listed match that an operator closed has the reason, where one was given", () => {
    const closed = { abort: "operator", abort_detail: "the power goes off" } as Listing;
    expect(listedResult(closed)).toBe(
      "This match ended without a result: the operator closed it: the power goes off",
    );
    expect(listedResult({ ...closed, abort_detail: "the operator has closed it" })).toBe(
      "This match ended without a result: the operator closed it",
    );
  });

  it("says why a match was aborted", () => {
    expect(resultText(ticTacToe({ abort: { cause: "empty", detail: "" } }))).toContain(
      "everybody left",
    );
  });
});

describe("a pass", () => {
  const after = (end: string, ...moves: [number, string][]) =>
    newsText(
      ticTacToe({
        game: "go",
        options: { size: 9, end },
        moves: moves.map(([seat, move]) => ({ seat, move, at: 0, set: null })),
      }),
    );

  it("is told until the next move", () => {
    expect(after("white-last", [0, "pass"])).toBe("Black passed.");
    expect(after("white-last", [0, "pass"], [1, "3,3"])).toBe("");
  });

  it("after another tells what would end the game", () => {
    expect(after("white-last", [1, "pass"], [0, "pass"])).toBe(
      "Black passed. This game ends when White passes last.",
    );
  });
});

it("tells of who is gone while the others play on, until the next move", () => {
  const match = ticTacToe({ forfeits: [RESIGNED] });
  const move = { seat: 0, move: "1,1", at: 0, set: null };

  expect(newsText(match)).toBe("bob resigned; the others play on.");
  expect(newsText({ ...match, moves: [move] })).toBe("");
});

describe("chat", () => {
  const at = (...protocols: string[]) => {
    const seats = protocols.map((one) => ({ name: "", player: player("who", one) }));
    return ticTacToe({ seats });
  };

  it.each([
    [["web", "textbook"], 0, 0, "textbook"],
    [["web", "ruc"], 0, 0, "RUC"],
    [["textbook", "textbook"], null, 1, "textbook"],
  ])("has no readers among %j", (protocols, own, watchers, name) => {
    expect(deafText(at(...protocols), own, watchers)).toBe(
      `Nobody here would see what you write: programs that speak the ${name} protocol have no chat.`,
    );
  });

  it.each([
    ["another browser", ["web", "web"], 0, 0],
    ["Nedap", ["web", "nedap"], 0, 0],
    ["XMPP", ["web", "xmpp"], 0, 0],
    ["one of several", ["web", "ruc", "web"], 0, 0],
    ["an onlooker", ["web", "textbook"], 0, 1],
    ["another onlooker", ["textbook", "textbook"], null, 2],
    ["whoever sits down", ["web"], 0, 0],
  ])("is read by %s", (_, protocols, own, watchers) => {
    expect(deafText(at(...protocols), own, watchers)).toBe("");
  });
});

it("writes moves as players do", () => {
  const moveText = (match: Match, move: string) => uiOf(match.game).moveText(match, move);
  const go = ticTacToe({ game: "go", options: { size: 19 } });
  const star = ticTacToe({ game: "chinese_checkers" });
  expect([
    moveText(go, "3,3"),
    moveText(go, "pass"),
    moveText(ticTacToe(), "0,2"),
    moveText(star, "-4,5>-4,4"),
  ]).toEqual(["D16", "pass", "a3", "-4,5 → -4,4"]);
});

it("writes the moves of a game that it does not know as the server does", () => {
  expect(uiOf("connect_four").moveText(ticTacToe({ game: "connect_four" }), "3")).toBe("3");
});

it.each([
  ["/", { screen: "lobby" }],
  ["/match/match-1", { screen: "match", id: "match-1" }],
  ["/new/go", { screen: "new", game: "go" }],
  ["/finished", { screen: "finished" }],
  ["/match/", { screen: "lost" }],
  ["/elsewhere", { screen: "lost" }],
  ["/match/a/b", { screen: "lost" }],
])("%s leads to %j", (path, route) => {
  expect(routeOf(path)).toEqual(route);
});
