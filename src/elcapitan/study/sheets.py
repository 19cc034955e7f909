"""The figures of a study as sheets of words and numbers, for a screen and for a page alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.arena.labels import SOURCE_NAMES, between, percent
from elcapitan.arena.summary import Spread
from elcapitan.study.economy import LAST, MEAN, WINNER, Comparison, Economy
from elcapitan.study.published import PublishedGame, published
from elcapitan.study.strategy import STRATEGIES
from elcapitan.text.catalogue import Translator, _

DASH: Final = "\N{EN DASH}"
UNKNOWN: Final = "-"
COMPARED: Final = {WINNER: _("winner"), MEAN: _("mean of all"), LAST: _("last place")}


@dataclass(frozen=True)
class Sheet:
    """A table: the first column has names, the others numbers."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sheets(t: Translator, economy: Economy) -> list[Sheet]:
    """All sheets of one number of players."""
    return [
        money_sheet(t, economy),
        *comparison_sheets(t, economy),
        phase_sheet(t, economy),
        victory_sheet(t, economy),
    ]


def money_sheet(t: Translator, economy: Economy) -> Sheet:
    """Money less debt after each payday, by rank, beside what published games ended with."""
    reported = published().with_players(economy.players)
    paydays = range(len(economy.phases))
    return Sheet(
        title=t.text("Money less debt after each payday: mean, least and most by final rank"),
        head=(
            t.text("rank"),
            *(t.text("payday {number}", number=payday + 1) for payday in paydays),
            *(t.text("published") for _ in reported),
        ),
        rows=tuple(
            (
                str(place.place),
                *(_with_range(t, worth) for worth in place.worth),
                *(str(game.money[number]) for game in reported),
            )
            for number, place in enumerate(economy.places)
        ),
    )


def comparison_sheets(t: Translator, economy: Economy) -> list[Sheet]:
    """Every published game of so many players beside ours."""
    games = published().with_players(economy.players)
    return [
        Sheet(
            title=headline(t, game),
            head=(
                t.text("florins"),
                t.text("published"),
                t.text("our mean"),
                t.text("our range"),
                t.text("our games below"),
            ),
            rows=tuple(
                (
                    compared(t, comparison),
                    f"{comparison.published:.0f}",
                    f"{comparison.mean:.0f}",
                    span(t, comparison.least, comparison.most),
                    f"{100 * comparison.lower:.0f} %",
                )
                for comparison in group
            ),
        )
        for game, group in zip(games, economy.comparisons, strict=True)
    ]


def headline(t: Translator, game: PublishedGame) -> str:
    """A published game in a line."""
    scores = " / ".join(map(str, game.money))
    if game.first_plays:
        return t.text("A published game, first plays, beside ours: {scores}", scores=scores)
    return t.text("A published game beside ours: {scores}", scores=scores)


def compared(t: Translator, comparison: Comparison) -> str:
    """What is compared."""
    if comparison.what in COMPARED:
        return t.template(COMPARED[comparison.what])
    return t.text("mean after payday {number}", number=comparison.what.rpartition("-")[2])


def phase_sheet(t: Translator, economy: Economy) -> Sheet:
    """How the phases went."""
    fewest, most = published().usual_rounds
    return Sheet(
        title=t.text("Rounds, loans and the end of each phase"),
        head=(
            t.text("phase"),
            t.text("rounds"),
            t.text("{fewest} to {most}", fewest=fewest, most=most),
            t.text("loans each"),
            t.text("extended"),
            t.text("built"),
            t.text("finished"),
            t.text("left over"),
        ),
        rows=tuple(
            (
                str(number),
                _with_range(t, phase.rounds),
                f"{100 * phase.usual:.0f} %",
                _with_range(t, phase.loans),
                UNKNOWN if phase.extended is None else f"{100 * phase.extended:.0f} %",
                f"{100 * phase.built:.0f} %",
                f"{phase.finished:.1f}",
                f"{phase.left:.1f}",
            )
            for number, phase in enumerate(economy.phases, start=1)
        ),
    )


def victory_sheet(t: Translator, economy: Economy) -> Sheet:
    """Victories by the distance from the starting player, and by what merchants lived on."""
    rows = [
        (
            t.text("starts") if not position else t.text("{number} after the start", number=position),
            str(share.games),
            percent(share.share.mean),
            between(share.share.low, share.share.high),
            percent(1 / economy.players),
        )
        for position, share in enumerate(economy.by_position)
        if share
    ]
    for kind in economy.strategies:
        if kind.share and kind.chance is not None:
            shown = (percent(kind.share.mean), between(kind.share.low, kind.share.high), percent(kind.chance))
        else:
            shown = (UNKNOWN, UNKNOWN, UNKNOWN)
        rows.append((t.template(STRATEGIES[kind.strategy]), str(kind.merchants), *shown))
    return Sheet(
        title=t.text("Victories by seat and by strategy"),
        head=(t.text("merchants"), t.text("number"), t.text("wins"), "95 %", t.text("by chance")),
        rows=tuple(rows),
    )


def source_sheet(t: Translator, economies: Sequence[Economy]) -> Sheet:
    """Where the money of a merchant came from, and where it went, for all numbers of players."""
    used = [source for source in SOURCE_NAMES if any(economy.sources[source] for economy in economies)]
    money = [f"{economy.money.mean:.1f}" for economy in economies]
    return Sheet(
        title=t.text("Where the money came from, and where it went"),
        head=("", *(seats(t, economy.players) for economy in economies)),
        rows=(
            *(
                (t.template(SOURCE_NAMES[source]), *(f"{economy.sources[source]:+.1f}" for economy in economies))
                for source in used
            ),
            (t.text("money at the end"), *money),
        ),
    )


def seats(t: Translator, players: int) -> str:
    """A number of players."""
    return t.text("{players} players", players=players)


def borrowing(t: Translator, economy: Economy) -> str:
    """Whether everybody needs loans, as a sentence."""
    return t.text(
        "{share} of the merchants borrowed, {loans:.1f} loan cards each in a game.",
        share=percent(economy.borrowers),
        loans=economy.loans,
    )


def notes(t: Translator) -> list[str]:
    """How the figures are meant."""
    return [
        t.text("Money after a payday is what is left when everything still owed is taken off."),
        t.text(
            "Our games below: the share of our games whose figure is lower than that of the published game. At 0 % and "
            "at 100 % it lies outside of all our games."
        ),
        t.text(
            "Built: the share of games in which the phase ended because somebody had built everything; else everybody "
            "passed. Finished: merchants with nothing left to build. Left over: pieces that each of the others had."
        ),
        t.text(
            "Whoever earned more by proliferation and bonus cards than by majorities and fortresses has spread out; "
            "whoever earned a larger share by them than the others at the table leaned to it. Only games with both "
            "kinds at the table count, and chance would give each kind its share of the seats."
        ),
    ]


def span(t: Translator, least: float, most: float) -> str:
    """A range; a dash beside a minus sign would be hard to read."""
    if least < 0:
        return t.text("{fewest} to {most}", fewest=f"{least:.0f}", most=f"{most:.0f}")
    return f"{least:.0f}{DASH}{most:.0f}"


def _with_range(t: Translator, found: Spread) -> str:
    """A mean with the least and the most."""
    return f"{found.mean:.1f} ({span(t, found.least, found.most)})"
