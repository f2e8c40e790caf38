/** Where one finds a game: open seats, games being played, who waits in which protocol. */
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { UNREACHABLE, type Api, type GameInfo, type Listing, type Refused } from "../api.ts";
import { uiOf } from "../games/games.ts";
import type { Live } from "../live.ts";
import type { Seek, WaitingSeek } from "../lobby.ts";
import "../parts/match-thumbnail.ts";
import "../parts/own-game.ts";
import { Returning } from "../parts/returning.ts";
import { controlText, freeSeats, gameName, protocolName } from "../parts/telling.ts";
import { go, pathTo } from "../router.ts";
import type { Search } from "../search.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";
import { lobbyStyle } from "./lobby-style.ts";

@customElement("lobby-screen")
export class LobbyScreen extends LitElement {
  static override styles = [ui, lobbyStyle];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) live!: Live;
  @state() private games: readonly GameInfo[] = [];
  @state() private problem: Refused | null = null;

  /** Which of the usual options are looked for, by the game. */
  private readonly sought = new Map<string, number>();
  /** Of our games those in which it is our turn. */
  private readonly mine = new Set<string>();
  private leave = () => {};
  private wasDraining = false;
  private readonly onChange = () => {
    const draining = this.live.lobby?.draining ?? false;
    // What was refused for that reason is refused no more.
    if (this.wasDraining && !draining && this.problem?.refusal === "unavailable")
      this.problem = null;
    this.wasDraining = draining;
    this.requestUpdate();
  };

  constructor() {
    super();
    new Returning(this, () => this.returned());
  }

  private returned(): void {
    if (this.problem?.refusal === UNREACHABLE) this.problem = null;
    if (this.games.length === 0) void this.load();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.leave = this.live.watchLobby();
    this.live.addEventListener("change", this.onChange);
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.leave();
    this.live.removeEventListener("change", this.onChange);
    document.title = words.product;
  }

  private async load(): Promise<void> {
    this.games = await this.api.games().catch(() => this.games);
  }

  protected override render(): TemplateResult {
    return html`<div class="hero">
        <h1>${words.lobby.title}</h1>
        <p class="soft">${words.lobby.intro}</p>
      </div>
      <div role="alert">
        ${this.problem ? html`<p class="alert">${this.problem.message}</p>` : ""}
      </div>
      ${this.drawSeeking()}
      <ul class="games">
        ${this.games.map((game) => this.drawGame(game))}
      </ul>
      ${this.drawYours()}
      <div class="lists">${this.drawOpen()} ${this.drawSeeks()}</div>
      ${this.drawLive()} ${this.drawOnline()}`;
  }

  private drawSeeking(): TemplateResult {
    const { seeking, lapsed } = this.live.search;
    const draining = this.live.lobby?.draining;
    return html`<div role="status">
      ${draining ? html`<p class="alert draining">${words.lobby.draining}</p>` : ""}
      ${seeking ? this.drawSought(seeking) : lapsed ? this.drawLapsed(lapsed) : ""}
    </div>`;
  }

  private drawSought(seeking: Seek): TemplateResult {
    const { renewed } = this.live.search;
    const text = (renewed ? words.lobby.seekingAgain : words.lobby.seeking)(this.titleOf(seeking));
    return html`<p class="card seeking row">
        <span>${text}</span>
        <button @click=${() => this.ask(() => this.live.ask({ type: "stop-seeking" }))}>
          ${words.lobby.stop}
        </button>
      </p>
      ${this.drawElsewhere(seeking)}`;
  }

  /** Who waits for the same game by other rules would wait beside us for ever. */
  private drawElsewhere({ game }: Seek): TemplateResult | string {
    const [other] = this.others().filter((seek) => seek.game === game);
    if (other === undefined) return "";
    const rules = [this.titleOf(other), controlText(other.control)].filter(Boolean).join(", ");
    return html`<p class="card seeking row">
      <span>${words.lobby.elsewhere(other.name, rules)}</span>
      <button @click=${() => this.meet(other)}>${words.lobby.meet}</button>
    </p>`;
  }

  /** Everybody who waits, without us. */
  private others(): WaitingSeek[] {
    const { seeking } = this.live.search;
    return (this.live.lobby?.seeks ?? []).filter(
      ({ name, protocol }) => !(seeking && protocol === "web" && name === this.api.name),
    );
  }

  private drawLapsed({ game, options, control }: NonNullable<Search["lapsed"]>): TemplateResult {
    return html`<p class="card seeking row">
      <span>${words.lobby.lapsed(this.titleOf({ game, options }))}</span>
      <span class="row">
        <button class="main" @click=${() => this.ask(() => this.live.seek(game, options, control))}>
          ${words.lobby.seekAgain}
        </button>
        <button @click=${() => this.forget()}>${words.close}</button>
      </span>
    </p>`;
  }

  private forget(): void {
    this.live.search.forget();
    this.requestUpdate();
  }

  private drawGame({ name, title, players }: GameInfo): TemplateResult {
    const forTwo = players.length === 1 && players[0] === 2;
    return html`<li class="card game">
      <div>
        <h2 class="title">${title}</h2>
        <p class="soft small">${words.gameNotes[name] ?? ""}</p>
      </div>
      <div class="row">
        ${
          forTwo
            ? html`${this.drawSearches(name, title)}<button
                  class="main"
                  aria-label="${words.lobby.find}: ${title}"
                  @click=${() => this.seek(name, searchesOf(name)[this.sought.get(name) ?? 0] ?? {})}
                >
                  ${words.lobby.find}
                </button>`
            : ""
        }
        <a
          class="button ${forTwo ? "" : "main"}"
          href=${pathTo.create(name)}
          aria-label="${words.lobby.create}: ${title}"
          >${words.lobby.create}</a
        >
      </div>
    </li>`;
  }

  private drawSearches(name: string, title: string): TemplateResult | string {
    const searches = searchesOf(name);
    if (searches.length < 2) return "";
    return html`<select
      aria-label=${words.lobby.findWith(title)}
      @change=${(event: Event) =>
        this.sought.set(name, (event.target as HTMLSelectElement).selectedIndex)}
    >
      ${searches.map((options) => html`<option>${uiOf(name).optionsText(options)}</option>`)}
    </select>`;
  }

  private seek(game: string, options: WaitingSeek["options"]): void {
    void this.ask(() => this.live.seek(game, options));
  }

  /** Look for just what somebody waits for, their clock included. */
  private meet({ game, options, control }: WaitingSeek): void {
    void this.ask(() => this.live.seek(game, options, control));
  }

  private async ask(what: () => Promise<void>): Promise<void> {
    this.problem = null;
    try {
      await what();
    } catch (error) {
      this.problem = error as Refused;
    }
  }

  private drawYours(): TemplateResult | string {
    const { seats } = this.live;
    if (seats.length === 0) return "";
    return html`<section>
      <h2>${words.lobby.yours}</h2>
      <ul class="list">
        ${seats.map(
          (id) =>
            html`<li class="card">
              <own-game
                .live=${this.live}
                .matchId=${id}
                @turn=${(event: CustomEvent<boolean>) => this.turned(id, event.detail)}
              ></own-game>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  /** The title of the page says that somewhere it is our turn. */
  private turned(id: string, mine: boolean): void {
    if (mine) this.mine.add(id);
    else this.mine.delete(id);
    this.requestUpdate();
  }

  protected override updated(): void {
    const mine = this.live.seats.some((id) => this.mine.has(id));
    document.title = mine ? `${words.table.yourTurn} · ${words.product}` : words.product;
  }

  private drawOpen(): TemplateResult {
    const { lobby } = this.live;
    const open = lobby?.open ?? [];
    return html`<section>
      <h2>${words.lobby.open}</h2>
      ${lobby && open.length === 0 ? html`<p class="soft">${words.lobby.noOpen}</p>` : ""}
      <ul class="list">
        ${open.map((listing) => this.drawTable(listing))}
      </ul>
    </section>`;
  }

  private drawTable(listing: Listing): TemplateResult {
    const notes = [words.lobby.free(freeSeats(listing), listing.capacity)];
    if (listing.room) notes.push(words.lobby.room(listing.room));
    if (listing.locked) notes.push(words.lobby.locked);
    return html`<li class="card item">
      <div>
        <h3>${this.titleOf(listing)}</h3>
        <p class="small">${this.drawPlayers(listing)}</p>
        <p class="soft small">${notes.join(" · ")}</p>
      </div>
      ${
        this.canJoin(listing)
          ? html`<button
              aria-label="${words.lobby.join}: ${this.titleOf(listing)}"
              @click=${() => this.join(listing)}
            >
              ${words.lobby.join}
            </button>`
          : html`<a
              class="button"
              href=${pathTo.match(listing.id)}
              aria-label="${words.lobby.look}: ${this.titleOf(listing)}"
              >${words.lobby.look}</a
            >`
      }
    </li>`;
  }

  /** Whether a seat can be taken from here: nothing to choose, no password to say. */
  private canJoin(listing: Listing): boolean {
    if (listing.locked || this.live.seats.includes(listing.id)) return false;
    const game = this.games.find(({ name }) => name === listing.game);
    return freeSeats(listing) === 1 || game?.seating === "at-start";
  }

  private join({ id }: Listing): void {
    void this.ask(async () => {
      await this.live.ask({ type: "take-seat", match: id });
      this.live.sitsAt(id);
      go(pathTo.match(id));
    });
  }

  private drawPlayers({ players }: Listing): TemplateResult {
    return html`${players.map(
      ({ name, protocol }, index) =>
        html`${index ? ", " : ""}${name} <span class="badge">${protocolName(protocol)}</span>`,
    )}`;
  }

  private titleOf({ game, options, ...more }: Seek | Listing): string {
    const begun = "status" in more && more.status !== "open";
    const rules = uiOf(game).optionsText(options, begun ? more.players.length : 0);
    return rules ? `${gameName(game)} · ${rules}` : gameName(game);
  }

  private drawSeeks(): TemplateResult {
    const { lobby } = this.live;
    const seeks = this.others();
    return html`<section>
      <h2>${words.lobby.seeks}</h2>
      ${lobby && seeks.length === 0 ? html`<p class="soft">${words.lobby.noSeeks}</p>` : ""}
      <ul class="list">
        ${seeks.map((seek) => this.drawSeek(seek))}
      </ul>
    </section>`;
  }

  private drawSeek(seek: WaitingSeek): TemplateResult {
    return html`<li class="card item">
      <div>
        <h3>${this.titleOf(seek)}</h3>
        <p class="small">
          ${seek.name} <span class="badge">${protocolName(seek.protocol)}</span>
          ${controlText(seek.control)}
        </p>
      </div>
      <button aria-label="${words.lobby.meet}: ${seek.name}" @click=${() => this.meet(seek)}>
        ${words.lobby.meet}
      </button>
    </li>`;
  }

  private drawLive(): TemplateResult {
    const { lobby } = this.live;
    const playing = lobby?.live ?? [];
    return html`<section>
      <h2>${words.lobby.live}</h2>
      ${lobby && playing.length === 0 ? html`<p class="soft">${words.lobby.noLive}</p>` : ""}
      <ul class="thumbnails">
        ${playing.map(
          (listing) =>
            html`<li class="card">
              <a href=${pathTo.match(listing.id)}>
                <match-thumbnail
                  .live=${this.live}
                  .matchId=${listing.id}
                  .locked=${listing.locked}
                ></match-thumbnail>
                <h3>${this.titleOf(listing)}</h3>
                <p class="small">${this.drawPlayers(listing)}</p>
                <p class="watch small">
                  ${this.live.seats.includes(listing.id) ? words.lobby.back : words.lobby.watch}
                </p>
              </a>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  private drawOnline(): TemplateResult | string {
    const online = Object.entries(this.live.lobby?.counts.online ?? {}).filter(
      ([, count]) => count > 0,
    );
    if (online.length === 0) return "";
    const text = online.map(([protocol, count]) => `${protocolName(protocol)} ${count}`).join(", ");
    return html`<p class="online soft small">${words.lobby.online(text)}</p>`;
  }
}

/** What can be looked for with one press; a game that the page does not know as its server has it. */
function searchesOf(game: string): readonly WaitingSeek["options"][] {
  return uiOf(game).searches ?? [{}];
}
