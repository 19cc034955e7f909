"""Games at the terminal, played by scripts."""

import json
from pathlib import Path

import pytest
from rich.console import Console
from tests.cli.running import flat, mistake, output, program
from tests.playing import random_game

from elcapitan.board.figures import packaged
from elcapitan.cli.terminal_game.painter import Painter
from elcapitan.records import json_record as record
from elcapitan.text.catalogue import translator
from elcapitan.text.names import Names

START = ("play", "--players", "3", "--seed", "3", "--first", "1")
FIRST_TURN = "buy Marseille/3\nsail Marseille/3\nbuild 2\nend\n"


def test_first_screen_tells_a_newcomer_what_to_do() -> None:
    page = flat(output(*START, keys=""))
    assert "Whoever has the most money after the third wins." in page
    assert "Choose by typing a number from the list." in page
    assert "Red: buy a destination card, sail with it to its city and build there." in page
    assert "1) Marseille (3 seals) for 6" in page
    assert "The game is saved. Go on with: elcapitan play --resume" in page


def test_a_turn_by_numbers_and_by_text() -> None:
    by_text = output(*START, keys=FIRST_TURN)
    assert "Red builds a warehouse in Marseille on site 2 for 4." in by_text
    assert "Yellow: buy a destination card" in by_text
    by_number = output(*START, keys="1\n10\n11\nend\n")
    assert "Red builds a warehouse in Marseille on site 2 for 4." in by_number


def test_colours(own_data: Path) -> None:
    page = output(
        "play", "--players", "2", "--seed", "3", "--first", "1", "--colours", "Purple, blau,yellow,vert", keys=""
    )
    assert "Py Purple Bg Blue" in flat(page), "with the letters of their neutral colours"
    assert "Purple: buy a destination card" in page
    again = output("play", "--resume", keys="")
    assert "Py Purple Bg Blue" in flat(again), "they are kept with the unfinished game"
    assert "R Red B Blue" in flat(output("play", "--resume", "--colours", "red,blue", keys=""))
    assert "B Ana R Rui" in flat(output("play", "--seed", "3", "--names", "Ana,Rui", "--colours", "blue,red", keys=""))
    kept = own_data / "unfinished-table.json"
    kept.write_text(kept.read_text().replace('"colours": [3, 0]', '"colours": [3, 9]'))
    assert "R Ana Y Rui" in flat(output("play", "--resume", keys="")), "what cannot be is as usual"


def test_neutral_pieces_have_small_letters_of_their_colour() -> None:
    console = Console(color_system=None)
    names = Names(translator("en"), packaged(), ("Ana", "Rui"))
    chosen = Painter(console, names, 2, (4, 3, 1, 2))
    assert [chosen.piece(colour).plain for colour in range(4)] == ["P", "B", "y", "g"]
    usual = Painter(console, names, 2)
    assert [usual.piece(colour).plain for colour in range(4)] == ["R", "Y", "r", "y"]


@pytest.mark.parametrize(
    ("colours", "sentence"),
    [
        ("red,red", "Two merchants cannot have the same colour."),
        ("red,mauve", "'mauve' is not a colour of a merchant; there are Red, Yellow, Green, Blue, Purple."),
        ("red", "Colours in --colours: 1; needed: 2"),
        ("red,blue,green", "Colours in --colours: 3; needed: 2"),
    ],
)
def test_colours_that_cannot_be(colours: str, sentence: str) -> None:
    assert sentence in flat(mistake("play", "--players", "2", "--colours", colours, keys=""))


def test_undo() -> None:
    page = output(*START, keys="buy Marseille/3\nundo\nbuy Venezia/2\nsail Venezia/2\nundo turn\nundo\nquit\n")
    assert page.count("Undone.") == 2
    assert "There is nothing to undo in this turn." in page


def test_undo_ends_with_a_card_turned_up() -> None:
    page = output(*START, keys=FIRST_TURN + "undo\n")
    assert "A card has been turned up since; this cannot be undone." in page


def test_save_and_resume(tmp_path: Path, own_data: Path) -> None:
    saved = tmp_path / "evening.json"
    page = output(*START, "--names", "Anna,Bert,Cleo", keys=FIRST_TURN + f"save {saved}\nquit\n")
    assert "The game is saved in" in page and "Anna builds a warehouse" in page
    assert (own_data / "unfinished.json").exists()
    again = output("play", "--resume", keys="hands\nquit\n")
    assert "Bert: buy a destination card" in again and "Nobody has a card." in again
    from_file = output("play", "--resume", saved, keys="quit\n")
    assert "Yellow: buy a destination card" in from_file
    assert output("play", saved, keys="quit\n").splitlines()[:8] == from_file.splitlines()[:8]


def test_the_game_is_kept_in_a_file_of_its_own(tmp_path: Path) -> None:
    kept = tmp_path / "kept.capitan"
    output(*START, "--save", kept, keys=FIRST_TURN)
    assert "not finished" in output("replay", kept)
    assert "cannot be written" in mistake(*START, "--save", tmp_path / "no" / "where.json", keys="")


