/** How the screens look: shared by every component, coloured by the page's variables. */
import { css } from "lit";

export const ui = css`
  :host {
    display: block;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd,
  fieldset {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h1 {
    font: 600 clamp(1.5rem, 1.2rem + 1.4vw, 2.1rem) / 1.15 var(--serif);
    letter-spacing: -0.01em;
  }
  h1:focus {
    outline: none;
  }
  h1 + p:has(> .button) {
    margin-top: 1rem;
  }
  h2 {
    font: 600 0.8125rem/1.4 var(--sans);
    letter-spacing: 0.06em;
    text-transform: uppercase;
    color: var(--soft);
  }
  h3 {
    font: 600 1.0625rem/1.3 var(--sans);
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.15em;
  }
  .soft {
    color: var(--soft);
  }
  .small {
    font-size: 0.875rem;
  }
  .card {
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    padding: 1rem;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4rem;
    min-height: 2.5rem;
    padding: 0.4rem 0.95rem;
    border: 1px solid var(--edge);
    border-radius: 0.625rem;
    background: var(--card);
    color: var(--ink);
    font: 550 0.9375rem/1.2 var(--sans);
    text-decoration: none;
    cursor: pointer;
  }
  button:hover:not(:disabled),
  .button:hover {
    background: var(--hover);
  }
  button.main,
  .button.main {
    border-color: transparent;
    background: var(--accent);
    color: var(--on-accent);
  }
  button.main:hover:not(:disabled),
  .button.main:hover {
    background: var(--accent-strong);
  }
  button.danger {
    color: var(--danger);
  }
  button.quiet {
    border-color: transparent;
    background: none;
  }
  button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  :is(button, a, input, select, summary, .button):focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  label {
    font-weight: 550;
  }
  input,
  select {
    min-height: 2.5rem;
    padding: 0.4rem 0.65rem;
    border: 1px solid var(--edge);
    border-radius: 0.625rem;
    background: var(--page);
    color: var(--ink);
    font: 1rem/1.2 var(--sans);
    max-width: 100%;
  }
  input:is([type="checkbox"], [type="radio"]) {
    min-height: 0;
    width: 1.15rem;
    height: 1.15rem;
    accent-color: var(--accent);
  }
  .badge {
    display: inline-block;
    padding: 0.1rem 0.5rem;
    border-radius: 1rem;
    background: var(--badge);
    color: var(--ink);
    font: 550 0.75rem/1.5 var(--sans);
    white-space: nowrap;
  }
  .alert {
    padding: 0.6rem 0.85rem;
    border-radius: 0.625rem;
    background: var(--alert);
    color: var(--ink);
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
`;
