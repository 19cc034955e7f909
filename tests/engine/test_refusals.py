"""What is listed as legal is exactly what is not refused, action number by action number, in positions of all kinds."""

import pytest
from tests.drawings import position

from elcapitan.actions.text import from_text
from elcapitan.engine.actions import N_ACTIONS

DRAWINGS = {
    "empty city": """
        4 players, R to move
        R hand Marseille/3, Tunis/1, Napoli-Tunis
        Tunis [R .]
        Display: Marseille/1, Athina/2, Marseille-Tunis
    """,
    "second site taken": "4 players, R under way \n Tunis [R .] . Y",
    "front vacated": "4 players, phase 2, R under way \n Tunis [R .] . . . . . . . . Y G B Y shut(R G)",
    "full city": "4 players, phase 2, R under way \n Tunis [R .] R G Y R G Y R G Y R G Y shut(R)",
    "row of three": "4 players, R to move \n R 3 florins; hand Tunis-Alexandria \n Tunis [R .] R R R forts(Y G)",
    "closed house": "4 players, phase 2, R bought \n R 0 florins \n Tunis [Y R] . . Y G shut(R)",
    "Porto": "4 players, phase 2, R to move \n R 1 lost; hand Marseille/3 \n Porto [. R Y] . Y G B Y G B",
    "two players": "2 players, R to move \n R 3+2 houses \n Tunis [R .] R y",
    "bank": "3 players, R to move \n R 8 florins; hand Marseille-Tunis \n Bank [R] \n Display: Marseille/3, Tunis/3",
    "first round": "4 players, round 1, R to move \n Display: Marseille/3, Napoli-Tunis",
    "nothing possible": "4 players, R to move \n R 0 florins; owes 18x10 \n Y owes 12x16 \n Tunis Y",
    "done": "4 players, R done \n R 4 florins \n Tunis [R .] R \n Display: Tanger/1, Marseille/3",
    "free move due": """
        5 players, R under way, free move due
        R 2 florins; hand Venezia/1
        Canarias [R *]
        Porto [. P .] Y
        Napoli [Y .] Y G
        Athina [G B]
    """,
    "free move made": """
        4 players, R under way, free move made
        R 5 florins; hand Tunis/1
        Canarias [R .]
        Tanger [* .]
    """,
    "pirate on its way": """
        4 players, R under way, pirate at Tunis
        R hand Napoli-Tunis, Tunis/1
        Canarias
        Athina [R .]
    """,
    "settling": "4 players, R settling \n R 15 florins; owes 10 16 16!",
    "naming": "4 players, phase 2, R naming",
}


@pytest.mark.parametrize("drawing", DRAWINGS.values(), ids=DRAWINGS)
def test_every_action_number_is_either_listed_or_refused(drawing: str) -> None:
    """[TURN-03, G-06] Nothing is both, nothing is neither."""
    here = position(drawing)
    listed = {number for text in here.legal() for number in from_text(text, here.figures)}
    assert listed == {number for number in range(N_ACTIONS) if not here.refuses(number)}