def test_looking_things_up() -> None:
    page = output(
        *START, keys="help\nforecast\ncity napoli\ncity Romme\nrules WARE-07\nrules zzz\nsail\nbuy\ntable\n99\nfly\n"
    )
    assert "undoes the last action" in page
    assert "A payday now would pay:" in page
    assert "First rank earns 0 now." in page
    assert "Romme is not a city; the nearest is" in page
    assert "is never longer than three (see G-15)." in page
    assert "Nothing found in the rules for zzz" in page
    assert "Nothing of that kind is possible now." in page
    assert "There is no 99 in the list: it goes from 1 to 10." in page
    assert "'fly' is not understood" in page


def test_what_the_rules_forbid_is_refused_with_the_rule() -> None:
    page = output(*START, keys="build 1\nloan 10\nsail Napoli/1\nend\n")
    assert "To build, the ship must lie in a harbour of the city. [TURN-12]" in page
    assert "In the first round of the game there are no loans. [LOAN-06]" in page
    assert "Napoli/1 is not in your hand. [BUY-03]" in page
    assert "Before the turn ends, something must be built. [TURN-03]" in page
    assert "Bevor der Zug endet, muss etwas gebaut sein. [TURN-03]" in output(*START, "--language", "de", keys="end\n")


def test_in_german_with_german_words() -> None:
    page = output(*START, "--language", "de", keys="1\nsegeln\nrückgängig\nvorschau\nschluss\n")
    assert "Rot: eine Zielkarte kaufen" in page
    assert "Rot kauft Marseille (3 Siegel) für 6." in page
    assert "Rückgängig gemacht." in page and "Ein Zahltag jetzt brächte:" in page
    assert "Die Partie ist gespeichert." in page


def test_a_game_to_its_end(tmp_path: Path, own_data: Path) -> None:
    game = random_game(2, seed=4)
    content = record.to_json(game)
    del content["result"]
    last = [number for number, event in enumerate(content["events"]) if "seat" in event][-1]
    typed = content["events"][last]
    content["events"] = content["events"][:last]
    file = tmp_path / "late.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    page = output(
        "play", file, keys=f"{typed['do']}\n" if typed["do"] in ("end", "pass") else f"loan {typed.get('amount')}\n"
    )
    assert "Payday 3" in page and "proliferation" in page
    assert "wins the game!" in page or "share the victory!" in page
    assert not (own_data / "unfinished.json").exists()


def test_after_a_payday_loans_are_settled_and_a_starter_named(tmp_path: Path) -> None:
    content = record.to_json(random_game(2, seed=4))
    del content["result"]
    events = content["events"]
    named = next(number for number, event in enumerate(events) if event.get("do") == "starter")
    settled = next(number for number, event in enumerate(events) if event.get("do") in ("repay", "extend"))
    file = tmp_path / "payday.json"
    closing = max(number for number in range(settled) if "seat" in events[number])
    file.write_text(json.dumps({**content, "events": events[:closing]}), encoding="utf-8")
    keys = "".join(f"{text_of(event)}\n" for event in events[closing : named + 1] if "seat" in event)
    page = output("play", file, keys=keys)
    assert "Payday 1" in page and "repay or extend each loan" in page
    assert "Money check, cash less loans: 1. " in page and "names the starting player." in page
    assert "Phase 2 begins. Everyone gets new pieces." in page


def text_of(event: dict[str, object]) -> str:
    if event["do"] == "starter":
        return f"starter {int(str(event['who'])) + 1}"
    return f"{event['do']} {event['amount']}" if "amount" in event else str(event["do"])


@pytest.mark.parametrize(("columns", "lines"), [("100", "40"), ("80", "24"), ("60", "20")])
def test_every_line_fits_the_window(columns: str, lines: str, tmp_path: Path) -> None:
    game = random_game(4, ["Porto", "Lisboa"], seed=2, most=120)
    file = tmp_path / "middle.json"
    file.write_text(json.dumps(record.to_json(game)), encoding="utf-8")
    page = output("play", file, keys="help\nforecast\n", COLUMNS=columns, LINES=lines)
    assert max(len(line.rstrip()) for line in page.splitlines()) <= int(columns)
    assert ("╭ Porto" in page) == (columns == "100")


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_line_fits_in_every_language(language: str, tmp_path: Path) -> None:
    game = random_game(2, ["Porto", "Lisboa"], seed=2, most=120)
    file = tmp_path / "middle.json"
    file.write_text(json.dumps(record.to_json(game)), encoding="utf-8")
    page = output("play", file, "--language", language, keys="?\nvorschau\nprévision\n", COLUMNS="80", LINES="24")
    assert max(len(line.rstrip()) for line in page.splitlines()) <= 80
    assert "…" not in page


def test_a_terminal_without_unicode() -> None:
    answer = program(*START, "--language", "fr", keys="1\n", PYTHONIOENCODING="ascii", LINES="40")
    assert answer.returncode == 0 and answer.stderr == ""
    assert "+ Marseille ---" in answer.stdout and "H .4 .5" in answer.stdout


def test_the_program_itself() -> None:
    answer = program(*START, "--language", "fr", keys="1\nquitter\n")
    assert answer.returncode == 0 and answer.stderr == ""
    assert "Rouge achète Marseille (3 sceaux) pour 6." in answer.stdout
