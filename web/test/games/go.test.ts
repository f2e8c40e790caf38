import { describe, expect, it } from "vitest";
import { Go, columnName, hoshi, pointName, readPoint } from "../../src/games/go.ts";

function drawn(go: Go): string {
  return Array.from({ length: go.size }, (_, y) =>
    Array.from(go.stones.slice(y * go.size, (y + 1) * go.size), (stone) => ".XO"[stone]).join(" "),
  ).join("\n");
}

function after(moves: string, size = 5): Go {
  const go = new Go(size);
  for (const move of moves.split(" ")) go.play(move);
  return go;
}

describe("Go", () => {
  it("takes a surrounded stone off the board", () => {
    const go = after("0,1 0,0 1,0");

    expect(drawn(go)).toBe(". X . . .\nX . . . .\n. . . . .\n. . . . .\n. . . . .");
    expect(go.captured).toEqual([0, 1]);
  });

  it("captures before it counts the own liberties", () => {
    const go = after("1,0 2,0 0,1 1,1 4,4 0,2 4,3 0,0");

    expect(drawn(go)).toBe("O . O . .\n. O . . .\nO . . . .\n. . . . X\n. . . . X");
    expect(go.captured).toEqual([2, 0]);
  });

  it("allows suicide, which costs the mover the chain", () => {
    const go = after("4,4 0,1 4,3 1,0 0,0");

    expect(go.stones[0]).toBe(0);
    expect(go.captured).toEqual([1, 0]);
  });

  it("takes back what it played, one by one, to the empty board", () => {
    const moves = "1,0 2,0 0,1 1,1 4,4 0,2 4,3 0,0 pass 0,1 1,0".split(" ");
    const go = new Go(5);
    const before: string[] = [];
    for (const move of moves) {
      before.push(`${drawn(go)} ${go.captured}`);
      go.play(move);
    }

    for (const drawing of before.reverse()) {
      go.undo();
      expect(`${drawn(go)} ${go.captured}`).toBe(drawing);
    }
  });

  it("starts from a set-up board with the seat that is told", () => {
    const go = new Go(5, 1, [["0,0"], ["1,0"]]);
    go.play("0,1");

    expect(drawn(go).split("\n").slice(0, 2)).toEqual([". O . . .", "O . . . ."]);
  });
});

describe("the names of points", () => {
  it.each([19, 25, 131])("read back on a board of %i", (size) => {
    for (let point = 0; point < size * size; point++) {
      expect(readPoint(size, pointName(size, point))).toBe(point);
    }
  });

  it("leave out the letter I and go on with two letters", () => {
    expect([7, 8, 24, 25, 26, 50].map(columnName)).toEqual(["H", "J", "Z", "AA", "AB", "BA"]);
  });

  it("are read in canonical text as well, and nothing off the board is", () => {
    expect(readPoint(9, "2,0")).toBe(2);
    expect(
      ["k1", "a0", "a10", "9,0", "0,9", "i5", "", "4"].map((text) => readPoint(9, text)),
    ).toEqual(new Array(8).fill(null));
  });
});

describe("hoshi", () => {
  it.each([
    [5, 0],
    [9, 5],
    [13, 5],
    [19, 9],
    [131, 9],
  ])("a board of %i has %i", (size, count) => {
    expect(hoshi(size)).toHaveLength(count);
  });

  it("stand on the fourth line of a board of 19", () => {
    expect(hoshi(19).map((point) => pointName(19, point))).toContain("D16");
  });
});
