import { describe, expect, it } from "vitest";
import {
  CELLS,
  ZONES,
  cellNumber,
  placeOf,
  reachOf,
  standAfter,
  targetOf,
} from "../../src/games/chinese-checkers.ts";

const at = (name: string) => cellNumber(name)!;
const names = (cells: Iterable<number>) => [...cells].map((cell) => CELLS[cell]!.name).sort();

describe("the star", () => {
  it("has 121 cells, ten in each zone", () => {
    expect(CELLS).toHaveLength(121);
    expect(ZONES.map((zone) => CELLS.filter((cell) => cell.zone === zone).length)).toEqual(
      new Array(6).fill(10),
    );
  });

  it("has each zone opposite its target", () => {
    expect(ZONES.map(targetOf).join("")).toBe("DEFABC");
  });

  it.each(ZONES)("turns so that zone %s is below", (zone) => {
    const lowest = CELLS.map((_, cell) => cell).reduce((one, other) =>
      placeOf(one, zone).top > placeOf(other, zone).top ? one : other,
    );
    expect(CELLS[lowest]!.zone).toBe(zone);
  });
});

describe("pieces", () => {
  it("follow their moves from the first cell of the path to the last", () => {
    const stand = standAfter(["A", "D"], ["-4,5>-4,4", "4,-5>4,-4"]);

    expect([stand[at("-4,5")], stand[at("-4,4")], stand[at("4,-4")]]).toEqual([null, 0, 1]);
  });

  it("leave the board with their player, who left after that many moves", () => {
    const moves = ["-4,5>-4,4", "5,-1>4,-1"];
    const stand = (departed: number) =>
      standAfter(["A", "C"], moves.slice(0, departed + 1), [{ seat: 0, after: 1 }]);

    expect(stand(1).filter((owner) => owner === 0)).toHaveLength(0);
    expect(
      standAfter(["A", "C"], [], [{ seat: 0, after: 1 }]).filter((owner) => owner === 0),
    ).toHaveLength(10);
  });

  it("step to free neighbours and hop over any piece, again and again", () => {
    const start = [["0,0"], ["1,0", "2,1", "1,3"]]; // over 1,0 to 2,0; over 2,1 to 2,2; over 1,3 no
    const stand = standAfter(["A", "D"], [], [], start);
    const reach = reachOf(stand, [at("0,0")]);

    expect(names(reach.steps)).toEqual(["-1,0", "-1,1", "0,-1", "0,1", "1,-1"]);
    expect(names(reach.chains.keys())).toEqual(["2,0", "2,2", "0,4"].sort());
    expect(names(reach.chains.get(at("0,4"))!)).toEqual(["0,4", "2,0", "2,2"].sort());
  });

  it("that hopped may only hop on, and not over the cell they left", () => {
    const stand = standAfter(["A", "D"], [], [], [["0,0"], ["1,0"]]);
    const reach = reachOf(stand, [at("0,0"), at("2,0")]);

    expect(reach.steps).toEqual([]);
    expect(names(reach.chains.keys())).toEqual([]);
  });
});
