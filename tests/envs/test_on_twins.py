"""Single games on compiled twins: step by step what they are on the plain rules, for the same seed."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest

from bullpen.cards import Problem
from bullpen.envs.gym import OneSeat
from bullpen.envs.observing import Memory, observe
from bullpen.envs.petting import aec_env, parallel_env
from bullpen.envs.playing import Play
from bullpen.envs.spiel import spiel_name
from bullpen.envs.spiel.positions import Position
from bullpen.envs.spiel.settings import setting_from
from bullpen.envs.spiel.twin_positions import TwinPosition
from bullpen.envs.twin_play import TwinPlay
from bullpen.game import Game, IllegalMove
from bullpen.games import GAMES
from tests.seventh import GAME, surroundings
from tests.walks import every_setup

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.ID)
LONGEST = 120  # decisions compared in one game


def both(make: Any, *words: Any, **wishes: Any) -> tuple[Any, Any]:
    return make(*words, engine="compiled", **wishes), make(*words, engine="plain", **wishes)


def assert_shown_alike(one: dict[str, Any], other: dict[str, Any]) -> None:
    for part in ("observation", "action_mask"):
        assert one[part].dtype == other[part].dtype
        assert np.array_equal(one[part], other[part])


@every_game
@pytest.mark.parametrize("reward", ["final", "change"])
def test_seats_in_turn_play_alike_on_both(game: Game[Any], reward: Any) -> None:
    rng = Random(f"{game.ID} {reward}")
    for players in (game.SEATS[0], game.SEATS[-1]):
        setup = rng.choice(list(every_setup(game, players)))
        wishes: dict[str, Any] = {"options": setup.options, "reward": reward}
        wishes |= {"memory": rng.choice(["perfect", "shown"])}
        wishes |= {"relative": rng.choice(["none", "mean", "best"])}
        compiled, plain = both(aec_env, game.ID, players, **wishes)
        compiled.reset(seed=4)
        plain.reset(seed=4)
        assert (type(compiled.play), type(plain.play)) == (TwinPlay, Play)
        for decisions, agent in enumerate(plain.agent_iter(), start=1):
            assert compiled.agent_selection == agent
            looks_at = rng.choice(plain.agents)  # any seat, whether it decides or not
            assert_shown_alike(compiled.observe(looks_at), plain.observe(looks_at))
            one, other = compiled.last(), plain.last()
            assert_shown_alike(one[0], other[0])
            assert one[1:] == other[1:]
            assert compiled.rewards == plain.rewards
            if decisions % 17 == 0:
                assert compiled.play.waiting_for == plain.play.waiting_for
                assert compiled.play.table == plain.play.table
                assert np.array_equal(compiled.state(), plain.state())
            over = other[2]
            action = None if over else int(rng.choice(np.flatnonzero(other[0]["action_mask"])))
            compiled.step(action)
            plain.step(action)
            if decisions == LONGEST and reward == "change":
                break
        assert compiled.play.scores == plain.play.scores
        assert compiled.play.winners == plain.play.winners


@every_game
def test_seats_at_once_play_alike_on_both(game: Game[Any]) -> None:
    compiled, plain = both(parallel_env, game.ID, 4, reward="change")
    one, other, rng = compiled.reset(seed=6)[0], plain.reset(seed=6)[0], Random(6)
    for _ in range(60):
        if not plain.agents:
            break
        actions = {
            agent: int(rng.choice(np.flatnonzero(seen["action_mask"])))
            for agent, seen in other.items()
        }
        (one, *rest), (other, *wanted) = compiled.step(actions), plain.step(actions)
        assert rest == wanted
        for agent, seen in other.items():
            assert_shown_alike(one[agent], seen)


@every_game
@pytest.mark.parametrize("level", ["uniform", "careful"])
def test_one_seat_meets_the_same_bots_on_both(game: Game[Any], level: str) -> None:
    """The last seat: in a secret choice it chooses before the others do."""
    compiled, plain = both(OneSeat, game.ID, 3, seat=2, level=level, form="rows")
    (one, info), (other, wanted), rng = compiled.reset(seed=8), plain.reset(seed=8), Random(8)
    for _ in range(LONGEST // 4):
        assert np.array_equal(one, other)
        mask = wanted.pop("action_mask")
        assert np.array_equal(info.pop("action_mask"), mask)
        assert info == wanted
        action = int(rng.choice(np.flatnonzero(mask)))
        one, *rest, info = compiled.step(action)
        other, *expected, wanted = plain.step(action)
        assert rest == expected
        if expected[1]:
            break


@every_game
def test_shuffles_that_were_asked_for_are_dealt_on_both(game: Game[Any]) -> None:
    compiled, plain = both(aec_env, game.ID, 3)
    plain.reset(seed=1)
    cards = game.to_shuffle(plain.wished.fresh_table)
    wish = {"shuffle": Random(2).sample(cards, len(cards))}
    for env in (compiled, plain):
        env.reset(seed=3, options=wish)
    assert compiled.play.table == plain.play.table
    with pytest.raises(Problem):
        compiled.reset(options={"shuffle": cards[1:]})


def test_an_illegal_action_is_refused_alike_and_changes_nothing() -> None:
    compiled, plain = both(aec_env, "x-nimmt", 2)
    said = []
    for env in (compiled, plain):
        env.reset(seed=1)
        before = env.observe("seat_0")
        with pytest.raises(IllegalMove) as refused:
            env.step(201)
        said.append(str(refused.value))
        assert_shown_alike(env.observe("seat_0"), before)
        with pytest.raises(IllegalMove):  # another seat's turn has not come
            env.play.act(1, 201)
        env.step(int(np.flatnonzero(before["action_mask"])[0]))
        with pytest.raises(IllegalMove):  # it has chosen
            env.play.act(0, int(np.flatnonzero(before["action_mask"])[1]))
    assert said[0] == said[1]


def test_a_copied_game_goes_its_own_way() -> None:
    env = aec_env("six-nimmt", 2)
    env.reset(seed=1)
    other = copy.deepcopy(env)
    action = int(np.flatnonzero(env.observe("seat_0")["action_mask"])[0])
    env.step(action)
    assert other.agent_selection == "seat_0"
    assert other.play.table != env.play.table
    other.step(action)
    assert other.play.table == env.play.table


def test_the_engine_can_be_wished_for_and_a_wrong_one_is_refused() -> None:
    assert aec_env("six-nimmt").wished.engine == "compiled"
    with pytest.raises(Problem, match="env choice"):
        aec_env("six-nimmt", engine="steam")


def test_a_game_without_a_twin_steps_on_the_plain_rules() -> None:
    program = f"""
