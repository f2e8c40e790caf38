import { describe, expect, it, vi } from "vitest";
import type { Refused } from "../../src/api.ts";
import { line, lines, live, withServer } from "./lines.ts";

withServer();

describe("the connection", () => {
  it("tells what was asked before a cut that it was lost", async () => {
    line().welcome();
    const asked = live
      .ask({ type: "resign", match: "match-1" })
      .catch((error: Refused) => error.refusal);
    line().cut();

    expect(await asked).toBe("unreachable");
  });

  it("is tried again after longer and longer waits, and at once when the network is back", async () => {
    line().welcome();
    line().cut();
    const tries: number[] = [];
    for (let second = 0; second < 40; second++) {
      const before = lines.length;
      await vi.advanceTimersByTimeAsync(1_000);
      if (lines.length > before) tries.push(second);
    }
    expect(live.link).toBe("reconnecting");
    expect(tries.length).toBeLessThan(12);
    const before = lines.length;
    line().cut();
    dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    expect(lines.length).toBe(before + 1);
  });

  it("counts as cut when a ping has no answer", async () => {
    line().welcome();
    await vi.advanceTimersByTimeAsync(8_000);
    const id = line().last("ping")["id"];
    line().say({ type: "pong", id, now: Date.now() });
    expect(live.link).toBe("online");

    await vi.advanceTimersByTimeAsync(12_100);
    expect([live.link, lines[0]!.closed]).toEqual(["reconnecting", true]);
  });

  it("says that the server restarts, and comes back", async () => {
    line().welcome();
    line().say({ type: "restarting" });
    line().cut();
    expect(live.link).toBe("restarting");

    await vi.advanceTimersByTimeAsync(1_000);
    line().welcome();
    expect(live.link).toBe("online");
  });

  it("introduces itself again when the server does not know the cookie", async () => {
    line().welcome({ name: null });
    expect(live.link).toBe("connecting");

    await vi.advanceTimersByTimeAsync(1_000);
    expect(lines).toHaveLength(2);
  });
});

describe("the lobby", () => {
  const listing = (id: string, status: string, created_at: number) => ({ id, status, created_at });

  it("moves a table from the open to the live ones and forgets those that are gone", () => {
    live.watchLobby();
    line().welcome();
    const counts = { open: 2, live: 0, seeking: 0, online: {} };
    line().say({
      type: "lobby",
      version: 1,
      open: [listing("b", "open", 2), listing("a", "open", 1)],
      live: [],
      seeks: [],
      counts,
    });
    line().say({
      type: "lobby-changed",
      version: 2,
      put: [listing("a", "live", 1)],
      gone: ["b"],
      seeks: null,
      counts,
    });

    expect(live.lobby!.open).toEqual([]);
    expect(live.lobby!.live.map(({ id }) => id)).toEqual(["a"]);
  });
});

it("keeps what the operator says until it has been read", () => {
  line().welcome();

  line().say({ type: "notice", text: "tea at five" });
  expect(live.notice).toBe("tea at five");

  live.dismiss();
  expect(live.notice).toBe("");
});
