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
  const ROLES = { tictactoe: ["x", "o"] };

  class Room {
    constructor(connection, address, game) {
      Object.assign(this, { connection, address, game: `${MUG}/${game}`, all: ROLES[game], nick: "" });
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
      this.nick = nick;
      const presence = $pres({ to: `${this.address}/${nick}` }).c("game", { xmlns: MUG, var: this.game });
      this.connection.send(password ? presence.c("password").t(password) : presence);
    }

    leave() { this.connection.send($pres({ to: `${this.address}/${this.nick}`, type: "unavailable" })); }

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
      if (stanza.getAttribute("type") === "error") this.refused(stanza.querySelector("error"));
      else if (stanza.localName === "presence") this.present(stanza);
    }

    refused(error) {
      this.tell("news", error?.querySelector("text")?.textContent ?? error?.firstElementChild?.localName ?? "refused");
      // A start while a role is free: it is offered to other protocols, and the match begins with them.
      if (error?.querySelector("not-allowed")) this.waiting();
    }

    present(presence) {
      const nick = Strophe.getResourceFromJid(presence.getAttribute("from"));
      if (!nick) return this.changed(presence);
      const gone = presence.getAttribute("type") === "unavailable";
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
