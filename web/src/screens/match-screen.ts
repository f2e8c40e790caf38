/** One match: played, watched, or looked at when it is over. */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Refused, UNREACHABLE, type Api, type Match } from "../api.ts";
import type { Board } from "../boards/board.ts";
import type { MatchEvent } from "../fold.ts";
import { uiOf } from "../games/games.ts";
import type { Live } from "../live.ts";
import "../parts/chat-box.ts";
import type { Wish } from "../parts/match-actions.ts";
import "../parts/match-actions.ts";
import "../parts/match-over.ts";
import "../parts/move-list.ts";
import { nowhere } from "../parts/nowhere.ts";
import { Returning } from "../parts/returning.ts";
import "../parts/seat-list.ts";
import {
  controlText,
  deafText,
  duration,
  eventText,
  foundText,
  gameName,
  newsText,
  resultText,
  seatTitle,
} from "../parts/telling.ts";
import { Watching } from "../parts/watching.ts";
import { go } from "../router.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";
import { matchStyle } from "./match-style.ts";

const CONFIRM = "parlour-confirm";

@customElement("match-screen")
export class MatchScreen extends LitElement {
  static override styles = [ui, matchStyle];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) live!: Live;
  @property() matchId = "";
  @state() private shown: number | undefined;
  @state() private choice: string | null = null;
  @state() private problem: Refused | null = null;
  @state() private copied = false;
  @state() private said = "";
  @state() private confirm = wantsConfirmation();

  private readonly watching = new Watching(this, (events) => this.happened(events));
  private readonly onLink = () => this.requestUpdate();

  constructor() {
    super();
    new Returning(this, () => this.returned());
  }

  private returned(): void {
    if (this.problem?.refusal === UNREACHABLE) this.problem = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.live.addEventListener("change", this.onLink);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.live.removeEventListener("change", this.onLink);
    document.title = words.product;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("matchId")) return;
    this.shown = undefined;
    this.problem = this.choice = null;
    this.copied = false;
    this.watching.follow(this.live, this.matchId);
  }

  private get match(): Match | null {
    return this.watching.table?.match ?? null;
  }

  private get seat(): number | null {
    return this.watching.table?.seat ?? null;
  }

  private get board(): Board | null {
    const { board } = uiOf(this.match?.game ?? "");
    return board === undefined ? null : this.renderRoot.querySelector<Board>(board);
  }

  /** Buttons go with what they are for: who pressed one is back at the board. */
  private atBoard(act: (board: Board | null) => void): void {
    act(this.board);
    this.board?.focus({ preventScroll: true });
  }

  private happened(events: readonly MatchEvent[]): void {
    const match = this.match!;
    this.said = events
      .map((event) => eventText(match, event, this.seat))
      .filter(Boolean)
      .join(" ");
    if (events.some(({ type }) => type === "move")) this.problem = null;
  }

  /** Ask the server, and show why when it says no. Whether it said yes and the match is still shown. */
  private ask(type: string, more: Record<string, unknown> = {}): Promise<boolean> {
    return this.settle(this.live.ask({ type, match: this.matchId, ...more }));
  }

  private play(move: string): Promise<boolean> {
    const played = this.live.move(this.matchId, move, this.match!.situation.ply);
    return this.settle(played, () => this.board?.release());
  }

  private async settle(asked: Promise<void>, refused?: () => void): Promise<boolean> {
    const { matchId } = this;
    // Another match may be shown when the answer comes.
    const here = () => this.isConnected && this.matchId === matchId;
    this.problem = null;
    try {
      await asked;
      return here();
    } catch (error) {
      if (here()) {
        this.problem = error as Refused;
        refused?.();
      }
      return false;
    }
  }

  protected override render(): TemplateResult {
    const { match } = this;
    if (match === null) return this.drawUnknown();
    document.title = `${this.myTurn ? `${words.table.yourTurn} · ` : ""}${gameName(match.game)} · ${words.product}`;
    return html`<div class="head">
        <h1>${gameName(match.game)}</h1>
        <p class="soft">
          ${[
            uiOf(match.game).optionsText(match.options, match.start ? match.seats.length : 0),
            controlText(match.control),
            match.room && words.lobby.room(match.room),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      <div class="columns">
        <section class="board" aria-label=${words.board}>
          <p class="status ${this.myTurn ? "mine" : ""}" id="status">${this.statusText(match)}</p>
          ${this.drawNews(match)}
          ${uiOf(match.game).draw(match, {
            shown: this.shown,
            seat: this.seat,
            playable: this.myTurn,
            blocked: this.whyNoMove(match),
            confirm: this.confirm,
            onMove: (event) => void this.play(event.detail.move),
            onChoose: (event) => (this.choice = event.detail.move),
          })}
        </section>
        <div class="actions">
          ${this.drawProblem()} ${this.drawActions(match)} ${this.drawAfter(match)}
        </div>
        <div class="side">
          <section>
            <seat-list
              .match=${match}
              .own=${this.seat}
              .now=${() => this.live.now()}
              .welcome=${this.canSit(match)}
              @sit=${(event: CustomEvent<number>) => void this.sit(event.detail)}
            ></seat-list>
          </section>
          <section class="card">
            <move-list
              .match=${match}
              .shown=${this.shown}
              @step=${(event: CustomEvent<number | undefined>) => (this.shown = event.detail ?? undefined)}
            ></move-list>
          </section>
          <section class="card">
            <chat-box
              .lines=${this.watching.table!.chat}
              .deaf=${deafText(match, this.seat, this.watching.table!.watchers)}
              .say=${(text: string) => this.live.ask({ type: "say", match: match.id, text })}
            ></chat-box>
          </section>
          ${this.drawFoot(match)}
        </div>
      </div>
      <div class="for-ears" role="status" aria-live="polite">${this.said}</div>`;
  }

  private get myTurn(): boolean {
    const { match, seat } = this;
    return (
      match?.situation.status === "live" &&
      seat !== null &&
      match.situation.turn === seat &&
      this.watching.table!.current
    );
  }

  private whyNoMove({ situation: { status } }: Match): string {
    const { noMove } = words.table;
    if (!this.watching.table!.current) return noMove.offline;
    if (status !== "live") return noMove[status];
    return this.seat === null ? noMove.watching : "";
  }

  private canSit({ situation, seats }: Match): boolean {
    const open = situation.status === "open" || situation.pause === "vacancy";
    return open && this.seat === null && seats.some(({ player }) => player === null);
  }

  private async sit(seat: number): Promise<void> {
    const { password } = this.watching.table!;
    await this.ask("take-seat", { seat, ...(password && { password }) });
  }

  private drawNews(match: Match): TemplateResult | typeof nothing {
    if (this.shown !== undefined) return this.drawPast(match);
    const waits = this.seat !== null && match.situation.status === "open";
    const text = waits ? foundText(match) : newsText(match);
    return text ? html`<p class="soft news">${text}</p>` : nothing;
  }

  /** Whoever looks at an earlier position sees that the game is over, or their turn, all the same. */
  private drawPast(match: Match): TemplateResult {
    const result = resultText(match, this.seat);
    return html`<p class="news">
      ${result || (this.myTurn ? words.table.yourTurn : "")}
      <button class="quiet" @click=${() => this.backToNow()}>
        ${result ? words.table.toEnd : words.table.backToLive}
      </button>
    </p>`;
  }

  private backToNow(): void {
    this.shown = undefined;
    this.board?.focus({ preventScroll: true });
  }

  private statusText(match: Match): TemplateResult | string {
    if (this.shown !== undefined) return words.table.showing(this.shown, match.moves.length);
    const { status, turn, pause, pause_until: until } = match.situation;
    switch (status) {
      case "open": {
        if (match.options["players"] === 0) return words.table.startsWhenReady;
        const free = match.seats.filter(({ player }) => player === null).length;
        const waits = match.seats.some(({ player }) => player && !player.ready);
        return waits || free === 0 ? words.table.waitReady : words.table.open(free);
      }
      case "suspended": {
        const why = words.table.suspended[pause ?? "absence"];
        if (pause !== "restart" || until === null) return why;
        return html`${why}
          <time-left
            .read=${() => words.table.lines(duration(until - this.live.now()))}
          ></time-left>`;
      }
      case "live":
        if (!this.watching.table!.current) return words.table.offline;
        if (turn === this.seat && turn !== null) return words.table.yourTurn;
        return turn === null ? "" : words.table.turnOf(seatTitle(match, turn));
      default:
        return resultText(match, this.seat);
    }
  }

  private drawUnknown(): TemplateResult {
    const refused = this.watching.table?.refused;
    if (!refused) return html`<p class="soft">${words.loading}</p>`;
    const { password } = this.watching.table!;
    if (refused.refusal !== "password" && password === undefined) {
      const unknown = refused.refusal === "unknown-stream";
      return nowhere(
        unknown ? words.table.unknown : (words.refusals[refused.refusal] ?? refused.message),
      );
    }
    const tooMany = refused.refusal === "limit";
    return html`<h1>${words.table.locked}</h1>
      <form class="row" @submit=${this.unlock}>
        <label for="password">${words.create.password}</label>
        <input id="password" type="password" required autocomplete="off" />
        <button class="main">${words.table.enter}</button>
      </form>
      <div role="alert">
        ${
          password === undefined
            ? ""
            : html`<p class="alert">
                ${tooMany ? words.table.tooManyGuesses : (words.refusals[refused.refusal] ?? refused.message)}
              </p>`
        }
      </div>`;
  }

  private unlock(event: Event): void {
    event.preventDefault();
    const { value } = this.renderRoot.querySelector<HTMLInputElement>("#password")!;
    this.live.unlock(this.watching.table!, value);
    this.requestUpdate();
  }

  private drawProblem(): TemplateResult {
    const { problem } = this;
    if (problem === null) return html`<div role="alert"></div>`;
    const title = words.refusals[problem.refusal] ?? problem.refusal;
    return html`<div role="alert">
      <p class="alert"><strong>${title}.</strong> ${problem.message}</p>
    </div>`;
  }

  private drawActions(match: Match): TemplateResult | typeof nothing {
    const { status } = match.situation;
    if (this.seat === null || status === "over" || status === "aborted") return nothing;
    return html`<match-actions
      .match=${match}
      .seat=${this.seat}
      .turn=${this.myTurn}
      .past=${this.shown !== undefined}
      .choice=${this.choice}
      .confirm=${this.confirm}
      .copied=${this.copied}
      @copy=${() => this.copy()}
      @wish=${({ detail: { type, ...more } }: CustomEvent<Wish>) => this.atBoard(() => void this.ask(type, more))}
      @pass=${() => this.atBoard(() => void this.play("pass"))}
      @play=${() => this.atBoard((board) => board?.play())}
      @withdraw=${() => this.atBoard((board) => board?.withdraw())}
      @confirming=${(event: CustomEvent<boolean>) => this.setConfirm(event.detail)}
    ></match-actions>`;
  }

  private setConfirm(confirm: boolean): void {
    this.confirm = confirm;
    localStorage.setItem(CONFIRM, String(confirm));
  }

  /** What there is to do when the game is over. */
  private drawAfter(match: Match): TemplateResult | typeof nothing {
    const { status } = match.situation;
    if (status !== "over" && status !== "aborted") return nothing;
    return html`<match-over
      .api=${this.api}
      .match=${match}
      .seat=${this.seat}
      .password=${this.watching.table?.password}
      @rematch=${() => this.atBoard(() => void this.settle(this.live.offerRematch(this.matchId)))}
      @no-rematch=${() => this.atBoard(() => void this.ask("no-rematch"))}
      @again=${() => this.seekAgain(match)}
      @problem=${(event: CustomEvent<Refused>) => (this.problem = event.detail)}
    ></match-over>`;
  }

  private async seekAgain(match: Match): Promise<void> {
    const { game, options, control } = match;
    if (await this.settle(this.live.seek(game, options, control))) go("/");
  }

  private drawFoot(match: Match): TemplateResult {
    const { watchers } = this.watching.table!;
    return html`<div class="row small soft foot">
      <span>${words.table.watching(watchers)}</span>
      ${
        match.situation.status === "live" ||
        (match.situation.status === "open" && this.seat === null)
          ? html`<button class="quiet" @click=${this.copy}>
              ${this.copied ? words.table.copied : words.table.copy}
            </button>`
          : ""
      }
    </div>`;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      this.copied = true;
    } catch {
      // Browsers have no clipboard for pages that came without encryption from another machine.
      prompt(words.table.link, location.href);
    }
  }
}

/** A finger covers what it touches, so on touch screens a move is confirmed unless told otherwise. */
function wantsConfirmation(): boolean {
  const told = localStorage.getItem(CONFIRM);
  return told === null ? matchMedia("(pointer: coarse)").matches : told === "true";
}
