"""A game together with its dealer: how it begins, and what each entry of the log does to it.

The game on the table is told its cards, so nothing that is shown, searched or exported from it tells what is face down.
Only the dealer knows the secret that decides it, and is asked for nothing but the next cards. A `DealtGame` that is in
use is never changed: it is copied, and the copy takes its place once what happened is stored.
"""

from collections.abc import Sequence
from contextlib import suppress

from elcapitan.actions.text import to_text
from elcapitan.actions.union import is_voyage_piece
from elcapitan.board.figures import Figures
from elcapitan.engine.actions import END, FREE_PIRATE, N_ACTIONS, PAID_PIRATE, PIRATE_LAND
from elcapitan.errors import CannotUndo, ElCapitanError, Frozen, IllegalAction, NotYourTurn
from elcapitan.game.game import Game
from elcapitan.game.history import Act, Deal, Event, Reveal, action_groups, turn_of
from elcapitan.game.setup import Setup
from elcapitan.records import shuffles
from elcapitan.records.shuffles import Promise, Secret, any_salt, promise
from elcapitan.service.dealer import Dealer, brings, dealer_of
from elcapitan.service.log import Answer, Ask, Back, Hold, Lapse, LogEntry, Note, Prepare, Redo, Shuffle, Undo
from elcapitan.service.table_settings import TableSettings

Group = tuple[int, ...]  # the numbers of one action, as `action_groups` makes them


