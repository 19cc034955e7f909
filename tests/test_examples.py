"""The worked examples of the rulebooks, one test each, on the packaged board.

A drawing, some actions, a drawing or a sum. The seats are Red, Yellow, Green and Blue in clockwise order, so `seat 1`
is Red. Nobody needs to move but the merchants an example is about: the others stay at the bank and borrow.
"""

import pytest
from tests.drawings import Position, position

BACKWARD = ". . . G G B Y B Y R R R"  # Marseille's last site is taken, the first three are vacated


def everywhere(colour: str, cities: int) -> Position:
    """A game with all tiles in which a colour stands in so many cities."""
    names = "Marseille Venezia Constantinople Valencia Napoli Athina Tanger Tunis Alexandria Porto Lisboa Canarias"
    sites = [colour if number < cities else "." for number in range(12)]
    lines = [f"{name} {site}" for name, site in zip(names.split(), sites, strict=True)]
    return position("\n".join(["4 players, phase 2", *lines]))


def test_ex_01_proliferation_in_four_cities() -> None:
    """[EX-01, PROL-01, PROL-02, PROL-04, PAY-01] Open warehouses in four cities earn 10, however many they are."""
    before_payday = position("""
        4 players, B to move
        Y 0 houses, 0 fortresses
        Marseille Y G R R
        Venezia   R Y G
        Napoli    G Y R
        Tunis     Y Y G G R
    """)
    assert before_payday.proliferation("R") == 10
    assert before_payday.play("loan 10").cash("R") == 20 + 10 + 16 + 9  # and first rank in two cities


def test_ex_02_proliferation_in_three_and_nine_cities() -> None:
    """[EX-02, PROL-01, PROL-04] Three cities earn 5, all nine of the board 60."""
    assert everywhere("R", 3).proliferation("R") == 5
    assert everywhere("R", 9).proliferation("R") == 60


def test_ex_03_proliferation_with_tiles() -> None:
    """[EX-03, EXP-10, EXP-03] The cities of the expansion lead on to 75, 90 and 110."""
    assert [everywhere("R", cities).proliferation("R") for cities in (10, 11, 12)] == [75, 90, 110]


def test_ex_04_price_of_a_warehouse_in_marseille() -> None:
    """[EX-04, WARE-02, BOARD-03, BOARD-15] 4 florins from the first harbour space, 5 from the second."""
    assert position("4 players, R to move \n Marseille [R Y]").play("build 1").cash("R") == 20 - 4
    assert position("4 players, Y to move \n Marseille [R Y]").play("build 1").cash("Y") == 20 - 5


def test_ex_05_price_of_a_fortress_in_marseille() -> None:
    """[EX-05, FORT-02, BOARD-04, BOARD-15] 8 florins on the first site, 10 on the second."""
    first = position("4 players, R to move \n Marseille [Y R]").play("fortress")
    assert first.city("Marseille") == "Marseille [Y R] . . . . . . . . . . . . forts(R .)"
    assert first.cash("R") == 20 - 8

    second = position("4 players, R to move \n Marseille [R .] forts(G .)").play("fortress")
    assert second.city("Marseille") == "Marseille [R .] . . . . . . . . . . . . forts(G R)"
    assert second.cash("R") == 20 - 10


@pytest.mark.parametrize("place", ["Bank [R]", "Away [R]", "Alexandria [Y R]", "Valencia [R .]"])
def test_ex_06_card_marseille_with_three_seals(place: str) -> None:
    """[EX-06, CARD-03, CARD-04, CARD-05] To Marseille from anywhere, or from Valencia to any other city."""
    before = position(f"4 players, R to move \n R hand Marseille/3 \n {place}")
    assert before.play("sail Marseille/3").ship("R") == "Marseille 1"
    if place.startswith("Valencia"):
        cities = ["Marseille", "Venezia", "Constantinople", "Napoli", "Athina", "Tanger", "Tunis", "Alexandria"]
        assert before.legal("sail") == ["sail Marseille/3", *(f"sail Marseille/3 ~ {city}" for city in cities)]
        assert before.play("sail Marseille/3 ~ Constantinople").ship("R") == "Constantinople 1"


