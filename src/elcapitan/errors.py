"""What can go wrong, each with a reason that a program can test and a sentence that a person can read.

An error carries a code and arguments. The sentence is made from them only when somebody asks, so that it can be made
in any language: the templates below are the English ones, and their translations are found by these texts.
"""

from collections.abc import Callable
from typing import Final

REASONS: Final = {
    # Files.
    "no-file": "There is no file {file}.",
    "unreadable": "{file} cannot be read: {problem}.",
    "not-toml": "{file} is not a TOML file: {problem}.",
    # The shape of a board file.
    "missing": "In {file}, {key} is missing.",
    "unknown-key": "In {file}, {key} is not a known key; the nearest is {nearest}.",
    "unknown-city": "In {file}, {key} names {city}, which is no city that belongs there; the nearest is {nearest}.",
    "not-a-table": "In {file}, {key} must be a table.",
    "not-a-list": "In {file}, {key} must be a list.",
    "not-a-figure": "In {file}, {key} must be written as {{ is = ..., source = ... }}.",
    "not-text": "In {file}, {key} must be a text in quotation marks.",
    "not-a-number": "In {file}, {key} has {found} where a whole number is wanted.",
    "wrong-count": "In {file}, {key} must have {wanted} entries, not {found}.",
    "bad-name": "In {file}, {key} is {found}, but must be lower-case letters, digits and hyphens, {most} at most.",
    "unknown-source": "In {file}, {key} is {found}, but must be one of {known}.",
    # The numbers of a board file.
    "out-of-range": "In {file}, {key} has {found}, but only {least} to {most} is possible.",
    "falls": "In {file}, {key} falls from {before} to {after}, but its numbers must not fall.",
    "first-not-zero": "In {file}, {key} begins with {found}, but the first site of every city bears 0.",
    "too-early": "In {file}, {key} has a shut-down site on site {found}, but there can be none before site {least}.",
    "twice": "In {file}, {key} has {found} twice.",
    "dark-triangle": "In {file}, {key} puts the triangle on site {found}, which is dark already.",
    "wrong-place": "In {file}, {key} must be a row from 1 to 3 and a column from {first} to {last}.",
    "place-taken": "In {file}, {key} is already the place of {city}.",
    "not-a-pair": "In {file}, {key} must name two different cities, as in {example}.",
    "pair-twice": "In {file}, {key} is a second card for a pair of cities that has one already.",
    "too-much-money": "In {file}, the figures of {key} let up to {most} florins into play, but {limit} is the limit.",
    # Text that is no action, and typed actions that are none.
    "unknown-word": "At character {at} of '{text}': '{found}' is not understood; the nearest word is {nearest}.",
    "word-wanted": "At character {at} of '{text}': one of these words is wanted, not '{found}': {known}.",
    "city-wanted": "At character {at} of '{text}': '{found}' is no city; the nearest is {nearest}.",
    "card-wanted": "At character {at} of '{text}': there is no sailing card '{found}'; the nearest is {nearest}.",
    "number-wanted": "At character {at} of '{text}': a number from {least} to {most} is wanted, not '{found}'.",
    "amount-wanted": "At character {at} of '{text}': '{found}' is no amount of a loan; there are loans of {known}.",
    "symbol-wanted": "At character {at} of '{text}': {wanted} is wanted, not '{found}'.",
    "same-space": "At character {at} of '{text}': a ship cannot be shifted to the space it is on.",
    "wrong-link": "At character {at} of '{text}': {card} does not lead to {city}.",
    "too-much": "At character {at} of '{text}': the action is complete, but '{found}' follows.",
    "not-an-object": "{key} must be an object, not {found}.",
    "not-an-array": "{key} must be a list, not {found}.",
    "lacks-key": "{key} is missing.",
    "surplus-key": "{key} is not a known key here; the nearest is {nearest}.",
    "bad-value": "{key} is {found}, but must be one of these: {known}.",
    "bad-count": "{key} is {found}, but must be a whole number from {least} to {most}.",
    "bad-card": "{key} is {found}, but there is no such card; the nearest is {nearest}.",
    "bad-city": "{key} is {found}, but there is no such city; the nearest is {nearest}.",
    "bad-leg": "{card} cannot be used as {use} to {city}.",
    "bad-shift": "A ship cannot be shifted to the space it is on.",
    "bad-voyage": "A voyage ends where its last card leads, at {wanted}, not at {found}.",
    # The set-up of a game.
    "bad-players": "{found} is no number of players: two to five can play.",
    "bad-tile": "{found} is no city of the expansion; the nearest is {nearest}.",
    "tile-twice": "{found} can be added only once.",
    "bad-first": "{found} cannot begin: the seats are numbered from {least} to {most}.",
    "bad-option": "There is no option {found}; the nearest is {nearest}.",
    "bad-option-value": "The option {name} is {found}, but can only be true or false.",
    "bad-seed": "{found} is no seed: a whole number from 0 to {most} is wanted.",
    # Computer players.
    "unknown-bot": "There is no computer player {found}; there are {known}.",
    "bad-budget": "{found} is no budget of a computer player: write, for example, {example}.",
    "no-budget": "{name} does not search, so it has no budget.",
    # The arena.
    "no-bots": "At least one computer player must be named.",
    "bad-address": "{found} is no address of a cluster; write, for example, {example}.",
    "no-dask": "To play on a cluster, Dask must be installed: {command}",
    "no-cluster": "No cluster answers at {address}.",
    "no-workers": "The cluster at {address} has no workers.",
    "cluster-lacks": "The cluster cannot play, because El Capitán is not installed everywhere: {problem}.",
    "other-edition": "The cluster has another edition of El Capitán than this machine, at {where}.",
    "cluster-lost": "The cluster gave up ({problem}).",
    # Computer players that are programs of their own, and what can be wrong with their answers.
    "bad-command": "{found} is no command line to start a computer player with.",
    "in-bot": "{bot}: {problem}",
    "bot-not-started": "It cannot be started: {problem}.",
    "bot-ended": "It ended before the game did, with exit code {code}.",
    "bot-closed": "It closed its output before the game was over.",
    "bot-silent": "No answer came within {seconds} seconds.",
    "bot-long-line": "It wrote more than {most} bytes without a line end.",
    "bot-not-json": "Its answer is not a JSON object: {found}.",
    "bot-wrong-type": "Its answer is of the type {found}, not {wanted}.",
    "bot-wrong-move": "It answers move {found}, but was asked about move {wanted}.",
    "bot-no-choice": "Its answer has neither “choose” nor “do”.",
    "bot-bad-choice": "It chooses {found}, but the list is numbered from 0 to {most}.",
    "bot-illegal": "It answers “{action}”, which is not legal now.",
    # The course of a game.
    "no-such-action": "{found} is no action: they are numbered from 0 to {most}.",
    "deal-first": "First the display must be dealt.",
    "dealt-already": "The display has been dealt already.",
    "bad-deal": "The deal is {destinations} destination cards and {links} links, all different.",
    "no-card-wanted": "No card is to be turned up now.",
    "impossible-card": "{card} cannot be turned up now.",
    "nothing-to-undo": "Nothing has been done in this turn that could be undone.",
    "card-was-revealed": "A card has been turned up since; this cannot be undone.",
    "nothing-to-redo": "Nothing has been taken back that could be done again.",
    # Tables of the service, and where they are kept.
    "no-such-game": "There is no game {game}.",
    "bad-host": "This server has another name.",
    "too-long": "A request may have {most} bytes at most, and must say how many it has.",
    "other-site": "This was sent by another site, which cannot change anything here.",
    "too-many-requests": "Too much at once from your address; try again in {seconds} s.",
    "too-many-streams": "Too many tables are open at your address: close some pages and try again.",
    "too-many-games": "Too many new games from your address; try again in {seconds} s.",
    "too-many-tries": "Too many links and phrases were tried from your address; try again in {seconds} s.",
    "admin-only": "This is for whoever runs this house: it takes the admin token.",
    "stale-move": "The table has changed in the meantime: look at it again, then act.",
    "not-your-turn": "It is the turn of seat {seat}.",
    "computer-to-move": "A computer player is to move in seat {seat}.",
    "turn-is-over": "With “{action}” the turn is over: nothing can follow it.",
    "no-such-moment": "This game has no moment {found}: they are numbered from 1 to {most}.",
    "frozen": "This game can be looked at, but not played on. {problem}",
    "other-position": "Played again from its log, it does not come to the position that was stored with it.",
    "bad-colour": "{found} is no colour: they are numbered from 0 to {most}.",
    "colour-twice": "Two merchants cannot have the same colour.",
    "wrong-seats": "{found} seats are given for {wanted} players.",
    "no-program-here": "{found} is a program of its own: it can play in the terminal, but not at this table.",
    "no-such-setting": "{found} is nothing that can be changed at a table; the nearest is {nearest}.",
    "no-hints": "At this table there are no hints.",
    "no-such-key": "This opens no table here, or no longer: ask the host for a new link.",
    "no-person-there": "Nobody can stand in for {player}: only for a person.",
    "not-a-seat": "There is no seat {seat} at this table.",
    "game-ended": "The host has ended this game.",
    "bad-webhook": "{found} is no address that can be told whose turn it is; it begins with https:// or http://.",
    "private-webhook": "{found} is an address inside this house, which is told nothing from here.",
    "no-wish": "Nobody wishes to go back, or no longer.",
    "not-asked": "Seat {seat} is not asked about this.",
    "nothing-after": "Nothing has happened since then that could be taken back.",
    "too-far-back": "This game can be taken back no further than to where it began here.",
    "no-chat": "At this table nobody talks here.",
    "empty-line": "There is nothing in this line.",
    "line-too-long": "A line has {most} characters at most.",
    "too-many-lines": "That was a lot at once: wait a moment before you say more.",
    "no-adviser": "The computer players do not answer: ask again.",
    "not-a-record": "{file} is no game record: its name must end in .json or .capitan.",
    "record-too-long": "A game record of more than {most} bytes is not read.",
    "bad-database": "{database} cannot be used to keep games in: {problem}.",
    "other-database": "{database} is neither an SQLite nor a PostgreSQL database, and games are kept in nothing else.",
    "no-driver": "To keep games in {database}, install what PostgreSQL needs: pip install 'elcapitan[postgres]'.",
    "foreign-database": "{database} is a database of something else: no games are kept there.",
    "newer-database": "{database} was written by a newer version of El Capitán, and this one cannot read it.",
    "not-stored": "This could not be stored, so it was not done: {problem}.",
    "file-there": "{file} is there already; choose another name.",
    "no-backup": "A backup of {database} is made with pg_dump, the tool of PostgreSQL itself.",
    # Requests of programs.
    "key-wanted": "A key is wanted here, sent as “Authorization: Bearer KEY”.",
    "key-unknown": "This key opens nothing here, or no longer.",
    "other-key": "This key opens another table.",
    "host-only": "Only the host of the table can do this.",
    "players-only": "Those who only look on cannot do this.",
    "other-seat": "Seat {seat} is not yours.",
    "which-seat": "Several seats are yours: say which one, with “seat”.",
    "key-or-phrase": "Either a key or a phrase is wanted.",
    "no-seed-here": "In this house nobody can choose the seed, because whoever knows it knows all cards.",
    "json-wanted": "What is sent must be JSON, and say so: Content-Type: application/json.",
    "bad-field": "{field} is missing, unknown or not as it must be.",
    "bad-request": "This request cannot be understood.",
    "no-such-address": "There is nothing at this address.",
    "other-method": "Nothing at this address answers to {method}.",
    # Game records.
    "in-event": "Event {event}: {problem}",
    "in-line": "Line {line}: {problem}",
    "not-json": "This is not JSON: {problem}.",
    "other-format": "This is no game record that can be read here: its format is {found}, not {wanted}.",
    "other-rules": "This game was played by version {found} of the rules; these are version {wanted}.",
    "other-board": "This game was played on the board {found}, not on {wanted}: give the board file.",
    "not-an-event": "This is neither a deal, nor a card turned up, nor an action.",
    "wrong-seat": "Seat {found} acts, but it is the turn of seat {wanted}.",
    "other-offer": "Other actions were legal than the record says: it lacks {lacking} and has {surplus} too many.",
    "other-money": "The money is {wanted} after this, not {found}.",
    "no-payday": "There is no payday here.",
    "payday-missing": "The payday before this is missing.",
    "other-payday": "This payday paid {wanted}, not {found}.",
    "bad-shuffle": "{found} does not tell how cards were shuffled; right would be, for example: {example}.",
    "shuffles-out-of-order": "Shuffles stand in their order, at most after event {most}, not after {found}.",
    "result-too-early": "There is a result, but the game is not over.",
    "other-result": "The result is {wanted}, not {found}.",
    "bad-header": "A header is written as {example}.",
    "bad-header-value": "{value} cannot be the text of a header or comment.",
    "header-twice": "There is a second header {name}.",
    "header-missing": "The header {name} is missing.",
    "other-turn": "It is {wanted}, not {found}.",
    "never-closed": "{found} is never closed.",
    "out-of-place": "{found} is out of place here.",
    "voyage-in-one": "A voyage of the pirate is written in one, as in: {example}.",
    "too-deep": "There are variations inside variations more than {most} deep.",
    # The writing of a drawing.
    "empty-drawing": "A drawing begins with a headline, for example: {example}.",
    "no-players": "A drawing begins with the number of players, for example: {example}. Here it begins with {found}.",
    "no-such-line": "No line begins with {found}, but with a colour ({letters}), a city or a word such as {nearest}.",
    "strange-words": "{found} cannot be read here; right would be, for example: {example}.",
    "drawn-number": "{found} is not possible here, only {least} to {most}.",
    "drawn-colour": "{found} is no colour here; they are {letters}.",
    "drawn-city": "{found} is no city; the nearest is {nearest}.",
    "drawn-card": "{found} is no sailing card; the nearest is {nearest}.",
    "no-room": "There is room for {most} there, not for {found}.",
    "said-twice": "{found} says what was said before.",
    # The position in a drawing.
    "wrong-phase": "In phase {phase} the game cannot be at the stage {stage}.",
    "no-deal": "Round 0 is the deal of the first phase, after {seat}.",
    "nothing-to-turn-up": "After the turn of {seat} a card is turned up, but there is none, or no gap.",
    "nothing-to-settle": "{seat} has no loan to settle.",
    "gap": "The warehouses of {city} must stand side by side.",
    "shut-in-porto": "In Porto nothing lies on the picture: what is shut there leaves the game.",
    "two-fortresses": "Nobody has two fortresses in {city}.",
    "ship-twice": "The ship of {seat} is drawn a second time.",
    "not-under-way": "The ship of {seat} can pass through a city only in a turn of {seat} that is under way.",
    "would-anchor": "The ship of {seat} would anchor in {city}, which has a free harbour.",
    "no-pirate": "There is no pirate without Islas Canarias.",
    "no-pirate-there": "The pirate cannot be at {city}, which is not in play.",
    "pirate-twice": "The pirate is drawn a second time.",
    "pirate-nowhere": "With Islas Canarias the pirate (*) must lie in some harbour.",
    "pirate-not-under-way": "The pirate can be at sea only in a turn that is under way or done.",
    "no-free-move": "The free move is due only when {seat} has sailed to Islas Canarias in this turn.",
    "wrong-houses": "Up to phase {phase} {colour} got {given} warehouses, but {found} are drawn or counted.",
    "wrong-fortresses": "Up to phase {phase} {seat} got {given} fortresses, but {found} are drawn or counted.",
    "wrong-bonus": "The bonus cards are taken in order, each by one merchant.",
    "too-many-loans": "{found} loan cards of {amount} are drawn, but there are only {most}.",
    "card-twice": "The card {card} is drawn a second time.",
    "display-too-long": "More than {most} cards of a kind lie on the display.",
}

