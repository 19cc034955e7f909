"""A game whose every step is checked: its set-up, cards and actions so far.

The log is the truth: a game is its set-up, the cards that chance brought and the actions of the seats. Everything
else (undo, replay, records, traces) comes from it. Before each step the position is kept as bytes, so going back
costs nothing. The engine trusts its callers; a `Game` checks, and says which rule forbids what it refuses.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from elcapitan.actions.text import from_text
from elcapitan.actions.typed import Typed
from elcapitan.actions.union import decode
from elcapitan.board.figures import Figures, packaged
from elcapitan.engine import play, vocabulary
from elcapitan.engine.rules import RULES_VERSION
from elcapitan.engine.state import State, States
from elcapitan.errors import BadSetup, IllegalAction
from elcapitan.game import position_queries as queries
from elcapitan.game.history import Act, Counts, Deal, Event, Log, Moment, Reveal, cards_of, check_deal
from elcapitan.game.position_queries import Income, Payday, position
from elcapitan.game.setup import Setup, checked_seed, starter_of

__all__ = ["RULES_VERSION", "Act", "Deal", "Event", "Game", "Income", "Moment", "Payday", "Reveal", "Setup"]


class Game:
    """A game in progress. `Game.new` shuffles and draws cards by itself; `Game.bare` is told which cards come."""

    def __init__(self, setup: Setup, figures: Figures, seed: int | None) -> None:
        self.setup = setup
        self.figures = figures
        self.seed = seed
        self._states = play.states()
        self._desks = play.desks()
        self._log = Log()
        self._legal: list[int] | None = None
        agreed = (setup.players, setup.tile_bits, setup.option_bits, setup.first)
        play.new(self._states, 0, figures.boards, *agreed, (seed or 0) & queries.LOW_32, (seed or 0) >> 32)

    @classmethod
    def new(
        cls,
        players: int,
        tiles: Sequence[str] = (),
        *,
        first: int | None = None,
        options: Mapping[str, bool] | None = None,
        seed: int | None = None,
        figures: Figures | None = None,
    ) -> "Game":
        """A game that draws its cards itself; without a seed from the system's randomness.

        Without `first`, the seed also draws who begins.
        """
        seed = checked_seed(seed)
        setup = Setup.of(players, tiles, 0 if first is None else first, options)
        if first is None:
            setup = setup.starting_with(starter_of(seed, players))
        return cls.from_setup(setup, figures, seed=seed)

    @classmethod
    def bare(
        cls,
        players: int,
        tiles: Sequence[str] = (),
        *,
        first: int,
        options: Mapping[str, bool] | None = None,
        figures: Figures | None = None,
    ) -> "Game":
        """A game whose cards are told by `deal` and `reveal`: for replays, and where chance comes from elsewhere."""
        return cls.from_setup(Setup.of(players, tiles, first, options), figures)

    @classmethod
    def from_setup(cls, setup: Setup, figures: Figures | None = None, *, seed: int | None = None) -> "Game":
        """Begin a game with a checked set-up; without a seed, `deal` and `reveal` bring its cards, as with `bare`."""
        game = cls(setup, figures or packaged(), seed if seed is None else checked_seed(seed))
        if seed is not None:
            game.draw()
        return game

    @classmethod
    def replay(cls, setup: Setup, events: Iterable[Event], figures: Figures | None = None) -> "Game":
        """Play the events of another game again, one after another."""
        game = cls.from_setup(setup, figures)
        for event in events:
            game.apply(event)
        return game

    @classmethod
    def at_position(cls, states: States, figures: Figures | None = None) -> "Game":
        """A game without a past that stands in a position."""
        game = cls.from_setup(Setup.of_position(states[0]), figures)
        game._states = position(states.tobytes())
        return game

    def copy(self) -> "Game":
        """An independent game at the same point, with the same past."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._states = position(self._states.tobytes())
        twin._desks = play.desks()
        twin._log = self._log.copy()
        return twin

    __copy__ = copy

    def arranged(self, decks: Sequence[Sequence[int]]) -> "Game":
        """A copy whose face-down cards lie in these orders, destinations and links, the next card first."""
        twin = self.copy()
        twin._states = queries.arranged(self._states, decks)
        return twin

    def with_decks(self, deck: bytes, seed: int, drawn: int) -> "Game":
        """A copy with the decks as the engine stores them and the generator of a seed after so many numbers."""
        twin = self.copy()
        twin.seed = seed
        twin._states = queries.with_decks(self._states, deck, seed, drawn)
        return twin

    def in_turn_of(self, seat: int) -> "Game | None":
        """A copy in which a seat's next turn begins; None if a payday comes before it, or no turn is running."""
        twin = self.copy()
        if int(twin._states["pirate_at"][0]) != vocabulary.NOBODY:
            twin.take_back()  # a voyage that has not landed
        twin._legal = None
        return twin if twin._stage != vocabulary.REVEAL and queries.turn_given(twin._states, seat) else None

    # ------------------------------------------------------------------------------------------ where the game stands

    @property
    def position(self) -> State:
        """The position as a record of its own."""
        return position(self._states.tobytes())[0]

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.setup.players

    @property
    def stage(self) -> str:
        """What is to happen now, by a name of `vocabulary.STAGE_NAMES`."""
        return vocabulary.STAGE_NAMES[self._stage]

    @property
    def _stage(self) -> int:
        return int(self._states["stage"][0])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return play.is_over(self._states, 0)

    @property
    def dealt(self) -> bool:
        """Whether the opening display lies on the table."""
        return bool(self._log.steps)

    @property
    def card_due(self) -> bool:
        """Whether a card is to be turned up now (or the display to be dealt)."""
        return self._stage == vocabulary.REVEAL

    @property
    def seat(self) -> int | None:
        """The seat that decides now; None while a card is to be turned up and when the game is over."""
        return None if self._stage in (vocabulary.REVEAL, vocabulary.OVER) else int(self._states["seat"][0])

    @property
    def phase(self) -> int:
        """The phase, from 1."""
        return int(self._states["phase"][0])

    @property
    def round(self) -> int:
        """The round, from 1 in each phase; 0 before the first deal."""
        return int(self._states["round_no"][0])

    @property
    def money(self) -> list[int]:
        """The cash of every seat."""
        return play.scores(self._states, 0)

    @property
    def ranks(self) -> list[int]:
        """The rank of every seat by its cash; equals share a rank, as in 1, 2, 2, 4."""
        money = self.money
        return [1 + sum(other > own for other in money) for own in money]

    @property
    def winners(self) -> list[int]:
        """The richest, once the game is over [END-05, G-31]."""
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1] if self.over else []

    @property
    def win_shares(self) -> list[float]:
        """Each seat's share of the win, once the game is over: 1, divided among the winners, or 0 [END-05, G-31]."""
        winners = self.winners
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]

    def forecast(self) -> tuple[Income, ...]:
        """What a payday now would pay each seat, item by item."""
        return queries.forecast_of(self._states, self.figures)

    @property
    def paydays(self) -> list[Payday]:
        """What the paydays so far have paid, item by item."""
        return [step.payday for step in self._log.steps if step.payday]

    def view_for(self, seat: int) -> States:
        """What a seat may see, as one position: everything but the order of the face-down cards.

        Money, hands and discards are open [SET-05, G-11], so every seat sees the same, and also which cards are face
        down, but not in which order: they are sorted here and the source of chance is gone. This is the only door
        through which a position may reach a screen, a player or a computer player.
        """
        if not 0 <= seat < self.players:
            raise BadSetup("bad-first", found=seat, least=0, most=self.players - 1)
        return queries.without_secrets(self._states)

    # --------------------------------------------------------------------------------------------------- what happened

    @property
    def turned_up(self) -> Counts:
        """How many destination cards and how many links have come, the opening display included."""
        return self._log.turned_up

    @property
    def events(self) -> list[Event]:
        """Everything that happened; a voyage of the pirate by cards happens when it lands."""
        return list(self._log.events)

    @property
    def event_count(self) -> int:
        """How many events there are."""
        return len(self._log.events)

    def history(self) -> Iterator[Moment]:
        """The events one after another, each with the positions before and after it."""
        return self._log.moments(self._states.tobytes())

    def undo(self) -> None:
        """Go back to before the last action of the running turn, or the last card of a voyage not yet landed."""
        self._log.begin_of_turn(self._states[0])  # raises if there is no action in it
        landed = self._log.steps[-1].lands
        self._go_back_to(self._log.begin_of_last() if landed else len(self._log.steps) - 1)

    def undo_turn(self) -> None:
        """Go back to the beginning of the running turn."""
        self._go_back_to(self._log.begin_of_turn(self._states[0]))

    def take_back(self, count: int = 1) -> None:
        """Go back by so many events, whatever they are: for tools that walk through a game."""
        for _ in range(count):
            self._go_back_to(self._log.begin_of_last())

    def _go_back_to(self, length: int) -> None:
        """Restore the position in which the log had so many steps."""
        if length < len(self._log.steps):
            self._states = position(self._log.cut(length))
            self._legal = None

    # ---------------------------------------------------------------------------------------------------------- acting

    def legal(self) -> list[int]:
        """The numbers of everything legal now, ascending."""
        return list(self._legal_numbers())

    def _legal_numbers(self) -> list[int]:
        """Everything legal now, found once for each position; not to be changed."""
        if self._legal is None:
            self._legal = queries.legal_in(self._states, self.figures, self._desks)
        return self._legal

    def offered(self) -> list[Typed]:
        """Everything legal now in typed form, but for voyages of the pirate by cards."""
        return queries.in_typed_form(self.legal(), self.figures)

    def play(self, number: int) -> None:
        """Carry out an action by its number, if it is legal; cards that follow are drawn if the game has a seed."""
        number = int(number)  # NumPy's small integers would overflow in the rules
        if number not in self._legal_numbers():
            raise self._refusal(number)
        seat = int(self._states["seat"][0])
        before = self._states.tobytes()
        play.apply(self._states, 0, self.figures.boards, number)
        self._note(Act(seat, (number,)), before)
        if self.seed is not None:
            self.draw()

    def why_not(self, number: int) -> IllegalAction | None:
        """The reason why an action is not legal now; nothing if it is."""
        number = int(number)
        return None if number in self._legal_numbers() else self._refusal(number)

    def apply(self, event: Event) -> None:
        """Carry out an event that happened before: a deal, a card, or an action of the seat that is to decide."""
        match event:
            case Deal(destination, link):
                self.deal(destination, link)
            case Reveal(card):
                self.reveal(card)
            case Act(_, numbers):
                self.play_all(numbers)

    def play_all(self, numbers: Sequence[int]) -> None:
        """Carry out an action of several numbers, or none of them."""
        played = len(self._log.steps)
        try:
            for number in numbers:
                self.play(number)
        except IllegalAction:
            self._go_back_to(played)
            raise

    def play_text(self, text: str) -> None:
        """Carry out an action in text form."""
        self.play_all(from_text(text, self.figures))

    def deal(self, destination: Sequence[int], link: Sequence[int]) -> None:
        """Lay out the opening display [SET-07]."""
        if self.dealt:
            raise IllegalAction("dealt-already", "SET-07")
        deal = Deal(tuple(destination), tuple(link))
        check_deal(deal)
        before = self._states.tobytes()
        for card in cards_of(deal):
            play.chance(self._states, 0, self.figures.boards, card)
        self._note(deal, before)

    def reveal(self, card: int) -> None:
        """Turn up a given card."""
        card = int(card)
        if not self.card_due:
            raise IllegalAction("no-card-wanted", "CARD-09")
        if not self.dealt:
            raise IllegalAction("deal-first", "SET-07")
        if not 0 <= card < vocabulary.CARDS or not play.possible(self._states, 0, card):
            name = self.figures.cards[card] if 0 <= card < vocabulary.CARDS else card
            raise IllegalAction("impossible-card", "CARD-08", card=name)
        before = self._states.tobytes()
        play.chance(self._states, 0, self.figures.boards, card)
        self._note(Reveal(card), before)

    def draw(self) -> None:
        """Turn up cards from the shuffled decks until a seat has to decide. Does nothing if no card is due."""
        if not self.dealt:
            before = self._states.tobytes()
            displayed = (vocabulary.DISPLAYED_DESTINATIONS, vocabulary.DISPLAYED_LINKS)
            destinations, links = (tuple(self._turn_up() for _ in range(count)) for count in displayed)
            self._note(Deal(destinations, links), before)
        while self.card_due:
            before = self._states.tobytes()
            self._note(Reveal(self._turn_up()), before)

    def _turn_up(self) -> int:
        """Turn up the next card of the shuffled deck that lacks one on the display."""
        card = play.next_card(self._states, 0)
        play.chance(self._states, 0, self.figures.boards, card)
        return card

    def shuffle(self, seed: int | None = None) -> None:
        """Shuffle what is face down; from now on the game draws its cards itself.

        A game read from a record knows no order of its decks: this is how to play it on.
        """
        self.seed = checked_seed(seed)
        self._states = queries.shuffled(self._states, self.seed)
        self.draw()

    def _note(self, event: Event, before: bytes) -> None:
        """Enter into the log what has just happened, with the payday if it closed a phase."""
        payday = None
        if self._stage >= vocabulary.SETTLING and (was := position(before))[0].stage < vocabulary.SETTLING:
            # What closes a phase (an end, a loan, a card) changes no income.
            action = decode(event.numbers[0], self.figures) if isinstance(event, Act) else None
            purses = queries.purses_at_payday(was, self.figures, action)
            payday = Payday(int(was[0].phase), queries.forecast_of(was, self.figures), purses)
        self._log.add(event, before, payday)
        self._legal = None

    def expect_action(self) -> None:
        """Raise `IllegalAction` if no seat has to decide: a card is to be turned up, or the game is over."""
        if refusal := self._no_action():
            raise refusal

    def _no_action(self) -> IllegalAction | None:
        """The reason why no seat may act now; nothing if one may."""
        if self.over:
            return IllegalAction("game-over", "END-01")
        if not self.dealt:
            return IllegalAction("deal-first", "SET-07")
        return IllegalAction("card-to-turn-up", "CARD-09") if self.card_due else None

    def _refusal(self, number: int) -> IllegalAction:
        """The reason why an action is not legal."""
        return self._no_action() or queries.refusal_in(self._states, self.figures, self._desks, number)
