/** `<go-board size="19" moves="3,3 15,15 pass">`: any odd size from 5 to 131. */
import {
  css,
  html,
  svg,
  type PropertyValues,
  type SVGTemplateResult,
  type TemplateResult,
} from "lit";
import { customElement, property } from "lit/decorators.js";
import { EMPTY, Go, columnName, hoshi, pointName, readPoint } from "../games/go.ts";
import { boardWords as words } from "./board-words.ts";
import { Board, type Direction, type Place, type View } from "./board.ts";
import { boardStyle } from "./board-style.ts";
import { StonePatches } from "./stone-patches.ts";
import { Zoom } from "./zoom.ts";

const ZOOMED_ABOVE = 25;
const LABELS = 1.25; // cells left of and below the lines, for the coordinates
const EDGE = 0.75;

@customElement("go-board")
export class GoBoard extends Board {
  static override styles = [
    boardStyle,
    css`
      svg {
        background: var(--board-wood, light-dark(#e9c98f, #b8925a));
        color: #2a2116;
      }
      :host([zoomable]) svg {
        touch-action: none;
      }
      .lines {
        fill: none;
        stroke: #4d3c22;
        stroke-width: 0.035;
        stroke-linecap: square;
      }
      .hoshi {
        fill: none;
        stroke: #4d3c22;
        stroke-width: 0.2;
        stroke-linecap: round;
      }
      .stones path {
        fill: none;
        stroke-linecap: round;
      }
      .shade {
        stroke: #0006;
        stroke-width: 0.95;
      }
      .black {
        stroke: #1d1c1f;
        stroke-width: 0.92;
      }
      .white {
        stroke: #f8f6f1;
        stroke-width: 0.92;
      }
      .ghost {
        opacity: 0.45;
      }
      .chosen {
        opacity: 0.8;
      }
      .mark {
        fill: none;
        stroke-width: 0.09;
        stroke-linejoin: round;
      }
      .cursor rect {
        stroke: #0b4fa8;
      }
      .strip {
        fill: light-dark(#e9c98fe6, #b8925ae6);
      }
      .labels {
        fill: #4a3a1f;
        text-anchor: middle;
        dominant-baseline: central;
      }
      .zoom {
        float: right;
        display: flex;
        gap: 0.25rem;
        margin: 0.35rem 0 0 0.5rem;
      }
      .zoom button {
        font:
          600 1.1rem/1 system-ui,
          sans-serif;
        min-width: 2.25rem;
        height: 2.25rem;
        border: 1px solid var(--line);
        border-radius: 0.5rem;
        color: var(--ink);
        background: var(--field);
        cursor: pointer;
      }
    `,
  ];

  @property({ type: Number }) size = 19;

  protected readonly gameTitle = words.games.go;
  private go = new Go(0);
  private applied: readonly string[] = [];
  private readonly patches = new StonePatches();
  private readonly zoom = new Zoom(
    () => this.whole,
    () => this.requestUpdate(),
  );

  private get zoomable(): boolean {
    return this.size > ZOOMED_ABOVE && !this.thumbnail;
  }

  private get whole(): View {
    const scale = Math.max(1, this.size / ZOOMED_ABOVE);
    const [before, after] = this.thumbnail ? [0.7, 0.7] : [LABELS * scale, EDGE * scale];
    const span = this.size - 1 + before + after;
    return { left: -before, top: -after, width: span, height: span };
  }

  protected get view(): View {
    return this.zoom.view;
  }

  /** Stones that black and white have lost so far. */
  get captured(): readonly [number, number] {
    return this.go.captured;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (["size", "start", "lead"].some((name) => changed.has(name))) {
      this.go = new Go(this.size, this.lead, this.start);
      this.applied = [];
      this.patches.restart(this.size);
    }
    if (changed.has("size")) {
      this.zoom.reset();
      this.cursor = (this.size * this.size - 1) / 2;
      this.toggleAttribute("zoomable", this.zoomable);
    }
    this.follow();
    super.willUpdate(changed);
    if (changed.has("cursor") && this.hasUpdated && this.zoomable)
      this.zoom.reveal(this.placeOf(this.cursor));
  }

