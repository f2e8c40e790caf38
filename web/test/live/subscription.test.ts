import { describe, expect, it, vi } from "vitest";
import { moveEvent, ticTacToe } from "../matches.ts";
import { line, live, reconnect, withServer } from "./lines.ts";

withServer();

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

  it("to the lobby that is refused above the limit is asked for again once", async () => {
    line().welcome();
    const lobby = () =>
      line()
        .heard.map(({ type }) => type as string)
        .filter((type) => type.endsWith("lobby"));
    const refused = { type: "refused", id: null, match: null, refusal: "limit", detail: "" };
    const stop = live.watchLobby();
    line().say(refused);
    await vi.advanceTimersByTimeAsync(4_000); // of which no other, that of a ping, takes anything
    for (let times = 0; times < 2; times++) line().say(refused);
    await vi.advanceTimersByTimeAsync(999);
    expect(lobby()).toEqual(["watch-lobby"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(lobby()).toEqual(["watch-lobby", "watch-lobby"]);

    line().say({ type: "pong", id: null, now: 0 });
    stop();
    line().say(refused);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(lobby().slice(2)).toEqual(["unwatch-lobby", "unwatch-lobby"]);
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
