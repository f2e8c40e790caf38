/** One WebSocket that is opened again whenever it is lost, and notices when nothing answers. */
import type { Answer } from "./messages.ts";

/** What a page may say about its connection. */
export type Link = "connecting" | "online" | "reconnecting" | "restarting";

/** Whoever the connection is for. */
export interface Hearer {
  heard(answer: Answer): void;
  /** The connection is gone, or the server has said that it soon will be. */
  cut(gone: boolean): void;
  /** The link has another state. */
  changed(): void;
}

const FIRST_WAIT = 250; // ms before the first new attempt; doubled up to the longest
export const LONGEST_WAIT = 5_000;
const PING_EVERY = 8_000;
const PATIENCE = 4_000; // ms without any answer after which the connection counts as cut

export class Connection {
  link: Link = "connecting";
  /** When the connection was lost; null while it stands. */
  lostAt: number | null = null;

  private socket: WebSocket | null = null;
  private attempts = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly hearer: Hearer,
    private readonly connect: () => WebSocket,
    /** Makes sure that the server knows who we are, before each connection. */
    private readonly introduce: () => Promise<unknown>,
  ) {}

  /** Connect, and stay connected from now on. */
  start(): void {
    globalThis.addEventListener?.("online", () => this.hurry());
    globalThis.addEventListener?.("offline", () => this.ping());
    globalThis.document?.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.hurry();
    });
    void this.open();
  }

  /** Send a message, if there is a connection. */
  send(message: Record<string, unknown>): void {
    if (this.link === "online") this.socket?.send(JSON.stringify(message));
  }

  private async open(): Promise<void> {
    clearTimeout(this.retry);
    this.retry = undefined;
    try {
      await this.introduce();
    } catch {
      this.again();
      return;
    }
    const socket = this.connect();
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.socket) this.heard(JSON.parse(data as string) as Answer);
    });
    socket.addEventListener("close", () => {
      if (socket === this.socket) this.lost();
    });
    this.expectAnswer();
  }

  private heard(answer: Answer): void {
    clearTimeout(this.silence);
    this.silence = undefined;
    if (answer.type === "restarting") {
      this.link = "restarting";
      this.lostAt = Date.now();
      this.hearer.cut(false);
    } else if (answer.type === "welcome") {
      if (answer.name === null) {
        // The cookie is not (or no longer) valid: introduce ourselves again.
        this.lost();
        return;
      }
      this.link = "online";
      this.lostAt = null;
      this.attempts = 0;
      this.pulse = setInterval(() => this.ping(), PING_EVERY);
    }
    this.hearer.heard(answer);
  }

  /** The connection is gone, or as good as gone. */
  private lost(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    clearInterval(this.pulse);
    clearTimeout(this.silence);
    this.silence = undefined;
    this.hearer.cut(true);
    this.again();
  }

  private again(): void {
    if (this.link === "online") {
      this.link = "reconnecting";
      this.lostAt = Date.now();
    }
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempts++);
    // A server that restarts must not meet all its pages in the same moment.
    this.retry = setTimeout(() => void this.open(), wait * (0.75 + Math.random() / 2));
    this.hearer.changed();
  }

  /** Try now what would be tried later, or make sure that the connection still stands. */
  private hurry(): void {
    this.attempts = 0;
    if (this.retry !== undefined) void this.open();
    else this.ping();
  }

  private ping(): void {
    if (this.link !== "online") return;
    this.send({ type: "ping", id: 0 });
    this.expectAnswer();
  }

  private expectAnswer(): void {
    this.silence ??= setTimeout(() => this.lost(), PATIENCE);
  }
}
