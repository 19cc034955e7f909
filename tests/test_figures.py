"""The board file: what the packaged one says, and that every bad one is refused with a sentence of its own."""

import pickle
import re
from collections import Counter
from collections.abc import Callable
from importlib import resources
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from elcapitan.board.figures import SOURCES, load
from elcapitan.engine.vocabulary import CARDS, CITY_NAMES, DESTINATIONS, MAIN_CITIES, NEVER, NO_SITE
from elcapitan.error_messages import REASONS
from elcapitan.errors import BadBoard
from elcapitan.text.rulebook import items

PACKAGED = (resources.files("elcapitan") / "data" / "mediterranean.toml").read_text(encoding="utf-8")

LOW = [0, 2, 4, 6, 8, 10, 12, 14, 16, 14, 12, 10, 8]
MIDDLE = [0, 3, 6, 9, 12, 15, 18, 21, 24, 21, 18, 15, 12]
HIGH = [0, 4, 8, 12, 16, 20, 24, 28, 32, 28, 24, 20, 16]

# Typed in a second time from the table of figures: row, column, harbours, fortresses, track, dark sites, triangle.
CITIES = {
    "Marseille": (1, 1, [4, 5], [8, 10], HIGH, [7, 9, 11], 5),
    "Venezia": (1, 2, [3, 4], [6, 8], MIDDLE, [7, 9, 11], 5),
    "Constantinople": (1, 3, [4, 5], [8, 10], HIGH, [7, 9, 11], 5),
    "Valencia": (2, 1, [3, 4], [6, 8], MIDDLE, [7, 9, 11], 5),
    "Napoli": (2, 2, [3, 4], [6, 8], MIDDLE, [7, 9, 11], 5),
    "Athina": (2, 3, [2, 3], [4, 6], LOW, [7, 9, 11], 5),
    "Tanger": (3, 1, [2, 3], [4, 6], LOW, [7, 9, 11], 5),
    "Tunis": (3, 2, [2, 3], [4, 6], LOW, [7, 9, 11], 5),
    "Alexandria": (3, 3, [4, 5], [8, 10], HIGH, [7, 9, 11], 5),
    "Porto": (1, 0, [5, 6, 7], [12], [0, 5, 10, 15, 20, 25, 30, 35, 40, 35, 30, 25, 20], [7, 9, 11], 5),
    "Lisboa": (2, 0, [0, 1], [6, 8], LOW, [7, 10], 0),
    "Islas Canarias": (3, 0, [3, 4], [6, 8], MIDDLE, [7, 9, 11], 5),
}
TUNIS_CARDS = PACKAGED[PACKAGED.index("Tunis = [") : PACKAGED.index("Alexandria = [")]
DESTINATION_CARDS = [
    ("Marseille/3", 6), ("Marseille/1", 4), ("Venezia/2", 5), ("Venezia/1", 4), ("Constantinople/3", 6),
    ("Constantinople/2", 5), ("Valencia/1", 4), ("Valencia/2", 5), ("Napoli/1", 4), ("Napoli/3", 6),
    ("Athina/2", 5), ("Athina/3", 6), ("Tanger/2", 5), ("Tanger/1", 4), ("Tunis/3", 6), ("Tunis/1", 4),
    ("Alexandria/3", 6), ("Alexandria/2", 5),
]  # fmt: skip


def test_cities_as_printed() -> None:
    board = load().board
    for city, name in enumerate(CITY_NAMES):
        _, _, harbours, fortresses, track, dark, triangle = CITIES[name]
        assert board.harbours[city] == len(harbours)
        assert board.harbour_price[city].tolist() == harbours + [NEVER] * (3 - len(harbours))
        assert board.fortress_sites[city] == len(fortresses)
        assert board.fortress_price[city].tolist() == fortresses + [NEVER] * (2 - len(fortresses))
        assert board.track[city].tolist() == track
        assert [site + 1 for site in np.flatnonzero(board.dark[city])] == dark
        assert board.triangle[city] == (triangle - 1 if triangle else NO_SITE)


def test_distances_follow_from_the_places() -> None:
    board = load().board
    for (one, here), (other, there) in combinations(enumerate(CITIES[name] for name in CITY_NAMES), 2):
        steps = abs(here[0] - there[0]) + abs(here[1] - there[1])
        assert board.distance[one, other] == board.distance[other, one] == steps
        for seals in range(4):
            assert bool(board.near[one, seals] >> other & 1) == bool(board.near[other, seals] >> one & 1)
            assert bool(board.near[one, seals] >> other & 1) == (steps <= seals)
    assert not board.distance.diagonal().any()
    assert not any(board.near[city, 3] >> city & 1 for city in range(len(CITY_NAMES)))


