import { render } from "lit";
import { afterEach, describe, expect, it } from "vitest";
import type { Match } from "../../src/api.ts";
import "../../src/boards/chinese-checkers-board.ts";
import { MARK_COLOURS } from "../../src/boards/mark-colours.ts";
import { ZONE_COLOURS } from "../../src/boards/zone-colours.ts";
import { chineseCheckers } from "../../src/games/chinese-checkers-ui.ts";
import type { GameUi } from "../../src/games/game-ui.ts";
import { go } from "../../src/games/go-ui.ts";
import { tictactoe } from "../../src/games/tictactoe-ui.ts";
import "../../src/parts/move-list.ts";
import type { MoveList } from "../../src/parts/move-list.ts";
import "../../src/parts/seat-list.ts";
import type { SeatList } from "../../src/parts/seat-list.ts";
import { LIVE, player, ticTacToe } from "../matches.ts";

/** A part that shows a match. */
async function show(tag: "move-list" | "seat-list", match: Match): Promise<ShadowRoot> {
  const part = document.createElement(tag) as MoveList | SeatList;
  Object.assign(part, { match, now: () => 0 });
  document.body.append(part);
  await part.updateComplete;
  return part.shadowRoot!;
}

const words = (one: Element) => one.textContent!.replace(/\s+/g, " ").trim();
const at = (...zones: string[]) => zones.map((name) => ({ name, player: player(name) }));

afterEach(() => document.body.replaceChildren());

describe("the list of moves", () => {
  const moves = [2, 0].map((seat) => ({ seat, move: "0,1>0,2", at: 0, set: {} }));

  it.each([
    [
      ["A", "C", "E"],
      ["1 E 0,1 → 0,2", "2 A 0,1 → 0,2"],
    ],
    [
      ["A", "D"],
      ["1 0,1 → 0,2", "2 0,1 → 0,2"],
    ],
  ])("says who moved where more than two play: %s", async (zones, listed) => {
    const seats = at(...zones);
    const root = await show("move-list", ticTacToe({ game: "chinese_checkers", seats, moves }));

    expect([...root.querySelectorAll("li")].map(words)).toEqual(listed);
  });
});

describe("the list of seats", () => {
  it("says of who is away that alone, not that they are ready", async () => {
    const here = player("Alice");
    const seats = [here, { ...here, away_since: 5 }].map((one) => ({ name: "", player: one }));
    const situation = { ...LIVE, status: "suspended" as const, pause: "restart" as const };
    const root = await show("seat-list", ticTacToe({ seats, situation }));

    expect([...root.querySelectorAll(".note")].map(words)).toEqual(["to move · ready", "away"]);
  });

  it("shows marks and stones in the colours of the board", () => {
    const page = document.createElement("div");
    const drawn = (game: GameUi, seat: number) => {
      render(game.sign(ticTacToe(), seat), page);
      return page.innerHTML;
    };

    expect([0, 1].map((seat) => drawn(tictactoe, seat).includes(MARK_COLOURS[seat]!))).toEqual([
      true,
      true,
    ]);
    expect([0, 1].map((seat) => drawn(go, seat).includes("<rect"))).toEqual([true, true]);
  });

  it("paints a zone of the star as the board does", () => {
    const page = document.createElement("div");
    render(chineseCheckers.sign(ticTacToe({ seats: at("D") }), 0), page);
    const { styles } = customElements.get("chinese-checkers-board") as unknown as {
      styles: unknown[];
    };

    expect(page.querySelector("circle")!.getAttribute("fill")).toBe(ZONE_COLOURS["D"]);
    expect(styles.map(String).join()).toContain(`.D { color: ${ZONE_COLOURS["D"]}; }`);
  });
});
