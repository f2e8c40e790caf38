/** A text that changes with time, by itself, so that nothing around it is drawn again. */
import { LitElement, type TemplateResult, html } from "lit";
import { customElement, property } from "lit/decorators.js";

const OFTEN = 250; // ms

@customElement("time-left")
export class TimeLeft extends LitElement {
  @property({ attribute: false }) read: () => string = () => "";
  private beat: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.beat = setInterval(() => this.requestUpdate(), OFTEN);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.beat);
  }

  protected override render(): TemplateResult {
    return html`${this.read()}`;
  }
}
