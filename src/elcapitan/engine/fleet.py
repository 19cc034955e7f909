"""Many games at once: one step in each of them, with masks, observations and rewards, behind one kernel.

It is compiled at its first use, so that players never wait for it. A game of a fleet depends on the fleet's seed, its
number in the fleet and how many games were dealt there before it, and on nothing else: neither on how many games
there are nor on how many threads step them. Every thread has a desk and a share of the games of its own, and helps
others with theirs.
"""

from typing import Final, NamedTuple, cast

import numpy as np

from elcapitan.engine import act, legal_actions
from elcapitan.engine.actions import BUILD, FREE_PIRATE, N_ACTIONS
from elcapitan.engine.jit import add, kernel, lowest, put, rule, whole
from elcapitan.engine.observation import CELLS, observe, observe_move
from elcapitan.engine.policies import NO_POLICY, pick
from elcapitan.engine.record import (
    Bools,
    Float32s,
    Float64s,
    Int8s,
    Int32s,
    Int64,
    Int64s,
    Record,
    Records,
    UInt8s,
    UInt64s,
    aligned_zeros,
    zeros,
)
from elcapitan.engine.rng import Generator, Generators, HasRng, below, number, sow
from elcapitan.engine.rules.loans import wealth
from elcapitan.engine.rules.payday import income
from elcapitan.engine.simd import WIDE, fetch, poke_set
from elcapitan.engine.state import WORDS, Board, Boards, Desk, Desks, State, States
from elcapitan.engine.vocabulary import NOBODY, OVER

# Instead of an action.
BEGIN: Final = -1  # a new game
STAY: Final = -2  # the game stays as it is, and so does what was written about it

ELSEWHERE: Final = -2  # instead of a policy of the other seats: each game has an own seat, the others play outside
STATE_BYTES: Final = State.kind.itemsize
WHOLE_WORDS: Final = N_ACTIONS // WIDE  # of a mask; the last word has fewer actions

# Stakes.
WIN: Final = 0
RANK: Final = 1
MONEY: Final = 2
STAKE_NAMES: Final = ("win", "rank", "money")
FLORINS_A_POINT: Final = 100.0

# Instead of the number of a game whose action is illegal.
ALL_LEGAL: Final = -1
BROKEN: Final = -2  # a thread failed: some games were left in the middle of the step

LEADER: Final = 0  # the desk of the thread that all others help

# What threads tell each other, by its place on a slate.
TURN: Final = 0  # how many steps there were
DONE: Final = 1  # how many games have taken this step
WRONG: Final = 2  # a game whose action is illegal, or ALL_LEGAL
FAILED: Final = 3  # 1 once a thread has failed
NEXT: Final = 4  # of each share of the games, the first one that nobody has taken
SOME: Final = 64  # games taken at a time
AHEAD: Final = 3  # games further on, of which the memory is fetched
PATIENCE: Final = 20_000  # looks at the slate, some tenths of a millisecond


class Terms(Record):
    """What holds for all games of a fleet."""

    players: Int64
    tiles: Int64  # as bits
    options: Int64  # as bits
    stakes: Int64  # what a finished game pays: WIN, RANK or MONEY
    others: Int64  # the policy of all seats but one; NO_POLICY or ELSEWHERE: every seat waits for its action
    choice: Int64  # the policy whose next action is written down, or NO_POLICY


class FleetArrays(NamedTuple):
    """The arrays that all threads of a fleet work with; most have a row for each game."""

    states: States
    boards: Boards
    desks: Desks  # one for each thread
    dice: Generators
    seeds: Int64s  # what games are dealt from: the lower 32 bits of a seed, the upper ones, a number of the place
    dealt: Int64s  # games dealt so far in this place
    own: Int8s  # the seat that is stepped for, or NOBODY if all are
    terms: Records[Terms]
    slate: Int64s  # what threads tell each other
    actions: Int64s  # to be played; what the policy of `choice` chose
    masks: UInt64s  # the legal actions as bits
    flags: UInt8s  # the same as bytes; may be empty
    observations: Int8s  # what the deciding seat sees; may be empty
    last: Int8s  # where a game has ended, what the seat saw that acted last; may be empty
    seats: Int8s  # who decides
    rewards: Float32s  # by game and seat: what a game that ended has paid
    finished: Bools  # whether a game ended with this step
    money: Int32s  # by game and seat: the cash at the end of the last game that ended here


