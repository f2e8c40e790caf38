/** What the server has been asked and has not answered yet. */
import { Refused, UNREACHABLE } from "./api.ts";
import type { Table } from "./table.ts";

export type Message = Record<string, unknown> & { type: string };

interface Pending {
  message: Message;
  /** Whether it may be sent again on another connection. */
  repeats: boolean;
  done: () => void;
  refused: (reason: Refused) => void;
  /** The server's answer to a move, kept until the board shows whether an earlier one arrived. */
  answer?: Refused;
}

export class Asking {
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;

  constructor(private readonly send: (message: Message) => void) {}

  /** Rejects with `Refused`. */
  ask(message: Message, repeats: boolean): Promise<void> {
    const id = ++this.lastId;
    return new Promise((done, refused) => {
      this.pending.set(id, { message: { ...message, id }, repeats, done, refused });
      this.send({ ...message, id });
    });
  }

  /** Ask again on a new connection. */
  again(): void {
    for (const { message } of this.pending.values()) this.send(message);
  }

  /** The connection was lost: what may not be sent again has no answer any more. */
  cut(): void {
    for (const [id, { repeats, refused }] of [...this.pending]) {
      if (repeats) continue;
      this.pending.delete(id);
      refused(new Refused(UNREACHABLE, "The connection was lost before the server answered."));
    }
  }

  done(id: number | null): void {
    this.settle(id, ({ done }) => done());
  }

  /** Whether the server's no, about that table or none, is the answer to something asked. */
  refused(id: number | null, reason: Refused, table: Table | undefined): boolean {
    const pending = this.pending.get(id ?? -1);
    if (pending === undefined) return false;
    if (pending.repeats && table !== undefined) {
      pending.answer = reason;
      if (table.current) this.decide(table);
    } else {
      this.settle(id, ({ refused }) => refused(reason));
    }
    return true;
  }

  /**
   * Settle the refused moves of a table of which is known now what was played. A move that was sent
   * twice is refused in many ways, as late, because the game is over or the server was restarted:
   * whether it was played is seen on the board alone.
   */
  decide(table: Table): void {
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
}

/** Whether a move that was refused is on the board, played from here. */
function isPlayed({ match, seat }: Table, { move, ply }: Message): boolean {
  if (!match) return false;
  const setUp = match.situation.ply - match.moves.length;
  const played = match.moves[(ply as number) - setUp];
  return played !== undefined && played.move === move && (seat === null || played.seat === seat);
}
