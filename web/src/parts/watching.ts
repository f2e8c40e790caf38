/** Keeps a component up to date with one watched match, from connected to disconnected. */
import type { LitElement, ReactiveController } from "lit";
import type { MatchEvent } from "../fold.ts";
import type { Live } from "../live.ts";
import type { Table } from "../table.ts";

export class Watching implements ReactiveController {
  table: Table | null = null;
  private stop: (() => void) | null = null;

  constructor(
    private readonly host: LitElement,
    private readonly happened: (events: readonly MatchEvent[]) => void = () => {},
    /** Whether the component is a small picture of the match beside others. */
    private readonly preview = false,
  ) {
    host.addController(this);
  }

  /** Watch another match, or the same one. */
  follow(live: Live, id: string): void {
    if (this.table?.id === id && this.stop !== null) return;
    this.hostDisconnected();
    const [table, unwatch] = live.watch(id, this.preview);
    const changed = () => this.host.requestUpdate();
    const events = (event: Event) =>
      this.happened((event as CustomEvent<readonly MatchEvent[]>).detail);
    table.addEventListener("change", changed);
    table.addEventListener("events", events);
    this.table = table;
    this.stop = () => {
      table.removeEventListener("change", changed);
      table.removeEventListener("events", events);
      unwatch();
    };
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = null;
  }
}
