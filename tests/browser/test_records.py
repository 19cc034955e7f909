"""Games that are taken away and brought back through the pages, in both forms."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.positions import middle, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer, purses

from elcapitan.records import capitan
from elcapitan.records import json_record as record

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("form", ["capitan", "json"])
def test_out_and_in_again(server: RunningServer, page: Page, tmp_path: Path, form: str) -> None:
    game = middle(3, ("Porto",), seed=2)
    first = server.brought(written(game))
    page.goto(first)
    sitting = TablePlayer(page)
    sitting.wait_for_turn()
    shown = purses(page)
    page.locator("#open-menu").click()
    with page.expect_download() as download:
        page.locator(f'#menu a[href$="/export/{form}"]').click()
    file = tmp_path / download.value.suggested_filename
    assert file.suffix == f".{form}"
    download.value.save_as(file)
    text = file.read_text()
    taken = record.from_json(json.loads(text)) if form == "json" else capitan.from_capitan(text).game
    assert taken.events == game.events

    page.goto("/")
    page.locator("#file").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#table")).to_be_visible()
    assert page.url != first
    sitting.wait_for_turn()
    assert purses(page) == shown == dict(enumerate(game.money))


def test_a_text_can_be_pasted_and_mistakes_are_told(
    server: RunningServer, page: Page, allow: Callable[..., None]
) -> None:
    allow("422")
    game = middle(2, seed=2)
    text = capitan.to_capitan(game)
    page.goto("/")
    page.get_by_text("or paste its text").click()
    page.locator("#text").fill(text.replace(" build ", " bild ", 1) if " build " in text else text + " nonsense")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.locator("#text").fill(text)  # what was pasted is still there to be put right
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#table")).to_be_visible()
    TablePlayer(page).wait_for_turn()
    assert purses(page) == dict(enumerate(game.money))
