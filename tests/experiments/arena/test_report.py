"""The report and its charts: complete, well-formed, and for every screen."""

import re
import xml.etree.ElementTree as ET

import pytest
from tests.experiments.arena.made_results import made, results

from elcapitan.board.figures import packaged
from elcapitan.experiments.arena.charts import rating_chart, seat_chart, source_chart
from elcapitan.experiments.arena.games import Config
from elcapitan.experiments.arena.report import charts, command, page
from elcapitan.experiments.arena.summary import Summary, summarise
from elcapitan.experiments.drawing import NAMESPACE, Scale, nice, number, rows, shortened, ticks
from elcapitan.text.catalogue import LANGUAGES, translator

STRANGE = 'cmd:./<b>&"ot" --level 3'
ENGLISH = translator("en")
VERSIONS = {"elcapitan": "1.2.3", "rules": "1"}


@pytest.fixture(scope="module")
def summary() -> Summary:
    bots = ("alpha", STRANGE, "gamma")
    faults = (None, "lied", None)
    games = [made(number, bots, (90 - number, 60 + number, 30), deal=number // 3, faults=faults) for number in range(6)]
    return summarise(results(*games, seed=77))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_well_formed_and_complete(summary: Summary, language: str) -> None:
    t = translator(language)
    drawn = charts(t, summary)
    html = page(t, summary, drawn, VERSIONS)
    root = ET.fromstring(html)
    assert html.startswith("<!DOCTYPE html>") and root.get("lang") == language
    said = "".join(root.itertext())
    for wanted in ("alpha", STRANGE, "gamma", "100.0 %", "33.3 %", "87.5 ±", "1.2.3", "mediterranean", "77", "lied"):
        assert wanted in said
    figures = [each.get("id") for each in root.iter() if each.tag.endswith("figure")]
    assert figures == list(drawn) == ["rating", "money", "seats", "positions", "sources"]
    assert len([each for each in root.iter() if each.tag == f"{{{NAMESPACE}}}svg"]) == len(figures)
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))


def test_the_page_needs_nothing_and_runs_nothing(summary: Summary) -> None:
    html = page(ENGLISH, summary, charts(ENGLISH, summary), VERSIONS)
    root = ET.fromstring(html)
    tags = {each.tag.rpartition("}")[2] for each in root.iter()}
    assert tags.isdisjoint({"script", "link", "img", "iframe", "image", "use", "a"})
    assert not [
        name for each in root.iter() for name in each.attrib if name.startswith("on") or name in ("src", "href")
    ]
    assert set(re.findall(r"https?://[^\"' ]+", html)) == {"http://www.w3.org/1999/xhtml", NAMESPACE}
    assert "url(" not in html and "@import" not in html
    assert "default-src 'none'" in html and "prefers-color-scheme: dark" in html and "width=device-width" in html


@pytest.mark.parametrize("name", ["rating", "money", "seats", "positions", "sources"])
def test_a_chart_alone_is_a_whole_file(summary: Summary, name: str) -> None:
    chart = charts(ENGLISH, summary)[name]
    root = ET.fromstring(chart.alone().encode())
    children = [each.tag.removeprefix(f"{{{NAMESPACE}}}") for each in root]
    assert children[:4] == ["title", "desc", "style", "rect"]
    title, desc, style = root[0], root[1], root[2]
    assert root.get("role") == "img" and root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert title.text == chart.title and desc.text and STRANGE in desc.text
    assert style.text and "prefers-color-scheme: dark" in style.text and "--paper" in style.text
    assert chart.title in [each.text for each in root.iter(f"{{{NAMESPACE}}}text")]
    inside = ET.fromstring(chart.inside())
    assert not list(inside.iter(f"{{{NAMESPACE}}}style")), "a page has it once"
    assert number(1.25) == "1.2" and number(3.0) == "3"


