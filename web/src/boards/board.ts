/** What the boards share: moves in, one move out, a cursor for the keyboard, and words for it. */
import {
  LitElement,
  html,
  nothing,
  svg,
  type PropertyValues,
  type SVGTemplateResult,
  type TemplateResult,
} from "lit";
import { property, state } from "lit/decorators.js";
import { boardWords as words } from "./board-words.ts";

/** The part of the plane that is drawn, in cells. */
export interface View {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Place {
  left: number;
  top: number;
}

// Pixels; a smaller cell is easily missed. For fingers: WCAG 2.2, "Target Size (Minimum)".
const SMALL = { mouse: 14, finger: 24 };

export type Direction = "left" | "right" | "up" | "down";

const ARROWS: Record<string, Direction> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

/** Attributes list moves with spaces between them; the property takes an array. */
const movesConverter = {
  fromAttribute: (text: string | null) => (text ?? "").split(/\s+/).filter(Boolean),
};

/**
 * Fires `move` with `detail.move` in Parlour's canonical text when the player moves. With
 * `confirm` set, a first choice fires `choose` (`detail.move` is null when it is withdrawn) and
 * only the same choice again, or `play()`, fires `move`; so it is, whatever `confirm` says, for a
 * mouse where cells are smaller than 14 pixels, and for a finger below 24. After a `move` the board takes no other
 * until `moves` has grown or `release()` was called.
 */
export abstract class Board extends LitElement {
  static override shadowRootOptions: ShadowRootInit = { mode: "open", delegatesFocus: true };

  /** Every move so far, oldest first. */
  @property({ converter: movesConverter }) moves: readonly string[] = [];
  /** How many of the moves are shown; left out, all of them. */
  @property({ type: Number }) shown: number | undefined;
  /** The canonical text of the cells on which each seat's pieces stand before the first move. */
  @property({ attribute: false }) start: readonly (readonly string[])[] | null = null;
  /** The seat that makes the first move. */
  @property({ type: Number }) lead = 0;
  /** Whether the viewer is to move. */
  @property({ type: Boolean }) playable = false;
  /** Why nobody can move just now, to whoever tries; empty when it is another's turn. */
  @property() blocked = "";
  /** Whether a move must be chosen twice. */
  @property({ type: Boolean }) confirm = false;
  /** Drawn small: no labels, no keyboard, nothing said. */
  @property({ type: Boolean, reflect: true }) thumbnail = false;

  @state() protected cursor = 0;
  @state() protected hovered: number | null = null;
  @state() protected typed = "";
  @state() protected choice: string | null = null;
  @state() private said = "";
  @state() private sentAt = -1;
  /** Whether the cell was pointed at where cells are small. */
  private blunt = false;
  /** What was said last to somebody who could not move: untrue as soon as they can. */
  private refusal = "";

  /** Whether a move can be made here and now. */
  protected get ready(): boolean {
    return (
      this.playable && this.shownMoves === this.moves.length && this.sentAt !== this.moves.length
    );
  }

  protected get shownMoves(): number {
    return Math.min(this.shown ?? this.moves.length, this.moves.length);
  }

  /** Play what was chosen. */
  play(): void {
    if (this.choice !== null && this.ready) this.send(this.choice);
  }

  /** Forget what was chosen. */
  withdraw(): void {
    this.setChoice(null);
  }

  /** Take moves again, after one was refused. */
  release(): void {
    this.sentAt = -1;
  }

  protected abstract readonly gameTitle: string;
  protected abstract readonly view: View;
  protected abstract drawBoard(): SVGTemplateResult;
  /** Where the middle of a cell is. */
  protected abstract placeOf(cell: number): Place;
  /** The cell at a place; null beside the board. */
  protected abstract cellAt(place: Place): number | null;
  protected abstract cellName(cell: number): string;
  /** What stands on a cell, in words. */
  protected abstract contents(cell: number): string;
  /** The next cell in a direction, or the same one at the edge. */
  protected abstract neighbour(cell: number, direction: Direction): number;
  /** The cell somebody typed; null when it is none. */
  protected abstract read(typed: string): number | null;
  protected abstract activate(cell: number): void;
  /** The newest move in words. */
  protected abstract describe(ply: number): string;

  /** Offer a move to the player or play it, as `confirm` says. */
  protected offer(move: string): void {
    if (!this.ready) return;
    if ((this.confirm || this.blunt) && this.choice !== move) {
      this.setChoice(move);
      this.say(words.confirmChoice(this.moveName(move)));
    } else {
      this.send(move);
    }
  }

  protected moveName(move: string): string {
    const cell = this.read(move);
    return cell === null ? move : this.cellName(cell);
  }

  protected say(text: string): void {
    // The same text twice is read out once; a space at the end makes it another text.
    this.said = text === this.said ? `${text} ` : text;
  }

  protected setChoice(move: string | null): void {
    if (this.choice === move) return;
    this.choice = move;
    this.dispatchEvent(
      new CustomEvent("choose", { detail: { move }, bubbles: true, composed: true }),
    );
  }

  private send(move: string): void {
    this.sentAt = this.moves.length;
    this.setChoice(null);
    this.dispatchEvent(
      new CustomEvent("move", { detail: { move }, bubbles: true, composed: true }),
    );
  }

  protected override willUpdate(changed: PropertyValues): void {
    if ((changed.has("blocked") || changed.has("playable")) && this.said.trim() === this.refusal)
      this.said = "";
    if (changed.has("playable") && !this.playable && this.choice !== null) {
      this.setChoice(null);
      this.said = "";
    }
    if (!changed.has("moves")) return;
    const before = (changed.get("moves") as readonly string[] | undefined) ?? [];
    if (before.length !== this.moves.length) this.setChoice(null);
    if (this.sentAt !== this.moves.length) this.sentAt = -1;
    if (this.hasUpdated && this.moves.length > before.length && !this.thumbnail) {
      const fresh = this.moves.slice(before.length).map((_, index) => before.length + index);
      this.say(
        fresh
          .slice(-3)
          .map((ply) => this.describe(ply))
          .join(" "),
      );
    }
  }

