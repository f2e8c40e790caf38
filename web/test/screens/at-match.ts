import { afterEach, beforeEach, vi } from "vitest";
import { Api, type Match, type Refused } from "../../src/api.ts";
import { Live } from "../../src/live.ts";
import "../../src/screens/match-screen.ts";
import type { MatchScreen } from "../../src/screens/match-screen.ts";
import { Table } from "../../src/table.ts";
import { settle } from "./settle.ts";

/** A live connection that knows one table and takes note of what it is asked. */
class OneTable extends Live {
  readonly table = new Table("match-1");
  readonly asked: Record<string, unknown>[] = [];
  answer: Refused | null = null;
  state: Live["link"] = "online";
  override get link(): Live["link"] {
    return this.state;
  }

  constructor() {
    super(
      () => new WebSocket("ws://nowhere"),
      () => Promise.resolve(),
    );
  }

  override watch(): [Table, () => void] {
    return [this.table, () => {}];
  }

  override ask(message: Record<string, unknown> & { type: string }): Promise<void> {
    this.asked.push(message);
    return this.answer ? Promise.reject(this.answer) : Promise.resolve();
  }
}

export let live: OneTable;
export let screen: MatchScreen;

export async function show(match: Match, seat: number | null): Promise<void> {
  live.table.match = match;
  live.table.seat = seat;
  live.table.changed();
  await settle();
}

/** In the screen and in its parts with buttons. */
export const find = (selector: string) =>
  [screen, ...screen.renderRoot.querySelectorAll("match-over, match-actions, chat-box")].flatMap(
    (one) => [...(one?.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])],
  );
export const status = () => find("#status")[0]!.textContent!.trim();
export const text = () =>
  find("p")
    .map((one) => one.textContent)
    .join();
export const button = (text: string) =>
  find("button").find((one) => one.textContent!.trim() === text);
export const board = () => find("tictactoe-board, go-board")[0]!;

/** Give every test the screen of a match, in the page. */
export function withScreen(): void {
  beforeEach(async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    localStorage.clear();
    live = new OneTable();
    live.table.current = true;
    screen = document.createElement("match-screen") as MatchScreen;
    screen.api = new Api();
    screen.live = live;
    screen.matchId = "match-1";
    document.body.append(screen);
    await settle();
  });

  afterEach(() => {
    document.body.replaceChildren();
    vi.unstubAllGlobals();
  });
}
