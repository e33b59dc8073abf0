"""The coach: judged decisions, hints, reviews, and where a result comes from."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

import bullpen
from bullpen.bots import bot_called
from bullpen.cards import Problem
from bullpen.coach.accounts import Expectation, account, together
from bullpen.coach.candidates import ranked_candidates
from bullpen.coach.curves import curve
from bullpen.coach.grades import WORSE_THAN_FINE, grade, limits, spread
from bullpen.coach.hint import deciding_seat, hint
from bullpen.coach.positions import Position, leads_at_ends, positions
from bullpen.coach.review import Review, judge_decision, review
from bullpen.coach.turns import behind, view_after
from bullpen.game import Game, OptionValue, read_move
from bullpen.games import GAMES
from bullpen.match import Match
from bullpen.record import as_record, record_text, replay
from tests.games import bullenparty, six_nimmt, x_nimmt
from tests.tables import table

PLAYOUTS = 60
SETUPS: list[tuple[str, int, dict[str, OptionValue]]] = [
    ("hornochsen", 2, {"first_seat": 1}),
    ("eleven-nimmt", 3, {"rounds": 1}),
    ("x-nimmt", 4, {"rounds": 2, "x_choice": "free"}),
    ("baron-oxx", 10, {"variant": "positive"}),
    ("bullenparty", 2, {}),
    ("six-nimmt", 5, {"rounds": 2, "deck": "tactical"}),
]
each_setup = pytest.mark.parametrize(
    ("game", "seats", "options"), SETUPS, ids=[game for game, *_ in SETUPS]
)


def played(game: str, seats: int, options: dict[str, OptionValue], moves: int = 10_000) -> Match:
    """A match in which the last seat plays anything and the others think a little."""
    match = bullpen.new(game, seats, seed=5, options=options)
    rng = Random(1)
    while not match.is_over and len(match.decisions) < moves:
        seat = match.waiting_for[0]
        choose = bot_called("uniform" if seat == seats - 1 else "careful")
        match.act(seat, choose(match.game, match.view(seat), rng))
    return match


def documented(name: str) -> Draft202012Validator:
    """The schema of docs/coach.md with this title."""
    text = (Path(__file__).parent.parent / "docs" / "coach.md").read_text("utf-8")
    schemas = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    (schema,) = [schema for schema in schemas if schema.get("title") == name]
    return Draft202012Validator(schema)


# -- Reviews of whole games -------------------------------------------------------------------


@each_setup
def test_every_decision_is_judged_and_the_parts_add_up_to_the_result(
    game: str, seats: int, options: dict[str, OptionValue]
) -> None:
    match = played(game, seats, options)
    found = review(match, playouts=PLAYOUTS, jobs=2)
    assert [one.number for one in found.decisions] == list(range(1, len(match.decisions) + 1))
    made = [(one.seat, one.move) for one in found.decisions]
    assert made == [(d.seat, match.game.NOTATION[d.action]) for d in match.decisions]
    ends = leads_at_ends(match)
    assert sum(ends[-1]) == pytest.approx(0)
    for seat in found.seats:
        whole = seat.whole
        assert whole.is_finished
        assert whole.result == ends[-1][seat.seat]
        assert whole.deal + whole.play + whole.skill == pytest.approx(whole.result, abs=1e-9)
        for number, one in enumerate(seat.rounds):
            assert one.start == (ends[number - 1][seat.seat] if number else 0)
            assert one.start + one.deal + one.play + one.skill == pytest.approx(one.result)
        own = [one for one in found.decisions if one.seat == seat.seat]
        assert sum(seat.grades.values()) == len(own)
        assert whole.lost == pytest.approx(sum(one.lost for one in own))
        assert curve(found, seat)[-1].lead == whole.result


@each_setup
def test_a_review_as_json_has_the_documented_form(
    game: str, seats: int, options: dict[str, OptionValue]
) -> None:
    found = review(played(game, seats, options, moves=30), playouts=PLAYOUTS)
    documented("bullpen-review").validate(json.loads(json.dumps(found.as_json())))
    assert found.as_json()["winners"] is None


def test_candidates_are_all_legal_moves_the_best_first() -> None:
    match = played("x-nimmt", 3, {"rounds": 1})
    found = review(match, playouts=PLAYOUTS, seat=1)
    for one, position in zip(
        found.decisions, [p for p in positions(match) if p.seat == 1], strict=True
    ):
        legal = {match.game.NOTATION[action] for action in position.view.legal}
        if one.grade == "forced":
            assert legal == {one.move}
            assert one.candidates == []
            continue
        assert {candidate.move for candidate in one.candidates} == legal
        leads = [candidate.lead for candidate in one.candidates]
        assert leads == sorted(leads, reverse=True)
        assert min(candidate.behind for candidate in one.candidates) == 0
    assert {one.seat for one in found.decisions} == {1}
    assert [seat.seat for seat in found.seats] == [1]


def test_the_same_review_comes_again_however_many_threads_share_it() -> None:
    match = played("six-nimmt", 3, {"rounds": 1})
    one, two = (review(match, playouts=PLAYOUTS, seed=3, jobs=jobs).as_json() for jobs in (1, 2))
    assert one == two


# -- What the seat knew -----------------------------------------------------------------------


@each_setup
def test_a_judgement_does_not_depend_on_what_the_seat_could_not_see(
    game: str, seats: int, options: dict[str, OptionValue]
) -> None:
    match = played(game, seats, options, moves=14)
    rules = match.game
    for position in positions(match):
        other = rules.imagine(position.view, Random(position.number))
        view = rules.view(other, position.seat)
        elsewhere = replace(position, view=view)
        assert judge_decision(rules, position, PLAYOUTS, 0) == judge_decision(
            rules, elsewhere, PLAYOUTS, 0
        )


def test_in_a_secret_choice_nobody_knows_of_the_others_choices() -> None:
    judgements = []
    for first in (0, 4):
        match = bullpen.new("six-nimmt", 3, seed=7)
        for seat, at in ((0, first), (1, 9 - first), (2, 2)):
            match.move(seat, match.legal(seat)[at])
        *_, last = positions(match)
        assert last.seat == 2
        assert not any(last.view.table.lying[six_nimmt.rules.LAID : six_nimmt.rules.LAID + 3])
        judgements.append(judge_decision(match.game, last, PLAYOUTS, 0))
    assert judgements[0] == judgements[1]


def test_an_earlier_decision_is_judged_the_same_whatever_came_later() -> None:
    whole = played("x-nimmt", 3, {"rounds": 1})
    part = played("x-nimmt", 3, {"rounds": 1}, moves=9)
    judged_then = review(part, playouts=PLAYOUTS).decisions
    assert judged_then == review(whole, playouts=PLAYOUTS).decisions[: len(judged_then)]


# -- Mistakes ---------------------------------------------------------------------------------


def decision(game: Game[Any], t: Any, seat: int, move: str) -> Position:
    return Position(1, 0, 0, seat, read_move(game, t, seat, move), game.view(t, seat))


DEAR_ROW = """
    row 1: 55 66 77 88
    row 2: 12
    row 3: 90
    row 4: 95
    hand 0: 3
    hand 1: 99
    laid 0: 4
