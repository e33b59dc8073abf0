"""Observations by rows: what a network is told, in every game, alone and in vectors."""

from typing import Any

import numpy as np
import pytest

from bullpen.envs import rows
from bullpen.envs.compiled import rows as compiled_rows
from bullpen.envs.layouts import layout, layout_of
from bullpen.envs.observing import observe
from bullpen.envs.petting import aec_env
from bullpen.envs.rows import OF_CARD, rows_length, rows_of, terms_of
from bullpen.envs.vector import vector_env
from bullpen.game import Game
from bullpen.games import GAMES
from tests.envs.test_observing import every_game, some_setups, tables_in_play
from tests.games import six_nimmt
from tests.tables import table


@every_game
def test_compiled_rows_are_the_plain_ones(game: Game[Any]) -> None:
    for setup in some_setups(game)[:3]:
        form = layout_of(game, setup.seats, setup.options)
        tables = tables_in_play(setup, 3)[-6:]
        seen = np.stack([observe(game, game.view(now, 1)) for now in tables])
        plain = np.zeros((len(seen), rows_length(form)), np.float32)
        in_plain_code: Any = rows.write_all
        in_plain_code(seen, form.cards, terms_of(form, setup.deck), plain)
        compiled = np.zeros_like(plain)
        compiled_rows.write_all(seen, form.cards, terms_of(form, setup.deck), compiled)
        assert np.array_equal(plain, compiled)
        assert np.isfinite(plain).all()
        assert np.array_equal(rows_of(form, setup.deck, seen), plain)
        by_card = plain[:, : form.cards * len(OF_CARD)].reshape(len(seen), form.cards, -1)
        assert by_card[:, :, OF_CARD.index("meets")].any()


def test_every_card_tells_the_row_that_it_meets() -> None:
    now = table(
        six_nimmt,
        """
        row 1: 10 20
        row 2: 33
        row 3: 50 51 52 53 54
        row 4: 90
        hand 0: 5 24 57
        hand 1: 6 7 99
        """,
        seats=2,
    )
    form = layout("six-nimmt", 2)
    seen = rows_of(form, now.deck, observe(six_nimmt, six_nimmt.view(now, 0)))
    by_card = seen[: form.cards * len(OF_CARD)].reshape(form.cards, len(OF_CARD))

    def told(card: int) -> dict[str, float]:
        return dict(zip(OF_CARD, by_card[card - 1].tolist(), strict=True))

    heads = {row: sum(now.deck.heads[card] for card in now.lying[row]) for row in (1, 2, 3, 4)}
    assert told(24)["own"] == told(24)["meets"] == 1
    assert told(24)["gap"] == pytest.approx(4 / 104)
    assert told(24)["between"] == pytest.approx(3 / 104)
    assert told(24)["length"] == pytest.approx(0.2)
    assert told(24)["cost"] == 0
    assert told(57)["cost"] == pytest.approx(heads[3] / 10)  # the sixth card
    assert told(5)["meets"] == 0
    assert told(5)["cost"] == pytest.approx(min(heads.values()) / 10)  # too low: the cheapest row
    assert told(99)["unseen"] == 1
    assert told(54)["end"] == 1
    ends = seen[form.cards * len(OF_CARD) :][:12].reshape(4, 3)
    assert (ends[:, 0] * 104).round().tolist() == [20, 33, 54, 90]
    assert (ends[:, 1] * 10).round().tolist() == [2, 1, 5, 1]


@pytest.mark.parametrize("form", ["rows", "planes"])
def test_a_vector_shows_the_form_that_a_single_game_shows(form: Any) -> None:
    alone = aec_env("six-nimmt", 2, form=form, rounds=1)
    many = vector_env("six-nimmt", 3, 2, form=form, rounds=1, jobs=1)
    alone.reset(seed=4)
    observations, infos = many.reset(seed=4)
    assert many.observation_space.contains(observations)
    assert np.array_equal(observations[0], alone.last()[0]["observation"])
    done = np.zeros(3, np.bool_)
    while not done.any():
        _, _, done, _, infos = many.step(many.sample())
    last = infos["final_obs"][int(np.flatnonzero(done)[0])]
    assert last.shape == many.single_observation_space.shape


def test_every_game_has_such_a_form() -> None:
    for game in GAMES:
        env = aec_env(game, 3, form="rows")
        env.reset(seed=1)
        seen = env.last()[0]["observation"]
        assert env.observation_space("seat_0")["observation"].contains(seen)
