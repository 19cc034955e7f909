"""Every reason for which an action can be refused: a code, the rule behind it, the names of its arguments.

Arguments are numbers: florins, cities, cards, seats; sites and harbour spaces count from 0, as in the engine.
"""

from typing import Final, NamedTuple


class Refusal(NamedTuple):
    """A reason for refusing an action: its code, the rule it comes from, and the names of its arguments."""

    reason: str
    rule: str
    arguments: tuple[str, ...] = ()


REFUSALS: Final = (
    Refusal("legal", "TURN-03"),
    Refusal("game-over", "END-01"),
    Refusal("card-to-turn-up", "CARD-09"),
    Refusal("settle-first", "AFTER-01"),
    Refusal("name-starter-first", "AFTER-07"),
    Refusal("not-settling", "LOAN-09"),
    Refusal("not-naming", "AFTER-07"),
    Refusal("no-such-seat", "AFTER-07", ("seat",)),
    Refusal("no-such-debt", "AFTER-02", ("loan",)),
    Refusal("cannot-repay", "G-27", ("price", "cash")),
    Refusal("pirate-at-sea", "G-52", ("city",)),
    Refusal("not-displayed", "BUY-05", ("card",)),
    Refusal("card-too-dear", "BUY-02", ("price", "cash")),
    Refusal("purchase-blocks-build", "G-06", ("card", "price")),
    Refusal("no-sailing-after-building", "TURN-06"),
    Refusal("voyage-over", "G-43"),
    Refusal("not-in-hand", "BUY-03", ("card",)),
    Refusal("not-in-play", "EXP-01", ("city",)),
    Refusal("already-there", "G-03", ("city",)),
    Refusal("destination-first", "SAIL-06", ("card",)),
    Refusal("too-far", "CARD-05", ("city", "steps", "seals")),
    Refusal("link-elsewhere", "CARD-06", ("card", "city")),
    Refusal("leg-blocks-build", "G-06", ("city",)),
    Refusal("one-build-a-turn", "TURN-04"),
    Refusal("not-anchored", "TURN-12"),
    Refusal("no-neutral-colour", "TWO-02"),
    Refusal("city-full", "BACK-06", ("city",)),
    Refusal("wrong-site", "WARE-05", ("city", "site")),
    Refusal("no-house-left", "WARE-02"),
    Refusal("stock-balance", "TWO-06"),
    Refusal("row-too-long", "WARE-07", ("city",)),
    Refusal("house-too-dear", "WARE-02", ("price", "cash")),
    Refusal("porto-never-reopens", "PORTO-04"),
    Refusal("nothing-closed", "REOPEN-01", ("city",)),
    Refusal("no-fortress-left", "FORT-02"),
    Refusal("fortress-stands", "FORT-04", ("city",)),
    Refusal("no-fortress-site", "FORT-05", ("city",)),
    Refusal("fortress-too-dear", "FORT-02", ("price", "cash")),
    Refusal("no-loan-in-first-round", "LOAN-06"),
    Refusal("loan-stands-alone", "TURN-08"),
    Refusal("pile-empty", "G-09", ("loan",)),
    Refusal("no-pass", "TURN-09"),
    Refusal("build-first", "TURN-03"),
    Refusal("pirate-move-due", "CANA-02"),
    Refusal("no-pirate", "CANA-01"),
    Refusal("no-free-move", "CANA-05"),
    Refusal("pirate-moved-already", "PIRATE-08"),
    Refusal("pirate-must-leave", "PIRATE-04", ("city",)),
    Refusal("pirate-needs-space", "PIRATE-02", ("city",)),
    Refusal("no-such-berth", "G-53", ("city", "space")),
    Refusal("free-move-blocks-build", "G-50", ("city",)),
    Refusal("pirate-too-dear", "PIRATE-08", ("price", "cash")),
    Refusal("pirate-blocks-build", "G-06", ("city",)),
    Refusal("pirate-not-at-sea", "G-52"),
    Refusal("pirate-cannot-land", "G-52", ("city",)),
)
ARGUMENTS: Final = 6
_CODE: Final = {refusal.reason: code for code, refusal in enumerate(REFUSALS)}

