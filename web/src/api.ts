/** The server's REST half, and the shape of what it says (docs/reference/web-api.md). */

import { oneTabAtATime } from "./one-tab.ts";

export type Status = "open" | "live" | "suspended" | "over" | "aborted";

export interface Clock {
  left: number[];
  periods: number[];
  running: number | null;
  since: number;
  spent: number;
}

export interface Situation {
  status: Status;
  turn: number | null;
  ply: number;
  clock: Clock | null;
  deadline: number | null;
  pause: "restart" | "absence" | "vacancy" | null;
  pause_until: number | null;
}

export interface Player {
  name: string;
  protocol: string;
  ready: boolean;
  away_since: number | null;
  grace: number;
}

export interface Seat {
  name: string;
  player: Player | null;
}

export type Cells = string[][];
export type Changes = Record<string, number | null>;

export interface Move {
  seat: number;
  move: string;
  at: number;
  set: Changes | null;
}

export interface Forfeit {
  seat: number;
  cause: string;
  detail: string;
  after_moves: number;
  at: number;
  set: Changes | null;
}

export interface Outcome {
  ranking: number[][];
  causes: string[];
  scores: number[];
}

export interface Control {
  turn: number;
  total: number;
  increment: number;
  period: number;
  periods: number;
}

export type Options = Record<string, string | number | boolean>;

export interface Rematch {
  offers: number[];
  match: string | null;
  /** Why there are fewer offers than there were. */
  ended: { seat: number; cause: "withdrawn" | "declined" | "left" } | null;
}

export interface Match {
  id: string;
  version: number;
  game: string;
  options: Options;
  room: string;
  visibility: "public" | "hidden";
  locked: boolean;
  control: Control;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  situation: Situation;
  seats: Seat[];
  start: Cells | null;
  board: Cells | null;
  captured: number[] | null;
  moves: Move[];
  forfeits: Forfeit[];
  outcome: Outcome | null;
  abort: { cause: string; detail: string } | null;
  rematch: Rematch | null;
  diagram: string | null;
}

export interface Listing {
  id: string;
  game: string;
  options: Options;
  room: string;
  status: Status;
  visibility: "public" | "hidden";
  locked: boolean;
  created_at: number;
  ended_at: number;
  capacity: number;
  players: { seat: number; name: string; protocol: string }[];
  outcome: Outcome | null;
  forfeits: { seat: number; cause: string }[];
  abort: string | null;
  abort_detail: string;
}

export interface Field {
  type?: string;
  title?: string;
  description?: string;
  default?: string | number | boolean;
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  /** What the choices are called, by their values. */
  labels?: Record<string, string>;
  step?: number;
  /** Whether most people leave it as it is. */
  unusual?: boolean;
}

export interface GameInfo {
  name: string;
  title: string;
  seating: "fixed" | "at-start";
  players: number[];
  seats: string[];
  options: { properties?: Record<string, Field> };
}

export interface ProtocolInfo {
  name: string;
  host: string;
  port: number;
  games: string[];
  tls: boolean;
}

export interface NewTable {
  game: string;
  options: Options;
  control: Partial<Control>;
  visibility: "public" | "hidden";
  room?: string;
  password?: string;
  seat?: number | null;
}

/** A rule said no: `refusal` is for programs, the message is a sentence for people. */
export class Refused extends Error {
  constructor(
    readonly refusal: string,
    /** The message as the server wrote it, with a small letter first. */
    readonly detail: string,
  ) {
    super(detail.charAt(0).toUpperCase() + detail.slice(1));
  }
}

/** Why a request had no answer at all. */
export const UNREACHABLE = "unreachable";

const PATIENCE = 8_000; // ms; where the network swallows packets, nothing else ends a request

export class Api {
  name = "";
  private token = "";

  /** Become a guest, or learn who one is. */
  async me(): Promise<string> {
    const ask = () => this.ask<{ name: string; token: string }>("/api/me");
    // Tabs opened together would become several guests: the others wait for the first one's cookie.
    const { name, token } = await (this.token ? ask() : oneTabAtATime("parlour-guest", ask));
    this.token = token;
    return (this.name = name);
  }

  async rename(name: string): Promise<string> {
    const me = await this.ask<{ name: string; token: string }>(
      "/api/me",
      this.writing("PUT", { name }),
    );
    this.token = me.token;
    return (this.name = me.name);
  }

  async games(): Promise<GameInfo[]> {
    return (await this.ask<{ games: GameInfo[] }>("/api/games")).games;
  }

  async protocols(): Promise<ProtocolInfo[]> {
    return (await this.ask<{ protocols: ProtocolInfo[] }>("/api/protocols")).protocols;
  }

  matches(query: Record<string, string>): Promise<{ matches: Listing[]; total: number }> {
    return this.ask(`/api/matches?${new URLSearchParams(query)}`);
  }

  match(id: string): Promise<Match> {
    return this.ask(`/api/matches/${encodeURIComponent(id)}`);
  }

  async open(table: NewTable): Promise<string> {
    return (await this.ask<{ id: string }>("/api/matches", this.writing("POST", table))).id;
  }

  /** The record of a match as a file; a table with a password gives it for that only. */
  async record(id: string, kind: "json" | "sgf", password?: string): Promise<Blob> {
    const headers = password ? { "X-Table-Password": encodeURIComponent(password) } : {};
    return (
      await this.fetch(`/api/matches/${encodeURIComponent(id)}/record.${kind}`, { headers })
    ).blob();
  }

  private writing(method: string, body: object): RequestInit {
    return {
      method,
      headers: { "Content-Type": "application/json", "X-CSRF-Token": this.token },
      body: JSON.stringify(body),
    };
  }

  private async ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    return (await (await this.fetch(path, init)).json()) as T;
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path, { ...init, signal: AbortSignal.timeout(PATIENCE) });
    } catch {
      throw new Refused(UNREACHABLE, "The server cannot be reached.");
    }
    if (response.ok) return response;
    const body: unknown = await response.json().catch(() => null);
    const { refusal, detail } = (body ?? {}) as { refusal?: string; detail?: string };
    throw new Refused(refusal ?? UNREACHABLE, detail ?? `The server answered ${response.status}.`);
  }
}
