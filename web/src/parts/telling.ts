/** Matches, seats and results in words. */
import type { Control, Listing, Match, Outcome } from "../api.ts";
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

/** What a match and a listing say of an end. */
interface Ended {
  outcome: Outcome | null;
  forfeits: readonly Lost[];
  players: number;
  name: (seat: number) => string;
  /** The seat of whoever reads it. */
  own: number | null;
}

/** How a match ended, in one sentence; empty while it has not. */
export function resultText(match: Match, own: number | null = null): string {
  const { outcome, forfeits, abort, seats } = match;
  if (abort) return abortText(abort.cause, abort.detail);
  return endText({
    outcome,
    forfeits,
    players: seats.length,
    name: (seat) => seatTitle(match, seat),
    own,
  });
}

/** How a listed match ended, in one sentence; empty while it has not. */
export function listedResult({
  outcome,
  forfeits,
  abort,
  abort_detail: detail,
  players,
}: Listing): string {
  if (abort !== null) return abortText(abort, detail);
  const name = (seat: number) => players.find((one) => one.seat === seat)?.name ?? "";
  return endText({ outcome, forfeits, players: players.length, name, own: null });
}

/** Other details than an operator's reason only say again what the cause says. */
function abortText(cause: string, detail: string): string {
  const { aborted, abortCauses, noReason } = words.table;
  const said = `${aborted}: ${abortCauses[cause] ?? cause}`;
  const reason = cause === "operator" && detail !== noReason ? detail : "";
  return reason ? `${said}: ${reason}` : said;
}

/** Who offers a rematch or wants none, told to who sits at `own`. */
export function rematchText(match: Match, own: number): string {
  if (match.rematch === null) return "";
  const { offers, ended } = match.rematch;
  const { offerEnded, ownOfferEnded, offered, offers: offer } = words.table;
  const said: string[] = [];
  if (ended !== null)
    said.push(
      ended.seat === own
        ? ownOfferEnded[ended.cause]
        : offerEnded[ended.cause](seatTitle(match, ended.seat)),
    );
  if (offers.includes(own)) said.push(offered);
  else if (offers.length > 0)
    said.push(offer(offers.map((other) => seatTitle(match, other)).join(", ")));
  return said.join(" ");
}

function endText({ outcome, forfeits, players, name, own }: Ended): string {
  if (!outcome) return "";
  const lost = forfeits.map((one) => lostText(one, name));
  const [first = []] = outcome.ranking;
  if (players > 2 && outcome.ranking.length > 1) {
    const places = outcome.ranking.map((group) => group.map(name).join(" = "));
    const said = words.outcome.places(
      places.map((who, place) => `${place + 1}. ${who}`).join(", "),
    );
    return [said, ...lost].join(". ");
  }
  const cause = outcome.causes[first[0] ?? 0] ?? "";
  const why = words.outcome.causes[cause] ?? "";
  const scores =
    outcome.scores.length > 0 ? ` ${words.outcome.score(outcome.scores.join(" : "))}` : "";
  if (first.length > 1) return words.outcome.draw(why) + scores;
  const who = name(first[0]!);
  const last = lost.at(-1);
  const { wins, winsAs, youWin, youWinAs } = words.outcome;
  const won = first[0] === own;
  if (cause === "last-standing" && last) return won ? youWinAs(last) : winsAs(who, last);
  return (won ? youWin(why) : wins(who, why)) + scores;
}

interface Lost {
  seat: number;
  cause: string;
}

/** How somebody lost their seat. */
function lostText({ seat, cause }: Lost, name: (seat: number) => string): string {
  return words.forfeits[cause]?.(name(seat)) ?? cause;
}

function forfeitText(match: Match, lost: Lost): string {
  return lostText(lost, (seat) => seatTitle(match, seat));
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
export function eventText(match: Match, event: MatchEvent, own: number | null): string {
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
      return resultText(match, own);
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
