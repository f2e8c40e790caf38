/** Where programs connect: each protocol's address, and a few lines to begin with. */
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
const EXAMPLES: Record<string, (at: At) => string> = {
  textbook: (at) => `${socketTo(at)}
ear, free = server.makefile("rb"), [(row, column) for row in range(3) for column in range(3)]
hear = lambda: struct.unpack("!i", ear.read(4) or bytes(4))[0]  # 0: nobody is there any more
print("I am player", player := hear())
begins = player == 1 and hear()  # another has come
while begins or (status := hear()) == 4:  # the game goes on
    if not begins:
        free.remove((hear(), hear()))  # row and column, from 0
    server.sendall(struct.pack("!ii", *free.pop(0)))
    begins = False
print("Over:", {1: "player 1 wins", 2: "player 2 wins", 3: "a draw"}.get(status, "nobody wins"))`,
  nedap: (at) => `${lineTo(at)}
PLAYER alice
GO 9
MOVE 4 4`,
  ruc: (at) => `${lineTo(at)}
{"op": 200000, "data1": "garden", "data2": "alice"}
{"op": 200004}
{"op": 200007, "data1": "A", "data2": "-4 5 -4 4"}`,
  xmpp: (at) => `${lineTo(at)}
${STREAM}
<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>
${STREAM}
<iq type='set' id='1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq><presence to='garden@games.localhost/alice'><game xmlns='http://jabber.org/protocol/mug' var='http://jabber.org/protocol/mug/tictactoe'/></presence>`,
};
const STREAM =
  "<stream:stream to='anonymous.localhost' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>";
/** Where a program is to connect, as somebody at this page reaches it. */
interface At {
  host: string;
  port: number;
  tls: boolean;
}

function socketTo({ host, port, tls }: At): string {
  const plain = `socket.create_connection(("${host}", ${port}))`;
  return tls
    ? `import socket, ssl, struct
server = ${plain}
server = ssl.create_default_context().wrap_socket(server, server_hostname="${host}")`
    : `import socket, struct
server = ${plain}`;
}

function lineTo({ host, port, tls }: At): string {
  return tls ? `openssl s_client -quiet -connect ${place(host, port)}` : `nc ${host} ${port}`;
}

function place(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** An address that stands for all of the server's is reached where this page came from. */
function reached({ host, port, tls }: ProtocolInfo): At {
  const everywhere = ["0.0.0.0", "::", ""].includes(host);
  return { host: (everywhere ? location.hostname : host).replace(/[[\]]/g, ""), port, tls };
}

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
    new Returning(this, () => void this.load());
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
        ${[...new Set(protocols?.map(({ name }) => name))].map((name) => this.drawProtocol(name))}
      </ul>`;
  }

  private drawProtocol(name: string): TemplateResult {
    const doors = this.protocols!.filter((protocol) => protocol.name === name);
    const places = doors.map(reached);
    const near =
      places.some(({ host }) => LOOPBACK.test(host)) && !LOOPBACK.test(location.hostname);
    const at = places.find(({ tls }) => !tls) ?? places[0]!;
    const example = EXAMPLES[name]?.(at);
    return html`<li class="card">
      <h2>${words.connect.titles[name] ?? protocolName(name)}</h2>
      ${places.map(
        ({ host, port, tls }) =>
          html`<p>
            ${tls ? words.connect.tlsAddress : words.connect.address}:
            <code>${place(host, port)}</code>
          </p>`,
      )}
      ${near ? html`<p class="alert small">${words.connect.near}</p>` : ""}
      <p class="soft">${words.connect.games}: ${doors[0]!.games.map(gameName).join(", ")}</p>
      ${
        example
          ? html`<p class="small">
                ${words.connect.notes[name] ?? ""} ${at.tls ? words.connect.tlsExample : ""}
              </p>
              <pre tabindex="0" aria-label=${words.connect.example(protocolName(name))}>
${example}</pre>`
          : ""
      }
    </li>`;
  }
}
