/** What the server says on the WebSocket (docs/reference/web-api.md, "You get"). */
import type { Match, Rematch } from "./api.ts";
import type { MatchEvent } from "./fold.ts";
import type { Lobby, LobbyChange, Seek } from "./lobby.ts";
import type { ChatLine } from "./table.ts";

export type Answer =
  | {
      type: "welcome";
      name: string | null;
      now: number;
      epoch: string;
      seats: string[];
      seeking: Seek | null;
    }
  | { type: "match"; match: Match; now: number }
  | { type: "events"; match: string; version: number; events: MatchEvent[] }
  | { type: "you"; match: string; version: number; seat: number | null }
  | { type: "watchers"; match: string; count: number }
  | { type: "chat"; match: string; lines: ChatLine[]; history: boolean }
  | { type: "rematch"; match: string; rematch: Rematch }
  | ({ type: "lobby"; version: number } & Lobby)
  | ({ type: "lobby-changed"; version: number } & LobbyChange)
  | { type: "waiting"; id: number; game: string }
  | { type: "paired"; match: string }
  | { type: "seeking"; seek: Seek | null }
  | { type: "done"; id: number | null; match: string | null }
  | { type: "refused"; id: number | null; match: string | null; refusal: string; detail: string }
  | { type: "pong"; id: number | null; now: number }
  | { type: "notice"; text: string }
  | { type: "restarting" };
