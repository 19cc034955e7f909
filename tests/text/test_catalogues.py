"""Every message is translated into all languages, whole and with the same placeholders."""

import functools
import string
from collections.abc import Iterator

import pytest
from tests.text.wording import faults, notation

from elcapitan.engine import refusals
from elcapitan.error_messages import REASONS, REFUSALS
from elcapitan.text import extract
from elcapitan.text.catalogue import DEFAULT, LANGUAGES, TRANSLATED, preferred, read, translator
from elcapitan.text.rulebook import chapters, find, items, near

Key = tuple[str, str]
FOLDER = extract.sources() / "rulebook"


def first(message: str | tuple[str, ...] | list[str]) -> str:
    return message if isinstance(message, str) else message[0]


def forms(translation: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (translation,) if isinstance(translation, str) else tuple(translation or ())


def placeholders(text: str) -> set[str]:
    return {f"{name}:{spec}" for _, name, spec, _ in string.Formatter().parse(text) if name is not None}


@functools.cache
def messages() -> tuple[tuple[extract.Message, str | None], ...]:
    return tuple((message, context) for _module, message, context in extract.found())


def wanted() -> set[Key]:
    return {(context or "", first(message)) for message, context in messages()}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_there_and_no_other(language: str) -> None:
    here = {(entry.context or "", first(entry.id)) for entry in read(language) if entry.id}
    assert here == wanted(), "run: python -m elcapitan.text.extract"


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated_for_good(language: str) -> None:
    for entry in read(language):
        if entry.id:
            assert all(forms(entry.string)), f"{language}: {entry.id!r} has no translation"
            assert not entry.fuzzy, f"{language}: {entry.id!r} is not sure"
    assert not read(language).obsolete


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_are_the_same(language: str) -> None:
    for entry in read(language):
        if not entry.id:
            continue
        english = {name for form in forms(entry.id) for name in placeholders(form)}
        for form in forms(entry.string):
            assert placeholders(form) <= english, f"{language}: {form!r}"
            optional = {"number:"} if len(forms(entry.id)) > 1 else set()
            assert english - optional <= placeholders(form), f"{language}: {form!r}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_plural_forms(language: str) -> None:
    catalogue = read(language)
    assert catalogue.num_plurals == 2
    for entry in catalogue:
        if entry.id and not isinstance(entry.id, str):
            assert len(forms(entry.string)) == 2


def test_english_says_what_the_sources_say() -> None:
    for _context, message in wanted():
        assert translator(DEFAULT).template(message) == message


def test_french_counts_nothing_in_the_singular() -> None:
    def entries(language: str, number: int) -> str:
        return translator(language).plural("{number} entry", "{number} entries", number)

    assert [entries("fr", number) for number in (0, 1, 2)] == ["0 entrée", "1 entrée", "2 entrées"]
    assert [entries("de", number) for number in (0, 1, 2)] == ["0 Einträge", "1 Eintrag", "2 Einträge"]
    assert [entries("en", number) for number in (0, 1, 2)] == ["0 entries", "1 entry", "2 entries"]


def test_every_error_has_a_sentence_in_every_language() -> None:
    for language in ("de", "fr"):
        known = {first(entry.id) for entry in read(language) if entry.id}
        assert {*REASONS.values(), *REFUSALS.values()} <= known


def test_every_refusal_has_a_sentence_and_a_rule() -> None:
    for refusal in refusals.REFUSALS[1:]:  # the first means that nothing is wrong
        assert placeholders(REFUSALS[refusal.reason]) <= {f"{name}:" for name in refusal.arguments}
        assert refusal.rule in items(DEFAULT)
    assert set(REFUSALS) == {refusal.reason for refusal in refusals.REFUSALS[1:]}


def texts(language: str) -> Iterator[str]:
    for entry in read(language):
        yield from forms(entry.string)


def test_typography() -> None:
    for text in texts("fr"):
        assert " :" not in text and " ;" not in text and " !" not in text and " ?" not in text, text
        assert "'" not in text, text
    for text in texts("de"):
        assert "“" not in text or "„" in text, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulebooks_have_the_same_items(language: str) -> None:
    assert list(items(language)) == list(items(DEFAULT))
    assert [chapter.code for chapter in chapters(language)] == [chapter.code for chapter in chapters(DEFAULT)]


def test_rules_are_found_by_name_chapter_and_words() -> None:
    assert [item.name for item in find("en", ["ware-7"])] == ["WARE-07"]
    assert [item.name for item in find("de", ["G-06", "EX-12"])] == ["G-06", "EX-12"]
    assert len(find("fr", ["LISB"])) == 4
    assert "REOPEN-01" in [item.name for item in find("fr", ["entrepot", "ROUVRIR"])]
    assert find("en", ["zzz"]) == []
    assert "warehouse" in near("en", "warehose")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "fr_FR"}, "fr"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ({"LANG": "it_IT", "LANGUAGE": "it:fr:en"}, "fr"),
        ({"LANG": "sv_SE.UTF-8"}, "en"),
        ({"LANG": "de_DE", "ELCAPITAN_LANGUAGE": "fr"}, "fr"),
    ],
)
def test_language_of_the_environment(environment: dict[str, str], language: str) -> None:
    assert preferred(None, environment) == language
    assert preferred("de", environment) == "de"


