import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Refused } from "../../src/api.ts";
import { Live, type Paired } from "../../src/live.ts";
import { moveEvent, ticTacToe } from "../matches.ts";

/** The server's end of one connection: what it was sent, and what it says. */
class Line extends EventTarget {
  readonly heard: Record<string, unknown>[] = [];
  closed = false;

  send(text: string): void {
    this.heard.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.closed = true;
  }

  say(message: object): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }

  cut(): void {
    this.dispatchEvent(new Event("close"));
  }

  welcome(more: object = {}): void {
    this.say({
      type: "welcome",
      name: "Alice",
      now: Date.now(),
      epoch: "a",
      seats: [],
      seeking: null,
      ...more,
    });
  }

  last(type: string): Record<string, unknown> {
    return this.heard.filter((message) => message["type"] === type).at(-1)!;
  }
}

let lines: Line[];
let live: Live;
const line = () => lines.at(-1)!;

beforeEach(async () => {
  vi.useFakeTimers();
  const own: Line[] = (lines = []);
  live = new Live(
    () => {
      own.push(new Line());
      return own.at(-1) as unknown as WebSocket;
    },
    () => Promise.resolve(),
  );
  live.start();
  await vi.advanceTimersByTimeAsync(0);
});

afterEach(() => vi.useRealTimers());

/** Cut the connection and let the next one come about. */
async function reconnect(): Promise<void> {
  line().cut();
  await vi.advanceTimersByTimeAsync(6_000);
  line().welcome();
}

