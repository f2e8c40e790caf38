/** `<tictactoe-board rows="3" cols="3" strike="3" lead="0" moves="1,1 0,0">` */
import { css, svg, unsafeCSS, type SVGTemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { TicTacToe, seatAt, type Mark } from "../games/tictactoe.ts";
import { boardWords as words } from "./board-words.ts";
import { Board, type Direction, type Place, type View } from "./board.ts";
import { boardStyle } from "./board-style.ts";
import { MARK_COLOURS } from "./mark-colours.ts";

const LABELS = 0.4; // cells above and left of the field, for the coordinates
const EDGE = 0.1;

@customElement("tictactoe-board")
export class TicTacToeBoard extends Board {
  static override styles = [
    boardStyle,
    css`
      .field {
        fill: var(--field);
      }
      .grid {
        stroke: var(--line);
        stroke-width: 0.035;
        stroke-linecap: round;
        fill: none;
      }
      .x,
      .o {
        fill: none;
        stroke-width: 0.13;
        stroke-linecap: round;
      }
      .x {
        stroke: var(--board-x, ${unsafeCSS(MARK_COLOURS[0])});
      }
      .o {
        stroke: var(--board-o, ${unsafeCSS(MARK_COLOURS[1])});
      }
      .ghost {
        opacity: 0.35;
      }
      .chosen {
        opacity: 0.7;
        stroke-dasharray: 0.02 0.2;
      }
      .last {
        fill: none;
        stroke: var(--ink);
        stroke-width: 0.04;
        stroke-linecap: round;
      }
      .won {
        fill: var(--accent);
        opacity: 0.16;
      }
      .labels {
        fill: var(--soft);
        font-size: 0.2px;
        text-anchor: middle;
        dominant-baseline: central;
      }
    `,
  ];

  @property({ type: Number }) rows = 3;
  @property({ type: Number }) cols = 3;
  @property({ type: Number }) strike = 3;

  protected readonly gameTitle = words.games.tictactoe;

  private get game(): TicTacToe {
    return TicTacToe.after(this, this.moves.slice(0, this.shownMoves));
  }

  protected get view(): View {
    const before = this.thumbnail ? EDGE : LABELS;
    return {
      left: -before,
      top: -before,
      width: this.cols + before + EDGE,
      height: this.rows + before + EDGE,
    };
  }

  protected placeOf(cell: number): Place {
    return { left: (cell % this.cols) + 0.5, top: Math.floor(cell / this.cols) + 0.5 };
  }

  protected cellAt({ left, top }: Place): number | null {
    const on = left >= 0 && top >= 0 && left < this.cols && top < this.rows;
    return on ? Math.floor(top) * this.cols + Math.floor(left) : null;
  }

  protected cellName(cell: number): string {
    return `${letter(cell % this.cols)}${Math.floor(cell / this.cols) + 1}`;
  }

  protected contents(cell: number): string {
    const mark = this.game.cells[cell] ?? null;
    const what = mark === null ? words.empty : words.marks[mark];
    return this.isLast(cell) ? `${what}, ${words.lastMove}` : what;
  }

  protected neighbour(cell: number, direction: Direction): number {
    const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] as [
      number,
      number,
    ];
    const { left, top } = this.placeOf(cell);
    return this.cellAt({ left: left + dx, top: top + dy }) ?? cell;
  }

  protected read(typed: string): number | null {
    const named = /^([a-z])(\d{1,2})$/i.exec(typed);
    if (!named) return /^\d+,\d+$/.test(typed) ? this.game.cellOf(typed) : null;
    const x = named[1]!.toLowerCase().charCodeAt(0) - 97;
    return this.cellAt({ left: x + 0.5, top: Number(named[2]) - 0.5 });
  }

  protected activate(cell: number): void {
    const game = this.game;
    if (game.cells[cell] !== null) this.say(words.taken(this.cellName(cell)));
    else this.offer(game.moveTo(cell));
  }

  protected describe(ply: number): string {
    return words.played(words.marks[seatAt(this, ply)], this.moveName(this.moves[ply]!));
  }

  protected drawBoard(): SVGTemplateResult {
    const game = this.game;
    const mover = seatAt(this, this.moves.length);
    const chosen = this.choice === null ? null : game.cellOf(this.choice);
    const hover = this.ready && this.hovered !== chosen ? this.hovered : null;
    return svg`
      <rect class="field" x="0" y="0" width=${this.cols} height=${this.rows} rx=".12"/>
      ${game.line().map((cell) => this.drawSquare(cell))}
      <path class="grid" d=${this.grid()}/>
      ${game.cells.map((mark, cell) => (mark === null ? "" : this.drawMark(cell, mark, "fresh")))}
      ${hover !== null && game.cells[hover] === null ? this.drawMark(hover, mover, "ghost") : ""}
      ${chosen === null ? "" : this.drawMark(chosen, mover, "chosen")}
      ${game.cells.map((_, cell) => (this.isLast(cell) ? this.drawCorners(cell) : ""))}
      ${this.thumbnail ? "" : this.drawLabels()}`;
  }

  private isLast(cell: number): boolean {
    const last = this.moves[this.shownMoves - 1];
    return last !== undefined && this.game.cellOf(last) === cell;
  }

  private grid(): string {
    const columns = range(this.cols - 1).map((x) => `M${x + 1} .08V${this.rows - 0.08}`);
    const rows = range(this.rows - 1).map((y) => `M.08 ${y + 1}H${this.cols - 0.08}`);
    return [...columns, ...rows].join("");
  }

  private drawMark(cell: number, mark: Exclude<Mark, null>, kind: string): SVGTemplateResult {
    const { left, top } = this.placeOf(cell);
    return mark === 0
      ? svg`<path class="x ${kind}" d="M${left - 0.24} ${top - 0.24}l.48 .48m-.48 0l.48-.48"/>`
      : svg`<circle class="o ${kind}" cx=${left} cy=${top} r=".26"/>`;
  }

  private drawSquare(cell: number): SVGTemplateResult {
    const { left, top } = this.placeOf(cell);
    return svg`<rect class="won" x=${left - 0.46} y=${top - 0.46} width=".92" height=".92" rx=".1"/>`;
  }

  private drawCorners(cell: number): SVGTemplateResult {
    const { left, top } = this.placeOf(cell);
    return svg`<path class="last" transform="translate(${left} ${top})"
      d="M-.41-.29v-.12h.12M.29-.41h.12v.12M.41.29v.12h-.12M-.29.41h-.12v-.12"/>`;
  }

  private drawLabels(): SVGTemplateResult {
    return svg`<g class="labels" aria-hidden="true">
      ${range(this.cols).map((x) => svg`<text x=${x + 0.5} y="-.2">${letter(x)}</text>`)}
      ${range(this.rows).map((y) => svg`<text x="-.2" y=${y + 0.5}>${y + 1}</text>`)}</g>`;
  }
}

function letter(x: number): string {
  return String.fromCharCode(97 + x);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
