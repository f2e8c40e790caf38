import { afterEach, describe, expect, it, vi } from "vitest";
import type { Board } from "../../src/boards/board.ts";
import { find, press, said, show } from "./shown.ts";

afterEach(() => document.body.replaceChildren());

describe("every board", () => {
  it("moves its cursor by the arrows and plays by Enter, once", async () => {
    const { board, made } = await show(`<tictactoe-board playable></tictactoe-board>`);

    await press(board, "ArrowRight", "ArrowDown", "Enter", "Enter");

    expect(made).toEqual(["1,1"]);
  });

  it("plays again when the move was refused, and when its moves have grown", async () => {
    const { board, made } = await show(`<tictactoe-board playable></tictactoe-board>`);

    await press(board, "Enter");
    board.release();
    await press(board, "Enter");
    board.moves = ["0,0"];
    await press(board, "ArrowRight", "Enter");

    expect(made).toEqual(["0,0", "0,0", "1,0"]);
  });

  it("says why nobody can move, until somebody can", async () => {
    const { board } = await show(`<go-board size="9" blocked="No connection."></go-board>`);
    await press(board, "Enter");
    expect(said(board)).toBe("No connection.");
    board.blocked = "";
    await board.updateComplete;
    expect(said(board)).toBe("");

    await press(board, ..."pass", "Enter");
    expect(said(board)).toBe("It is not your turn.");
    board.playable = true;
    await board.updateComplete;
    expect(said(board)).toBe("");
    await press(board, "Enter", "Enter");
    expect(said(board)).toBe("Your move is on its way.");
  });

  it.each([
    [13, "mouse", []],
    [15, "mouse", ["2,2"]],
    [15, "touch", []],
    [23, "", []],
    [24, "touch", ["2,2"]],
  ])("asks again where cells are small: %d pixels, %s", async (cell, pointerType, at_once) => {
    const { board, made } = await show(`<go-board size="5" playable></go-board>`);
    const drawing = find(board, "svg")[0]!;
    const [left, top, width, height] = drawing.getAttribute("viewBox")!.split(" ").map(Number);
    const rect = new DOMRect(0, 0, width! * cell, height! * cell);
    vi.spyOn(drawing, "getBoundingClientRect").mockReturnValue(rect);
    const click = () =>
      drawing.dispatchEvent(
        new PointerEvent("click", {
          clientX: (2 - left!) * cell,
          clientY: (2 - top!) * cell,
          pointerType,
        }),
      );

    click();
    expect(made).toEqual(at_once);
    click();
    expect(made).toEqual(["2,2"]);
  });

  it("forgets what was chosen when nobody can play it any more", async () => {
    const { board, made } = await show(`<go-board size="9" playable confirm></go-board>`);
    await press(board, "Enter");
    expect(said(board)).toContain("chosen");
    board.playable = false;
    await board.updateComplete;
    expect(said(board)).toBe("");
    board.playable = true;
    board.play();

    expect(made).toEqual([]);
  });

  it("plays by the keyboard at once where cells are small", async () => {
    const { board, made } = await show(`<go-board size="131" playable></go-board>`);
    await press(board, ..."d4", "Enter");

    expect(made).toEqual(["3,127"]);
  });

  it("takes typed coordinates", async () => {
    const { board, made } = await show(`<go-board size="9" playable></go-board>`);

    await press(board, ..."d4", "Enter");

    expect(made).toEqual(["3,5"]);
  });

  it("says what is no coordinate and plays nothing", async () => {
    const { board, made } = await show(`<go-board size="9" playable></go-board>`);

    await press(board, ..."z9", "Enter");

    expect([made, said(board)]).toEqual([[], "There is no z9 on this board."]);
  });

  it("plays nothing when it is not playable or shows an earlier move", async () => {
    const { board, made } = await show(`<tictactoe-board moves="1,1 0,0"></tictactoe-board>`);
    await press(board, "ArrowRight", "Enter");
    board.playable = true;
    board.shown = 1;
    await press(board, "Enter");

    expect(made).toEqual([]);
    expect(find(board, ".o")).toHaveLength(0);
  });

  it("asks to confirm when told to, and forgets the choice on Escape", async () => {
    const { board, made } = await show(`<tictactoe-board playable confirm></tictactoe-board>`);
    const chosen: (string | null)[] = [];
    board.addEventListener("choose", (event) => chosen.push((event as CustomEvent).detail.move));

    await press(board, "Enter", "Escape", "ArrowRight", "Enter");
    expect([made, chosen]).toEqual([[], ["0,0", null, "1,0"]]);
    await press(board, "Enter");
    expect(made).toEqual(["1,0"]);
  });

  it("says each new move in words", async () => {
    const { board } = await show(`<go-board size="5" moves="0,1 0,0"></go-board>`);

    board.moves = [...board.moves, "1,0"];
    await board.updateComplete;

    expect(said(board)).toBe("Black: B5. 1 stone captured.");
  });

  it.each(["tictactoe-board", "go-board", "chinese-checkers-board"])(
    "%s names the cell under the cursor only",
    async (name) => {
      const { board } = await show(`<${name}></${name}>`);

      const labelled = find(board, "svg [aria-label]");
      expect(labelled).toHaveLength(1);
      const frame = find(board, ".frame")[0]!;
      expect(frame.getAttribute("aria-activedescendant")).toBe(labelled[0]!.id);
    },
  );
});

