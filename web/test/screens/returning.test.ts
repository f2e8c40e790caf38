import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Api, Refused, type GameInfo, type Listing } from "../../src/api.ts";
import { Live } from "../../src/live.ts";
import "../../src/screens/connect-screen.ts";
import "../../src/screens/finished-screen.ts";
import "../../src/screens/lobby-screen.ts";
import "../../src/screens/new-table-screen.ts";
import { settle } from "./settle.ts";

const GO = { name: "go", title: "Go", seating: "fixed", players: [2], seats: [], options: {} };
const UNREACHED = "The server cannot be reached";

let link: Live["link"];
let live: Live;
let api: Api;

beforeEach(() => {
  link = "reconnecting";
  live = new Live(
    () => new WebSocket("ws://nowhere"),
    () => Promise.resolve(),
  );
  vi.spyOn(live, "link", "get").mockImplementation(() => link);
  api = new Api();
  const answer = <T>(given: T) =>
    link === "online"
      ? Promise.resolve(given)
      : Promise.reject<T>(new Refused("unreachable", UNREACHED));
  api.games = () => answer([GO as GameInfo]);
  api.protocols = () =>
    answer([{ name: "nedap", host: "", port: 2727, games: ["go"], tls: false }]);
  api.matches = () => answer({ matches: [] as Listing[], total: 0 });
});

afterEach(() => document.body.replaceChildren());

async function reach(now: Live["link"]): Promise<void> {
  link = now;
  live.dispatchEvent(new Event("change"));
  await settle();
}

it.each([
  ["finished-screen", "No game has been finished yet."],
  ["connect-screen", "Nedap: Go in lines of text"],
  ["new-table-screen", "New table: Go"],
  ["lobby-screen", "From 5 to 131 lines"],
])("what could not be loaded is loaded when the connection is back: %s", async (tag, loaded) => {
  const screen = document.createElement(tag);
  Object.assign(screen, { api, live, game: "go" });
  document.body.append(screen);
  await settle();
  const text = () => screen.shadowRoot!.textContent!;
  expect(text()).not.toContain(loaded);

  await reach("online");
  expect(text()).toContain(loaded);
  expect(text()).not.toContain(UNREACHED);
});

it("where one can connect is asked anew of a server that was restarted", async () => {
  link = "online";
  const screen = document.createElement("connect-screen");
  Object.assign(screen, { api, live });
  document.body.append(screen);
  await settle();
  await reach("restarting");
  api.protocols = () =>
    Promise.resolve([{ name: "ruc", host: "", port: 1, games: [], tls: false }]);
  await reach("online");

  expect(screen.shadowRoot!.textContent).toContain("RUC");
  expect(screen.shadowRoot!.textContent).not.toContain("Nedap");
});
