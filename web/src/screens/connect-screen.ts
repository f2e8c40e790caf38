/** Where programs connect: each protocol's address, and five lines that begin a game. */
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Api, ProtocolInfo, Refused } from "../api.ts";
import { gameName, protocolName } from "../parts/telling.ts";
import { ui } from "../ui.ts";
import { words } from "../words.ts";

/** Python, because it is everywhere and needs no library for lines and integers. */
const EXAMPLES: Record<string, (host: string, port: number) => string> = {
  textbook: (host, port) => `import socket, struct
server = socket.create_connection(("${host}", ${port}))
print("you are player", struct.unpack("!i", server.recv(4))[0])
print("start signal", struct.unpack("!i", server.recv(4))[0])  # player 1 only
server.sendall(struct.pack("!ii", 1, 1))  # row and column, from 0`,
  nedap: (host, port) => `import socket
server = socket.create_connection(("${host}", ${port})).makefile("rw")
print("PLAYER alice", "GO 9", sep="\\n", file=server, flush=True)
print(server.readline())  # WAITING, or READY with a colour
print("MOVE 4 4", file=server, flush=True)  # column and row, from 0`,
  ruc: (host, port) => `import json, socket
server = socket.create_connection(("${host}", ${port})).makefile("rw")
for op, room, name in [(200000, "garden", "alice"), (200004, "", "")]:  # join, be ready
    print(json.dumps({"op": op, "data1": room, "data2": name}), file=server, flush=True)
for line in server: print(json.loads(line))`,
  // Any XMPP client has a console to write stanzas in; a library takes a page, not five lines.
  xmpp: () => `<!-- as a guest of anonymous.localhost, or with an account on localhost -->
<presence to="garden@games.localhost/alice"> <!-- come in: make a room -->
  <game xmlns="http://jabber.org/protocol/mug"
        var="http://jabber.org/protocol/mug/tictactoe"/>
</presence>`,
};

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
      p.intro {
        max-width: 40rem;
      }
    `,
  ];

  @property({ attribute: false }) api!: Api;
  @state() private protocols: readonly ProtocolInfo[] | null = null;
  @state() private problem: Refused | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      const all = await this.api.protocols();
      this.protocols = all.filter(({ name }) => name !== "web");
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
    const reached = ["0.0.0.0", "::", ""].includes(host) ? location.hostname : host;
    const example = EXAMPLES[name]?.(reached, port);
    return html`<li class="card">
      <h2>${protocolName(name)}</h2>
      <p>${words.connect.address}: <code>${reached}:${port}</code></p>
      <p class="soft">${words.connect.games}: ${games.map(gameName).join(", ")}</p>
      ${example ? html`<pre tabindex="0" aria-label=${protocolName(name)}>${example}</pre>` : ""}
    </li>`;
  }
}