def test_destination_cards_as_printed() -> None:
    figures = load()
    board = figures.board
    for card, (name, price) in enumerate(DESTINATION_CARDS):
        city, seals = name.split("/")
        assert figures.cards[card] == name
        assert board.card_city[card].tolist() == [CITY_NAMES.index(city)] * 2
        assert board.card_price[card] == price
        assert board.seals[card] == int(seals)
    assert Counter(board.seals[:DESTINATIONS].tolist()) == {1: 6, 2: 6, 3: 6}


def test_link_cards_as_printed() -> None:
    figures = load()
    board = figures.board
    for card, (one, other) in enumerate(combinations(range(MAIN_CITIES), 2), start=DESTINATIONS):
        assert figures.cards[card] == f"{CITY_NAMES[one]}-{CITY_NAMES[other]}"
        assert board.card_city[card].tolist() == [one, other]
        assert board.card_price[card] == min(3, board.distance[one, other])
        assert board.seals[card] == 0
    assert Counter(board.card_price[DESTINATIONS:].tolist()) == {1: 12, 2: 14, 3: 10}
    assert board.card_price[figures.cards.index("Venezia-Tanger")] == 3
    assert board.card_price[figures.cards.index("Marseille-Napoli")] == 2
    for city in range(len(CITY_NAMES)):
        naming = [card for card in range(DESTINATIONS, CARDS) if city in board.card_city[card]]
        assert board.links_of[city] == sum(1 << card for card in naming)


def test_money_and_pieces_as_printed() -> None:
    board = load().board
    assert board.start_cash == 20
    assert board.loan_amount.tolist() == [10, 16]
    assert board.loan_cards.tolist() == [18, 12]
    assert board.loan_due.tolist() == [[12, 16], [20, 30]]
    assert board.chart.tolist() == [0, 1, 2, 5, 10, 15, 20, 30, 40, 60, 75, 90, 110]
    assert board.bonus.tolist() == [15, 10, 5]
    assert board.charge.tolist() == [1, 2, 3]
    assert board.pirate_step == 2
    assert (board.new_houses, board.new_neutral, board.new_fortresses) == (6, 2, 1)


def test_every_figure_has_its_provenance() -> None:
    figures = load()
    assert len(figures.sources) == 12 * 6 + 2 * 18 + 36 + 5 + 2 * 4 + 3
    assert set(figures.sources.values()) == set(SOURCES)
    assert figures.sources["cities.Marseille.harbours"] == "A"
    assert figures.sources["cities.Marseille.place"] == "D"
    assert figures.sources["expansion.Islas Canarias.track"] == "X"
    assert figures.sources["cards.destinations.Marseille.1.seals"] == "A"
    assert figures.sources["cards.links.Marseille-Venezia"] == "I"
    assert figures.sources["money.loans.small.extended"] == "A"
    assert figures.printed["money.loans.small.extended"].value == 16
    assert "20" in figures.printed["money.loans.small.extended"].note


def test_the_rulebook_says_which_figures_are_disputed() -> None:
    """[PROL-04, G-23] Those of the chart for one and two cities, in every language; other figures are not disputed."""
    disputed = {key for key, figure in load().printed.items() if "disputed" in figure.note}
    assert disputed == {"money.chart"}
    for language, word in {"en": "disputed", "de": "umstritten", "fr": "contesté"}.items():
        known, doubtful = items(language)["PROL-04"].text.split(";")
        assert word in doubtful and word not in known
        assert re.findall(r"\d+", known) == ["5", "10", "15", "20", "30", "40", "60"]
        assert re.findall(r"\d+", doubtful.partition("G-23")[0]) == ["1", "2"]


def test_a_board_can_be_a_key_and_can_go_to_another_process() -> None:
    again = pickle.loads(pickle.dumps(load()))
    assert again.name == load().name
    assert again.boards.tobytes() == load().boards.tobytes()
    assert {load(): "the packaged one"}[load()]


