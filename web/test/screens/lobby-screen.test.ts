import { afterEach, describe, expect, it, vi } from "vitest";
import { Api, Refused, type GameInfo, type Listing } from "../../src/api.ts";
import { Live } from "../../src/live.ts";
import "../../src/screens/lobby-screen.ts";
import type { LobbyScreen } from "../../src/screens/lobby-screen.ts";
import { LIVE, ticTacToe } from "../matches.ts";

const GAMES = [
  { name: "go", title: "Go", seating: "fixed", players: [2], seats: ["black", "white"] },
  { name: "chinese_checkers", title: "Chinese checkers", seating: "at-start", players: [2, 3] },
] as GameInfo[];

function table(id: string, changes: Partial<Listing>): Listing {
  return {
    id,
    game: "go",
    options: { size: 9 },
    room: "",
    status: "open",
    visibility: "public",
    locked: false,
    created_at: 0,
    ended_at: 0,
    capacity: 2,
    outcome: null,
    forfeits: [],
    abort: null,
    abort_detail: "",
    players: [{ seat: 0, name: "Alice", protocol: "web" }],
    ...changes,
  };
}

/** A lobby with these tables, and what it asked of the server. */
async function show(...open: Listing[]) {
  const asked: unknown[] = [];
  const api = new Api();
  api.games = () => Promise.resolve(GAMES);
  const live = new Live(
    () => new WebSocket("ws://nowhere"),
    () => Promise.resolve(),
  );
  live.ask = (message) => Promise.resolve(void asked.push(message));
  live.lobby = { open, live: [], seeks: [], counts: { online: {} } } as unknown as Live["lobby"];
  const screen = document.createElement("lobby-screen") as LobbyScreen;
  Object.assign(screen, { api, live });
  document.body.append(screen);
  await vi.waitFor(() => expect(screen.renderRoot.querySelectorAll(".games li")).toHaveLength(2));
  const ways = [...screen.renderRoot.querySelectorAll<HTMLElement>(".lists .item :is(a, button)")];
  return { asked, ways, live, screen };
}

afterEach(() => document.body.replaceChildren());

describe("a table with free seats", () => {
  it("seats whoever joins when there is one kind of seat, and is opened otherwise", async () => {
    const { asked, ways, live } = await show(
      table("last-seat", {}),
      table("any-seat", { game: "chinese_checkers", options: { players: 0 }, capacity: 6 }),
      table("two-colours", { players: [] }),
      table("password", { locked: true }),
    );

    expect(ways.map((way) => way.textContent!.trim())).toEqual(["Join", "Join", "Open", "Open"]);
    ways[0]!.click();
    await vi.waitFor(() => expect(location.pathname).toBe("/match/last-seat"));
    expect(asked).toEqual([{ type: "take-seat", match: "last-seat" }]);
    expect(live.seats).toEqual(["last-seat"]);
  });
});

it("says of a game with a password that it is locked, and of the others that one can watch", async () => {
  const { live, screen } = await show();
  live.lobby = { ...live.lobby!, live: [table("secret", { status: "live", locked: true })] };
  live.dispatchEvent(new Event("change"));
  await screen.updateComplete;
  const card = screen.renderRoot.querySelector(".thumbnails li")!;
  const picture = card.querySelector("match-thumbnail")!;
  await (picture as unknown as LobbyScreen).updateComplete;

  expect(picture.shadowRoot!.textContent).toContain("Only for those who know the password");
  expect(card.textContent).toContain("Watch");
});

