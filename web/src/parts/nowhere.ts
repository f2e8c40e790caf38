/** A screen for an address with nothing behind it, and the way back. */
import { html, type TemplateResult } from "lit";
import { words } from "../words.ts";

export function nowhere(text: string): TemplateResult {
  return html`<h1>${text}</h1>
    <p><a class="button" href="/">${words.toLobby}</a></p>`;
}
