"""Make the pictures of the table that README and docs show, in docs/images: `make pictures`.

Four merchants with all tiles, played by captains from a fixed seed, in a real Chromium at a real server: a turn on a
desktop, a payday on the board, a tablet, and a phone. pngquant makes the pictures smaller, if it is there
(`apt install pngquant`). Look at every picture before it is committed.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from citations import ROOT

sys.path[:0] = [str(ROOT)]

from playwright.sync_api import Page, expect, sync_playwright  # noqa: E402
from tests.browser.conftest import ARGUMENTS, DESKTOP, chromium  # noqa: E402
from tests.browser.positions import TILES  # noqa: E402
from tests.browser.running_server import RunningServer  # noqa: E402
from tests.browser.table_player import TablePlayer  # noqa: E402

from elcapitan.bots import registry  # noqa: E402
from elcapitan.bots.bot import View  # noqa: E402
from elcapitan.engine.actions import family  # noqa: E402
from elcapitan.engine.rng import generator  # noqa: E402
from elcapitan.game.game import Act, Game  # noqa: E402
from elcapitan.records import json_record  # noqa: E402

FOLDER: Final = ROOT / "docs" / "images"
NAMES: Final = ("Inês", "Marco", "Leyla", "Youssef")
SEED: Final = 3
LARGEST: Final = 250_000  # bytes of a picture
# Stops the coins of a step on their ways, each somewhere else; all other motion is at its end.
COINS: Final = """() => {
    const isCoin = ({ effect }) => effect.target.matches(".flying-coin");
    const flying = document.getAnimations().filter(isCoin);
    for (const other of document.getAnimations()) if (!isCoin(other)) other.finish();
    flying.forEach((flight, number) => {
        const { delay, duration } = flight.effect.getTiming();
        flight.pause();
        flight.currentTime = delay + duration * (0.15 + (0.7 * number) / flying.length);
    });
}"""
TABLET: Final[dict[str, Any]] = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def game_until(wanted: Callable[[Game], bool]) -> Game:
    """A game of captains up to a moment."""
    bot, dice = registry.create("captain"), generator(SEED)
    game = Game.new(len(NAMES), TILES, seed=SEED)
    while not wanted(game):
        assert game.seat is not None, "this does not happen in this game"
        game.play(bot.choose(View(game.view_for(game.seat), game.figures.boards), game.legal(), dice))
    return game


def about_to_build(game: Game) -> bool:
    """Whether a merchant has arrived somewhere on the third day and can build."""
    builds = {"build", "fortress"} & set(map(family, game.legal())) if game.seat is not None else set()
    return len(game.paydays) == 2 and game.round > 2 and len(builds) == 2 and game.money[game.seat or 0] > 12


def before_payday() -> tuple[Game, str]:
    """A game just before the second payday, and the action that brings it."""
    after = game_until(lambda game: len(game.paydays) == 2)
    game = after.copy()
    while len(game.paydays) == 2:
        game.take_back()
    action = after.events[len(game.events)]
    while not isinstance(action, Act):  # a card was turned up before the payday
        action = game.events[-1]
        game.take_back()
    return game, str(action.numbers[-1])


def brought(server: RunningServer, page: Page, game: Game) -> TablePlayer:
    """A game at a table in a browser window, with the names of the merchants."""
    address = server.brought(json.dumps(json_record.to_json(game)))
    for seat, name in enumerate(NAMES):
        server.post(address.removeprefix(server.address) + "/name", {"seat": str(seat), "wanted": name})
    page.goto(address)
    player = TablePlayer(page)
    player.wait_for_turn()
    return player


def desktop(server: RunningServer, page: Page) -> None:
    """A turn: the mouse is over a site, so that the page shows what building there would change."""
    player = brought(server, page, game_until(about_to_build))
    (build, *_more) = [each for each in player.see().of("build") if page.locator(f"#target-{each}").count()]
    page.locator(f"#target-{build}").hover()


def payday(server: RunningServer, page: Page) -> None:
    """A payday on the board, while coins are on their way."""
    game, action = before_payday()
    player = brought(server, page, game)
    player.click(action)
    for step in (1, 2):
        page.keyboard.press("Space")
        expect(page.locator(f"#pay-step-{step}")).to_be_visible()
    page.evaluate(COINS)


def tablet(server: RunningServer, page: Page) -> None:
    """The same turn on a tablet."""
    brought(server, page, game_until(about_to_build))


def phone(server: RunningServer, page: Page) -> None:
    """The same turn on a phone."""
    brought(server, page, game_until(about_to_build))


PICTURES: Final[dict[str, tuple[Callable[[RunningServer, Page], None], dict[str, Any]]]] = {
    "table": (desktop, {"viewport": DESKTOP}),
    "payday": (payday, {"viewport": DESKTOP}),
    "tablet": (tablet, TABLET),
    "phone": (phone, {**PHONE, "device_scale_factor": 2}),
}


def main() -> None:
    """Make all pictures, or those that are named."""
    wanted = sys.argv[1:] or list(PICTURES)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = RunningServer(Path(folder)).open()
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
            for name in wanted:
                show, screen = PICTURES[name]
                page = browser.new_context(locale="en-GB", color_scheme="light", **screen).new_page()
                show(server, page)
                page.screenshot(path=FOLDER / f"{name}.png")
                page.context.close()
            browser.close()
        finally:
            server.close()
    for name in wanted:
        picture = FOLDER / f"{name}.png"
        if shutil.which("pngquant"):
            subprocess.run(
                ["pngquant", "--force", "--skip-if-larger", "--strip", "--ext", ".png", picture], check=False
            )
        size = picture.stat().st_size
        print(f"{picture.relative_to(ROOT)}: {size / 1000:.0f} kB")  # noqa: T201
        assert size <= LARGEST, "too large; is pngquant there?"


if __name__ == "__main__":
    main()
