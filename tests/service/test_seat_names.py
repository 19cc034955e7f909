"""Names that look alike: at a new table, when somebody is renamed, in records and in games that were stored before."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.service.table_helpers import THREE, with_tables

from elcapitan.errors import BadSetup
from elcapitan.service import Seat, Tables, seat_names
from elcapitan.service.seat_names import IGNORABLE, NAME_LENGTH, alike, is_unseen, numbered, skeleton, tidy_name
from elcapitan.service.table_settings import changed, checked, with_distinct_names, with_seat
from elcapitan.text.catalogue import translator
from elcapitan.text.names import COLOUR_NAMES, PALETTE

PERSIAN = "مه\u200cرو"  # with a non-joiner, which the script needs
FILLER = "\u115f"
NONE: list[list[str]] = [[], [], []]


@pytest.mark.parametrize(
    "other",
    [
        "Ana",
        "ANA",
        "\u0430na",  # begins with a Cyrillic letter
        "\u0410na",
        "\uff21\uff4e\uff41",  # full width
        "\U0001d400\U0001d427\U0001d41a",  # mathematical letters
        "An\u0251",
        "A\u039dA",  # with a Greek capital Nu
        f"An{FILLER}a",
        "An\u200da",
        "A\ufe0fna",
        "\u13aana",  # begins with a Cherokee letter
    ],
)
def test_names_that_look_like_ana(other: str) -> None:
    assert alike("Ana", other) and alike(other, "Ana")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ina", "lna"), ("Zoë", "Zoe\u0308"), ("Zoë", "Zoё"), ("Player 1", "Player l"), ("m", "rn"), ("علي", "على")],
)
def test_other_names_that_look_alike(one: str, other: str) -> None:
    assert alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Anna"),
        ("José", "Jose"),
        ("Jörg", "Jorg"),
        ("Ilse", "Else"),
        ("Инна", "Инга"),
        ("Friend 1", "Friend 2"),
        ("李明", "李月"),
        (PERSIAN, "مه"),
        ("👩\u200d💻", "👨\u200d💻"),
        ("", "Ana"),
    ],
)
def test_names_that_can_be_told_apart(one: str, other: str) -> None:
    assert not alike(one, other)


def test_all_of_unicodes_list_is_known_and_no_prototype_looks_like_another() -> None:
    prototypes = seat_names.prototypes()
    assert len(prototypes) > 6500
    assert all(prototype.translate(prototypes) == prototype for prototype in prototypes.values())
    assert all(not skeleton(chr(code)) for first, last in IGNORABLE for code in (first, last))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (PERSIAN, PERSIAN),
        ("क्\u200dष", "क्\u200dष"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("\u200dAn\u200da\u200c", "Ana"),
        ("مه\u200c\u200cرو", "مه\u200cرو"),
        ("a\u202eb\x00c,d", "a b c d"),
        ("\u200b\u200d\u2060", ""),
        ("x" * 99, "x" * NAME_LENGTH),
    ],
)
def test_joiners_stay_where_a_script_needs_them(given: str, kept: str) -> None:
    assert tidy_name(given) == kept == tidy_name(kept)


@pytest.mark.parametrize("letter", ["\u115f", "\u1160", "\u3164", "\uffa0", "\u17b4", "\u034f", "\u2800"])
def test_invisible_characters_are_refused(letter: str) -> None:
    assert is_unseen(letter)
    with pytest.raises(BadSetup, match=f"U\\+{ord(letter):04X}"):
        checked(replace(THREE, seats=(Seat(name=f"A{letter}", colour=0), Seat(colour=1), Seat(colour=2))))


# -------------------------------------------------------------------------------------------------------- at a table


def seats(*names: str) -> tuple[Seat, ...]:
    """Three seats with these names."""
    return tuple(Seat(name=name, colour=colour) for colour, name in enumerate(names))


@pytest.mark.parametrize("names", [("Ana", "Ben", "Ana"), ("Ana", "\u0410na", ""), ("", "leyla", "Leyla")])
def test_a_new_table_refuses_names_that_are_alike(names: tuple[str, ...]) -> None:
    with pytest.raises(BadSetup, match="Two merchants are called"):
        checked(replace(THREE, seats=seats(*names)))


def test_the_colour_of_a_seat_without_a_name_is_taken() -> None:
    for name in ("Blue", "blau", "\u0412lue"):  # the last begins with a Cyrillic letter
        with pytest.raises(BadSetup, match="Two merchants are called"):
            checked(replace(THREE, seats=seats(name, "", "")))
        checked(replace(THREE, seats=seats("", name, "")))  # that seat is blue


def test_stored_names_that_are_alike_stay_and_only_new_ones_are_checked() -> None:
    stored = replace(THREE, seats=seats("Ana", "\u0410na", f"A{FILLER}"))
    assert changed(stored, {"pace": "slow"}).seats == stored.seats
    assert changed(stored, with_seat(stored, 1, name="Ben")).seats[1].name == "Ben"
    with pytest.raises(BadSetup, match="Two merchants are called"):
        changed(stored, with_seat(stored, 2, name="ana"))
    assert changed(stored, with_seat(stored, 0, name="")).seats[0].name == ""


def test_names_can_be_exchanged() -> None:
    table = replace(THREE, seats=seats("Ana", "Ben", "Cleo"))
    assert [seat.name for seat in changed(table, {"names": ["Ben", "Ana", "Cleo"]}).seats] == ["Ben", "Ana", "Cleo"]


# ----------------------------------------------------------------------------------------------------- from elsewhere


def test_names_from_elsewhere_are_numbered() -> None:
    assert numbered(["Ana", "\u0410na", "ANA"], NONE) == ["Ana", "\u0410na 2", "ANA 3"]
    assert numbered(["Ana", "Ana", "Ana 2"], NONE) == ["Ana", "Ana 3", "Ana 2"]
    assert numbered(["", "Ana", ""], [["ana", "Ana 2"]] * 3) == ["", "Ana 3", ""]
    assert numbered(["x" * NAME_LENGTH] * 2, NONE)[1] == "x" * (NAME_LENGTH - 2) + " 2"
    for names in (("Ana", f"A{FILLER}na", "ANA"), ("Blue", "", "Blue 2"), ("Bleu", FILLER, "Blau")):
        checked(with_distinct_names(replace(THREE, seats=seats(*names))))


def test_records_with_names_that_are_alike_are_brought_in_numbered(tmp_path: Path) -> None:
    async def import_record(tables: Tables) -> None:
        table = await tables.create(replace(THREE, seats=seats("Ana", "Ben", "Cleo")))
        record = tables.export(table, "capitan")
        assert "Ana, Ben, Cleo" in record
        brought = await tables.import_record(
            record.replace("Ana, Ben, Cleo", f"Ana, \u0410na, An{FILLER}a"), "game.capitan"
        )
        assert list(brought.names()) == ["Ana", "\u0410na 2", "Ana 3"]
        again = await tables.branch(brought.id, 1)
        assert again.names() == brought.names()
        with pytest.raises(BadSetup, match="Two merchants are called"):
            await tables.rename(brought.id, 1, "An\u0430")

    with_tables(tmp_path / "games.db", import_record, bots=False)


@pytest.mark.parametrize("name", ["Host", "HOST", "Gastgeber", "Hôte"])
def test_a_seat_cannot_be_called_like_a_host_who_speaks(name: str) -> None:
    with pytest.raises(BadSetup):
        checked(replace(THREE, seats=seats("Ana", name, "Cleo")))


def test_colours_of_others_are_no_names_even_if_those_have_names_now() -> None:
    """A name may be taken away later, and then the seat is called by its colour."""
    table = replace(THREE, seats=seats("Ana", "Ben", "Cleo"))
    colours = {number: translator("en").template(COLOUR_NAMES[PALETTE[number]]) for number in range(3)}
    with pytest.raises(BadSetup):
        changed(table, {"names": ["Ana", colours[0], "Cleo"]})
    assert changed(table, {"names": [colours[0], "Ben", "Cleo"]}).seats[0].name == colours[0], "one's own may be"


@pytest.mark.parametrize("blank", ["\u2800", "\U00016fe4", "\U0001d159"])
def test_letters_that_draw_nothing_are_refused(blank: str) -> None:
    with pytest.raises(BadSetup):
        checked(replace(THREE, seats=seats("Ana", f"Ana{blank}", "Cleo")))
