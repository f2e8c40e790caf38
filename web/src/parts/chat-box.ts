/** What is said at a table. */
import { LitElement, css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { UNREACHABLE, type Refused } from "../api.ts";
import type { ChatLine } from "../table.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";
import { protocolName } from "./telling.ts";

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
  /** Says something to the others. Rejects with `Refused`. */
  @property({ attribute: false }) say!: (text: string) => Promise<void>;
  /** Why nothing can be said; empty when it can. */
  @property() deaf = "";
  /** Why what stands in the box was not sent. */
  @state() private unsent = "";

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
    return html`<form @submit=${this.send}>
        <label class="for-ears" for="text">${words.table.say}</label>
        <input id="text" maxlength="500" autocomplete="off" placeholder=${words.table.say} />
        <button>${words.table.send}</button>
      </form>
      <div role="alert">
        ${this.unsent ? html`<p class="alert small">${this.unsent}</p>` : ""}
      </div>`;
  }

  /** What cannot be sent stays in the box. */
  private async send(event: Event): Promise<void> {
    event.preventDefault();
    const input = this.renderRoot.querySelector("input")!;
    const { value } = input;
    this.unsent = "";
    if (!value.trim()) return;
    input.value = "";
    try {
      await this.say(value.trim());
    } catch (error) {
      const { refusal, message } = error as Refused;
      input.value ||= value;
      this.unsent =
        refusal === UNREACHABLE ? words.table.notSentOffline : words.table.notSent(message);
    }
  }
}
