/** What is known of one match that is watched. */
import type { Match, Refused } from "./api.ts";
import type { MatchEvent } from "./fold.ts";

export interface ChatLine {
  name: string;
  seat: number | null;
  protocol: string;
  text: string;
  at: number;
}

/** One watched match. Fires `change`, and `events` with `detail` the events that happened. */
export class Table extends EventTarget {
  match: Match | null = null;
  /** Whether `match` is what the server says now, and not what it said before a cut. */
  current = false;
  seat: number | null = null;
  watchers = 0;
  chat: ChatLine[] = [];
  /** Why it cannot be watched. */
  refused: Refused | null = null;
  password: string | undefined;
  followers = 0;
  /** How many of the followers show a small picture only. */
  private previews = 0;

  constructor(readonly id: string) {
    super();
  }

  /** Whether it is followed for small pictures only. */
  get preview(): boolean {
    return this.followers > 0 && this.followers === this.previews;
  }

  /** Count one follower more or less. Whether the server must hear of it, if any is left. */
  count(by: 1 | -1, preview: boolean): boolean {
    const [followed, before] = [this.followers > 0, this.preview];
    this.followers += by;
    if (preview) this.previews += by;
    return !followed || before !== this.preview;
  }

  changed(events: readonly MatchEvent[] = []): void {
    if (events.length > 0) this.dispatchEvent(new CustomEvent("events", { detail: events }));
    this.dispatchEvent(new Event("change"));
  }
}
