"""Exact answers on mini games: the figures of OpenSpiel, bounds where a bot is asked, equilibria that come with the games."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policies
from open_spiel.python.algorithms import exploitability as spiel

import bullpen.envs.spiel
from bullpen.bots import bot_called, uniform
from bullpen.cards import Problem
from bullpen.cli import main
from bullpen.envs.spiel import spiel_name
from bullpen.exact import equilibria, trees
from bullpen.exact.answers import Answer, answer
from bullpen.exact.policies import BotPolicy, bot_to_ask, exact_choice, policy_of, repeatable
from bullpen.exact.trees import GrownTree, mini_game
from bullpen.game import Action, Game, View
from bullpen.games import GAMES
from bullpen.text import voice

# The smallest ones, which OpenSpiel can look through in seconds.
SMALLEST: dict[str, dict[str, int]] = {
    "six-nimmt": {"hand": 2, "rows": 1, "full_at": 2, "cards": 5},
    "x-nimmt": {"hand": 2, "rows": 1, "cards": 5},
    "hornochsen": {"hand": 1, "rows": 1, "full_at": 3, "cards": 3},
}
TRIAL = {"hand": 2, "rows": 2, "full_at": 3, "cards": 6}


@cache
def grown(game: str, seats: int, **sizes: int) -> GrownTree:
    return GrownTree(mini_game(GAMES[game], seats, sizes))


def asked(tree: GrownTree, bot: str) -> Answer:
    return answer(tree, policy_of(tree, bot_to_ask(bot)))


class SpielBot(spiel_policies.Policy):  # type: ignore[misc]
    """One of our bots, as OpenSpiel asks a policy."""

    def __init__(self, game: Any, rules: Game[Any], bot: str) -> None:
        super().__init__(game, list(range(game.num_players())))
        self.rules, self.bot = rules, bot_called(bot)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[Action, float]:
        seat = state.current_player() if player_id is None else player_id
        found = exact_choice(self.bot, self.rules, state.position.view(seat))
        assert found is not None
        return {action: found.get(action, 0.0) for action in state.legal_actions(seat)}


def loaded(game: str, **parameters: int) -> Any:
    return pyspiel.load_game(spiel_name(game), parameters)


def states_in(state: Any) -> int:
    if state.is_terminal():
        return 1
    actions = (
        [action for action, _ in state.chance_outcomes()]
        if state.is_chance_node()
        else state.legal_actions()
    )
    return 1 + sum(states_in(state.child(action)) for action in actions)


# -- The figures of OpenSpiel ---------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["uniform", "careful"])
@pytest.mark.parametrize("game", ["six-nimmt", "x-nimmt"])
def test_the_smallest_games_have_the_figures_of_open_spiel(game: str, bot: str) -> None:
    theirs = loaded(game, players=2, **SMALLEST[game])
    found = asked(grown(game, 2, **SMALLEST[game]), bot)
    policy = SpielBot(theirs, GAMES[game], bot)
    assert found.exploitability == pytest.approx(spiel.exploitability(theirs, policy), abs=1e-6)
    assert found.states == states_in(theirs.new_initial_state())


def test_hornochsen_has_the_figures_of_open_spiel_too() -> None:
    theirs = loaded("hornochsen", players=2, **SMALLEST["hornochsen"])
    found = asked(grown("hornochsen", 2, **SMALLEST["hornochsen"]), "uniform")
    wanted = spiel.exploitability(theirs, spiel_policies.UniformRandomPolicy(theirs))
    assert found.exploitability == pytest.approx(wanted, abs=1e-5)


def test_the_gains_of_three_seats_are_those_of_open_spiel() -> None:
    sizes = {"hand": 1, "rows": 1, "full_at": 2, "cards": 5}
    theirs = loaded("six-nimmt", players=3, **sizes)
    policy = spiel_policies.UniformRandomPolicy(theirs)
    wanted = spiel.nash_conv(theirs, policy, return_only_nash_conv=False)
    found = asked(grown("six-nimmt", 3, **sizes), "uniform")
    assert found.gains == pytest.approx(wanted.player_improvements, abs=1e-6)


def test_the_game_of_two_cards_and_two_rows_has_its_known_figures() -> None:
    found = asked(grown("six-nimmt", 2, **TRIAL), "uniform")
    assert (found.states, found.infos) == (5277, 1288)
    assert found.exploitability == pytest.approx(1.0333333, abs=1e-6)
    assert found.values == pytest.approx((0, 0), abs=1e-9)


# -- What a best response is ----------------------------------------------------------------------


def test_a_best_response_brings_what_it_says_and_nothing_brings_more() -> None:
    tree = grown("six-nimmt", 2, **TRIAL)
    policy, rng = tree.uniform(), np.random.default_rng(5)
    own = np.repeat(tree.tree.info_seat == 1, np.diff(tree.tree.info_first))
    best, response = tree.best_response(policy, 1)
    assert tree.value(response, 1) == pytest.approx(best)
    assert (response[~own] == policy[~own]).all()
    for _ in range(20):
        tried = rng.random(policy.size)
        totals = np.add.reduceat(tried, tree.tree.info_first[:-1])
        tried /= np.repeat(totals, np.diff(tree.tree.info_first))
        assert tree.value(np.where(own, tried, policy), 1) < best


def test_no_seat_knows_what_the_other_one_laid_in_secret() -> None:
    """Else whoever chooses second would win more."""
    tree = grown("six-nimmt", 2, **TRIAL)
    first, second = (tree.best_response(tree.uniform(), seat)[0] for seat in (0, 1))
    assert first == pytest.approx(second)


@pytest.mark.parametrize("game", SMALLEST)
def test_nobody_forgets_what_they_knew_and_did(game: str) -> None:
    """All ways to an information state look the same to its seat; else no method would find an equilibrium.  In
    X nimmt! that takes more than the cards in sight: which of one's cards have lain open, too."""
    sizes = {"hand": 3, "rows": 1, "cards": 7} if game == "x-nimmt" else SMALLEST[game]
    tree = grown(game, 2, **sizes).tree
    before: list[dict[int, Any]] = [{0: None}, {0: None}]  # by seat and node: its last choice
    ways: dict[int, Any] = {}
    for node, who in enumerate(tree.seat):
        if who == -1:
            continue
        if who >= 0:
            way = before[who][node]
            assert ways.setdefault(int(tree.info[node]), way) == way
        child, number = node + 1, 0
        while child < tree.after[node]:
            for seat in range(2):
                last = (int(tree.info[node]), number) if seat == who else before[seat][node]
                before[seat][child] = last
            child, number = int(tree.after[child]), number + 1


