/** The colours of the star: one hue for each zone, in its triangle and on its pieces. */
import { css } from "lit";

export const starStyle = css`
  :host {
    --zone-a: light-dark(#c0392b, #f0796b);
    --zone-b: light-dark(#a86400, #e5a33d);
    --zone-c: light-dark(#2f7d32, #74c377);
    --zone-d: light-dark(#1763b6, #6fb0f5);
    --zone-e: light-dark(#7a3ea8, #c491ee);
    --zone-f: light-dark(#0b7377, #4fc3c7);
    --letter: light-dark(#fff, #15171b);
  }
  .A {
    color: var(--zone-a);
  }
  .B {
    color: var(--zone-b);
  }
  .C {
    color: var(--zone-c);
  }
  .D {
    color: var(--zone-d);
  }
  .E {
    color: var(--zone-e);
  }
  .F {
    color: var(--zone-f);
  }
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
    stroke: var(--line);
    stroke-width: 0.3;
    stroke-linecap: round;
  }
  .piece circle {
    fill: currentcolor;
  }
  .piece text {
    fill: var(--letter);
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
