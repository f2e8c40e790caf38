// Multi-User Gaming for strophe.js: a plugin, and one Room for each table.
//
//   const room = connection.mug.room("garden@games.localhost", "tictactoe");
//   room.on("created", () => ...);             // the room is new, ours, and waits for its configuration
//   room.on("role", (nick, role) => ...);      // somebody has it now; "none" who has it no more
//   room.on("state", (state) => ...);          // { status, next, won, draw }
//   room.on("cell", (row, col, mark) => ...);  // of every cell, from 1, with each state of a match
//   room.on("news", (text) => ...);            // what is so in words, and why something was refused
//
// What a room says and hears is in docs/reference/mug.md.
(() => {
  const MUG = "http://jabber.org/protocol/mug", USER = `${MUG}#user`, OWNER = `${MUG}#owner`;
  const PING = "urn:xmpp:ping", STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas";
  const ROLES = { tictactoe: ["x", "o"] };
  const AGAIN = 60_000; // ms between two returns: of too many clients of one user each puts out another

  class Room {
    constructor(connection, address, game) {
      Object.assign(this, { connection, address, game: `${MUG}/${game}`, all: ROLES[game], nick: "", password: "", returned: 0 });
      this.roles = {}; // by nickname; who is not here looks on
      this.state = { status: "", next: "", won: "", draw: false };
      this.board = {}; // marks by "row,col"
      this.listeners = {};
      const options = { matchBareFromJid: true };
      const handle = (stanza) => { this.heard(stanza); return true; };
      connection.addHandler(handle, null, null, null, null, address, options);
    }

    on(event, listener) { this.listeners[event] = listener; }
    tell(event, ...what) { this.listeners[event]?.(...what); }

    // What one can do

    enter(nick, password = "") {
      clearTimeout(this.returning);
      Object.assign(this, { nick, password });
      const presence = $pres({ to: `${this.address}/${nick}` }).c("game", { xmlns: MUG, var: this.game });
      this.connection.send(password ? presence.c("password").t(password) : presence);
    }

    leave() {
      clearTimeout(this.returning);
      this.connection.send($pres({ to: `${this.address}/${this.nick}`, type: "unavailable" }));
    }

    takeRole(role) {
      this.connection.send($pres({ to: this.address }).c("game", { xmlns: MUG }).c("item", { role }));
    }

    start() { this.connection.send($msg({ to: this.address }).c("start", { xmlns: USER })); }

    // The room with its defaults; settled when it is open.
    configure() {
      const query = $iq({ to: this.address, type: "set" }).c("query", { xmlns: OWNER })
        .c("options").c("x", { xmlns: "jabber:x:data", type: "submit" });
      return new Promise((done, failed) => this.connection.sendIQ(query, done, failed));
    }

    // A mark in that row from the top and column from the left, both from 1, if it can be made.
    move(row, col) {
      const { status, next } = this.state;
      if (status !== "active" || next !== this.roles[this.nick] || this.board[`${row},${col}`]) return;
      const id = Object.keys(this.board).length + 1;
      this.connection.send($msg({ to: this.address, type: "chat" }).c("turn", { xmlns: USER })
        .c("move", { xmlns: this.game, id, row, col }));
    }

    // What one hears

    heard(stanza) {
      const type = stanza.getAttribute("type");
      if (type === "error") this.refused(stanza.querySelector("error"));
      else if (stanza.localName === "iq" && (type === "get" || type === "set")) this.asked(stanza);
      else if (stanza.localName === "presence") this.present(stanza);
    }

    // Rooms ask whether one is there; strophe.js leaves the answer to whoever handles all that they say.
    asked(iq) {
      const known = iq.getAttribute("type") === "get" && iq.firstElementChild?.namespaceURI === PING;
      const answer = $iq({ to: iq.getAttribute("from"), id: iq.getAttribute("id"), type: known ? "result" : "error" });
      this.connection.send(known ? answer
        : answer.c("error", { type: "cancel" }).c("service-unavailable", { xmlns: STANZAS }));
    }

    // The room took us for lost. Who is put out, or leaves, or whose room is gone, is not told so.
    lost() {
      this.tell("news", "the room believed that you were gone");
      clearTimeout(this.returning);
      this.returning = setTimeout(() => this.comeBack(), Math.max(0, this.returned + AGAIN - Date.now()));
    }

    comeBack() {
      if (!this.connection.connected) return; // whoever connects again enters as well
      const role = this.roles[this.nick];
      Object.assign(this, { returned: Date.now(), roles: {} });
      this.enter(this.nick, this.password);
      if (role) this.takeRole(role); // kept while a match is paused, but not before it has begun
    }

    refused(error) {
      this.tell("news", error?.querySelector("text")?.textContent ?? error?.firstElementChild?.localName ?? "refused");
      // A start while a role is free: it is offered to other protocols, and the match begins with them.
      if (error?.querySelector("not-allowed")) this.waiting();
    }

    present(presence) {
      const nick = Strophe.getResourceFromJid(presence.getAttribute("from"));
      const gone = presence.getAttribute("type") === "unavailable";
      if (!nick) return gone ? this.tell("news", presence.textContent) : this.changed(presence);
      if (gone && nick === this.nick && presence.querySelector('x > status[code="333"]')) return this.lost();
      const item = presence.querySelector("item"), role = item?.getAttribute("role") ?? "none";
      const renamed = item?.getAttribute("nick");
      const was = this.roles[nick] ?? "none";
      delete this.roles[nick];
      if (renamed && nick === this.nick) this.nick = renamed;
      if (!gone && role !== "none") this.roles[renamed ?? nick] = role;
      if (was !== role) this.tell("role", renamed ?? nick, role);
      if (was !== role) this.waiting();
    }

    changed(presence) {
      const said = (name) => presence.querySelector(name)?.textContent ?? "";
      const draw = presence.querySelector("draw") !== null;
      this.state = { status: said("game > status"), next: said("next"), won: said("won"), draw };
      if (this.state.status === "created") return this.tell("created");
      // With a result comes the empty board of the next round; the one before it has been told.
      if (!this.state.won && !draw) this.drawn(presence.querySelector("state"));
      this.tell("state", this.state);
      this.tell("news", this.words());
    }

    words() {
      const { status, next, won, draw } = this.state;
      if (won) return `${won} has won`;
      return draw ? "a draw" : next ? `${status}, next is ${next}` : status;
    }

    waiting() {
      const { status, won, draw } = this.state;
      if (status !== "inactive" || won || draw) return; // a result is not talked over
      const mine = this.roles[this.nick], held = Object.values(this.roles);
      const free = this.all.filter((role) => !held.includes(role));
      if (mine && free.length) this.tell("news", `you play ${mine}; waiting for somebody to play ${free.join(" and ")}`);
    }

    drawn(state) {
      const place = (field) => `${field.getAttribute("row")},${field.getAttribute("col")}`;
      this.board = Object.fromEntries([...state.querySelectorAll("field")].map((field) => [place(field), field.textContent]));
      for (let row = 1; row <= state.querySelector("rows").textContent; row += 1)
        for (let col = 1; col <= state.querySelector("cols").textContent; col += 1)
          this.tell("cell", row, col, this.board[`${row},${col}`] ?? "");
    }
  }

  Strophe.addConnectionPlugin("mug", {
    init(connection) { this.connection = connection; },
    room(address, game) { return new Room(this.connection, address, game); },
  });
})();
