"""What several tests of the service need."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from elcapitan.service.bot_pool import BotPool


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every question is answered here, because it takes a while to start a process; the questions."""
    questions: list[object] = []

    async def ask(_self: BotPool, answer: Callable[[Any], Any], asking: Any, _priority: int = 0) -> Any:
        questions.append(asking)
        await asyncio.sleep(0)
        return answer(asking)

    monkeypatch.setattr(BotPool, "ask", ask)
    return questions
