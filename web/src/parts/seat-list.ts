/** Who sits where, in which protocol, with how much time; and who is away. */
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Match, Seat } from "../api.ts";
import type { GameUi } from "../games/game-ui.ts";
import { uiOf } from "../games/games.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";
import { duration, protocolName, timeText } from "./telling.ts";
import "./time-left.ts";

/** Fires `sit` with `detail` the seat. */
@customElement("seat-list")
export class SeatList extends LitElement {
  static override styles = [
    ui,
    css`
      ul {
        display: grid;
        gap: 0.5rem;
      }
      li {
        display: grid;
        grid-template-columns: auto 1fr auto;
        align-items: center;
        gap: 0.1rem 0.7rem;
        padding: 0.6rem 0.8rem;
        border: 1px solid var(--line);
        border-radius: 0.75rem;
        background: var(--card);
      }
      li.turn {
        border-color: var(--accent);
        box-shadow: inset 0.2rem 0 0 var(--accent);
      }
      .sign {
        width: 1.6rem;
        height: 1.6rem;
        grid-row: span 2;
      }
      .name {
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      .time {
        font: 600 1.25rem/1 var(--sans);
        font-variant-numeric: tabular-nums;
      }
      .note {
        grid-column: 2 / -1;
      }
      .away {
        color: var(--danger);
      }
    `,
  ];

  @property({ attribute: false }) match!: Match;
  @property({ attribute: false }) now!: () => number;
  @property({ type: Number }) own: number | null = null;
  /** Whether the viewer may sit down. */
  @property({ type: Boolean }) welcome = false;

  protected override render(): TemplateResult {
    return html`<h2 class="for-ears">${words.table.seats}</h2>
      <ul>
        ${this.match.seats.map((seat, number) => this.drawSeat(seat, number))}
      </ul>`;
  }

  private get ui(): GameUi {
    return uiOf(this.match.game);
  }

  private drawSeat(seat: Seat, number: number): TemplateResult {
    const { situation } = this.match;
    const turn = situation.turn === number && situation.status !== "over";
    return html`<li class=${turn ? "turn" : ""}>
      ${this.ui.sign(this.match, number)}
      <span class="name">
        ${seat.player ? seat.player.name : html`<span class="soft">${words.table.free}</span>`}
        ${seat.player ? html`<span class="badge">${protocolName(seat.player.protocol)}</span>` : ""}
        ${number === this.own ? html`<span class="badge">${words.badgeYou}</span>` : ""}
      </span>
      ${
        seat.player || !this.welcome
          ? html`<time-left
              class="time"
              role="timer"
              .read=${() => timeText(this.match, number, this.now())}
            ></time-left>`
          : html`<button @click=${() => this.sit(number)}>${words.table.sit}</button>`
      }
      <span class="note soft small">${this.drawNote(seat, number, turn)}</span>
    </li>`;
  }

  private drawNote(seat: Seat, number: number, turn: boolean): TemplateResult {
    const { situation, captured } = this.match;
    const parts: (TemplateResult | string)[] = [];
    if (seat.name) parts.push(this.ui.seatName(this.match, number));
    if (turn) parts.push(words.table.toMove);
    const lost = this.match.forfeits.find((one) => one.seat === number);
    if (lost) parts.push(words.lost[lost.cause] ?? lost.cause);
    if (captured?.[number]) parts.push(words.table.captured(captured[number]));
    const player = seat.player;
    const waits = situation.status === "open" || situation.status === "suspended";
    if (player && waits && player.away_since === null)
      parts.push(player.ready ? words.table.ready : words.table.notReady);
    if (player && player.away_since !== null && !lost && situation.status !== "over")
      parts.push(this.drawAway(player.away_since, player.grace));
    return html`${parts.map((part, index) => html`${index ? " · " : ""}${part}`)}`;
  }

  private drawAway(since: number, grace: number): TemplateResult {
    if (this.match.situation.status !== "live")
      return html`<span class="away">${words.table.awayStill}</span>`;
    const read = () => words.table.away(duration(since + grace - this.now()));
    return html`<time-left class="away" .read=${read}></time-left>`;
  }

  private sit(detail: number): void {
    this.dispatchEvent(new CustomEvent("sit", { detail }));
  }
}
