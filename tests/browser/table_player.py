"""Somebody at the table: sees what the page offers, and clicks."""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from elcapitan.engine.actions import family
from elcapitan.web.view.offers import HELD

MINUS: Final = "\N{MINUS SIGN}"
PATIENCE: Final = 120_000  # milliseconds for computer players, whose processes may have to start first

# What the table says about itself, and every action that it offers with how many things on the page play it.
LOOK: Final = """() => {
    const table = document.getElementById("table");
    const offered = [...document.querySelectorAll("#table [data-act]")].filter((each) => !each.disabled);
    return {
        number: Number(table.dataset.number),
        events: Number(table.dataset.events),
        over: table.hasAttribute("data-over"),
        acting: table.classList.contains("acting"),
        payday: Boolean(table.dataset.telling),
        paydays: Number(table.dataset.paydays),
        actions: [...new Set(offered.map((each) => each.dataset.act))],
    };
}"""
# Whatever a person waits for: a turn, the end, or a payday that is told on the table.
READY: Final = """(number) => {
    const table = document.getElementById("table");
    if (!table) return false;
    if (table.dataset.telling) return true;
    const ready = table.classList.contains("acting") || table.hasAttribute("data-over");
    return Number(table.dataset.number) > number && ready;
}"""

# How many things in sight play something, and where a mouse hits one of them: not where something lies over it.
IN_SIGHT: Final = """(actions) => [...document.querySelectorAll(`[data-act="${actions}"]`)].filter(
    (each) => !each.disabled && each.checkVisibility({ visibilityProperty: true })
        && each.getBoundingClientRect().width > 0)"""
POINT: Final = f"""([actions, which]) => {{
    const thing = ({IN_SIGHT})(actions)[which];
    thing.scrollIntoView({{ block: "nearest", inline: "nearest" }});
    const box = thing.getBoundingClientRect();
    const point = [box.x + box.width / 2, box.y + box.height / 2];
    return thing.contains(document.elementFromPoint(...point)) ? point : null;
}}"""

# How much somebody likes a kind of action; a turn that can end usually should.
TASTE: Final[Mapping[str, float]] = {
    "build": 20,
    "reopen": 12,
    "fortress": 10,
    "sail": 8,
    "buy": 0.4,
    "loan": 0.2,
    "end": 30,
    "pass": 1,
    "repay": 3,
    "extend": 1,
    "starter": 1,
    "free_pirate": 1,
    "paid_pirate": 0.01,
    "pirate_sail": 0.3,
    "pirate_land": 4,
}


@dataclass(frozen=True)
class Seen:
    """What the table says about itself."""

    number: int
    events: int
    over: bool
    acting: bool
    payday: bool  # whether one is being shown
    paydays: int
    actions: tuple[str, ...]

    def of(self, *families: str) -> list[str]:
        """The offered actions of some kinds."""
        return [each for each in self.actions if " " not in each and family_of(each) in families]


def family_of(action: str) -> str:
    """The family of an action; playing the staged one ends the turn."""
    return "end" if action == HELD else family(int(action))


