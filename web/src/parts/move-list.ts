/** The moves of a match, to step through. */
import { LitElement, css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Match, Move } from "../api.ts";
import { uiOf } from "../games/games.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";

const AROUND = 60; // moves listed before and after the one that is shown

/** Fires `step` with `detail` the number of moves to show, undefined for all of them. */
@customElement("move-list")
export class MoveList extends LitElement {
  static override styles = [
    ui,
    css`
      .steps {
        display: grid;
        grid-template-columns: repeat(4, auto) 1fr;
        align-items: center;
        gap: 0.25rem;
        margin: 0.5rem 0;
      }
      .steps button {
        min-width: 2.5rem;
        padding: 0.3rem;
      }
      .steps svg {
        width: 1rem;
        height: 1rem;
        fill: currentcolor;
        stroke: currentcolor;
        stroke-width: 1.4;
        stroke-linejoin: round;
        stroke-linecap: round;
      }
      .steps span {
        text-align: right;
        font-variant-numeric: tabular-nums;
      }
      ol {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(var(--move, 5.5rem), 1fr));
        max-height: 12rem;
        overflow-y: auto;
        position: relative;
      }
      ol.long {
        --move: 8.5rem;
      }
      ol.many {
        --move: 10rem;
      }
      li button {
        width: 100%;
        min-height: 2rem;
        justify-content: flex-start;
        padding: 0.15rem 0.4rem;
        border: 0;
        background: none;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      li button[data-current] {
        background: var(--badge);
      }
      li .soft {
        min-width: 1.6em;
        text-align: right;
      }
    `,
  ];

  @property({ attribute: false }) match!: Match;
  @property({ type: Number }) shown: number | undefined;

  /** Another width has other rows: what was scrolled to is elsewhere. */
  private readonly width = new ResizeObserver(() => this.scrollToShown());

  override connectedCallback(): void {
    super.connectedCallback();
    this.width.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.width.disconnect();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("match") || changed.has("shown")) this.scrollToShown();
  }

  private scrollToShown(): void {
    const list = this.renderRoot.querySelector("ol");
    const current = list?.querySelector<HTMLElement>("[data-current]");
    // Only the list scrolls; scrollIntoView would move the page away from the board.
    if (list && current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }

  private step(to: number): void {
    const all = this.match.moves.length;
    const detail = to >= all ? undefined : Math.max(0, to);
    this.dispatchEvent(new CustomEvent("step", { detail }));
  }

  protected override render(): TemplateResult {
    const { moves } = this.match;
    const at = this.shown ?? moves.length;
    const first = Math.max(0, at - AROUND);
    const listed = moves.slice(first, at + AROUND);
    return html`<h2 id="title">${words.table.moves}</h2>
      <div class="steps">
        ${this.drawStep("M4 3v10M13 3L6 8l7 5z", words.table.first, 0, at > 0)}
        ${this.drawStep("M11.5 3l-7 5 7 5z", words.table.previous, at - 1, at > 0)}
        ${this.drawStep("M4.5 3l7 5-7 5z", words.table.next, at + 1, at < moves.length)}
        ${this.drawStep("M12 3v10M3 3l7 5-7 5z", words.table.last, moves.length, at < moves.length)}
        <span class="soft small">${at} / ${moves.length}</span>
      </div>
      ${moves.length === 0 ? html`<p class="soft small">${words.table.noMoves}</p>` : ""}
      <ol
        aria-labelledby="title"
        class=${this.many ? "many" : uiOf(this.match.game).longMoves ? "long" : ""}
      >
        ${listed.map((move, index) => this.drawMove(first + index, move, at))}
      </ol>`;
  }

  private drawStep(sign: string, label: string, to: number, possible: boolean): TemplateResult {
    return html`<button
      aria-label=${label}
      title=${label}
      ?disabled=${!possible}
      @click=${() => this.step(to)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${sign} /></svg>
    </button>`;
  }

  /** Whether so many play that who moved is not seen from the number of the move. */
  private get many(): boolean {
    return this.match.seats.length > 2;
  }

  private drawMove(ply: number, { seat, move }: Move, at: number): TemplateResult {
    const text = uiOf(this.match.game).moveText(this.match, move);
    const who = this.many ? html` <strong>${this.match.seats[seat]?.name}</strong>` : "";
    const current = ply + 1 === at;
    return html`<li>
      <button
        aria-current=${current ? "step" : "false"}
        ?data-current=${current}
        @click=${() => this.step(ply + 1)}
      >
        <span class="soft small">${ply + 1}</span>${who} ${text}
      </button>
    </li>`;
  }
}
