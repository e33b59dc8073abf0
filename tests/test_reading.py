"""Baron Oxx: what others show by the cards that they lay, and when it counts who wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from bullpen import fast
from bullpen.bots import careful, judgement
from bullpen.bots.evaluation import Evaluator
from bullpen.bots.likelihood import others_may_hold
from bullpen.cards import UNSEEN
from bullpen.coach.candidates import ranked_candidates
from bullpen.coach.positions import positions
from bullpen.fast import evaluation
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import apply
from bullpen.fast.playouts import LONGEST_DECK
from bullpen.game import Action, Seat, View
from bullpen.games import GAMES, part
from bullpen.games.baron_oxx import careful as rule
from bullpen.games.baron_oxx.rules import HAND, LAID, LAYING, OVER, PLAY, ROW, ROWS, Table, Turn
from bullpen.match import Match, new

game = GAMES["baron-oxx"]
twin = fast.twin("baron-oxx")
reading: Any = part("baron-oxx", "reading")
some_seats = pytest.mark.parametrize("seats", [2, 4, 10])

Chooser = Callable[[View[Table], Random], Action]


def by_care(view: View[Table], rng: Random) -> Action:
    return careful.choose(game, view, rng)


def at_random(view: View[Table], rng: Random) -> Action:
    return rng.choice(view.legal)


def decisions(
    seats: int, seed: int, others: Chooser = by_care, **options: Any
) -> Iterator[tuple[Match, Seat]]:
    """Of a game in which everybody chooses in one way."""
    match, rng = new("baron-oxx", seats, seed=seed, options=options), Random(seed)
    while not match.is_over:
        seat = match.waiting_for[0]
        yield match, seat
        match.act(seat, others(match.view(seat), rng))


def after_turns(
    turns: int, seed: int, others: Chooser = by_care, **options: Any
) -> tuple[Match, Seat]:
    """The first decision of a game with four after so many turns."""
    played = decisions(4, seed, others, **options)
    return next(one for one in played if len(one[0].table.past_turns) == turns)


def judge_of(view: View[Table]) -> Evaluator:
    judge = judgement.judge_for(game, view, 1)
    assert isinstance(judge, Evaluator)
    return judge


def read_by(view: View[Table]) -> tuple[Any, Any]:
    position = judge_of(view).position
    return position.by_thumb[: view.table.seats], position.likely


# -- What is remembered ---------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["standard", "colour", "positive"])
def test_a_table_remembers_of_each_turn_what_all_saw_when_the_cards_were_turned_up(
    variant: str,
) -> None:
    seen: list[Turn] = []  # all but what was laid, by a spectator
    for match, _ in decisions(3, 5, at_random, variant=variant):
        table = match.view(None).table
        if table.phase == LAYING and not any(table.lying[LAID : LAID + 3]):
            rows = tuple(table.lying[ROW + row] for row in ROWS)
            held = tuple(len(hand) for hand in table.lying[HAND : HAND + 3])
            seen.append(Turn(rows, table.seen, held, ()))
        reveals = [event["cards"] for event in match.events if event["event"] == "reveal"]
        assert match.table.past_turns == tuple(
            turn._replace(laid=tuple(laid)) for turn, laid in zip(seen, reveals, strict=False)
        )
    assert len(seen) > 20


def test_the_memory_begins_anew_with_each_deal() -> None:
    lengths = [len(match.table.past_turns) for match, _ in decisions(2, 5, at_random, games=2)]
    assert lengths.count(0) == 4  # two secret choices of two
    assert max(lengths) == 24


def test_whoever_looks_on_remembers_the_same_as_the_players_and_no_more_than_lay_open() -> None:
    for number, (match, seat) in enumerate(decisions(4, 9, at_random)):
        if number % 9 == 0:
            views = [match.view(who) for who in (None, *range(4))]
            assert len({view.table.past_turns for view in views}) == 1
            opened = {card for turn in match.table.past_turns for row in turn.rows for card in row}
            opened |= {card for turn in match.table.past_turns for card in turn.laid}
            assert all(match.table.seen >> card & 1 for card in opened)
            imagined = game.imagine(match.view(seat), Random(1))
            assert imagined.past_turns == match.table.past_turns


def test_a_review_judges_by_the_same_memory_as_a_hint_at_the_table() -> None:
    remembered, match = [], None
    for match, _ in decisions(3, 2):
        if match.table.phase == LAYING:
            remembered.append(match.table.past_turns)
    assert match is not None
    again = [
        one.view.table.past_turns for one in positions(match) if one.view.table.phase == LAYING
    ]
    assert again == remembered


def test_in_a_trial_of_a_move_nobody_else_has_laid_a_card() -> None:
    match = new("baron-oxx", 3, seed=1)
    trial = match.table.changed()
    trial.alone = True
    game.rules.act(trial, 1, match.view(1).legal[0])
    (turn,) = trial.past_turns
    assert turn.laid == (UNSEEN, match.view(1).legal[0] - PLAY, UNSEEN)
    assert turn.held == (4, 4, 4)


# -- What is usual --------------------------------------------------------------------------------


def plain_cost(view: View[Table], action: Action) -> float:
    hands = [HAND + other for other in range(view.table.seats) if other != view.seat]
    unseen = others_may_hold(view.remembered, game.CARDS, hands)
    return rule.cost_of_card(view.table, action - PLAY, unseen)


@some_seats
def test_what_is_usual_is_what_the_careful_bot_does(seats: int) -> None:
    rng, several = np.ones(1, np.uint64), 0
    for match, seat in decisions(seats, 4):
        view = match.view(seat)
        state = twin.to_record(match.table)[0]
        state["actor"] = seat
        usual = {int(reading.usual(state, rng)) for _ in range(40)}
        chance = Random(1)
        assert usual <= set(view.legal)
        careful_ones = {by_care(view, chance) for _ in range(60)}
        assert careful_ones <= usual
        for other in usual - careful_ones:  # as good but for the last digit
            costs = [plain_cost(view, action) for action in (other, *careful_ones)]
            assert costs == pytest.approx([min(costs)] * len(costs), abs=1e-9)
        several += len(usual) > 1
    assert several > 3


def test_in_the_variants_nothing_is_known_to_be_usual() -> None:
    for variant in ("colour", "positive"):
        state = twin.to_record(new("baron-oxx", 3, seed=1, options={"variant": variant}).table)[0]
        assert reading.usual(state, np.ones(1, np.uint64)) == -1


# -- What others have shown -----------------------------------------------------------------------


@some_seats
def test_before_anybody_has_played_through_a_hand_half_of_them_may_do_what_is_usual(
    seats: int,
) -> None:
    for match, seat in decisions(seats, 3):
        if len(match.table.past_turns) < 4:
            assert read_by(match.view(seat))[0] == pytest.approx([0.5] * seats)


def test_who_does_what_is_usual_is_told_from_who_plays_at_random() -> None:
    for others, least, most in ((by_care, 0.95, 1.0), (at_random, 0.0, 0.05)):
        for seed in range(3):
            match, seat = after_turns(16, seed, others)
            assert all(least <= share <= most for share in read_by(match.view(seat))[0]), seed


@some_seats
def test_who_is_careful_hardly_ever_holds_what_would_rather_have_been_laid(seats: int) -> None:
    doubted, held = 0, list[bool]()
    for match, seat in decisions(seats, 6):
        table = match.table
        if table.phase != LAYING:
            continue
        _, likely = read_by(match.view(seat))
        for other in set(range(seats)) - {seat}:
            hand = table.lying[HAND + other] + table.lying[LAID + other]
            held += [likely[other, card] < 0.1 for card in hand]
            doubted += int((likely[other] < 0.1).sum())
    assert len(held) > 50
    assert fmean(held) < 0.02  # what else they hold, which is not known, makes hardly a difference
    assert doubted > 50


def test_imagined_hands_are_those_that_are_likely_and_give_the_same_view() -> None:
    rng, unlikely = np.ones(1, np.uint64), list[bool]()
    for number, (match, seat) in enumerate(decisions(4, 8)):
        if number % 7:
            continue
        view = game.before_choices(match.view(seat))
        position = judge_of(view).position
        position.by_thumb[:] = 1.0
        for table in range(20):
            evaluation.imagine_table(position, table, rng)
            state = position.states[evaluation.IMAGINED : evaluation.IMAGINED + 1].copy()
            imagined = twin.from_record(state, view.table.options, view.table.deck)
            if imagined.phase == LAYING:
                imagined.actor = view.table.actor
            assert game.view(imagined, seat) == view
            for other in set(range(4)) - {seat}:
                hand = imagined.lying[HAND + other]
                unlikely += [position.likely[other, card] < 0.01 for card in hand]
    assert fmean(unlikely) < 0.01


def test_who_plays_otherwise_may_hold_anything() -> None:
    match, seat = after_turns(3, 8)
    position = judge_of(match.view(seat)).position
    other, rng = (seat + 1) % 4, np.ones(1, np.uint64)
    shares = []
    for likely in (0.0, 1.0):
        position.by_thumb[:] = likely
        unlikely = list[bool]()
        for table in range(300):
            evaluation.imagine_table(position, table, rng)
            state = position.states[evaluation.IMAGINED]
            hand = [int(state["ring"][int(reading.ring_at(state, other, 0))])]
            unlikely += [position.likely[other, card] < 0.01 for card in hand]
        shares.append(fmean(unlikely))
    assert shares[0] > 0.2
    assert shares[1] < 0.02


def test_the_variants_are_not_read() -> None:
    for variant in ("colour", "positive"):
        match, seat = after_turns(9, 4, variant=variant)
        by_thumb, likely = read_by(match.view(seat))
        assert by_thumb == pytest.approx([0.5] * 4)
        assert (likely == 1).all()


def test_hidden_cards_do_not_change_what_is_read() -> None:
    for number, (match, seat) in enumerate(decisions(4, 7)):
        if number % 11 == 0:
            view = match.view(seat)
            other = game.view(game.imagine(view, Random(number)), seat)
            for one, same in zip(read_by(view), read_by(other), strict=True):
                assert (one == same).all()


# -- When it counts who wins ----------------------------------------------------------------------


def worth(points: list[int], *, is_last: bool = True, sign: int = -1) -> float:
    """Of seat 0."""
    match = new("baron-oxx", len(points), seed=1)
    position = Evaluator(game, match.view(0), 1).position._replace(sign=sign, is_last=is_last)
    own = sign * evaluation.lead(np.array(points), 0, len(points))
    return float(evaluation.worth(position, np.array(points), own))


def test_before_the_end_a_lead_is_worth_itself() -> None:
    assert worth([3, 8, 9, 10], is_last=False) == 6.0
    assert worth([3, 8, 9, 10], is_last=False, sign=1) == -6.0


def test_at_the_end_what_decides_nothing_any_more_counts_little() -> None:
    far = worth([0, 60, 60, 60]) - worth([1, 60, 60, 60])
    near = worth([30, 30, 60, 60]) - worth([31, 30, 60, 60])
    assert far == pytest.approx(evaluation.ALWAYS)
    assert near > 6 * far


@some_seats
def test_a_point_never_counts_more_than_a_point(seats: int) -> None:
    for rival in (-2, -1, 0, 1, 2):
        others = [30 + rival] + [50] * (seats - 2)
        brought = [worth([own, *others]) - worth([own + 1, *others]) for own in range(20, 40)]
        assert min(brought) >= evaluation.ALWAYS
        assert 0.8 < max(brought) <= 1.0


def test_who_is_ahead_counts_more_than_who_is_far_behind() -> None:
    def brings(to_rival: int, to_last: int) -> float:
        return worth([30, 30 + to_rival, 60 + to_last, 60])

    assert brings(2, 0) > brings(0, 2) + 0.5


def test_however_far_apart_players_are_it_can_be_reckoned() -> None:
    values = [worth([own, 30_000, 0, 0]) for own in (0, 10, 30_000)]
    assert np.isfinite(values).all()
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("games", [1, 2])
@some_seats
def test_it_counts_who_wins_wherever_playouts_end_the_last_game_and_nowhere_else(
    seats: int, games: int
) -> None:
    rng, told = np.ones(1, np.uint64), list[bool]()
    for match, seat in decisions(seats, 3, games=games):
        view = match.view(seat)
        position = judge_of(view).position
        told.append(position.is_last)
        others = evaluation.Others(0, evaluation.imagine_table(position, 1, rng))
        state = position.states[evaluation.IMAGINED]
        deck = np.empty(LONGEST_DECK, np.int16)
        played_out(state, view.legal[0], position, others, deck, rng)
        no_more_games = len(match.table.points) == games - 1
        assert position.is_last == (no_more_games and state["phase"] == OVER)
    assert told.count(True) > 3
    assert told == sorted(told)


@compiled
def played_out(state, action, position, others, deck, rng):  # type: ignore[no-untyped-def]
    apply(state, action)  # type: ignore[no-untyped-call]
    evaluation.play_round(state, position.looks, others, position.words, deck, rng)


def test_in_the_variants_a_lead_is_worth_itself_to_the_end() -> None:
    for variant in ("colour", "positive"):
        *_, (match, seat) = decisions(2, 3, variant=variant)
        assert not reading.is_last(match.view(seat))


def test_leads_are_told_in_points_and_what_a_move_gives_away_by_what_it_is_worth() -> None:
    differs = 0
    for match, seat in decisions(4, 5):
        view = match.view(seat)
        if len(match.table.past_turns) != 20 or len(view.legal) < 2:
            continue
        told = judgement.evaluate(game, view, playouts=4000, seed=1)
        outcomes = judge_of(view).play_out(np.array(view.legal), 4000 // len(view.legal))
        leads, worths = (found.mean(axis=0) for found in outcomes)
        assert [one.lead for one in told] == pytest.approx(list(leads))
        assert [one.behind for one in told] == pytest.approx(list(worths.max() - worths))
        ranked = ranked_candidates(game, view, 4000, 1)
        assert ranked[0].behind == 0
        assert ranked[0].move == game.NOTATION[view.legal[worths.argmax()]]
        differs += bool(np.abs(leads.max() - leads - (worths.max() - worths)).max() > 0.05)
    assert differs


def test_the_others_are_read_by_whoever_judges_and_not_by_plain_playouts() -> None:
    match, seat = after_turns(12, 5)
    judge, plain = (
        judgement.judge_for(game, match.view(seat), 1),
        Evaluator(game, match.view(seat), 1),
    )
    assert isinstance(judge, Evaluator)
    assert judge.position.by_thumb[(seat + 1) % 4] > 0.9
    assert (plain.position.by_thumb == 0.5).all()
    assert fmean(plain.position.likely.ravel()) == 1.0


def test_a_table_from_a_record_has_no_memory_and_is_judged_all_the_same() -> None:
    match, seat = after_turns(12, 5)
    table = twin.from_record(twin.to_record(match.table), match.options, match.deck)
    assert table.past_turns == ()
    found = judgement.evaluate(game, game.view(table, seat), playouts=400, seed=1)
    assert len(found) == len(match.view(seat).legal)
