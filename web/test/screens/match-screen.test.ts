import { describe, expect, it, vi } from "vitest";
import { Refused } from "../../src/api.ts";
import { LIVE, player, ticTacToe } from "../matches.ts";
import { board, button, find, live, screen, show, status, withScreen } from "./at-match.ts";
import { settle } from "./settle.ts";

withScreen();

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
    live.answer = new Refused("illegal-move", "Superko: repeats the position after move 7");
    board().dispatchEvent(new CustomEvent("move", { detail: { move: "1,1" } }));
    await settle();

    expect(find(".alert")[0]!.textContent).toContain("Superko: repeats the position after move 7");
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