  /** Take back and play until the stones are those of the moves shown; note which points changed. */
  private follow(): void {
    const { moves, applied, go } = this;
    let same = 0;
    if (moves === applied) same = Math.min(go.ply, this.shownMoves);
    else while (same < go.ply && same < this.shownMoves && moves[same] === applied[same]) same++;
    while (go.ply > same) this.touch(go.undo());
    while (go.ply < this.shownMoves) {
      const move = moves[go.ply]!;
      this.touch(go.play(move));
      const point = go.pointOf(move);
      if (point !== null) this.touch([point]);
    }
    this.applied = moves;
  }

  private touch(points: readonly number[]): void {
    for (const point of points)
      this.patches.touch(point % this.size, Math.floor(point / this.size));
  }

  protected override updated(): void {
    const group = this.renderRoot.querySelector<SVGGElement>(".stones");
    if (group) this.patches.draw(group, this.go);
  }

  protected placeOf(point: number): Place {
    return { left: point % this.size, top: Math.floor(point / this.size) };
  }

  protected cellAt({ left, top }: Place): number | null {
    const [x, y] = [Math.round(left), Math.round(top)];
    return x >= 0 && y >= 0 && x < this.size && y < this.size ? y * this.size + x : null;
  }

  protected cellName(point: number): string {
    return pointName(this.size, point);
  }

  protected contents(point: number): string {
    const stone = this.go.stones[point] ?? EMPTY;
    if (stone === EMPTY)
      return hoshi(this.size).includes(point) ? `${words.empty}, ${words.starPoint}` : words.empty;
    const what = words.stones[stone - 1]!;
    return this.lastPoint === point ? `${what}, ${words.lastMove}` : what;
  }

