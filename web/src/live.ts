/**
 * One WebSocket for everything that happens, with any number of subscriptions.
 *
 * What is known is kept when the connection is cut. A new connection asks for what came after the
 * last version seen, and repeats the moves that were not yet answered: the server plays a move of
 * the same number once.
 */
import { Refused, UNREACHABLE, type Control, type Options, type Rematch } from "./api.ts";
import { Connection, LONGEST_WAIT, type Link } from "./connection.ts";
import { fold, type MatchEvent } from "./fold.ts";
import { turnOver, type Lobby } from "./lobby.ts";
import type { Answer } from "./messages.ts";
import { Search } from "./search.ts";
import { Table } from "./table.ts";

interface Pending {
  message: Record<string, unknown>;
  /** Whether it may be sent again on another connection. */
  repeats: boolean;
  done: () => void;
  refused: (reason: Refused) => void;
  /** The server's answer to a move, kept until the board shows whether an earlier one arrived. */
  answer?: Refused;
}

const LATER = ["limit", "unavailable"]; // refusals that pass

/** A match that begins for us; `after`, it is the rematch of that one. */
export interface Paired {
  match: string;
  after: string | null;
}

/** Fires `change` when the link, the lobby or one's own seats change, and `paired`. */
export class Live extends EventTarget {
  lobby: Lobby | null = null;
  seats: readonly string[] = [];
  readonly search = new Search();
  /** What the operator has said last; empty when it has been read. */
  notice = "";

  private readonly connection: Connection;
  private readonly tables = new Map<string, Table>();
  private readonly pending = new Map<number, Pending>();
  /** By match: how to follow no more where a rematch was offered, whatever is shown meanwhile. */
  private readonly offered = new Map<string, () => void>();
  private lobbyFollowers = 0;
  private lastId = 0;
  private ahead = 0; // server's clock minus ours

  /** `introduce` makes sure that the server knows who we are, before each connection. */
  constructor(connect: () => WebSocket, introduce: () => Promise<unknown>) {
    super();
    const hearer = {
      heard: (answer: Answer) => this.heard(answer),
      cut: (gone: boolean) => this.cut(gone),
      changed: () => this.changed(),
    };
    this.connection = new Connection(hearer, connect, introduce);
  }

  get link(): Link {
    return this.connection.link;
  }

  /** When the connection was lost; null while it stands. */
  get lostAt(): number | null {
    return this.connection.lostAt;
  }

  /** The server's time. */
  now(): number {
    return Date.now() + this.ahead;
  }

  /** The operator's notice has been read. */
  dismiss(): void {
    this.notice = "";
    this.changed();
  }

  /** Connect, and stay connected from now on. */
  start(): void {
    this.connection.start();
  }

  /** Follow a match until the returned function is called; a preview does not count as looking on. */
  watch(id: string, preview = false): [Table, () => void] {
    const table = this.tables.get(id) ?? new Table(id);
    this.tables.set(id, table);
    if (table.count(1, preview)) this.sendWatch(table);
    let stopped = false;
    const stop = () => {
      if (stopped) return;
      stopped = true;
      const told = table.count(-1, preview);
      if (table.followers > 0) {
        if (told) this.sendWatch(table);
        return;
      }
      this.tables.delete(id);
      this.decide(table);
      this.connection.send({ type: "unwatch", match: id });
    };
    return [table, stop];
  }

  /** Watch a table again with the password that it wants. */
  unlock(table: Table, password: string): void {
    table.password = password;
    table.refused = null;
    this.sendWatch(table);
  }

  /** Follow the lobby until the returned function is called. */
  watchLobby(): () => void {
    if (this.lobbyFollowers++ === 0) this.connection.send({ type: "watch-lobby" });
    return () => {
      if (--this.lobbyFollowers > 0) return;
      this.lobby = null;
      this.connection.send({ type: "unwatch-lobby" });
    };
  }

  /**
   * Play move number `ply`. It is repeated on later connections until it has an answer.
   *
   * Rejects with `Refused`.
   */
  move(match: string, move: string, ply: number): Promise<void> {
    return this.ask({ type: "move", match, move, ply }, true);
  }