class DealtGame:
    """Where a game stands, what can be taken back and repeated, and what comes next from the decks."""

    def __init__(self, setup: Setup, figures: Figures) -> None:
        self.game = Game.from_setup(setup, figures)
        self.dealer: Dealer | None = None  # tells the cards, since a shuffle
        self.earliest = 1  # how many events there were at that shuffle, or 1
        self.promises: tuple[Promise, ...] = ()  # what was published about shuffles, and the secrets behind that
        self.turn: list[int] = []  # what was done in the running turn
        self.undone: list[Group] = []  # what was taken back, the first to be repeated last
        self.held_action: int | None = None  # an action that is chosen and will end the turn
        self.problem: ElCapitanError | None = None  # why this game cannot be played on

    def copy(self) -> "DealtGame":
        """Return an independent copy, which can go another way."""
        twin = DealtGame.__new__(DealtGame)
        twin.__dict__.update(self.__dict__)
        twin.game, twin.dealer = self.game.copy(), self.dealer and self.dealer.copy()
        twin.turn, twin.undone = list(self.turn), list(self.undone)
        return twin

    @property
    def figures(self) -> Figures:
        """The board that is played on."""
        return self.game.figures

    @property
    def event_count(self) -> int:
        """How many events have happened in the game."""
        return self.game.event_count

    @property
    def turn_begun(self) -> bool:
        """Whether something was done in the running turn, or is staged."""
        return bool(self.turn) or self.held_action is not None

    @property
    def undoable(self) -> int:
        """How many actions can be taken back, besides a held one."""
        return len(action_groups(self.turn))

    @property
    def turn_begins(self) -> int:
        """How many events had happened when the running turn began."""
        return self.event_count - sum(map(_is_event, action_groups(self.turn)))

    @property
    def redoable(self) -> int:
        """How many actions that were taken back can be repeated."""
        return len(self.undone)

    @property
    def arranged(self) -> Game:
        """The game with its decks in the order in which they will come, which no player may see."""
        return self.dealer.arranged(self.game) if self.dealer else self.game

    @property
    def secret(self) -> bytes:
        """The whole position with the order of the decks, for the store only."""
        return bytes(self.arranged.position.tobytes())

    def dice(self, number: int) -> int:
        """A seed for the dice of a computer player, from which the decks cannot be computed."""
        assert self.dealer  # the game is dealt
        return self.dealer.dice(number)

    def told_promises(self, *, over: bool) -> tuple[Promise, ...]:
        """What players may know of the shuffles: hashes, and the secrets behind them once the game is `over`.

        Then a shuffle after which no card came is left out, as when a finished game was imported.
        """
        if not over:
            return tuple(each.untold() for each in self.promises)
        return tuple(each for each in self.promises if each.at < self.event_count)

    # ------------------------------------------------------------------------------------------------ what is new

    def begin(self, secret: Secret) -> list[LogEntry]:
        """Shuffle, deal, and turn cards up until a seat has to decide; before a deal, or for a game taken over."""
        return [*self.shuffle(secret), *self._cards_due()]

    def shuffle(self, secret: Secret) -> list[LogEntry]:
        """Shuffle what is face down; no card is turned up before `deal`."""
        shuffle = Shuffle(secret, any_salt())
        self.apply(shuffle)
        return [shuffle]

    def deal(self) -> list[LogEntry]:
        """Deal the opening display of a game that was only shuffled."""
        self._check_playable()
        return self._cards_due()

    def act(self, actions: Sequence[int]) -> list[LogEntry]:
        """Let the deciding seat act, once or several times in its turn, and turn up the cards that follow."""
        self._check_playable()
        if not actions:
            raise IllegalAction("no-such-action", "", found="", most=N_ACTIONS - 1)
        self.game.expect_action()
        seat = self.game.seat
        assert seat is not None
        entries: list[LogEntry] = []
        for done, action in enumerate(actions):
            if done and not self.turn:
                raise NotYourTurn("turn-is-over", action=to_text(actions[done - 1], self.figures))
            self._play(int(action))
            entries += [Act(seat, (int(action),)), *self._cards_due()]
        self.undone.clear()
        return entries

    def act_or_hold(self, actions: Sequence[int]) -> list[LogEntry]:
        """Let the deciding seat act, but only stage a last action that would end its turn, unless it is `END`."""
        trial = self.copy()
        trial.act(actions)
        *earlier, last = map(int, actions)
        if trial.turn or last == END:
            return self.act(actions)
        entries = self.act(earlier) if earlier else []
        hold = Hold(self._deciding(), last)
        self.apply(hold)
        self.undone.clear()
        return [*entries, hold]

    def act_and_end(self, actions: Sequence[int]) -> list[LogEntry]:
        """Let the deciding seat act, and end its turn once it has built, unless it may still move the pirate free.

        What else could be done after building, as buying cards, is left out.
        """
        entries = self.act(actions)
        legal = self.game.legal() if self.turn else ()
        if END in legal and not any(FREE_PIRATE <= action < PAID_PIRATE for action in legal):
            entries += self.act([END])
        return entries

    def play_held(self) -> list[LogEntry]:
        """Play the held action, which ends the turn. Raises `NotYourTurn` if there is none."""
        if self.held_action is None:
            raise NotYourTurn("nothing-staged")
        return self.act([self.held_action])

    def undo(self, count: int) -> list[LogEntry]:
        """Take back actions of the running turn, first of all a held one."""
        self._check_playable()
        entry = Undo(self._deciding(), count)
        self._undo(count)
        return [entry]

    def redo(self, count: int) -> list[LogEntry]:
        """Repeat actions that were taken back."""
        self._check_playable()
        entry = Redo(self._deciding(), count)
        self._redo(count)
        return [entry, *self._cards_due()]

    def back(self, seat: int, at: int) -> list[LogEntry]:
        """Go back, across turns and cards, to when `at` events had happened; the same cards will come again."""
        moment = self.moment(at)
        self._back(moment)
        return [Back(seat, moment)]

    def moment(self, at: int) -> int:
        """Return the first moment from `at` events on when a seat decides: the cards that followed are skipped.

        Raises `CannotUndo` if it is before the last shuffle, or now.
        """
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
        """Return the seats that have acted since `at` events had happened."""
        seats = {event.seat for event in self.game.events[at:] if isinstance(event, Act)}
        return frozenset(seats | ({self._deciding()} if self._at_sea else set()))

    @property
    def _at_sea(self) -> bool:
        """Whether the pirate is on a voyage by cards, which is no event before it lands."""
        return bool(self.turn) and not _is_event(action_groups(self.turn)[-1])

    def _check_playable(self) -> None:
        """Raise `Frozen` if the game can only be looked at."""
        if self.problem:
            raise Frozen(self.problem)

    def _deciding(self) -> int:
        """Return the deciding seat. Raises `CannotUndo` if there is none."""
        if self.game.seat is None:
            raise CannotUndo("nothing-to-undo")
        return self.game.seat

    def _cards_due(self) -> list[LogEntry]:
        """Turn up the cards that are due, if any, and return their entries."""
        entries: list[LogEntry] = []
        while self.game.card_due and self.dealer and self.problem is None:
            cards = self.dealer.next_cards(self.game)
            self.game.apply(cards)
            entries.append(cards)
        return entries

    # --------------------------------------------------------------------------------------------- what is written

    def apply(self, entry: LogEntry) -> None:
        """Apply an entry of the log, a new one or one that is read again."""
        match entry:
            case Shuffle(secret, salt):
                self._shuffle(secret)
                self._promise(secret, salt)
            case Deal() | Reveal():
                if self.dealer and self.problem is None and not brings(self.dealer, entry, self.game):
                    self.problem = ElCapitanError("other-position")
                self.game.apply(entry)
            case Act(_, numbers):
                for number in numbers:
                    self._play(number)
                self.undone.clear()
            case Hold(_, number):
                self.held_action = number
            case Undo(_, count):
                self._undo(count)
            case Redo(_, count):
                self._redo(count)
            case Back(_, at):
                self._back(at)
            case Ask() | Answer() | Lapse() | Note() | Prepare():
                pass

    def _shuffle(self, secret: Secret) -> None:
        """Let a secret decide which cards come from now on."""
        if self.problem is None:
            self.dealer = dealer_of(self.game, secret)
        self.earliest = max(1, self.event_count)

    def _promise(self, secret: Secret, salt: str) -> None:
        """Keep what is published about a shuffle, and drop shuffles that going back has undone."""
        earlier = tuple(each for each in self.promises if each.at < self.event_count)
        self.promises = (*earlier, promise(self.event_count, secret, salt)) if salt else earlier

    def _play(self, number: int) -> None:
        """Carry out an action."""
        turn = turn_of(self.game.position)
        self.game.play(number)
        self.held_action = None
        if self.game.card_due or turn_of(self.game.position) != turn:
            self.turn.clear()
        else:
            self.turn.append(number)

    def _undo(self, count: int) -> None:
        """Take back actions of the running turn, first of all a held one."""
        if count < 1:
            raise CannotUndo("nothing-to-undo")
        for _ in range(count):
            if self.held_action is not None:
                self.undone.append((self.held_action,))
                self.held_action = None
                continue
            self.game.undo()
            last = action_groups(self.turn)[-1]
            del self.turn[-len(last) :]
            self.undone.append(last)

    def _redo(self, count: int) -> None:
        """Repeat actions that were taken back."""
        if not 1 <= count <= len(self.undone):
            raise CannotUndo("nothing-to-redo")
        for _ in range(count):
            group = self.undone.pop()
            if self._ends_turn(group):
                (self.held_action,) = group
                continue
            for number in group:
                self._play(number)

    def _ends_turn(self, group: Group) -> bool:
        """Whether an action ends the running turn. Of what was taken back, only a held action does."""
        trial = self.copy()
        for number in group:
            trial._play(number)
        return not trial.turn

    def _back(self, at: int) -> None:
        """Go back to when `at` events had happened."""
        if not self.earliest <= at <= self.event_count:
            raise CannotUndo("too-far-back")
        self.game.take_back(self.event_count - at + self._at_sea)
        running = self.game.events[_before_the_turn(self.game) :]
        self.turn = [number for event in running if isinstance(event, Act) for number in event.numbers]
        self.undone, self.held_action = [], None


