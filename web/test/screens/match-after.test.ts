import { describe, expect, it } from "vitest";
import type { Rematch } from "../../src/api.ts";
import { LIVE, player, ticTacToe } from "../matches.ts";
import { button, find, live, screen, show, status, text, withScreen } from "./at-match.ts";
import { settle } from "./settle.ts";

withScreen();

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
      "You win with a line",
      true,
    ]);

    await show(ticTacToe(over), 0);
    expect([button("Offer a rematch"), button("Find another opponent") !== undefined]).toEqual([
      undefined,
      true,
    ]);
    expect(text()).toContain(
      "A rematch can be offered to people at this page only: bob uses a program that speaks the textbook protocol.",
    );
  });

  it("after Chinese checkers no search is offered that the lobby does not know", async () => {
    await show(ticTacToe({ ...over, game: "chinese_checkers", options: { players: 2 } }), 0);

    expect(button("Find another opponent")).toBeUndefined();
    expect(find("a.main").map((one) => one.getAttribute("href"))).toEqual([
      "/new/chinese_checkers",
    ]);
  });

  it("of a closed match everybody reads why, and has somewhere to go", async () => {
    const abort = { cause: "operator", detail: "the power goes off" };
    const closed = { abort, situation: { ...LIVE, status: "aborted" as const, turn: null } };
    await show(ticTacToe(closed), 0);
    expect(status()).toBe(
      "This match ended without a result: the operator closed it: the power goes off",
    );
    expect(button("Find another opponent")).toBeDefined();

    await show(ticTacToe(closed), null);
    expect(button("Find another opponent")).toBeUndefined();
    expect(find('a[href="/"]').map((one) => one.textContent)).toEqual(["Back to the lobby"]);

    const silent = { cause: "operator", detail: "the operator has closed it" };
    await show(ticTacToe({ ...closed, abort: silent }), 0);
    expect(status()).toBe("This match ended without a result: the operator closed it");
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
    await show(
      ticTacToe({ ...over, rematch: { offers: [0, 1], match: "match-2", ended: null } }),
      null,
    );

    const link = find("a.main")[0]!;
    expect([link.textContent, link.getAttribute("href")]).toEqual([
      "Go to the new game",
      "/match/match-2",
    ]);
  });

  describe("of two browsers", () => {
    const seats = [
      { name: "x", player: player("Alice") },
      { name: "o", player: player("Carol") },
    ];
    const region = () =>
      screen.renderRoot
        .querySelector("match-over")!
        .shadowRoot!.querySelector<HTMLElement>('[role="status"]')!;

    async function offered(offers: number[], ended: Rematch["ended"] = null): Promise<void> {
      await show(ticTacToe({ ...over, seats, rematch: { offers, match: null, ended } }), 0);
    }

    it.each([
      ["Accept the rematch", "rematch"],
      ["Decline", "no-rematch"],
    ])("who was offered a rematch has the choice: %s", async (choice, type) => {
      await offered([1]);
      expect(region().textContent).toBe("Carol offers a rematch.");

      button(choice)!.click();
      await settle();
      expect(live.asked).toEqual([{ type, match: "match-1" }]);
    });

    it("who has offered one may take it back", async () => {
      await offered([0]);
      expect(region().textContent).toContain("You have offered a rematch");
      expect([button("Offer a rematch"), button("Decline")]).toEqual([undefined, undefined]);

      button("Take the offer back")!.click();
      await settle();
      expect(live.asked).toEqual([{ type: "no-rematch", match: "match-1" }]);
    });

    it.each([
      [1, "declined", "Carol declines the rematch."],
      [1, "withdrawn", "Carol has taken the offer of a rematch back."],
      [1, "left", "Carol has gone: the offer of a rematch has ended."],
      [0, "declined", "You have declined the rematch."],
      [0, "withdrawn", "You have taken your offer back."],
      [0, "left", "Your offer of a rematch ended while there was no connection."],
    ] as const)("that seat %i has %s is read out, and offered again", async (seat, cause, text) => {
      await offered([]);
      const before = region();
      await offered([], { seat, cause });

      expect(before.textContent).toBe(text);
      expect(region()).toBe(before);
      expect(button("Offer a rematch")).toBeDefined();
    });
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
