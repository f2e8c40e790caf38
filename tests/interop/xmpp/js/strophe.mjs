// A client on strophe.js: strophe.mjs SERVICE DOMAIN [USER PASSWORD]
// Stanzas to send come on standard input, one a line; what happens goes out as JSON, one a line.
import { createInterface } from "node:readline";
import { DOMParser } from "@xmldom/xmldom";
import { Strophe } from "strophe.js";

const [service, domain, username, password] = process.argv.slice(2);
const connection = new Strophe.Connection(service);
const tell = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

const names = Object.fromEntries(Object.entries(Strophe.Status).map(([name, code]) => [code, name]));
connection.connect(username ? `${username}@${domain}` : domain, password ?? "", (status, reason) => {
  if (status === Strophe.Status.CONNECTED) {
    connection.addHandler((stanza) => {
      tell({ stanza: Strophe.serialize(stanza) });
      return true;
    });
    tell({ online: connection.jid });
  } else if (status === Strophe.Status.DISCONNECTED) {
    process.exit();
  } else if (/FAIL|ERROR/.test(names[status])) {
    tell({ error: `${names[status]} ${reason}` });
  }
});

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => connection.send(new DOMParser().parseFromString(line, "text/xml").documentElement));
lines.on("close", () => {
  connection.disconnect("");
  setTimeout(process.exit, 1000).unref();
});