# Why the rules refuse an action: the reasons of `engine.refusals`, each of which names its rule.
REFUSALS: Final = {
    # When.
    "game-over": "The game is over.",
    "card-to-turn-up": "First a card must be turned up.",
    "settle-first": "First the loans must be settled: repay or extend.",
    "name-starter-first": "First the starting player must be named.",
    "not-settling": "Loans are repaid and extended only after a payday.",
    "not-naming": "The starting player is named only after a payday.",
    "no-such-seat": "There is no seat {seat} in this game.",
    "no-such-debt": "There is no loan of {loan} left to decide about.",
    "cannot-repay": "Paying back costs {price}, but there is only {cash}.",
    "pirate-at-sea": "The pirate is on a voyage, at {city} now: it must land or sail on first.",
    # Buying and sailing.
    "not-displayed": "{card} is not on display.",
    "card-too-dear": "The card costs {price}, but there is only {cash}.",
    "purchase-blocks-build": "After buying {card} for {price} nothing could be built in this turn.",
    "no-sailing-after-building": "After building the ship stays where it is.",
    "voyage-over": "The voyage ended with the free pirate move.",
    "not-in-hand": "{card} is not in your hand.",
    "not-in-play": "{city} is not in this game.",
    "already-there": "It is at {city} already.",
    "destination-first": "{card} can be used like this only from a city: first comes a destination card.",
    "too-far": "{city} is {steps} steps away, but the card has seals for {seals}.",
    "link-elsewhere": "{card} does not start from {city}.",
    "leg-blocks-build": "After sailing to {city} nothing could be built in this turn.",
    # Building.
    "one-build-a-turn": "The turn's building is done: there is one in a turn.",
    "not-anchored": "To build, the ship must lie in a harbour of the city.",
    "no-neutral-colour": "Only with two players there are neutral colours.",
    "city-full": "All sites of {city} are taken.",
    "wrong-site": "In {city} the next warehouse goes to site {site}.",
    "no-house-left": "There is no warehouse of this colour left in stock.",
    "stock-balance": "The stock must keep more warehouses of the main colour than neutral ones.",
    "row-too-long": "The row of own warehouses in {city} would become too long.",
    "house-too-dear": "A warehouse costs {price} here, but there is only {cash}.",
    "porto-never-reopens": "What is shut down in Porto leaves the game.",
    "nothing-closed": "There is no closed warehouse of this colour in {city}.",
    "no-fortress-left": "There is no fortress left in stock.",
    "fortress-stands": "There is a fortress of yours in {city} already.",
    "no-fortress-site": "All fortress sites of {city} are taken.",
    "fortress-too-dear": "A fortress costs {price} here, but there is only {cash}.",
    # Loans, and the end of a turn.
    "no-loan-in-first-round": "In the first round of the game there are no loans.",
    "loan-stands-alone": "A loan must be the only thing in a turn.",
    "pile-empty": "There is no loan of {loan} left at the bank.",
    "no-pass": "Passing is only for those who can neither build nor borrow.",
    "build-first": "Before the turn ends, something must be built.",
    # The pirate.
    "pirate-move-due": "First the pirate must be moved, because the ship has come to Islas Canarias.",
    "no-pirate": "There is no pirate without Islas Canarias.",
    "no-free-move": "The pirate moves free only when the ship has come to Islas Canarias in this turn.",
    "pirate-moved-already": "By cards or money the pirate moves once in a turn.",
    "pirate-must-leave": "The pirate must leave {city}.",
    "pirate-needs-space": "The pirate needs a free harbour space in {city}.",
    "no-such-berth": "The pirate cannot take space {space} of {city} like this.",
    "free-move-blocks-build": "With the pirate at {city} nothing could be built in this turn.",
    "pirate-too-dear": "Moving the pirate there costs {price}, but there is only {cash}.",
    "pirate-blocks-build": "With the pirate at {city} nothing could be built in this turn.",
    "pirate-not-at-sea": "The pirate is on no voyage.",
    "pirate-cannot-land": "From {city} the pirate could land nowhere, or nothing could be built in this turn.",
}