def test_ex_07_card_venezia_tanger() -> None:
    """[EX-07, CARD-06, BUY-02] Costs 3; leads from either of its cities to the other and from nowhere else."""
    in_venezia, in_tanger, in_tunis = (
        position(f"4 players, R to move \n {city} [R .] \n Display: Venezia-Tanger").play("buy Venezia-Tanger")
        for city in ("Venezia", "Tanger", "Tunis")
    )
    assert in_venezia.cash("R") == 20 - 3
    assert in_venezia.legal("sail") == ["sail Venezia-Tanger > Tanger"]
    assert in_tanger.legal("sail") == ["sail Venezia-Tanger > Venezia"]
    assert in_tunis.legal("sail") == []


def test_ex_08_two_cards_in_a_row() -> None:
    """[EX-08, SAIL-02, SAIL-05, SAIL-11, G-02] To Tanger and on to Alexandria: only there a harbour must be free."""
    drawing = """
        4 players, R to move
        R hand Tanger/2, Tanger-Alexandria
        Tanger [Y G]
    """
    in_tanger = position(drawing).play("sail Tanger/2")
    assert in_tanger.city("Tanger") == "Tanger [Y G] . . . . . . . . . . . . <R"
    assert in_tanger.legal() == ["sail Tanger-Alexandria > Alexandria"]
    assert in_tanger.play("sail Tanger-Alexandria > Alexandria").ship("R") == "Alexandria 1"

    both_full = position("""
        5 players, R to move
        R hand Tanger/2, Tanger-Alexandria
        Tanger [Y G]
        Alexandria [B P]
    """)
    assert both_full.legal("sail") == []


def test_ex_09_first_warehouse_on_the_second_site() -> None:
    """[EX-09, WARE-02, WARE-03] Red begins in Marseille, from the first harbour space, and chooses the second site."""
    before = position("4 players, R to move \n Marseille [R .]")
    assert before.legal("build") == ["build 1", "build 2"]
    after = before.play("build 2")
    assert after.city("Marseille") == "Marseille [R .] . R . . . . . . . . . ."
    assert after.cash("R") == 20 - 4


def test_ex_10_green_builds_four_houses_and_a_fortress() -> None:
    """[EX-10, WARE-04, WARE-05, WARE-07, WARE-08, FORT-02] The first on S1, then S3 to S5, and no fourth in a row."""
    others_borrow = ["end", "loan 10", "loan 10", "loan 10"]
    green = position("""
        4 players, G to move
        G 40 florins
        Marseille [R G] . R
    """)
    for site in (1, 3, 4, 5):
        assert green.legal("build") == [f"build {site}"]
        green = green.play(f"build {site}", *others_borrow)
    assert green.city("Marseille") == "Marseille [. G] G R G G G . . . . . . ."
    assert green.cash("G") == 40 - 4 * 5
    assert green.legal("build") == []

    fortified = green.play("fortress")
    assert fortified.city("Marseille") == "Marseille [. G] G R G G G . . . . . . . forts(G .)"
    assert fortified.cash("G") == 40 - 4 * 5 - 8
    assert position("4 players, G to move \n Marseille [. G] G R G G G B").legal("build") == ["build 7"]


def test_ex_11_the_first_dark_site_shuts_the_first_site() -> None:
    """[EX-11, SHUT-01, SHUT-03, SHUT-04] Yellow's house on the first dark site sends Green's on S1 to the picture."""
    after = position("4 players, Y to move \n Marseille [Y G] G R G G G B forts(G .)").play("build 7")
    assert after.city("Marseille") == "Marseille [Y G] . R G G G B Y . . . . . forts(G .) shut(G)"


def test_ex_12_the_second_dark_site_shuts_the_second_site() -> None:
    """[EX-12, SHUT-01, SHUT-03, SHUT-04] Blue's house on the second dark site sends Red's on S2 to the picture."""
    after = position("4 players, B to move \n Marseille [B R] . R G G G B Y Y forts(G .) shut(G)").play("build 9")
    assert after.city("Marseille") == "Marseille [B R] . . G G G B Y Y B . . . forts(G .) shut(R G)"


