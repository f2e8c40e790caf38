"""Log lines for people or for programs, on standard error, whether or not anybody reads them."""

import json
import logging
import queue
import re
import sys
import threading
from typing import Literal

from parlour.cli._counting import counted
from parlour.cli._output import forget, write

STANDARD_ERROR = 2
WAITING_MOST = 10_000  # lines, some megabytes; of a reader that pauses for seconds nothing is lost
LAST_WORDS = 0.5  # seconds at the end for a reader that reads; see `CLOSING` of the service

UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class TextFormatter(logging.Formatter):
    """One line for each message, whatever a stranger has made us quote."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = UNSHOWN.sub(_escaped, record.message)
        return super().formatMessage(record)


class JsonFormatter(logging.Formatter):
    """One JSON object per line: time in seconds since the Unix epoch, level, logger, message."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return json.dumps(fields)


class Unhurried(logging.Handler):
    """Writes to a descriptor in a thread of its own: the server waits for nobody who reads it.

    A line that comes while too many wait is left out, and counted where it would stand.
    """

    def __init__(self, descriptor: int, encoding: str) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._encoding = encoding
        self._left_out = 0
        self._closed = False
        # A line, or the end, behind so many lines that were left out.
        self._waiting: queue.SimpleQueue[tuple[int, str | None]] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="parlour-log", daemon=True)
        self._writer.start()

    def emit(self, record: logging.LogRecord) -> None:
        if self._waiting.qsize() >= WAITING_MOST:
            self._left_out += 1
            return
        try:
            line = self.format(record)
        except Exception:  # as every handler does
            self.handleError(record)
            return
        if self._closed:
            self._put(line)
        else:
            self._hand_over(line)

    def close(self) -> None:
        """Write what waits, but for nobody who does not read; what comes later is written at once.

        Where nobody reads, the rest goes nowhere, and what Python says at its end as well.
        """
        self.acquire()
        try:
            if self._closed:  # `logging` closes every handler once more at the end
                return
            self._closed = True
            self._hand_over(None)
        finally:
            self.release()
        self._writer.join(LAST_WORDS)
        if self._writer.is_alive():
            forget(self._descriptor)
        super().close()

    def _hand_over(self, line: str | None) -> None:
        self._waiting.put((self._left_out, line))
        self._left_out = 0

    # The thread

    def _write(self) -> None:
        missing = 0
        line: str | None = ""
        while line is not None:
            left_out, line = self._waiting.get()
            missing += left_out
            if missing and self._put(self._count_of(missing)):
                missing = 0
            if line is not None and (missing or not self._put(line)):
                missing += 1

    def _count_of(self, missing: int) -> str:
        words = f"{counted(missing, 'line')} missing here: standard error did not take them"
        return self.format(logging.LogRecord("parlour", logging.WARNING, "", 0, words, None, None))

    def _put(self, line: str) -> bool:
        try:
            write(self._descriptor, f"{line}\n".encode(self._encoding, "backslashreplace"))
        except OSError:  # nobody is there any more, or a disk is full
            return False
        return True


def set_up_log(form: Literal["text", "json"]) -> logging.Handler:
    """Send everything from INFO up to standard error; close what is returned at the end."""
    # None when a program closed it before it started us: the number may be another file's now.
    error = sys.__stderr__
    handler = logging.NullHandler() if error is None else Unhurried(STANDARD_ERROR, error.encoding)
    if form == "json":
        handler.setFormatter(JsonFormatter())
    else:
        handler.setFormatter(TextFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # It says at INFO what the component says in an operator's words.
    logging.getLogger("slixmpp").setLevel(logging.WARNING)
    return handler


def _escaped(found: re.Match[str]) -> str:
    """As Python writes it; a codec would be loaded now, when there may be no file left for it."""
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