  protected override render(): TemplateResult {
    const { left, top, width, height } = this.view;
    const label = words.boardLabel(this.gameTitle, this.moves.length);
    const drawing = html`<svg
      viewBox="${left} ${top} ${width} ${height}"
      aria-hidden=${this.thumbnail ? "true" : nothing}
      role="presentation"
      @pointermove=${this.onPointerMove}
      @pointerleave=${() => (this.hovered = null)}
      @click=${this.onClick}
    >
      ${this.drawBoard()} ${this.thumbnail ? "" : this.drawCursor()}
    </svg>`;
    if (this.thumbnail) return drawing;
    return html`<div
        class="frame"
        role="application"
        tabindex="0"
        aria-label=${label}
        aria-roledescription=${words.board}
        aria-describedby="keys"
        aria-activedescendant="cell-${this.cursor}"
        @keydown=${this.onKey}
        @focus=${() => this.requestUpdate()}
        @blur=${() => this.requestUpdate()}
      >
        ${drawing}
        <span class="for-ears" id="keys">${words.boardKeys}</span>
      </div>
      ${this.drawBeside()}
      <div class="caption" aria-hidden="true">${this.caption()}</div>
      <div class="said" role="status" aria-live="polite">${this.said}</div>
      ${this.drawUnder()}`;
  }

  /** Anything beside what stands under the drawing, such as buttons to zoom: they cover no cell. */
  protected drawBeside(): TemplateResult | string {
    return "";
  }

  /** Buttons for what the board asks for, under what it says. */
  protected drawUnder(): TemplateResult | string {
    return "";
  }

  /** What stands under the board while no cell is looked at. */
  protected get note(): string {
    return "";
  }

  /** Only the cell under the cursor is an element with a name: a large board has 17,161. */
  private drawCursor(): SVGTemplateResult {
    const { left, top } = this.placeOf(this.cursor);
    return svg`<g id="cell-${this.cursor}" class="cursor" role="img"
      aria-label="${this.cellName(this.cursor)}, ${this.contents(this.cursor)}"
      transform="translate(${left} ${top})"><rect x="-.5" y="-.5" width="1" height="1" rx=".14"/></g>`;
  }

  private caption(): TemplateResult | string {
    if (this.typed) return html`<kbd>${this.typed}</kbd>`;
    // The cursor is seen, and named, by those alone who use the keyboard.
    const keyboard = this.renderRoot.querySelector(".frame")?.matches(":focus-visible");
    const cell = this.hovered ?? (keyboard ? this.cursor : null);
    return cell === null ? this.note : `${this.cellName(cell)} · ${this.contents(cell)}`;
  }

  protected placeUnder(event: MouseEvent): Place {
    const rect = this.renderRoot.querySelector("svg")!.getBoundingClientRect();
    const { left, top, width, height } = this.view;
    return {
      left: left + ((event.clientX - rect.left) / rect.width) * width,
      top: top + ((event.clientY - rect.top) / rect.height) * height,
    };
  }

  protected onPointerMove(event: PointerEvent): void {
    if (!this.thumbnail) this.hovered = this.cellAt(this.placeUnder(event));
  }

  protected onClick(event: MouseEvent): void {
    if (this.thumbnail) return;
    const cell = this.cellAt(this.placeUnder(event));
    if (cell === null) return;
    this.cursor = cell;
    const { pointerType } = event as PointerEvent;
    this.blunt = this.cellWidth < (pointerType === "mouse" ? SMALL.mouse : SMALL.finger);
    this.choose(cell);
    this.blunt = false;
  }

  /** In pixels. */
  private get cellWidth(): number {
    const drawing = this.renderRoot.querySelector("svg")!;
    return drawing.getBoundingClientRect().width / this.view.width;
  }

  private choose(cell: number): void {
    if (this.ready) this.activate(cell);
    else this.sayWhyNot();
  }

  protected sayWhyNot(): void {
    this.refusal = this.blocked || this.whyNot();
    this.say(this.refusal);
  }

  private whyNot(): string {
    if (this.sentAt === this.moves.length) return words.onItsWay;
    return this.playable ? words.earlierPosition : words.notYourTurn;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = ARROWS[event.key];
    if (direction !== undefined) {
      this.cursor = this.neighbour(this.cursor, direction);
    } else if (event.key === "Enter" || (event.key === " " && !this.typed)) {
      this.enter();
    } else if (event.key === "Escape") {
      this.escape();
    } else if (event.key === "Backspace") {
      if (this.typed) this.typed = this.typed.slice(0, -1);
      else this.escape();
    } else if (!this.onOtherKey(event.key)) {
      if (!/^[a-z0-9,>-]$/i.test(event.key)) return;
      this.typed = (this.typed + event.key).slice(0, 400);
    }
    event.preventDefault();
  }

  /** Keys of one board only, such as those that zoom. */
  protected onOtherKey(_key: string): boolean {
    return false;
  }

  protected enter(): void {
    const typed = this.typed;
    this.typed = "";
    const cell = typed ? this.read(typed) : this.cursor;
    if (cell === null) {
      this.say(words.noSuchCell(typed));
      return;
    }
    this.cursor = cell;
    this.choose(cell);
  }

  protected escape(): void {
    this.typed = "";
    this.setChoice(null);
  }
}
