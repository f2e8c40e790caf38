/** One of the viewer's unfinished games: against whom, and whose turn it is. */
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { uiOf } from "../games/games.ts";
import type { Live } from "../live.ts";
import { pathTo } from "../router.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";
import { gameName, seatTitle } from "./telling.ts";
import { Watching } from "./watching.ts";

/** Fires `turn` with `detail` whether it is the viewer's, whenever that is another's. */
@customElement("own-game")
export class OwnGame extends LitElement {
  static override styles = [
    ui,
    css`
      :host {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 0.75rem;
        overflow-wrap: anywhere;
      }
      a {
        flex: none;
      }
    `,
  ];

  @property({ attribute: false }) live!: Live;
  @property() matchId = "";

  private mine = false;
  private readonly watching = new Watching(this, () => {}, true);

  protected override willUpdate(): void {
    this.watching.follow(this.live, this.matchId);
  }

  protected override updated(): void {
    const { match = null, seat = null, current = false } = this.watching.table ?? {};
    const live = match?.situation.status === "live" && current;
    const mine = live && seat !== null && match.situation.turn === seat;
    if (mine === this.mine) return;
    this.mine = mine;
    this.dispatchEvent(new CustomEvent("turn", { detail: mine }));
  }

  protected override render(): TemplateResult {
    const title = this.heading();
    return html`<div>
        <h3>${title}</h3>
        <p class="small">${this.against()}</p>
        <p class="soft small">${this.turn()}</p>
      </div>
      <a
        class="button main"
        href=${pathTo.match(this.matchId)}
        aria-label="${words.lobby.back}: ${title}"
        >${words.lobby.back}</a
      >`;
  }

  private heading(): string {
    const match = this.watching.table?.match;
    if (!match) return words.loading;
    const { game, options, start, seats } = match;
    const rules = uiOf(game).optionsText(options, start ? seats.length : 0);
    return [gameName(game), rules].filter(Boolean).join(" · ");
  }

  private against(): string {
    const { match = null, seat = null } = this.watching.table ?? {};
    const others = (match?.seats ?? []).flatMap(({ player }, other) =>
      player && other !== seat ? [player.name] : [],
    );
    return others.length > 0 ? words.lobby.against(others.join(", ")) : "";
  }

  private turn(): string {
    const { match = null, seat = null, current = false } = this.watching.table ?? {};
    if (!match || !current) return "";
    const { status, turn, pause } = match.situation;
    if (status === "suspended") return words.table.suspended[pause ?? "absence"];
    if (status !== "live" || turn === null)
      return words.table.open(match.seats.filter(({ player }) => player === null).length);
    return turn === seat ? words.table.yourTurn : words.table.turnOf(seatTitle(match, turn));
  }
}
