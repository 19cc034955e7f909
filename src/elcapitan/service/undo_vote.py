"""Going back across turns and cards: a seat asks, the persons concerned vote, and the game goes back if all agree.

A card that was turned up since then concerns every other person at the table; without one, those who have acted since.
Who must agree is stored when the vote begins, and nothing changes it: not a computer player who stands in, nor another
person who takes the seat and then answers. Computer players agree to everything. Any move ends a vote, and so does
time: silence never agrees.

Each function decides on a draft, for `Writer.commit`.
"""

from elcapitan.errors import NotYourTurn, NoWish
from elcapitan.service.checks import check_change, check_number, check_playing, check_seat
from elcapitan.service.commit import Draft
from elcapitan.service.dealt_game import DealtGame
from elcapitan.service.log import Answer, Ask, Lapse, LogEntry


def ask(draft: Draft, number: int, seat: int, at: int) -> None:
    """Ask to go back to when `at` events had happened, or go back if that concerns no other person."""
    draft.take_free_seat(seat)
    check_playing(draft.table)
    check_seat(draft.state.plan, seat, person=True)
    if not draft.state.plan.human(seat):
        raise NotYourTurn("computer-to-move", seat=seat + 1)
    check_number(draft.table, number, draft.state.moved)

    def step(dealt: DealtGame) -> list[LogEntry]:
        moment = dealt.moment(at)
        check_change(draft.table, seat)
        others = draft.state.must_be_asked(seat, moment)
        return [Ask(seat, moment, tuple(sorted(others))), *([] if others else dealt.back(seat, moment))]

    draft.play(step)


def answer(draft: Draft, number: int, seat: int, *, yes: bool) -> None:
    """Agree to a vote, or end it; the seat that asked can end it too.

    The person of a seat can answer while a computer player stands in.
    """
    draft.take_free_seat(seat)
    check_playing(draft.table)
    check_seat(draft.state.plan, seat, person=True)
    vote, opened = draft.state.undo_vote_at(draft.now), draft.state.vote
    if vote is None or opened is None:
        raise NoWish("no-wish")
    check_number(draft.table, number, opened.number)
    if seat not in vote.waiting and (yes or seat not in {vote.seat} | vote.agreed):
        raise NoWish("not-asked", seat=seat + 1)
    goes_back = yes and vote.waiting == {seat}
    draft.play(lambda dealt: [Answer(seat, yes), *(dealt.back(vote.seat, vote.at) if goes_back else [])])


def lapse(draft: Draft) -> None:
    """End a vote whose time is out."""
    vote, due = draft.state.vote, draft.state.vote_due
    if vote and due and due <= draft.now:
        draft.play(lambda _dealt: [Lapse(vote.seat)])
