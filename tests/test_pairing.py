"""Who meets whom in a tournament: promised for any number of people and any size of table."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bullpen.server import pairing
from bullpen.server.pairing import Pair, Played, Round

MOST = 30
people = st.integers(2, 16)
seats = st.integers(3, 10)


def who_is_in(drawn: Round) -> list[int]:
    return sorted([*drawn.byes, *(one for group in drawn.groups for one in group)])


def pairs(drawn: Round) -> Counter[Pair]:
    return Counter(pairing.pairs_of(drawn.groups))


# -- What a table is worth ----------------------------------------------------------------------


@given(st.lists(st.none() | st.integers(0, 5).map(float), min_size=2, max_size=10))
def test_a_table_shares_out_places_fairly_and_who_did_not_finish_gets_nothing(
    ranks: list[float | None],
) -> None:
    worth = pairing.shares(ranks)
    assert sum(one.place for one in worth) == sum(range(1, len(ranks) + 1))
    for (own, one), (other, another) in combinations(zip(ranks, worth, strict=True), 2):
        if own is None or other is None:
            continue
        assert (own < other) == (one.points > another.points)
        assert (own == other) == (one.points == another.points)
    assert all(
        one.points == 0 and not one.is_won
        for own, one in zip(ranks, worth, strict=True)
        if own is None
    )
    if None not in ranks:
        assert sum(one.points for one in worth) == pytest.approx(len(ranks) / 2)
    assert any(one.is_won for one in worth) == any(own is not None for own in ranks)


# -- Everybody against everybody ----------------------------------------------------------------


@given(people)
def test_two_at_a_table_everybody_meets_everybody_once_and_byes_are_one_each(count: int) -> None:
    rounds = pairing.everybody(count, 2, MOST)
    assert len(rounds) == count - 1 + count % 2
    met = sum((pairs(one) for one in rounds), Counter())
    assert met == Counter({frozenset(pair): 1 for pair in combinations(range(count), 2)})
    byes = Counter(one for drawn in rounds for one in drawn.byes)
    assert byes == (Counter(range(count)) if count % 2 else Counter())
    assert all(who_is_in(drawn) == list(range(count)) for drawn in rounds)


@settings(deadline=None)
@given(people, seats)
def test_at_larger_tables_all_have_met_at_the_end_and_every_round_brings_new_meetings(
    count: int, size: int
) -> None:
    rounds = pairing.everybody(count, size, MOST)
    assert len(rounds) <= MOST
    met = Counter[Pair]()
    for drawn in rounds:
        assert who_is_in(drawn) == list(range(count))
        assert drawn.byes == []
        lengths = [len(group) for group in drawn.groups]
        assert max(lengths) <= size
        assert max(lengths) - min(lengths) <= 1
        assert set(pairs(drawn)) - set(met)
        met += pairs(drawn)
    assert len(met) == count * (count - 1) // 2


@pytest.mark.parametrize(
    ("count", "size", "rounds"), [(9, 3, 4), (16, 4, 5), (4, 4, 1), (3, 4, 1), (7, 3, 5)]
)
def test_no_more_rounds_than_the_best_plans_known_need(count: int, size: int, rounds: int) -> None:
    """Nine at threes and sixteen at fours meet without a repetition, as in the tables of such plans."""
    found = pairing.everybody(count, size, MOST)
    assert len(found) == rounds
    if rounds > 1 and count % size == 0:
        assert max(sum((pairs(one) for one in found), Counter()).values()) == 1


def test_more_rounds_than_an_evening_has_are_not_planned_to_their_end() -> None:
    assert len(pairing.everybody(40, 3, 5)) == 6


@given(people, seats)
def test_bots_are_only_what_it_takes_and_nobody_sits_with_bots_alone(count: int, size: int) -> None:
    tables = pairing.sizes(count, size)
    assert sum(tables) == count
    assert pairing.bots_needed(count, size) == len(tables) * size - count
    assert len(tables) == -(-count // size)
    assert min(tables) >= 2


@given(people, st.integers(2, 6), st.data())
def test_a_plan_goes_on_without_who_has_left_and_who_would_be_alone_has_a_bye(
    count: int, size: int, data: st.DataObject
) -> None:
    gone = data.draw(st.sets(st.integers(0, count - 1)))
    for planned in pairing.everybody(count, size, MOST):
        drawn = pairing.without(planned, gone)
        assert who_is_in(drawn) == sorted(set(range(count)) - gone)
        assert all(len(group) > 1 for group in drawn.groups)


# -- Swiss --------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.integers(2, 11), st.integers(1, 12), st.randoms(use_true_random=False))
def test_swiss_nobody_meets_twice_as_long_as_that_can_be_and_byes_go_round(
    count: int, rounds: int, rng: Random
) -> None:
    met, byes, points = Counter[Pair](), Counter[int](), Counter[int]()
    order = list(range(count))
    for _ in range(rounds):
        drawn = pairing.swiss(order, 2, met, byes)
        assert who_is_in(drawn) == list(range(count))
        assert len(drawn.byes) == count % 2
        assert all(byes[one] == min(byes[other] for other in order) for one in drawn.byes)
        playing = [one for one in order if one not in drawn.byes]
        repeated = sum(met[pair] > 0 for pair in pairs(drawn))
        assert repeated == fewest_repeated(tuple(playing), met)
        met += pairs(drawn)
        byes.update(drawn.byes)
        points.update(rng.choice(group) for group in drawn.groups)
        order.sort(key=lambda one: -points[one])


def fewest_repeated(left: tuple[int, ...], met: Counter[Pair]) -> int:
    """By trying all."""
    if not left:
        return 0
    first, rest = left[0], left[1:]
    fewest = len(left)
    for other in rest:
        repeated = met[frozenset((first, other))] > 0
        if repeated >= fewest:
            continue
        others = tuple(one for one in rest if one != other)
        fewest = min(fewest, repeated + fewest_repeated(others, met))
        if not fewest:
            break
    return fewest


def test_swiss_those_who_stand_alike_meet_unless_they_have_met() -> None:
    assert pairing.swiss([4, 2, 0, 1, 3], 2, {}, {3: 1}).groups == [(4, 2), (0, 3)]
    met = {frozenset((4, 2)): 1}
    assert pairing.swiss([4, 2, 0, 1], 2, met, {}).groups == [(4, 0), (2, 1)]


@settings(deadline=None)
@given(st.integers(3, 20), seats, st.integers(1, 6))
def test_swiss_groups_are_even_and_meet_others_first(count: int, size: int, rounds: int) -> None:
    met, order = Counter[Pair](), list(range(count))
    for number in range(rounds):
        drawn = pairing.swiss(order, size, met, {})
        assert who_is_in(drawn) == list(range(count))
        assert drawn.byes == []
        lengths = [len(group) for group in drawn.groups]
        assert lengths == pairing.sizes(count, size)
        if number == 1 and len(lengths) >= size:  # there is room for everybody to meet others
            assert not set(pairs(drawn)) & set(met)
        met += pairs(drawn)


@given(st.integers(1, 8), st.data())
def test_the_most_pairs_are_found_in_any_graph(count: int, data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.sampled_from([*combinations(range(count), 2), (0, 0)])))
    edges = {frozenset(one) for one in chosen if one != (0, 0)}
    near = [
        [b for b in range(count) if frozenset((a, b)) in edges and a != b] for a in range(count)
    ]
    assert pairing.matching(near) == most_pairs(tuple(range(count)), edges)


def most_pairs(left: tuple[int, ...], edges: set[Pair]) -> int:
    if not left:
        return 0
    first, rest = left[0], left[1:]
    found = [most_pairs(rest, edges)]
    for other in rest:
        if frozenset((first, other)) in edges:
            others = tuple(one for one in rest if one != other)
            found.append(1 + most_pairs(others, edges))
    return max(found)


# -- Seats and standings ------------------------------------------------------------------------


def test_the_first_seat_goes_round() -> None:
    began = Counter[int]()
    for _ in range(6):
        began[pairing.in_seats((3, 1, 2), began)[0]] += 1
    assert began == Counter({1: 2, 2: 2, 3: 2})
    assert pairing.in_seats((3, 1, 2), Counter({3: 1})) == (1, 2, 3)


def test_ties_are_broken_by_whom_one_met_then_by_tables_won_and_else_shared() -> None:
    played = [
        *(Played(0, 1, 1, 1.0, True), Played(1, 1, 1, 0.0, False)),
        *(Played(2, 1, 2, 1.0, True), Played(3, 1, 2, 0.0, False)),
        *(Played(0, 2, 1, 0.5, True), Played(2, 2, 1, 0.5, True)),
        *(Played(1, 2, 2, 1.0, True), Played(3, 2, 2, 0.0, False)),
        Played(4, 1, None, 1.0, False),
        Played(4, 2, None, 0.5, False),
    ]
    rows = pairing.standings(range(5), played)
    assert [(row.entrant, row.place) for row in rows] == [(0, 1), (2, 2), (4, 3), (1, 4), (3, 5)]
    assert [(row.points, row.met, row.wins) for row in rows[:3]] == [
        (1.5, 2.5, 2),
        (1.5, 1.5, 2),
        (1.5, 0.0, 0),
    ]
    equal = pairing.standings([0, 1], [Played(0, 1, 1, 0.5, True), Played(1, 1, 1, 0.5, True)])
    assert [row.place for row in equal] == [1, 1]
