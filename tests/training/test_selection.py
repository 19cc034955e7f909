"""Networks against a pool: the schedule, and that a trained one is chosen."""

from pathlib import Path

import numpy as np
import pytest

from elcapitan.board.figures import packaged
from elcapitan.bots.network import FOR_TWO, write_network
from elcapitan.errors import BadNetwork
from elcapitan.training.learner import Learner
from elcapitan.training.selection import main, schedule

DATA = Path(__file__).parents[2] / "src" / "elcapitan" / "data"


def test_all_networks_get_the_same_deals_in_every_seat() -> None:
    matches = schedule(["a.npz", "b.npz"], ["captain"], [(2, 0), (3, 7)], 6, 11)
    of_each = [[(m.players, m.seed, m.seat) for m in matches if m.network == name] for name in ("a.npz", "b.npz")]
    assert of_each[0] == of_each[1]
    assert [seat for players, _seed, seat in of_each[0] if players == 3] == [0, 1, 2, 0, 1, 2]
    assert len({(players, seed) for players, seed, _seat in of_each[0]}) == 3 + 2
    assert {m.column for m in matches} == {"captain, 2 players", "captain, 3 players Porto Lisboa Islas Canarias"}


@pytest.mark.compiled
def test_a_network_that_was_trained_is_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learner, untrained = Learner(np, (16, 12, 8), 1), tmp_path / "untrained.npz"
    write_network(untrained, learner.on_host(learner.average.parts), packaged().boards, {})
    trained = str(DATA / FOR_TWO)
    main([str(untrained), trained, "--pool", "trader", "--tables", "2:0", "--games", "6", "--jobs", "1"])
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{untrained}; trader, 2 players: ") and second.startswith(
        f"{trained}; trader, 2 players: "
    )
    assert last == f"best: {trained}"


def test_a_file_that_is_no_network_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "broken.npz").write_bytes(b"nothing")
    with pytest.raises(BadNetwork):
        main([str(tmp_path / "broken.npz")])
