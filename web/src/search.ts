/** What one looks for, through cuts and restarts: the server forgets it, the page does not. */
import type { Control, Options } from "./api.ts";
import type { Seek } from "./lobby.ts";

type Asked = { type: "seek"; game: string; options: Options; control: Partial<Control> };

export class Search {
  /** What is looked for. */
  seeking: Seek | null = null;
  /** What was looked for until the connection was lost, and is no more. */
  lapsed: Asked | null = null;
  /** Whether the search was begun anew after a restart of the server. */
  renewed = false;

  private epoch = "";
  private control: Partial<Control> = {};

  /** The message that begins a search. */
  begin(game: string, options: Options, control: Partial<Control>): Asked {
    this.lapsed = null;
    this.renewed = false;
    this.control = control;
    return { type: "seek", game, options, control };
  }

  /** The server says what it looks for on our behalf. */
  told(seek: Seek | null): void {
    this.seeking = seek;
    if (seek === null) this.renewed = false;
    else this.lapsed = null;
  }

  /** Whoever is offered to search again would rather not. */
  forget(): void {
    this.lapsed = null;
  }

  /**
   * There is a new connection. What is to be sent again: a search that a restart has ended. One that
   * has ended without a restart may have been stopped by us in another tab.
   */
  welcomed(epoch: string, seeking: Seek | null, paired: boolean): Asked | null {
    const lost = this.seeking;
    const restarted = this.epoch !== "" && epoch !== this.epoch;
    this.epoch = epoch;
    this.told(seeking);
    if (lost === null || seeking !== null || paired) return null;
    const { control } = this;
    const again: Asked = { type: "seek", game: lost.game, options: lost.options, control };
    if (!restarted) {
      this.lapsed = again;
      return null;
    }
    this.told(lost);
    this.renewed = true;
    return again;
  }

  /** What was sent again is refused. */
  refused(again: Asked): void {
    this.told(null);
    this.lapsed = again;
  }
}
