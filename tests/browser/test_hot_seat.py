"""Two people at one screen, each with a neutral colour besides their own."""

import json

import pytest
from playwright.sync_api import Page, expect
from tests.browser.positions import before_payday, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer, family_of, number_of, purses

from elcapitan.engine.actions import BUILD, family
from elcapitan.engine.vocabulary import PHASES, SITES
from elcapitan.game.game import Game
from elcapitan.records import json_record as record

pytestmark = pytest.mark.compiled


def now(server: RunningServer, page: Page) -> Game:
    """The game on the table, by its record."""
    return record.from_json(json.loads(server.get(page.url.removeprefix(server.address) + "/export/json")))


def neutral(action: str) -> bool:
    """Whether an action builds a neutral warehouse."""
    return family_of(action) == "build" and int(action) >= BUILD + SITES


def test_two_people_take_turns(server: RunningServer, page: Page) -> None:
    page.goto(server.table("human", "human", seed=5))
    expect(page.locator(".merchant .neutral")).to_have_count(2)
    sitting = TablePlayer(page, seed=2)
    me = page.locator(".merchant.me")
    for name in ("Inês", "Marco") * 2:  # whoever is to move looks at the table through their own eyes
        sitting.wait_for_turn()
        expect(me.locator(".name span").first).to_have_text(name)
        sitting.go_on(lambda seen: bool(seen.of("end")))
        sitting.play_a("end")
    seen = sitting.go_on(lambda seen: any(map(neutral, seen.actions)))
    sitting.play(next(filter(neutral, seen.actions)))
    for colours in ("p0", "p1"), ("p2", "p3"):  # their own, and the neutral ones
        assert any(page.locator(f'#board .piece.{colour}[id^="house"]').count() for colour in colours)
    assert purses(page) == dict(enumerate(now(server, page).money))


def in_debt(seed: int) -> tuple[Game, str] | None:
    """A game just before a payday after which somebody has to decide on a loan, and the action that brings it."""
    game, after, action = before_payday(1, 2, seed=seed)
    return (game, action) if any(family(each) == "repay" for each in after.legal()) else None


def test_two_people_decide_after_a_payday(server: RunningServer, page: Page) -> None:
    game, action = next(found for seed in range(1, 50) if (found := in_debt(seed)))
    page.goto(server.brought(written(game)))
    sitting = TablePlayer(page)
    sitting.wait_for_turn()
    seen = sitting.play(action)
    decided = set()
    while seen.of("repay", "extend", "starter"):  # loans are paid back or extended, and somebody says who starts
        expect(page.locator("#table.decision")).to_be_visible()
        kind = next(kind for kind in ("repay", "extend", "starter") if seen.of(kind))
        seen = sitting.end_staged(sitting.play_a(kind))
        decided.add(kind)
    assert "starter" in decided and decided & {"repay", "extend"}
    expect(page.locator(".when")).to_contain_text("Phase 2 of 3")
    assert purses(page) == dict(enumerate(now(server, page).money))


def test_two_people_play_to_the_end(server: RunningServer, page: Page) -> None:
    """From before the second payday; the whole game is played against computer players."""
    game, _after, _action = before_payday(2, 2, seed=8)
    page.goto(server.brought(written(game)))
    sitting = TablePlayer(page, seed=2)
    assert sitting.to_the_end().over and sitting.paydays == PHASES
    assert any(map(neutral, sitting.played))
    ranking = [number_of(each) for each in page.locator("#final .ranking .money").all_inner_texts()]
    money = now(server, page).money
    assert ranking == sorted(money, reverse=True)
    assert purses(page) == dict(enumerate(money))
