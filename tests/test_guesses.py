"""What the others are likely to choose: learnt in this very position, not only by habit."""

from __future__ import annotations

from collections import Counter
from math import log
from random import Random
from typing import Any

import numpy as np
import pytest

from bullpen import fast
from bullpen.bots import bot_called
from bullpen.bots.effort import Milliseconds, Playouts
from bullpen.bots.evaluation import Evaluator
from bullpen.games import GAMES
from bullpen.games.six_nimmt.rules import PLAY
from tests.tables import table

six_nimmt = GAMES["six-nimmt"]
DEAR_ROW = """
    row 1: 11 22 33 44 55
    row 2: 60
    row 3: 80
    row 4: 100
    hand 0: 4 20 70 90
    hand 1: 1 2 3 5
    hand 2: 6 7 8 9
    hand 3: 12 13 14 15
"""


def test_that_a_card_takes_a_dear_row_is_learnt_for_everybody() -> None:
    t = table(six_nimmt, DEAR_ROW)
    evaluator = Evaluator(six_nimmt, six_nimmt.view(t, 0), seed=1)
    assert evaluator.all_choose
    evaluator.guess(20_000)
    learnt = evaluator.guesses.learnt
    means = learnt[:, :, 0] / np.maximum(1, learnt[:, :, 1])
    for seat in range(4):
        assert means[seat, PLAY + 56] < means[seat, PLAY + 61] - 5


def test_nobody_is_imagined_with_the_cards_of_who_thinks() -> None:
    t = table(six_nimmt, DEAR_ROW)
    evaluator = Evaluator(six_nimmt, six_nimmt.view(t, 0), seed=1)
    evaluator.guess(20_000)
    tries = evaluator.guesses.learnt[:, :, 1]
    own, seen = [PLAY + card for card in (4, 20, 70, 90)], [PLAY + card for card in (11, 55, 60)]
    assert (tries[1:, own] == 0).all()
    assert (tries[0, own] > 0).all()  # the others do not know them
    assert (tries[:, seen] == 0).all()
    assert (tries[:, PLAY + 1] > 0).all()


def test_what_is_better_is_chosen_the_more_often_and_what_was_never_tried_by_habit() -> None:
    fast.twin("six-nimmt")
    from bullpen.fast import guesses

    t = table(six_nimmt, DEAR_ROW.replace("hand 0: 4 20 70 90", "hand 0: 61 101 102 103"))
    record = fast.twin("six-nimmt").to_record(t)
    found: Any = guesses.no_guesses(4, 128)
    words, rng = np.zeros(2, np.uint64), np.array([12345], np.uint64)

    def chosen(number: int) -> Counter[int]:
        return Counter(
            int(guesses.as_learnt(record[0], found, 0, 1, words, rng)) - PLAY for _ in range(number)
        )

    for card in (61, 101, 102, 103):
        found.learnt[0, PLAY + card] = (-20.0, 2.0)
    found.learnt[0, PLAY + 101] = (0.0, 1.0)
    found.learnt[0, PLAY + 102] = (-log(3) * guesses.WARMTH * 2, 2.0)
    often = chosen(2000)
    assert often[101] / 2000 == pytest.approx(0.75, abs=0.04)
    assert often[102] / 2000 == pytest.approx(0.25, abs=0.04)
    assert often[61] + often[103] == 0
    found.learnt[0, PLAY + 103] = 0.0
    assert min(chosen(2000)[card] for card in (61, 101, 102, 103)) > 400  # one look: anything


def test_a_row_is_chosen_without_guesses() -> None:
    t = table(
        six_nimmt,
        DEAR_ROW.replace("hand 0: 4", "laid 0: 4\n    hand 0:")
        + "laid 1: 16\nlaid 2: 17\nlaid 3: 18",
        phase=six_nimmt.rules.TAKING,
        actor=0,
    )
    view = six_nimmt.view(t, 0)
    assert not Evaluator(six_nimmt, view, 0).all_choose
    same = (
        bot_called(f"{kind}:playouts=300")(six_nimmt, view, Random(1))
        for kind in ("guessing", "montecarlo")
    )
    assert len(set(same)) == 1


def test_an_effort_can_be_shared() -> None:
    assert Playouts(300).share(2 / 3) == Playouts(200)
    assert Milliseconds(700).share(0.5) == Milliseconds(350)
