import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Api, Refused, type Match } from "../../src/api.ts";
import { Live } from "../../src/live.ts";
import "../../src/screens/match-screen.ts";
import type { MatchScreen } from "../../src/screens/match-screen.ts";
import { Table } from "../../src/table.ts";
import { LIVE, player, ticTacToe } from "../matches.ts";

/** A live connection that knows one table and takes note of what it is asked. */
class OneTable extends Live {
  readonly table = new Table("match-1");
  readonly asked: Record<string, unknown>[] = [];
  answer: Refused | null = null;
  state: Live["link"] = "online";
  override get link(): Live["link"] {
    return this.state;
  }

  constructor() {
    super(
      () => new WebSocket("ws://nowhere"),
      () => Promise.resolve(),
    );
  }

  override watch(): [Table, () => void] {
    return [this.table, () => {}];
  }

  override ask(message: Record<string, unknown> & { type: string }): Promise<void> {
    this.asked.push(message);
    return this.answer ? Promise.reject(this.answer) : Promise.resolve();
  }
}

let live: OneTable;
let screen: MatchScreen;

async function show(match: Match, seat: number | null): Promise<void> {
  live.table.match = match;
  live.table.seat = seat;
  live.table.changed();
  await settle();
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => setTimeout(done));
}

/** In the screen and in its parts with buttons. */
const find = (selector: string) =>
  [screen, ...screen.renderRoot.querySelectorAll("match-over, match-actions, chat-box")].flatMap(
    (one) => [...(one?.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])],
  );
const status = () => find("#status")[0]!.textContent!.trim();
const text = () =>
  find("p")
    .map((one) => one.textContent)
    .join();
const button = (text: string) => find("button").find((one) => one.textContent!.trim() === text);
const board = () => find("tictactoe-board, go-board")[0]!;

