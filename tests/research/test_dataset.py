"""Games as rows: what is written is what was played, and what was broken off goes on."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cli.running import mistake, output
from tests.research.plain_observation import plain

from elcapitan.engine.vocabulary import TILE_NAMES
from elcapitan.errors import BotFault
from elcapitan.experiments.arena.games import Config, fixture, play_game
from elcapitan.game.game import Game
from elcapitan.research import dataset

WORDS = ("dataset", "--players", "3", "--tiles", "Porto", "--bots", "wanderer", "--seed", "4", "--jobs", "1")
CONFIG = Config(("wanderer",), 3, ("Porto",), games=5, seed=4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "games"
    assert ": 5 (there before: 0)." in output(*WORDS, "--games", "5", "--portion", "2", "--out", folder)
    return folder


def test_rows_are_the_games_of_the_arena(folder: Path) -> None:
    rows = dataset.arrays(folder)
    assert rows["observation"].shape == (len(rows["game"]), 951) and rows["mask"].shape[1] == 953
    for number in range(5):
        ours = rows["game"] == number
        game = Game.new(3, ["Porto"], seed=fixture(CONFIG, number).seed)
        moves = zip(*(rows[name][ours] for name in ("seat", "observation", "mask", "action")), strict=True)
        for move, (seat, seen, mask, action) in enumerate(moves):
            assert rows["move"][ours][move] == move and seat == game.seat
            assert np.flatnonzero(mask).tolist() == game.legal()
            assert (seen == plain(game.position, int(seat))).all()
            game.play(action)
        assert game.over
        result = play_game(CONFIG, fixture(CONFIG, number)).result
        assert result.actions == ours.sum()
        for seat, merchant in enumerate(result.merchants):
            own = ours & (rows["seat"] == seat)
            assert set(rows["money"][own]) == {merchant.money} and set(rows["rank"][own]) == {merchant.rank}
            assert set(rows["win"][own]) == {np.float32(merchant.win)} and set(rows["bot"][own]) == {"wanderer"}


def test_every_file_says_what_it_holds(folder: Path) -> None:
    names = [file.name for file in dataset.files(folder)]
    assert names == [f"games-{first:08d}-{last:08d}.parquet" for first, last in ((0, 1), (2, 3), (4, 4))]
    schema = pq.read_schema(folder / names[0])
    facts = json.loads(schema.metadata[b"elcapitan"])
    assert facts == json.loads((folder / dataset.PLAN).read_text(encoding="utf-8"))
    assert facts["parts"]["florins"]["shape"] == [5, 2] and facts["tiles"] == ["Porto"]
    assert all(schema.field(name).metadata[b"about"] for name, _, _ in dataset.COLUMNS)
    assert sum(len(part["game"]) for part in dataset.portions(folder)) == len(dataset.arrays(folder)["game"])


def test_what_was_broken_off_goes_on(folder: Path, tmp_path: Path) -> None:
    words: list[str | Path] = [*WORDS, "--games", "5", "--portion", "2", "--out", tmp_path]
    output(*words)
    first, second, third = dataset.files(tmp_path)
    kept = first.stat().st_mtime_ns
    second.unlink()
    third.rename(third.with_suffix(".part"))
    assert "(there before: 2)" in output(*words)
    assert first.stat().st_mtime_ns == kept
    assert [file.read_bytes() for file in dataset.files(tmp_path)] == [
        file.read_bytes() for file in dataset.files(folder)
    ]


def test_a_seed_that_nobody_gave_is_remembered(tmp_path: Path) -> None:
    words: list[str | Path] = ["dataset", "--players", "2", "--games", "1", "--jobs", "1", "--out", tmp_path]
    output(*words)
    assert "(there before: 1)" in output(*words)


def test_several_cores_write_the_same(folder: Path, tmp_path: Path) -> None:
    words: list[str | Path] = [*WORDS[:-1], "2", "--games", "5", "--portion", "2", "--out", tmp_path]
    output(*words)
    ours, theirs = dataset.files(tmp_path), dataset.files(folder)
    assert [file.read_bytes() for file in ours] == [file.read_bytes() for file in theirs]


def test_mistakes(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "has other data already" in mistake(*WORDS, "--games", "6", "--portion", "2", "--out", folder)
    assert "names of computer players" in mistake(*WORDS, "--bots", ",", "--out", tmp_path)
    assert mistake(*WORDS, "--bots", "pirate", "--out", tmp_path)
    (tmp_path / "taken").write_text("", encoding="utf-8")
    assert "cannot be written" in mistake(*WORDS, "--out", tmp_path / "taken" / "x")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "elcapitan.research.dataset")
    monkeypatch.delattr("elcapitan.research.dataset")
    assert 'pip install "elcapitan[research]"' in mistake(*WORDS, "--out", tmp_path)


def test_all_tiles_of_a_full_table() -> None:
    rows = dataset.rows_of(Config(("wanderer",), 5, TILE_NAMES, games=1, seed=1), 0)
    assert {row["seat"] for row in rows} == set(range(5))


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A game of a search, a network with a search, a network alone, and a player that does not search."""
    folder = tmp_path_factory.mktemp("searched")
    bots = ("navigator:sims=20", "champion:sims=12", "champion:sims=1", "captain")
    plan = dataset.DatasetPlan(Config(bots, 4, games=1, seed=3), portion=1)
    assert sum(dataset.write_all(folder, plan, dataset.prepare(folder, plan), jobs=1)) == 1
    return dataset.arrays(folder)


