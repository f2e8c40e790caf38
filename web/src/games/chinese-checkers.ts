/**
 * The star of Chinese checkers and how pieces move on it.
 *
 * Cells are pairs x,y in the axes of the RUC course network protocol, MOVE_OP: the origin in the
 * middle, x to the right, y up and to the right at 60 degrees. Inside, a cell is its number 0 to
 * 120 in reading order from the tip of zone A.
 */

export type Zone = "A" | "B" | "C" | "D" | "E" | "F";
export const ZONES: readonly Zone[] = ["A", "B", "C", "D", "E", "F"];

const RADIUS = 4;
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
] as const;

export interface Cell {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  /** The point of the star that the cell is in; null in the middle. */
  readonly zone: Zone | null;
}

export const CELLS: readonly Cell[] = makeCells();
const NUMBERS = new Map(CELLS.map((cell, number) => [cell.name, number]));

function makeCells(): Cell[] {
  const cells: Cell[] = [];
  for (let y = 2 * RADIUS; y >= -2 * RADIUS; y--) {
    for (let x = -2 * RADIUS; x <= 2 * RADIUS; x++) {
      const upward = Math.min(x, y) >= -RADIUS && x + y <= RADIUS;
      const downward = Math.max(x, y) <= RADIUS && x + y >= -RADIUS;
      if (upward || downward) cells.push({ x, y, name: `${x},${y}`, zone: zoneOf(x, y) });
    }
  }
  return cells;
}

function zoneOf(x: number, y: number): Zone | null {
  const beyond = { A: y, B: x + y, C: x, D: -y, E: -x - y, F: -x };
  return ZONES.find((zone) => beyond[zone] > RADIUS) ?? null;
}

/** The number of the cell called `name` (`"-4,5"`); null when it is off the board. */
export function cellNumber(name: string): number | null {
  return NUMBERS.get(name) ?? null;
}

/** Where the pieces that begin in `zone` must go. */
export function targetOf(zone: Zone): Zone {
  return ZONES[(ZONES.indexOf(zone) + 3) % 6]!;
}

/** A seat that left the game, and after how many moves. */
export interface Departure {
  seat: number;
  after: number;
}

/** Which seat's piece stands on each cell; null where none does. */
export function standAfter(
  zones: readonly Zone[],
  moves: readonly string[],
  departures: readonly Departure[] = [],
  start: readonly (readonly string[])[] | null = null,
): (number | null)[] {
  const stand = CELLS.map(({ zone, name }) => {
    const seat = start
      ? start.findIndex((cells) => cells.includes(name))
      : zones.findIndex((own) => own === zone);
    return seat < 0 ? null : seat;
  });
  for (let ply = 0; ply <= moves.length; ply++) {
    for (const { seat, after } of departures) {
      if (after !== ply) continue;
      stand.forEach((owner, cell) => {
        if (owner === seat) stand[cell] = null;
      });
    }
    const path = moves[ply]?.split(">").map(cellNumber) ?? [];
    const [from, to] = [path.at(0), path.at(-1)];
    if (from == null || to == null) continue;
    const owner = stand[from] ?? null;
    stand[from] = null;
    stand[to] = owner;
  }
  return stand;
}

type Stand = readonly (number | null)[];

/** The free cells next to `cell`. */
export function stepsFrom(stand: Stand, cell: number): number[] {
  return DIRECTIONS.map((direction) => away(cell, direction, 1)).filter(
    (near): near is number => near !== null && stand[near] === null,
  );
}

/** Where one hop from `cell` lands, for the piece that began its move on `start`. */
export function hopsFrom(stand: Stand, cell: number, start: number): number[] {
  const free = (number: number) => stand[number] === null || number === start;
  return DIRECTIONS.flatMap((direction) => {
    const over = away(cell, direction, 1);
    const landing = away(cell, direction, 2);
    return over !== null && landing !== null && !free(over) && free(landing) ? [landing] : [];
  });
}

/** How a piece can go on from the end of `path`, and everything it can reach from there. */
export interface Reach {
  /** Cells one step away; only a move of a single step may go there. */
  steps: number[];
  /** By cell: the shortest chain of hops from the end of the path, without that end. */
  chains: Map<number, number[]>;
}

export function reachOf(stand: Stand, path: readonly number[]): Reach {
  const start = path[0]!;
  const end = path.at(-1)!;
  const chains = new Map<number, number[]>();
  const queue: number[][] = [[end]];
  for (const chain of queue) {
    for (const landing of hopsFrom(stand, chain.at(-1)!, start)) {
      if (landing === end || landing === start || chains.has(landing)) continue;
      const longer = [...chain, landing];
      chains.set(landing, longer.slice(1));
      queue.push(longer);
    }
  }
  return { steps: path.length === 1 ? stepsFrom(stand, start) : [], chains };
}

function away(cell: number, [i, j]: readonly [number, number], far: number): number | null {
  const { x, y } = CELLS[cell]!;
  return cellNumber(`${x + i * far},${y + j * far}`);
}

/** Where a cell is on the screen, one unit from its neighbours, with `below` at the bottom. */
export function placeOf(cell: number, below: Zone): { left: number; top: number } {
  const { x, y } = CELLS[cell]!;
  const turns = (3 - ZONES.indexOf(below)) % 6;
  const angle = (turns * Math.PI) / 3;
  const [left, top] = [x + y / 2, (-y * Math.sqrt(3)) / 2];
  return {
    left: left * Math.cos(angle) - top * Math.sin(angle),
    top: left * Math.sin(angle) + top * Math.cos(angle),
  };
}
