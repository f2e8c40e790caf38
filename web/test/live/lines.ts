import { afterEach, beforeEach, vi } from "vitest";
import { Live } from "../../src/live.ts";

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

export let lines: Line[];
export let live: Live;
export const line = () => lines.at(-1)!;

/** Give every test a live connection of its own, and a clock that only the test moves. */
export function withServer(): void {
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
}

/** Cut the connection and let the next one come about. */
export async function reconnect(): Promise<void> {
  line().cut();
  await vi.advanceTimersByTimeAsync(6_000);
  line().welcome();
}
