/** The shell around every screen: the header, the state of the connection, the route. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Refused, type Api } from "./api.ts";
import type { Live, Paired, Unpaired } from "./live.ts";
import { nowhere } from "./parts/nowhere.ts";
import { rematchText } from "./parts/telling.ts";
import { followLinks, go, pathTo, routeOf, type Route } from "./router.ts";
import { ui } from "./ui.ts";
import { words } from "./words.ts";
import "./screens/connect-screen.ts";
import "./screens/finished-screen.ts";
import "./screens/lobby-screen.ts";
import "./screens/match-screen.ts";
import "./screens/new-table-screen.ts";

@customElement("parlour-app")
export class ParlourApp extends LitElement {
  static override styles = [
    ui,
    css`
      header {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.25rem 1.25rem;
        max-width: 76rem;
        margin: 0 auto;
        padding: 0.75rem clamp(0.75rem, 3vw, 2rem);
      }
      .home {
        display: inline-flex;
        align-items: center;
        gap: 0.55rem;
        color: var(--ink);
        font: 600 1.375rem/1 var(--serif);
        text-decoration: none;
      }
      .home svg {
        width: 1.6rem;
        height: 1.6rem;
      }
      nav {
        display: flex;
        flex: 1;
        gap: 0.25rem;
      }
      nav a {
        padding: 0.4rem 0.7rem;
        border-radius: 0.5rem;
        color: var(--soft);
        font-weight: 550;
        text-decoration: none;
      }
      nav a:hover {
        background: var(--hover);
      }
      nav a[aria-current] {
        color: var(--ink);
        background: var(--badge);
      }
      .link {
        position: sticky;
        top: 0;
        z-index: 2;
        padding: 0.5rem 1rem;
        background: var(--alert);
        text-align: center;
      }
      .connection {
        position: fixed;
        inset: auto 0 0;
        z-index: 2;
      }
      @media (min-width: 64rem) {
        header {
          flex-wrap: nowrap;
        }
        .me {
          flex: none;
          max-width: 24rem;
        }
        .connection {
          position: static;
          flex: 0 1 28rem;
        }
        .connection .link {
          padding: 0.15rem 0.75rem;
          border-radius: 0.625rem;
          font-size: 0.8125rem;
          line-height: 1.3;
        }
      }
      main {
        max-width: 76rem;
        margin: 0 auto;
        /* As much below as what is said of the connection covers there. */
        padding: 0.75rem clamp(0.75rem, 3vw, 2rem) 6rem;
      }
      /* It is focused by us alone, for the keyboard to go on from there. */
      main:focus {
        outline: none;
      }
      .skip {
        position: absolute;
        left: -99rem;
      }
      .skip:focus {
        left: 0.5rem;
        z-index: 3;
      }
      form input {
        width: 10rem;
      }
      form .alert {
        flex-basis: 100%;
      }
      @media (max-width: 30rem) {
        nav {
          order: 3;
          flex-basis: 100%;
          margin: 0 -0.4rem;
        }
        .me {
          margin-left: auto;
        }
        .me .soft {
          position: absolute;
          width: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
      }
    `,
  ];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) live!: Live;
  @state() private route: Route = routeOf(location.pathname);
  @state() private renaming = false;
  @state() private refused = "";
  /** A match that waits for us while we are at another table. */
  @state() private found: string | null = null;
  /** Why a rematch does not come that we wait for while we are elsewhere. */
  @state() private unpaired = "";

  override connectedCallback(): void {
    super.connectedCallback();
    this.live.addEventListener("change", () => this.requestUpdate());
    this.live.addEventListener("paired", (event) =>
      this.paired((event as CustomEvent<Paired>).detail),
    );
    this.live.addEventListener("unpaired", (event) =>
      this.tellUnpaired((event as CustomEvent<Unpaired>).detail),
    );
    followLinks(() => void this.turn());
  }

  /** Go to the game that begins, but tear nobody away from another table. */
  private paired({ match, after }: Paired): void {
    const { route } = this;
    if (route.screen === "match" && route.id !== after) this.found = match;
    else go(pathTo.match(match));
  }

  /** Its own screen says it itself. */
  private tellUnpaired({ match, seat }: Unpaired): void {
    const { route } = this;
    if (route.screen === "match" && route.id === match.id) return;
    this.unpaired = rematchText(match, seat) || words.table.ownOfferEnded.left;
  }

  /** Show the screen of the address, from its top. */
  private async turn(): Promise<void> {
    this.route = routeOf(location.pathname);
    this.found = null;
    this.unpaired = "";
    this.renaming = false;
    await this.updateComplete;
    scrollTo(0, 0);
    this.renderRoot.querySelector<HTMLElement>("main")?.focus();
  }

  protected override render(): TemplateResult {
    return html`<header>
        <button class="skip" @click=${() => this.skip()}>${words.skip}</button>
        <a class="home" href="/">${logo} ${words.product}</a>
        <nav aria-label=${words.nav.label}>
          ${this.navLink("/", "lobby")} ${this.navLink("/finished", "finished")}
          ${this.navLink("/connect", "connect")}
        </nav>
        ${this.drawLink()}
        <div class="me">${this.renaming ? this.drawNameForm() : this.drawName()}</div>
      </header>
      ${this.drawNotices()}
      <main tabindex="-1">${this.drawScreen()}</main>`;
  }

  private skip(): void {
    this.renderRoot.querySelector<HTMLElement>("main")?.focus();
  }

  private navLink(path: string, screen: "lobby" | "finished" | "connect"): TemplateResult {
    const current = this.route.screen === screen ? "page" : nothing;
    return html`<a href=${path} aria-current=${current}>${words.nav[screen]}</a>`;
  }

  /** It stands where nothing else does, so that it moves no board under anybody's hand. */
  private drawLink(): TemplateResult {
    const text = this.linkText();
    return html`<div class="connection" role="status">
      ${text ? html`<p class="link">${text}</p>` : ""}
    </div>`;
  }

  private drawNotices(): TemplateResult {
    const { notice } = this.live;
    const told = html`<p class="link">
      ${words.link.notice(notice)}
      <button class="quiet" @click=${() => this.live.dismiss()}>${words.link.read}</button>
    </p>`;
    const found =
      this.found &&
      html`<p class="link"><a href=${pathTo.match(this.found)}>${words.link.found}</a></p>`;
    const unpaired = this.unpaired && html`<p class="link">${this.unpaired}</p>`;
    return html`<div role="status">${found ?? ""}${unpaired}${notice ? told : ""}</div>`;
  }

  private linkText(): string {
    const { link, lostAt, search } = this.live;
    if (link === "reconnecting")
      return words.link.reconnecting(new Date(lostAt ?? 0).toLocaleTimeString());
    return link === "restarting"
      ? words.link.restarting(search.seeking !== null)
      : words.link[link];
  }

  private drawName(): TemplateResult | typeof nothing {
    if (!this.api.name) return nothing;
    return html`<button class="quiet" @click=${() => this.startRenaming()} title=${words.rename}>
      <span class="soft">${words.you}</span> ${this.api.name}
    </button>`;
  }

  private async startRenaming(): Promise<void> {
    this.renaming = true;
    this.refused = "";
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>("#name")?.select();
  }

  private drawNameForm(): TemplateResult {
    return html`<form class="row" @submit=${this.rename} @keydown=${this.onNameKey}>
      <label class="for-ears" for="name">${words.yourName}</label>
      <input id="name" maxlength="20" required autocomplete="nickname" .value=${this.api.name} />
      <button class="main">${words.save}</button>
      <button type="button" @click=${() => this.stopRenaming()}>${words.cancel}</button>
      ${this.refused ? html`<p class="alert" role="alert">${this.refused}</p>` : ""}
    </form>`;
  }

  private onNameKey(event: KeyboardEvent): void {
    if (event.key === "Escape") void this.stopRenaming();
  }

  private async stopRenaming(): Promise<void> {
    this.renaming = false;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".me button")?.focus();
  }

  private async rename(event: Event): Promise<void> {
    event.preventDefault();
    try {
      await this.api.rename(this.renderRoot.querySelector<HTMLInputElement>("#name")!.value);
      void this.stopRenaming();
    } catch (error) {
      this.refused = (error as Refused).message;
    }
  }

  private drawScreen(): TemplateResult {
    const { route, api, live } = this;
    switch (route.screen) {
      case "lobby":
        return html`<lobby-screen .api=${api} .live=${live}></lobby-screen>`;
      case "new":
        return html`<new-table-screen
          .api=${api}
          .live=${live}
          .game=${route.game}
        ></new-table-screen>`;
      case "match":
        return html`<match-screen .api=${api} .live=${live} .matchId=${route.id}></match-screen>`;
      case "finished":
        return html`<finished-screen .api=${api} .live=${live}></finished-screen>`;
      case "connect":
        return html`<connect-screen .api=${api} .live=${live}></connect-screen>`;
      case "lost":
        return nowhere(words.notFound);
    }
  }
}

const logo = html`<svg viewBox="0 0 32 32" aria-hidden="true">
  <rect width="32" height="32" rx="7" fill="#1c6648" />
  <circle cx="12" cy="13" r="6" fill="#f8f6f1" />
  <circle cx="20" cy="19" r="6" fill="#17181a" />
</svg>`;

declare global {
  interface HTMLElementTagNameMap {
    "parlour-app": ParlourApp;
  }
}