class ElCapitanError(Exception):
    """Anything this package refuses: a code from REASONS and the arguments of its sentence."""

    def __init__(self, reason: str, **arguments: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.arguments = arguments

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """What went wrong, as one sentence; `translate` maps an English template to another language."""
        return translate(self.template).format(**self.arguments)

    @property
    def template(self) -> str:
        """The English sentence with its arguments left open."""
        return REASONS[self.reason]

    def __str__(self) -> str:
        """The sentence in English."""
        return self.sentence()


class BadBoard(ElCapitanError):
    """A board file that cannot be played with: the file, the dotted key in it ("" for the whole file) and why."""

    def __init__(self, file: str, key: str, reason: str, **arguments: object) -> None:
        super().__init__(reason, file=file, key=key, **arguments)
        self.args = (file, key, reason)  # so that it can be pickled: these go to the constructor again
        self.file = file
        self.key = key


class BadText(ElCapitanError):
    """Text that is no action: the text, the place in it (characters count from 1) and what was wanted there."""

    def __init__(self, text: str, at: int, reason: str, **arguments: object) -> None:
        super().__init__(reason, text=text, at=at, **arguments)
        self.args = (text, at, reason)  # so that it can be pickled
        self.text = text
        self.at = at


class BadDrawing(BadText):
    """A drawing that shows no position: the text of the line, its number from 1 (0 for none) and why."""

    def __init__(self, text: str, line: int, reason: str, **arguments: object) -> None:
        super().__init__(text, 1, reason, **arguments)
        self.args = (text, line, reason)  # so that it can be pickled
        self.line = line

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """The line and the sentence."""
        problem = super().sentence(translate)
        return translate(REASONS["in-line"]).format(line=self.line, problem=problem) if self.line else problem


class BadAction(ElCapitanError):
    """A typed action with a key that is missing, unknown or has no meaning."""


class BadSetup(ElCapitanError):
    """A game that cannot be set up like this."""


class BadBot(ElCapitanError):
    """A computer player that does not exist, or not like this."""


class BadAnswer(ElCapitanError):
    """What a program in a seat answers, if it answers at all, that is no answer to the question."""


class BotFault(ElCapitanError):
    """A program that cannot play on: its name, the problem, and the last lines of what it wrote to stderr."""

    def __init__(self, bot: str, problem: ElCapitanError, last_words: tuple[str, ...] = ()) -> None:
        super().__init__("in-bot", bot=bot)
        self.args = (bot, problem, last_words)  # so that it can be pickled
        self.problem = problem
        self.last_words = last_words

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """Who, and what is wrong."""
        return translate(self.template).format(bot=self.arguments["bot"], problem=self.problem.sentence(translate))


class BadCluster(ElCapitanError):
    """A cluster that cannot be played on, or no longer."""


class CannotUndo(ElCapitanError):
    """There is nothing to undo, or a card has been revealed since."""


class NoSuchGame(ElCapitanError):
    """A game that is not kept here, or no longer."""

    def __init__(self, game: str) -> None:
        super().__init__("no-such-game", game=game)
        self.args = (game,)  # so that it can be pickled


class NoSuchKey(ElCapitanError):
    """A token or a phrase that opens nothing."""

    def __init__(self) -> None:
        super().__init__("no-such-key")
        self.args = ()  # so that it can be pickled


class Ended(ElCapitanError):
    """The host has ended a game: nothing can be played any more."""

    def __init__(self) -> None:
        super().__init__("game-ended")
        self.args = ()  # so that it can be pickled


class NoWish(ElCapitanError):
    """An answer to a wish to go back that nobody has, or that this seat is not asked about."""


class BadLine(ElCapitanError):
    """Something that cannot be said at a table, or not now."""


class StaleMove(ElCapitanError):
    """Something that was decided on when the table looked different."""

    def __init__(self) -> None:
        super().__init__("stale-move")
        self.args = ()  # so that it can be pickled


class TooMuch(ElCapitanError):
    """More than one address may ask for, and when to come back."""

    def __init__(self, reason: str, seconds: int) -> None:
        super().__init__(reason, seconds=seconds)
        self.args = (reason, seconds)  # so that it can be pickled
        self.seconds = seconds


class NotYourTurn(ElCapitanError):
    """Somebody else is to move."""


class Frozen(ElCapitanError):
    """A game that can be looked at but not played on, and why."""

    def __init__(self, problem: ElCapitanError) -> None:
        super().__init__("frozen")
        self.args = (problem,)  # so that it can be pickled
        self.problem = problem

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """That it is so, and why."""
        return translate(self.template).format(problem=self.problem.sentence(translate))


class BadDatabase(ElCapitanError):
    """A place that games cannot be kept in, or not now."""


class IllegalAction(ElCapitanError):
    """An action the rules forbid now, or a card that cannot appear now: the reason and the id of the rule."""

    def __init__(self, reason: str, rule: str, **arguments: object) -> None:
        super().__init__(reason, **arguments)
        self.args = (reason, rule)  # so that it can be pickled
        self.rule = rule

    @property
    def template(self) -> str:
        """The English sentence with its arguments left open."""
        return REFUSALS.get(self.reason) or super().template

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """The sentence and, in brackets, the rule."""
        return _with_rule(super().sentence(translate), self.rule)


class BadRecord(ElCapitanError):
    """A game record that does not hold: the event (from 0) or the line (from 1) where, the reason, the rule if any."""

    def __init__(
        self, reason: str, *, event: int | None = None, line: int | None = None, rule: str = "", **arguments: object
    ) -> None:
        super().__init__(reason, **arguments)
        self.event = event
        self.line = line
        self.rule = rule
        self.refused = False  # whether it is an action that the rules refuse

    @classmethod
    def because(cls, error: ElCapitanError, *, event: int | None = None, line: int | None = None) -> "BadRecord":
        """The same problem, found at a place of a record."""
        record = cls(error.reason, event=event, line=line, rule=getattr(error, "rule", ""))
        record.arguments = error.arguments
        record.refused = isinstance(error, IllegalAction)
        return record

    @property
    def template(self) -> str:
        """The English sentence with its arguments left open."""
        return (self.refused and REFUSALS.get(self.reason)) or super().template

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """The place, the sentence and, in brackets, the rule."""
        problem = _with_rule(super().sentence(translate), self.rule)
        if self.line is not None:
            return translate(REASONS["in-line"]).format(line=self.line, problem=problem)
        if self.event is not None:
            return translate(REASONS["in-event"]).format(event=self.event, problem=problem)
        return problem


def _with_rule(sentence: str, rule: str) -> str:
    """A sentence and the rule it rests on."""
    return f"{sentence} [{rule}]" if rule else sentence