def _before_the_turn(game: Game) -> int:
    """Return how many events happened before the running turn."""
    begun = game.copy()
    with suppress(CannotUndo):
        begun.undo_turn()
    return begun.event_count


def _is_event(group: Group) -> bool:
    """Whether an action is an event of the game; cards of a voyage of the pirate are none before it lands."""
    return not is_voyage_piece(group[-1]) or group[-1] >= PIRATE_LAND


# ------------------------------------------------------------------------------------------------------------ new games


def new_game(settings: TableSettings, figures: Figures, *, deal: bool = True) -> tuple[DealtGame, list[LogEntry]]:
    """Begin a game with these settings; return it and its log so far. Without `deal` it is only shuffled.

    Its cards come from a new key, unless the settings have a seed: then they are those of any game with this seed.
    """
    secret: Secret = shuffles.any_key() if settings.seed is None else settings.seed
    first = _first_seat(settings, secret, figures) if settings.first is None else settings.first
    dealt = DealtGame(Setup.of(len(settings.seats), settings.tiles, first, settings.options), figures)
    return dealt, dealt.begin(secret) if deal else dealt.shuffle(secret)


def _first_seat(settings: TableSettings, secret: Secret, figures: Figures) -> int:
    """Draw the seat that begins."""
    if isinstance(secret, str):
        return shuffles.first_seat(secret, len(settings.seats))
    return Game.new(len(settings.seats), settings.tiles, seed=secret, figures=figures).setup.first


def taken_over(
    setup: Setup, figures: Figures, events: Sequence[Event], secret: Secret
) -> tuple[DealtGame, list[LogEntry]]:
    """Replay a game that was begun elsewhere and shuffle its face-down cards; return it and its log so far.

    It is shuffled where the running turn began, because within a turn no card is turned up: so the turn can still be
    taken back.
    """
    earlier = _before_the_turn(Game.replay(setup, events, figures))
    dealt = DealtGame(setup, figures)
    entries: list[LogEntry] = []
    for event in events[:earlier]:
        for piece in _pieces(event):
            dealt.apply(piece)
            entries.append(piece)
    entries += dealt.begin(secret)
    for event in events[earlier:]:
        assert isinstance(event, Act)  # whatever belongs to the running turn
        entries += dealt.act(event.numbers)
    return dealt, entries


def _pieces(event: Event) -> list[Event]:
    """Return an event as the log stores it: a voyage of the pirate in its pieces."""
    return [Act(event.seat, (number,)) for number in event.numbers] if isinstance(event, Act) else [event]