def test_the_packaged_board_is_read_once_and_cannot_be_written() -> None:
    assert load() is load()
    with pytest.raises(ValueError, match="read-only"):
        load().board.start_cash = 21


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a board file and answers where."""

    def to_file(text: str) -> Path:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return to_file


def edited(old: str, new: str, within: str = "") -> str:
    """The packaged file with its first `old` after the line `within` replaced."""
    start = PACKAGED.index(f"\n{within}") if within else 0
    assert old in PACKAGED[start:], f"{old} is no longer in the packaged file"
    return PACKAGED[:start] + PACKAGED[start:].replace(old, new, 1)


def test_a_copy_is_the_same_board(write: Callable[[str], Path]) -> None:
    copy = load(write(edited('source = "X"', 'source = "A"')))
    assert copy.name == "mediterranean"
    assert copy.boards.tobytes() == load().boards.tobytes()
    assert copy.sources != load().sources


def test_a_byte_order_mark_is_no_obstacle(write: Callable[[str], Path]) -> None:
    assert load(write("\ufeff" + PACKAGED)).name == "mediterranean"


def test_another_name_for_the_same_figures_is_the_same_board(write: Callable[[str], Path]) -> None:
    assert load(write(edited('"mediterranean"', '"my-own-box"'))).name == "mediterranean"


def test_other_figures_are_another_board(write: Callable[[str], Path]) -> None:
    other = load(write(edited("is = [4, 5]", "is = [5, 7]", "[cities.Marseille]")))
    assert other.board.harbour_price[0].tolist() == [5, 7, NEVER]
    assert other.name.startswith("mediterranean@")
    assert len(other.name) == len("mediterranean@") + 8
    third = load(write(edited("is = [4, 5]", "is = [5, 8]", "[cities.Marseille]")))
    assert third.name != other.name


def test_places_may_be_exchanged(write: Callable[[str], Path]) -> None:
    places = {"is = [1, 1]": "is = [1, 2]", "is = [1, 2]": "is = [1, 1]"}
    swapped = re.sub(r"is = \[1, [12]\](?=, source = \"D\")", lambda found: places[found.group()], PACKAGED)
    board = load(write(swapped)).board
    assert board.distance[CITY_NAMES.index("Marseille"), CITY_NAMES.index("Constantinople")] == 1


def test_pairs_may_be_written_in_either_order(write: Callable[[str], Path]) -> None:
    turned = load(write(edited("Marseille-Venezia =", "Venezia-Marseille =")))
    assert turned.name == "mediterranean"
    assert turned.cards == load().cards


def test_two_cards_with_equal_seals_have_two_names(write: Callable[[str], Path]) -> None:
    equal = load(write(edited("seals = { is = 1", "seals = { is = 3", within="Marseille = [")))
    assert equal.cards[:2] == ("Marseille/3", "Marseille/3b")
    assert len(set(equal.cards)) == CARDS


# By table of the file: what is replaced in it by what, the key there and the reason for which the file is refused.
BAD = {
    "[cities.Marseille]": [
        ("[cities.Marseille]", "[cities.Marsielle]", "cities.Marsielle", "unknown-city"),
        ("[cities.Tunis]", "[cities.Lisboa]", "cities.Lisboa", "unknown-city"),
        ("[cities.Tunis]", "[cities.Napoli.more]", "cities.Tunis", "missing"),
        ("dark =", "drak =", "drak", "unknown-key"),
        ("dark =", "# dark =", "dark", "missing"),
        ("source =", "sorce =", "place.sorce", "unknown-key"),
        (', source = "D"', "", "place.source", "missing"),
        ('source = "D"', 'source = "Q"', "place.source", "unknown-source"),
        ('source = "D"', "source = 4", "place.source", "unknown-source"),
        ('source = "D"', 'source = "D", note = 4', "place.note", "not-text"),
        ("is = [1, 1]", "is = [1, 1, 1]", "place", "wrong-count"),
        ("is = [1, 1]", "is = [1, 0]", "place", "wrong-place"),
        ("is = [1, 1]", "is = [4, 1]", "place", "wrong-place"),
        ("is = [1, 2]", "is = [1, 1]", "cities.Venezia.place", "place-taken"),
        ("is = [4, 5]", "is = 4", "harbours", "not-a-list"),
        ("is = [4, 5]", "is = [4, 5, 6]", "harbours", "wrong-count"),
        ("is = [4, 5]", "is = [4, -5]", "harbours", "out-of-range"),
        ("is = [4, 5]", "is = [4, 1000]", "harbours", "out-of-range"),
        ("is = [4, 5]", 'is = [4, "5"]', "harbours", "not-a-number"),
        ("is = [8, 10]", "is = [8]", "fortresses", "wrong-count"),
        ("is = [8, 10]", "is = [10, 8]", "fortresses", "falls"),
        ("20, 16]", "20]", "track", "wrong-count"),
        ("is = [0, 4, 8", "is = [1, 4, 8", "track", "first-not-zero"),
        ("is = [7, 9, 11]", "is = [2, 9]", "dark", "too-early"),
        ("is = [7, 9, 11]", "is = [7, 13]", "dark", "out-of-range"),
        ("is = [7, 9, 11]", "is = [7, 7]", "dark", "twice"),
        ("is = 5", "is = 2", "triangle", "too-early"),
        ("is = 5", "is = 13", "triangle", "out-of-range"),
        ("is = 5", "is = 9", "triangle", "dark-triangle"),
    ],
    "[expansion.Porto]": [
        ("is = [1, 0]", "is = [1, 1]", "place", "wrong-place"),
        ("is = [5, 6, 7]", "is = [5, 6]", "harbours", "wrong-count"),
        ("is = [12]", "is = [12, 14]", "fortresses", "wrong-count"),
    ],
    "[cards.destinations]": [
        ("Tunis = [", "Tunisia = [", "Tunisia", "unknown-city"),
        ("Tunis = [", "Porto = [", "Porto", "unknown-city"),
        ("seals = { is = 3", "seals = { is = 4", "Marseille.1.seals", "out-of-range"),
        ("seals = { is = 1", "seals = { is = 0", "Marseille.2.seals", "out-of-range"),
        (", price = ", ", prize = ", "Marseille.1.prize", "unknown-key"),
        ("Tunis = [", "Tunis = [3,", "Tunis", "wrong-count"),
        (TUNIS_CARDS, "", "Tunis", "missing"),
        (TUNIS_CARDS, "Tunis = 3\n", "Tunis", "not-a-list"),
        (TUNIS_CARDS, "Tunis = [3, 1]\n", "Tunis.1", "not-a-table"),
    ],
    "[cards.links]": [
        ("-Tunis =", "-Tunes =", "Marseille-Tunes", "unknown-city"),
        ("-Tunis =", "-Porto =", "Marseille-Porto", "unknown-city"),
        ("Venezia-Tunis =", "# Venezia-Tunis =", "Venezia-Tunis", "missing"),
        ("Napoli-Tunis =", "Tunis-Venezia =", "Tunis-Venezia", "pair-twice"),
        ("Venezia-Tunis =", "Venezia-Venezia =", "Venezia-Venezia", "not-a-pair"),
        ("Venezia-Tunis =", "Venezia =", "Venezia", "not-a-pair"),
        ("Venezia-Tunis =", "Venezia-Tunis-Napoli =", "Venezia-Tunis-Napoli", "not-a-pair"),
    ],
    "[money]": [
        ("pirate_step =", "# pirate_step =", "pirate_step", "missing"),
        ('{ is = 20, source = "A" }', "20", "start", "not-a-figure"),
        ("is = 20, ", "", "start.is", "missing"),
        ("is = 20", 'is = "20"', "start", "not-a-number"),
        ("is = 20", "is = 20.5", "start", "not-a-number"),
        ("is = 20", "is = true", "start", "not-a-number"),
        ("is = 20", "is = [20]", "start", "not-a-number"),
        ("is = 20", f"is = 0x{'f' * 5000}", "start", "out-of-range"),
        ("is = 20", f"is = [0x{'f' * 5000}]", "start", "not-a-number"),
        ("start =", '"st\\nart" =', "'st\\nart'", "unknown-key"),
        ("is = [0, 1, 2, 5,", "is = [0, 1, 6, 5,", "chart", "falls"),
        ("is = [0, 1, 2, 5,", "is = [0, 1, 2,", "chart", "wrong-count"),
        ("is = [15, 10, 5]", "is = [15, 10]", "bonus", "wrong-count"),
        ("is = [1, 2, 3]", "is = [1, 2, 3, 4]", "charge", "wrong-count"),
    ],
    "[money.loans.small]": [
        ("is = 10", "is = 0", "amount", "out-of-range"),
        ("[money.loans.small]", "[money.loans.tiny]", "money.loans.tiny", "unknown-key"),
    ],
    "[money.loans.large]": [
        ("is = 16", "is = 10", "amount", "out-of-range"),  # records tell loans apart by their amounts
        ("is = 20", "is = 15", "due", "out-of-range"),
        ("is = 30", "is = 19", "extended", "out-of-range"),
        ("is = 12", "is = 0", "cards", "out-of-range"),
        ("is = 12", "is = 100", "cards", "out-of-range"),
    ],
    "[pieces]": [
        ("[pieces]", "[peaces]", "peaces", "unknown-key"),
        ("is = 6", "is = 8", "warehouses", "out-of-range"),
        ("is = 6", "is = 0", "warehouses", "out-of-range"),
    ],
    'name = "mediterranean"': [
        ('"mediterranean"', "7", "name", "not-text"),
        ('"mediterranean"', '"Mare Nostrum@home"', "name", "bad-name"),
        ('"mediterranean"', f'"{"m" * 41}"', "name", "bad-name"),
        ('name = "mediterranean"', "", "name", "missing"),
    ],
}
WHOLE_KEYS = ("name", "cities.", "money.loans.tiny", "peaces")  # as they are; the others follow the table's name
EDITS = [
    pytest.param(edit[:2], table, edit[2] if edit[2].startswith(WHOLE_KEYS) else f"{table[1:-1]}.{edit[2]}", edit[3])
    for table, edits in BAD.items()
    for edit in edits
]


@pytest.mark.parametrize(("edit", "table", "key", "reason"), EDITS)
def test_bad_files_are_refused(
    edit: tuple[str, str], table: str, key: str, reason: str, write: Callable[[str], Path]
) -> None:
    refused(write(edited(*edit, table)), key, reason)


def refused(path: Path, key: str, reason: str) -> BadBoard:
    """Asserts that a file is refused for that key and reason, in one sentence that names file and key."""
    with pytest.raises(BadBoard) as caught:
        load(path)
    error = caught.value
    assert (error.file, error.key, error.reason) == (str(path), key, reason)
    sentence = str(error)
    assert str(path) in sentence
    assert key in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return error


def test_a_misspelt_name_is_answered_with_the_nearest(write: Callable[[str], Path]) -> None:
    error = refused(write(edited("[cities.Marseille]", "[cities.Marsielle]")), "cities.Marsielle", "unknown-city")
    assert str(error) == (
        f"In {error.file}, cities.Marsielle names Marsielle, which is not a city that belongs there; "
        "the nearest is Marseille."
    )


def test_no_purse_may_outgrow_its_field(write: Callable[[str], Path]) -> None:
    rich = edited("is = 20", "is = 999", "[money]").replace("75, 90, 110]", "75, 90, 999]")
    assert refused(write(rich), "money", "too-much-money").arguments["limit"] == 25_000
    owing = edited("is = 30", "is = 999", "[money.loans.large]").replace("cards = { is = 12", "cards = { is = 99")
    refused(write(owing), "money", "too-much-money")


def test_tables_and_lists_are_not_mistaken_for_each_other(write: Callable[[str], Path]) -> None:
    without_pieces = PACKAGED[: PACKAGED.index("[pieces]")]
    refused(write(without_pieces), "pieces", "missing")
    refused(write(without_pieces.replace("\nname =", "\npieces = 3\nname =")), "pieces", "not-a-table")


@pytest.mark.parametrize("text", ["[money", "a = 1\na = 2", "a = " + "[" * 100_000, "a = 1" + "0" * 5000])
def test_what_is_no_toml_is_refused(text: str, write: Callable[[str], Path]) -> None:
    refused(write(text), "", "not-toml")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere.toml", "", "no-file")
    refused(tmp_path, "", "unreadable")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    refused(binary, "", "not-toml")


def test_an_error_survives_pickling() -> None:
    error = BadBoard("mine.toml", "money.start", "out-of-range", found=-1, least=0, most=999)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "In mine.toml, money.start has -1, but only 0 to 999 is possible."


def test_a_sentence_can_be_translated() -> None:
    error = BadBoard("mine.toml", "money.start", "missing")
    german = {REASONS["missing"]: "In {file} fehlt {key}."}
    assert (
        error.sentence(lambda template, **arguments: german[template].format(**arguments))
        == "In mine.toml fehlt money.start."
    )