def fleet_arrays(
    games: int, boards: Boards, terms: Records[Terms], *, threads: int = 1, observe: bool = True, flags: bool = True
) -> FleetArrays:
    """Make the arrays of a fleet, in which no game has been dealt yet."""
    seen = (games if observe else 0, CELLS)
    own = aligned_zeros(games, np.int8)
    own[:] = NOBODY
    return FleetArrays(
        states=cast(States, aligned_zeros(games, State.kind)),
        boards=boards,
        desks=zeros(Desk, threads),
        dice=zeros(Generator, games),
        seeds=np.stack([np.zeros(games, np.int64), np.zeros(games, np.int64), np.arange(games)], 1),
        dealt=aligned_zeros(games, np.int64),
        own=own,
        terms=terms,
        slate=np.zeros(NEXT + threads, np.int64),
        actions=aligned_zeros(games, np.int64),
        masks=aligned_zeros((games, WORDS), np.uint64),
        flags=aligned_zeros((games if flags else 0, N_ACTIONS), np.uint8),
        observations=aligned_zeros(seen, np.int8),
        last=aligned_zeros(seen, np.int8),
        seats=aligned_zeros(games, np.int8),
        rewards=aligned_zeros((games, terms[0].players), np.float32),
        finished=aligned_zeros(games, np.bool_),
        money=aligned_zeros((games, terms[0].players), np.int32),
    )


@rule
def stake(s: State, seat: int, stakes: int) -> float:
    """[END-05] What a seat gets for a game that is over."""
    own = whole(s.cash[seat])
    beaten, level, richest = 0, 1, -(1 << 20)
    for other in range(whole(s.players)):
        if other != seat:
            cash = whole(s.cash[other])
            richest = max(richest, cash)
            beaten += 1 if cash < own else 0
            level += 1 if cash == own else 0
    if stakes == MONEY:
        return (own - richest) / FLORINS_A_POINT
    if stakes == RANK:
        return (beaten + (level - 1) / 2) / (whole(s.players) - 1)
    return 1.0 / level if own >= richest else 0.0


@kernel
def pay_out(states: States, i: int, stakes: int, rewards: Float64s) -> None:
    """Write what each seat gets for a game that is over."""
    for seat in range(whole(states[i].players)):
        rewards[seat] = stake(states[i], seat, stakes)


def payoffs(states: States, i: int, stakes: int) -> list[float]:
    """What each seat gets for a game that is over."""
    rewards = np.zeros(int(states["players"][i]))
    pay_out(states, i, stakes, rewards)
    found: list[float] = rewards.tolist()
    return found


@rule
def deal(s: State, b: Board, g: HasRng, terms: Terms, seeds: Int64s, i: int, dealt: int) -> None:
    """Deal a game that depends on the seed of its place and how many were dealt there before it."""
    sow(g, whole(seeds[i, 0]), whole(seeds[i, 1]))
    low = number(g) ^ whole(seeds[i, 2])
    sow(g, low, number(g))
    low = number(g) ^ dealt
    sow(g, low, number(g))
    act.deal_anew(s, b, g, whole(terms.players), whole(terms.tiles), whole(terms.options))


@rule
def others_play(s: State, b: Board, d: Desk, g: HasRng, own: int, policy: int) -> None:
    """Let the other seats play until the own one has to decide or the game is over; or not, if they play ELSEWHERE."""
    while policy != ELSEWHERE and s.stage != OVER and s.seat != own:
        act.step(s, b, pick(s, b, d, g, policy, False))


