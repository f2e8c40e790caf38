import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Api, Refused, type GameInfo, type NewTable } from "../../src/api.ts";
import { Live } from "../../src/live.ts";
import "../../src/screens/new-table-screen.ts";
import type { NewTableScreen } from "../../src/screens/new-table-screen.ts";
import { settle } from "./settle.ts";

const GO: GameInfo = {
  name: "go",
  title: "Go",
  seating: "fixed",
  players: [2],
  seats: ["black", "white"],
  options: {
    properties: {
      size: {
        type: "integer",
        title: "Board size",
        description: "Lines on each side",
        minimum: 5,
        maximum: 131,
        step: 2,
        default: 19,
      },
      players: { type: "integer", labels: { "0": "Any number", "2": "2" }, default: 0 },
      end: {
        enum: ["any", "white-last"],
        title: "Passes",
        default: "white-last",
        labels: { any: "Two in a row", "white-last": "White after Black" },
        unusual: true,
      },
      handicap: { type: "boolean", title: "Handicap", default: true, unusual: true },
    },
  },
};

let api: Api;
let opened: NewTable[];
let screen: NewTableScreen;

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
  screen.live = new Live(
    () => new WebSocket("ws://nowhere"),
    () => Promise.resolve(),
  );
  screen.game = "go";
  document.body.append(screen);
  await settle();
});

afterEach(() => document.body.replaceChildren());

describe("the form", () => {
  it("is made of the game's own options and their defaults", async () => {
    expect(field("#option-size").min).toBe("5");
    await submit();

    const options = { size: 19, players: 0, end: "white-last", handicap: true };
    expect(opened).toEqual([
      { game: "go", options, control: {}, visibility: "public", seat: null },
    ]);
    expect(location.pathname).toBe("/match/match-9");
    expect(screen.live.seats).toEqual(["match-9"]); // whoever goes back at once finds it there
  });

  it("says every choice in words, and what is unusual apart", async () => {
    const said = (selector: string) =>
      [...field(selector).querySelectorAll("option")].map((one) => one.textContent!.trim());
    expect(said("#option-end")).toEqual(["Two in a row", "White after Black"]);
    expect(said("#option-players")).toEqual(["Any number", "2"]);
    expect(said("#seat").slice(1)).toEqual(["Black", "White"]);
    const apart = [...field("details").querySelectorAll("[name]")];
    expect(apart.map((one) => one.getAttribute("name"))).toEqual(["option-end", "option-handicap"]);
    expect(field("#option-size-note").textContent).toBe("Lines on each side.");

    await choose("#option-players", "2");
    await choose("#option-end", "any");
    field("[name=option-handicap]").click();
    await submit();
    expect(opened[0]!.options).toEqual({ size: 19, players: 2, end: "any", handicap: false });
  });

  it("opens what hides a field that is wrong", async () => {
    field("#option-end").dispatchEvent(new Event("invalid"));

    expect(field<HTMLDetailsElement>("details").open).toBe(true);
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

    expect(field(".alert").textContent).toBe("“Board size” is 8, not an odd number");
  });
});
