// A client on @xmpp/client: xmpp.mjs SERVICE DOMAIN [USER PASSWORD]
// Stanzas to send come on standard input, one a line; what happens goes out as JSON, one a line.
import { createInterface } from "node:readline";
import { client } from "@xmpp/client";
import parse from "@xmpp/xml/lib/parse.js";
import { WebSocket } from "ws";

globalThis.WebSocket ??= WebSocket; // node has its own from 22 on

const [service, domain, username, password] = process.argv.slice(2);
const xmpp = client({ service, domain, username, password });
const tell = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

xmpp.on("online", (address) => tell({ online: address.toString() }));
xmpp.on("stanza", (stanza) => tell({ stanza: stanza.toString() }));
xmpp.on("error", (error) => tell({ error: String(error) }));

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => xmpp.send(parse(line)));
lines.on("close", () => xmpp.stop().finally(() => process.exit()));
await xmpp.start();