@rule
def offered_before(masks: UInt64s, i: int, action: int) -> bool:
    """Whether an action was in the mask of a game."""
    return bool(0 <= action < WORDS * 64 and whole(masks[i, action >> 6]) >> (action & 63) & 1)


@rule
def write_masks(d: Desk, masks: UInt64s, flags: UInt8s, i: int) -> None:
    """Copy the offered actions from the desk into the mask of a game: as bits, and as bytes if `flags` are wanted."""
    for k in range(WORDS):
        if len(flags) > 0 and d.legal[k] != masks[i, k]:
            write_flags(flags, i, k, whole(d.legal[k]), whole(masks[i, k]))
        masks[i, k] = d.legal[k]


@rule
def write_flags(flags: UInt8s, i: int, k: int, new: int, old: int) -> None:
    """Write a word of a mask as bytes: all at once, or those that changed of the last word, which has fewer."""
    if k < WHOLE_WORDS:
        poke_set(flags, i, k * WIDE, new)
        return
    changed = new ^ old
    while changed != 0:
        bit = lowest(changed)
        changed &= changed - 1
        flags[i, k * WIDE + bit] = new >> bit & 1


@rule
def close(s: State, rewards: Float32s, money: Int32s, last: Int8s, i: int, viewer: int, stakes: int) -> None:
    """Write the rewards and the money of a finished game, and its last observation if that is wanted."""
    for seat in range(whole(s.players)):
        rewards[i, seat] = stake(s, seat, stakes)
        money[i, seat] = s.cash[seat]
    if len(last) > 0:
        observe(s, last, i, viewer)


@rule
def is_move(action: int) -> bool:
    """Whether an action buys a card or sails: nothing but the deciding seat's own doing, and its turn goes on."""
    return 0 <= action < BUILD


@rule
def fetch_game(fleet: FleetArrays, i: int) -> None:
    """Bring what the next step of a game needs into the cache."""
    fetch(fleet.states, i, STATE_BYTES)
    fetch(fleet.masks, i, 8 * WORDS)
    if len(fleet.flags) > 0:
        fetch(fleet.flags, i, FREE_PIRATE)  # most games are without the pirate
    if len(fleet.observations) > 0 and not is_move(whole(fleet.actions[i])):
        fetch(fleet.observations, i, CELLS)


@rule
def write_observation(s: State, rows: Int8s, i: int, action: int, moved: bool) -> None:
    """Write what the deciding seat sees, if that is wanted; after a move only what it changed."""
    if len(rows) == 0:
        return
    if moved:
        observe_move(s, rows, i, action)
    else:
        observe(s, rows, i, whole(s.seat))


@rule
def step_some(fleet: FleetArrays, j: int, first: int, beyond: int) -> None:
    """One step in every game from `first` to before `beyond`, at the desk `j`."""
    b, d, terms = fleet.boards[0], fleet.desks[j], fleet.terms[0]
    for i in range(first, beyond):
        s, g = fleet.states[i], fleet.dice[i]
        fetch_game(fleet, min(i + AHEAD, beyond - 1))
        action = whole(fleet.actions[i])
        moved = is_move(action)
        if action != STAY and fleet.finished[i]:
            fleet.finished[i] = False
            fleet.rewards[i, :] = 0
        if action >= 0:
            if offered_before(fleet.masks, i, action):
                act.step(s, b, action)
                if fleet.own[i] != NOBODY:
                    others_play(s, b, d, g, whole(fleet.own[i]), whole(terms.others))
            else:
                fleet.slate[WRONG] = i
                moved = False
            if s.stage == OVER:
                fleet.finished[i] = True
                close(s, fleet.rewards, fleet.money, fleet.last, i, whole(fleet.seats[i]), whole(terms.stakes))
        if action == BEGIN or (action >= 0 and fleet.finished[i]):
            deal(s, b, g, terms, fleet.seeds, i, whole(fleet.dealt[i]))
            fleet.dealt[i] += 1
            if terms.others != NO_POLICY:
                fleet.own[i] = below(g, whole(terms.players))
                others_play(s, b, d, g, whole(fleet.own[i]), whole(terms.others))
        fleet.seats[i] = s.seat
        legal_actions.offer(s, b, d)
        write_masks(d, fleet.masks, fleet.flags, i)
        write_observation(s, fleet.observations, i, action, moved)
        if terms.choice != NO_POLICY:
            fleet.actions[i] = pick(s, b, d, g, whole(terms.choice), True)


