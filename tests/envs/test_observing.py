"""Observations: what stands where, that it is true, and that nothing hidden is in it."""

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import bullpen
from bullpen import match
from bullpen.cards import UNSEEN
from bullpen.envs.layouts import MOST, ROUNDS_PLAYED, extra, kind_of, layout, layout_of, links_of
from bullpen.envs.observing import Memory, action_mask, observe
from bullpen.game import Game
from bullpen.games import GAMES
from tests.games import eleven_nimmt, x_nimmt
from tests.tables import table
from tests.walks import Setup, every_setup, set_up, walk

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
each_memory = pytest.mark.parametrize("memory", ["perfect", "shown"])


def some_setups(game: Game[Any]) -> list[Setup]:
    """Every number of seats; among them every value of every option."""
    rng = Random(game.ID)
    return [rng.choice(list(every_setup(game, seats))) for seats in game.SEATS] + [
        rng.choice(list(every_setup(game, game.SEATS[0]))) for _ in range(3)
    ]


def tables_in_play(setup: Setup, seed: int) -> list[Any]:
    """Tables of a random game where somebody decides, or the end; not all of a long game."""
    game, rng = setup.game, Random(seed)
    seen = [step.after for step in walk(setup, seed) if not game.to_shuffle(step.after)]
    return [*rng.sample(seen[:-1], min(25, len(seen) - 1)), seen[-1]]


# -- The layout -----------------------------------------------------------------------------------


@every_game
@each_memory
def test_every_observation_has_the_length_of_its_layout_and_keeps_within_its_bounds(
    game: Game[Any], memory: Memory
) -> None:
    for setup in some_setups(game):
        form = layout_of(game, setup.seats, setup.options)
        for now in tables_in_play(setup, 1):
            seen = observe(game, game.view(now, setup.seats - 1), memory)
            assert seen.shape == (form.length,)
            assert seen.dtype == np.int16
            assert (form.low <= seen).all()
            assert (seen <= form.high).all()


@every_game
def test_the_names_in_a_layout_are_different(game: Game[Any]) -> None:
    for seats in game.SEATS:
        form = layout(game.ID, seats)
        assert len(set(form.places)) == len(form.places)
        assert len(set(form.numbers)) == len(form.numbers)
        assert form.length == form.first_number + len(form.numbers)
        assert form.actions == max(game.NOTATION) + 1


def test_a_layout_is_refused_for_what_a_game_does_not_have() -> None:
    with pytest.raises(bullpen.Problem, match="bad seats"):
        layout("x-nimmt", 9)
    with pytest.raises(bullpen.Problem, match="unknown option"):
        layout("x-nimmt", 4, {"colour": "blue"})
    with pytest.raises(bullpen.Problem, match="unknown game"):
        layout("chess", 2)


# -- What it tells --------------------------------------------------------------------------------


@every_game
@each_memory
def test_a_card_has_a_code_exactly_where_it_is_known(game: Game[Any], memory: Memory) -> None:
    for setup in some_setups(game):
        for now in tables_in_play(setup, 2):
            view = game.view(now, 1)
            lying = view.remembered if memory == "perfect" else view.table.lying
            known = {card for cards in lying for card in cards} - {UNSEEN}
            form = layout_of(game, setup.seats, setup.options)
            told = {int(at) + 1 for at in np.flatnonzero(observe(game, view, memory)[: form.cards])}
            assert told == known


def test_an_observation_of_x_nimmt_tells_what_lies_on_the_table() -> None:
    now = table(
        x_nimmt,
        """
        row 1: 10 20
        row 2: 33
        row 3: 40 41 42
        hand 0: 5 77
        hand 1: 6 99
        hand 2: 7 8 9
        x row 1: 50 60
        x pile 2: 70
        """,
        seats=3,
    )
    game, form = x_nimmt, layout("x-nimmt", 3)
    seen = observe(game, game.view(now, 1))

    def place(card: int) -> str:
        return str(form.places[seen[card - 1]])

    assert [place(card) for card in (20, 33, 41)] == ["row 1", "row 2", "row 3"]
    assert place(99) == "hand 0"  # one's own
    assert place(60) == "x row 0"
    assert place(70) == "x pile 1"  # of the next seat clockwise
    assert place(5) == "unknown"
    assert place(100) == "unknown"
    assert [seen[form.at(f"cards in hand {far}")] for far in range(3)] == [2, 3, 2]
    assert seen[form.at("actor")] == 3  # a secret choice
    only_shown = observe(game, game.view(now, 1), "shown")
    assert form.places[only_shown[69]] == "unknown"  # the X pile lies face down
    assert only_shown[form.at("cards in x pile 1")] == 1


def test_an_observation_of_11_nimmt_names_a_stack_by_its_top() -> None:
    now = table(
        eleven_nimmt,
        """
        stack 1: 10 15
        stack 2: 44
        hand 0: 1 2
        hand 1: 3
        """,
        seats=2,
    )
    game, form = eleven_nimmt, layout("eleven-nimmt", 2)
    seen = observe(game, game.view(now, 0))
    assert form.places[seen[9]] == "under a top"
    assert form.places[seen[14]] == "top of a stack"
    assert (seen[form.cards + 9], seen[form.cards + 14], seen[form.cards + 43]) == (15, 15, 44)
    only_shown = observe(game, game.view(now, 0), "shown")
    assert form.places[only_shown[9]] == "unknown"  # not even how much lies under a top is seen
    assert only_shown[form.cards + 9] == 0