from bullpen.envs.petting import aec_env
from bullpen.envs.playing import Play
env = aec_env({GAME!r}, 3)
env.reset(seed=1)
assert env.wished.engine == "plain" and type(env.play) is Play
for agent in env.agent_iter():
    seen, _, over, _, _ = env.last()
    env.step(None if over else int(seen["action_mask"].argmax()))
print(env.play.is_over)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **surroundings()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "True\n", ran.stderr


# -- OpenSpiel --------------------------------------------------------------------------------------


def start(game: str, words: dict[str, Any]) -> tuple[Position, TwinPosition]:
    """Each with its own chance of the same seed."""
    found = []
    for _ in range(2):
        setting = setting_from(game, words)
        table = setting.rules.set_up(setting.seats, setting.options, setting.deck)
        found.append(Position(setting, table))
    return found[0], TwinPosition.of(found[1])


@every_game
@pytest.mark.parametrize("chance", ["explicit", "sampled"])
@pytest.mark.parametrize("dynamics", ["sequential", "simultaneous"])
def test_positions_of_open_spiel_follow_each_other(
    game: Game[Any], chance: str, dynamics: str
) -> None:
    players = 3
    words = {"players": players, "chance": chance, "dynamics": dynamics, "seed": 5}
    plain, compiled = start(game.ID, words)
    rng = Random(f"{game.ID} {chance} {dynamics}")
    for step in range(LONGEST):
        assert compiled.player == plain.player
        assert compiled.returns() == plain.returns()
        if plain.player == -4:
            break
        if plain.player == -1:
            outcomes = plain.chance_outcomes()
            assert compiled.chance_outcomes() == outcomes
            action = rng.choice(outcomes)[0]
            plain, compiled = plain.after(action), compiled.after(action)
            continue
        for seat in range(players):
            assert compiled.legal_for(seat) == plain.legal_for(seat)
        if step % 7 == 0:  # not always: what is told late must be told in order
            seat = rng.randrange(players)
            assert compiled.known_to(seat) == plain.known_to(seat)
            assert str(compiled) == str(plain)
            assert compiled.plays == plain.plays
            assert compiled.shuffles == plain.shuffles
        if plain.player == -2:
            actions = [rng.choice(plain.legal_for(seat) or [0]) for seat in range(players)]
            plain, compiled = plain.after_all(actions), compiled.after_all(actions)
        else:
            action = rng.choice(plain.legal)
            plain, compiled = plain.after(action), compiled.after(action)
    assert compiled.table == plain.table