def test_ex_13_red_reopens() -> None:
    """[EX-13, REOPEN-01, REOPEN-02, REOPEN-03, REOPEN-04] Free, on the site after the end, and nothing else."""
    after = position("4 players, R to move \n Marseille [B R] . . G G G B Y Y B shut(R G)").play("reopen 10")
    assert after.city("Marseille") == "Marseille [B R] . . G G G B Y Y B R . . shut(G)"
    assert after.cash("R") == 20
    assert after.legal() == ["end"]


def test_ex_14_red_builds_at_the_front() -> None:
    """[EX-14, BACK-01, BACK-02, BACK-04] The last three houses are Red's, but they are not next to the front."""
    before = position(f"4 players, R to move \n Marseille [R .] {BACKWARD}")
    assert before.legal("build") == ["build 3"]
    assert before.play("build 3").city("Marseille") == "Marseille [R .] . . R G G B Y B Y R R R"


def test_ex_15_green_builds_one_at_the_front_and_no_second() -> None:
    """[EX-15, BACK-02, BACK-03, WARE-07] Before Green, Green the site numbered 8 may be taken, then not that with 4."""
    before = position(f"4 players, G to move \n Marseille [G .] {BACKWARD}")
    assert before.figures.board.track[0, :3].tolist() == [0, 4, 8]
    assert before.legal("build") == ["build 3"]
    after = before.play("build 3", "end", "loan 10", "loan 10", "loan 10")
    assert after.city("Marseille") == "Marseille [G .] . . G G G B Y B Y R R R"
    assert after.legal("build") == []


def test_ex_16_second_rank_is_rounded_down() -> None:
    """[EX-16, MAJ-02, MAJ-03] Where first rank earns 15, second rank earns 7."""
    assert position("4 players \n Venezia R Y R Y R").majority("Venezia") == {"R": 15, "Y": 7}


def test_ex_17_majority_with_a_tie_for_first() -> None:
    """[EX-17, MAJ-01, MAJ-02, MAJ-03, MAJ-04, MAJ-05] Green before Blue, Red has one less: 20, 10 and nothing."""
    before = position("""
        4 players, B to move
        Y 0 houses, 0 fortresses
        Marseille R G G B B
    """)
    assert before.majority("Marseille") == {"G": 20, "B": 10}
    payday = before.play("loan 10")
    assert [payday.cash(letter) for letter in "RYGB"] == [20 + 1, 20, 20 + 20 + 1, 20 + 10 + 10 + 1]


def test_ex_18_majority_with_a_tie_of_three() -> None:
    """[EX-18, MAJ-02, MAJ-04, MAJ-05] One more house makes Red first, Green second; it raises the amount to 24."""
    after = position("4 players, R to move \n Marseille [R .] R G G B B").play("build 6")
    assert after.majority("Marseille") == {"R": 24, "G": 12}


def test_ex_19_majority_with_backward_building() -> None:
    """[EX-19, MAJ-01, MAJ-04, MAJ-06, BACK-07, SHUT-05, G-22] Ten open houses; Red 16, Blue 8, Yellow nothing."""
    before = position("4 players, R to move \n Marseille [R .] . . . B Y R B Y G R B Y shut(B)")
    assert before.majority("Marseille") == {"B": 16, "Y": 8}
    after = before.play("build 3")
    assert after.city("Marseille") == "Marseille [R .] . . R B Y R B Y G R B Y shut(B)"
    assert after.majority("Marseille") == {"R": 16, "B": 8}


def test_ex_20_fortresses_in_a_city_that_is_not_the_fullest() -> None:
    """[EX-20, FORTPAY-01, FORTPAY-05, G-20] Half of 20 for Green and for Red, whatever their rank."""
    before = position("""
        4 players
        Marseille R G G B B forts(G R)
        Tunis     Y R Y R Y B
    """)
    assert before.fortress("Marseille") == {"G": 10, "R": 10}