class TablePlayer:
    """A person at one table."""

    def __init__(self, page: Page, seed: int = 1, taste: Mapping[str, float] = TASTE) -> None:
        self.page = page
        self.dice = random.Random(seed)
        self.taste = taste
        self.table = page.locator("#table")
        self.played: list[str] = []
        self.paydays = 0  # how many were looked at

    def see(self) -> Seen:
        """What there is to see."""
        found: dict[str, Any] = self.page.evaluate(LOOK)
        return Seen(**{**found, "actions": tuple(found["actions"])})

    # --------------------------------------------------------------------------------------------------------- waiting

    def wait_for_turn(self, after: int = -1) -> Seen:
        """Wait until there is something to do, or nothing any more; paydays are clicked away."""
        while True:
            self.page.wait_for_function(READY, arg=after, timeout=PATIENCE)
            seen = self.see()
            if seen.payday:
                self.skip_payday()
            elif seen.acting or seen.over:  # it may have changed once more since
                assert seen.actions or seen.over, seen
                return seen

    def skip_payday(self) -> None:
        """Do not look at a payday."""
        end, close = self.page.locator('[data-stage="end"]'), self.page.locator("#stage-close")
        if end.is_enabled():
            end.click()
        close.click()
        expect(self.page.locator("#stage")).to_have_count(0)
        self.paydays = self.see().paydays

    # ---------------------------------------------------------------------------------------------------------- acting

    def buttons(self, actions: str) -> Locator:
        """All things in sight that play something."""
        return self.page.locator(f'[data-act="{actions}"]:visible:not([disabled])')

    def play(self, actions: str) -> Seen:
        """Click on something that plays this; what is hidden in a list is opened first. The table after it."""
        number = self.see().number
        self.click(actions)
        self.played.append(actions)
        return self.wait_for_turn(number)

    def click(self, actions: str) -> None:
        """Click on something that plays this, and do not wait for what happens."""
        count = self.page.evaluate(f"(actions) => ({IN_SIGHT})(actions).length", actions)
        if count and (point := self.page.evaluate(POINT, [actions, self.dice.randrange(count)])):
            self.page.mouse.click(*point)
            return
        found = self.buttons(actions)
        if not found.count():
            hidden = self.page.locator(f'#table [popover]:has([data-act="{actions}"])').first
            self.touch(self.page.locator(f'[popovertarget="{hidden.get_attribute("id")}"]:visible').first)
        self.touch(found.nth(self.dice.randrange(found.count())))

    def touch(self, thing: Locator) -> None:
        """Click on something; a card in a full hand at its left edge, where no other card lies over it."""
        if (thing.get_attribute("id") or "").startswith("hand-card-"):
            self.page.mouse.move(1, 1)
            thing.click(position={"x": 4, "y": 20})
        else:
            thing.click()

    def play_a(self, *families: str) -> Seen:
        """Play some action of a kind."""
        return self.play(self.dice.choice(self.see().of(*families)))

    def choose(self, seen: Seen) -> str:
        """Something among what is offered, by taste and by chance."""
        single = [each for each in seen.actions if " " not in each]
        return self.dice.choices(single, [self.taste[family_of(each)] for each in single])[0]

    def go_on(self, until: Callable[[Seen], bool], most: int = 2000) -> Seen:
        """Play on until something is true of the table, or the game is over."""
        seen = self.wait_for_turn()
        while most and not seen.over and not until(seen):
            seen = self.play(self.choose(seen))
            most -= 1
        return seen

    def to_the_end(self) -> Seen:
        """Play the whole game."""
        return self.go_on(lambda _seen: False)

    def take_turn(self) -> Seen:
        """Play until the turn has ended, and wait until it is somebody's turn here again."""
        number = self.hand_over()
        return self.wait_for_turn(number)

    def hand_over(self) -> int:
        """Play until the turn has ended, and do not wait for the others; the number of the table before that."""
        seen = self.go_on(lambda seen: bool(seen.of("end", "pass", "loan") and not seen.of("build", "sail")))
        if not seen.of("end"):
            seen = self.play((seen.of("pass") or seen.of("loan"))[0])  # which is staged
        last = seen.of("end")[0]
        self.click(last)
        self.played.append(last)
        return seen.number

    def end_staged(self, seen: Seen) -> Seen:
        """End the turn if an action is staged."""
        return self.play(HELD) if HELD in seen.actions else seen


# ------------------------------------------------------------------------------------------------ what the page says


def number_of(words: str) -> int:
    """The number that a text shows."""
    found = re.search(rf"[-{MINUS}]?\d+", words.replace("\N{NO-BREAK SPACE}", ""))
    assert found, words
    return int(found.group().replace(MINUS, "-"))


def purses(page: Page) -> dict[int, int]:
    """What everybody has in the purse, by seat."""
    shown: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".merchant")].map(
            (each) => [each.id.replace("merchant-", ""), each.querySelector(".purse .now").textContent]))"""
    )
    return {int(seat): number_of(words) for seat, words in shown.items()}
