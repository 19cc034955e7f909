"""Going back across turns and cards: a wish, the answers of those it concerns, and the way back when all agree.

Concerned are persons who have acted since then, but for who wishes it; computer players agree to everything. All of it
is in the log. A move of anybody ends a wish.
"""

from elcapitan.errors import NotYourTurn, NoWish
from elcapitan.service.checks import check_number, check_playing, check_seat
from elcapitan.service.clerk import Clerk
from elcapitan.service.course import Course
from elcapitan.service.entries import Answer, Ask, Happening
from elcapitan.service.live import Live
from elcapitan.service.minutes import concerned


async def ask(clerk: Clerk, live: Live, number: int, seat: int, at: int) -> None:
    """A seat wishes to go back to when so many events had happened."""
    _check_person(live, seat)
    check_number(live, number, live.moved)

    def asked(course: Course) -> list[Happening]:
        moment = course.moment(at)
        way = [] if concerned(course, live.plan, seat, moment) else course.back(seat, moment)
        return [Ask(seat, moment), *way]

    await clerk.take(live, asked)


async def answer(clerk: Clerk, live: Live, number: int, seat: int, *, yes: bool) -> None:
    """A seat that is asked agrees, or ends the wish; who wished it can take the wish back."""
    _check_person(live, seat)
    wish, asked = live.wish, live.minutes.asked
    if wish is None or asked is None:
        raise NoWish("no-wish")
    check_number(live, number, asked.number)
    if seat not in wish.waiting and (yes or seat not in {wish.seat} | wish.agreed):
        raise NoWish("not-asked", seat=seat + 1)

    def answered(course: Course) -> list[Happening]:
        way = course.back(wish.seat, wish.at) if yes and wish.waiting == {seat} else []
        return [Answer(seat, yes), *way]

    await clerk.take(live, answered)


async def settle(clerk: Clerk, live: Live) -> None:
    """Go back if there is a wish and nobody left to ask, because others stand in."""
    wish = live.wish
    if wish and not wish.waiting:
        await clerk.take(live, lambda course: course.back(wish.seat, wish.at))


def _check_person(live: Live, seat: int) -> None:
    """Refuse those for whom somebody else decides."""
    check_playing(live)
    check_seat(live.plan, seat, person=True)
    if not live.plan.human(seat):
        raise NotYourTurn("computer-to-move", seat=seat + 1)
