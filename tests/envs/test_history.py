"""Who played what and when: true, the same alone and in vectors, plain and compiled, and nothing hidden in it."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest

from bullpen.cards import Problem
from bullpen.envs.chance import Chance
from bullpen.envs.gym import OneSeat
from bullpen.envs.history import lays_by_action
from bullpen.envs.petting import SeatsInTurn, aec_env, parallel_env
from bullpen.envs.spiel import spiel_name
from bullpen.envs.vector import vector_env
from bullpen.game import Game
from bullpen.games import GAMES
from tests.walks import every_setup

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.ID)
SECRET = ["x-nimmt", "baron-oxx", "bullenparty", "six-nimmt"]
LONGEST = 150  # decisions compared in one game


def with_history(game: str, players: int = 3, **wishes: Any) -> SeatsInTurn:
    env = aec_env(game, players, history="plays", **wishes)
    env.reset(seed=3)
    return env


def told(env: SeatsInTurn, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """By card, from 1 on: by whom, and when."""
    cards = env.wished.layout.cards
    seen = env.observe(f"seat_{seat}")["observation"][env.wished.layout.length :]
    return seen[:cards], seen[cards:]


def act(env: SeatsInTurn, rng: Random) -> int:
    mask = env.observe(env.agent_selection)["action_mask"]
    action = int(rng.choice(np.flatnonzero(mask)))
    env.step(action)
    return action


# -- What it tells ----------------------------------------------------------------------------------


def test_it_tells_who_laid_which_card_as_which_play_counted_from_oneself() -> None:
    env = with_history("six-nimmt", rounds=2)
    laid = [int(np.flatnonzero(env.observe(agent)["action_mask"])[-1]) for agent in env.agents]
    for seat, card in enumerate(laid):
        env.step(card)
        if seat < 2:
            assert not told(env, seat)[0].any()  # not even to oneself, before all have seen it
    for viewer in range(3):
        by_whom, when = told(env, viewer)
        assert np.count_nonzero(by_whom) == np.count_nonzero(when) == 3
        assert [by_whom[card - 1] for card in laid] == [
            (seat - viewer) % 3 + 1 for seat in range(3)
        ]
        assert [when[card - 1] for card in laid] == [1, 2, 3]


def test_a_new_round_begins_with_nothing_and_the_last_one_is_still_told_at_the_end() -> None:
    env, rng, counts = with_history("six-nimmt", 2, rounds=2), Random(1), []
    while not env.play.is_over:
        act(env, rng)
        counts.append(int(np.count_nonzero(told(env, 0)[0])))
    begun_anew = [later for earlier, later in pairwise(counts) if later < earlier]
    assert begun_anew == [0]
    assert counts[-1] == 20  # two hands of ten


@every_game
def test_compiled_code_knows_the_card_of_every_move_that_lays_one(game: Game[Any]) -> None:
    lays, cards = lays_by_action(game), len(game.CARDS)
    assert lays.min() == 0
    assert 0 < lays.max() <= cards
    for action, spelled in game.NOTATION.items():
        assert lays[action] == 0 or str(lays[action]) in spelled.split()


# -- Alike everywhere -------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("form", ["places", "planes", "rows"])
def test_it_is_the_same_on_twins_and_on_the_plain_rules(game: Game[Any], form: Any) -> None:
    rng = Random(f"{game.ID} {form}")
    players = rng.choice(game.SEATS)
    setup = rng.choice(list(every_setup(game, players)))
    wishes: dict[str, Any] = {"options": setup.options, "form": form}
    compiled = with_history(game.ID, players, **wishes)
    plain = with_history(game.ID, players, engine="plain", **wishes)
    space = plain.observation_space("seat_0")["observation"]
    for _ in range(LONGEST if form == "places" else LONGEST // 5):
        looks_at = f"seat_{rng.randrange(players)}"
        one, other = (env.observe(looks_at)["observation"] for env in (compiled, plain))
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
        assert space.contains(one)
        if plain.play.is_over:
            break
        compiled.step(act(plain, rng))
    assert np.array_equal(compiled.state(), plain.state())
    assert compiled.state_space.contains(compiled.state())


@every_game
def test_seats_that_choose_in_another_order_are_told_the_same(game: Game[Any]) -> None:
    """Seat 2 plays alone against bots; the others choose after it has chosen."""
    compiled, plain = (
        OneSeat(game.ID, 3, seat=2, level="uniform", history="plays", engine=engine)
        for engine in ("compiled", "plain")
    )
    (one, info), (other, _), rng = compiled.reset(seed=8), plain.reset(seed=8), Random(8)
    for _ in range(LONGEST // 5):
        assert np.array_equal(one, other)
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        one, _, over, _, info = compiled.step(action)
        other = plain.step(action)[0]
        if over:
            break
    assert np.array_equal(one, other)


@every_game
def test_a_vector_tells_what_a_single_game_tells_and_begins_anew_with_nothing(
    game: Game[Any],
) -> None:
    players, rng = game.SEATS[0], Random(4)
    many = vector_env(game.ID, 3, players, history="plays", jobs=1)
    alone = with_history(game.ID, players)
    alone.reset(seed=4)
    seen, infos = many.reset(seed=4)
    assert many.observation_space.contains(seen)
    while True:
        actor = f"seat_{infos['actor'][0]}"
        assert np.array_equal(seen[0], alone.observe(actor)["observation"])
        actions = many.sample()
        actions[0] = int(rng.choice(np.flatnonzero(infos["action_mask"][0])))
        seen, _, over, _, infos = many.step(actions)
        alone.step(int(actions[0]))
        if over[0]:
            break
    last = infos["final_obs"][0]
    assert np.array_equal(last, alone.observe(actor)["observation"])
    assert last[many.wished.layout.length :].any()
    assert not seen[0][many.wished.layout.length :].any()


@every_game
def test_planes_with_it_are_the_information_state_of_open_spiel(game: Game[Any]) -> None:
    loaded = pyspiel.load_game(f"{spiel_name(game.ID)}(players=3,chance=sampled,seed=3)")
    env, state, rng = with_history(game.ID, form="planes"), loaded.new_initial_state(), Random(3)
    for _ in range(40):
        while state.is_chance_node():
            state.apply_action(0)
        if env.play.is_over:
            break
        tensor = np.array(state.information_state_tensor(1), np.float32)
        assert np.array_equal(env.observe("seat_1")["observation"], tensor)
        state.apply_action(act(env, rng))


# -- Nothing hidden ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SECRET)
def test_pairs_of_games_that_differ_in_secret_choices_are_told_alike_until_all_have_chosen(
    name: str,
) -> None:
    env, rng, compared, differed = with_history(name, 4), Random(name), 0, 0
    while compared < 12 and not env.play.is_over:
        waiting = env.play.waiting_for
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        if len(waiting) < 3 or len(legal) < 2:
            act(env, rng)
            continue
        pair = [copy.deepcopy(env) for _ in range(2)]
        for one, action in zip(pair, rng.sample(legal.tolist(), 2), strict=True):
            one.step(action)
        for other in waiting[1:]:
            first, second = (one.observe(f"seat_{other}")["observation"] for one in pair)
            assert np.array_equal(first, second)
            compared += 1
        while (seat := pair[0].play.waiting_for[0]) in waiting[1:]:
            action = int(np.flatnonzero(pair[0].observe(f"seat_{seat}")["action_mask"])[0])
            for one in pair:
                one.step(action)
            if seat == waiting[-1]:
                break
        first, second = (np.concatenate(told(one, waiting[1])) for one in pair)
        differed += not np.array_equal(first, second)
        act(env, rng)
    assert compared >= 12
    assert differed


@pytest.mark.parametrize("name", ["six-nimmt", "x-nimmt"])
@pytest.mark.parametrize("engine", ["compiled", "plain"])
def test_pairs_of_games_with_other_cards_in_others_hands_are_told_alike(
    name: str, engine: Any
) -> None:
    """The same plays, and another deal of all that seat 0 has not seen by then."""
    rng, rules = Random(name), GAMES[name]
    for plays in (2, 5, 8):
        env = with_history(name, engine=engine)
        actions = [act(env, rng) for _ in range(plays)]
        view = rules.view(env.play.table, 0)
        known = {card for cards in view.remembered for card in cards}
        known |= {
            action for action in actions if action in rules.CARDS
        }  # what was chosen in secret
        first = with_history(name, engine=engine)
        dealt = deal_of(first)
        unseen = [card for card in dealt if card not in known]
        others = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
        second = aec_env(name, 3, history="plays", engine=engine)
        second.reset(seed=3, options={"shuffle": [others.get(card, card) for card in dealt]})
        assert second.play.table != first.play.table
        for action in [*actions, None]:
            for part in ("observation", "action_mask"):
                assert np.array_equal(first.observe("seat_0")[part], second.observe("seat_0")[part])
            if action is not None:
                first.step(action)
                second.step(action)


def deal_of(env: SeatsInTurn) -> list[int]:
    """The shuffle by which this game was dealt: the one of the same seed."""
    return Chance(3).shuffled(env.wished.rules, env.wished.fresh_table)


# -- As a wish --------------------------------------------------------------------------------------


def test_any_other_wish_is_refused() -> None:
    with pytest.raises(Problem, match="env choice"):
        aec_env("six-nimmt", history="all")


def test_without_the_wish_nothing_is_added() -> None:
    env = aec_env("six-nimmt", 2)
    env.reset(seed=1)
    assert env.observe("seat_0")["observation"].shape == (env.wished.layout.length,)


def test_copies_and_games_dealt_as_asked_keep_it_apart() -> None:
    env, rng = with_history("six-nimmt", 2), Random(5)
    for _ in range(4):
        act(env, rng)
    other: SeatsInTurn = pickle.loads(pickle.dumps(env))
    assert np.array_equal(other.state(), env.state())
    act(env, rng)
    act(env, rng)
    assert np.count_nonzero(told(other, 0)[0]) == 4
    assert np.count_nonzero(told(env, 0)[0]) == 6

    many = vector_env("six-nimmt", 2, 2, history="plays", jobs=1)
    many.reset(seed=1)
    for _ in range(4):
        seen, *_ = many.step(many.sample())
    length = many.wished.layout.length
    assert seen[:, length:].any(axis=1).all()
    cards = many.wished.rules.to_shuffle(many.wished.fresh_table)
    only_one = {"reset_mask": np.array([True, False]), "shuffle": cards}
    seen, _ = many.reset(options=only_one)
    assert seen[:, length:].any(axis=1).tolist() == [False, True]


def test_seats_at_once_are_told_it_too() -> None:
    env = parallel_env("six-nimmt", 2, history="plays")
    seen, _ = env.reset(seed=1)
    seen, *_ = env.step({agent: int(of["action_mask"].argmax()) for agent, of in seen.items()})
    for of in seen.values():
        assert np.count_nonzero(of["observation"][env.wished.layout.length :]) == 4
