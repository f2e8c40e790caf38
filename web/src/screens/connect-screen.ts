/** Where programs connect: each protocol's address, and five lines that begin a game. */
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Api, ProtocolInfo, Refused } from "../api.ts";
import type { Live } from "../live.ts";
import { Returning } from "../parts/returning.ts";
import { gameName, protocolName } from "../parts/telling.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";

/**
 * Lines of text are typed into `nc`, which needs no program at all; integers take Python, which
 * needs no library for them. The tests run each of them.
 */
const EXAMPLES: Record<string, (host: string, port: number) => string> = {
  textbook: (host, port) => `import socket, struct
server = socket.create_connection(("${host}", ${port}))
print("player, another:", struct.unpack("!ii", server.recv(8, socket.MSG_WAITALL)))
server.sendall(struct.pack("!ii", 1, 1))  # row and column, from 0
print("4 (go on), row, column:", struct.unpack("!iii", server.recv(12)))`,
  nedap: (host, port) => `nc ${host} ${port}
PLAYER alice
GO 9
MOVE 4 4`,
  ruc: (host, port) => `nc ${host} ${port}
{"op": 200000, "data1": "garden", "data2": "alice"}
{"op": 200004}
{"op": 200007, "data1": "A", "data2": "-4 5 -4 4"}`,
  xmpp: (host, port) => `nc ${host} ${port}
${STREAM}
<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>
${STREAM}
<iq type='set' id='1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq><presence to='garden@games.localhost/alice'><game xmlns='http://jabber.org/protocol/mug' var='http://jabber.org/protocol/mug/tictactoe'/></presence>`,
};
const STREAM =
  "<stream:stream to='anonymous.localhost' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>";
const LOOPBACK = /^(localhost|127\..*|\[?::1\]?)$/;

@customElement("connect-screen")
export class ConnectScreen extends LitElement {
  static override styles = [
    ui,
    css`
      ul {
        display: grid;
        gap: 1rem;
        margin-top: 1.25rem;
      }
      li {
        min-width: 0;
      }
      h2 {
        font: 600 1.25rem/1.3 var(--serif);
        letter-spacing: 0;
        text-transform: none;
        color: var(--ink);
      }
      pre {
        margin: 0.75rem 0 0;
        padding: 0.75rem 0.9rem;
        overflow-x: auto;
        border-radius: 0.625rem;
        background: var(--badge);
        font:
          0.8125rem/1.55 ui-monospace,
          "Cascadia Mono",
          Menlo,
          Consolas,
          monospace;
      }
      code {
        font:
          0.9375rem ui-monospace,
          "Cascadia Mono",
          Menlo,
          Consolas,
          monospace;
      }
      p.intro,
      li p {
        max-width: 40rem;
      }
      li .small {
        margin-top: 0.5rem;
      }
    `,
  ];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) live!: Live;
  @state() private protocols: readonly ProtocolInfo[] | null = null;
  @state() private problem: Refused | null = null;

  constructor() {
    super();
    // A server that was restarted may have other doors.
    new Returning(
      this,
      () => this.live,
      () => void this.load(),
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      const all = await this.api.protocols();
      this.protocols = all.filter(({ name }) => name !== "web");
      this.problem = null;
    } catch (error) {
      this.problem = error as Refused;
    }
  }

  protected override render(): TemplateResult {
    const { protocols } = this;
    return html`<h1>${words.connect.title}</h1>
      <p class="soft intro">${words.connect.intro}</p>
      <p role="status">
        ${this.problem?.message ?? (protocols?.length === 0 ? words.connect.none : "")}
      </p>
      <ul>
        ${(protocols ?? []).map((protocol) => this.drawProtocol(protocol))}
      </ul>`;
  }

  private drawProtocol({ name, host, port, games }: ProtocolInfo): TemplateResult {
    const everywhere = ["0.0.0.0", "::", ""].includes(host);
    const reached = (everywhere ? location.hostname : host).replace(/[[\]]/g, "");
    const near = LOOPBACK.test(reached) && !LOOPBACK.test(location.hostname);
    const example = EXAMPLES[name]?.(reached, port);
    return html`<li class="card">
      <h2>${words.connect.titles[name] ?? protocolName(name)}</h2>
      <p>
        ${words.connect.address}:
        <code>${reached.includes(":") ? `[${reached}]` : reached}:${port}</code>
      </p>
      ${near ? html`<p class="alert small">${words.connect.near}</p>` : ""}
      <p class="soft">${words.connect.games}: ${games.map(gameName).join(", ")}</p>
      ${
        example
          ? html`<p class="small">${words.connect.notes[name] ?? ""}</p>
              <pre tabindex="0" aria-label=${words.connect.example(protocolName(name))}>
${example}</pre>`
          : ""
      }
    </li>`;
  }
}