@every_game
@pytest.mark.parametrize("chance", ["explicit", "sampled"])
def test_positions_that_part_do_not_touch_each_other(game: Game[Any], chance: str) -> None:
    """Whatever was played on from a position, it is played on from as before: also in the middle of a deal."""
    _, position = start(game.ID, {"players": 3, "chance": chance, "seed": 7})
    rng, plain = Random(f"{game.ID} {chance}"), position.plain
    for _ in range(LONGEST):
        if plain.player == -4:
            break
        actions = plain.legal if plain.player >= 0 else [one for one, _ in plain.chance_outcomes()]
        taken = rng.sample(actions, min(3, len(actions)))
        others = [position.after(action) for action in taken]
        for action, other in zip(taken, others, strict=True):
            if plain.player >= 0 or chance == "explicit":
                assert other.plain == plain.after(action)
            assert other.player == other.plain.player
            if other.player == -1:
                assert other.chance_outcomes() == other.plain.chance_outcomes()
            elif other.player >= 0:
                assert other.legal == other.plain.legal
        position = others[0]
        plain = position.plain


def test_an_action_that_no_game_has_is_refused_in_open_spiel() -> None:
    plain, compiled = start("x-nimmt", {"chance": "sampled", "seed": 1})
    plain, compiled = plain.after(0), compiled.after(0)
    for action in (-1, 201, 10**9):
        said = []
        for position in (plain, compiled):
            with pytest.raises(IllegalMove) as refused:
                position.after(action)
            said.append(str(refused.value))
        assert said[0] == said[1]
    assert compiled.legal == plain.legal


def test_threads_that_play_one_loaded_game_do_not_touch_each_other() -> None:
    """Each plays by the legal actions that it is told; the plain rules refuse what is not legal."""
    game = pyspiel.load_game("bullpen_six_nimmt(players=4,rounds=2)")

    def played(seed: int) -> Any:
        state, rng = game.new_initial_state(), Random(seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        return state

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            states = list(pool.map(played, range(16)))
    finally:
        sys.setswitchinterval(interval)
    for seed, state in enumerate(states):
        assert state.returns() == state.position.plain.returns()
        assert state.history() == played(seed).history()


@every_game
def test_tensors_of_open_spiel_are_made_of_the_view(game: Game[Any]) -> None:
    loaded = pyspiel.load_game(f"{spiel_name(game.ID)}(players=3,chance=sampled,seed=9)")
    state, rng = loaded.new_initial_state(), Random(9)
    while state.is_chance_node():
        state.apply_action(0)
    for _ in range(20):
        assert isinstance(state.position, TwinPosition)
        told: list[tuple[Memory, Any]] = [
            ("shown", state.observation_tensor(1)),
            ("perfect", state.information_state_tensor(1)),
        ]
        for memory, tensor in told:
            form = loaded.make_py_observer().layout
            seen = form.planes(observe(game, state.position.plain.view(1), memory))
            assert np.array_equal(np.array(tensor[: len(seen)], np.float32), seen)
        state.apply_action(rng.choice(state.legal_actions()))
        while state.is_chance_node():
            state.apply_action(0)
        if state.is_terminal():
            break
