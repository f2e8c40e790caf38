/** A small board that follows a match while it is in sight. */
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Api, Match } from "../api.ts";
import { uiOf } from "../games/games.ts";
import type { Live } from "../live.ts";
import { words } from "../words.ts";
import { Returning } from "./returning.ts";
import { Watching } from "./watching.ts";

const LARGEST = 25; // lines; the moves of a larger board are too many for a small picture

@customElement("match-thumbnail")
export class MatchThumbnail extends LitElement {
  static override styles = css`
    :host {
      display: block;
      aspect-ratio: 1;
      overflow: hidden;
      border-radius: 0.5rem;
      background: var(--badge);
    }
    div,
    div > * {
      height: 100%;
    }
    p {
      display: grid;
      place-content: center;
      padding: 0 0.75rem;
      text-align: center;
      height: 100%;
      margin: 0;
      color: var(--soft);
      font-weight: 550;
    }
  `;

  @property({ attribute: false }) live!: Live;
  @property({ attribute: false }) api!: Api;
  @property() matchId = "";
  /** Whether the match is over: then it is read once and not followed. */
  @property({ type: Boolean }) still = false;
  /** Whether it takes a password, so that nothing of it is shown. */
  @property({ type: Boolean }) locked = false;
  @state() private seen = false;
  @state() private read: Match | null = null;

  private readonly watching = new Watching(this, () => {}, true);
  private readonly sight = new IntersectionObserver(
    ([entry]) => (this.seen = entry?.isIntersecting ?? false),
  );

  constructor() {
    super();
    // What could not be read is read again when it is drawn again.
    new Returning(this, () => this.requestUpdate());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sight.disconnect();
    this.seen = false;
  }

  protected override willUpdate(): void {
    if (this.locked) return;
    if (this.still) {
      if (this.seen && this.read?.id !== this.matchId) void this.load();
    } else if (this.seen) {
      this.watching.follow(this.live, this.matchId);
    } else {
      this.watching.hostDisconnected();
    }
  }

  private async load(): Promise<void> {
    this.read = await this.api.match(this.matchId).catch(() => null);
  }

  protected override render(): TemplateResult | string {
    if (this.locked) return html`<p>${words.lobby.lockedBoard}</p>`;
    const match = this.still ? this.read : this.watching.table?.match;
    if (!match) return "";
    if (Number(match.options["size"] ?? 0) > LARGEST)
      return html`<p aria-hidden="true">${uiOf(match.game).optionsText(match.options)}</p>`;
    return html`<div aria-hidden="true">${uiOf(match.game).draw(match, { thumbnail: true })}</div>`;
  }
}
