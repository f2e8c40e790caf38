import { afterEach, describe, expect, it } from "vitest";
import { find, focused, press, said, show } from "./shown.ts";

afterEach(() => document.body.replaceChildren());

describe("<chinese-checkers-board>", () => {
  it("takes a step as a piece and a target", async () => {
    const { board, made } = await show(
      `<chinese-checkers-board zones="AD" seat="0" playable></chinese-checkers-board>`,
    );

    await press(board, ..."-4,5", "Enter", ..."-4,4", "Enter");

    expect(made).toEqual(["-4,5>-4,4"]);
  });

  it("builds a path hop by hop and ends it where the player says", async () => {
    const { board, made } = await show(
      `<chinese-checkers-board zones="AD" seat="0" playable></chinese-checkers-board>`,
    );
    board.start = [["0,0"], ["1,0", "2,1", "1,3"]];

    await press(board, ..."0,0", "Enter", ..."2,0", "Enter");
    expect(made).toEqual([]);
    await press(board, ..."2,2", "Enter", "Enter");

    expect(made).toEqual(["0,0>2,0>2,2"]);
  });

  it("asks after a hop whether it goes on, with a button that ends the move", async () => {
    const { board, made } = await show(
      `<chinese-checkers-board zones="AD" seat="0" playable></chinese-checkers-board>`,
    );
    board.start = [["0,0"], ["1,0", "2,1", "1,3"]];

    await press(board, ..."0,0", "Enter");
    expect(find(board, ".under button")).toHaveLength(0);
    await press(board, ..."2,0", "Enter");
    expect(said(board)).toBe("Hopped to 2,0. Press it again, or “End the move here”.");
    (find(board, ".under button")[0] as HTMLButtonElement).click();
    await board.updateComplete;

    expect(made).toEqual(["0,0>2,0"]);
    expect(find(board, ".under button")).toHaveLength(0);
  });

  it("takes hops back one by one", async () => {
    const { board, made } = await show(
      `<chinese-checkers-board zones="AD" seat="0" playable></chinese-checkers-board>`,
    );
    board.start = [["0,0"], ["1,0", "2,1", "1,3"]];

    await press(board, ..."0,0", "Enter", ..."2,2", "Enter", "Escape");
    expect(made).toEqual([]);
    await press(board, "Enter");

    expect(made).toEqual(["0,0>2,0"]);
  });

  it("goes to the end of a chain at once when nothing lies beyond", async () => {
    const { board, made } = await show(
      `<chinese-checkers-board zones="AD" seat="0" playable></chinese-checkers-board>`,
    );
    board.start = [["0,0"], ["1,0", "2,1", "1,3"]];

    await press(board, ..."0,0", "Enter", ..."0,4", "Enter");

    expect(made).toEqual(["0,0>2,0>2,2>0,4"]);
  });

  it("takes a whole path as text", async () => {
    const { board, made } = await show(
      `<chinese-checkers-board zones="AD" seat="0" playable></chinese-checkers-board>`,
    );

    await press(board, ..."-4,5>-4,4", "Enter");

    expect(made).toEqual(["-4,5>-4,4"]);
  });

  it("does not lift what is not one's own", async () => {
    const { board } = await show(
      `<chinese-checkers-board zones="AD" seat="0" playable></chinese-checkers-board>`,
    );

    await press(board, ..."4,-5", "Enter");

    expect(find(board, ".target")).toHaveLength(0);
    expect(said(board)).toContain("No piece of yours");
  });

  it("keeps its cursor when it is told the same zones again", async () => {
    const { board } = await show(
      `<chinese-checkers-board zones="AD" seat="0"></chinese-checkers-board>`,
    );
    await press(board, "ArrowUp", "ArrowUp");
    const before = focused(board);
    Object.assign(board, { zones: ["A", "D"], departures: [] });
    await board.updateComplete;

    expect(focused(board)).toBe(before);
  });

  it("walks over all 121 cells with the arrows, row by row", async () => {
    const { board } = await show(
      `<chinese-checkers-board zones="AD" seat="0"></chinese-checkers-board>`,
    );
    await press(board, ..."-4,8".split(""), "Enter");
    const seen = new Set<string | null>();
    for (let row = 0; row < 17; row++) {
      for (let column = 0; column < 13; column++) await press(board, "ArrowLeft");
      for (let column = 0; column < 13; column++) {
        seen.add(focused(board));
        await press(board, "ArrowRight");
      }
      await press(board, "ArrowUp");
    }
    expect(new Set([...seen].map((label) => label!.split(", ")[0])).size).toBe(121);
  });
});
