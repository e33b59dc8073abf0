"""Tournaments: the same deals for all, the same results whoever plays them, and honest numbers."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bullpen.arena import games_file, standings, tournament
from bullpen.arena.one_game import Outcome, play_game
from bullpen.arena.plan import MOST_GAMES_A_DEAL, Plan, every_mix, new_plan, one_table, rotations
from bullpen.arena.ratings import ratings
from bullpen.arena.tournament import play
from bullpen.bots import bot_called
from bullpen.cards import Problem
from bullpen.deck import load_deck
from bullpen.game import Game
from bullpen.games import GAMES
from bullpen.record import replay
from tests.games import hornochsen, x_nimmt

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def plan_of(game: Any, *bots: str, seed: int = 5, **options: Any) -> Plan:
    return new_plan(game, one_table(bots), options, load_deck(game.DECK_FILES), seed)


def lines_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# -- Who sits where -----------------------------------------------------------------------------


def test_a_table_is_played_in_all_its_rotations() -> None:
    assert rotations(("a", "b", "b", "c")) == [
        ("a", "b", "b", "c"),
        ("c", "a", "b", "b"),
        ("b", "c", "a", "b"),
        ("b", "b", "c", "a"),
    ]


def test_rotations_that_look_alike_are_played_once() -> None:
    assert rotations(("a", "b", "a", "b")) == [("a", "b", "a", "b"), ("b", "a", "b", "a")]


def test_every_mix_has_every_table_of_at_least_two_different_bots() -> None:
    mixes = every_mix(["a", "b", "c"], 3)
    assert len(mixes) == 7
    assert all(len(set(mix)) > 1 for mix in mixes)
    assert len({tuple(sorted(mix)) for mix in mixes}) == 7


def test_every_bot_sits_in_every_seat_equally_often() -> None:
    plan = plan_of(x_nimmt, "careful", "careful", "uniform")
    for seat in range(3):
        assert Counter(seating[seat] for seating in plan.seatings) == {"careful": 2, "uniform": 1}


def test_games_are_numbered_deal_by_deal() -> None:
    plan = plan_of(x_nimmt, "careful", "uniform")
    assert [plan.where(number)[0] for number in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert plan.where(4) == (2, ("uniform", "careful"))


@pytest.mark.parametrize(
    ("bots", "seats", "key"),
    [
        (["careful"], 3, "tournament_one_bot"),
        (["careful", "careful"], 3, "tournament_bot_twice"),
        (["careful", ""], 3, "tournament_bot_missing"),
        ([f"bot {number}" for number in range(30)], 10, "tournament_too_many"),
    ],
)
def test_what_cannot_be_mixed_is_refused(bots: list[str], seats: int, key: str) -> None:
    with pytest.raises(Problem) as refused:
        every_mix(bots, seats)
    assert refused.value.key == key


def test_a_mix_of_too_many_games_says_how_many() -> None:
    kinds = ["uniform", "careful", *(f"search:playouts={number}" for number in range(1, 5))]
    with pytest.raises(Problem) as refused:
        new_plan(GAMES["baron-oxx"], every_mix(kinds, 10), {}, load_deck(()))
    assert refused.value.key == "tournament_too_many"
    assert refused.value.facts["games"] > MOST_GAMES_A_DEAL


# -- The same chance for all --------------------------------------------------------------------


@every_game
def test_all_games_of_a_deal_get_the_same_cards_in_the_same_seats(game: Game[Any]) -> None:
    plan = plan_of(game, "careful", "uniform", "uniform")
    bots = {name: bot_called(name) for name in plan.bots}
    first, second, third = (play_game(plan, number, bots).shuffles for number in (1, 2, 3))
    assert first[0] == second[0] == third[0]
    assert play_game(plan, 4, bots).shuffles[0] != first[0]


def test_later_rounds_are_the_same_for_all_too_though_the_games_differ() -> None:
    plan = plan_of(x_nimmt, "careful", "uniform", "uniform", rounds=3)
    bots = {name: bot_called(name) for name in plan.bots}
    games = [play_game(plan, number, bots) for number in (1, 2, 3)]
    assert games[0].shuffles == games[1].shuffles == games[2].shuffles
    assert len(games[0].shuffles) == 3
    assert games[0].decisions != games[1].decisions


def test_each_bot_draws_from_a_source_of_its_own() -> None:
    """Else two uniform bots with the same legal moves would choose the same ones."""
    drawn = []

    def note(game: Any, view: Any, rng: Random) -> int:
        drawn.append((view.seat, rng.random()))
        return int(view.legal[0])

    plan = plan_of(x_nimmt, "careful", "uniform", "uniform")
    play_game(plan, 1, {"careful": note, "uniform": note})
    play_game(plan, 2, {"careful": note, "uniform": note})
    assert len({number for _, number in drawn}) == len(drawn)


def test_the_number_of_processes_changes_nothing_not_even_the_file(tmp_path: Path) -> None:
    files = [tmp_path / f"{jobs}.jsonl" for jobs in (1, 2)]
    for jobs, file in enumerate(files, start=1):
        bots = ["careful", "uniform"]
        play("six-nimmt", bots=bots, players=3, deals=4, seed=3, jobs=jobs, out=file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert len(lines_in(files[0])) == 1 + 4 * 6


def test_another_seed_gives_other_games() -> None:
    one, two = (
        play("x-nimmt", table=["careful", "uniform"], deals=2, seed=seed, jobs=1) for seed in (1, 2)
    )
    assert [game.scores for game in one.outcomes] != [game.scores for game in two.outcomes]


# -- The file -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tournament") / "games.jsonl"
    play("x-nimmt", table=["careful", "uniform", "uniform"], deals=3, seed=8, jobs=1, out=file)
    return file


def played_again(file: Path, deals: int = 3) -> list[int]:
    """The same tournament; after how many games it reported."""
    reported: list[int] = []
    table = ["careful", "uniform", "uniform"]
    play("x-nimmt", table=table, deals=deals, seed=8, jobs=1, out=file, progress=reported.append)
    return reported


def test_a_finished_tournament_is_not_played_again(whole_file: Path) -> None:
    before = whole_file.read_bytes()
    assert played_again(whole_file) == []
    assert whole_file.read_bytes() == before


@pytest.mark.parametrize("kept", [0, 1, 10, 300, 2000, 7000, -2, -1])
def test_a_file_torn_anywhere_is_completed_to_the_very_same_file(
    kept: int, whole_file: Path, tmp_path: Path
) -> None:
    whole = whole_file.read_bytes()
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(whole[:kept])
    finished = max(0, whole[:kept].count(b"\n") - 1)
    reported = played_again(torn)
    assert torn.read_bytes() == whole
    assert reported[0] > finished
    assert len(reported) <= 9 - finished


def test_more_deals_go_on_where_fewer_ended(whole_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    played_again(file, deals=1)
    assert played_again(file, deals=3)[-1] == 9
    assert file.read_bytes() == whole_file.read_bytes()


def test_a_file_with_more_deals_than_asked_for_gives_the_standings_of_those(
    whole_file: Path,
) -> None:
    table = ["careful", "uniform", "uniform"]
    result = play("x-nimmt", table=table, deals=2, seed=8, jobs=1, out=whole_file)
    assert result.standings.deals == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 9},
        {"table": ["uniform", "careful", "uniform"]},
        {"options": {"rounds": 1}},
    ],
)
def test_a_file_of_other_settings_is_refused_and_left_alone(
    changed: dict[str, Any], whole_file: Path
) -> None:
    before = whole_file.read_bytes()
    settings = {"table": ["careful", "uniform", "uniform"], "seed": 8, **changed}
    with pytest.raises(Problem) as refused:
        play("x-nimmt", **settings, deals=3, jobs=1, out=whole_file)
    assert refused.value.key == "tournament_settings"
    assert whole_file.read_bytes() == before


def test_a_bot_that_was_edited_meanwhile_is_another_bot(tmp_path: Path) -> None:
    bot, out = tmp_path / "own.py", tmp_path / "games.jsonl"
    bot.write_text("def choose(game, view, rng): return view.legal[0]\n")
    play("x-nimmt", table=[f"{bot}:choose", "uniform"], deals=1, jobs=1, out=out)
    bot.write_text("def choose(game, view, rng): return view.legal[-1]\n")
    with pytest.raises(Problem) as refused:
        play("x-nimmt", table=[f"{bot}:choose", "uniform"], deals=1, jobs=1, out=out)
    assert refused.value.key == "tournament_bot_changed"
    assert refused.value.facts["bots"] == str(bot)


def test_a_bot_whose_module_beside_it_was_edited_is_another_bot(tmp_path: Path) -> None:
    bot, beside, out = (
        tmp_path / "own.py",
        tmp_path / "thoughts_beside.py",
        tmp_path / "games.jsonl",
    )
    bot.write_text(
        "from thoughts_beside import AT\ndef choose(game, view, rng): return view.legal[AT]\n"
    )
    beside.write_text("AT = 0\n")
    play("x-nimmt", table=[f"{bot}:choose", "uniform"], deals=1, jobs=1, out=out)
    beside.write_text("AT = -1\n")
    with pytest.raises(Problem) as refused:
        play("x-nimmt", table=[f"{bot}:choose", "uniform"], deals=1, jobs=1, out=out)
    assert refused.value.key == "tournament_bot_changed"
    assert refused.value.facts["bots"] == str(beside)


def test_a_bot_whose_network_was_trained_again_is_another_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names what it reads by a function `files`, and that may depend on a variable of the environment."""
    bot, out = tmp_path / "own.py", tmp_path / "games.jsonl"
    bot.write_text(
        "import os\n"
        "def files(): return [os.environ['BULLPEN_TEST_AGENT']]\n"
        "def choose(game, view, rng): return view.legal[int(open(*files()).read())]\n"
    )
    first, other = tmp_path / "first.txt", tmp_path / "other.txt"
    first.write_text("0")
    other.write_text("-1")
    monkeypatch.setenv("BULLPEN_TEST_AGENT", str(first))

    def played() -> tournament.Tournament:
        return play("x-nimmt", table=[f"{bot}:choose", "uniform"], deals=1, jobs=1, out=out)

    assert played().plan.files.keys() == {str(bot), str(first)}
    assert played().is_finished  # nothing has changed
    monkeypatch.setenv("BULLPEN_TEST_AGENT", str(other))
    with pytest.raises(Problem) as refused:
        played()
    assert refused.value.key == "tournament_bot_changed"
    monkeypatch.setenv("BULLPEN_TEST_AGENT", str(first))
    first.write_text("-1")
    with pytest.raises(Problem) as refused:
        played()
    assert refused.value.facts["bots"] == str(first)


