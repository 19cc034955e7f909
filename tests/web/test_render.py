"""What is kept of drawn things is bounded, whatever is asked for."""

import asyncio
from pathlib import Path
from typing import Final

from elcapitan.service import Tables
from elcapitan.service.keys import all_rights
from elcapitan.web import render
from elcapitan.web.render import BoundedCache, table_fragment
from elcapitan.web.viewer import Viewer

GAME: Final = next((Path(__file__).parents[1] / "games").glob("16-*.json"))


def test_a_bounded_cache_drops_what_was_used_longest_ago() -> None:
    cache: BoundedCache[int, str] = BoundedCache(2)
    assert [cache.get(number, lambda: "made") for number in (1, 2)] == ["made", "made"]
    assert cache.get(1, lambda: "made again") == "made"
    cache.put(3, "put")
    assert len(cache) == 2 and cache.peek(2) is None and cache.peek(1) == "made" and cache.peek(3) == "put"


def test_looking_at_every_moment_of_a_game_keeps_nothing_at_the_table(tmp_path: Path) -> None:
    async def work() -> None:
        async with Tables.open(tmp_path / "games.db", bots=False) as tables:
            table = await tables.import_record(GAME.read_bytes(), GAME.name)
            who = Viewer("en", rights=all_rights(table))
            live = table_fragment(table, who)
            before = {key: len(kept[1]) for key, kept in table.kept.items() if len(kept) == 3}
            assert before
            for at in range(1, len(table.game.events), 10):
                table_fragment(table, who, at=at)
            assert {key: len(kept[1]) for key, kept in table.kept.items() if len(kept) == 3} == before
            assert table_fragment(table, who) == live

    asyncio.run(work())
    assert render.earlier_part.cache_info().maxsize == render.MOST_EARLIER
