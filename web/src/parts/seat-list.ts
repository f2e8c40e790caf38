/** Who sits where, in which protocol, with how much time; and who is away. */
import { LitElement, css, html, svg, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Match, Seat } from "../api.ts";
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

  private drawSeat(seat: Seat, number: number): TemplateResult {
    const { situation } = this.match;
    const turn = situation.turn === number && situation.status !== "over";
    return html`<li class=${turn ? "turn" : ""}>
      ${seatSign(this.match, number)}
      <span class="name">
        ${seat.player ? seat.player.name : html`<span class="soft">${words.table.free}</span>`}
        ${seat.player ? html`<span class="badge">${protocolName(seat.player.protocol)}</span>` : ""}
        ${number === this.own ? html`<span class="badge">you</span>` : ""}
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
    if (seat.name) parts.push(seatName(this.match, number));
    if (turn) parts.push(words.table.toMove);
    if (captured?.[number]) parts.push(words.table.captured(captured[number]));
    const player = seat.player;
    const waits = situation.status === "open" || situation.status === "suspended";
    if (player && waits) parts.push(player.ready ? words.table.ready : words.table.notReady);
    if (player && player.away_since !== null && situation.status !== "over")
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

/** What a seat is called in the game: Black, X, zone A. */
export function seatName(match: Match, seat: number): string {
  const name = match.seats[seat]?.name ?? "";
  if (match.game === "go") return words.stones[seat] ?? name;
  if (match.game === "tictactoe") return words.marks[seat] ?? name;
  return match.game === "chinese_checkers" && name ? words.zone(name) : name;
}

function seatSign(match: Match, seat: number): TemplateResult {
  const name = match.seats[seat]?.name ?? "";
  if (match.game === "go") {
    const [fill, edge] = seat === 0 ? ["#1d1c1f", "#6d685f"] : ["#f8f6f1", "#8d8779"];
    return html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="7" fill=${fill} stroke=${edge} />
    </svg>`;
  }
  if (match.game === "tictactoe") {
    return html`<svg
      class="sign"
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke-width="2.4"
      stroke-linecap="round"
    >
      ${seat === 0 ? svg`<path stroke="currentColor" d="M3 3l10 10M13 3L3 13"/>` : svg`<circle stroke="currentColor" cx="8" cy="8" r="5.4"/>`}
    </svg>`;
  }
  return html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="7" fill=${ZONE_COLOURS[name] ?? "#8d8779"} />
    <text
      x="8"
      y="8.5"
      fill="#fff"
      font-size="9"
      font-weight="650"
      text-anchor="middle"
      dominant-baseline="central"
    >
      ${name}
    </text>
  </svg>`;
}

const ZONE_COLOURS: Record<string, string> = {
  A: "#c0392b",
  B: "#a86400",
  C: "#2f7d32",
  D: "#1763b6",
  E: "#7a3ea8",
  F: "#0b7377",
};