def test_error_bars_show_two_sigma(summary: Summary) -> None:
    root = ET.fromstring(rating_chart(ENGLISH, summary).inside())
    texts = [each.text or "" for each in root.iter(f"{{{NAMESPACE}}}text")]
    best = summary.standings[0]
    assert f"{best.rating.mu:.1f} ± {2 * best.rating.sigma:.1f}" in texts
    bars = [each for each in root.iter(f"{{{NAMESPACE}}}line") if "stroke-width" in (each.get("style") or "")]
    assert len(bars) == 3 * 3, "a bar and two caps for each"
    longest = bars[0]
    marked = [float(each.get("x1") or 0) for each in root.iter(f"{{{NAMESPACE}}}line") if each.get("class") == "grid"]
    labels = [float(text) for text in texts if re.fullmatch(r"-?\d+", text)]
    per_unit = (marked[-1] - marked[0]) / (labels[-1] - labels[0])
    drawn = float(longest.get("x2") or 0) - float(longest.get("x1") or 0)
    assert drawn == pytest.approx(4 * best.rating.sigma * per_unit, abs=0.3)


def test_every_bot_has_a_marker_of_its_own_at_every_seat(summary: Summary) -> None:
    root = ET.fromstring(seat_chart(ENGLISH, summary).inside())
    circles = list(root.iter(f"{{{NAMESPACE}}}circle"))
    corners = [len((each.get("points") or "").split()) for each in root.iter(f"{{{NAMESPACE}}}polygon")]
    # Each bot sits in one seat only: one marker there and one in the legend.
    assert len(circles) == 2 and sorted(corners) == [3, 3, 4, 4]
    assert len([each for each in root.iter() if each.get("class") == "chance"]) == 2, "in the chart and in the legend"


def test_stacked_bars_add_up(summary: Summary) -> None:
    root = ET.fromstring(source_chart(ENGLISH, summary).inside())
    bars = [each for each in root.iter(f"{{{NAMESPACE}}}rect") if each.get("height") == "18"]
    zero = next(float(each.get("x1") or 0) for each in root.iter() if each.get("class") == "axis")
    assert [float(each.get("x") or 0) for each in bars] == [pytest.approx(zero, abs=0.1)] * 3, "all of it is income"
    wide = [float(each.get("width") or 0) for each in bars]
    money = [bot.money.mean for bot in summary.standings]
    assert [each / wide[0] for each in wide] == [pytest.approx(each / money[0], abs=0.01) for each in money]


def test_one_bot_alone_has_no_rating() -> None:
    alone = summarise(results(made(0, ("a", "a"), (1, 2)), made(1, ("a", "a"), (3, 2))))
    assert "rating" not in charts(ENGLISH, alone)
    ET.fromstring(page(ENGLISH, alone, charts(ENGLISH, alone), VERSIONS))


def test_the_command_that_plays_the_same_games_again() -> None:
    config = Config(("a", "cmd:./b c"), 3, ("Porto", "Islas Canarias"), games=9, seed=4)
    assert command(config) == (
        "elcapitan arena --bots 'a,cmd:./b c' --players 3 --tiles 'Porto,Islas Canarias' --games 9 --seed 4"
    )
    options = {"buy_before_loan": True, "reopen_shuts": False, "pirate_before_loan": True}
    other = Config(("a",), options=options, board=packaged(), seconds=120)
    assert command(other).endswith(
        "--seed 0 --buy-before-loan --no-reopen-shuts --pirate-before-loan --board FILE --bot-seconds 120"
    )


def test_scales_and_ticks() -> None:
    assert ticks(0, 93) == [0, 20, 40, 60, 80, 100]
    assert ticks(-146, 233, about=6) == [-200, -100, 0, 100, 200, 300]
    assert ticks(0.0, 0.61) == [0, 0.2, 0.4, 0.6, 0.8]
    assert ticks(5, 5)[0] <= 5 <= ticks(5, 5)[-1]
    assert [nice(step) for step in (0.03, 1, 3, 7, 70)] == [pytest.approx(0.05), 1, 5, 10, 100]
    assert Scale(0, 10, 100, 0)(2.5) == 75 and Scale(10, 20, 0, 100)(12.5) == 25


def test_what_is_too_long_is_broken_or_cut() -> None:
    assert shortened("abc", 100) == "abc" and shortened("a" * 50, 74) == "a" * 9 + "…"
    assert [(index, row) for index, _x, row in rows(["x" * 20] * 3, 30, 400)] == [(0, 0), (1, 0), (2, 1)]
    assert [row for _index, _x, row in rows(["x" * 99], 30, 100)] == [0], "not even one fits, but it must go somewhere"
