/** Opens a table: a form made of the game's own options, its time, and who may come. */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import {
  UNREACHABLE,
  type Api,
  type Control,
  type Field,
  type GameInfo,
  type NewTable,
  type Options,
  type Refused,
} from "../api.ts";
import type { Live } from "../live.ts";
import { nowhere } from "../parts/nowhere.ts";
import { Returning } from "../parts/returning.ts";
import { go, pathTo } from "../router.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";
import { newTableStyle } from "./new-table-style.ts";

type Time = keyof typeof words.create.times;

/** The numbers that each kind of time asks for: name, label, least, most, at first. */
const TIMES: Record<
  Time,
  [name: string, label: string, least: number, most: number, first: number][]
> = {
  none: [],
  turn: [["turn", words.create.perMove, 5, 86_400, 60]],
  total: [
    ["total", words.create.minutes, 1, 1_440, 10],
    ["increment", words.create.increment, 0, 600, 5],
  ],
  periods: [
    ["total", words.create.minutes, 0, 1_440, 10],
    ["periods", words.create.periods, 1, 100, 5],
    ["period", words.create.period, 5, 3_600, 30],
  ],
};
const UNITS: Record<string, number> = {
  turn: 1000,
  total: 60_000,
  increment: 1000,
  period: 1000,
  periods: 1,
};

/** The element that says more of an option. */
function note(id: string, { description }: Field): string | typeof nothing {
  return description ? `${id}-note` : nothing;
}

