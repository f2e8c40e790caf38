/** Stones, captures and back again: what a Go board needs to draw any position of a game. */

export const EMPTY = 0;
export type Stone = 0 | 1 | 2; // nothing, black, white

interface Step {
  point: number | null;
  removed: readonly number[];
  stone: 1 | 2;
}

/**
 * A board that plays and takes back moves in place. Points are numbered row by row from the top
 * left. The server rules on superko; here a move is only carried out.
 */
export class Go {
  readonly stones: Uint8Array;
  /** Stones that black and white have lost, by suicide too (Tromp-Taylor rules). */
  readonly captured: [number, number] = [0, 0];
  private readonly steps: Step[] = [];

  constructor(
    readonly size: number,
    readonly lead = 0,
    start: readonly (readonly string[])[] | null = null,
  ) {
    this.stones = new Uint8Array(size * size);
    start?.forEach((cells, seat) => {
      for (const cell of cells) this.stones[this.pointOf(cell) ?? -1] = seat + 1;
    });
  }

  /** How many moves have been played, passes included. */
  get ply(): number {
    return this.steps.length;
  }

  /** The point of a move; null for a pass and for what is no point of this board. */
  pointOf(move: string): number | null {
    const comma = move.indexOf(",");
    if (comma < 0) return null;
    const x = Number(move.slice(0, comma));
    const y = Number(move.slice(comma + 1));
    const on = (n: number) => Number.isInteger(n) && n >= 0 && n < this.size;
    return on(x) && on(y) ? y * this.size + x : null;
  }

  moveTo(point: number): string {
    return `${point % this.size},${Math.floor(point / this.size)}`;
  }

  /** Play a move and return the points that became empty. */
  play(move: string): readonly number[] {
    const stone = (this.ply + this.lead) % 2 === 0 ? 1 : 2;
    const point = this.pointOf(move);
    const removed: number[] = [];
    if (point !== null) {
      this.stones[point] = stone;
      for (const near of this.beside(point)) {
        if (this.stones[near] === 3 - stone) removed.push(...this.lift(near));
      }
      this.captured[2 - stone] = (this.captured[2 - stone] ?? 0) + removed.length;
      if (removed.length === 0) {
        const own = this.lift(point);
        this.captured[stone - 1] = (this.captured[stone - 1] ?? 0) + own.length;
        removed.push(...own);
      }
    }
    this.steps.push({ point, removed, stone });
    return removed;
  }

  /** Take the newest move back and return the points that changed. */
  undo(): readonly number[] {
    const step = this.steps.pop();
    if (step === undefined || step.point === null) return [];
    const { point, removed, stone } = step;
    const suicide = removed.includes(point);
    const lost = suicide ? stone : 3 - stone;
    for (const gone of removed) this.stones[gone] = lost;
    this.captured[lost - 1] = (this.captured[lost - 1] ?? 0) - removed.length;
    this.stones[point] = EMPTY;
    return [point, ...removed];
  }

  /** What the newest move captured from the other side. */
  get lastCapture(): number {
    const step = this.steps.at(-1);
    return step === undefined || step.removed.includes(step.point ?? -1) ? 0 : step.removed.length;
  }

  beside(point: number): number[] {
    const x = point % this.size;
    const near: number[] = [];
    if (x > 0) near.push(point - 1);
    if (x < this.size - 1) near.push(point + 1);
    if (point >= this.size) near.push(point - this.size);
    if (point < this.stones.length - this.size) near.push(point + this.size);
    return near;
  }

  /** Remove the chain at `start` if it has no liberty; returns its points, or nothing. */
  private lift(start: number): number[] {
    const stone = this.stones[start];
    const chain = [start];
    const seen = new Set(chain);
    for (const point of chain) {
      for (const near of this.beside(point)) {
        if (this.stones[near] === EMPTY) return [];
        if (this.stones[near] === stone && !seen.has(near)) {
          seen.add(near);
          chain.push(near);
        }
      }
    }
    for (const point of chain) this.stones[point] = EMPTY;
    return chain;
  }
}

// The letter I is left out, as on every Go board, because it reads like a 1.
const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/** The name of a column: A to Z without I, then AA, AB and so on. */
export function columnName(x: number): string {
  const last = LETTERS.charAt(x % LETTERS.length);
  return x < LETTERS.length ? last : LETTERS.charAt(Math.floor(x / LETTERS.length) - 1) + last;
}

/** What players call a point: column letters, then the row counted from the bottom. */
export function pointName(size: number, point: number): string {
  return `${columnName(point % size)}${size - Math.floor(point / size)}`;
}

/** Read `d4` or `3,5` (column and row from 0 at the top left); null when it is no point. */
export function readPoint(size: number, text: string): number | null {
  const pair = /^(\d+),(\d+)$/.exec(text);
  const named = /^([a-z]{1,2})(\d+)$/i.exec(text);
  let x: number;
  let y: number;
  if (pair) {
    [x, y] = [Number(pair[1]), Number(pair[2])];
  } else if (named) {
    const letters = (named[1] ?? "").toUpperCase();
    const digits = [...letters].map((letter) => LETTERS.indexOf(letter));
    if (digits.includes(-1)) return null;
    x = digits.length === 1 ? digits[0]! : (digits[0]! + 1) * LETTERS.length + digits[1]!;
    y = size - Number(named[2]);
  } else {
    return null;
  }
  return x < size && y >= 0 && y < size ? y * size + x : null;
}

/** The marked points of a board: none below 7, corners and centre, and the sides from 19 on. */
export function hoshi(size: number): number[] {
  if (size < 7 || size % 2 === 0) return [];
  const edge = size < 13 ? 2 : 3;
  const middle = (size - 1) / 2;
  const lines = [edge, middle, size - 1 - edge];
  return lines.flatMap((y) =>
    lines.filter((x) => size >= 19 || (x === middle) === (y === middle)).map((x) => y * size + x),
  );
}
