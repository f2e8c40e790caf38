/**
 * One WebSocket for everything that happens, with any number of subscriptions.
 *
 * What is known is kept when the connection is cut. A new connection asks for what came after the
 * last version seen, and repeats the moves that were not yet answered: the server plays a move of
 * the same number once.
 */
import {
  Refused,
  UNREACHABLE,
  type Control,
  type Match,
  type Options,
  type Rematch,
} from "./api.ts";
import { Asking, type Message } from "./asking.ts";
import { Connection, LONGEST_WAIT, type Link } from "./connection.ts";
import { fold, type MatchEvent } from "./fold.ts";
import { turnOver, type Lobby } from "./lobby.ts";
import type { Answer } from "./messages.ts";
import { Search } from "./search.ts";
import { Table } from "./table.ts";

const LATER = ["limit", "unavailable"]; // refusals that pass

/** A match that begins for us; `after`, it is the rematch of that one. */
export interface Paired {
  match: string;
  after: string | null;
}

/** A match whose rematch, that we have offered from our seat there, does not come about. */
export interface Unpaired {
  match: Match;
  seat: number;
}

/**
 * Fires `change` when the link, the lobby or one's own seats change, `paired` with a `Paired`, and
 * `unpaired` with an `Unpaired` where we waited.
 */
export class Live extends EventTarget {
  lobby: Lobby | null = null;
  seats: readonly string[] = [];
  readonly search = new Search();
  /** What the operator has said last; empty when it has been read. */
  notice = "";

  private readonly connection: Connection;
  private readonly tables = new Map<string, Table>();
  private readonly asking = new Asking((message) => this.connection.send(message));
  /** By match: how to follow no more where a rematch was offered, whatever is shown meanwhile. */
  private readonly offered = new Map<string, () => void>();
  private lobbyFollowers = 0;
  private lobbyLater: ReturnType<typeof setTimeout> | undefined;
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
      this.asking.decide(table);
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
    if (this.lobbyFollowers++ === 0) this.lobbyOrNot();
    return () => {
      if (--this.lobbyFollowers > 0) return;
      this.lobby = null;
      this.lobbyOrNot();
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
  async ask(message: Message, repeats = false): Promise<void> {
    if (!repeats && this.link !== "online")
      throw new Refused(UNREACHABLE, "The server cannot be reached just now.");
    return this.asking.ask(message, repeats);
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
    if (gone) this.asking.cut();
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

  /** Say, or say again, whether the lobby is followed. */
  private lobbyOrNot(): void {
    const type = this.lobbyFollowers > 0 ? "watch-lobby" : "unwatch-lobby";
    this.connection.send({ type });
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
    if (this.lobbyFollowers > 0) this.lobbyOrNot();
    this.asking.again();
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
        this.asking.done(answer.id);
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
        this.heardOfRematch(table, answer.match.rematch);
        table.match = answer.match;
        table.current = true;
        this.ahead = answer.now - Date.now();
        this.asking.decide(table);
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
        this.heardOfRematch(table, answer.rematch);
        if (table.match) table.match = { ...table.match, rematch: answer.rematch };
        break;
    }
    table.changed();
  }

  /** Whoever has waited for the next game is told that it is there, or does not come about. */
  private heardOfRematch({ id, match, seat }: Table, rematch: Rematch | null): void {
    if (!match) return;
    const next = rematch?.match ?? null;
    if (next !== null && match.rematch?.match !== next) {
      this.waitNoMore(id);
      if (seat !== null) this.paired({ match: next, after: id });
    } else if (seat !== null && this.offered.has(id) && hasOffered(match.rematch, seat)) {
      if (hasOffered(rematch, seat)) return;
      this.waitNoMore(id);
      this.fire<Unpaired>("unpaired", { match: { ...match, rematch }, seat });
    }
  }

  /** We sit at a match, as far as is known before it is watched. */
  sitsAt(match: string): void {
    if (!this.seats.includes(match)) this.seats = [...this.seats, match];
    this.changed();
  }

  private paired(detail: Paired): void {
    this.sitsAt(detail.match);
    this.fire("paired", detail);
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
    this.asking.decide(table);
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
    if (this.asking.refused(answer.id, reason, table)) return;
    if (answer.match !== null && LATER.includes(answer.refusal) && !isAtTheDoor(table)) {
      // So many boards came into sight, or went out of it, that the server asks for patience.
      setTimeout(() => this.watchOrNot(answer.match!), LONGEST_WAIT);
    } else if (table !== undefined) {
      // Also one that was watched before the cut: what is shown of it may long be untrue.
      this.asking.decide(table);
      table.match = null;
      table.refused = reason;
      table.changed();
    } else if (answer.id === null && answer.match === null && LATER.includes(answer.refusal)) {
      // What has no name is the lobby, or a ping, after which it does no harm to ask for it again.
      this.lobbyLater ??= setTimeout(() => {
        this.lobbyLater = undefined;
        this.lobbyOrNot();
      }, LONGEST_WAIT);
    }
  }

  private fire<Detail>(name: string, detail: Detail): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}

function hasOffered(rematch: Rematch | null, seat: number): boolean {
  return rematch !== null && rematch.offers.includes(seat);
}

/** Whether a password was said for what has not been seen yet: whoever said it waits for a word. */
function isAtTheDoor(table: Table | undefined): boolean {
  return table?.password !== undefined && table.match === null;
}
