"""The page of a study: complete, well-formed, and drawn by the arena."""

import re
import xml.etree.ElementTree as ET

import pytest
from tests.experiments.study.made_games import BOT, books, game, table

from elcapitan.board.figures import packaged
from elcapitan.experiments.drawing import NAMESPACE
from elcapitan.experiments.study.economy import measure
from elcapitan.experiments.study.games import Study
from elcapitan.experiments.study.report import DASH, borrowing, charts, command, notes, page, sheets, source_sheet, span
from elcapitan.text.catalogue import LANGUAGES, translator

ENGLISH = translator("en")
VERSIONS = {"elcapitan": "1.2.3", "rules": "1"}
PLAN = Study(BOT, (3, 5), 2, 77)
TABLES = (
    table(
        game(0, (100, 140, 60)),
        game(1, (90, 80, 130), first=1),
        accounts=[
            tuple(books(money, worth=(1, 50), taken=(1, 0, 0), extended=(1, 0, 0)) for money in scores)
            for scores in ((100, 140, 60), (90, 80, 130))
        ],
    ),
    table(game(0, (100, 140, 60, 30, 20)), game(1, (90, 80, 130, 25, 26))),
)
ECONOMIES = [measure(each) for each in TABLES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_well_formed_and_complete(language: str) -> None:
    t = translator(language)
    drawn = charts(t, TABLES)
    html = page(t, PLAN, ECONOMIES, drawn, VERSIONS)
    root = ET.fromstring(html)
    assert html.startswith("<!DOCTYPE html>") and root.get("lang") == language
    said = "".join(root.itertext())
    for wanted in (
        BOT,
        "224 / 219 / 211",
        "169 / 152 / 129 / 72 / 72",
        f"135.0 (130{DASH}140)",
        "1.2.3",
        "mediterranean",
    ):
        assert wanted in said
    for sheet in (*sheets(t, ECONOMIES[0]), *sheets(t, ECONOMIES[1]), source_sheet(t, ECONOMIES)):
        assert sheet.title in said and all(cell in said for row in sheet.rows for cell in row)
        assert all(len(row) == len(sheet.head) for row in sheet.rows)
    assert borrowing(t, ECONOMIES[0]) in said and all(note in said for note in notes(t))
    figures = [each.get("id") for each in root.iter() if each.tag.endswith("figure")]
    assert figures == [
        *("money-all", "sources-all"),
        *("money-3", "sources-3", "positions-3"),
        *("money-5", "sources-5", "positions-5"),
    ]
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    for drawing in root.iter(f"{{{NAMESPACE}}}svg"):
        assert set((drawing.get("aria-labelledby") or "").split()) <= set(ids)


def test_the_page_needs_nothing_and_runs_nothing() -> None:
    html = page(ENGLISH, PLAN, ECONOMIES, charts(ENGLISH, TABLES), VERSIONS)
    root = ET.fromstring(html)
    tags = {each.tag.rpartition("}")[2] for each in root.iter()}
    assert tags.isdisjoint({"script", "link", "img", "iframe", "image", "use", "a"})
    assert set(re.findall(r"https?://[^\"' ]+", html)) == {"http://www.w3.org/1999/xhtml", NAMESPACE}
    assert "default-src 'none'" in html and "prefers-color-scheme: dark" in html


def test_the_charts_tell_ranks_and_the_published_game() -> None:
    drawn = charts(ENGLISH, TABLES)
    assert list(drawn) == [0, 3, 5]
    money = drawn[3][0]
    told = money.drawing[1].text or ""
    assert "rank 1: 1, 50, 135" in told and "published, mean: 24, 73, 218" in told
    assert money.title == "Money after each payday, 3 players"
    assert "published" not in (drawn[5][0].drawing[1].text or ""), "its earlier paydays are not known"
    assert "3 players: 1, 50, 100; 5 players: 0, 0, 70" in (drawn[0][0].drawing[1].text or "")
    for group in drawn.values():
        for chart in group:
            ET.fromstring(chart.alone().encode())


def test_a_range_below_zero_is_written_in_words() -> None:
    assert span(ENGLISH, 3, 12) == f"3{DASH}12" and span(ENGLISH, -16.4, 15) == "-16 to 15"


def test_what_is_not_known_is_left_open() -> None:
    rows = {row[0]: row[1:] for sheet in sheets(ENGLISH, ECONOMIES[1]) for row in sheet.rows}
    assert rows["spread out"] == ("0", "-", "-", "-")
    headlines = [sheet.title for sheet in sheets(ENGLISH, ECONOMIES[1])]
    assert "A published game, first plays, beside ours: 169 / 152 / 129 / 72 / 72" in headlines


def test_the_command_that_plays_the_same_games_again() -> None:
    assert command(PLAN) == "elcapitan study economy --bot somebody --players 3,5 --games 2 --seed 77"
    assert command(Study("cmd:./b c", (2,), 1, 0, packaged())) == (
        "elcapitan study economy --bot 'cmd:./b c' --players 2 --games 1 --seed 0 --board FILE"
    )
