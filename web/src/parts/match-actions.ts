/** What a player can do at the table: play what was chosen, pass, be ready, resign, leave. */
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Match, Player } from "../api.ts";
import { uiOf } from "../games/games.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";

/** A request to the server, without the match. */
export type Wish = { type: string } & Record<string, unknown>;

/**
 * Fires `wish` with a `Wish`, `pass`, `copy` (the link to the table), `play` and `withdraw` for what is chosen on the board, and
 * `confirming` with whether moves are to be confirmed.
 */
@customElement("match-actions")
export class MatchActions extends LitElement {
  static override styles = [
    ui,
    css`
      .row {
        justify-content: var(--actions, center);
      }
    `,
  ];

  @property({ attribute: false }) match!: Match;
  /** Where the viewer sits, in a match that is not over. */
  @property({ type: Number }) seat = 0;
  /** Whether it is the viewer's turn. */
  @property({ type: Boolean }) turn = false;
  /** Whether an earlier position is shown. */
  @property({ type: Boolean }) past = false;
  /** The move that is chosen on the board and not played yet. */
  @property({ attribute: false }) choice: string | null = null;
  @property({ type: Boolean }) confirm = false;
  /** Whether the link has been copied. */
  @property({ type: Boolean }) copied = false;
  @state() private asking: "resign" | "leave" | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("match");
    if (before && before.id !== this.match.id) this.asking = null;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { match, seat, choice } = this;
    const { status } = match.situation;
    const own = match.seats[seat]?.player;
    if (!own) return nothing;
    if (choice !== null && this.turn) return this.drawChoice(choice);
    if (this.asking !== null) return this.drawQuestion(this.asking);
    return html`<div class="row">
      ${status === "live" ? "" : this.drawReady(own)}
      ${uiOf(match.game).canPass && status === "live" ? this.drawPass() : ""}
      ${status === "open" ? this.drawLeave() : this.drawResign()}
    </div>`;
  }

  private drawChoice(choice: string): TemplateResult {
    return html`<div class="row">
      <button class="main" @click=${() => this.fire("play")}>
        ${words.table.play(uiOf(this.match.game).moveText(this.match, choice))}
      </button>
      <button @click=${() => this.fire("withdraw")}>${words.cancel}</button>
    </div>`;
  }

  private drawReady({ ready }: Player): TemplateResult | string {
    if (!ready)
      return html`<button class="main" @click=${() => this.wish({ type: "ready" })}>
        ${words.table.beReady}
      </button>`;
    const { situation, seats, options } = this.match;
    // With two, the game begins at once when both are ready.
    if (situation.status !== "open" || seats.length === 2) return "";
    // Of a fixed number nobody waits for who is alone.
    const seated = seats.filter(({ player }) => player !== null).length;
    if (options["players"] !== 0 && seated === 1) return "";
    return html`<button @click=${() => this.wish({ type: "ready", ready: false })}>
      ${words.table.notBeReady}
    </button>`;
  }

  private drawPass(): TemplateResult {
    return html`<button ?disabled=${!this.turn || this.past} @click=${() => this.fire("pass")}>
      ${words.table.pass}
    </button>`;
  }

  private drawLeave(): TemplateResult {
    return html`<button @click=${() => this.fire("copy")}>
        ${this.copied ? words.table.copied : words.table.copy}
      </button>
      <button class="leave" @click=${() => this.ask("leave")}>${words.table.leave}</button>`;
  }

  private drawResign(): TemplateResult {
    return html`<button class="danger" @click=${() => this.ask("resign")}>
        ${words.table.resign}
      </button>
      <label class="row small"
        ><input
          type="checkbox"
          .checked=${this.confirm}
          @change=${(event: Event) =>
            this.fire("confirming", (event.target as HTMLInputElement).checked)}
        />
        ${words.table.confirm}</label
      >`;
  }

  private drawQuestion(type: "resign" | "leave"): TemplateResult {
    const [question, answer] =
      type === "resign"
        ? [words.table.reallyResign, words.table.resign]
        : [words.table.reallyLeave, words.table.leave];
    return html`<div
      class="row"
      role="group"
      aria-label=${question}
      @keydown=${(event: KeyboardEvent) => event.key === "Escape" && this.ask(null)}
    >
      <strong>${question}</strong>
      <button class="danger" @click=${() => this.wish({ type })}>${answer}</button>
      <button class="cancel" @click=${() => this.ask(null)}>${words.cancel}</button>
    </div>`;
  }

  /** Ask, or ask no more; the focus goes to where the one that had it was. */
  private async ask(what: "resign" | "leave" | null): Promise<void> {
    const asked = what ?? this.asking;
    this.asking = what;
    await this.updateComplete;
    const next = what ? ".cancel" : asked === "resign" ? ".danger" : ".leave";
    this.renderRoot.querySelector<HTMLElement>(next)?.focus();
  }

  private wish(detail: Wish): void {
    this.asking = null;
    this.fire("wish", detail);
  }

  private fire(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