@rule
def share_begins(share: int, games: int, threads: int) -> int:
    """The first game of a share; for the share after the last, how many games there are."""
    return games * share // threads


@rule
def help_out(fleet: FleetArrays, j: int) -> None:
    """Take unclaimed games and step them, until every game of this step is claimed.

    Every thread begins with its own share, because those games are still in its cache from the last step.
    """
    slate, games, threads = fleet.slate, len(fleet.states), len(fleet.desks)
    for k in range(threads):
        share = (j + k) % threads
        end = share_begins(share + 1, games, threads)
        first = add(slate, NEXT + share, SOME)
        while first < end:
            beyond = min(first + SOME, end)
            step_some(fleet, j, first, beyond)
            add(slate, DONE, beyond - first)
            first = add(slate, NEXT + share, SOME)


@rule
def lead(fleet: FleetArrays) -> int:
    """Step every game once, together with the threads that stand by."""
    slate, games, threads = fleet.slate, len(fleet.states), len(fleet.desks)
    slate[WRONG] = ALL_LEGAL
    slate[DONE] = 0
    for share in range(threads):  # from here on there is something to take, for one who is late from the last step too
        put(slate, NEXT + share, share_begins(share, games, threads))
    add(slate, TURN, 1)
    help_out(fleet, LEADER)
    while add(slate, DONE, 0) < games:
        if add(slate, FAILED, 0) != 0:
            return BROKEN
    return whole(slate[WRONG])


@rule
def stand_by(fleet: FleetArrays, j: int, turn: int) -> int:
    """Help with every step after `turn` until none has come for a while; return the number of the last one.

    Waking a sleeping thread takes as long as a thousand steps, so the thread waits awake for a while.
    """
    slate, looked = fleet.slate, 0
    while looked < PATIENCE:
        now = add(slate, TURN, 0)
        looked += 1
        if now != turn:
            turn, looked = now, 0
            help_out(fleet, j)
    return turn


@kernel
def step(fleet: FleetArrays, j: int, turn: int) -> int:
    """Step the games at the desk `j`, which belongs to one thread.

    At the desk of the leader, one step in every game; the number of one whose action is illegal, or ALL_LEGAL, or
    BROKEN. A game whose action is illegal stays as it is. A finished game is paid and dealt anew. `flags`,
    `observations` and `last` are left alone if they are empty. At any other desk, help with the steps after `turn`;
    the number of the last one. Both are one kernel, because the rules are compiled into every kernel anew.
    """
    return lead(fleet) if j == LEADER else stand_by(fleet, j, turn)


@kernel
def look(states: States, i: int, viewer: int, rows: Int8s, j: int) -> None:
    """Write what a seat sees of a position into row `j`."""
    observe(states[i], rows, j, viewer)


@kernel
def estimate_money(states: States, boards: Boards, florins: Int32s) -> None:
    """[PAY-01, AFTER-06] Write what each seat would have after a payday now, less what its loans show."""
    for i in range(len(states)):
        for seat in range(whole(states[i].players)):
            florins[i, seat] = wealth(states[i], boards[0], seat) + income(states[i], boards[0], seat)