@every_game
def test_points_are_told_from_ones_own_on_and_as_far_as_they_fit(game: Game[Any]) -> None:
    setup = set_up(game, game.SEATS[0])
    end = tables_in_play(setup, 3)[-1]
    form, scores = layout(game.ID, setup.seats), game.scores(end)
    seen = observe(game, game.view(end, 1))
    assert [seen[form.at(f"points {far}")] for far in range(2)] == [scores[1], scores[0]]
    if getattr(end, "points", ()):
        end.points = ((100_000, -100_000),)
        seen = observe(game, game.view(end, 0))
        assert [seen[form.at(f"points {far}")] for far in range(2)] == [MOST, -MOST]


@every_game
def test_a_mask_says_what_the_rules_allow(game: Game[Any]) -> None:
    for setup in some_setups(game):
        for now in tables_in_play(setup, 4):
            for seat in range(setup.seats):
                allowed = game.legal(now, seat)
                mask = action_mask(game, allowed)
                assert mask.shape == (layout(game.ID, setup.seats).actions,)
                assert np.flatnonzero(mask).tolist() == sorted(allowed)


@every_game
def test_planes_tell_the_same_as_codes(game: Game[Any]) -> None:
    setup = set_up(game, 3)
    form = layout(game.ID, 3)
    seen = np.stack([observe(game, game.view(now, 0)) for now in tables_in_play(setup, 5)])
    planes = form.planes(seen)
    assert planes.shape == (len(seen), form.planes_length)
    shown = planes[:, : form.cards * (len(form.places) - 1)]
    by_card = shown.reshape(len(seen), form.cards, len(form.places) - 1)
    codes = np.where(by_card.any(axis=2), by_card.argmax(axis=2) + 1, 0)
    assert (codes == seen[:, : form.cards]).all()
    assert (by_card.sum(axis=2) <= 1).all()


# -- What it does not tell ------------------------------------------------------------------------


@every_game
@each_memory
def test_an_observation_does_not_depend_on_hidden_cards(game: Game[Any], memory: Memory) -> None:
    """Any other table that gives the same view is observed alike."""
    rng = Random(6)
    for setup in some_setups(game):
        for now in tables_in_play(setup, 6):
            for seat in range(setup.seats):
                view = game.view(now, seat)
                other = game.imagine(view, rng)
                there = observe(game, game.view(other, seat), memory)
                assert (observe(game, view, memory) == there).all()


@pytest.mark.parametrize("name", ["x-nimmt", "baron-oxx", "bullenparty", "six-nimmt"])
@each_memory
def test_a_secret_choice_of_another_seat_leaves_no_trace(name: str, memory: Memory) -> None:
    """Not even that it was made: so seats that choose in turn observe what seats at once do."""
    compared = 0
    play = match.new(name, 4, seed=8)
    rng = Random(8)
    while compared < 60 and not play.is_over:
        waiting = play.waiting_for
        seat = rng.choice(waiting)
        watching = [other for other in waiting if other != seat]
        before = [observe(play.game, play.view(other), memory) for other in watching]
        play.act(seat, rng.choice(play.game.legal(play.table, seat)))
        if watching and play.waiting_for == watching:
            after = [observe(play.game, play.view(other), memory) for other in watching]
            assert all((one == two).all() for one, two in zip(before, after, strict=True))
            compared += len(watching)
    assert compared >= 60


@every_game
def test_only_what_is_shown_is_never_more_than_what_is_remembered(game: Game[Any]) -> None:
    setup = set_up(game, 3)
    form = layout(game.ID, 3)
    less = 0
    for now in islice(tables_in_play(setup, 9), 20):
        view = game.view(now, 2)
        remembered, shown = observe(game, view, "perfect"), observe(game, view, "shown")
        open_now = np.flatnonzero(shown[: form.cards])
        less += int(np.count_nonzero(remembered[: form.cards])) - len(open_now)
        assert (shown[open_now] == remembered[open_now]).all()
    assert less > 0


# -- The page -------------------------------------------------------------------------------------


@every_game
def test_the_page_tells_every_code_and_number(game: Game[Any]) -> None:
    page = Path(bullpen.__file__).parents[2] / "docs" / "environments.md"
    (line,) = [
        line
        for line in page.read_text("utf-8").splitlines()
        if line.startswith(f"| `{game.ID}` | ")
    ]
    kind = kind_of(game.ID)
    parts = (
        kind.open_to_all,
        kind.by_seat,
        [links_of(game.ID, {"variant": "positive"})],
        [f"cards in {name}" for name in kind.counted],
        extra(game.ID, "OWN_NUMBERS", ROUNDS_PLAYED),
        extra(game.ID, "OWN_BY_SEAT", ()),
    )
    told = [", ".join(part) or "–" for part in parts]
    assert [cell.strip() for cell in line.strip("|").split("|")][1:] == [str(kind.cards), *told]