def test_every_information_state_shows_its_seat_its_actions() -> None:
    tree = grown("x-nimmt", 2, **SMALLEST["x-nimmt"])
    views = list(tree.views())
    assert len(views) == tree.infos
    for info, view in enumerate(views):
        assert view.seat == tree.tree.info_seat[info]
        assert view.legal == tree.actions(info)


# -- Asking a bot ---------------------------------------------------------------------------------


def test_a_bot_that_draws_lots_is_known_exactly() -> None:
    game = GAMES["six-nimmt"]
    view = bullpen.new("six-nimmt", 2, seed=1).view(0)
    assert exact_choice(uniform.choose, game, view) == pytest.approx(
        dict.fromkeys(view.legal, 1 / len(view.legal))
    )

    def twice(game: Game[Any], view: View[Any], rng: Random) -> Action:
        return rng.choice(view.legal[:2]) if rng.choice("ab") == "a" else view.legal[0]

    first, second = view.legal[:2]
    assert exact_choice(twice, game, view) == {first: 0.75, second: 0.25}
    assert (
        exact_choice(lambda game, view, rng: view.legal[int(2 * rng.random())], game, view) is None
    )


def by_other_numbers(game: Game[Any], view: View[Any], rng: Random) -> Action:
    return view.legal[int(len(view.legal) * rng.random())]


