/** Tells a screen when the connection is there, to ask again for what the server could not give. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Live } from "../live.ts";

export class Returning implements ReactiveController {
  private online = false;
  private live: Live | null = null;
  private readonly onChange = () => {
    const before = this.online;
    this.online = this.live?.link === "online";
    if (this.online && !before) this.returned();
  };

  constructor(
    private readonly host: ReactiveControllerHost & { live: Live },
    private readonly returned: () => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.live = this.host.live;
    this.online = this.live.link === "online";
    this.live.addEventListener("change", this.onChange);
  }

  hostDisconnected(): void {
    this.live?.removeEventListener("change", this.onChange);
  }
}