  /** Offer a rematch, or accept one. Rejects with `Refused`. */
  async offerRematch(match: string): Promise<void> {
    const [, stop] = this.watch(match);
    this.waitNoMore(match);
    this.offered.set(match, stop);
    try {
      await this.ask({ type: "rematch", match });
    } catch (error) {
      this.waitNoMore(match);
      throw error;
    }
  }

  private waitNoMore(match: string): void {
    this.offered.get(match)?.();
    this.offered.delete(match);
  }

  /** Rejects with `Refused`, also when there is no connection. */
  ask(message: Record<string, unknown> & { type: string }, repeats = false): Promise<void> {
    const id = ++this.lastId;
    return new Promise((done, refused) => {
      if (!repeats && this.link !== "online") {
        refused(new Refused(UNREACHABLE, "The server cannot be reached just now."));
        return;
      }
      this.pending.set(id, { message: { ...message, id }, repeats, done, refused });
      this.connection.send({ ...message, id });
    });
  }

  seek(game: string, options: Options, control: Partial<Control> = {}): Promise<void> {
    return this.ask(this.search.begin(game, options, control));
  }

  /** From now on only what was known of the tables is known. */
  private cut(gone: boolean): void {
    for (const table of this.tables.values()) {
      table.current = false;
      table.changed();
    }
    if (!gone) return;
    for (const [id, { repeats, refused }] of [...this.pending]) {
      if (repeats) continue;
      this.pending.delete(id);
      refused(new Refused(UNREACHABLE, "The connection was lost before the server answered."));
    }
  }

  private sendWatch(table: Table): void {
    const { id: match, password } = table;
    const after = table.match?.version;
    this.connection.send({
      type: "watch",
      match,
      ...(after && { after }),
      ...(password && { password }),
      ...(table.preview && { preview: true }),
    });
  }

  /** Say again whether a match is followed. */
  private watchOrNot(match: string): void {
    const table = this.tables.get(match);
    if (table !== undefined) this.sendWatch(table);
    else this.connection.send({ type: "unwatch", match });
  }

  private welcomed(answer: Answer & { type: "welcome" }): void {
    this.ahead = answer.now - Date.now();
    const paired = answer.seats.some((id) => !this.seats.includes(id));
    this.seats = answer.seats;
    const again = this.search.welcomed(answer.epoch, answer.seeking, paired);
    if (again !== null) {
      this.ask(again).catch(() => {
        this.search.refused(again);
        this.changed();
      });
    }
    for (const table of this.tables.values()) this.sendWatch(table);
    if (this.lobbyFollowers > 0) this.connection.send({ type: "watch-lobby" });
    for (const { message } of this.pending.values()) this.connection.send(message);
    this.changed();
  }

  private heard(answer: Answer): void {
    switch (answer.type) {
      case "welcome":
        this.welcomed(answer);
        break;
      case "pong":
        this.ahead = answer.now - Date.now();
        break;
      case "done":
      case "waiting":
        this.settle(answer.id, ({ done }) => done());
        break;
      case "refused":
        this.refuse(answer);
        break;
      case "seeking":
        // A server that stops forgets whom it looks for; we do not.
        if (this.link !== "restarting") this.search.told(answer.seek);
        this.changed();
        break;
      case "paired":
        this.search.told(null);
        this.paired({ match: answer.match, after: null });
        this.changed();
        break;
      case "notice":
        this.notice = answer.text;
        this.changed();
        break;
      case "restarting":
        this.changed();
        break;
      case "lobby":
        this.lobby = answer;
        this.changed();
        break;
      case "lobby-changed":
        if (this.lobby) this.lobby = turnOver(this.lobby, answer);
        this.changed();
        break;
      default:
        this.heardOfTable(answer);
    }
  }

  private heardOfTable(
    answer: Extract<Answer, { type: "match" | "events" | "you" | "watchers" | "chat" | "rematch" }>,
  ): void {
    const id = answer.type === "match" ? answer.match.id : answer.match;
    const table = this.tables.get(id as string);
    if (table === undefined) return;
    switch (answer.type) {
      case "match":
        this.beginRematch(table, answer.match.rematch);
        table.match = answer.match;
        table.current = true;
        this.ahead = answer.now - Date.now();
        this.decide(table);
        break;
      case "events":
        this.happened(table, answer.events);
        return;
      case "you":
        table.seat = answer.seat;
        this.noteSeat(table);
        break;
      case "watchers":
        table.watchers = answer.count;
        break;
      case "chat":
        table.chat = answer.history ? answer.lines : [...table.chat, ...answer.lines].slice(-200);
        break;
      case "rematch":
        this.beginRematch(table, answer.rematch);
        if (table.match) table.match = { ...table.match, rematch: answer.rematch };
        break;
    }
    table.changed();
  }