"""


def test_taking_the_dear_row_is_a_blunder_and_the_cheap_one_is_named() -> None:
    t = table(six_nimmt, DEAR_ROW, phase=six_nimmt.rules.TAKING, actor=0)
    found = judge_decision(six_nimmt, decision(six_nimmt, t, 0, "row 1"), 400, 0)
    assert (found.grade, found.best) == ("blunder", "row 2")
    assert found.lost == pytest.approx(21, abs=3)  # 22 heads lie there, and one in row 2
    assert ("row 1", [55, 66, 77, 88]) in found.seen
    assert ("hand 0", [3]) in found.seen


def test_taking_the_cheap_row_is_fine() -> None:
    t = table(six_nimmt, DEAR_ROW, phase=six_nimmt.rules.TAKING, actor=0)
    found = judge_decision(six_nimmt, decision(six_nimmt, t, 0, "row 2"), 400, 0)
    assert (found.grade, found.best, found.lost, found.seen) == ("fine", "row 2", 0, [])


def test_keeping_the_card_that_fits_the_x_row_is_better_than_breaking_it() -> None:
    drawing = """
        row 1: 30
        row 2: 40
        row 3: 50
        collected: 52 66
        hand 0: 90 95
        hand 1: 80
        x row 0: 11 22 33 44 55
    """
    options: dict[str, OptionValue] = {"x_choice": "free", "rounds": 1}
    t = table(x_nimmt, drawing, options=options, phase=x_nimmt.rules.KEEPING, actor=0)
    found = judge_decision(x_nimmt, decision(x_nimmt, t, 0, "keep 52"), 400, 0)
    assert (found.grade, found.best) == ("blunder", "keep 66")


def test_the_order_of_moves_within_a_turn_is_not_blamed() -> None:
    """In the last round both cards are laid anyway: whichever comes first loses nothing."""
    drawing = """
        hand 0: 5 60
        hand 1: 70
        pile 1 of 0: 10 20 30 40
        pile 2 of 0: 3
        pile 3 of 1: 1
    """
    laying: Any = {"phase": bullenparty.rules.PILING, "actor": 0, "takers": (0, 1), "bidders": ()}
    t = table(bullenparty, drawing, emptied=2, **laying)
    view = bullenparty.view(t, 0)
    rich, poor, bad = (
        read_move(bullenparty, t, 0, move)
        for move in ("pile 60 on 40", "pile 5 on 3", "pile 60 new")
    )
    for action, better in ((rich, poor), (poor, rich)):
        points, error = behind(bullenparty, view, action, better, 400, 0)
        assert points <= 2 * error
    points, error = behind(bullenparty, view, bad, rich, 400, 0)
    assert points > 2 * error


def test_where_something_is_turned_up_the_turn_is_not_followed() -> None:
    match = bullpen.new("six-nimmt", 2, seed=1)
    view = match.view(0)
    assert view_after(match.game, view, view.legal[0], 0) is None


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_grades_get_worse_with_the_points_and_blame_only_what_is_clear(game: Game[Any]) -> None:
    least = limits(game)
    assert tuple(least) == WORSE_THAN_FINE
    assert sorted(least.values()) == list(least.values())
    for name, points in least.items():
        assert grade(game, points + 0.01, 0.0) == name
        assert grade(game, points + 0.01, points) == "fine"
    assert grade(game, 0.01 * spread(game), 0.0) == "fine"


# -- Where a result comes from ----------------------------------------------------------------

whole = st.integers(-50, 50).map(float)
expectations = st.lists(st.builds(Expectation, whole, whole, st.just(0.0), st.just(0.0)))


@given(whole, st.lists(st.tuples(expectations, st.none() | whole), min_size=1, max_size=4))
def test_luck_and_skill_add_up_exactly(start: float, rounds: list[Any]) -> None:
    accounts = []
    for expected, end in rounds:
        accounts.append(account(start, expected, end))
        start = accounts[-1].result
    for one in (*accounts, together(accounts)):
        assert one.start + one.deal + one.play + one.skill == one.result


def test_a_choice_better_than_chance_is_skill_and_what_follows_is_luck() -> None:
    expected = [Expectation(2, 5, 0, 0), Expectation(1, 1, 3, 0.5)]
    one = account(0, expected, end=4)
    assert (one.deal, one.play, one.skill, one.lost, one.result) == (2, -1, 3, 3, 4)


def test_a_round_without_a_choice_is_luck_alone() -> None:
    one = account(1, [], end=-6)
    assert (one.deal, one.play, one.skill, one.result) == (0, -7, 0, -6)


def test_anybodys_choices_are_worth_nothing_more_than_chance() -> None:
    """A seat that plays anything has, over a game, about no skill; one that thinks has some."""
    match = played("six-nimmt", 3, {"rounds": 4})
    found = review(match, playouts=400)
    skills = [seat.whole.skill for seat in found.seats]
    assert min(skills[:2]) > skills[2] + 5


# -- Unfinished and interrupted ---------------------------------------------------------------


def test_an_unfinished_game_is_reviewed_as_far_as_it_goes() -> None:
    match = replay(record_text(as_record(played("six-nimmt", 3, {"rounds": 2}, moves=40))))
    found = review(match, playouts=PLAYOUTS)
    assert len(found.decisions) == 40
    for seat in found.seats:
        first, second = seat.rounds
        assert (first.is_finished, second.is_finished) == (True, False)
        last = [one for one in found.decisions if one.seat == seat.seat][-1]
        assert seat.whole.result == last.expected


def test_ctrl_c_gives_what_is_done_by_then() -> None:
    def interrupt(done: int, _: int) -> None:
        if done == 8:
            raise KeyboardInterrupt

    match = played("six-nimmt", 3, {"rounds": 1})
    found: Review = review(match, playouts=PLAYOUTS, progress=interrupt)
    assert (len(found.decisions), found.is_complete) == (8, False)
    assert not any(seat.whole.is_finished for seat in found.seats)
    documented("bullpen-review").validate(json.loads(json.dumps(found.as_json())))


def test_an_interrupted_review_says_nothing_of_seats_that_it_did_not_judge() -> None:
    def interrupt(done: int, _: int) -> None:
        raise KeyboardInterrupt

    found: Review = review(
        played("six-nimmt", 3, {"rounds": 1}), playouts=PLAYOUTS, progress=interrupt
    )
    assert [seat.seat for seat in found.seats] == [found.decisions[0].seat]


def test_a_record_without_decisions_has_nothing_to_review() -> None:
    with pytest.raises(Problem) as problem:
        review(bullpen.new("x-nimmt", 2, seed=1))
    assert problem.value.key == "review_empty"


# -- Hints ------------------------------------------------------------------------------------


def test_a_hint_names_the_best_move_and_those_as_good() -> None:
    t = table(six_nimmt, DEAR_ROW, phase=six_nimmt.rules.TAKING, actor=0)
    found = hint(six_nimmt, six_nimmt.view(t, 0), playouts=800, seed=0)
    assert found.best == "row 2"
    assert found.best not in found.as_good
    assert "row 1" not in found.as_good
    assert [one.move for one in found.candidates][-1] == "row 1"
    documented("bullpen-hint").validate(json.loads(json.dumps(found.as_json())))


def test_with_a_single_move_nothing_is_played_out() -> None:
    t = table(six_nimmt, "row 1: 1\nrow 2: 2\nrow 3: 3\nrow 4: 4\nhand 0: 50\nhand 1: 60")
    found = hint(six_nimmt, six_nimmt.view(t, 0))
    assert (found.best, found.candidates, found.playouts) == ("play 50", [], 0)
    documented("bullpen-hint").validate(json.loads(json.dumps(found.as_json())))


def test_a_hint_and_a_review_judge_alike() -> None:
    match = played("x-nimmt", 3, {"rounds": 1}, moves=6)
    first = next(positions(match))
    assert hint(match.game, first.view, 300, 2).candidates == ranked_candidates(
        match.game, first.view, 300, 2
    )


def test_a_hint_is_for_a_person_who_decides_or_for_the_seat_that_was_asked_for() -> None:
    match = bullpen.new("six-nimmt", 3, seed=1)
    assert deciding_seat(match, None, [1]) == 1
    assert deciding_seat(match, None, []) == 0
    assert deciding_seat(match, 2, [1]) == 2
    match.move(2, match.legal(2)[0])
    for wished, key in ((2, "hint_not_deciding"), (3, "no_such_seat")):
        with pytest.raises(Problem) as problem:
            deciding_seat(match, wished, [])
        assert problem.value.key == key
    with pytest.raises(Problem) as problem:
        hint(match.game, match.view(2))
    assert problem.value.key == "hint_not_deciding"
