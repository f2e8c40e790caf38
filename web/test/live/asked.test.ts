import { describe, expect, it } from "vitest";
import type { Paired, Unpaired } from "../../src/live.ts";
import { moveEvent, ticTacToe } from "../matches.ts";
import { line, live, reconnect, withServer } from "./lines.ts";

withServer();

describe("a rematch", () => {
  const NEXT = { offers: [0, 1], match: "match-2", ended: null };
  const OFFERED = { offers: [0], match: null, ended: null };
  const ENDED = { offers: [], match: null, ended: { seat: 1, cause: "declined" as const } };
  let paired: Paired[];
  let unpaired: Unpaired[];

  function sitDown(): void {
    [paired, unpaired] = [[], []];
    live.addEventListener("unpaired", (event) =>
      unpaired.push((event as CustomEvent<Unpaired>).detail),
    );
    live.addEventListener("paired", (event) => paired.push((event as CustomEvent<Paired>).detail));
    line().welcome();
    line().say({ type: "match", match: ticTacToe(), now: 0 });
    line().say({ type: "you", match: "match-1", version: 4, seat: 0 });
  }

  it("that begins is told once to who played, and not to who looks on", () => {
    live.watch("match-1");
    sitDown();
    line().say({ type: "rematch", match: "match-1", rematch: OFFERED });
    expect(paired).toEqual([]);
    line().say({ type: "rematch", match: "match-1", rematch: NEXT });
    line().say({ type: "rematch", match: "match-1", rematch: NEXT });
    expect(paired).toEqual([{ match: "match-2", after: "match-1" }]);

    line().say({ type: "you", match: "match-1", version: 5, seat: null });
    line().say({ type: "rematch", match: "match-1", rematch: { ...NEXT, match: "match-3" } });
    expect(paired).toHaveLength(1);
  });

  it("that had begun before one came is not gone to", () => {
    live.watch("match-1");
    sitDown();
    line().say({ type: "match", match: ticTacToe({ id: "match-9", rematch: NEXT }), now: 0 });

    expect(paired).toEqual([]);
  });

  it("that is refused is not waited for", async () => {
    const [, stop] = live.watch("match-1");
    sitDown();
    const offered = live.offerRematch("match-1");
    const { id } = line().last("rematch");
    stop();
    line().say({ type: "refused", id, match: "match-1", refusal: "unavailable", detail: "gone" });

    await expect(offered).rejects.toMatchObject({ refusal: "unavailable" });
    expect(line().last("unwatch")).toEqual({ type: "unwatch", match: "match-1" });
  });

  it("that was offered is waited for at other tables, and through a cut", async () => {
    const [, stop] = live.watch("match-1");
    sitDown();
    void live.offerRematch("match-1");
    line().say({ type: "done", id: line().last("rematch")["id"], match: "match-1" });
    stop();
    await reconnect();
    expect(line().last("watch")).toEqual({ type: "watch", match: "match-1", after: 4 });
    line().say({ type: "match", match: ticTacToe({ rematch: NEXT }), now: 0 });

    expect(paired).toEqual([{ match: "match-2", after: "match-1" }]);
    expect(line().last("unwatch")).toEqual({ type: "unwatch", match: "match-1" });
  });

  /** Offer one at a table that nothing shows any more. */
  function offeredAndGone(): void {
    const [, stop] = live.watch("match-1");
    sitDown();
    void live.offerRematch("match-1");
    line().say({ type: "rematch", match: "match-1", rematch: OFFERED });
    line().say({ type: "done", id: line().last("rematch")["id"], match: "match-1" });
    stop();
  }

  it.each([ENDED, { ...ENDED, ended: null }])(
    "that does not come about is waited for no more: %j",
    (rematch) => {
      offeredAndGone();
      expect(line().last("unwatch")).toBeUndefined();
      line().say({ type: "rematch", match: "match-1", rematch });

      expect(unpaired.map(({ match, seat }) => [match.rematch, seat])).toEqual([[rematch, 0]]);
      expect(line().last("unwatch")).toEqual({ type: "unwatch", match: "match-1" });
    },
  );

  it("whose offer is on its way is waited for, whatever ended before it", () => {
    const [, stop] = live.watch("match-1");
    sitDown();
    void live.offerRematch("match-1");
    stop();
    line().say({ type: "rematch", match: "match-1", rematch: ENDED });

    expect(unpaired).toEqual([]);
    expect(line().last("unwatch")).toBeUndefined();
  });

  it("that others want no more does not end one's own offer", () => {
    offeredAndGone();
    const rematch = { ...OFFERED, ended: { seat: 1, cause: "withdrawn" } };
    line().say({ type: "rematch", match: "match-1", rematch });

    expect(unpaired).toEqual([]);
  });
});

describe("a move", () => {
  let stopWatching: () => void;

  /** Play the first move at a table that is watched, and lose the connection before the answer. */
  async function playedAndCut(seat = 0): Promise<{ played: Promise<void> }> {
    [, stopWatching] = live.watch("match-1");
    line().welcome();
    line().say({ type: "match", match: ticTacToe(), now: 0 });
    line().say({ type: "you", match: "match-1", version: 4, seat });
    const played = live.move("match-1", "1,1", 0);
    await reconnect();
    return { played };
  }

  const refused = () => ({
    type: "refused",
    id: line().last("move")["id"],
    match: "match-1",
    refusal: "stale-move",
    detail: "",
  });

  const told = (move: string) =>
    line().say({ type: "events", match: "match-1", version: 5, events: [moveEvent(5, 0, move)] });

  it("that was not answered is sent again on the next connection", async () => {
    line().welcome();
    const played = live.move("match-1", "1,1", 0);
    const sent = line().last("move");

    await reconnect();
    expect(line().last("move")).toEqual(sent);
    line().say({ type: "done", id: sent["id"], match: "match-1" });

    await expect(played).resolves.toBeUndefined();
  });

  it.each(["stale-move", "over", "suspended", "not-seated"])(
    "sent twice is played when it is on the board, refused the second time as %s",
    async (refusal) => {
      const { played } = await playedAndCut();
      told("1,1");
      line().say({ ...refused(), refusal });

      await expect(played).resolves.toBeUndefined();
    },
  );

  it("is decided on when the board is known, not before", async () => {
    const { played } = await playedAndCut();
    line().say({ ...refused(), refusal: "over" });
    told("1,1");

    await expect(played).resolves.toBeUndefined();
  });

  it.each([
    ["another stands in its place", 0, "2,2"],
    ["somebody else has played it", 1, "1,1"],
  ])("is refused when %s", async (_, seat, move) => {
    const { played } = await playedAndCut(seat);
    line().say(refused());
    told(move);

    await expect(played).rejects.toMatchObject({ refusal: "stale-move" });
  });

  it("is refused when the table may not be looked at any more", async () => {
    const { played } = await playedAndCut();
    line().say(refused());
    line().say({ ...refused(), id: null, refusal: "unknown-stream" });

    await expect(played).rejects.toMatchObject({ refusal: "stale-move" });
  });

  it("is refused when nobody looks at the table any more", async () => {
    const { played } = await playedAndCut();
    line().say(refused());
    stopWatching();

    await expect(played).rejects.toMatchObject({ refusal: "stale-move" });
  });

  it("that a rule forbids is refused in the rule's words", async () => {
    line().welcome();
    const played = live.move("match-1", "1,1", 0);
    line().say({
      type: "refused",
      id: line().last("move")["id"],
      match: null,
      refusal: "illegal-move",
      detail: "superko",
    });

    await expect(played).rejects.toMatchObject({ refusal: "illegal-move", message: "Superko" });
  });
});