def test_ex_21_fortresses_in_the_city_of_ten_houses() -> None:
    """[EX-21, FORTPAY-01, FORTPAY-02, FORTPAY-04, G-20] Half of 16 beside a fuller city, else all of it."""
    marseille = "Marseille . . R B Y R B Y G R B Y shut(B) forts(G R)"
    ten = position(f"4 players, phase 2 \n {marseille} \n Tunis . . G G Y Y Y G G R R Y shut(R R R)")
    assert ten.fortress("Marseille") == {"G": 16, "R": 16}
    eleven = position(f"4 players, phase 2 \n {marseille} \n Tunis . B G G Y Y Y G G R R Y shut(R R R)")
    assert eleven.fortress("Marseille") == {"G": 8, "R": 8}


def test_ex_22_fortress_in_the_fullest_city() -> None:
    """[EX-22, FORTPAY-01, FORTPAY-02] The fortress earns as much as first rank there, elsewhere as second rank."""
    fullest = position("4 players \n Marseille R G G B B forts(Y .) \n Tunis R R B B")
    assert fullest.majority("Marseille") == {"G": 20, "B": 10}
    assert fullest.fortress("Marseille") == {"Y": 20}
    other = position("4 players \n Marseille R G G B B forts(Y .) \n Tunis R R B B G G")
    assert other.fortress("Marseille") == {"Y": 10}


def test_ex_23_fortresses_in_two_fullest_cities() -> None:
    """[EX-23, FORTPAY-03] Two cities share the highest number: both pay their fortresses in full."""
    before = position("4 players \n Marseille R G G B B forts(Y .) \n Tunis R R B B G forts(R .)")
    assert before.fortress("Marseille") == {"Y": 20}
    assert before.fortress("Tunis") == {"R": 10}


def lender(amount: int, due: int, extended: int) -> None:
    """What a loan costs its taker after the next payday, and after the one that follows an extension."""
    settling = position("4 players, B to move \n R 0 houses, 0 fortresses").play(f"loan {amount}")
    assert (settling.stage, settling.seat, settling.cash("B")) == ("settling", "B", 20 + amount)
    assert settling.play(f"repay {amount}").cash("B") == 20 + amount - due

    extending = settling.play(f"extend {amount}")
    assert (extending.stage, extending.seat, extending.cash("B")) == ("naming", "B", 20 + amount)
    next_payday = position(f"4 players, phase 2, B to move \n R 0 houses, 0 fortresses \n B 40 florins; owes {amount}!")
    assert next_payday.play("loan 10").cash("B") == 40 + 10 - extended


def test_ex_24_loan_of_10() -> None:
    """[EX-24, LOAN-04, LOAN-08, AFTER-02, AFTER-03, AFTER-04, G-26] Pay back 12; extended 16."""
    lender(10, 12, 16)


def test_ex_25_loan_of_16() -> None:
    """[EX-25, LOAN-04, LOAN-08, AFTER-02, AFTER-03, AFTER-04] Pay back 20; extended 30."""
    lender(16, 20, 30)


def test_ex_26_stock_of_6_and_2() -> None:
    """[EX-26, TWO-03, TWO-06] Main or neutral."""
    before = position("2 players, R to move \n Marseille [R .] Y")
    assert (before.stock("R"), before.stock("r")) == (6, 2)
    assert before.legal("build") == ["build 2", "build 2 neutral"]


def test_ex_27_stock_of_3_and_2() -> None:
    """[EX-27, TWO-06, G-34] Neutral only: 2 and 2 would be left."""
    before = position("2 players, R to move \n R 3+2 houses \n Marseille [R .] Y")
    assert before.legal("build") == ["build 2 neutral"]


def test_ex_28_stock_of_3_and_1() -> None:
    """[EX-28, TWO-06, G-34] After that neutral house, main or neutral again."""
    before = position("2 players, R to move \n R 3+2 houses \n Marseille [R .] Y")
    after = before.play("build 2 neutral", "end", "loan 10")
    assert (after.stock("R"), after.stock("r")) == (3, 1)
    assert after.legal("build") == ["build 3", "build 3 neutral"]


