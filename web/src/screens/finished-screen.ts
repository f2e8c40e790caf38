/** Games that are over, newest first, each with its final board. */
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Api, Listing, Refused } from "../api.ts";
import { uiOf } from "../games/games.ts";
import type { Live } from "../live.ts";
import "../parts/match-thumbnail.ts";
import { Returning } from "../parts/returning.ts";
import { gameName, listedResult, protocolName } from "../parts/telling.ts";
import { pathTo } from "../router.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";
import { lobbyStyle } from "./lobby-style.ts";

const AT_ONCE = 24;

@customElement("finished-screen")
export class FinishedScreen extends LitElement {
  static override styles = [
    ui,
    lobbyStyle,
    css`
      .bar {
        justify-content: space-between;
        margin-bottom: 1rem;
      }
      [role="status"] {
        margin-bottom: 0.5rem;
      }
      .winner {
        font-weight: 600;
      }
      .more {
        margin-top: 1rem;
      }
    `,
  ];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) live!: Live;
  @state() private listed: readonly Listing[] = [];
  @state() private total: number | null = null;
  @state() private problem: Refused | null = null;
  private game = "";

  constructor() {
    super();
    new Returning(this, () => this.problem && void this.load());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    const { game, listed } = this;
    try {
      const found = await this.api.matches({
        status: "finished",
        begun: "true",
        limit: String(AT_ONCE),
        offset: String(listed.length),
        ...(game && { game }),
      });
      if (game !== this.game) return;
      // Games that ended meanwhile have moved the others down.
      const known = new Set(listed.map(({ id }) => id));
      this.listed = [...listed, ...found.matches.filter(({ id }) => !known.has(id))];
      this.total = found.total;
      this.problem = null;
    } catch (error) {
      this.problem = error as Refused;
    }
  }

  private choose(event: Event): void {
    this.game = (event.target as HTMLSelectElement).value;
    this.listed = [];
    this.total = null;
    void this.load();
  }

  protected override render(): TemplateResult {
    return html`<div class="row bar">
        <h1>${words.finished.title}</h1>
        <span class="row">
          <label class="for-ears" for="game">${words.finished.game}</label>
          <select id="game" @change=${this.choose}>
            <option value="">${words.finished.all}</option>
            ${Object.keys(words.games).map((game) => html`<option value=${game}>${gameName(game)}</option>`)}
          </select>
        </span>
      </div>
      <div role="status" class="soft">${this.tell()}</div>
      <ul class="thumbnails">
        ${this.listed.map((listing) => this.drawMatch(listing))}
      </ul>
      ${
        this.listed.length < (this.total ?? 0)
          ? html`<button class="more" @click=${() => this.load()}>${words.finished.more}</button>`
          : ""
      }`;
  }

  private tell(): string {
    if (this.problem) return this.problem.message;
    if (this.total === null) return words.loading;
    return this.total === 0 ? words.finished.none : words.finished.total(this.total);
  }

  private drawMatch(listing: Listing): TemplateResult {
    const { id, game, options, players, ended_at: ended, locked } = listing;
    return html`<li class="card">
      <a href=${pathTo.match(id)}>
        <match-thumbnail
          still
          .api=${this.api}
          .live=${this.live}
          .matchId=${id}
          .locked=${locked}
        ></match-thumbnail>
        <h2>${gameName(game)} · ${uiOf(game).optionsText(options, listing.players.length)}</h2>
        <p class="small">
          ${players.map(
            ({ name, protocol }, index) =>
              html`${index ? ", " : ""}${name}
                <span class="badge">${protocolName(protocol)}</span>`,
          )}
        </p>
        <p class="small winner">${listedResult(listing)}</p>
        <p class="soft small">
          ${new Date(ended).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}
        </p>
      </a>
    </li>`;
  }
}