describe("a press out of turn", () => {
  it.each(["tictactoe-board", "go-board", "chinese-checkers-board"])(
    "is answered in sight by %s",
    async (name) => {
      const { board, made } = await show(`<${name}></${name}>`);
      const drawing = find(board, "svg")[0]!;
      drawing.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100);

      drawing.dispatchEvent(new MouseEvent("click", { clientX: 50, clientY: 50 }));
      await board.updateComplete;

      expect([made, said(board)]).toEqual([[], "It is not your turn."]);
      expect(find(board, "[role=status]")[0]!.className).toBe("said");
    },
  );
});

describe("a taken cell", () => {
  it.each([
    `<tictactoe-board moves="0,0" playable></tictactoe-board>`,
    `<go-board size="5" moves="0,0" playable></go-board>`,
  ])("is not played on: %s", async (markup) => {
    const { board, made } = await show(markup);

    await press(board, ..."0,0", "Enter");

    expect(made).toEqual([]);
    expect(said(board)).toContain("is taken");
  });
});

describe("<tictactoe-board>", () => {
  it("marks the completed line and the last move by shape", async () => {
    const { board } = await show(
      `<tictactoe-board rows="4" cols="5" strike="3" moves="2,0 0,0 1,1 1,0 0,2"></tictactoe-board>`,
    );

    expect([find(board, ".won").length, find(board, ".last").length]).toEqual([3, 1]);
  });

  it("lets the seat of `lead` begin", async () => {
    const { board } = await show(`<tictactoe-board lead="1" moves="0,0"></tictactoe-board>`);

    expect([find(board, ".o").length, find(board, ".x").length]).toEqual([1, 0]);
  });
});

describe("<go-board>", () => {
  const stones = (board: Board, colour: string) =>
    find(board, `.stones .${colour}`)
      .map((path) => path.getAttribute("d") ?? "")
      .join("");

  it("takes captured stones away and brings them back when it shows an earlier move", async () => {
    const { board } = await show(`<go-board size="5" moves="0,1 0,0 1,0"></go-board>`);
    expect(stones(board, "white")).toBe("");

    board.shown = 2;
    await board.updateComplete;

    expect([stones(board, "black"), stones(board, "white")]).toEqual(["M0 1h0", "M0 0h0"]);
  });

  it("draws one row again for one move", async () => {
    const { board } = await show(`<go-board size="131" moves="0,0 1,1 2,2 3,3"></go-board>`);
    const before = find(board, ".stones path");
    const seen: Element[] = [];
    const watcher = new MutationObserver((all) =>
      seen.push(...all.map(({ target }) => target as Element)),
    );
    watcher.observe(find(board, ".stones")[0]!, {
      attributes: true,
      childList: true,
      subtree: true,
    });

    board.moves = [...board.moves, "7,2"];
    await board.updateComplete;
    await new Promise((done) => setTimeout(done));

    expect(new Set(seen).size).toBeLessThanOrEqual(3);
    expect(find(board, ".stones path")).toEqual(before);
    expect(stones(board, "black")).toContain("M7 2h0");
  });

  it("plays a typed pass", async () => {
    const { board, made } = await show(`<go-board size="5" playable></go-board>`);

    await press(board, ..."pass", "Enter");

    expect(made).toEqual(["pass"]);
  });

  it("zooms above 25 lines and keeps the cursor in sight", async () => {
    const { board } = await show(`<go-board size="49"></go-board>`);
    const view = () => find(board, "svg")[0]!.getAttribute("viewBox")!.split(" ").map(Number);
    const whole = view();

    await press(board, "+", "+", "+", ...new Array<string>(24).fill("ArrowLeft"));

    const [left, , width] = view() as [number, number, number];
    expect(width).toBeLessThan(whole[2]! / 3);
    expect(left).toBeLessThanOrEqual(0);
    await press(board, "0");
    expect(view()).toEqual(whole);
  });

  it("does not zoom a board of 25", async () => {
    const { board } = await show(`<go-board size="25"></go-board>`);
    expect(find(board, ".zoom")).toHaveLength(0);
  });
});
