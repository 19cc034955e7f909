"""Work beside something else ends with it, whatever it does not hear."""

import asyncio
import gc

import pytest

from elcapitan import background_tasks
from elcapitan.background_tasks import cancel_and_wait

TRIES = 3


class Deaf:
    """Somebody who does not hear at first that it is time to end."""

    def __init__(self) -> None:
        self.told = 0
        self.gone = False

    async def work(self) -> None:
        while self.told < TRIES:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                self.told += 1
        self.gone = True
        raise asyncio.CancelledError


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_tasks, "CANCEL_AGAIN", 0.01)


def test_who_does_not_hear_is_told_again() -> None:
    async def run() -> Deaf:
        deaf = Deaf()
        async with background_tasks.in_background(deaf.work()):
            await asyncio.sleep(0)
        return deaf

    deaf = asyncio.run(run())
    assert deaf.gone and deaf.told == TRIES


def test_who_is_called_away_leaves_nobody_behind() -> None:
    async def run() -> tuple[Deaf, bool]:
        deaf = Deaf()
        task = asyncio.create_task(deaf.work())
        await asyncio.sleep(0)
        ending = asyncio.create_task(cancel_and_wait(task))
        await asyncio.sleep(0)
        ending.cancel()
        await asyncio.wait([ending])
        return deaf, ending.cancelled()

    deaf, called_away = asyncio.run(run())
    assert deaf.gone and called_away


def test_nobody_complains_of_how_they_ended(caplog: pytest.LogCaptureFixture) -> None:
    async def fails_at_the_end() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            raise ValueError

    async def run() -> None:
        task = asyncio.create_task(fails_at_the_end())
        await asyncio.sleep(0)
        await cancel_and_wait(task)
        del task
        gc.collect()  # asyncio would tell now of a failure that nobody has looked at

    asyncio.run(run())
    assert not caplog.records


def test_work_that_fails_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    async def fails() -> None:
        raise ValueError

    async def run() -> None:
        async with background_tasks.in_background(fails()):
            await asyncio.sleep(0.01)

    asyncio.run(run())
    assert "something has stopped that should go on" in caplog.text
