/** Matches, seats and results in words. */
import type { Control, Listing, Match } from "../api.ts";
import type { MatchEvent } from "../fold.ts";
import { words } from "../words.ts";

const DEAF = ["ruc", "textbook"]; // protocols that have no words for chat

export function gameName(game: string): string {
  return (words.games as Record<string, string>)[game] ?? game;
}

export function protocolName(protocol: string): string {
  return words.protocols[protocol] ?? protocol;
}

/** The player's name, else the seat's. */
export function seatTitle(match: Match, seat: number): string {
  const { player, name } = match.seats[seat] ?? { player: null, name: "" };
  return player?.name || name || words.table.free;
}

export function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number: number) => String(number).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export function controlText({ turn, total, increment, periods, period }: Control): string {
  const said = [];
  if (turn) said.push(words.table.aMove(duration(turn)));
  if (total) said.push(duration(total) + (increment ? ` + ${increment / 1000} s` : ""));
  if (periods && period) said.push(`${periods} × ${duration(period)}`);
  return said.join(", ");
}

/** What a seat's clock shows; empty when there is no limit. */
export function timeText(match: Match, seat: number, now: number): string {
  const { clock, deadline, turn } = match.situation;
  if (clock === null) return turn === seat && deadline !== null ? duration(deadline - now) : "";
  const running = clock.running === seat;
  const left = (clock.left[seat] ?? 0) - (running ? now - clock.since + clock.spent : 0);
  const [periods, period] = [clock.periods[seat] ?? 0, match.control.period];
  if (left > 0 || periods === 0 || period === 0) return duration(left);
  const over = -left;
  const kept = Math.max(0, periods - Math.floor(over / period));
  return `${duration(period - (over % period))} (${kept})`;
}

/** How a match ended, in one sentence; empty while it has not. */
export function resultText(match: Match): string {
  const { outcome, abort } = match;
  if (abort) {
    const why = words.table.abortCauses[abort.cause] ?? abort.detail;
    return `${words.table.aborted}: ${why}`;
  }
  if (!outcome) return "";
  const forfeit = match.forfeits.at(-1);
  const [first = []] = outcome.ranking;
  const cause = outcome.causes[first[0] ?? 0] ?? "";
  let why = words.outcome.causes[cause] ?? "";
  if (cause === "last-standing" && forfeit) {
    why = `: ${forfeitText(match, forfeit)}`;
  }
  if (match.seats.length > 2 && outcome.ranking.length > 1) {
    const places = outcome.ranking.map((group) =>
      group.map((seat) => seatTitle(match, seat)).join(" = "),
    );
    const said = words.outcome.places(
      places.map((who, place) => `${place + 1}. ${who}`).join(", "),
    );
    return [said, ...match.forfeits.map((one) => forfeitText(match, one))].join(". ");
  }
  const scores =
    outcome.scores.length > 0 ? ` ${words.outcome.score(outcome.scores.join(" : "))}` : "";
  if (first.length > 1) return words.outcome.draw(why) + scores;
  return words.outcome.wins(seatTitle(match, first[0]!), why).replace(" :", ":") + scores;
}

/** How somebody lost their seat. */
function forfeitText(match: Match, { seat, cause }: { seat: number; cause: string }): string {
  return words.forfeits[cause]?.(seatTitle(match, seat)) ?? cause;
}

/** Who won, as a note beside a finished match; empty while it goes on. */
export function winnerText(match: Match): string {
  const { outcome, abort } = match;
  if (abort) return words.outcome.none;
  if (!outcome) return "";
  const [first = []] = outcome.ranking;
  if (outcome.ranking.length < 2) return words.outcome.drawn;
  return words.outcome.won(first.map((seat) => seatTitle(match, seat)).join(", "));
}

/**
 * What the board does not show of the last event: that somebody is out of a game that goes on, or
 * has passed, and when that does not end a game of Go, what would.
 */
export function newsText(match: Match): string {
  const { moves, forfeits, options, situation } = match;
  const [last, before] = [moves.at(-1), moves.at(-2)];
  if (situation.status !== "live") return "";
  const gone = forfeits.filter(({ after_moves: after }) => after === moves.length);
  if (gone.length > 0)
    return words.table.playOn(gone.map((one) => forfeitText(match, one)).join(", "));
  if (last?.move !== "pass") return "";
  const said = words.table.passed(words.stones[last.seat] ?? "");
  return options["end"] === "white-last" && before?.move === "pass"
    ? `${said} ${words.table.whiteLast}`
    : said;
}

/** How others find a table that waits for them. */
export function foundText({ visibility, locked }: Match): string {
  return words.table.found[locked ? "locked" : visibility];
}

/** An event in words; the board says moves itself. */
export function eventText(match: Match, event: MatchEvent): string {
  switch (event.type) {
    case "seat-taken":
    case "away":
    case "back":
      return words.happened[event.type](seatTitle(match, event.seat));
    case "seat-left":
      return words.happened["seat-left"](match.seats[event.seat]?.name || words.table.free);
    case "ready":
      return words.happened[event.ready ? "ready" : "unready"](seatTitle(match, event.seat));
    case "started":
    case "suspended":
    case "resumed":
      return words.happened[event.type];
    case "forfeited":
      return `${forfeitText(match, event)}. ${event.detail}`;
    case "ended":
    case "aborted":
      return resultText(match);
    case "move":
      return "";
  }
}

/** Why nobody could read what one says here; empty when somebody can, or may yet come. */
export function deafText({ seats }: Match, own: number | null, watchers: number): string {
  const others = seats.flatMap(({ player }, seat) => (player && seat !== own ? [player] : []));
  const onlookers = watchers - (own === null ? 1 : 0);
  if (onlookers > 0 || others.some(({ protocol }) => !DEAF.includes(protocol))) return "";
  const protocols = [...new Set(others.map(({ protocol }) => protocolName(protocol)))];
  return protocols.length === 0 ? "" : words.table.deaf(protocols.join(" and "));
}

/** How many may still sit down at a listed table. */
export function freeSeats(listing: Listing): number {
  return listing.capacity - listing.players.length;
}
