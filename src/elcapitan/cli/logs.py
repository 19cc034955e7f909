"""What a server tells whoever runs it: plain lines, or one JSON object for each line."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final, TextIO

QUIET: Final = "quiet"  # only what went wrong
PLAIN: Final = "plain"
JSON: Final = "json"
FORMS: Final = (QUIET, PLAIN, JSON)
OURS: Final = "elcapitan"
EASILY_UPSET: Final = ("python_multipart", "uvicorn.error")  # any broken request is worth a warning to them


class Objects(logging.Formatter):
    """A line is a JSON object: when, how bad, who, what, and the facts that were given along."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        content: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            content["traceback"] = self.formatException(record.exc_info)
        return json.dumps(content, ensure_ascii=False, default=str)


class Lines(logging.Formatter):
    """A line for people; facts stand behind the sentence."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%d %H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as logging calls it
        """One line."""
        facts = getattr(record, "facts", {})
        known = {"method", "route", "status"}  # these are the sentence
        behind = " ".join(f"{name}={value}" for name, value in facts.items() if name not in known)
        line = " ".join(filter(None, (super().formatMessage(record), behind)))
        return "".join(letter if letter.isprintable() else "?" for letter in line)


def set_up(form: str, stream: TextIO | None = None) -> logging.Handler:
    """Let everything that is logged go to one place, in one form."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Objects() if form == JSON else Lines())
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)  # others may tell what they work on, addresses and all
    logging.getLogger(OURS).setLevel(logging.WARNING if form == QUIET else logging.INFO)
    for name in EASILY_UPSET:
        logging.getLogger(name).setLevel(logging.ERROR)
    return handler
