/**
 * Stones drawn row by row: a path for the black, the white and the shades of each row.
 *
 * A move changes one row, so that even on a board of 131 lines with 10,000 stones the browser
 * draws again a hundred stones at most. A stone is a line of no length with round ends.
 */
import type { Go } from "../games/go.ts";

const SVG = "http://www.w3.org/2000/svg";

interface Row {
  shade: SVGPathElement;
  black: SVGPathElement;
  white: SVGPathElement;
}

export class StoneRows {
  private rows: Row[] = [];
  private readonly touched = new Set<number>();
  private group: SVGGElement | null = null;

  /** Begin again with another board. */
  restart(): void {
    this.group = null;
    this.touched.clear();
  }

  /** Note that a row's stones have changed. */
  touch(row: number): void {
    this.touched.add(row);
  }

  /** Bring the rows that have changed up to date in `group`, which nobody else writes to. */
  draw(group: SVGGElement, go: Go): void {
    if (group !== this.group) {
      this.group = group;
      this.rows = Array.from({ length: go.size }, () => makeRow());
      // All the shades lie under all the stones, or a shade would fall on the row above.
      group.replaceChildren(
        ...this.rows.map(({ shade }) => shade),
        ...this.rows.flatMap(({ black, white }) => [black, white]),
      );
      for (let row = 0; row < go.size; row++) this.touched.add(row);
    }
    for (const row of this.touched) this.drawRow(row, go);
    this.touched.clear();
  }

  private drawRow(number: number, go: Go): void {
    const row = this.rows[number];
    if (row === undefined) return;
    const paths = ["", "", ""];
    for (let x = 0; x < go.size; x++) {
      const stone = go.stones[number * go.size + x]!;
      if (stone !== 0) paths[stone] += `M${x} ${number}h0`;
    }
    const [, black, white] = paths;
    row.black.setAttribute("d", black!);
    row.white.setAttribute("d", white!);
    row.shade.setAttribute("d", black! + white!);
  }
}

function makeRow(): Row {
  const make = (kind: string) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", kind);
    return path;
  };
  const shade = make("shade");
  shade.setAttribute("transform", "translate(.03 .06)");
  return { shade, black: make("black"), white: make("white") };
}
