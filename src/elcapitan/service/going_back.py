"""Going back across turns and cards: a wish, the answers of those it concerns, and the way back when all agree.

A card that was turned up since then concerns every other person at the table; without one, those who have acted since.
Who must agree is written down when it is asked, and nothing changes it: not a computer player who stands in, nor
another person in the seat, who then answers. Computer players agree to everything. A move of anybody ends a wish, and
so does time: silence never agrees.
"""

from elcapitan.errors import NotYourTurn, NoWish
from elcapitan.service.checks import check_change, check_number, check_playing, check_seat
from elcapitan.service.clerk import Clerk
from elcapitan.service.course import Course
from elcapitan.service.entries import Answer, Ask, Happening, Lapse
from elcapitan.service.live import Live
from elcapitan.service.minutes import concerned


async def ask(clerk: Clerk, live: Live, number: int, seat: int, at: int) -> None:
    """A seat wishes to go back to when so many events had happened."""
    check_playing(live)
    check_seat(live.plan, seat, person=True)
    if not live.plan.human(seat):
        raise NotYourTurn("computer-to-move", seat=seat + 1)
    check_number(live, number, live.moved)

    def asked(course: Course) -> list[Happening]:
        moment = course.moment(at)
        check_change(live, seat)
        others = concerned(course, live.minutes.trace, live.plan, seat, moment)
        return [Ask(seat, moment, tuple(sorted(others))), *([] if others else course.back(seat, moment))]

    await clerk.take(live, asked)


async def answer(clerk: Clerk, live: Live, number: int, seat: int, *, yes: bool) -> None:
    """A seat that is asked agrees, or ends the wish; who wished it can take the wish back.

    The person of a seat answers also while a computer player stands in.
    """
    check_playing(live)
    check_seat(live.plan, seat, person=True)
    wish, asked = live.wish_at(clerk.now()), live.minutes.asked
    if wish is None or asked is None:
        raise NoWish("no-wish")
    check_number(live, number, asked.number)
    if seat not in wish.waiting and (yes or seat not in {wish.seat} | wish.agreed):
        raise NoWish("not-asked", seat=seat + 1)

    def answered(course: Course) -> list[Happening]:
        way = course.back(wish.seat, wish.at) if yes and wish.waiting == {seat} else []
        return [Answer(seat, yes), *way]

    await clerk.take(live, answered)


async def lapse(clerk: Clerk, live: Live) -> None:
    """End a wish whose time is out, at a table whose lock is held."""
    asked, due = live.minutes.asked, live.minutes.wish_due
    if asked and due and due <= clerk.now():
        await clerk.take(live, lambda _course: [Lapse(asked.seat)])
