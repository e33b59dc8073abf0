"""PettingZoo: its own tests, what the seats see, secret choices, and rewards."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import bullpen
from bullpen.envs.observing import observe
from bullpen.envs.petting import SeatsAtOnce, SeatsInTurn, aec_env, parallel_env
from bullpen.game import IllegalMove
from bullpen.games import GAMES
from bullpen.text import voice

every_game = pytest.mark.parametrize("game", GAMES)
# PettingZoo's tests warn of every dictionary that is not of its own games, and of masks at the end.
as_dictionaries = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation is not a NumPy array",
    "ignore:Action mask numpy array is all zeros",
)


def play(
    env: SeatsInTurn, rng: Random, each: Callable[[], None] = lambda: None
) -> dict[str, float]:
    """Random legal moves to the end; the sums of the rewards that the agents were given."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        each()
        observed, reward, over, truncated, _ = env.last()
        total[agent] += reward
        assert not truncated
        legal = np.flatnonzero(observed["action_mask"])
        env.step(None if over else int(rng.choice(legal)))
    return total


def play_at_once(env: SeatsAtOnce, rng: Random, seed: int) -> dict[str, float]:
    observed, _ = env.reset(seed=seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        actions = {
            agent: int(rng.choice(np.flatnonzero(seen["action_mask"])))
            for agent, seen in observed.items()
        }
        observed, rewards, *_ = env.step(actions)
        for agent, reward in rewards.items():
            total[agent] += reward
    return total


# -- PettingZoo's own tests -----------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("form", ["places", "planes"])
@as_dictionaries
def test_seats_in_turn_pass_the_test_of_the_interface(game: str, form: Any) -> None:
    for players in (GAMES[game].SEATS[0], GAMES[game].SEATS[-1]):
        api_test(aec_env(game, players, form=form), num_cycles=150)


@every_game
def test_seats_at_once_pass_the_test_of_the_interface(game: str) -> None:
    for players in (GAMES[game].SEATS[0], GAMES[game].SEATS[-1]):
        parallel_api_test(parallel_env(game, players), num_cycles=60)


@every_game
def test_the_state_is_the_whole_table(game: str) -> None:
    env = aec_env(game, players=3)
    check_state_space(env)
    env.reset(seed=5)
    state, form = env.state(), env.wished.layout
    assert env.state_space.contains(state)
    for seat in range(3):
        hand = np.flatnonzero(env.observe(f"seat_{seat}")["observation"] == form.code("hand 0"))
        hand = hand[hand < form.cards]
        assert len(hand)
        assert (state[hand] == form.code(f"hand {seat}")).all()


def test_who_looks_at_no_mask_comes_to_an_end_with_the_wrapper_of_pettingzoo() -> None:
    env = TerminateIllegalWrapper(aec_env("x-nimmt", players=2), illegal_reward=-9)
    env.reset(seed=5)
    env.step(203)  # there is no row to take yet
    assert all(env.terminations.values())
    assert env.rewards["seat_0"] == -9


@every_game
def test_the_same_seed_gives_the_same_game(game: str) -> None:
    seed_test(partial(aec_env, game, players=3), num_cycles=40)


@every_game
def test_every_way_to_render_gives_what_it_should(game: str) -> None:
    render_test(partial(aec_env, game, players=3))
    render_test(partial(aec_env, game, players=GAMES[game].SEATS[-1]))


# -- What the seats see ---------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("memory", ["perfect", "shown"])
def test_the_one_who_decides_gets_the_view_and_the_legal_actions(game: str, memory: Any) -> None:
    env = aec_env(game, players=3, memory=memory)
    env.reset(seed=5)

    def check() -> None:
        match = env.play
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert (seen["observation"] == observe(match.rules, match.view(seat), memory)).all()
            legal = match.rules.legal(match.table, seat)
            assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(legal)

    play(env, Random(5), check)


@every_game
def test_the_same_choices_look_the_same_in_turn_and_at_once(game: str) -> None:
    in_turn, at_once = aec_env(game, players=4), parallel_env(game, players=4)
    in_turn.reset(seed=9)
    observed, _ = at_once.reset(seed=9)
    rng = Random(9)
    for _ in range(60):
        if not at_once.agents:
            break
        actions = {}
        for agent, seen in observed.items():
            if seen["action_mask"][at_once.pass_action]:
                continue  # left out of the step
            assert in_turn.agent_selection == agent
            mask = in_turn.observe(agent)["action_mask"]
            assert (in_turn.observe(agent)["observation"] == seen["observation"]).all()
            assert (mask == seen["action_mask"][:-1]).all()
            actions[agent] = int(rng.choice(np.flatnonzero(mask)))
            in_turn.step(actions[agent])
        observed, *_ = at_once.step(actions)


def test_a_secret_choice_changes_nothing_for_those_who_still_choose() -> None:
    env = aec_env("six-nimmt", players=4)
    env.reset(seed=3)
    before = [env.observe(agent) for agent in env.agents]
    env.step(int(np.flatnonzero(before[0]["action_mask"])[0]))
    assert env.agent_selection == "seat_1"
    for agent, earlier in zip(env.agents[1:], before[1:], strict=True):
        for part in ("observation", "action_mask"):
            assert (env.observe(agent)[part] == earlier[part]).all()


def test_whoever_has_nothing_to_decide_passes() -> None:
    env = parallel_env("hornochsen", players=3)
    observed, _ = env.reset(seed=1)
    masks = [seen["action_mask"] for seen in observed.values()]
    assert masks[0][env.pass_action] == 0
    assert [np.flatnonzero(mask).tolist() for mask in masks[1:]] == [[env.pass_action]] * 2
    card = int(np.flatnonzero(masks[0])[0])
    with pytest.raises(bullpen.Problem, match="env not deciding"):
        env.step({"seat_0": card, "seat_1": 4})
    with pytest.raises(bullpen.Problem, match="env action missing"):
        env.step({"seat_1": env.pass_action})
    env.step({"seat_0": card})
    assert env.play.table.played == 1


# -- Rewards --------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("reward", ["final", "change"])
def test_rewards_add_up_to_the_scores_and_more_is_better(game: str, reward: Any) -> None:
    env, at_once = aec_env(game, 3, reward=reward), parallel_env(game, 3, reward=reward)
    env.reset(seed=11)
    total = play(env, Random(11))
    match = env.play
    sign = 1 if match.rules.best(match.wished.options) is max else -1
    assert list(total.values()) == [sign * points for points in match.scores]
    assert max(total.values()) == total[f"seat_{match.winners[0]}"]
    total = play_at_once(at_once, Random(11), 11)
    assert list(total.values()) == [sign * points for points in at_once.play.scores]


def test_a_reward_can_be_relative_to_the_others() -> None:
    scores = {}
    for relative in ("none", "mean", "best"):
        env = aec_env("x-nimmt", 3, relative=relative)
        env.reset(seed=2)
        scores[relative] = list(play(env, Random(2)).values())
    a, b, c = scores["none"]
    assert scores["mean"] == [a - (b + c) / 2, b - (a + c) / 2, c - (a + b) / 2]
    assert scores["best"] == [a - max(b, c), b - max(a, c), c - max(a, b)]


def test_a_final_reward_comes_only_at_the_end() -> None:
    env = parallel_env("bullenparty", 2)
    observed, _ = env.reset(seed=4)
    rng = Random(4)
    while True:
        actions = {
            agent: int(rng.choice(np.flatnonzero(seen["action_mask"])))
            for agent, seen in observed.items()
        }
        observed, rewards, terminations, _, _ = env.step(actions)
        if all(terminations.values()):
            assert any(rewards.values())
            break
        assert not any(rewards.values())


# -- Wishes ---------------------------------------------------------------------------------------


def test_options_are_given_by_name_or_as_a_mapping() -> None:
    one = aec_env("x-nimmt", players=2, rounds=1, x_choice="free")
    two = aec_env("x-nimmt", players=2, options={"rounds": 1, "x_choice": "free"})
    assert one.wished.options == two.wished.options
    assert one.wished.options["rounds"] == 1


@pytest.mark.parametrize(
    ("wished", "problem"),
    [
        ({"game": "chess"}, "there is no game “chess”"),
        ({"players": 12}, "X nimmt! is for 2 to 4 players, not 12"),
        ({"colour": "blue"}, "X nimmt! has no option “colour”"),
        ({"rounds": 0}, "can be 1, 2, 3, …, but not “0”"),
        ({"rounds": 1, "options": {"rounds": 2}}, "the option rounds was given twice"),
        ({"memory": "none"}, "memory can be perfect, shown, but not “none”"),
        ({"reward": "often"}, "reward can be final, change, but not “often”"),
        ({"relative": True}, "relative can be none, mean, best, but not “true”"),
        ({"form": "cnn"}, "form can be places, planes, rows, but not “cnn”"),
        ({"render_mode": "3d"}, "render_mode can be ansi, rgb_array, human, but not “3d”"),
    ],
)
@pytest.mark.parametrize("make", [aec_env, parallel_env])
def test_a_wish_that_cannot_be_met_is_refused_in_a_sentence(
    make: Any, wished: dict[str, Any], problem: str
) -> None:
    with pytest.raises(bullpen.Problem) as refused:
        make(**{"game": "x-nimmt", **wished})
    assert problem.lower() in voice("en").problem(refused.value).lower()


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = aec_env("x-nimmt", players=2)
    env.reset(seed=1)
    before = env.observe("seat_0")
    with pytest.raises(IllegalMove):
        env.step(201)
    for action in (-5, 10**6, None, "play 3"):
        with pytest.raises(bullpen.Problem):
            env.step(action)  # type: ignore[arg-type]
    assert (env.observe("seat_0")["observation"] == before["observation"]).all()


def test_a_game_must_be_dealt_before_it_is_played_or_shown() -> None:
    with pytest.raises(bullpen.Problem, match="env not reset"):
        parallel_env("x-nimmt").step({})
    env = parallel_env("x-nimmt")
    env.reset(seed=1)
    with pytest.raises(bullpen.Problem, match="env no render mode"):
        env.render()


def test_resets_without_a_seed_deal_other_games() -> None:
    env = aec_env("x-nimmt", players=2)
    deals = []
    for seed in (7, None, None, 7):
        env.reset(seed=seed)
        deals.append(env.observe("seat_0")["observation"].tolist())
    assert deals[0] == deals[3]
    assert deals[0] != deals[1] != deals[2]


# -- Pictures -------------------------------------------------------------------------------------


@every_game
def test_a_picture_has_one_size_and_shows_the_table(game: str) -> None:
    shapes, pictures = set(), []
    for players in (GAMES[game].SEATS[0], GAMES[game].SEATS[-1]):
        env = aec_env(game, players, render_mode="rgb_array")
        env.reset(seed=1)
        for _ in range(5):
            picture = env.render()
            shapes.add(picture.shape)
            pictures.append(picture.tobytes())
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(np.flatnonzero(mask)[-1]))
    assert shapes == {(720, 1200, 3)}
    assert len(set(pictures)) == len(pictures)  # every decision is seen


def test_the_text_of_a_table_tells_its_cards(capsys: pytest.CaptureFixture[str]) -> None:
    env = aec_env("x-nimmt", players=2, render_mode="human")
    env.reset(seed=1)
    printed = capsys.readouterr().out
    assert printed.startswith("X nimmt!\nrow 1:")
    assert "waiting for: [0, 1]" in printed
    assert "hand 1:" in printed


@pytest.mark.parametrize("action", ["play 4", 3.7, None, -1, 100_000])
def test_what_is_no_action_at_all_is_refused_in_words(action: object) -> None:
    env = aec_env("six-nimmt", players=2)
    env.reset(seed=1)
    with pytest.raises(bullpen.Problem, match="whole number from 0 to"):
        env.step(action)  # type: ignore[arg-type]
    with pytest.raises(bullpen.Problem, match="call `reset` first"):
        aec_env("six-nimmt", players=2).step(0)
