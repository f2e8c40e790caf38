/** What is said at a table. */
import { LitElement, css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { ChatLine } from "../table.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";
import { protocolName } from "./telling.ts";

/** Fires `say` with `detail` the text. */
@customElement("chat-box")
export class ChatBox extends LitElement {
  static override styles = [
    ui,
    css`
      [role="log"] {
        max-height: 14rem;
        overflow-y: auto;
        overflow-wrap: anywhere;
        display: grid;
        gap: 0.3rem;
        padding: 0.25rem 0;
      }
      form {
        display: flex;
        gap: 0.5rem;
        margin-top: 0.5rem;
      }
      input {
        flex: 1;
        min-width: 0;
      }
    `,
  ];

  @property({ attribute: false }) lines: readonly ChatLine[] = [];
  /** Why nothing can be said; empty when it can. */
  @property() deaf = "";

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("lines")) return;
    const list = this.renderRoot.querySelector("[role=log]");
    if (list) list.scrollTop = list.scrollHeight;
  }

  protected override render(): TemplateResult {
    return html`<h2 id="title">${words.table.chat}</h2>
      <div role="log" aria-labelledby="title" tabindex="0">
        ${this.lines.length === 0 && !this.deaf ? html`<p class="soft small">${words.table.noChat}</p>` : ""}
        ${this.lines.map((line) => this.drawLine(line))}
      </div>
      ${this.deaf ? html`<p class="soft small">${this.deaf}</p>` : this.drawForm()}`;
  }

  private drawLine({ name, protocol, text }: ChatLine): TemplateResult {
    const who = name || words.table.server;
    const from =
      protocol && protocol !== "web"
        ? html` <span class="badge">${protocolName(protocol)}</span>`
        : "";
    return html`<p><strong>${who}</strong>${from} ${text}</p>`;
  }

  private drawForm(): TemplateResult {
    return html`<form @submit=${this.say}>
      <label class="for-ears" for="text">${words.table.say}</label>
      <input id="text" maxlength="500" autocomplete="off" placeholder=${words.table.say} />
      <button>${words.table.send}</button>
    </form>`;
  }

  private say(event: Event): void {
    event.preventDefault();
    const input = this.renderRoot.querySelector("input")!;
    const detail = input.value.trim();
    if (detail) this.dispatchEvent(new CustomEvent("say", { detail }));
    input.value = "";
  }
}
