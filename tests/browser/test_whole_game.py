"""A whole game against computer players by clicking, from the first card to the final ranking."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer, number_of, purses

from elcapitan.records import json_record as record

pytestmark = pytest.mark.compiled


def test_a_game_against_computer_players(
    server: RunningServer, visit: Visit, tmp_path: Path, picture: Callable[[Page, str], None]
) -> None:
    page = visit(reduced_motion="no-preference")
    page.goto(server.table("human", "wanderer", "trader", "captain", seed=11))
    sitting = TablePlayer(page, seed=3)
    seen = sitting.to_the_end()
    assert seen.over and len(sitting.played) > 20

    # The verdict, the ranking, and where the money came from.
    ranking = page.locator("#final .ranking li")
    expect(ranking).to_have_count(4)
    result = page.locator("#result")
    expect(result).to_be_visible()  # it opens by itself
    picture(page, "result")
    expect(result.locator(".purses .curve")).to_have_count(4)
    expect(result.locator(".sources tbody tr").first).to_be_visible()
    picture(page, "result-charts")
    together = [number_of(each) for each in result.locator(".sources .sum td").all_inner_texts()]
    page.keyboard.press("Escape")

    # The record says the same as the page, and holds.
    page.locator("#open-menu").click()
    with page.expect_download() as download:
        page.locator('#menu a[href$="/export/json"]').click()
    file = tmp_path / "game.json"
    download.value.save_as(file)
    content = json.loads(file.read_text())
    money, ranks = content["result"]["money"], content["result"]["ranks"]
    assert purses(page) == dict(enumerate(money))
    shown = [
        (
            number_of(each.locator(".rank").inner_text()),
            each.locator("b").inner_text(),
            number_of(each.locator(".money").inner_text()),
        )
        for each in ranking.all()
    ]
    names = ["Inês", "Marco", "Leyla", "Youssef"]
    assert sorted(shown) == sorted(zip(ranks, names, money, strict=True))
    assert [rank for rank, _name, _money in shown] == sorted(ranks)
    assert together == [money for _rank, _name, money in shown]
    assert record.from_json(content).money == money
    replayed = subprocess.run(
        [sys.executable, "-m", "elcapitan", "replay", str(file)], capture_output=True, text=True, check=False
    )
    assert replayed.returncode == 0, replayed.stderr