def test_ex_29_stock_of_2_and_1() -> None:
    """[EX-29, TWO-06, G-34] Neutral only."""
    before = position("2 players, R to move \n R 2+1 houses \n Marseille [R .] Y")
    assert before.legal("build") == ["build 2 neutral"]


def test_ex_30_neutral_house_before_the_opponents() -> None:
    """[EX-30, TWO-12, TWO-13, MAJ-04] Red's neutral colour is first, so nobody is paid."""
    assert position("2 players \n Marseille r Y").majority("Marseille") == {}
    assert position("2 players \n Marseille Y r").majority("Marseille") == {"Y": 8}


def test_ex_31_neutral_house_before_ones_own() -> None:
    """[EX-31, TWO-12, TWO-13, MAJ-04] Red's neutral colour keeps even Red from being paid."""
    assert position("2 players \n Marseille r R").majority("Marseille") == {}
    assert position("2 players \n Marseille R r").majority("Marseille") == {"R": 8}


def test_ex_32_lisboa_pays_the_first_builder() -> None:
    """[EX-32, LISB-03, WARE-03, G-17, G-41] Yellow on S2 gets 4 at once."""
    after = position("4 players, Y to move \n Lisboa [Y .]").play("build 2")
    assert after.city("Lisboa") == "Lisboa [Y .] . Y . . . . . . . . . ."
    assert after.cash("Y") == 20 + 4


def test_ex_33_lisboa_pays_whoever_is_first_now() -> None:
    """[EX-33, LISB-03, WARE-04, MAJ-04, G-22] Red on S1 has the majority by position and gets 4 at once."""
    before = position("4 players, R to move \n Lisboa [R .] . Y")
    assert before.legal("build") == ["build 1"]
    assert before.play("build 1").cash("R") == 20 + 4


def test_ex_34_lisboa_pays_half_without_majority() -> None:
    """[EX-34, LISB-03, WARE-05, G-41] Blue on S3 gets half of 6 at once."""
    after = position("4 players, B to move \n Lisboa [B .] R Y").play("build 3")
    assert after.city("Lisboa") == "Lisboa [B .] R Y B . . . . . . . . ."
    assert after.cash("B") == 20 + 3


def test_ex_35_price_of_a_warehouse_in_lisboa() -> None:
    """[EX-35, LISB-02, WARE-02, G-36] Nothing from the first harbour space, 1 florin from the second.

    Seen on neutral houses, for which Lisboa pays nothing.
    """
    assert position("2 players, R to move \n Lisboa [R Y]").play("build 1 neutral").cash("R") == 20 - 0
    assert position("2 players, Y to move \n Lisboa [R Y]").play("build 1 neutral").cash("Y") == 20 - 1


def may_sail(start: str, card: str, target: str, tiles: str) -> bool:
    """Whether a ship in one city may sail to another with a card used as sea route."""
    lines = [f"{start} [R .]", *(tile for tile in tiles.split() if tile != start)]
    drawing = "\n".join(["4 players, R to move", f"R hand {card}", *lines])
    return position(drawing).offers(f"sail {card} ~ {target}")


def test_ex_36_seals_to_lisboa() -> None:
    """[EX-36, EXP-06, EXP-09, CARD-05, SAIL-02] 1 from Valencia, 2 from its neighbours, 4 from the far corners."""
    assert may_sail("Valencia", "Tunis/1", "Lisboa", "Lisboa")
    for city in ("Napoli", "Marseille", "Tanger"):
        assert not may_sail(city, "Tunis/1", "Lisboa", "Lisboa")
        assert may_sail(city, "Venezia/2", "Lisboa", "Lisboa")
    for city in ("Constantinople", "Alexandria"):
        assert not may_sail(city, "Tunis/3", "Lisboa", "Lisboa")
        far = position(f"""
            4 players, R to move
            R hand Tunis/3, Tunis/1, {city}-Valencia
            {city} [R .]
            Lisboa
        """)
        assert far.play("sail Tunis/3 ~ Valencia", "sail Tunis/1 ~ Lisboa").ship("R") == "Lisboa 1"
        assert far.play(f"sail {city}-Valencia > Valencia", "sail Tunis/1 ~ Lisboa").ship("R") == "Lisboa 1"