def test_a_bot_that_is_asked_lies_between_two_bounds_on_average() -> None:
    tree = grown("six-nimmt", 2, **SMALLEST["six-nimmt"])
    truth = asked(tree, "uniform").exploitability
    widths = []
    for samples in (4, 16):
        found = [
            answer(tree, policy_of(tree, by_other_numbers, samples, seed)) for seed in range(8)
        ]
        assert {one.samples for one in found} == {samples}
        least = [one.least for one in found]
        most = np.mean([one.exploitability for one in found])
        noise = 3 * np.std(least) / np.sqrt(len(least))
        assert np.mean(least) - noise < truth < most
        widths.append(most - np.mean(least))
    assert 0 < widths[1] < widths[0]


def test_a_bot_that_thinks_answers_with_playouts_and_not_by_the_clock() -> None:
    assert repeatable("montecarlo") == "montecarlo:playouts=64"
    assert repeatable("careful") == "careful"
    with pytest.raises(Problem) as caught:
        bot_to_ask("montecarlo:ms=50")
    assert caught.value.key == "exact_by_clock"
    tree = grown("six-nimmt", 2, **SMALLEST["six-nimmt"])
    one, again = (
        answer(tree, policy_of(tree, bot_to_ask("montecarlo:playouts=8"), samples=2))
        for _ in range(2)
    )
    assert one == again
    assert one.exploitability < asked(tree, "uniform").exploitability


def test_a_bot_that_thinks_has_the_figures_of_the_documentation() -> None:
    """docs/exact.md; whatever makes it quicker to ask must not change what is answered."""
    tree = grown("six-nimmt", 2, hand=2, rows=1, full_at=3, cards=6)
    found = answer(tree, policy_of(tree, bot_to_ask("montecarlo:playouts=64"), samples=8))
    assert (round(found.least, 3), round(found.exploitability, 3)) == (0.239, 0.241)
    tree = grown("x-nimmt", 2, hand=2, rows=1, cards=6)
    found = answer(tree, policy_of(tree, bot_to_ask("montecarlo:playouts=64"), samples=8))
    assert (round(found.least, 3), round(found.exploitability, 3)) == (0.160, 0.170)


# -- Equilibria -----------------------------------------------------------------------------------

LADDER = equilibria.ladder()


def test_a_ladder_of_equilibria_comes_with_every_game_that_has_mini_games() -> None:
    games = [one.mini.game.ID for one in LADDER]
    for game in GAMES.values():
        assert (games.count(game.ID) >= 3) == bool(game.printed)
    for one in LADDER:
        assert one.exploitability <= 0.02 * one.spread


@pytest.mark.parametrize(
    "kept", [one for one in LADDER if one.states < 10_000], ids=lambda one: one.mini.title
)
def test_what_comes_with_a_game_is_as_near_as_it_says(kept: equilibria.Equilibrium) -> None:
    tree = GrownTree(kept.mini)
    found = answer(tree, BotPolicy(kept.policy(tree)))
    assert found.exploitability == pytest.approx(kept.exploitability, abs=1e-6)
    assert found.spread == pytest.approx(kept.spread, abs=1e-6)


def test_an_equilibrium_is_found_again_and_read_back(tmp_path: Path) -> None:
    tree = grown("six-nimmt", 2, **TRIAL)
    found = equilibria.solve(tree)
    assert found.answer.exploitability <= equilibria.USUAL_SHARE * tree.spread()
    file = tmp_path / equilibria.file_name(tree.mini)
    file.write_text(equilibria.written(tree.mini, found), "utf-8")
    again = equilibria.read(file)
    assert (again.policy(tree) == found.policy).all()
    kept = equilibria.equilibrium("six-nimmt", 2, TRIAL)
    assert (kept.steps, kept.packed) == (found.steps, again.packed)
    with pytest.raises(Problem) as caught:
        again.policy(grown("six-nimmt", 2, **SMALLEST["six-nimmt"]))
    assert caught.value.key == "exact_other_tree"


def test_the_value_of_an_equilibrium_is_the_same_for_whoever_finds_it() -> None:
    """With more steps it comes nearer, and what the game is worth does not change by more than that."""
    tree = grown("x-nimmt", 2, **SMALLEST["x-nimmt"])
    near, nearer = equilibria.solve(tree, 0.05), equilibria.solve(tree, 0.002)
    assert nearer.answer.exploitability < near.answer.exploitability
    worth = [tree.value(one.policy, 0) for one in (near, nearer)]
    assert abs(worth[0] - worth[1]) <= 2 * near.answer.exploitability


