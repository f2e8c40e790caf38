"""A real process of the server with a Prosody of its own."""

from pathlib import Path

from tests.cli.servers import Server
from tests.interop.xmpp.servers import free_ports


class XmppParlour(Server):
    """A server with XMPP on; its ports are free ones, `xmpp` are more lines of its settings."""

    def __init__(
        self, data: Path, *options: str, doors: tuple[str, ...] = ("textbook",), xmpp: str = ""
    ) -> None:
        data.mkdir(exist_ok=True)
        self.clients, self.http = free_ports(2)
        settings = data / "parlour.toml"
        settings.write_text(f"[xmpp]\nclients = {self.clients}\nhttp = {self.http}\n{xmpp}\n")
        super().__init__(data, "--config", str(settings), *options, doors=doors)
        assert self.process.stdout is not None
        self.greeting.append(self.process.stdout.readline().rstrip("\n"))
