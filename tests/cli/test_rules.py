"""Looking the rules up."""

from tests.cli.running import output

RULE = (
    "WARE-07  A row of one player\N{RIGHT SINGLE QUOTATION MARK}s warehouses is never longer than three (see G-15).\n"
)


def test_chapters() -> None:
    page = output("rules")
    assert "WARE" in page and "Building a warehouse" in page
    assert "Rulings" in page


def test_by_name() -> None:
    assert output("rules", "WARE-07") == RULE
    assert output("rules", "ex-12").startswith("EX-12  ")
    assert output("rules", "g-6").startswith("G-06  ")


def test_in_german() -> None:
    answer = output("rules", "ware-7", "--language", "de")
    assert answer.startswith("WARE-07  Eine Reihe von Lagerhäusern eines Spielers ist niemals länger als drei")


def test_by_chapter() -> None:
    page = output("rules", "LISB")
    assert [line[:7] for line in page.splitlines() if line.startswith("LISB-")] == [f"LISB-0{n}" for n in range(1, 5)]
    assert "4 entries" in page


def test_by_words_all_of_which_must_occur() -> None:
    page = output("rules", "protection", "building")
    assert "EX-38" in page and "PIRATE-07" not in page


def test_words_are_highlighted() -> None:
    page = output("rules", "pirate", "protection", NO_COLOR="", FORCE_COLOR="1", TERM="xterm")
    assert "\x1b[7mprotection\x1b[0m" in page


def test_french_punctuation_stays_with_its_word() -> None:
    assert not any(line.startswith((";", ":", "»")) for line in output("rules", "G", "--language", "fr").splitlines())