ELIDED = {
    "Inês": "d\N{RIGHT SINGLE QUOTATION MARK}Inês",
    "Élodie": "d\N{RIGHT SINGLE QUOTATION MARK}Élodie",
    "Marco": "de Marco",
}


@pytest.mark.parametrize("who", ELIDED)
def test_french_elides_before_a_vowel(who: str) -> None:
    assert translator("fr").text("Hand of {who}", who=who) == f"Main {ELIDED[who]}"
    assert translator("de").text("Hand of {who}", who=who) == f"Hand von {who}"


LIMITS = {"players", "most", "least", "limit", "wanted", "scheduled", "each", "destinations", "links"}  # never 0 or 1


def filled(template: str, value: object) -> dict[str, object]:
    """The same value for every placeholder; a number where a number is formatted, and two at least for a limit."""
    fields = {name: spec for _, name, spec, _ in string.Formatter().parse(template) if name and name != "number"}
    more = max(value, 2) if isinstance(value, int) else value
    return {name: 1.5 if spec else more if name in LIMITS else value for name, spec in fields.items()}


def said_with(language: str, value: object) -> Iterator[str]:
    """Every message of a language, filled with a value."""
    t = translator(language)
    for message, context in messages():
        if not isinstance(message, str):
            number = value if isinstance(value, int) else 2
            yield t.plural(message[0], message[1], number, **filled(message[1], value))
        elif context:
            yield t.particular(context, message, **filled(message, value))
        else:
            yield t.text(message, **{"number": value, **filled(message, value)})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("value", [0, 1, 2, "Inês", "Marco", "Alexandria"])
def test_every_message_reads_well_with_any_argument(language: str, value: object) -> None:
    wrong = [(fault, said) for said in said_with(language, value) for fault in faults(language, said)]
    assert not wrong, "\n".join(f"{fault}: {said}" for fault, said in wrong)


@pytest.mark.parametrize(
    ("language", "said", "fault"),
    [
        ("en", "1 seats are given", "a plural after one"),
        ("en", "1 destination cards", "a plural after one"),
        ("en", "0 card in hand", "a singular after several"),
        ("en", "at site 1: 2 florin", "a singular after several"),
        ("en", "who ?", "a space before a mark"),
        ("en", "two  spaces", "a space too many"),
        ("en", "for {price}", "an argument is not filled in"),
        ("de", "1 Lagerhäuser im Bestand", "a plural after one"),
        ("de", "2 Partie", "a singular after several"),
        ("fr", "1 florins", "a plural after one"),
        ("fr", "0 florins", "a plural after one"),
        ("fr", "2 entrée", "a singular after several"),
        ("fr", "Acheter: Napoli", "no no-break space before a mark"),
        ("fr", "Acheter : Napoli", "no no-break space before a mark"),
        ("fr", "Vraiment?", "no no-break space before a mark"),
        ("fr", "«\N{NO-BREAK SPACE}aide »", "no no-break space before a mark"),
        ("fr", "le tour de Inês", "no elision before a vowel"),
        ("fr", "tous les ports de Alexandria", "no elision before a vowel"),
        ("fr", "il ferme le entrepôt", "no elision before a vowel"),
        ("fr", "il ferme l\N{RIGHT SINGLE QUOTATION MARK}premier entrepôt", "an elision before a consonant"),
        ("fr", "main d\N{RIGHT SINGLE QUOTATION MARK}Marco", "an elision before a consonant"),
    ],
)
def test_a_fault_is_seen(language: str, said: str, fault: str) -> None:
    assert list(faults(language, said)) == [fault]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "1 seat, 0 seats, phase 1 of 3, 2 merchants. Ready: 1 of 2 friends"),
        ("de", "Phase 1, Runde 1: 0 Karten, 1 Karte, 2 Karten"),
        ("fr", "0 florin, 1 florin, 2 florins\N{NO-BREAK SPACE}; le tour d\N{RIGHT SINGLE QUOTATION MARK}Inês"),
        (
            "fr",
            "admiral:sims=400\N{NO-BREAK SPACE}: l\N{RIGHT SINGLE QUOTATION MARK}hôte\N{NO-BREAK SPACE}?",
        ),
    ],
)
def test_what_is_right_is_let_pass(language: str, said: str) -> None:
    assert not list(faults(language, said))


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_read_no_notation(language: str) -> None:
    """Nobody says S1 or Napoli/1: these are for drawings, records and programs."""
    assert notation("on S1") and notation("auf S{site}") and notation("buy Napoli/1") and not notation("SHA-256, S 1")
    said = [translator(language).template(first(message)) for message, _context in messages()]
    rules = [item.text for item in items(language).values()]
    book = [(FOLDER / f"{name}.{language}.md").read_text(encoding="utf-8") for name in ("rules", "rulings")]
    assert not [text for text in (*said, *rules, *book) if notation(text)]
