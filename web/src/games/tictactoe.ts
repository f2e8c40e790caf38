/** What a tic-tac-toe board needs to know of m,n,k: who stands where, and the completed line. */

export interface TicTacToeOptions {
  rows: number;
  cols: number;
  strike: number;
  /** The seat that moves first, and what stands on the board before that. */
  lead: number;
  start: readonly (readonly string[])[] | null;
}

export type Mark = 0 | 1 | null;

/** Seats are 0 for x and 1 for o, whoever begins. */
export class TicTacToe {
  readonly cells: Mark[];

  constructor(readonly options: TicTacToeOptions) {
    this.cells = new Array<Mark>(options.rows * options.cols).fill(null);
  }

  static after(options: TicTacToeOptions, moves: readonly string[]): TicTacToe {
    const game = new TicTacToe(options);
    options.start?.forEach((cells, seat) =>
      cells.forEach((cell) => game.place(cell, seat === 0 ? 0 : 1)),
    );
    moves.forEach((move, ply) => game.place(move, seatAt(options, ply)));
    return game;
  }

  /** The number of a cell, row by row from the top left; null when the text is no cell. */
  cellOf(move: string): number | null {
    const [x, y] = move.split(",").map(Number);
    if (x === undefined || y === undefined) return null;
    const { rows, cols } = this.options;
    return x >= 0 && x < cols && y >= 0 && y < rows ? y * cols + x : null;
  }

  moveTo(cell: number): string {
    return `${cell % this.options.cols},${Math.floor(cell / this.options.cols)}`;
  }

  /** The cells of a completed line, or none. */
  line(): number[] {
    const { rows, cols, strike } = this.options;
    for (let cell = 0; cell < this.cells.length; cell++) {
      if (this.cells[cell] === null) continue;
      const x = cell % cols;
      const y = Math.floor(cell / cols);
      for (const [dx, dy] of [
        [1, 0],
        [0, 1],
        [1, 1],
        [-1, 1],
      ] as const) {
        const run: number[] = [];
        let [i, j] = [x, y];
        while (i >= 0 && i < cols && j < rows && this.cells[j * cols + i] === this.cells[cell]) {
          run.push(j * cols + i);
          i += dx;
          j += dy;
        }
        if (run.length >= strike) return run;
      }
    }
    return [];
  }

  private place(move: string, seat: 0 | 1): void {
    const cell = this.cellOf(move);
    if (cell !== null) this.cells[cell] = seat;
  }
}

/** Whose move number `ply` is, counted from 0. */
export function seatAt(options: { lead: number }, ply: number): 0 | 1 {
  return (ply + options.lead) % 2 === 0 ? 0 : 1;
}