def test_ex_37_seals_from_porto_to_islas_canarias() -> None:
    """[EX-37, EXP-09, G-39] 2, whether Lisboa lies between them or not."""
    for tiles in ("Porto Canarias", "Porto Lisboa Canarias"):
        assert not may_sail("Porto", "Tunis/1", "Canarias", tiles)
        assert may_sail("Porto", "Venezia/2", "Canarias", tiles)


@pytest.mark.parametrize(("phase", "rate"), [(1, 1), (2, 2), (3, 3)])
def test_ex_38_protective_charge(phase: int, rate: int) -> None:
    """[EX-38, CANA-02, CANA-03, PIRATE-05] Per building 1, 2 or 3 florins, by phase."""
    after = position(f"""
        4 players, phase {phase}, Y under way, free move due
        Canarias [Y *]
        Tunis    R G R Y forts(G .)
    """).play("pirate free Tunis 1")
    assert after.city("Tunis") == "Tunis [* .] R G R Y . . . . . . . . forts(G .)"
    assert [after.cash(letter) for letter in "RYGB"] == [20 - 2 * rate, 20 + 4 * rate, 20 - 2 * rate, 20]


@pytest.mark.parametrize(("city", "steps"), [("Tanger", 1), ("Tunis", 2), ("Constantinople", 5)])
def test_ex_39_moving_the_pirate_for_money(city: str, steps: int) -> None:
    """[EX-39, PIRATE-08, CANA-05, G-45] 2 florins a step, and nobody pays a charge."""
    after = position(f"""
        4 players, Y to move
        Canarias [Y *]
        {city} R G
    """).play(f"pirate money {city} 2")
    assert after.city(city) == f"{city} [. *] R G . . . . . . . . . ."
    assert [after.cash(letter) for letter in "RYGB"] == [20, 20 - 2 * steps, 20, 20]


def test_ex_40_full_city() -> None:
    """[EX-40, BACK-05, BACK-06, G-18] Filling the last site shuts nothing; then nothing can be placed any more."""
    before = position("4 players, R to move \n Marseille [R G] . Y G B R Y G B R Y G B shut(R Y G)")
    full = before.play("build 1")
    assert full.city("Marseille") == "Marseille [R G] R Y G B R Y G B R Y G B shut(R Y G)"
    green = full.play("end", "loan 10")
    assert green.seat == "G"
    assert green.legal("build") == []
    assert green.legal("reopen") == []


def test_ex_41_bonus_cards() -> None:
    """[EX-41, PROL-05, PROL-06, PROL-07, SHUT-08, PAY-04, END-04] 15, 10 and 5 in the end, even if a city is lost."""
    drawing = """
        4 players, phase {phase}, R to move
        B {blue}
        Marseille      [B .] R Y G Y G Y
        Venezia        R Y G
        Constantinople R Y G
        Valencia       R Y G
        Napoli         R Y G
        Athina         R Y G
        Tanger         [G .] R Y
        Tunis          [Y .] R G
        Alexandria     [R .] Y G
    """
    three_times = ["build 3", "end"] * 3
    early = position(drawing.format(phase=2, blue="20 florins")).play(*three_times)
    assert [early.bonus(letter) for letter in "RYGB"] == [0, 0, 0, 0]

    late = position(drawing.format(phase=3, blue="1 house, 0 fortresses")).play(*three_times)
    assert [late.proliferation(letter) for letter in "RYG"] == [60, 60, 60]
    lost = late.play("build 7")
    assert lost.city("Marseille") == "Marseille [B .] . Y G Y G Y B . . . . . shut(R)"
    assert [lost.proliferation(letter) for letter in "RYG"] == [40, 60, 60]
    assert [lost.bonus(letter) for letter in "RYGB"] == [15, 10, 5, 0]
    over = lost.play("end")
    assert over.stage == "over"
    assert [over.cash(letter) for letter in "RYGB"] == [lost.cash(letter) + lost.income(letter) for letter in "RYGB"]
