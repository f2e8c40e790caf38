/** The page: one API, one connection, and the shell that shows the screens. */
import "./app.ts";
import "./page.css";
import { Api } from "./api.ts";
import type { ParlourApp } from "./app.ts";
import { Live } from "./live.ts";

const api = new Api();
const address = new URL("/api/live", location.href);
address.protocol = address.protocol.replace("http", "ws");
const live = new Live(
  () => new WebSocket(address),
  () => api.me(),
);

const app: ParlourApp = document.createElement("parlour-app");
app.api = api;
app.live = live;
document.body.append(app);
live.start();