describe("a subscription", () => {
  it("is asked for once for any number of followers, and ended with the last", () => {
    line().welcome();
    const [one, stopOne] = live.watch("match-1");
    const [other, stopOther] = live.watch("match-1");

    expect(one).toBe(other);
    stopOne();
    stopOne();
    expect(line().heard.map(({ type }) => type)).toEqual(["watch"]);
    stopOther();
    expect(line().heard.map(({ type }) => type)).toEqual(["watch", "unwatch"]);
  });

  it("for small pictures only is a preview, as long as nobody looks on", () => {
    line().welcome();
    const [, stopPreview] = live.watch("match-1", true);
    const [, stopOther] = live.watch("match-1", true);
    const [, stop] = live.watch("match-1");
    live.watch("match-1")[1]();
    stop();
    stopOther();
    stopPreview();

    expect(line().heard).toEqual([
      { type: "watch", match: "match-1", preview: true },
      { type: "watch", match: "match-1" },
      { type: "watch", match: "match-1", preview: true },
      { type: "unwatch", match: "match-1" },
    ]);
  });

  it("made before there is a connection is asked for when there is one", () => {
    live.watch("match-1");
    live.watchLobby();
    line().welcome();

    expect(line().heard).toEqual([{ type: "watch", match: "match-1" }, { type: "watch-lobby" }]);
  });

  it("goes on after a cut from the last version seen", async () => {
    const [table] = live.watch("match-1");
    line().welcome();
    line().say({ type: "match", match: ticTacToe(), now: 0 });
    line().say({ type: "events", match: "match-1", version: 5, events: [moveEvent(5, 0, "1,1")] });
    expect(live.link).toBe("online");

    await reconnect();
    expect(line().last("watch")).toEqual({ type: "watch", match: "match-1", after: 5 });
    expect(table.current).toBe(false);
    line().say({ type: "events", match: "match-1", version: 6, events: [moveEvent(6, 1, "0,0")] });

    expect(table.current).toBe(true);
    expect(table.match!.moves.map(({ move }) => move)).toEqual(["1,1", "0,0"]);
    expect(table.match!.board).toEqual([["1,1"], ["0,0"]]);
  });

  it("takes no event twice and asks anew when one is missing", () => {
    const [table] = live.watch("match-1");
    line().welcome();
    line().say({ type: "match", match: ticTacToe(), now: 0 });
    const first = {
      type: "events",
      match: "match-1",
      version: 5,
      events: [moveEvent(5, 0, "1,1")],
    };
    line().say(first);
    line().say(first);
    expect(line().heard).toHaveLength(1);
    line().say({ type: "events", match: "match-1", version: 7, events: [moveEvent(7, 2, "2,2")] });

    expect(table.match!.moves.map(({ move }) => move)).toEqual(["1,1"]);
    expect(line().last("watch")).toEqual({ type: "watch", match: "match-1", after: 5 });
  });

  it("for which the server asks for patience is asked for again later", async () => {
    live.watch("match-1");
    line().welcome();
    const before = line().heard.length;
    line().say({ type: "refused", id: null, match: "match-1", refusal: "limit", detail: "" });
    expect(line().heard).toHaveLength(before);
    line().say({ type: "pong", id: null, now: 0 });
    await vi.advanceTimersByTimeAsync(5_000);

    expect(line().last("watch")).toEqual({ type: "watch", match: "match-1" });
    expect(line().heard.length).toBe(before + 1);
  });

  it("that is ended above the limit is ended later", async () => {
    line().welcome();
    const [, stop] = live.watch("match-1");
    stop();
    line().say({ type: "refused", id: null, match: "match-1", refusal: "limit", detail: "" });
    line().say({ type: "pong", id: null, now: 0 });
    await vi.advanceTimersByTimeAsync(5_000);

    expect(line().heard.map(({ type }) => type)).toEqual(["watch", "unwatch", "unwatch"]);
  });

  it.each(["password", "unknown-stream"])(
    "that a new connection is refused shows why: %s",
    async (refusal) => {
      const [table] = live.watch("match-1");
      line().welcome();
      line().say({ type: "match", match: ticTacToe(), now: 0 });
      await reconnect();
      line().say({ type: "refused", id: null, match: "match-1", refusal, detail: "" });

      expect([table.match, table.refused!.refusal]).toEqual([null, refusal]);
    },
  );

  it("that cannot be had just now keeps what is known and is asked for again", async () => {
    const [table] = live.watch("match-1");
    line().welcome();
    line().say({ type: "match", match: ticTacToe(), now: 0 });
    await reconnect();
    const before = line().heard.length;
    line().say({ type: "refused", id: null, match: "match-1", refusal: "unavailable", detail: "" });
    line().say({ type: "pong", id: null, now: 0 });
    await vi.advanceTimersByTimeAsync(5_000);

    expect([table.match !== null, table.refused]).toEqual([true, null]);
    expect(line().heard.slice(before)).toEqual([{ type: "watch", match: "match-1", after: 4 }]);
  });

  it("to a table with a password says why it is refused, and is asked for with it", () => {
    const [table] = live.watch("match-1");
    line().welcome();
    line().say({
      type: "refused",
      id: null,
      match: "match-1",
      refusal: "password",
      detail: "a password",
    });
    expect(table.refused!.refusal).toBe("password");

    live.unlock(table, "secret");
    expect(line().last("watch")).toEqual({ type: "watch", match: "match-1", password: "secret" });
  });

  it("to which too many passwords were tried says so, and tries no more by itself", async () => {
    const [table] = live.watch("match-1");
    line().welcome();
    live.unlock(table, "secret");
    const before = line().heard.length;
    line().say({ type: "refused", id: null, match: "match-1", refusal: "limit", detail: "" });
    line().say({ type: "pong", id: null, now: 0 });
    await vi.advanceTimersByTimeAsync(5_000);

    expect(table.refused!.refusal).toBe("limit");
    expect(line().heard).toHaveLength(before);
  });
});

it("knows at which unfinished matches one sits", () => {
  live.watch("match-1");
  line().welcome({ seats: ["match-0"] });
  line().say({ type: "match", match: ticTacToe(), now: 0 });
  line().say({ type: "you", match: "match-1", version: 4, seat: 0 });
  expect(live.seats).toEqual(["match-0", "match-1"]);

  const situation = { ...ticTacToe().situation, status: "aborted", turn: null };
  const aborted = { type: "aborted", version: 5, at: 5, situation, cause: "empty", detail: "" };
  line().say({ type: "events", match: "match-1", version: 5, events: [aborted] });
  expect(live.seats).toEqual(["match-0"]);
});

describe("a rematch", () => {
  const NEXT = { offers: [0, 1], match: "match-2" };
  let paired: Paired[];

  function sitDown(): void {
    paired = [];
    live.addEventListener("paired", (event) => paired.push((event as CustomEvent<Paired>).detail));
    line().welcome();
    line().say({ type: "match", match: ticTacToe(), now: 0 });
    line().say({ type: "you", match: "match-1", version: 4, seat: 0 });
  }

  it("that begins is told once to who played, and not to who looks on", () => {
    live.watch("match-1");
    sitDown();
    line().say({ type: "rematch", match: "match-1", rematch: { offers: [0], match: null } });
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

    await expect(played).rejects.toMatchObject({ refusal: "illegal-move", message: "superko" });
  });
});

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
