"""Gymnasium: one seat against bots."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import bullpen
from bullpen.envs.gym import IDS, SELF_PLAY_IDS, EverySeat, OneSeat
from bullpen.envs.observing import observe
from bullpen.envs.opponents import Pool
from bullpen.game import IllegalMove
from bullpen.games import GAMES

every_game = pytest.mark.parametrize("game", GAMES)


def make(game: str, **wishes: Any) -> OneSeat:
    env = gymnasium.make(IDS[game], **wishes).unwrapped
    assert isinstance(env, OneSeat)
    return env


def play(env: OneSeat, seed: int) -> tuple[float, dict[str, Any]]:
    """Random legal moves to the end: the sum of the rewards, and the last info."""
    rng, total = np.random.default_rng(seed), 0.0
    _, info = env.reset(seed=seed)
    while True:
        mask = info["action_mask"]
        assert (env.action_masks() == mask).all()
        _, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(mask)))
        total += reward
        assert not truncated
        if terminated:
            return total, info


def test_every_game_has_an_id() -> None:
    assert set(IDS) == set(GAMES)
    assert IDS["x-nimmt"] == "bullpen/XNimmt-v0"
    assert set(IDS.values()) <= set(gymnasium.registry)


@every_game
@pytest.mark.parametrize("form", ["places", "planes"])
def test_the_checker_of_gymnasium_finds_nothing(game: str, form: str) -> None:
    check_env(make(game, form=form, level="uniform"))


@every_game
@pytest.mark.parametrize("reward", ["final", "change"])
def test_rewards_add_up_to_the_points_of_the_seat(game: str, reward: str) -> None:
    rules = GAMES[game]
    for seat, players in ((0, rules.SEATS[0]), (2, 3)):
        total, info = play(make(game, players=players, seat=seat, reward=reward), seed=seat)
        sign = 1 if rules.best({}) is max else -1
        assert total == sign * info["scores"][seat]
        assert len(info["scores"]) == players


@every_game
def test_the_seat_sees_its_view_and_its_legal_actions(game: str) -> None:
    env = make(game, players=3, seat=1, level="easy", memory="shown")
    observation, info = env.reset(seed=4)
    rng = np.random.default_rng(4)
    for _ in range(30):
        match = env._being_played()
        assert 1 in match.waiting_for
        assert (observation == observe(match.rules, match.view(1), "shown")).all()
        legal = match.rules.legal(match.table, 1)
        assert np.flatnonzero(info["action_mask"]).tolist() == sorted(legal)
        observation, _, over, _, info = env.step(int(rng.choice(legal)))
        if over:
            break


def test_the_same_seed_gives_the_same_game_against_the_same_bots() -> None:
    one, two, other = (play(make("x-nimmt", level="medium"), seed) for seed in (5, 5, 6))
    assert one[1]["scores"] == two[1]["scores"]
    assert one[1]["scores"] != other[1]["scores"]


def test_every_bot_can_have_its_own_level() -> None:
    env = make("six-nimmt", players=3, seat=1, level=["easy", "uniform"])
    assert env._opponents == {2: "easy", 0: "uniform"}
    with pytest.raises(bullpen.Problem, match="env levels"):
        make("six-nimmt", players=4, level=["easy"])
    with pytest.raises(bullpen.Problem, match="unknown bot"):
        make("six-nimmt", level="genius")


def test_a_bot_that_thinks_can_sit_at_the_table() -> None:
    _, info = play(make("x-nimmt", players=2, level="montecarlo:playouts=20"), seed=1)
    assert len(info["scores"]) == 2


def test_an_illegal_action_changes_nothing_and_is_explained() -> None:
    env = make("x-nimmt", level="easy")
    before, _ = env.reset(seed=1)
    after, reward, over, _, info = env.step(201)
    assert (after == before).all()
    assert (reward, over) == (0.0, False)
    assert info["illegal"].startswith("“row 1” is not possible: now you have to choose a card")
    strict = make("x-nimmt", level="easy", illegal="refuse")
    strict.reset(seed=1)
    with pytest.raises(IllegalMove):
        strict.step(201)


def test_who_looks_at_no_mask_is_punished_and_comes_to_an_end() -> None:
    env = OneSeat("x-nimmt", level="easy", penalty=-3, max_episode_steps=5)
    env.reset(seed=1)
    told = [env.step(201)[1:4] for _ in range(5)]
    assert told == [(-3.0, False, False)] * 4 + [(-3.0, False, True)]
    endless = make("x-nimmt", players=2, rounds=1, level="easy")  # where nothing is wished for
    rng, steps, over = np.random.default_rng(1), 0, False
    endless.reset(seed=1)
    while not over:
        *_, terminated, truncated, _ = endless.step(rng.integers(204))
        over, steps = terminated or truncated, steps + 1
    assert steps <= endless.max_episode_steps


def test_in_self_play_every_decision_is_ones_own() -> None:
    env = gymnasium.make(SELF_PLAY_IDS["x-nimmt"], players=3, reward="change").unwrapped
    assert isinstance(env, EverySeat)
    check_env(env)
    _, info = env.reset(seed=2)
    got, deciding = np.zeros(3), set()
    while True:
        seat = info["actor"]
        deciding.add(seat)
        got[seat] += info["since"][seat]
        *_, over, _, info = env.step(int(info["action_mask"].argmax()))
        if over:
            break
    assert deciding == {0, 1, 2}
    assert (got + info["since"]).tolist() == [-points for points in info["scores"]]


def test_policies_and_pools_can_sit_at_the_table() -> None:
    asked: list[str] = []

    def first(observations: Any, masks: Any) -> Any:
        asked.append("first")
        assert observations.shape == (1, 109)
        return masks.argmax(axis=1)

    def last(observations: Any, masks: Any) -> Any:
        asked.append("last")
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    env = make("x-nimmt", players=2, rounds=1, level=Pool([first, last, "uniform"]))
    for seed in range(8):
        asked.append("|")
        play(env, seed)
    games = [set(game.split()) for game in " ".join(asked).split("|")[1:]]
    assert {"first"} in games
    assert {"last"} in games
    assert set() in games
    with pytest.raises(bullpen.Problem, match="env player"):
        OneSeat("x-nimmt", level=7)  # type: ignore[arg-type]
    with pytest.raises(bullpen.Problem, match="env pool"):
        Pool([])


@pytest.mark.parametrize(
    ("wishes", "problem"),
    [
        ({"seat": 4}, "no such seat"),
        ({"max_episode_steps": 0}, "env steps"),
        ({"players": 7}, "bad seats"),
        ({"illegal": "lose"}, "env choice"),
        ({"render_mode": "3d"}, "env choice"),
        ({"rounds": "many"}, "bad option"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused(wishes: dict[str, Any], problem: str) -> None:
    with pytest.raises(bullpen.Problem, match=problem):
        OneSeat("x-nimmt", **wishes)


def test_a_game_must_be_dealt_before_it_is_played() -> None:
    env = OneSeat("x-nimmt", render_mode="ansi")
    for ask in (lambda: env.step(1), env.render, env.action_masks):
        with pytest.raises(bullpen.Problem, match="env not reset"):
            ask()
    play(env, 1)
    with pytest.raises(bullpen.Problem, match="env not reset"):
        env.step(1)


def test_what_is_hidden_from_the_seat_is_drawn_face_down() -> None:
    env = OneSeat("x-nimmt", players=2, seat=0, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert "hand 1: ? ? ? ? ? ? ? ?" in " ".join(text.split())
    assert "?" not in text[text.index("hand 0") : text.index("hand 1")]


@pytest.mark.parametrize("action", [5000, -1, "x", None, np.array([1, 2])])
def test_a_step_that_no_game_of_this_kind_has_is_never_taken_for_a_bad_move(action: Any) -> None:
    env = gymnasium.make("bullpen/SixNimmt-v0").unwrapped
    env.reset(seed=1)
    with pytest.raises(bullpen.Problem, match="whole number from 0 to"):
        env.step(action)
