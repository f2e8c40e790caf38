import { describe, expect, it, vi } from "vitest";
import { line, live, withServer } from "./lines.ts";

withServer();

describe("a search", () => {
  const SOUGHT = { game: "go", options: { size: 9 } };
  const control = { turn: 60_000 };

  /** Search, wait, and lose the connection. */
  async function searchAndCut(epoch: string, more: object = {}): Promise<void> {
    line().welcome();
    void live.seek(SOUGHT.game, SOUGHT.options, control);
    line().say({ type: "seeking", seek: SOUGHT });
    line().say({ type: "waiting", id: line().last("seek")["id"], game: "go" });
    line().say({ type: "restarting" });
    line().say({ type: "seeking", seek: null });
    line().cut();
    await vi.advanceTimersByTimeAsync(6_000);
    line().welcome({ epoch, ...more });
  }

  it("is begun again by a page that comes back after a restart", async () => {
    await searchAndCut("b");

    expect(line().last("seek")).toMatchObject({ ...SOUGHT, control });
    expect([live.search.seeking, live.search.renewed]).toEqual([SOUGHT, true]);
    line().say({ type: "paired", match: "match-1" });
    expect([live.search.seeking, live.search.renewed]).toEqual([null, false]);
    expect(live.seats).toEqual(["match-1"]);
  });

  it("that cannot be begun again is known to have ended", async () => {
    await searchAndCut("b");
    const { id } = line().last("seek");
    line().say({ type: "refused", id, match: null, refusal: "unavailable", detail: "" });
    await vi.advanceTimersByTimeAsync(0);

    expect(live.search.seeking).toBeNull();
    expect(live.search.lapsed).toMatchObject(SOUGHT);
  });

  it("that ended without a restart is not begun by itself", async () => {
    await searchAndCut("a");

    expect(line().last("seek")).toBeUndefined();
    expect(live.search.lapsed).toMatchObject({ ...SOUGHT, control });
  });

  it.each([
    ["another tab has begun it", { seeking: SOUGHT }],
    ["it has found somebody", { seats: ["match-1"] }],
  ])("is not begun again when %s", async (_, more) => {
    await searchAndCut("b", more);

    expect(line().last("seek")).toBeUndefined();
    expect(live.search.lapsed).toBeNull();
  });
});
