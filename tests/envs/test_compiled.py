"""Compiled observations are the plain ones, number by number."""

from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest

from bullpen import fast
from bullpen.envs.layouts import layout_of
from bullpen.envs.observing import Memory, observe
from bullpen.game import Game
from bullpen.games import GAMES
from tests.envs.test_observing import every_game, some_setups, tables_in_play
from tests.lockstep import deal_in_twin, imagine_all
from tests.walks import Setup, every_setup

MEMORIES: tuple[Memory, ...] = ("perfect", "shown")
LONGEST = 150  # decisions compared in one game


def compiled_observe(game: Game[Any]) -> Any:
    fast.twin(game.ID)
    return import_module(f"bullpen.games.{game.ID.replace('-', '_')}.twin").observe


def check_same(setup: Setup, table: Any, record: Any, viewer: int) -> None:
    game, write = setup.game, compiled_observe(setup.game)
    form = layout_of(game, setup.seats, setup.options)
    for memory in MEMORIES:
        out = np.full(form.length, -99, np.int16)  # every entry must be written
        write(record, viewer, memory == "perfect", out)
        wanted = observe(game, game.view(table, viewer), memory)
        differing = np.flatnonzero(out != wanted)
        assert not len(differing), (setup, viewer, memory, differing, out[differing])


CASES = [(game, seats) for game in GAMES.values() for seats in game.SEATS]


@pytest.mark.parametrize(("game", "seats"), CASES, ids=lambda of: str(getattr(of, "ID", of)))
def test_a_game_played_in_both_is_observed_alike_to_its_end(game: Game[Any], seats: int) -> None:
    twin, rng = fast.twin(game.ID), Random(f"{game.ID} {seats}")
    setups = list(every_setup(game, seats))
    for setup in rng.sample(setups, min(2, len(setups))):
        table = game.set_up(seats, setup.options, setup.deck)
        states, decisions = twin.to_record(table), 0
        while True:
            if cards := game.to_shuffle(table):
                rng.shuffle(cards)
                table, _ = game.deal(table, cards)
                deal_in_twin(twin, states, cards)
                continue
            if decisions < LONGEST or not game.waiting_for(table):
                check_same(setup, table, states[0], rng.randrange(seats))
            if not (waiting := game.waiting_for(table)):
                break
            action = rng.choice(game.legal(table, waiting[0]))
            table, _ = game.apply(table, waiting[0], action)
            twin.apply(states[0], action)
            decisions += 1


@every_game
def test_every_seat_observes_alike_in_any_order_of_secret_choices(game: Game[Any]) -> None:
    twin = fast.twin(game.ID)
    for setup in some_setups(game):
        for table in tables_in_play(setup, 11)[-8:]:
            record = twin.to_record(table)[0]
            for viewer in range(setup.seats):
                check_same(setup, table, record, viewer)


@every_game
def test_a_compiled_observation_does_not_depend_on_hidden_cards(game: Game[Any]) -> None:
    """The records are dealt anew where the viewer cannot see them."""
    twin, write = fast.twin(game.ID), compiled_observe(game)
    for setup in some_setups(game)[:4]:
        form = layout_of(game, setup.seats, setup.options)
        for seed, table in enumerate(tables_in_play(setup, 12)[:-1]):
            states = np.repeat(twin.to_record(table), 2)
            viewer = seed % setup.seats
            imagine_all(states[1:], viewer, seed)
            for perfect in (True, False):
                one, other = np.zeros((2, form.length), np.int16)
                write(states[0], viewer, perfect, one)
                write(states[1], viewer, perfect, other)
                assert (one == other).all()
