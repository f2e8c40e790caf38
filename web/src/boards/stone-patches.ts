/**
 * Stones drawn patch by patch: a path for the black, the white and the shades of each 8 by 8 points.
 *
 * A move changes one patch, so that even on a board of 131 lines with 10,000 stones the browser
 * draws a few stones again and no more. A stone is a line of no length with round ends.
 */
import type { Go } from "../games/go.ts";

const SVG = "http://www.w3.org/2000/svg";
const SIDE = 8; // points

interface Patch {
  shade: SVGPathElement;
  black: SVGPathElement;
  white: SVGPathElement;
}

export class StonePatches {
  private patches: Patch[] = [];
  private across = 0;
  private readonly touched = new Set<number>();
  private group: SVGGElement | null = null;

  /** Begin again with another board. */
  restart(size: number): void {
    this.across = Math.ceil(size / SIDE);
    this.group = null;
    this.touched.clear();
  }

  /** Note that a point has changed. */
  touch(x: number, y: number): void {
    this.touched.add(Math.floor(y / SIDE) * this.across + Math.floor(x / SIDE));
  }

  /** Bring what has changed up to date in `group`, which nobody else writes to. */
  draw(group: SVGGElement, go: Go): void {
    if (group !== this.group) {
      this.group = group;
      this.patches = Array.from({ length: this.across ** 2 }, () => makePatch());
      // All the shades lie under all the stones, or a shade would fall on the patch beside.
      group.replaceChildren(
        ...this.patches.map(({ shade }) => shade),
        ...this.patches.flatMap(({ black, white }) => [black, white]),
      );
      for (let patch = 0; patch < this.patches.length; patch++) this.touched.add(patch);
    }
    for (const patch of this.touched) this.drawPatch(patch, go);
    this.touched.clear();
  }

  private drawPatch(number: number, go: Go): void {
    const patch = this.patches[number]!;
    const [left, top] = [(number % this.across) * SIDE, Math.floor(number / this.across) * SIDE];
    const paths = ["", "", ""];
    for (let y = top; y < Math.min(go.size, top + SIDE); y++) {
      for (let x = left; x < Math.min(go.size, left + SIDE); x++) {
        const stone = go.stones[y * go.size + x]!;
        if (stone !== 0) paths[stone] += `M${x} ${y}h0`;
      }
    }
    const [, black, white] = paths;
    patch.black.setAttribute("d", black!);
    patch.white.setAttribute("d", white!);
    patch.shade.setAttribute("d", black! + white!);
  }
}

function makePatch(): Patch {
  const make = (kind: string) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", kind);
    return path;
  };
  const shade = make("shade");
  shade.setAttribute("transform", "translate(.03 .06)");
  return { shade, black: make("black"), white: make("white") };
}
