"""`parlour serve`: run the server until it is told to stop."""

import argparse
import asyncio
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

from parlour.cli import _output
from parlour.cli._address import ConfigError
from parlour.cli._called import called
from parlour.cli._config import PROTOCOLS, Config, dump, load
from parlour.cli._data import DataDirectory
from parlour.cli._errors import CommandError
from parlour.cli._garbage import collect_in_pauses, collect_seldom, give_large_blocks_back
from parlour.cli._log import set_up_log
from parlour.cli._service import Listening, Service, running
from parlour.host import StoreError

NARROWEST = 9  # characters of a protocol's name in the greeting
EVERYWHERE = ("0.0.0.0", "::")
FILES_WANTED = 65_536  # one descriptor per connection
# The writer thread needs the interpreter for moments only, but several times a commit; Python's
# own 5 ms would make everybody who waits for the commit wait that long each time.
SWITCH_INTERVAL = 0.0005  # seconds

# How the settings of [xmpp] that have an option are called there, and what they look like.
XMPP_OPTIONS = {
    "xmpp": ("server", "managed|component:HOST:PORT|off", "which XMPP server has the rooms"),
    "xmpp-domain": ("domain", "DOMAIN", "where rooms are: ROOM@DOMAIN"),
    "xmpp-secret-file": ("secret_file", "FILE", "what the XMPP server knows the component by"),
}


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `parlour serve`."""
    parser = commands.add_parser("serve", help="run the server")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings in TOML")
    parser.add_argument("--data", metavar="DIR", help="where the log is kept")
    parser.add_argument("--log", choices=("text", "json"), help="how log lines look")
    for name in PROTOCOLS:
        parser.add_argument(f"--{name}", metavar="HOST:PORT|off", help=f"where {name} listens")
        parser.add_argument(
            f"--{name}-tls", metavar="HOST:PORT|off", help=f"where {name} listens over TLS (off)"
        )
    parser.add_argument("--tls-cert", metavar="FILE", help="the certificate chain, in PEM")
    parser.add_argument("--tls-key", metavar="FILE", help="its key, where not in the same file")
    for option, (setting, shape, meaning) in XMPP_OPTIONS.items():
        parser.add_argument(f"--{option}", dest=f"xmpp_{setting}", metavar=shape, help=meaning)
    parser.add_argument("--print-config", action="store_true", help="print all settings and end")
    parser.set_defaults(run=serve)


def serve(arguments: argparse.Namespace) -> int:
    """Run until SIGTERM or SIGINT, or until the terminal closes that it was started from.

    Raises:
        CommandError: a setting, the data directory or an address cannot be used.
    """
    try:
        config = load(arguments.config, _overrides(arguments))
        if arguments.print_config:
            print(dump(config))
            return 0
        hangup = Hangup()
        _raise_file_limit()
        give_large_blocks_back()
        collect_seldom()
        sys.setswitchinterval(SWITCH_INTERVAL)
        with closing(set_up_log(config.log)) as log, DataDirectory(Path(config.data)) as data:
            if _run(_serve(config, data.log, hangup)).hung:
                log.close()
                os._exit(1)  # threads that wait for the disk would keep the process
    except (ConfigError, StoreError) as error:
        raise CommandError(str(error)) from None
    return 0


def _overrides(arguments: argparse.Namespace) -> dict[str, Any]:
    """The settings that the command line gives, nested like the file."""
    names = {name: (name, "listen") for name in PROTOCOLS}
    names |= {f"{name}_tls": (name, "tls") for name in PROTOCOLS}
    names |= {"tls_cert": ("tls", "cert"), "tls_key": ("tls", "key")}
    names |= {f"xmpp_{setting}": ("xmpp", setting) for setting, _, _ in XMPP_OPTIONS.values()}
    overrides: dict[str, Any] = {
        name: value for name in ("data", "log") if (value := getattr(arguments, name)) is not None
    }
    for name, (table, setting) in names.items():
        value = getattr(arguments, name)
        if value is not None:
            overrides.setdefault(table, {})[setting] = value
    return overrides


def _run(work: Coroutine[Any, Any, Service]) -> Service:
    """On uvloop where it is installed; asyncio's own loop does the same, a little slower."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)


async def _serve(config: Config, log: Path, hangup: "Hangup") -> Service:
    stop = asyncio.Event()
    _on_signals(stop.set)
    collecting = asyncio.create_task(collect_in_pauses())
    try:
        async with running(config, log, stop.set) as service:
            hangup.lead_to(service.renew, stop.set)
            if not stop.is_set():
                greeting = _greeting(service, config)
                threading.Thread(target=_say, args=(greeting,), daemon=True).start()
            await stop.wait()
    finally:
        collecting.cancel()
    return service


def _say(greeting: str) -> None:
    """Who plays does not depend on whether anybody reads it, and the loop does not wait for it."""
    try:
        out = sys.stdout
        if out is not None:
            _output.write(out.fileno(), f"{greeting}\n".encode(out.encoding, "backslashreplace"))
    except OSError as error:
        _output.forget()
        logging.getLogger("parlour").warning("cannot say where it serves: %s", error.strerror)


def _on_signals(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(name, stop)
        except NotImplementedError:  # Windows
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop))


class Hangup:
    """SIGHUP: somebody asks to renew, or the terminal closes that the server speaks to.

    One that comes while the server starts is heard when it has.
    """

    def __init__(self) -> None:
        self._terminals = [descriptor for descriptor in (1, 2) if os.isatty(descriptor)]
        self._came = False
        if hasattr(signal, "SIGHUP"):  # Windows has none
            if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # by nohup: it is to live on
                self._terminals = []
            signal.signal(signal.SIGHUP, self._note)

    def _note(self, *_: object) -> None:
        self._came = True

    def lead_to(self, renew: Callable[[], None], stop: Callable[[], None]) -> None:
        """From now on, and for one that has come, do the one or the other."""

        def hear() -> None:
            gone = self._terminals and not any(map(os.isatty, self._terminals))
            (stop if gone else renew)()

        if hasattr(signal, "SIGHUP"):
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, hear)
        if self._came:
            hear()


def _greeting(service: Service, config: Config) -> str:
    lines = [f"Parlour keeps its log in {Path(config.data).absolute()}"]
    width = max((NARROWEST, *map(len, service.listening)))
    lines += [line(name, at, width) for name, at in service.listening.items()]
    if service.xmpp is not None:
        lines.append(f"{'xmpp':{width}} {service.xmpp.greeting()}")
    return "\n".join(lines)


def line(name: str, listening: Listening, width: int) -> str:
    """Where one protocol is served, and what to try there."""
    host, port, hint = listening
    at = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    # No certificate is for every address.
    there = f"localhost:{port}" if name.endswith("-tls") and host in EVERYWHERE else at
    hint = hint.format(parlour=called(), address=there, host=host, port=port)
    return f"{name:{width}} {at:21} try: {hint}"


def _raise_file_limit() -> None:
    """Thousands of connections need as many descriptors; the usual soft limit is 1024."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, FILES_WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