def test_a_bot_that_cannot_tell_its_files_is_named(tmp_path: Path) -> None:
    bot = tmp_path / "own.py"
    bot.write_text("def files(): return 1 / 0\ndef choose(game, view, rng): return view.legal[0]\n")
    with pytest.raises(Problem) as refused:
        play("x-nimmt", table=[f"{bot}:choose", "uniform"], deals=1, jobs=1)
    assert refused.value.key == "bot_raised"
    assert refused.value.facts["bot"] == f"{bot}:choose"


@pytest.mark.parametrize(
    "content",
    ["my notes\n", "my notes", "my\nnotes", '{"format": "bullpen-record"}\n', "[1]\n", "\n"],
)
def test_a_file_that_is_no_tournament_is_not_overwritten(content: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(content)
    with pytest.raises(Problem) as refused:
        played_again(file)
    assert refused.value.key == "tournament_format"
    assert file.read_text() == content


def test_a_damaged_line_is_named_and_nothing_is_changed(whole_file: Path, tmp_path: Path) -> None:
    lines = whole_file.read_text("utf-8").splitlines(keepends=True)
    for damaged in (lines[4][9:], "{}\n", lines[5]):
        file = tmp_path / "damaged.jsonl"
        file.write_text("".join([*lines[:4], damaged, *lines[5:]]), "utf-8")
        before = file.read_bytes()
        with pytest.raises(Problem) as refused:
            played_again(file)
        assert (refused.value.key, refused.value.facts["line"]) == ("tournament_line", 5)
        assert file.read_bytes() == before


def test_two_tournaments_do_not_write_to_one_file(tmp_path: Path) -> None:
    file, plan = tmp_path / "games.jsonl", plan_of(x_nimmt, "careful", "uniform")
    first = games_file.GamesFile(file, plan)
    with pytest.raises(Problem) as refused:
        games_file.GamesFile(file, plan)
    assert refused.value.key == "tournament_busy"
    first.close()
    games_file.GamesFile(file, plan).close()


@every_game
def test_every_game_of_a_file_is_a_record_that_holds(game: Game[Any], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    result = play(game.ID, table=["careful", "uniform", "uniform"], deals=1, jobs=1, out=file)
    for number, text in enumerate(games_file.records_in(file), start=1):
        assert text == games_file.record_of(file, number)
        match = replay(text)
        assert match.is_over
        assert tuple(match.scores) == result.outcomes[number - 1].scores
        assert len(set(match.names)) == 3


# -- The numbers --------------------------------------------------------------------------------


def made_up(plan: Plan, *games: tuple[list[int], list[int]]) -> list[Outcome]:
    """Outcomes with these scores and winners."""
    return [
        Outcome(number, *plan.where(number), tuple(scores), tuple(winners), rounds=2)
        for number, (scores, winners) in enumerate(games, start=1)
    ]


def test_wins_are_counted_for_each_seat_and_ties_are_split() -> None:
    plan = plan_of(x_nimmt, "careful", "uniform", "uniform")
    games = made_up(
        plan,  # careful sits in seat 0, then 1, then 2
        ([1, 5, 9], [0]),
        ([3, 3, 9], [0, 1]),
        ([4, 8, 8], [0]),
    )
    careful, uniform = standings.standings(plan, games).bots
    assert (careful.bot, uniform.bot) == ("careful", "uniform")
    assert careful.win_share == pytest.approx(1.5 / 3)
    assert uniform.win_share == pytest.approx(1.5 / 6)
    assert careful.mean_points == pytest.approx((1 + 3 + 8) / 3)
    assert careful.points_per_round == pytest.approx((1 + 3 + 8) / 6)
    assert uniform.points == {5: 1, 9: 2, 3: 1, 4: 1, 8: 1}


def test_one_deal_gives_no_interval() -> None:
    result = play("x-nimmt", table=["careful", "uniform"], deals=1, jobs=1)
    row = result.standings.bots[0]
    assert (row.low, row.high) == (0.0, 1.0)
    assert row.points_low is row.points_high is None


def test_a_deal_that_is_not_complete_does_not_count() -> None:
    plan = plan_of(x_nimmt, "careful", "uniform")
    games = made_up(plan, *[([0, 9], [0])] * 5)
    found = standings.standings(plan, games)
    assert (found.deals, found.games) == (2, 4)
    assert [row.win_share for row in found.bots] == [0.5, 0.5]
    assert standings.standings(plan, games[:1]).bots == []


def test_the_deal_is_the_unit_of_the_intervals() -> None:
    """Each deal is won by whoever sits in seat 0: with both rotations, nothing is left to chance."""
    plan = plan_of(x_nimmt, "careful", "uniform")
    for row in standings.standings(plan, made_up(plan, *[([0, 9], [0])] * 40)).bots:
        assert (row.win_share, row.low, row.high) == (0.5, 0.5, 0.5)


def test_an_interval_is_as_wide_as_theory_says() -> None:
    """200 deals, each wholly won by one of the two at random: a standard error of 0.5 / √200."""
    plan, rng = plan_of(x_nimmt, "careful", "uniform"), Random(4)
    games = []
    for _ in range(200):
        careful_wins = rng.random() < 0.5
        games += [([0, 9], [0]), ([9, 0], [1])] if careful_wins else [([9, 0], [1]), ([0, 9], [0])]
    found = standings.standings(plan, made_up(plan, *games))
    margin = 1.96 * 0.5 / 200**0.5
    for row in found.bots:
        assert row.high - row.win_share == pytest.approx(margin, rel=0.15)
        assert row.win_share - row.low == pytest.approx(margin, rel=0.15)
    (pair,) = found.comparisons
    assert pair.difference == pytest.approx(found.bots[0].win_share - found.bots[1].win_share)
    assert pair.high - pair.low == pytest.approx(
        4 * margin, rel=0.15
    )  # two shares move against each other


def test_many_deals_drawn_in_groups_give_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, rng = plan_of(x_nimmt, "careful", "uniform"), Random(9)
    games = made_up(plan, *[([rng.randrange(30), 9], [rng.randrange(2)]) for _ in range(1200)])
    one_by_one = standings.standings(plan, games).bots[0]
    monkeypatch.setattr(standings, "MOST_GROUPS", 150)
    in_groups = standings.standings(plan, games).bots[0]
    assert in_groups.win_share == pytest.approx(one_by_one.win_share)
    width = one_by_one.high - one_by_one.low
    assert in_groups.high - in_groups.low == pytest.approx(width, rel=0.25)


@pytest.mark.parametrize(("game", "better", "worse"), [(x_nimmt, 3, 30), (hornochsen, 30, 3)])
def test_the_better_bot_gets_the_higher_rating(game: Any, better: int, worse: int) -> None:
    """X nimmt! wants few points, Hornochsen! many."""
    plan = plan_of(game, "careful", "uniform", "uniform")
    games = made_up(
        plan,
        *[
            ([better if bot == "careful" else worse for bot in plan.where(n)[1]], [])
            for n in (1, 2, 3)
        ],
    )
    rated = ratings(plan, games)
    assert rated["careful"].mu > 25 > rated["uniform"].mu
    assert rated["careful"].sigma < 25 / 3


def test_careful_beats_uniform_beyond_doubt() -> None:
    result = play("six-nimmt", table=["careful", "uniform", "uniform"], deals=12, seed=2, jobs=1)
    first, second = result.standings.bots
    assert (first.bot, second.bot) == ("careful", "uniform")
    assert first.low > 1 / 3 > second.high
    assert result.standings.comparisons[0].low > 0
    assert first.rating.mu > second.rating.mu


# -- What stops a tournament --------------------------------------------------------------------


def test_a_bot_that_fails_stops_the_tournament_and_the_games_before_are_kept(
    tmp_path: Path,
) -> None:
    bot, out = tmp_path / "late.py", tmp_path / "games.jsonl"
    bot.write_text(
        "from itertools import count\nturns = count()\n"
        "def choose(game, view, rng):\n"
        "    if next(turns) > 100: raise RuntimeError('tired')\n"
        "    return view.legal[0]\n"
    )
    with pytest.raises(Problem) as stopped:
        play("x-nimmt", table=[f"{bot}:choose", "uniform"], deals=9, jobs=1, out=out)
    assert stopped.value.key == "bot_raised"
    assert "RuntimeError: tired (late.py, line 4)" in stopped.value.facts["reason"]
    assert 1 <= len(lines_in(out)) - 1 < 18


def test_a_worker_that_dies_is_reported(tmp_path: Path) -> None:
    bot = tmp_path / "deadly.py"
    bot.write_text("import os\ndef choose(game, view, rng): os.kill(os.getpid(), 9)\n")
    with pytest.raises(Problem) as stopped:
        play("x-nimmt", table=[f"{bot}:choose", "uniform"], deals=3, jobs=2)
    assert stopped.value.key == "tournament_worker_died"


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"deals": 0}, "tournament_deals"),
        ({"jobs": 0}, "simulate_jobs"),
        ({"bots": ["careful", "uniform"]}, "tournament_table_or_bots"),
        ({"table": None}, "tournament_table_or_bots"),
        ({"table": ["careful"] * 9}, "bad_seats"),
        ({"table": ["careful", "wizard"]}, "unknown_bot"),
        ({"table": []}, "tournament_bot_missing"),
        ({"options": {"rounds": 0}}, "bad_option"),
        ({"out": "/nowhere/at/all.jsonl"}, "tournament_file"),
    ],
)
def test_what_makes_no_tournament_is_refused(
    wrong: dict[str, Any], key: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if "out" in wrong:  # no permission needed: a file cannot hold a folder
        (tmp_path / "file").touch()
        wrong = {"out": tmp_path / "file" / "games.jsonl"}
    settings = {"table": ["careful", "uniform"], "deals": 1, "jobs": 1, **wrong}
    with pytest.raises(Problem) as refused:
        tournament.play("x-nimmt", **settings)
    assert refused.value.key == key