# -- Refusals -------------------------------------------------------------------------------------


def test_a_tree_that_is_too_large_is_refused_with_its_size(monkeypatch: Any) -> None:
    with pytest.raises(Problem) as caught:
        GrownTree(mini_game(GAMES["six-nimmt"], 2, {"hand": 4}))
    assert caught.value.key == "exact_too_large"
    assert float(caught.value.facts["states"]) > 1e20
    monkeypatch.setattr(trees, "MOST_STATES", 4000)
    with pytest.raises(Problem) as caught:
        GrownTree(mini_game(GAMES["six-nimmt"], 2, TRIAL))
    assert caught.value.key == "exact_too_large"
    for language in ("en", "de", "pl"):
        assert "4000" in voice(language).problem(caught.value)


def test_several_rounds_and_more_than_two_seats_are_refused_where_they_cannot_be() -> None:
    with pytest.raises(Problem) as caught:
        GrownTree(mini_game(GAMES["six-nimmt"], 2, {**TRIAL, "rounds": 2}))
    assert caught.value.key == "exact_one_deal"
    with pytest.raises(Problem) as caught:
        mini_game(GAMES["bullenparty"], 2, {})
    assert caught.value.key == "exact_no_mini"
    sizes = {"hand": 1, "rows": 1, "full_at": 2, "cards": 5}
    with pytest.raises(Problem) as caught:
        equilibria.solve(grown("six-nimmt", 3, **sizes))
    assert caught.value.key == "exact_solve_seats"
    with pytest.raises(Problem) as caught:
        equilibria.equilibrium("six-nimmt", 2, {"hand": 3})
    assert caught.value.key == "exact_no_equilibrium"


# -- The command ----------------------------------------------------------------------------------


def typed(sizes: dict[str, int]) -> list[str]:
    return [word for name, size in sizes.items() for word in ("--option", f"{name}={size}")]


def test_the_command_tells_what_a_bot_loses(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "six-nimmt", "--players", "2", *typed(SMALLEST["six-nimmt"])]
    assert main(["exploit", "careful", *words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = asked(grown("six-nimmt", 2, **SMALLEST["six-nimmt"]), "careful")
    assert told["exploitability"] == pytest.approx(found.exploitability)
    assert told["options"] == SMALLEST["six-nimmt"]
    for language, word in (("en", "exploitability"), ("de", "Ausnutzbarkeit"), ("pl", "podatność")):
        assert main(["exploit", "montecarlo", *words, "--samples", "2", "--lang", language]) == 0
        shown = capsys.readouterr().out
        assert word in shown.lower() or word in shown
        assert "montecarlo:playouts=64" in shown


def test_the_command_tells_the_gain_of_each_of_three_seats(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sizes = {"hand": 1, "rows": 1, "full_at": 2, "cards": 5}
    assert main(["exploit", "uniform", "--game", "6nimmt", "--players", "3", *typed(sizes)]) == 0
    assert "gain by seat" in capsys.readouterr().out


def test_the_command_finds_an_equilibrium_and_says_when_it_is_not_near(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "found.json"
    words = ["--solve", "--game", "six-nimmt", *typed(TRIAL)]
    assert main(["exploit", *words, "--out", str(file), "--json"]) == 0
    assert equilibria.read(file).packed == equilibria.equilibrium("six-nimmt", 2, TRIAL).packed
    assert main(["exploit", *words, "--steps", "2"]) == 1
    assert "--steps" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "bullpen exploit careful"),
        (["careful", "--solve", "--game", "six-nimmt"], "not both"),
        (["--solve"], "--game"),
        (["careful", "--option", "hand=2"], "--game"),
        (["careful", "--game", "bullenparty"], "six-nimmt"),
        (["careful", "--game", "six-nimmt", "--option", "hand=11"], "1 – 10"),
        (["nobody", "--game", "six-nimmt"], "nobody"),
        (["careful", "--game", "six-nimmt", "--samples", "1"], "--samples"),
        (["montecarlo:ms=5", "--game", "six-nimmt"], "playouts"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_a_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["exploit", *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told