@pytest.mark.compiled
def test_what_a_search_weighed_stands_beside_its_decision(searched: dict[str, Any]) -> None:
    rows, tries = searched, {"navigator:sims=20": 20, "champion:sims=12": 12, "champion:sims=1": 0, "captain": 0}
    most = dict.fromkeys(tries, 0)
    for k, bot in enumerate(rows["bot"]):
        actions, visits, values = rows["searched"][k], rows["visits"][k], rows["values"][k]
        assert len(actions) == len(visits) == len(values) == len(set(actions.tolist()))
        assert rows["mask"][k][actions].all() and ((values >= 0) & (values <= 1)).all()
        assert np.isnan(rows["expected_win"][k]) == np.isnan(rows["expected_money"][k]) == (len(actions) == 0)
        assert len(actions) == 0 or (actions[0], values[0]) == (rows["action"][k], rows["expected_win"][k])
        assert bot != "captain" or len(actions) == 0
        most[bot] = max(most[bot], visits.sum())
    assert {bot: sum(map(len, rows["searched"][rows["bot"] == bot])) > 200 for bot in tries} == {
        bot: bot != "captain" for bot in tries
    }
    assert most == {**tries, "navigator:sims=20": 19}, "the first simulation only opens the tree"
    shares = dataset.visit_shares(rows)
    assert shares.shape == rows["mask"].shape and not shares[~rows["mask"]].any()
    assert shares.sum(axis=1) == pytest.approx([float(visits.sum() > 0) for visits in rows["visits"]])


@pytest.mark.compiled
def test_the_last_decisions_are_marked(searched: dict[str, Any]) -> None:
    assert np.flatnonzero(searched["over"]).tolist() == [len(searched["over"]) - 1]
    for seat in range(4):
        own = np.flatnonzero(searched["seat"] == seat)
        assert np.flatnonzero(searched["terminal"][own]).tolist() == [len(own) - 1]


def test_rows_from_another_library_become_the_same_arrays(folder: Path) -> None:
    """As `datasets` gives them to a transform: lists and bytes of Python."""
    expected = dataset.arrays(folder)
    table = pa.concat_tables([pq.read_table(file) for file in dataset.files(folder)], promote_options="permissive")
    found = dataset.decoded(table.to_pydict())
    assert found.keys() == expected.keys()
    for name, column in expected.items():
        if name in ("searched", "visits", "values"):
            assert [each.tolist() for each in found[name]] == [each.tolist() for each in column]
            assert {each.dtype for each in found[name]} == {each.dtype for each in column}
        else:
            assert np.array_equal(found[name], column, equal_nan=column.dtype.kind == "f"), name
            assert name == "bot" or found[name].dtype == column.dtype
    some = dataset.decoded({"mask": table["mask"].to_pylist()[:3]})
    assert some.keys() == {"mask"} and (some["mask"] == expected["mask"][:3]).all()


def test_a_card_lies_beside_the_data(folder: Path) -> None:
    card = (folder / dataset.CARD).read_text(encoding="utf-8")
    assert card.startswith("---\npretty_name:") and "| players | 3: wanderer |" in card and "Porto" in card
    assert all(f"| `{name}` | {kind} | {about} |" in card for name, kind, about in dataset.COLUMNS)


def test_a_program_that_fails_ends_the_command(tmp_path: Path) -> None:
    """What its stand-in does is not written under its name; the games before are kept."""
    words: list[str | Path] = ["dataset", "--players", "2", "--games", "2", "--portion", "1", "--seed", "1"]
    sentence = mistake(*words, "--jobs", "1", "--bots", "cmd:./nobody,wanderer", "--out", tmp_path)
    assert sentence == "./nobody: It cannot be started: No such file or directory."
    assert dataset.files(tmp_path) == []


def test_python_players_have_rows_until_one_fails() -> None:
    config = Config(("py:tests.players.python_players:Last", "wanderer"), 2, games=2, seed=1)
    own = [row for row in dataset.rows_of(config, 0) if row["bot"] != "wanderer"]
    masks = np.unpackbits(np.frombuffer(b"".join(row["mask"] for row in own), np.uint8), bitorder="little")
    assert [np.flatnonzero(mask)[-1] for mask in masks.reshape(len(own), -1)] == [row["action"] for row in own]
    failing = Config(("py:tests.players.python_players:Thrower:3", "wanderer"), 2, games=2, seed=1)
    with pytest.raises(BotFault, match="It failed with ValueError: over board"):
        dataset.rows_of(failing, 0)
