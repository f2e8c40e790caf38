import { describe, expect, it } from "vitest";
import { Refused } from "../../src/api.ts";
import type { Live } from "../../src/live.ts";
import { LIVE, player, ticTacToe } from "../matches.ts";
import { board, button, find, live, show, status, text, withScreen } from "./at-match.ts";
import { settle } from "./settle.ts";

withScreen();

describe("without a connection", () => {
  const reach = async (link: Live["link"]) => {
    live.state = link;
    live.dispatchEvent(new Event("change"));
    await settle();
  };

  it("what could not be asked is said until the connection is back", async () => {
    await show(ticTacToe(), 0);
    await reach("reconnecting");
    live.answer = new Refused("unreachable", "The server cannot be reached just now.");
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
    live.answer = new Refused("unreachable", "The server cannot be reached just now.");
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
