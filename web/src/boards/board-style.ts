/** How every board looks. Pages set the `--board-...` variables to change it. */
import { css } from "lit";

export const boardStyle = css`
  :host {
    display: block;
    color-scheme: inherit;
    --ink: var(--board-ink, light-dark(#2b2a27, #e9e6df));
    --soft: var(--board-soft, light-dark(#6d685f, #a9a49a));
    --accent: var(--board-accent, light-dark(#0b63ce, #7cb3ff));
    --field: var(--board-field, light-dark(#faf8f3, #24262b));
    --line: var(--board-line, light-dark(#c9c2b4, #474b54));
    font: 500 0.875rem/1.4 var(--board-font, system-ui, sans-serif);
    color: var(--ink);
  }
  .frame {
    position: relative;
    outline: none;
    border-radius: 0.75rem;
  }
  .frame:focus-visible {
    box-shadow: 0 0 0 3px var(--accent);
  }
  svg {
    display: block;
    width: 100%;
    height: auto;
    border-radius: 0.75rem;
    user-select: none;
    -webkit-user-select: none;
    -webkit-tap-highlight-color: transparent;
    touch-action: manipulation;
  }
  .cursor rect {
    fill: none;
    stroke: var(--accent);
    stroke-width: 3px;
    vector-effect: non-scaling-stroke;
    opacity: 0;
  }
  .frame:focus-visible .cursor rect {
    opacity: 1;
  }
  .caption,
  .said {
    min-height: 1.4em;
    text-align: center;
    font-variant-numeric: tabular-nums;
  }
  .caption {
    padding: 0.35rem 0.25rem 0;
    color: var(--soft);
  }
  .said {
    padding: 0 0.25rem;
  }
  :host([thumbnail]) svg {
    height: 100%;
  }
  kbd {
    font: inherit;
    color: var(--ink);
    padding: 0.05rem 0.5rem;
    border: 1px solid var(--line);
    border-radius: 0.35rem;
  }
  .for-ears {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: no-preference) {
    .fresh {
      animation: appear 0.16s ease-out;
    }
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
`;
