import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Api, Refused, type GameInfo, type NewTable } from "../../src/api.ts";
import "../../src/screens/new-table-screen.ts";
import type { NewTableScreen } from "../../src/screens/new-table-screen.ts";

const GO: GameInfo = {
  name: "go",
  title: "Go",
  seating: "fixed",
  players: [2],
  seats: ["black", "white"],
  options: {
    properties: {
      size: { type: "integer", title: "Board size (odd)", minimum: 5, maximum: 131, default: 19 },
      end: { enum: ["any", "white-last"], title: "Passes", default: "white-last" },
    },
  },
};

let api: Api;
let opened: NewTable[];
let screen: NewTableScreen;

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => setTimeout(done));
}

const field = <T extends HTMLElement = HTMLInputElement>(selector: string) =>
  screen.renderRoot.querySelector<T>(selector)!;

async function choose(selector: string, value: string): Promise<void> {
  const chosen = field(selector);
  chosen.value = value;
  chosen.dispatchEvent(new Event("change"));
  await settle();
}

async function submit(): Promise<void> {
  field<HTMLFormElement>("form").dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
}

beforeEach(async () => {
  opened = [];
  api = new Api();
  vi.spyOn(api, "games").mockResolvedValue([GO]);
  vi.spyOn(api, "open").mockImplementation((table) => {
    opened.push(table);
    return Promise.resolve("match-9");
  });
  screen = document.createElement("new-table-screen") as NewTableScreen;
  screen.api = api;
  screen.game = "go";
  document.body.append(screen);
  await settle();
});

afterEach(() => document.body.replaceChildren());

describe("the form", () => {
  it("is made of the game's own options and their defaults", async () => {
    expect(field("#option-size").min).toBe("5");
    await submit();

    const options = { size: 19, end: "white-last" };
    expect(opened).toEqual([
      { game: "go", options, control: {}, visibility: "public", seat: null },
    ]);
    expect(location.pathname).toBe("/match/match-9");
  });

  it("turns minutes and seconds into milliseconds", async () => {
    await choose("#time", "periods");
    field("#total").value = "15";
    await submit();

    expect(opened[0]!.control).toEqual({ total: 900_000, periods: 5, period: 30_000 });
  });

  it("asks for a password only for a table that has one", async () => {
    expect(field("#password")).toBeNull();
    field<HTMLInputElement>("input[value=locked]").click();
    await settle();
    field("#password").value = "secret";
    await submit();

    expect(opened[0]).toMatchObject({ visibility: "public", password: "secret" });
  });

  it("shows what the server says to options that no bounds forbid", async () => {
    vi.spyOn(api, "open").mockRejectedValue(
      new Refused("bad-options", "size is 8, not an odd number"),
    );
    await submit();

    expect(field(".alert").textContent).toBe("size is 8, not an odd number");
  });
});
