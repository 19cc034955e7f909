"""What is wrong with a sentence that players read, as far as a pattern can tell: spaces, elision, number."""

import re
from collections.abc import Iterator
from typing import Final

from elcapitan.engine.vocabulary import CITY_NAMES

NO_BREAK: Final = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
VOWELS: Final = "aeiouyàâéèêëîïôöûùüœ"
QUOTE: Final = "\N{RIGHT SINGLE QUOTATION MARK}"

# Nouns that numbers stand before: one, and several.
NOUNS: Final = {
    "en": (
        "seat seats|name names|colour colours|game games|event events|warehouse warehouses|fortress fortresses|"
        "card cards|loan loans|second seconds|round rounds|step steps|seal seals|florin florins|player players|"
        "merchant merchants|action actions|city cities|byte bytes|character characters|letter letters|digit digits|"
        "place places|way ways|friend friends|turn turns|site sites|harbour harbours|day days|entry entries|"
        "figure figures|message messages|thing things|choice choices|payday paydays|phase phases|header headers|"
        "variation variations|link links"
    ),
    "de": (
        "Platz Plätze|Name Namen|Farbe Farben|Partie Partien|Ereignis Ereignisse|Lagerhaus Lagerhäuser|"
        "Festung Festungen|Karte Karten|Sekunde Sekunden|Runde Runden|Schritt Schritte|Aktion Aktionen|Stadt Städte|"
        "Byte Bytes|Buchstabe Buchstaben|Ziffer Ziffern|Weg Wege|Freund Freunde|Zug Züge|Bauplatz Bauplätze|"
        "Hafen Häfen|Tag Tage|Eintrag Einträge|Zahl Zahlen|Nachricht Nachrichten|Ding Dinge|"
        "Möglichkeit Möglichkeiten|Zahltag Zahltage|Phase Phasen|Kopfzeile Kopfzeilen|Variante Varianten|Link Links|"
        "Kaufmann Kaufleute"
    ),
    "fr": (
        "place places|nom noms|couleur couleurs|partie parties|événement événements|entrepôt entrepôts|"
        "forteresse forteresses|carte cartes|emprunt emprunts|seconde secondes|manche manches|sceau sceaux|"
        "florin florins|joueur joueurs|marchand marchands|action actions|ville villes|octet octets|"
        "caractère caractères|lettre lettres|chiffre chiffres|chemin chemins|ami amis|tour tours|"
        "emplacement emplacements|port ports|jour jours|entrée entrées|message messages|chose choses|phase phases|"
        "variante variantes|lien liens|option options"
    ),
}
ONE: Final = {"en": ("1",), "de": ("1",), "fr": ("0", "1")}  # numbers that stand before a noun in the singular
BETWEEN: Final = r"(?:(?:neutral|neutrales?|neutrale|destination|loan|more|other|weitere|autres) )?"

# A key that can be pressed, and what is written as programs write it.
NO_MARK: Final = re.compile(
    r"Content-Type: |Authorization: |(?:touche|Taste|key)\s\?|, \? (?:explique|erklärt|explains)"
)
NOT_ELIDED: Final = re.compile(r"\bde (?:un à|oui|onze)\b|\bde --")
NOTATION: Final = re.compile(r"\bS(?:\d+\b|\{)|\b(?:" + "|".join(map(re.escape, CITY_NAMES)) + r")/\d")


def _numbered(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of a wrong plural and of a wrong singular."""
    pairs = [pair.split() for pair in NOUNS[language].split("|")]
    one, several = ("|".join(words) for words in zip(*pairs, strict=True))
    few, many = "|".join(ONE[language]), "2" if language == "fr" else "0|2"
    return (
        re.compile(rf"(?<![\w.:/,-])(?:{few}) {BETWEEN}(?:{several})\b(?! \d)"),
        re.compile(rf"(?<![\w.:/,-])(?:{many}) (?:{one})\b(?!-)"),
    )


NUMBERED: Final = {language: _numbered(language) for language in NOUNS}

SPACED: Final = re.compile(r"  | [,.](?=\s|$)|\( | \)")
SPACED_AS_ENGLISH: Final = re.compile(rf"[ {NO_BREAK}][:;!?](?=\s|$)")
SPACED_AS_FRENCH: Final = re.compile(rf"(?<![{NO_BREAK}])[:;!?](?=\s|$)|(?<![{NO_BREAK}])»|«(?![{NO_BREAK}])")
FULL: Final = re.compile(
    rf"(?<![\w-])(?:de|que|le|la|je|me|te|se|ne|jusque|lorsque|puisque|quoique) [{VOWELS}]", re.IGNORECASE
)
ELIDED: Final = re.compile(rf"\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu){QUOTE}(?![{VOWELS}h«])", re.IGNORECASE)


def faults(language: str, said: str) -> Iterator[str]:
    """Tell what is wrong with a sentence whose arguments are filled in."""
    if SPACED.search(said):
        yield "a space too many"
    if re.search(r"[{}]", said.replace("{ is = ..., source = ... }", "")):
        yield "an argument is not filled in"
    several, one = NUMBERED[language]
    if several.search(said):
        yield "a plural after one"
    if one.search(said):
        yield "a singular after several"
    said = NO_MARK.sub("", said)
    if language != "fr":
        if SPACED_AS_ENGLISH.search(said):
            yield "a space before a mark"
        return
    if SPACED_AS_FRENCH.search(said):
        yield "no no-break space before a mark"
    if FULL.search(NOT_ELIDED.sub("", said)):
        yield "no elision before a vowel"
    if ELIDED.search(said):
        yield "an elision before a consonant"


def notation(text: str) -> list[str]:
    """Find what people write in drawings and records, but do not say: S1 for a site, Napoli/1 for a card."""
    return NOTATION.findall(text)