@customElement("new-table-screen")
export class NewTableScreen extends LitElement {
  static override styles = [ui, newTableStyle];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) live!: Live;
  @property() game = "";
  @state() private info: GameInfo | null | undefined;
  @state() private time: Time = "none";
  @state() private who: "public" | "hidden" | "locked" = "public";
  @state() private problem: Refused | null = null;
  @state() private busy = false;

  constructor() {
    super();
    new Returning(this, () => this.returned());
  }

  private returned(): void {
    if (this.problem?.refusal !== UNREACHABLE) return;
    this.problem = null;
    if (this.info === undefined) void this.load();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("game")) void this.load();
  }

  private async load(): Promise<void> {
    try {
      this.info = (await this.api.games()).find(({ name }) => name === this.game) ?? null;
    } catch (error) {
      this.problem = error as Refused;
    }
  }

  protected override render(): TemplateResult {
    const { info } = this;
    if (info === null) return nowhere(words.notFound);
    if (info === undefined)
      return html`<p class="soft">${this.problem?.message ?? words.loading}</p>`;
    return html`<h1>${words.create.title(info.title)}</h1>
      <form @submit=${this.submit} @invalid=${this.onInvalid}>
        ${this.drawRules(info)} ${this.drawTime()} ${this.drawWho(info)} ${this.drawMore(info)}
        <div role="alert">
          ${this.problem ? html`<p class="alert">${this.problemText(this.problem)}</p>` : ""}
        </div>
        <div><button class="main" ?disabled=${this.busy}>${words.create.open}</button></div>
      </form>`;
  }

  /** A field that is wrong must be seen. */
  private readonly onInvalid = {
    handleEvent: (event: Event) => {
      const more = (event.target as HTMLElement).closest("details");
      if (more) more.open = true;
    },
    capture: true,
  };

  private fields(unusual: boolean): [name: string, field: Field][] {
    const all = Object.entries(this.info?.options.properties ?? {});
    return all.filter(([, field]) => (field.unusual ?? false) === unusual);
  }

  private drawRules({ name }: GameInfo): TemplateResult {
    return html`<fieldset>
      <legend><h2>${words.create.rules}</h2></legend>
      <p class="soft small">${words.gameNotes[name] ?? ""}</p>
      ${this.fields(false).map(([option, field]) => this.drawOption(option, field))}
    </fieldset>`;
  }

  /** What most people never need to look at. */
  private drawMore({ seating }: GameInfo): TemplateResult | string {
    const unusual = this.fields(true);
    const hasRoom = seating === "at-start" && this.who !== "locked";
    if (unusual.length === 0 && !hasRoom) return "";
    return html`<details>
      <summary>${words.create.more}</summary>
      <div class="more">
        ${unusual.map(([option, field]) => this.drawOption(option, field))}
        ${hasRoom ? this.drawRoom() : ""}
      </div>
    </details>`;
  }

  private drawOption(name: string, field: Field): TemplateResult {
    const id = `option-${name}`;
    const help = field.description
      ? html`<p class="soft small" id="${id}-note">${field.description}.</p>`
      : "";
    if (field.type === "boolean")
      return html`<div class="field">
        <label class="choice">
          <input
            name=${id}
            type="checkbox"
            ?checked=${field.default === true}
            aria-describedby=${note(id, field)}
          />
          ${field.title ?? name}</label
        >${help}
      </div>`;
    return html`<div class="field">
      <label for=${id}>${field.title ?? name}</label>${this.drawControl(id, field)}${help}
    </div>`;
  }

  private drawControl(id: string, field: Field): TemplateResult {
    const labels = field.labels ?? {};
    const choices = field.enum?.map(String) ?? Object.keys(labels);
    if (choices.length === 0)
      return html`<input
        id=${id}
        name=${id}
        type="number"
        required
        min=${field.minimum ?? nothing}
        max=${field.maximum ?? nothing}
        step=${field.step ?? nothing}
        aria-describedby=${note(id, field)}
        .defaultValue=${String(field.default ?? "")}
      />`;
    return html`<select id=${id} name=${id} aria-describedby=${note(id, field)}>
      ${choices.map(
        (choice) =>
          html`<option value=${choice} ?selected=${choice === String(field.default)}>
            ${labels[choice] ?? choice}
          </option>`,
      )}
    </select>`;
  }

  private drawTime(): TemplateResult {
    return html`<fieldset>
      <legend><h2>${words.create.time}</h2></legend>
      <div class="field">
        <label class="for-ears" for="time">${words.create.time}</label>
        <select
          id="time"
          aria-describedby="time-note"
          @change=${(event: Event) => (this.time = (event.target as HTMLSelectElement).value as Time)}
        >
          ${Object.entries(words.create.times).map(
            ([time, label]) =>
              html`<option value=${time} ?selected=${time === this.time}>${label}</option>`,
          )}
        </select>
        <p class="soft small" id="time-note">${words.create.timeNotes[this.time]}</p>
      </div>
      ${TIMES[this.time].map(
        ([name, label, least, most, first]) =>
          html`<div class="field">
            <label for=${name}>${label}</label>
            <input
              id=${name}
              name=${name}
              type="number"
              required
              min=${least}
              max=${most}
              .defaultValue=${String(first)}
            />
          </div>`,
      )}
    </fieldset>`;
  }

  private drawWho({ seating, seats }: GameInfo): TemplateResult {
    return html`<fieldset>
      <legend><h2>${words.create.who}</h2></legend>
      ${(["public", "hidden", "locked"] as const).map(
        (who) =>
          html`<label class="choice"
            ><input
              type="radio"
              name="who"
              value=${who}
              .checked=${who === this.who}
              @change=${() => (this.who = who)}
            />
            ${words.create[who]}</label
          >`,
      )}
      ${
        this.who === "locked"
          ? html`<div class="field">
              <label for="password">${words.create.password}</label>
              <input
                id="password"
                name="password"
                type="password"
                required
                maxlength="100"
                autocomplete="new-password"
              />
            </div>`
          : ""
      }
      ${seating === "fixed" ? this.drawSeats(seats) : ""}
    </fieldset>`;
  }

  private drawRoom(): TemplateResult {
    return html`<div class="field">
      <label for="room">${words.create.room}</label>
      <input
        id="room"
        name="room"
        type="text"
        maxlength="64"
        autocomplete="off"
        aria-describedby="room-note"
      />
      <p class="soft small" id="room-note">${words.create.roomNote}</p>
    </div>`;
  }

  private drawSeats(seats: readonly string[]): TemplateResult {
    return html`<div class="field">
      <label for="seat">${words.create.seat}</label>
      <select id="seat" name="seat">
        <option value="">${words.create.anySeat}</option>
        ${seats.map((name, seat) => html`<option value=${seat}>${words.seatNames[name] ?? name}</option>`)}
      </select>
    </div>`;
  }

  /** Why the table was not opened; the server begins with the name of the option. */
  private problemText({ detail, message }: Refused): string {
    const [name = ""] = /^\w+(?= is )/.exec(detail) ?? [];
    const title = this.info?.options.properties?.[name]?.title;
    return title ? `“${title}”${detail.slice(name.length)}` : message;
  }

  /** What the form says, as the server wants it. */
  private tableOf(form: FormData): NewTable {
    const options: Options = {};
    for (const [name, field] of Object.entries(this.info!.options.properties ?? {})) {
      const value = form.get(`option-${name}`);
      const text = field.enum ? typeof field.enum[0] === "string" : false;
      if (field.type === "boolean") options[name] = value !== null;
      else options[name] = text ? String(value) : Number(value);
    }
    const control: Partial<Control> = {};
    for (const [name] of TIMES[this.time]) {
      control[name as keyof Control] = Number(form.get(name)) * UNITS[name]!;
    }
    const [seat, room] = [form.get("seat"), String(form.get("room") ?? "").trim()];
    return {
      game: this.game,
      options,
      control,
      visibility: this.who === "hidden" ? "hidden" : "public",
      ...(this.who === "locked" && { password: String(form.get("password")) }),
      ...(room && { room }),
      seat: seat ? Number(seat) : null,
    };
  }

  private async submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    this.problem = null;
    this.busy = true;
    try {
      const form = new FormData(event.target as HTMLFormElement);
      const match = await this.api.open(this.tableOf(form));
      this.live.sitsAt(match);
      go(pathTo.match(match));
    } catch (error) {
      this.problem = error as Refused;
    } finally {
      this.busy = false;
    }
  }
}
