"""What is said at a table: how long a line may be, and how many somebody may say in a minute."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from elcapitan.errors import BadLine
from elcapitan.service.plan import Plan, tidy
from elcapitan.store.shelf import Line

LONGEST: Final = 300  # characters
MOST: Final = 10  # lines of one seat within a while
WHILE: Final = timedelta(minutes=1)
KEPT: Final = 100  # lines in memory: enough to count those of a minute
SHOWN: Final = 50


def checked(plan: Plan, said: Sequence[Line], seat: int | None, text: str, now: datetime) -> Line:
    """A line that can be said now, after these."""
    if not plan.chat:
        raise BadLine("no-chat")
    if len(text) > 2 * LONGEST or len(line := tidy(text, 2 * LONGEST)) > LONGEST:
        raise BadLine("line-too-long", most=LONGEST)
    if not line:
        raise BadLine("empty-line")
    if sum(each.seat == seat and now - each.at < WHILE for each in said) >= MOST:
        raise BadLine("too-many-lines")
    return Line(0, now, seat, line)