LEGAL: Final = 0
GAME_OVER: Final = _CODE["game-over"]
CARD_TO_TURN_UP: Final = _CODE["card-to-turn-up"]
SETTLE_FIRST: Final = _CODE["settle-first"]
NAME_FIRST: Final = _CODE["name-starter-first"]
NOT_SETTLING: Final = _CODE["not-settling"]
NOT_NAMING: Final = _CODE["not-naming"]
NO_SUCH_SEAT: Final = _CODE["no-such-seat"]
NO_SUCH_DEBT: Final = _CODE["no-such-debt"]
CANNOT_REPAY: Final = _CODE["cannot-repay"]
PIRATE_AT_SEA: Final = _CODE["pirate-at-sea"]
NOT_DISPLAYED: Final = _CODE["not-displayed"]
CARD_TOO_DEAR: Final = _CODE["card-too-dear"]
PURCHASE_BLOCKS: Final = _CODE["purchase-blocks-build"]
NO_SAILING: Final = _CODE["no-sailing-after-building"]
VOYAGE_OVER: Final = _CODE["voyage-over"]
NOT_IN_HAND: Final = _CODE["not-in-hand"]
NOT_IN_PLAY: Final = _CODE["not-in-play"]
ALREADY_THERE: Final = _CODE["already-there"]
DESTINATION_FIRST: Final = _CODE["destination-first"]
TOO_FAR: Final = _CODE["too-far"]
LINK_ELSEWHERE: Final = _CODE["link-elsewhere"]
LEG_BLOCKS: Final = _CODE["leg-blocks-build"]
ONE_BUILD: Final = _CODE["one-build-a-turn"]
NOT_ANCHORED: Final = _CODE["not-anchored"]
NO_NEUTRAL: Final = _CODE["no-neutral-colour"]
CITY_FULL: Final = _CODE["city-full"]
WRONG_SITE: Final = _CODE["wrong-site"]
NO_HOUSE: Final = _CODE["no-house-left"]
BALANCE: Final = _CODE["stock-balance"]
ROW: Final = _CODE["row-too-long"]
HOUSE_TOO_DEAR: Final = _CODE["house-too-dear"]
PORTO: Final = _CODE["porto-never-reopens"]
NOTHING_CLOSED: Final = _CODE["nothing-closed"]
NO_FORTRESS: Final = _CODE["no-fortress-left"]
FORTRESS_STANDS: Final = _CODE["fortress-stands"]
NO_FORTRESS_SITE: Final = _CODE["no-fortress-site"]
FORTRESS_TOO_DEAR: Final = _CODE["fortress-too-dear"]
FIRST_ROUND: Final = _CODE["no-loan-in-first-round"]
LOAN_ALONE: Final = _CODE["loan-stands-alone"]
PILE_EMPTY: Final = _CODE["pile-empty"]
NO_PASS: Final = _CODE["no-pass"]
BUILD_FIRST: Final = _CODE["build-first"]
MOVE_DUE: Final = _CODE["pirate-move-due"]
NO_PIRATE: Final = _CODE["no-pirate"]
NO_FREE_MOVE: Final = _CODE["no-free-move"]
MOVED_ALREADY: Final = _CODE["pirate-moved-already"]
MUST_LEAVE: Final = _CODE["pirate-must-leave"]
NEEDS_SPACE: Final = _CODE["pirate-needs-space"]
NO_BERTH: Final = _CODE["no-such-berth"]
FREE_BLOCKS: Final = _CODE["free-move-blocks-build"]
PIRATE_TOO_DEAR: Final = _CODE["pirate-too-dear"]
PIRATE_BLOCKS: Final = _CODE["pirate-blocks-build"]
NOT_AT_SEA: Final = _CODE["pirate-not-at-sea"]
CANNOT_LAND: Final = _CODE["pirate-cannot-land"]
