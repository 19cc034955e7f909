"""All games of an arena: the same wherever they are played, and kept when something comes in between."""

import signal
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from tests.experiments.arena.made_results import decided
from tests.experiments.arena.toy_bots import LOWEST, Quitter, ask_about_interrupts, toys

from elcapitan.board.figures import load, packaged
from elcapitan.bots.bot import Bot
from elcapitan.errors import BadBot, BadCluster, BadSetup, ElCapitanError
from elcapitan.experiments.arena import Config, games, play_arena, summarise, tournament
from elcapitan.experiments.arena.games import Batch, Fixture, Played, fixture
from elcapitan.experiments.arena.report import fault_sentences
from elcapitan.players import seats
from elcapitan.text.catalogue import translator

__all__ = ["toys"]
MEDITERRANEAN = Path(__file__).parents[3] / "src" / "elcapitan" / "data" / "mediterranean.toml"


@pytest.fixture
def by_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are decided by dice, at once."""

    def play_game(config: Config, scheduled: Fixture, *, with_record: bool = False) -> Played:
        return decided({"a": 2, "b": 1}, scheduled)

    monkeypatch.setattr(games, "play_game", play_game)
    monkeypatch.setattr("elcapitan.players.seats.check", lambda spec: None)


def test_results_stand_in_the_order_of_the_schedule(by_dice: None) -> None:
    config = Config(("a", "b"), 4, games=10)
    seen: list[int] = []
    found = play_arena(config, jobs=1, watch=lambda played: seen.append(played.result.number))
    assert found.complete and not found.stopped and found.problem is None
    assert [game.number for game in found.games] == sorted(seen) == list(range(12))


def test_any_number_of_jobs_gives_the_same_results_on_any_board(tmp_path: Path) -> None:
    board = tmp_path / "rich.toml"
    content = MEDITERRANEAN.read_text(encoding="utf-8")
    line = next(line for line in content.splitlines() if line.startswith("start"))
    start = packaged().printed["money.start"].value
    board.write_text(content.replace(line, line.replace(f"is = {start}", "is = 33")), encoding="utf-8")
    config = Config((LOWEST,), 2, ("Lisboa",), games=4, seed=8, board=load(board))
    alone, together = ({played.result.number: played for played in playing(config, jobs)} for jobs in (1, 2))
    assert alone == together and len(alone) == 4
    assert alone[0].record and alone[0].record != alone[1].record
    assert {merchant.sources["start"] for merchant in alone[0].result.merchants} == {33}


def playing(config: Config, jobs: int) -> list[Played]:
    """All games with their records."""
    found: list[Played] = []
    results = play_arena(config, jobs=jobs, with_records=True, watch=found.append)
    assert results.games == tuple(sorted((played.result for played in found), key=lambda game: game.number))
    return found


def test_who_is_in_debt_loses(toys: None) -> None:
    found = summarise(play_arena(Config(("debtor", LOWEST), 3, games=6, seed=1), jobs=1))
    debtor, other = found.bots
    assert debtor.loans > 3 * other.loans and debtor.sources["loan_costs"] < 3 * other.sources["loan_costs"]
    assert debtor.rank > other.rank and debtor.money.mean < other.money.mean and debtor.rating.mu < other.rating.mu
    assert debtor.wins + other.wins == 6


def test_faults_come_through(toys: None) -> None:
    config = Config(("cmd:./toy", LOWEST), 2, games=1)
    found = play_arena(config, jobs=1)
    assert [[merchant.fault for merchant in game.merchants] for game in found.games] == [
        ["./toy: It stumbled.", None],
        [None, "./toy: It stumbled."],
    ]
    toy, other = summarise(found).bots
    assert [(fault.what, fault.games) for fault in toy.faults] == [("./toy: It stumbled.", 2)]
    assert found.forfeited and not play_arena(Config((LOWEST,), 2, games=1), jobs=1).forfeited
    assert (toy.wins, toy.forfeits, toy.rank) == (0, 2, 2) and (other.wins, other.forfeits) == (2, 0)


def test_a_bot_that_fails_ends_the_arena_and_all_bots_are_dismissed(toys: None) -> None:
    Quitter.closed = 0
    with pytest.raises(RuntimeError, match="no more"):
        play_arena(Config(("quitter",), 3, games=1), jobs=1)
    assert Quitter.closed == 3


def test_control_c_keeps_what_is_finished(by_dice: None) -> None:
    seen: list[int] = []

    def watch(played: Played) -> None:
        if len(seen) == 5:
            raise KeyboardInterrupt
        seen.append(played.result.number)

    found = play_arena(Config(("a", "b"), 2, games=100), jobs=1, watch=watch)
    assert found.stopped and not found.complete and [game.number for game in found.games] == seen == list(range(5))
    assert summarise(found).played == 5


def test_workers_leave_control_c_to_the_first_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "play_batch", ask_about_interrupts)
    batches = tournament.play_on_cores(Config((LOWEST,), 2, games=4), range(4), 2, with_records=False)
    answers: list[object] = [answer for batch in batches for answer in batch.games]
    assert answers == [signal.SIG_IGN] * len(answers) and len(answers) >= 2


@pytest.mark.parametrize("before", [0, 3])
def test_a_lost_cluster_keeps_what_is_finished(by_dice: None, monkeypatch: pytest.MonkeyPatch, before: int) -> None:
    def lost(config: Config, numbers: list[int], address: str, *, with_records: bool) -> Generator[Batch, None, None]:
        for number in numbers[:before]:
            yield games.play_batch(config, (number,), with_records=with_records)
        raise BadCluster("cluster-lost", problem=address)

    monkeypatch.setattr(tournament, "play_on_cluster", lost)
    config = Config(("a", "b"), 2, games=100)
    if not before:
        with pytest.raises(BadCluster, match="The cluster gave up"):
            play_arena(config, cluster="tcp://x:1")
        return
    found = play_arena(config, cluster="tcp://x:1")
    assert len(found.games) == 3 and not found.stopped and str(found.problem) == "The cluster gave up (tcp://x:1)."


@pytest.mark.parametrize(
    ("config", "error", "sentence"),
    [
        (Config(("nobody",)), BadBot, "There is no computer player nobody"),
        (Config(()), BadBot, "At least one computer player must be named."),
        (Config((LOWEST,), 6), BadSetup, "6 is not a number of players"),
        (Config((LOWEST,), 4, ("Atlantis",)), BadSetup, "'Atlantis' is not a city of the expansion"),
        (Config((LOWEST,), 4, games=0), BadSetup, "games is 0, but must be a whole number from 1 to 100000000."),
        (Config((LOWEST,), 4, options={"x": True}), BadSetup, "There is no option 'x'"),
    ],
)
def test_what_cannot_be_played_is_refused(config: Config, error: type[ElCapitanError], sentence: str) -> None:
    with pytest.raises(error) as refused:
        play_arena(config, jobs=1)
    assert str(refused.value).startswith(sentence)


def test_a_python_player_that_fails_forfeits() -> None:
    own = "py:tests.players.python_players"
    config = Config((f"{own}:Thrower:3", f"{own}:Last", f"{own}:Told:nothing"), 3, games=1, seed=3)
    results = play_arena(config, jobs=1)
    for game in results.games:
        kinds = {merchant.bot: merchant for merchant in game.merchants}
        assert kinds[f"{own}:Thrower:3"].fault == f"{own}:Thrower:3: It failed with ValueError: over board."
        assert kinds[f"{own}:Told:nothing"].fault
        assert [(kinds[bot].rank, kinds[bot].win) for bot in config.bots] == [(2, 0), (1, 1), (2, 0)]
    told = fault_sentences(translator("en"), summarise(results))
    assert told[0] == f"{own}:Thrower:3 forfeited 3 games: It failed with ValueError: over board."


@pytest.mark.compiled
def test_python_players_play_the_same_games_on_any_number_of_cores() -> None:
    config = Config(("py:tests.players.python_players:Dicer", LOWEST), 2, games=4, seed=5)
    assert play_arena(config, jobs=2).games == play_arena(config, jobs=1).games


def test_a_program_that_hangs_or_ends_forfeits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real programs: one never answers, the other ends after its first move. Their stand-ins play on, for nothing."""
    create_seat: Callable[..., Bot] = seats.create_seat
    patience = {"cmd:sleep 60": 0.2, "cmd:sh ends.sh": 60.0, LOWEST: 0}
    monkeypatch.setattr("elcapitan.players.external.START_SECONDS", 0)
    monkeypatch.setattr(
        seats,
        "create_seat",
        lambda spec, setup, seat, figures, _seconds: create_seat(spec, setup, seat, figures, patience[spec]),
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ends.sh").write_text('read hello; echo \'{"type":"ready","name":"x"}\'; read question\n')
    config = Config(("cmd:sleep 60", "cmd:sh ends.sh", LOWEST), 3, games=1, seed=3)
    found = games.play_game(config, fixture(config, 0)).result
    kinds = {merchant.bot: merchant for merchant in found.merchants}
    assert kinds["cmd:sleep 60"].fault == "sleep 60: No answer came within 0.2 s."
    assert (kinds["cmd:sh ends.sh"].fault or "").startswith("sh ends.sh: It ended before the game did")
    assert [(kinds[bot].rank, kinds[bot].win) for bot in config.bots] == [(2, 0), (2, 0), (1, 1)]
