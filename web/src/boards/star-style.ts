/** How the star looks. */
import { css, unsafeCSS } from "lit";
import { LETTER_COLOUR, ZONE_COLOURS } from "./zone-colours.ts";

const ZONES = unsafeCSS(
  Object.entries(ZONE_COLOURS)
    .map(([zone, colour]) => `.${zone} { color: ${colour}; }`)
    .join(" "),
);

export const starStyle = css`
  ${ZONES}
  .zone {
    fill: currentcolor;
    stroke: currentcolor;
    stroke-width: 1.02;
    stroke-linejoin: round;
    opacity: 0.16;
  }
  .zone.unused {
    opacity: 0.07;
  }
  .zone.goal {
    opacity: 0.3;
  }
  .letter {
    fill: var(--soft);
    font-size: 0.55px;
    text-anchor: middle;
    dominant-baseline: central;
  }
  .holes {
    fill: none;
    stroke: var(--board-hole, light-dark(#968d7b, #6a7079));
    stroke-width: 0.3;
    stroke-linecap: round;
  }
  .piece circle {
    fill: currentcolor;
  }
  .piece text {
    fill: ${unsafeCSS(LETTER_COLOUR)};
    font-size: 0.46px;
    font-weight: 650;
    text-anchor: middle;
    dominant-baseline: central;
  }
  .lifted {
    opacity: 0.3;
  }
  .way {
    fill: none;
    stroke: var(--ink);
    stroke-width: 0.09;
    stroke-linejoin: round;
    stroke-linecap: round;
    stroke-dasharray: 0.02 0.19;
    opacity: 0.75;
  }
  .way.path {
    stroke-dasharray: none;
  }
  .stops {
    fill: none;
    stroke: var(--ink);
    stroke-width: 0.24;
    stroke-linecap: round;
    opacity: 0.75;
  }
  .ring {
    fill: none;
    stroke: var(--ink);
    stroke-width: 0.08;
  }
  .ring.picked {
    stroke: var(--accent);
    stroke-width: 0.12;
  }
  .target {
    fill: var(--accent);
    opacity: 0.55;
  }
  .under {
    padding-top: 0.35rem;
    text-align: center;
  }
  .under button {
    min-height: 2.5rem;
    padding: 0.4rem 0.95rem;
    border: 1px solid var(--line);
    border-radius: 0.625rem;
    background: var(--field);
    color: var(--ink);
    font: inherit;
    cursor: pointer;
  }
  .under button:focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  .target.near {
    fill: none;
    stroke: var(--accent);
    stroke-width: 0.1;
    opacity: 1;
  }
`;
