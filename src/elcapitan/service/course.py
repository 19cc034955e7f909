"""The course of one game: the game on the table, which is told its cards, and the dealer who tells them.

Whatever is shown, searched or exported from the game on the table cannot tell what is face down: only the dealer knows
the secret that decides it, and is asked for nothing but the next cards. A course that is in use is never changed: it is
copied, and the copy takes its place once what happened is stored.
"""

from collections.abc import Callable, Iterable, Sequence

from elcapitan.engine.actions import N_ACTIONS, PIRATE_LAND
from elcapitan.errors import CannotUndo, ElCapitanError, Frozen, IllegalAction, NotYourTurn
from elcapitan.figures import Figures
from elcapitan.game import Game
from elcapitan.history import Act, Deal, Reveal, turn_of
from elcapitan.notation.actions import is_voyage_piece, to_text
from elcapitan.notation.shuffles import Promise, Secret, any_salt, promise
from elcapitan.service.dealer import Cards, Dealer, dealer_of
from elcapitan.service.entries import Answer, Ask, Back, Happening, Lapse, Note, Redo, Shuffle, Undo
from elcapitan.setup import Setup

Group = tuple[int, ...]  # the numbers of one action: several for a voyage of the pirate that has landed


class Course:
    """Where a game stands, what can be taken back and done again, and what comes next from the decks."""

    def __init__(self, setup: Setup, figures: Figures) -> None:
        self.setup = setup
        self.game = Game.from_setup(setup, figures)
        self.chance: Dealer | None = None  # who tells the cards, since a shuffle
        self.earliest = 1  # how many events there were at that shuffle, or a first one
        self.promises: tuple[Promise, ...] = ()  # what was told about it, and the secret behind that
        self.turn: list[int] = []  # what was done in the running turn
        self.undone: list[Group] = []  # what was taken back, the first to be done again last
        self.problem: ElCapitanError | None = None  # why this game cannot be played on

    def copy(self) -> "Course":
        """The same course, which can go another way."""
        twin = Course.__new__(Course)
        twin.__dict__.update(self.__dict__)
        twin.game, twin.chance = self.game.copy(), self.chance and self.chance.copy()
        twin.turn, twin.undone = list(self.turn), list(self.undone)
        return twin

    @property
    def figures(self) -> Figures:
        """The board."""
        return self.game.figures

    @property
    def event_count(self) -> int:
        """How many events have happened in the game."""
        return self.game.event_count

    @property
    def undoable(self) -> int:
        """How many actions can be taken back."""
        return len(groups(self.turn))

    @property
    def turn_begins(self) -> int:
        """How many events had happened when the running turn began."""
        return self.event_count - sum(map(_is_event, groups(self.turn)))

    @property
    def redoable(self) -> int:
        """How many actions can be done again."""
        return len(self.undone)

    @property
    def dealer(self) -> Game:
        """The game with its decks in the order in which they will come, as nobody at the table may see it."""
        return self.chance.arranged(self.game) if self.chance else self.game

    @property
    def secret(self) -> bytes:
        """The whole position with the order of the decks: for the store, and for nobody else."""
        return bytes(self.dealer.position.tobytes())

    def told_promises(self, *, over: bool) -> tuple[Promise, ...]:
        """What everybody may know of the shuffles: hashes, and what is behind them once nobody plays any more.

        Then a shuffle after which no card came, as when a finished game is brought in, need not be told at all.
        """
        if not over:
            return tuple(each.untold() for each in self.promises)
        return tuple(each for each in self.promises if each.at < self.event_count)

    # ------------------------------------------------------------------------------------------------ what is new

    def begin(self, secret: Secret) -> list[Happening]:
        """Shuffle, deal, and turn cards up until somebody has to decide; before a deal, or for a game taken over."""
        return self._with_cards([Shuffle(secret, any_salt())])

    def act(self, actions: Sequence[int]) -> list[Happening]:
        """A seat acts, once or several times in its turn; the cards that follow are turned up."""
        self._check_playable()
        if not actions:
            raise IllegalAction("no-such-action", "", found="", most=N_ACTIONS - 1)
        self.game.expect_action()
        seat = self.game.seat
        assert seat is not None
        happened: list[Happening] = []
        for done, action in enumerate(actions):
            if done and not self.turn:
                raise NotYourTurn("turn-is-over", action=to_text(actions[done - 1], self.figures))
            happened += self._with_cards([Act(seat, (int(action),))])
        return happened

    def undo(self, count: int) -> list[Happening]:
        """Take actions of the running turn back."""
        self._check_playable()
        return self._with_cards([Undo(self._deciding(), count)])

    def redo(self, count: int) -> list[Happening]:
        """Do again what was taken back."""
        self._check_playable()
        return self._with_cards([Redo(self._deciding(), count)])

    def back(self, seat: int, at: int) -> list[Happening]:
        """Go back, across turns and cards, to when so many events had happened; the same cards will come again."""
        return self._with_cards([Back(seat, self.moment(at))])

    def moment(self, at: int) -> int:
        """The moment at which somebody decides, when so many events had happened or after the cards that followed."""
        self._check_playable()
        self.game.expect_action()
        if at < self.earliest:
            raise CannotUndo("too-far-back")
        events = self.game.events
        while at < len(events) and isinstance(events[at], Reveal):
            at += 1
        if at >= self.event_count and not self._at_sea:
            raise CannotUndo("nothing-after")
        return at

    def acted_since(self, at: int) -> frozenset[int]:
        """The seats that have acted since so many events had happened."""
        seats = {event.seat for event in self.game.events[at:] if isinstance(event, Act)}
        return frozenset(seats | ({self._deciding()} if self._at_sea else set()))

    @property
    def _at_sea(self) -> bool:
        """Whether the pirate is on a voyage by cards, which is no event before it lands."""
        return bool(self.turn) and not _is_event(groups(self.turn)[-1])

    def _check_playable(self) -> None:
        """Refuse to change a game that is only to be looked at."""
        if self.problem:
            raise Frozen(self.problem)

    def _deciding(self) -> int:
        """Who decides; when nobody does, nothing can be taken back either."""
        if self.game.seat is None:
            raise CannotUndo("nothing-to-undo")
        return self.game.seat

    def _with_cards(self, happened: list[Happening]) -> list[Happening]:
        """Let something happen, and then turn up the cards that are due."""
        self.happen(happened[0])
        while self.game.card_due and self.chance and self.problem is None:
            cards = self.chance.next_cards(self.game)
            self._turn_up(cards)
            happened.append(cards)
        return happened

    # --------------------------------------------------------------------------------------------- what is written

    def happen(self, what: Happening) -> None:
        """Something happens, now or again; cards are those that are told."""
        match what:
            case Shuffle(secret, salt):
                self._shuffle(secret)
                self._promise(secret, salt)
            case Deal() | Reveal():
                if self.chance and self.problem is None and not self.chance.brings(what, self.game):
                    self._out_of_step()
                self._turn_up(what)
            case Act(_, numbers):
                for number in numbers:
                    self._play(number)
                self.undone.clear()
            case Undo(_, count):
                self._undo(count)
            case Redo(_, count):
                self._redo(count)
            case Back(_, at):
                self._back(at)
            case Ask() | Answer() | Lapse() | Note():
                pass

    def _shuffle(self, secret: Secret) -> None:
        """Let a secret decide which cards come from now on."""
        if self.problem is None:
            self.chance = dealer_of(self.game, secret)
        self.earliest = max(1, self.event_count)

    def _promise(self, secret: Secret, salt: str) -> None:
        """Remember what is told about a shuffle; one that came later, before its turn was taken back, is forgotten."""
        earlier = tuple(each for each in self.promises if each.at < self.event_count)
        self.promises = (*earlier, promise(self.event_count, secret, salt)) if salt else earlier

    def _turn_up(self, cards: Cards) -> None:
        """Tell the game on the table which cards come."""
        self.game.apply(cards)

    def _dealer_too(self, step: Callable[[Game], None]) -> None:
        """Tell the dealer what is done; where it cannot follow, the game can only be looked at from now on."""
        if self.chance and self.problem is None:
            try:
                self.chance.repeat(step)
            except ElCapitanError:
                self._out_of_step()

    def _out_of_step(self) -> None:
        """Allow no more than to look at this game: cards came that the dealer does not bring."""
        self.problem = self.problem or ElCapitanError("other-position")

    def _play(self, number: int) -> None:
        """Carry out an action."""
        turn = turn_of(self.game.position)
        self.game.play(number)
        self._dealer_too(lambda dealer: dealer.play(number))
        if self.game.card_due or turn_of(self.game.position) != turn:
            self.turn.clear()
        else:
            self.turn.append(number)

    def _undo(self, count: int) -> None:
        """Take actions back."""
        if count < 1:
            raise CannotUndo("nothing-to-undo")
        for _ in range(count):
            self.game.undo()
            self._dealer_too(Game.undo)
            last = groups(self.turn)[-1]
            del self.turn[-len(last) :]
            self.undone.append(last)

    def _redo(self, count: int) -> None:
        """Do actions again."""
        if not 1 <= count <= len(self.undone):
            raise CannotUndo("nothing-to-redo")
        for _ in range(count):
            for number in self.undone.pop():
                self._play(number)

    def _back(self, at: int) -> None:
        """Go back to when so many events had happened; from there the same cards come."""
        if not self.earliest <= at <= self.event_count:
            raise CannotUndo("too-far-back")
        count = self.event_count - at + self._at_sea
        self.game.take_back(count)
        self._dealer_too(lambda dealer: dealer.take_back(count))
        self.turn, self.undone = _running(self.game), []


def _running(game: Game) -> list[int]:
    """The actions of the running turn."""
    begun = game.copy()
    try:
        begun.undo_turn()
    except CannotUndo:
        return []
    return [number for event in game.events[len(begun.events) :] if isinstance(event, Act) for number in event.numbers]


def groups(numbers: Iterable[int]) -> list[Group]:
    """The actions of a turn as they are taken back: one by one, but a voyage of the pirate that has landed at once."""
    found: list[Group] = []
    voyage: list[int] = []
    for number in numbers:
        if not is_voyage_piece(number):
            found.append((number,))
            continue
        voyage.append(number)
        if number >= PIRATE_LAND:
            found.append(tuple(voyage))
            voyage = []
    return found + [(number,) for number in voyage]


def _is_event(group: Group) -> bool:
    """Whether an action is an event of the game; cards of a voyage of the pirate are none before it lands."""
    return not is_voyage_piece(group[-1]) or group[-1] >= PIRATE_LAND
