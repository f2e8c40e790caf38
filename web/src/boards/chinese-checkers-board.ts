/** `<chinese-checkers-board zones="ACE" seat="0" moves="-4,5>-4,4">`: the star of 121 cells. */
import { html, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import {
  CELLS,
  ZONES,
  cellNumber,
  placeOf,
  reachOf,
  standAfter,
  targetOf,
  type Departure,
  type Reach,
  type Zone,
} from "../games/chinese-checkers.ts";
import { boardWords as words } from "./board-words.ts";
import { Board, type Direction, type Place, type View } from "./board.ts";
import { boardStyle } from "./board-style.ts";
import { starStyle } from "./star-style.ts";

const NOTHING: Reach = { steps: [], chains: new Map() };

@customElement("chinese-checkers-board")
export class ChineseCheckersBoard extends Board {
  static override styles = [boardStyle, starStyle];

  /** The zones of the seats, in seat order. */
  @property({ converter: { fromAttribute: (text) => [...(text ?? "AD")] }, hasChanged: differ })
  zones: readonly Zone[] = ["A", "D"];
  /** The viewer's seat; left out for somebody who only watches. */
  @property({ type: Number }) seat: number | undefined;
  /** Seats that left the game, and after how many moves. */
  @property({ attribute: false, hasChanged: differ }) departures: readonly Departure[] = [];
  /** The cells of the move being made. */
  @state() private path: readonly number[] = [];

  protected readonly gameTitle = words.games.chinese_checkers;
  private stand: (number | null)[] = [];
  private places: Place[] = [];
  private reach: Reach = NOTHING;

  protected readonly view: View = { left: -7.2, top: -8.2, width: 14.4, height: 16.4 };

  private get below(): Zone {
    return (this.seat === undefined ? undefined : this.zones[this.seat]) ?? "D";
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (["moves", "shown", "zones", "departures", "start"].some((name) => changed.has(name))) {
      this.stand = standAfter(
        this.zones,
        this.moves.slice(0, this.shownMoves),
        this.departures,
        this.start,
      );
    }
    if (changed.has("zones") || changed.has("seat")) {
      this.places = CELLS.map((_, cell) => placeOf(cell, this.below));
      this.cursor = this.ownCells()[0] ?? 60;
    }
    if (changed.has("moves") || changed.has("shown") || !this.playable) this.path = [];
    this.reach = this.path.length > 0 && !this.isStep() ? reachOf(this.stand, this.path) : NOTHING;
  }

  private ownCells(): number[] {
    return CELLS.map((_, cell) => cell).filter(
      (cell) => this.stand[cell] === this.seat && this.seat !== undefined,
    );
  }

  /** Whether the move being made is a single step, which ends it. */
  private isStep(): boolean {
    if (this.path.length !== 2) return false;
    const [from, to] = this.path.map((cell) => CELLS[cell]!) as [
      (typeof CELLS)[0],
      (typeof CELLS)[0],
    ];
    return Math.max(Math.abs(from.x - to.x), Math.abs(from.y - to.y)) === 1;
  }

  protected placeOf(cell: number): Place {
    return this.places[cell]!;
  }

  protected cellAt({ left, top }: Place): number | null {
    const near = this.places.findIndex(
      (place) => Math.hypot(place.left - left, place.top - top) <= 0.5,
    );
    return near < 0 ? null : near;
  }

  protected cellName(cell: number): string {
    return CELLS[cell]!.name;
  }

  protected contents(cell: number): string {
    const owner = this.stand[cell] ?? null;
    const zone = CELLS[cell]!.zone;
    const said = [
      owner === null
        ? words.empty
        : owner === this.seat
          ? words.yourPiece
          : words.pieceOf(this.zones[owner] ?? "?"),
    ];
    if (zone !== null) said.push(words.zone(zone));
    if (this.canGo(cell)) said.push(words.canMoveHere);
    if (this.lastPath.at(-1) === cell) said.push(words.lastMove);
    return said.join(", ");
  }

  private canGo(cell: number): boolean {
    return this.reach.steps.includes(cell) || this.reach.chains.has(cell);
  }

  /** Sideways within the row on the screen, else to the nearest cell of the next row. */
  protected neighbour(cell: number, direction: Direction): number {
    const { left, top } = this.placeOf(cell);
    const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] as [
      number,
      number,
    ];
    const height = Math.sqrt(3) / 2;
    let best = cell;
    let nearest = dy === 0 ? 1.1 : Infinity;
    this.places.forEach((place, other) => {
      const rows = Math.round((place.top - top) / height);
      const aside = place.left - left;
      if (rows !== dy || (dy === 0 && aside * dx <= 0)) return;
      // Of two as near, the right one: going down and up again leads back.
      const far = Math.abs(aside) - (aside * (dy || 1) > 0 ? 0.01 : 0);
      if (far < nearest) [best, nearest] = [other, far];
    });
    return best;
  }

  protected read(typed: string): number | null {
    return cellNumber(typed);
  }

  protected activate(cell: number): void {
    const { path } = this;
    if (path.length > 1 && cell === path.at(-1)) this.offer(this.moveText());
    else if (path.length === 1 && cell === path[0]) this.drop();
    else if (this.stand[cell] === this.seat && cell !== path[0]) this.pick(cell);
    else if (path.length === 0) this.say(words.notYours(this.cellName(cell)));
    else this.go(cell);
  }

  /** Take a whole move typed as a path, as well as single cells. */
  protected override enter(): void {
    const cells = this.typed.split(">").map(cellNumber);
    const first = cells[0];
    if (cells.length < 2 || cells.includes(null) || first == null || !this.ready) {
      super.enter();
      return;
    }
    this.typed = "";
    this.cursor = cells.at(-1)!;
    this.path = cells as number[];
    this.offer(this.moveText());
  }

  protected override escape(): void {
    super.escape();
    this.path = this.path.length > 1 && !this.isStep() ? this.path.slice(0, -1) : [];
    this.cursor = this.path.at(-1) ?? this.cursor;
  }

  override withdraw(): void {
    super.withdraw();
    this.drop();
  }

  private drop(): void {
    this.path = [];
    this.setChoice(null);
  }

  private pick(cell: number): void {
    this.setChoice(null);
    this.path = [cell];
    const { steps, chains } = reachOf(this.stand, this.path);
    this.say(words.picked(this.cellName(cell), steps.length + chains.size));
  }

  private go(cell: number): void {
    if (this.reach.steps.includes(cell)) {
      this.path = [...this.path, cell];
      this.offer(this.moveText());
      return;
    }
    const chain = this.reach.chains.get(cell);
    if (chain === undefined) {
      this.say(words.noWay(this.cellName(cell)));
      return;
    }
    this.setChoice(null);
    // Hopping back onto the way takes the hops since then back.
    const before = this.path.indexOf(cell);
    this.path = before < 0 ? [...this.path, ...chain] : this.path.slice(0, before + 1);
    const further = [...reachOf(this.stand, this.path).chains.keys()].filter(
      (next) => !this.path.includes(next),
    );
    if (further.length === 0) this.offer(this.moveText());
    else this.say(words.hopped(this.cellName(cell)));
  }

  /** A chain of hops goes on until it is ended, which a second press on its end does as well. */
  protected override drawUnder(): TemplateResult | string {
    if (this.path.length < 2 || this.isStep() || !this.ready || this.choice !== null) return "";
    return html`<div class="under">
      <button type="button" @click=${() => this.endHere()}>${words.endHere}</button>
    </div>`;
  }

  private endHere(): void {
    this.offer(this.moveText());
    // The button is gone now, and the keyboard would be nowhere.
    this.focus();
  }

  private moveText(): string {
    return this.path.map((cell) => this.cellName(cell)).join(">");
  }

  protected override moveName(move: string): string {
    const cells = move.split(">");
    return words.fromTo(cells[0]!, cells.at(-1)!);
  }

  protected describe(ply: number): string {
    const move = this.moves[ply]!;
    const before = standAfter(this.zones, this.moves.slice(0, ply), this.departures, this.start);
    const owner = before[cellNumber(move.split(">")[0]!) ?? -1] ?? null;
    return words.played(owner === null ? "?" : this.zones[owner]!, this.moveName(move));
  }

  private get lastPath(): number[] {
    const move = this.moves[this.shownMoves - 1];
    return (move?.split(">") ?? []).map(cellNumber).filter((cell): cell is number => cell !== null);
  }

  protected drawBoard(): SVGTemplateResult {
    const moving = this.path.length > 1 ? this.path[0] : undefined;
    return svg`
      ${ZONES.map((zone) => this.drawZone(zone))}
      <path class="holes" d=${this.places.map(({ left, top }) => `M${left} ${top}h0`).join("")}/>
      ${this.drawPath("last", this.path.length > 0 ? [] : this.lastPath)}
      ${this.stand.map((owner, cell) => (owner === null ? "" : this.drawPiece(cell, owner, cell === moving ? "lifted" : "")))}
      ${this.drawPath("path", this.path)}
      ${moving === undefined ? "" : this.drawPiece(this.path.at(-1)!, this.seat ?? 0, "chosen")}
      ${this.path.length === 1 ? this.drawRing("picked", this.path[0]!) : ""}
      ${[...this.reach.steps, ...this.reach.chains.keys()].map((cell) => this.drawTarget(cell))}
      ${this.path.length === 0 && this.lastPath.length > 0 ? this.drawRing("newest", this.lastPath.at(-1)!) : ""}`;
  }

  private drawZone(zone: Zone): SVGTemplateResult {
    const cells = CELLS.map((_, cell) => cell).filter((cell) => CELLS[cell]!.zone === zone);
    const outward = cells.map((cell) => this.placeOf(cell));
    // The corners of the triangle: the tip is farthest out, the others farthest from it.
    const tip = outward.reduce((one, other) => (far(one) > far(other) ? one : other));
    const rest = [...outward].sort((one, other) => apart(tip, other) - apart(tip, one)).slice(0, 2);
    const used = this.zones.includes(zone) || this.zones.some((other) => targetOf(other) === zone);
    const d = `M${[tip, ...rest].map(({ left, top }) => `${left} ${top}`).join("L")}Z`;
    const out = 1 + 0.85 / far(tip);
    const goal = this.seat !== undefined && targetOf(this.below) === zone ? "goal" : "";
    return svg`<path class="zone ${zone} ${used ? "" : "unused"} ${goal}" d=${d}/>
      ${this.thumbnail ? "" : svg`<text class="letter" x=${tip.left * out} y=${tip.top * out}>${zone}</text>`}`;
  }

  private drawPiece(cell: number, owner: number, kind: string): SVGTemplateResult {
    const { left, top } = this.placeOf(cell);
    const zone = this.zones[owner]!;
    return svg`<g class="piece ${zone} ${kind}" transform="translate(${left} ${top})">
      <circle r=".41"/>${this.thumbnail ? "" : svg`<text>${zone}</text>`}</g>`;
  }

  private drawTarget(cell: number): SVGTemplateResult {
    const { left, top } = this.placeOf(cell);
    const near = this.reach.steps.includes(cell) || this.reach.chains.get(cell)?.length === 1;
    return svg`<circle class="target ${near ? "near" : ""}" cx=${left} cy=${top} r=${near ? 0.3 : 0.16}/>`;
  }

  private drawRing(kind: string, cell: number): SVGTemplateResult {
    const { left, top } = this.placeOf(cell);
    return svg`<circle class="ring ${kind}" cx=${left} cy=${top} r=".47"/>`;
  }

  private drawPath(kind: string, cells: readonly number[]): SVGTemplateResult | string {
    if (cells.length < 2) return "";
    const corners = cells
      .map((cell) => this.placeOf(cell))
      .map(({ left, top }) => `${left} ${top}`);
    return svg`<path class="way ${kind}" d="M${corners.join("L")}"/>
      <path class="stops ${kind}" d=${corners
        .slice(0, -1)
        .map((corner) => `M${corner}h0`)
        .join("")}/>`;
  }
}

/** Whether two lists differ in what they say; another array with the same entries changes nothing. */
function differ(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

function far({ left, top }: Place): number {
  return Math.hypot(left, top);
}

function apart(one: Place, other: Place): number {
  return Math.hypot(one.left - other.left, one.top - other.top);
}