  /** Whoever has waited for the next game is told that it is there. */
  private beginRematch({ id, match, seat }: Table, rematch: Rematch | null): void {
    const next = rematch?.match ?? null;
    if (next === null || !match || match.rematch?.match === next) return;
    this.waitNoMore(id);
    if (seat !== null) this.paired({ match: next, after: id });
  }

  /** We sit at a match, as far as is known before it is watched. */
  sitsAt(match: string): void {
    if (!this.seats.includes(match)) this.seats = [...this.seats, match];
    this.changed();
  }

  private paired(detail: Paired): void {
    this.sitsAt(detail.match);
    this.dispatchEvent(new CustomEvent("paired", { detail }));
  }

  private happened(table: Table, events: readonly MatchEvent[]): void {
    table.current = true;
    const fresh = events.filter(({ version }) => version > (table.match?.version ?? Infinity));
    for (const event of fresh) {
      // Nothing may be missing: after a gap the rest is asked for anew.
      if (event.version !== table.match!.version + 1) {
        this.sendWatch(table);
        break;
      }
      table.match = fold(table.match!, event);
    }
    table.changed(fresh);
    this.noteSeat(table);
    this.decide(table);
  }

  /** Keep the list of unfinished matches one sits at, which the server tells on connecting only. */
  private noteSeat({ id, seat, match }: Table): void {
    const sits = seat !== null && !["over", "aborted"].includes(match?.situation.status ?? "");
    if (sits === this.seats.includes(id)) return;
    this.seats = sits ? [...this.seats, id] : this.seats.filter((other) => other !== id);
    this.changed();
  }

  private refuse(answer: Answer & { type: "refused" }): void {
    const reason = new Refused(answer.refusal, answer.detail);
    const table = answer.match === null ? undefined : this.tables.get(answer.match);
    const pending = this.pending.get(answer.id ?? -1);
    if (pending?.repeats && table !== undefined) {
      pending.answer = reason;
      if (table.current) this.decide(table);
    } else if (pending !== undefined) {
      this.settle(answer.id, ({ refused }) => refused(reason));
    } else if (answer.match !== null && LATER.includes(answer.refusal) && !isAtTheDoor(table)) {
      // So many boards came into sight, or went out of it, that the server asks for patience.
      setTimeout(() => this.watchOrNot(answer.match!), LONGEST_WAIT);
    } else if (table !== undefined) {
      // Also one that was watched before the cut: what is shown of it may long be untrue.
      this.decide(table);
      table.match = null;
      table.refused = reason;
      table.changed();
    }
  }

  /**
   * Settle the refused moves of a table of which is known now what was played. A move that was sent
   * twice is refused in many ways, as late, because the game is over or the server was restarted:
   * whether it was played is seen on the board alone.
   */
  private decide(table: Table): void {
    for (const [id, { message, answer, done, refused }] of [...this.pending]) {
      if (answer === undefined || message["match"] !== table.id) continue;
      this.pending.delete(id);
      if (isPlayed(table, message)) done();
      else refused(answer);
    }
  }

  private settle(id: number | null, how: (pending: Pending) => void): void {
    const pending = this.pending.get(id ?? -1);
    if (pending === undefined) return;
    this.pending.delete(id!);
    how(pending);
  }

  private changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}

/** Whether a password was said for what has not been seen yet: whoever said it waits for a word. */
function isAtTheDoor(table: Table | undefined): boolean {
  return table?.password !== undefined && table.match === null;
}

/** Whether a move that was refused is on the board, played from here. */
function isPlayed({ match, seat }: Table, { move, ply }: Record<string, unknown>): boolean {
  if (!match) return false;
  const setUp = match.situation.ply - match.moves.length;
  const played = match.moves[(ply as number) - setUp];
  return played !== undefined && played.move === move && (seat === null || played.seat === seat);
}
