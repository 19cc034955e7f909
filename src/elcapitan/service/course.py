"""The course of one game, kept as two games in step: the one on the table, and the dealer's.

The game on the table is told its cards one by one, so whatever is shown, searched or exported from it cannot tell what
is face down. Only the dealer's game knows the order of the decks; it is asked for nothing but the next cards. Both
take every action and every undo. A course that is in use is never changed: it is copied, and the copy takes its place
once what happened is stored.
"""

from collections.abc import Callable, Iterable, Sequence

from elcapitan.engine.actions import N_ACTIONS, PIRATE_LAND
from elcapitan.errors import CannotUndo, ElCapitanError, Frozen, IllegalAction, NotYourTurn
from elcapitan.figures import Figures
from elcapitan.game import Game
from elcapitan.history import Act, Deal, Event, Reveal, turn_of
from elcapitan.notation.actions import is_voyage_piece, to_text
from elcapitan.service.entries import Happening, Note, Redo, Shuffle, Undo
from elcapitan.setup import Setup

Group = tuple[int, ...]  # the numbers of one action: several for a voyage of the pirate that has landed


class Course:
    """Where a game stands, what can be taken back and done again, and what comes next from the decks."""

    def __init__(self, setup: Setup, figures: Figures) -> None:
        self.setup = setup
        self.game = bare(setup, figures)
        self.dealer = bare(setup, figures)
        self.events = 0  # how many there are in the game
        self.shuffled = False  # whether the dealer knows an order of what is face down
        self.turn: list[int] = []  # what was done in the running turn
        self.undone: list[Group] = []  # what was taken back, the first to be done again last
        self.problem: ElCapitanError | None = None  # why this game cannot be played on

    def copy(self) -> "Course":
        """The same course, which can go another way."""
        twin = Course.__new__(Course)
        twin.__dict__.update(self.__dict__)
        twin.game, twin.dealer = self.game.copy(), self.dealer.copy()
        twin.turn, twin.undone = list(self.turn), list(self.undone)
        return twin

    @property
    def figures(self) -> Figures:
        """The board."""
        return self.game.figures

    @property
    def undoable(self) -> int:
        """How many actions can be taken back."""
        return len(groups(self.turn))

    @property
    def turn_begins(self) -> int:
        """How many events had happened when the running turn began."""
        return self.events - sum(map(_is_event, groups(self.turn)))

    @property
    def redoable(self) -> int:
        """How many actions can be done again."""
        return len(self.undone)

    @property
    def secret(self) -> bytes:
        """The whole position with the order of the decks: for the store, and for nobody else."""
        return bytes(self.dealer.position.tobytes())

    # ------------------------------------------------------------------------------------------------ what is new

    def begin(self, seed: int) -> list[Happening]:
        """Shuffle, deal, and turn cards up until somebody has to decide; before a deal, or for a game taken over."""
        return self._with_cards([Shuffle(seed)])

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
        """Let something happen, and then what the dealer has turned up and the table has not seen yet."""
        self.happen(happened[0])
        if self.game.card_due:
            for event in self.dealer.events[self.events :]:
                self.happen(event)
                happened.append(event)
        return happened

    # --------------------------------------------------------------------------------------------- what is written

    def happen(self, what: Happening) -> None:
        """Something happens, now or again; cards are those that are told."""
        match what:
            case Shuffle(seed):
                self._shuffle(seed)
            case Deal(destination, link):
                self.game.deal(destination, link)
                self.events += 1
                if not self.shuffled:
                    self._dealer_too(lambda dealer: dealer.deal(destination, link))
            case Reveal(card):
                self.game.reveal(card)
                self.events += 1
                if not self.shuffled:
                    self._dealer_too(lambda dealer: dealer.reveal(card))
            case Act(_, numbers):
                for number in numbers:
                    self._play(number)
                self.undone.clear()
            case Undo(_, count):
                self._undo(count)
            case Redo(_, count):
                self._redo(count)
            case Note():
                pass

    def _shuffle(self, seed: int) -> None:
        """Bring what is face down into the order of a seed; the dealer turns up what is due."""
        if self.game.dealt:
            self._dealer_too(lambda dealer: dealer.shuffle(seed))
        else:
            self.dealer = Game.new(
                self.setup.players,
                self.setup.tiles,
                first=self.setup.first,
                options=self.setup.options,
                seed=seed,
                figures=self.figures,
            )
        self.shuffled = True

    def _dealer_too(self, step: Callable[[Game], None]) -> None:
        """The dealer's game follows; where it cannot, the game on the table goes on alone, to be looked at."""
        if self.problem is None:
            try:
                step(self.dealer)
            except ElCapitanError:
                self.problem = ElCapitanError("other-position")

    def _play(self, number: int) -> None:
        """Both games take an action."""
        turn = turn_of(self.game.position)
        self.game.play(number)
        self._dealer_too(lambda dealer: dealer.play(number))
        self.events += _is_event((number,))
        if self.game.card_due or turn_of(self.game.position) != turn:
            self.turn.clear()
        else:
            self.turn.append(number)

    def _undo(self, count: int) -> None:
        """Both games go back."""
        if count < 1:
            raise CannotUndo("nothing-to-undo")
        for _ in range(count):
            self.game.undo()
            self._dealer_too(Game.undo)
            last = groups(self.turn)[-1]
            del self.turn[-len(last) :]
            self.undone.append(last)
            self.events -= _is_event(last)

    def _redo(self, count: int) -> None:
        """Both games go forward again."""
        if not 1 <= count <= len(self.undone):
            raise CannotUndo("nothing-to-redo")
        for _ in range(count):
            for number in self.undone.pop():
                self._play(number)


def bare(setup: Setup, figures: Figures) -> Game:
    """A game that is told its cards."""
    return Game.bare(setup.players, setup.tiles, first=setup.first, options=setup.options, figures=figures)


def told(setup: Setup, figures: Figures, events: Iterable[Event]) -> Game:
    """A game in which all this happened."""
    game = bare(setup, figures)
    for event in events:
        match event:
            case Deal(destination, link):
                game.deal(destination, link)
            case Reveal(card):
                game.reveal(card)
            case Act(_, numbers):
                game.play_all(numbers)
    return game


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


def taken_over(setup: Setup, figures: Figures, events: Sequence[Event], seed: int) -> tuple[Course, list[Happening]]:
    """A game that was begun elsewhere, its face-down cards shuffled; and everything that happened in it.

    It is shuffled where the running turn began, because within a turn no card is turned up: so the turn can still be
    taken back.
    """
    earlier = _before_the_turn(setup, figures, events)
    course = Course(setup, figures)
    happened: list[Happening] = []
    for event in events[:earlier]:
        for piece in _pieces(event):
            course.happen(piece)
            happened.append(piece)
    happened += course.begin(seed)
    for event in events[earlier:]:
        assert isinstance(event, Act)  # whatever belongs to the running turn
        happened += course.act(event.numbers)
    return course, happened


def _before_the_turn(setup: Setup, figures: Figures, events: Sequence[Event]) -> int:
    """How many events happened before the running turn."""
    game = told(setup, figures, events)
    try:
        game.undo_turn()
    except CannotUndo:
        return len(events)
    return len(game.events)


def _pieces(event: Event) -> list[Event]:
    """An event as it is written down: a voyage of the pirate in its pieces."""
    return [Act(event.seat, (number,)) for number in event.numbers] if isinstance(event, Act) else [event]