it("says of one's own games against whom they are, and whose turn it is", async () => {
  const { live, screen } = await show();
  const [table] = live.watch("match-1");
  Object.assign(table, { match: ticTacToe(), seat: 1, current: true });
  live.seats = ["match-1"];
  live.dispatchEvent(new Event("change"));
  await screen.updateComplete;
  const own = screen.renderRoot.querySelector("own-game")!;
  await (own as unknown as LobbyScreen).updateComplete;
  const said = [...own.shadowRoot!.querySelectorAll("h3, p")].map((one) => one.textContent);

  expect(said).toEqual([
    "Tic-tac-toe · 3\u00a0×\u00a03, 3 in a row",
    "against Alice",
    "Alice is to move",
  ]);
  expect(document.title).toBe("Parlour");

  table.match = ticTacToe({ situation: { ...LIVE, turn: 1 } });
  table.changed();
  await vi.waitFor(() => expect(document.title).toBe("Your turn · Parlour"));
  table.current = false;
  table.changed();
  await vi.waitFor(() => expect(document.title).toBe("Parlour"));
});

it("says while the server drains that no game begins, and no longer", async () => {
  const { live, screen } = await show();
  const drain = async (draining: boolean) => {
    live.lobby = { ...live.lobby!, draining };
    live.dispatchEvent(new Event("change"));
    await screen.updateComplete;
  };
  const boxes = () =>
    [...screen.renderRoot.querySelectorAll("p.alert")].map((one) => one.textContent);
  await drain(true);
  live.ask = () => Promise.reject(new Refused("unavailable", "no game begins now"));
  screen.renderRoot.querySelector<HTMLElement>(".games button.main")!.click();
  await vi.waitFor(() =>
    expect(boxes()).toEqual(["No game begins now", expect.stringContaining("no new game begins")]),
  );

  await drain(false);
  expect(boxes()).toEqual([]);
});

describe("a search", () => {
  const sought = { game: "go", options: { size: 9 } };

  it("is for the size that is chosen, the one of the examples at first", async () => {
    const { asked, screen } = await show();
    const find = screen.renderRoot.querySelector<HTMLElement>(".games button.main")!;
    const sizes = screen.renderRoot.querySelector("select")!;
    expect([...sizes.options].map((one) => one.textContent)).toEqual([
      "9\u00a0×\u00a09",
      "13\u00a0×\u00a013",
      "19\u00a0×\u00a019",
    ]);
    find.click();
    sizes.selectedIndex = 2;
    sizes.dispatchEvent(new Event("change"));
    find.click();

    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(asked.map((one) => (one as { options: unknown }).options)).toEqual([
      { size: 9 },
      { size: 19 },
    ]);
  });

  it("tells of those who wait with other options", async () => {
    const control = { turn: 60_000, total: 0, increment: 0, periods: 0, period: 0 };
    const { asked, live, screen } = await show();
    live.search.told(sought);
    const bob = { game: "go", options: { size: 19 }, name: "bob", protocol: "nedap", control };
    live.lobby = { ...live.lobby!, seeks: [{ ...bob, game: "tictactoe" }, bob] };
    live.dispatchEvent(new Event("change"));
    await screen.updateComplete;
    const [, card] = screen.renderRoot.querySelectorAll(".seeking");
    expect(card!.textContent).toContain("bob waits for Go · 19\u00a0×\u00a019, 1:00 a move.");

    card!.querySelector("button")!.click();
    await vi.waitFor(() =>
      expect(asked).toEqual([{ type: "seek", game: "go", options: { size: 19 }, control }]),
    );
  });

  it("that ended without a connection is offered again", async () => {
    const { asked, live, screen } = await show();
    live.search.welcomed("a", sought, false);
    live.search.welcomed("a", null, false);
    live.dispatchEvent(new Event("change"));
    await screen.updateComplete;
    const card = screen.renderRoot.querySelector(".seeking")!;
    expect(card.textContent).toContain("ended while there was no connection");

    card.querySelector<HTMLElement>("button.main")!.click();
    await vi.waitFor(() => expect(asked).toEqual([{ type: "seek", ...sought, control: {} }]));
  });

  it("that was begun again after a restart says so", async () => {
    const { live, screen } = await show();
    live.search.welcomed("a", sought, false);
    live.search.welcomed("b", null, false);
    live.dispatchEvent(new Event("change"));
    await screen.updateComplete;

    expect(screen.renderRoot.querySelector(".seeking")!.textContent).toContain(
      "The server was restarted. Looking again for an opponent in Go",
    );
  });
});
