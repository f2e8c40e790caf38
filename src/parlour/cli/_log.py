"""Log lines for people or for programs, on standard error."""

import json
import logging
import re
from typing import Literal

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


def set_up_log(form: Literal["text", "json"]) -> None:
    """Send everything from INFO up to standard error."""
    handler = logging.StreamHandler()
    if form == "json":
        handler.setFormatter(JsonFormatter())
    else:
        handler.setFormatter(TextFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # It says at INFO what the component says in an operator's words.
    logging.getLogger("slixmpp").setLevel(logging.WARNING)


def _escaped(found: re.Match[str]) -> str:
    """As Python writes it; a codec would be loaded now, when there may be no file left for it."""
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
