/** The lobby as the server describes it, and how a change turns it over. */
import type { Control, Listing, Options } from "./api.ts";

export interface Seek {
  game: string;
  options: Options;
}

export interface WaitingSeek extends Seek {
  name: string;
  protocol: string;
  control: Control;
}

export interface Counts {
  open: number;
  live: number;
  seeking: number;
  online: Record<string, number>;
}

/** The lobby as far as it is known; null before the first word of it. */
export interface Lobby {
  open: Listing[];
  live: Listing[];
  seeks: WaitingSeek[];
  counts: Counts;
  /** Whether no game begins, because the server is about to stop. */
  draining: boolean;
}

/** What has changed since the last word of it; `seeks` is null when they are as before. */
export interface LobbyChange {
  put: Listing[];
  gone: string[];
  seeks: WaitingSeek[] | null;
  counts: Counts;
  draining: boolean;
}

export function turnOver(lobby: Lobby, { put, gone, seeks, counts, draining }: LobbyChange): Lobby {
  const replaced = new Set([...gone, ...put.map(({ id }) => id)]);
  const list = (old: Listing[], belongs: (one: Listing) => boolean) =>
    [...put.filter(belongs), ...old.filter(({ id }) => !replaced.has(id))].sort(
      (one, other) => other.created_at - one.created_at,
    );
  return {
    open: list(lobby.open, ({ status }) => status === "open"),
    live: list(lobby.live, ({ status }) => status === "live" || status === "suspended"),
    seeks: seeks ?? lobby.seeks,
    counts,
    draining,
  };
}