  protected neighbour(point: number, direction: Direction): number {
    const { left, top } = this.placeOf(point);
    const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] as [
      number,
      number,
    ];
    return this.cellAt({ left: left + dx, top: top + dy }) ?? point;
  }

  protected read(typed: string): number | null {
    return readPoint(this.size, typed);
  }

  protected activate(point: number): void {
    if (this.go.stones[point] !== EMPTY) this.say(words.taken(this.cellName(point)));
    else this.offer(this.go.moveTo(point));
  }

  protected override enter(): void {
    if (this.typed.toLowerCase() !== "pass") {
      super.enter();
      return;
    }
    this.typed = "";
    if (this.ready) this.offer("pass");
    else this.sayWhyNot();
  }

  protected override moveName(move: string): string {
    return move === "pass" ? words.pass : super.moveName(move);
  }

  protected describe(ply: number): string {
    const [who, move] = [words.stones[(ply + this.lead) % 2]!, this.moves[ply]!];
    if (move === "pass") return words.passed(who);
    const taken = ply + 1 === this.go.ply ? this.go.lastCapture : 0;
    const said = words.played(who, this.moveName(move));
    return taken ? `${said} ${words.captured(taken)}` : said;
  }

  private get lastPoint(): number | null {
    const move = this.moves[this.shownMoves - 1];
    return move === undefined ? null : this.go.pointOf(move);
  }

  protected drawBoard(): SVGTemplateResult {
    const mover = (this.moves.length + this.lead) % 2 === 0 ? "black" : "white";
    const chosen = this.choice === null ? null : this.go.pointOf(this.choice);
    const hover = this.ready && this.hovered !== chosen ? this.hovered : null;
    const free = hover !== null && this.go.stones[hover] === EMPTY;
    return svg`
      <path class="lines" d=${lines(this.size)}/>
      <path class="hoshi" d=${dots(this.size, hoshi(this.size))}/>
      <g class="stones"></g>
      <g class="stones-to-be">
        ${free ? svg`<path class="${mover} ghost" d=${dots(this.size, [hover])} stroke-linecap="round"/>` : ""}
        ${chosen === null ? "" : svg`<path class="${mover} chosen" d=${dots(this.size, [chosen])} stroke-linecap="round"/>`}
      </g>
      ${this.drawLast()} ${this.thumbnail ? "" : this.drawLabels()}`;
  }

  /** The newest stone bears a triangle, which needs no colour to be seen. */
  private drawLast(): SVGTemplateResult | string {
    const point = this.lastPoint;
    if (point === null || this.go.stones[point] === EMPTY) return "";
    const { left, top } = this.placeOf(point);
    const ink = this.go.stones[point] === 1 ? "#f8f6f1" : "#1d1c1f";
    return svg`<path class="mark" stroke=${ink} d="M${left} ${top - 0.27}l.25.42h-.5z"/>`;
  }

  /** Coordinates along the left and lower edge of what is seen, thinned out when it is much. */
  private drawLabels(): SVGTemplateResult {
    const { left, top, width, height } = this.view;
    const scale = this.zoomable ? width / (ZOOMED_ABOVE + 2) : 1;
    const font = Math.min(0.42, 0.2 + 0.012 * this.size) * scale;
    const step = [1, 2, 5, 10].find((every) => every >= scale) ?? 10;
    const [x, y] = [left + 0.45 * scale, top + height - 0.45 * scale];
    const along = (from: number, to: number) =>
      Array.from({ length: this.size }, (_, n) => n).filter(
        (n) => n % step === 0 && n >= from && n <= to,
      );
    const strips = this.zoomable
      ? svg`<rect class="strip" x=${left} y=${top} width=${0.9 * scale} height=${height}/>
          <rect class="strip" x=${left} y=${y - 0.45 * scale} width=${width} height=${0.9 * scale}/>`
      : "";
    return svg`${strips}<g class="labels" aria-hidden="true" font-size=${font}>
      ${along(left + 0.9 * scale, left + width).map((n) => svg`<text x=${n} y=${y}>${columnName(n)}</text>`)}
      ${along(top, y - 0.45 * scale).map((n) => svg`<text x=${x} y=${n}>${this.size - n}</text>`)}</g>`;
  }

  protected override get note(): string {
    const [black, white] = this.go.captured;
    return black + white > 0 ? words.captures(black, white) : "";
  }

  protected override drawBeside(): TemplateResult | string {
    if (!this.zoomable) return "";
    return html`<div class="zoom">
      <button type="button" aria-label=${words.zoomIn} @click=${() => this.zoom.in()}>+</button>
      <button type="button" aria-label=${words.zoomOut} @click=${() => this.zoom.out()}>−</button>
      <button type="button" aria-label=${words.zoomFit} @click=${() => this.zoom.reset()}>⤢</button>
    </div>`;
  }

  protected override onOtherKey(key: string): boolean {
    if (!this.zoomable || this.typed) return false;
    if (key === "+" || key === "=") this.zoom.in();
    else if (key === "-") this.zoom.out();
    else if (key === "0") this.zoom.reset();
    else return false;
    return true;
  }

  protected override firstUpdated(): void {
    const drawing = this.renderRoot.querySelector("svg")!;
    drawing.addEventListener(
      "wheel",
      (event) => this.zoomable && this.zoom.onWheel(event, this.placeUnder(event)),
      { passive: false },
    );
    drawing.addEventListener("pointerdown", (event) => this.zoom.onDown(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) {
      drawing.addEventListener(end, (event) => this.zoom.onUp(event));
    }
  }

  protected override onPointerMove(event: PointerEvent): void {
    if (this.zoomable) {
      const unit =
        this.renderRoot.querySelector("svg")!.getBoundingClientRect().width / this.view.width;
      this.zoom.onMove(event, unit, this.placeUnder(event));
    }
    super.onPointerMove(event);
  }

  protected override onClick(event: MouseEvent): void {
    if (!(this.zoomable && this.zoom.dragged)) super.onClick(event);
  }
}

function lines(size: number): string {
  const end = size - 1;
  return Array.from({ length: size }, (_, n) => `M0 ${n}H${end}M${n} 0V${end}`).join("");
}

/** Round dots: lines of no length with round ends. */
function dots(size: number, points: readonly number[]): string {
  return points.map((point) => `M${point % size} ${Math.floor(point / size)}h0`).join("");
}