beforeEach(async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  localStorage.clear();
  live = new OneTable();
  live.table.current = true;
  screen = document.createElement("match-screen") as MatchScreen;
  screen.api = new Api();
  screen.live = live;
  screen.matchId = "match-1";
  document.body.append(screen);
  await settle();
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

describe("a player", () => {
  it("is told whose turn it is, here and in the title", async () => {
    await show(ticTacToe(), 0);
    expect([status(), document.title]).toEqual(["Your turn", "Your turn · Tic-tac-toe · Parlour"]);

    await show(ticTacToe({ situation: { ...LIVE, turn: 1 } }), 0);
    expect([status(), document.title]).toEqual(["bob is to move", "Tic-tac-toe · Parlour"]);
  });

  it("plays with the number of the move", async () => {
    await show(ticTacToe({ situation: { ...LIVE, ply: 7 } }), 0);
    board().dispatchEvent(new CustomEvent("move", { detail: { move: "1,1" } }));
    await settle();

    expect(live.asked).toEqual([{ type: "move", match: "match-1", move: "1,1", ply: 7 }]);
  });

  it("whose move is refused reads the rule and may move again", async () => {
    await show(ticTacToe(), 0);
    const release = vi.spyOn(board() as unknown as { release(): void }, "release");
    live.answer = new Refused("illegal-move", "superko: repeats the position after move 7");
    board().dispatchEvent(new CustomEvent("move", { detail: { move: "1,1" } }));
    await settle();

    expect(find(".alert")[0]!.textContent).toContain("superko: repeats the position after move 7");
    expect(release).toHaveBeenCalledOnce();
  });

  it.each(["the move", "the question"])("who has gone on reads nothing of %s", async (asked) => {
    let refuse = (_: Refused) => {};
    vi.spyOn(live, "ask").mockReturnValue(new Promise((_, no) => (refuse = no)));
    await show(ticTacToe(), 0);
    if (asked === "the move") {
      board().dispatchEvent(new CustomEvent("move", { detail: { move: "1,1" } }));
    } else {
      button("Resign")!.click();
      await settle();
      button("Resign")!.click();
    }
    screen.matchId = "match-2";
    await settle();
    const release = vi.spyOn(board() as unknown as { release(): void }, "release");
    refuse(new Refused("over", "the match is over"));
    await settle();

    expect(find(".alert")).toEqual([]);
    expect(release).not.toHaveBeenCalled();
  });

  it("resigns only after a question", async () => {
    await show(ticTacToe(), 0);
    button("Resign")!.click();
    await settle();
    expect(live.asked).toEqual([]);

    button("Resign")!.click();
    await settle();
    expect(live.asked).toEqual([{ type: "resign", match: "match-1" }]);
  });

  it("takes the question back by Escape", async () => {
    await show(ticTacToe(), 0);
    button("Resign")!.click();
    await settle();
    const [question] = find("[role=group]");
    question!.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    await settle();

    expect([find("[role=group]"), live.asked]).toEqual([[], []]);
    expect(button("Resign")).toBeDefined();
  });

  it.each(["Pass", "Resign"])(
    "is at the board again after %s, which may end the game",
    async (what) => {
      await show(ticTacToe({ game: "go", options: { size: 9 } }), 0);
      const focus = vi.spyOn(board(), "focus");
      button(what)!.click();
      await settle();
      if (what === "Resign") button(what)!.click();

      expect(live.asked).toHaveLength(1);
      expect(focus).toHaveBeenCalledOnce();
    },
  );

  it.each([
    ["alone at a table for three", 3, 1, false],
    ["with somebody at a table for three", 3, 2, true],
    ["alone at a table of any number", 0, 1, true],
  ])("may ask others to wait when there may be any: %s", async (_, players, seated, may) => {
    const situation = { ...LIVE, status: "open" as const, turn: null };
    const seats = [0, 1, 2].map((seat) => ({
      name: "",
      player: seat < seated ? player(`${seat}`) : null,
    }));
    const options = { players };
    const table = { game: "chinese_checkers", options, seats, situation, start: null };
    await show(ticTacToe(table), 0);

    expect(button("Wait for me") !== undefined).toBe(may);
  });

  it("passes in Go and nowhere else", async () => {
    await show(ticTacToe(), 0);
    expect(button("Pass")).toBeUndefined();
    await show(ticTacToe({ game: "go", options: { size: 9 } }), 0);
    button("Pass")!.click();
    await settle();

    expect(live.asked).toEqual([{ type: "move", match: "match-1", move: "pass", ply: 0 }]);
  });

  it("cannot move while an earlier position is shown", async () => {
    const moves = ["1,1", "0,0"].map((move, ply) => ({ seat: ply, move, at: 0, set: {} }));
    await show(ticTacToe({ moves, situation: { ...LIVE, ply: 2 } }), 0);
    find("move-list")[0]!.dispatchEvent(new CustomEvent("step", { detail: 1 }));
    await settle();

    expect(status()).toBe("Move 1 of 2");
    expect((board() as unknown as { shown: number }).shown).toBe(1);
  });

  it("is not told that it is their turn when there is no connection", async () => {
    await show(ticTacToe(), 0);
    live.table.current = false;
    await show(ticTacToe(), 0);

    expect(status()).toBe("Waiting for the connection");
    expect((board() as unknown as { playable: boolean }).playable).toBe(false);
  });
});

describe("without a connection", () => {
  const reach = async (link: Live["link"]) => {
    live.state = link;
    live.dispatchEvent(new Event("change"));
    await settle();
  };

  it("what could not be asked is said until the connection is back", async () => {
    await show(ticTacToe(), 0);
    await reach("reconnecting");
    live.answer = new Refused("unreachable", "the server cannot be reached just now");
    button("Resign")!.click();
    await settle();
    button("Resign")!.click();
    await settle();
    expect(find(".alert")[0]!.textContent).toContain("No connection.");

    await reach("online");
    expect(find(".alert")).toEqual([]);
  });

  it("a line of chat stays in the box", async () => {
    const input = () => find("#text")[0] as HTMLInputElement;
    const say = async () => {
      find("chat-box")[0]!.shadowRoot!.querySelector("form")!.requestSubmit();
      await settle();
    };
    await show(
      ticTacToe({ seats: ticTacToe().seats.map(() => ({ name: "", player: player("A") })) }),
      0,
    );
    input().value = "good luck";
    live.answer = new Refused("unreachable", "the server cannot be reached just now");
    await say();
    expect([input().value, find(".alert").length]).toEqual(["good luck", 1]);

    live.answer = null;
    await say();
    expect([input().value, find(".alert").length]).toEqual(["", 0]);
    expect(live.asked.at(-1)).toEqual({ type: "say", match: "match-1", text: "good luck" });
  });

  it.each([
    ["no connection", false, "live", 0],
    ["suspended", true, "suspended", 0],
    ["has not begun", true, "open", 0],
    ["watching", true, "live", null],
  ] as const)("or otherwise, the board knows why nobody can move: %s", async (...how) => {
    const [why, current, status, seat] = how;
    live.table.current = current;
    await show(ticTacToe({ situation: { ...LIVE, status } }), seat);

    expect((board() as unknown as { blocked: string }).blocked).toContain(why);
  });
});

describe("an onlooker", () => {
  it("sees no buttons of a player, and may sit where a seat is free", async () => {
    const seats = [
      { name: "x", player: player("Alice") },
      { name: "o", player: null },
    ];
    await show(ticTacToe({ seats, situation: { ...LIVE, status: "open", turn: null } }), null);

    expect([status(), button("Leave the table")]).toEqual(["Waiting for 1 player", undefined]);
    find("seat-list")[0]!.dispatchEvent(new CustomEvent("sit", { detail: 1 }));
    await settle();
    expect(live.asked).toEqual([{ type: "take-seat", match: "match-1", seat: 1 }]);
  });

  it("reads when a table of any number begins", async () => {
    const seats = [player("Alice"), null, null].map((one) => ({ name: "", player: one }));
    const situation = { ...LIVE, status: "open" as const, turn: null };
    const options = { players: 0 };
    await show(
      ticTacToe({ game: "chinese_checkers", options, seats, situation, start: null }),
      null,
    );

    expect(status()).toBe("Starts when everybody seated (at least 2) is ready.");
  });

  it.each([
    ["public", false, "in the lobby"],
    ["hidden", false, "Only who has the link"],
    ["hidden", true, "the link and the password"],
  ] as const)("who waits at a %s table (locked: %s) reads how it is found", async (...how) => {
    const [visibility, locked, found] = how;
    const situation = { ...LIVE, status: "open" as const, turn: null };
    await show(ticTacToe({ situation, visibility, locked }), 0);
    expect(text()).toContain(found);
    expect(button("Copy the link")).toBeDefined();

    await show(ticTacToe({ situation, visibility, locked }), null);
    expect(text()).not.toContain(found);
  });

  it("is asked for the password of a table that has one", async () => {
    live.table.match = null;
    live.table.refused = new Refused("password", "a password");
    live.table.changed();
    await settle();

    expect(find("h1")[0]!.textContent).toBe("This table has a password.");
    expect(find("input[type=password]")).toHaveLength(1);
  });

  it.each([
    ["password", "Wrong password"],
    ["limit", "Too many wrong passwords. Wait a minute, then try again."],
  ])("reads why a password does not open the table: %s", async (refusal, text) => {
    live.table.match = null;
    live.table.password = "hoshi";
    live.table.refused = new Refused(refusal, "");
    live.table.changed();
    await settle();

    expect(find("[role=alert]")[0]!.textContent!.trim()).toBe(text);
    expect(find("input[type=password]")).toHaveLength(1);
  });
});

describe("after the end", () => {
  const outcome = { ranking: [[0], [1]], causes: ["line", "line"], scores: [] };
  const over = { outcome, situation: { ...LIVE, status: "over" as const, turn: null } };

  it("two browsers are offered a rematch, others another search", async () => {
    const both = [
      { name: "x", player: player("Alice") },
      { name: "o", player: player("Carol") },
    ];
    await show(ticTacToe({ ...over, seats: both }), 0);
    expect([status(), button("Offer a rematch") !== undefined]).toEqual([
      "Alice wins with a line",
      true,
    ]);

    await show(ticTacToe(over), 0);
    expect([button("Offer a rematch"), button("Find another opponent") !== undefined]).toEqual([
      undefined,
      true,
    ]);
    expect(text()).toContain(
      "Nobody but browsers can be asked for a rematch: bob plays by textbook.",
    );
  });

  it("who has stepped back reads that it is over, and how, and goes to the end", async () => {
    const moves = ["1,1", "0,0"].map((move, ply) => ({ seat: ply, move, at: 0, set: {} }));
    await show(ticTacToe({ moves, situation: { ...LIVE, ply: 2 } }), 1);
    find("move-list")[0]!.dispatchEvent(new CustomEvent("step", { detail: 1 }));
    await settle();
    expect(button("Back to now")).toBeDefined();

    await show(ticTacToe({ moves, ...over }), 1);
    expect([status(), find(".news")[0]!.textContent]).toEqual([
      "Move 1 of 2",
      expect.stringContaining("Alice wins with a line"),
    ]);
    button("To the end")!.click();
    await settle();
    expect(status()).toBe("Alice wins with a line");
  });

  it("who looked on is led to the rematch by a link", async () => {
    await show(ticTacToe({ ...over, rematch: { offers: [0, 1], match: "match-2" } }), null);

    const link = find("a.main")[0]!;
    expect([link.textContent, link.getAttribute("href")]).toEqual([
      "Go to the new game",
      "/match/match-2",
    ]);
  });

  it("who was offered a rematch may accept it", async () => {
    const both = [
      { name: "x", player: player("Alice") },
      { name: "o", player: player("Carol") },
    ];
    await show(ticTacToe({ ...over, seats: both, rematch: { offers: [1], match: null } }), 0);
    expect(text()).toContain("Carol offers a rematch");

    button("Accept the rematch")!.click();
    await settle();
    expect(live.asked).toEqual([{ type: "rematch", match: "match-1" }]);
  });

  it("the record of Go is there as SGF and as JSON, that of others as JSON", async () => {
    const links = () => find("a[download]").map((one) => one.getAttribute("href"));
    await show(ticTacToe(over), null);
    expect(links()).toEqual(["/api/matches/match-1/record.json"]);

    await show(ticTacToe({ ...over, game: "go", options: { size: 9 } }), null);
    expect(links()).toEqual([
      "/api/matches/match-1/record.sgf",
      "/api/matches/match-1/record.json",
    ]);

    await show(ticTacToe({ ...over, game: "go", options: { size: 53 } }), null);
    expect(links()).toEqual(["/api/matches/match-1/record.json"]);
  });
});
