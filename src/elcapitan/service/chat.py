"""Chat: how long a line may be, and how many lines a seat may write in a minute."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from elcapitan.errors import BadLine
from elcapitan.service.settings import Plan, tidy
from elcapitan.store.game_store import ChatLine

LONGEST: Final = 300  # characters
MOST: Final = 10  # lines of one seat within a minute
WHILE: Final = timedelta(minutes=1)
KEPT: Final = 100  # lines in memory: enough to count those of a minute
SHOWN: Final = 50


def checked(plan: Plan, said: Sequence[ChatLine], seat: int | None, text: str, now: datetime) -> ChatLine:
    """Return a new line, which follows the lines `said`. Raises `BadLine` if it is not allowed."""
    if not plan.chat:
        raise BadLine("no-chat")
    if len(text) > 2 * LONGEST or len(line := tidy(text, 2 * LONGEST)) > LONGEST:
        raise BadLine("line-too-long", most=LONGEST)
    if not line:
        raise BadLine("empty-line")
    if sum(each.seat == seat and now - each.at < WHILE for each in said) >= MOST:
        raise BadLine("too-many-lines")
    return ChatLine(0, now, seat, line)
