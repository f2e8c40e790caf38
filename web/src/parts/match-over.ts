/** What there is to do when a game is over: once more, and its record. */
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Api, Match } from "../api.ts";
import { uiOf } from "../games/games.ts";
import { pathTo } from "../router.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";
import { protocolName, rematchText } from "./telling.ts";

type Kind = "sgf" | "json";

/**
 * Fires `rematch` (offer or accept one), `no-rematch` (take the offer back, or decline), `again`
 * (find another opponent), and `problem` with a refusal.
 */
@customElement("match-over")
export class MatchOver extends LitElement {
  static override styles = [
    ui,
    css`
      :host {
        display: grid;
        gap: 0.75rem;
        padding: 1rem;
        border: 1px solid var(--line);
        border-radius: 0.875rem;
        background: var(--card);
      }
      /* It is always there, for what comes into it to be read out; empty it takes no room. */
      [role="status"]:empty {
        position: absolute;
      }
    `,
  ];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) match!: Match;
  @property({ attribute: false }) seat: number | null = null;
  @property({ attribute: false }) password: string | undefined;

  protected override render(): TemplateResult {
    const { match, seat } = this;
    const kinds: Kind[] = uiOf(match.game).hasSgf?.(match.options) ? ["sgf", "json"] : ["json"];
    const next = match.rematch?.match ?? null;
    return html`${next !== null ? this.drawNext(next) : ""}
      ${next !== null ? "" : seat === null ? this.drawLobby() : this.drawOnceMore(seat)}
      <div class="row">
        <span class="soft">${words.table.record}</span>
        ${kinds.map((kind) => this.drawRecord(kind))}
      </div>`;
  }

  private drawRecord(kind: Kind): TemplateResult {
    const { id } = this.match;
    return html`<a
      class="button"
      href="/api/matches/${id}/record.${kind}"
      download="${id}.${kind}"
      @click=${(event: Event) => this.download(event, kind)}
      >${words.table[kind]}</a
    >`;
  }

  private drawOnceMore(seat: number): TemplateResult {
    const { match } = this;
    const offers = match.rematch?.offers ?? [];
    const programs = match.seats.flatMap(({ player }) =>
      player && player.protocol !== "web"
        ? [words.table.speaks(player.name, protocolName(player.protocol))]
        : [],
    );
    if (match.situation.status === "aborted") return this.drawOthers("");
    if (programs.length > 0) return this.drawOthers(words.table.noRematch(programs.join(", ")));
    return html`<div role="status">${rematchText(match, seat)}</div>
      <div class="row">${this.drawAnswers(offers, seat)}</div>`;
  }

  private drawAnswers(offers: readonly number[], seat: number): TemplateResult {
    const { rematch, acceptRematch, withdrawRematch, declineRematch } = words.table;
    const no = (text: string) =>
      html`<button @click=${() => this.fire("no-rematch")}>${text}</button>`;
    if (offers.includes(seat)) return no(withdrawRematch);
    const asked = offers.length > 0;
    return html`<button class="main" @click=${() => this.fire("rematch")}>
        ${asked ? acceptRematch : rematch}
      </button>
      ${asked ? no(declineRematch) : ""}`;
  }

  private drawNext(next: string): TemplateResult {
    return html`${this.seat === null ? html`<p>${words.table.theyGoOn}</p>` : ""}
      <a class="button main" href=${pathTo.match(next)}>${words.table.toNext}</a>`;
  }

  private drawLobby(): TemplateResult {
    return html`<a class="button" href="/">${words.toLobby}</a>`;
  }

  /** What there is instead of a rematch, and why: programs cannot be asked. */
  private drawOthers(why: string): TemplateResult {
    const { game } = this.match;
    return html`${why ? html`<p class="soft small">${why}</p>` : ""}
    ${
      uiOf(game).searches
        ? html`<button class="main" @click=${() => this.fire("again")}>
            ${words.table.again}
          </button>`
        : html`<a class="button main" href=${pathTo.create(game)}>${words.table.newTable}</a>`
    }`;
  }

  private fire(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** A table with a password gives its record to those only who say it, which a link cannot. */
  private async download(event: Event, kind: Kind): Promise<void> {
    const { id, locked } = this.match;
    if (!locked) return;
    event.preventDefault();
    try {
      const url = URL.createObjectURL(await this.api.record(id, kind, this.password));
      const link = document.createElement("a");
      link.href = url;
      link.download = `${id}.${kind}`;
      link.click();
      URL.revokeObjectURL(url);
    } catch (error) {
      if (this.match.id === id) this.fire("problem", error);
    }
  }
}
