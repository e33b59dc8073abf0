"""Thousands of games at once: what they show, what they bring, and how they end."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import bullpen
import bullpen.envs.gym
from bullpen import fast
from bullpen.envs.observing import action_mask, observe
from bullpen.envs.opponents import Pool
from bullpen.envs.vector import Tables, vector_env
from bullpen.games import GAMES
from bullpen.text import voice

SHORT: dict[str, dict[str, Any]] = {
    game: {"rounds": 1} for game in ("eleven-nimmt", "x-nimmt", "six-nimmt")
}
every_game = pytest.mark.parametrize("game", GAMES)


def table_of(envs: Tables, at: int) -> Any:
    twin = fast.twin(envs.wished.rules.ID)
    return twin.from_record(envs.states[at : at + 1], envs.wished.options, envs.wished.deck)


@every_game
@pytest.mark.parametrize("memory", ["perfect", "shown"])
def test_each_game_shows_the_view_of_the_one_who_decides(game: str, memory: Any) -> None:
    rules = GAMES[game]
    envs = vector_env(game, num_envs=6, players=3, memory=memory, jobs=1)
    observations, infos = envs.reset(seed=3)
    for _ in range(40):
        for at in range(envs.num_envs):
            table, seat = table_of(envs, at), int(infos["actor"][at])
            assert seat == rules.waiting_for(table)[0]
            assert (observations[at] == observe(rules, rules.view(table, seat), memory)).all()
            mask = action_mask(rules, rules.legal(table, seat))
            assert (infos["action_mask"][at] == mask).all()
        assert envs.observation_space.contains(observations)
        observations, _, _, _, infos = envs.step(envs.sample())


@every_game
@pytest.mark.parametrize("reward", ["final", "change"])
def test_rewards_of_every_game_add_up_to_its_scores(game: str, reward: Any) -> None:
    envs = vector_env(game, num_envs=40, players=3, reward=reward, jobs=1)
    envs.reset(seed=4)
    total, own, ended = np.zeros((40, 3)), np.zeros(40), 0
    sign = envs.wished.sign
    for _ in range(1_500):
        deciders = envs.actors.copy()
        _, rewards, terminations, truncations, infos = envs.step(envs.sample())
        assert not truncations.any()
        assert (rewards == infos["rewards"][np.arange(40), deciders]).all()
        total += infos["rewards"]
        own += rewards
        if terminations.any():
            scores = infos["final_info"]["scores"]
            assert (total[terminations] == sign * scores[terminations]).all()
            total[terminations] = 0
            ended += int(terminations.sum())
        if ended > 40:
            break
    assert ended > 40
    assert own.any()


@pytest.mark.parametrize("relative", ["mean", "best"])
def test_a_reward_can_be_relative_to_the_others(relative: Any) -> None:
    one = vector_env("x-nimmt", num_envs=50, players=4, jobs=1)
    two = vector_env("x-nimmt", num_envs=50, players=4, relative=relative, jobs=1)
    one.reset(seed=5), two.reset(seed=5)
    ended = 0
    for _ in range(200):
        actions = one.sample()
        plain, compared = one.step(actions)[4]["rewards"], two.step(actions)[4]["rewards"]
        for seat in range(4):
            others = np.delete(plain, seat, axis=1)
            than = others.mean(axis=1) if relative == "mean" else others.max(axis=1)
            assert compared[:, seat] == pytest.approx(plain[:, seat] - than)
        ended += int(plain.any(axis=1).sum())
    assert ended


def test_a_game_that_ends_starts_again_in_the_same_step() -> None:
    envs = vector_env("x-nimmt", num_envs=30, players=2, jobs=1)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    form = envs.wished.layout
    envs.reset(seed=6)
    ended = 0
    while not ended:
        observations, _, done, _, infos = envs.step(envs.sample())
        assert ("final_obs" in infos) == done.any()
        for at in np.flatnonzero(done):
            ended += 1
            last = infos["final_obs"][at]
            assert last[form.at("actor")] == 3  # nobody: it is over
            points = [last[form.at(f"points {far}")] for far in range(2)]
            assert sorted(points) == sorted(infos["final_info"]["scores"][at])
            assert observations[at][form.at("rounds played")] == 0
            assert envs.single_observation_space.contains(last)
        if done.any():
            assert (infos["_final_obs"] == done).all()
            assert all(infos["final_obs"][at] is None for at in np.flatnonzero(~done))


@every_game
def test_one_seat_can_play_against_random_others(game: str) -> None:
    envs = vector_env(game, num_envs=12, players=3, seat=2, reward="change", jobs=1)
    _, infos = envs.reset(seed=7)
    total, ended = np.zeros(12), 0
    for _ in range(600):
        assert (infos["actor"] == 2).all()
        _, rewards, done, _, infos = envs.step(envs.sample())
        total += rewards
        for at in np.flatnonzero(done):
            assert total[at] == envs.wished.sign * infos["final_info"]["scores"][at, 2]
            total[at], ended = 0, ended + 1
        if ended > 5:
            break
    assert ended > 5


def test_with_masks_alone_a_step_shows_the_masks() -> None:
    envs = vector_env("baron-oxx", num_envs=5, players=4, shown="masks", jobs=1)
    observations, infos = envs.reset(seed=8)
    assert observations.shape == (5, 116)
    assert observations is infos["action_mask"]
    assert envs.observation_space.contains(observations)
    assert (envs.action_masks() == observations).all()
    assert all(observations[at, action] for at, action in enumerate(envs.sample()))


@pytest.mark.parametrize("shown", ["full", "masks"])
def test_the_same_seed_gives_the_same_games_on_any_number_of_threads(shown: Any) -> None:
    one, many = (
        vector_env("six-nimmt", num_envs=1_000, players=4, shown=shown, jobs=jobs)
        for jobs in (1, 3)
    )
    for seed in (9, None):
        assert (one.reset(seed=seed)[0] == many.reset(seed=seed)[0]).all()
        for _ in range(60):
            actions = one.sample()
            assert (actions == many.sample()).all()
            for mine, theirs in zip(one.step(actions)[:3], many.step(actions)[:3], strict=True):
                assert (mine == theirs).all()


def test_what_a_step_gave_stays_unless_arrays_are_reused() -> None:
    for arrays, stays in (("fresh", True), ("reused", False)):
        envs = vector_env("x-nimmt", num_envs=4, arrays=arrays, jobs=1)  # type: ignore[arg-type]
        first, infos = envs.reset(seed=1)
        kept, kept_mask = first.copy(), infos["action_mask"].copy()
        for _ in range(10):
            envs.step(envs.sample())
        assert (first == kept).all() == stays
        assert (infos["action_mask"] == kept_mask).all() == stays


def test_arrays_that_nobody_has_kept_are_written_again_and_a_view_keeps_its_array() -> None:
    envs = vector_env("x-nimmt", num_envs=4, jobs=1)
    envs.reset(seed=1)
    place = envs.masks.ctypes.data
    envs.step(envs.sample())
    assert envs.masks.ctypes.data == place
    _, infos = envs.reset(seed=1)
    view = infos.pop("action_mask")[2:, ::3]
    before = view.copy()
    for _ in range(10):
        envs.step(envs.sample())
    assert (view == before).all()
    assert not np.shares_memory(envs.masks, view)


def test_what_somebody_wrote_into_a_mask_is_gone_after_the_next_step() -> None:
    for game in ("x-nimmt", "bullenparty"):
        envs, untouched = (vector_env(game, num_envs=4, jobs=1) for _ in range(2))
        envs.reset(seed=1)
        untouched.reset(seed=1)
        for _ in range(30):
            envs.masks[:] = 7
            envs.step(envs.sample())
            untouched.step(untouched.sample())
            assert (envs.masks == untouched.masks).all()


def test_writing_into_a_mask_does_not_make_an_action_legal() -> None:
    envs = vector_env("x-nimmt", num_envs=4, players=4, jobs=1)
    _, infos = envs.reset(seed=1)
    infos["action_mask"][:] = 1
    actions = envs.sample()
    actions[2] = 203  # there is no row to take yet
    with pytest.raises(bullpen.Problem) as refused:
        envs.step(actions)
    assert refused.value.facts == {"at": 2, "move": "row 3", "seat": 0}


@pytest.mark.parametrize("action", [-1, 204, 10**12, -(2**40)])
def test_an_illegal_action_anywhere_is_refused_and_changes_nothing(action: int) -> None:
    envs = vector_env("x-nimmt", num_envs=4, players=4, jobs=1)
    envs.reset(seed=1)
    before, actions = envs.states.tobytes(), envs.sample()
    actions[3] = action
    with pytest.raises(bullpen.Problem, match="batch illegal"):
        envs.step(actions)
    assert envs.states.tobytes() == before


@pytest.mark.parametrize(
    ("wished", "problem"),
    [
        ({"num_envs": 0}, "batch size"),
        ({"seat": 4}, "no such seat"),
        ({"shown": "all"}, "env choice"),
        ({"arrays": "mine"}, "env choice"),
        ({"form": "cnn"}, "env choice"),
        ({"players": 5}, "bad seats"),
        ({"rounds": 0}, "bad option"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused(wished: dict[str, Any], problem: str) -> None:
    with pytest.raises(bullpen.Problem, match=problem) as refused:
        vector_env("x-nimmt", **wished)
    assert voice("pl").problem(refused.value)


def test_steps_need_a_deal_and_one_action_a_game() -> None:
    envs = vector_env("x-nimmt", num_envs=4, jobs=1)
    with pytest.raises(bullpen.Problem, match="env not reset"):
        envs.step([1, 2, 3, 4])
    with pytest.raises(bullpen.Problem, match="env seeds"):
        envs.reset(seed=[1, 2, 3])
    envs.reset(seed=1)
    with pytest.raises(bullpen.Problem, match="batch actions"):
        envs.step([1, 2])


def test_gymnasium_makes_the_vector_from_the_id() -> None:
    envs = gymnasium.make_vec("bullpen/XNimmtSelfPlay-v0", num_envs=3, players=2, rounds=1)
    assert isinstance(envs, Tables)
    assert envs.reset(seed=1)[0].shape == (3, 109)
    statistics = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    statistics.reset(seed=1)
    for _ in range(100):
        *_, infos = statistics.step(envs.sample())
        if "episode" in infos:
            break
    assert infos["episode"]["l"].max() > 7


@pytest.mark.parametrize("actions", ["abc", None, [0.5, 1.0], [[1, 2]]])
def test_actions_of_another_kind_are_refused_in_words(actions: Any) -> None:
    env = vector_env("six-nimmt", players=2, num_envs=2)
    env.reset(seed=1)
    with pytest.raises(bullpen.Problem, match="batch actions"):
        env.step(actions)
    with pytest.raises(bullpen.Problem, match="A seed is a whole number"):
        env.reset(seed="x")  # type: ignore[arg-type]


# -- One id, one task -----------------------------------------------------------------------------


def test_one_id_is_one_task_alone_and_many_times() -> None:
    """The same deals against the same bots: what a seat sees first is what it sees in a vector."""
    wishes: dict[str, Any] = {"players": 3, "rounds": 1, "seat": 1}
    for name in ("bullpen/XNimmt-v0", "bullpen/XNimmtSelfPlay-v0"):
        if "SelfPlay" in name:
            del wishes["seat"]
        alone = gymnasium.make(name, **wishes)
        many: Any = gymnasium.make_vec(name, num_envs=3, **wishes)
        assert many.single_observation_space == alone.observation_space
        assert many.single_action_space == alone.action_space
        first, infos = many.reset(seed=7)
        seen, info = alone.reset(seed=7)
        assert (first[0] == seen).all()
        assert (infos["action_mask"][0] == info["action_mask"]).all()
        assert many.unwrapped.seat == wishes.get("seat")
    usual: Any = gymnasium.make_vec("bullpen/XNimmt-v0", num_envs=1, players=3)
    easy: Any = gymnasium.make_vec("bullpen/XNimmt-v0", num_envs=1, players=3, level="easy")
    assert list(usual.unwrapped._python_opponents.opponents.values()) == ["medium"] * 2
    assert list(easy.unwrapped._python_opponents.opponents.values()) == ["easy"] * 2


@pytest.mark.parametrize("level", ["habit", "careful", ["uniform", "habit"]])
def test_others_of_a_level_take_their_turns_in_between(level: Any) -> None:
    envs = vector_env("x-nimmt", 6, 3, seat=2, level=level, reward="change", rounds=1, jobs=1)
    _, infos = envs.reset(seed=7)
    total, ended = np.zeros(6), 0
    while not ended:
        assert (infos["actor"] == 2).all()
        _, rewards, done, _, infos = envs.step(envs.sample())
        total += rewards
        for at in np.flatnonzero(done):
            assert total[at] == -infos["final_info"]["scores"][at, 2]
            ended += 1


@pytest.mark.parametrize("game", ["x-nimmt", "eleven-nimmt"])  # each one is compiled with its habit
def test_a_habit_is_better_than_chance(game: str) -> None:
    envs = vector_env(game, 40, 2, seat=0, level="habit", jobs=1, **SHORT.get(game, {}))
    envs.reset(seed=1)
    results: list[float] = []
    while len(results) < 60:
        *_, done, _, infos = envs.step(envs.sample())
        if done.any():
            scores = envs.wished.sign * infos["final_info"]["scores"][done]
            results += (scores[:, 1] > scores[:, 0]).tolist()
    assert np.mean(results) > 0.6


def test_policies_are_asked_for_all_their_games_at_once_and_a_pool_seats_another_each_game() -> (
    None
):
    asked: list[tuple[str, int]] = []

    def lowest(observations: Any, masks: Any) -> Any:
        asked.append(("lowest", len(observations)))
        return masks.argmax(axis=1)

    def highest(observations: Any, masks: Any) -> Any:
        asked.append(("highest", len(observations)))
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    level: list[Any] = [lowest, Pool([highest, "uniform"], [0.7, 0.3])]
    envs = vector_env("six-nimmt", 30, 3, seat=0, level=level, rounds=1, jobs=1)
    envs.reset(seed=2)
    for _ in range(40):
        envs.step(envs.sample())
    assert ("lowest", 30) in asked
    sizes = {size for name, size in asked if name == "highest"}
    assert 10 < max(sizes) < 30
    wrong = vector_env("six-nimmt", 2, 2, seat=1, level=lambda seen, masks: [0, 0], jobs=1)
    with pytest.raises(bullpen.Problem, match="batch illegal"):
        wrong.reset(seed=1), wrong.step(wrong.sample())


def test_games_that_are_left_alone_keep_their_chance_and_their_opponents() -> None:
    """Though others are dealt anew, with seeds and out of pools."""
    pool = Pool([lambda seen, masks: masks.argmax(axis=1) for _ in range(100)])
    envs = vector_env("x-nimmt", 40, 2, seat=0, level=pool, rounds=1, jobs=1)
    envs.reset(seed=5)
    done = np.zeros(40, np.bool_)
    while not done.any():
        *_, done, _, _ = envs.step(envs.sample())
    assert not done.all()
    mask = ~done
    chance, sitting = envs._games.rngs.copy(), list(envs._python_opponents._drawn[1])
    envs.reset(seed=list(range(40)), options={"reset_mask": mask})
    assert (envs._games.rngs[done] == chance[done]).all()
    assert not (envs._games.rngs[mask] == chance[mask]).any()
    assert all(envs._python_opponents._drawn[1][at] is sitting[at] for at in np.flatnonzero(done))


def test_what_a_seat_got_since_its_last_decision_adds_up_to_its_points() -> None:
    envs = vector_env("x-nimmt", 20, 3, reward="change", rounds=1, jobs=1)
    _, infos = envs.reset(seed=3)
    every, got, ended = np.arange(20), np.zeros((20, 3)), 0
    while ended < 20:
        actors = infos["actor"]
        got[every, actors] += infos["since"][every, actors]
        *_, done, _, infos = envs.step(envs.sample())
        if done.any():
            last = infos["final_info"]
            assert (got + last["since"] == -last["scores"])[done].all()
            got[done], ended = 0, ended + int(done.sum())


# -- Ends, resets, wrappers -------------------------------------------------------------------------


def test_by_next_step_a_game_that_ended_is_shown_and_then_dealt_anew() -> None:
    envs = vector_env("x-nimmt", 20, 2, rounds=1, autoreset_mode="NextStep", jobs=1)
    form = envs.wished.layout
    envs.reset(seed=6)
    done = np.zeros(20, np.bool_)
    while not done.any():
        observations, rewards, done, _, infos = envs.step(envs.sample())
    assert (observations[done, form.at("actor")] == 3).all()  # nobody: it is over
    assert not infos["action_mask"][done].any()
    assert (infos["_scores"] == done).all()
    assert infos["scores"][done].any()
    actions = envs.sample()
    actions[done] = -5  # whatever is said there means nothing
    observations, rewards, again, _, infos = envs.step(actions)
    assert not again[done].any()
    assert not rewards[done].any()
    assert (observations[done, form.at("cards in hand 0")] == 8).all()
    assert infos["action_mask"][done].any(axis=1).all()


def test_without_autoreset_games_begin_anew_where_the_mask_says_so() -> None:
    envs = vector_env("x-nimmt", 20, 2, rounds=1, autoreset_mode=AutoresetMode.DISABLED, jobs=1)
    envs.reset(seed=6)
    done = np.zeros(20, np.bool_)
    while not done.any():
        observations, _, done, _, _ = envs.step(envs.sample())
    with pytest.raises(bullpen.Problem, match="env ended"):
        envs.step(envs.sample())
    fresh, infos = envs.reset(options={"reset_mask": done})
    assert (fresh[~done] == observations[~done]).all()
    assert (fresh[done] != observations[done]).any(axis=1).all()
    assert infos["action_mask"].any(axis=1).all()
    envs.step(envs.sample())
    for mask in (np.zeros(20, np.bool_), np.ones(3, np.bool_), "all"):
        with pytest.raises(bullpen.Problem, match="env reset mask"):
            envs.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_who_looks_at_no_mask_is_punished_and_comes_to_an_end(mode: AutoresetMode) -> None:
    envs = vector_env(
        "x-nimmt",
        3,
        2,
        illegal="stay",
        penalty=-2,
        max_episode_steps=4,
        autoreset_mode=mode,
        jobs=1,
    )
    first, _ = envs.reset(seed=1)
    for step in range(1, 5):
        actions = envs.sample()
        actions[1] = 203  # there is no row to take yet
        observations, rewards, done, truncated, infos = envs.step(actions)
        assert rewards.tolist() == [0, -2, 0]
        assert not done.any()
        assert truncated.tolist() == [step == 4] * 3
    if mode == AutoresetMode.SAME_STEP:
        assert (infos["final_obs"][1] == first[1]).all()
        assert not (observations[1] == first[1]).all()
    else:
        assert (observations[1] == first[1]).all()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_wrappers_of_gymnasium_work(mode: AutoresetMode) -> None:
    """Those that any vector can have; some of them refuse other modes than the next step themselves."""
    wrappers = gymnasium.wrappers.vector
    envs: Any = gymnasium.make_vec(
        "bullpen/XNimmt-v0", num_envs=4, players=2, rounds=1, level="uniform", autoreset_mode=mode
    )
    inner = envs.unwrapped
    envs = wrappers.RecordEpisodeStatistics(envs)
    if mode == AutoresetMode.NEXT_STEP:
        envs = wrappers.NormalizeObservation(envs)
    if mode != AutoresetMode.SAME_STEP:
        envs = wrappers.DtypeObservation(wrappers.FlattenObservation(envs), np.float64)
    envs = wrappers.ClipReward(wrappers.NormalizeReward(envs), -5, 5)
    envs = wrappers.DictInfoToList(envs)
    envs.reset(seed=1)
    ended = 0
    while ended < 6:
        observations, _, done, _, infos = envs.step(inner.sample())
        assert observations.dtype == (np.int16 if mode == AutoresetMode.SAME_STEP else np.float64)
        ended += int(done.sum())
        assert [("episode" in info) or ("final_info" in info) for info in infos] == done.tolist()
        if mode == AutoresetMode.DISABLED and done.any():
            envs.reset(options={"reset_mask": done})
