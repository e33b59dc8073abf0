"""A game being played: seats, names, seeds, undo, and a machine that tries everything in any order."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import bullpen
from bullpen.cards import Problem
from bullpen.game import BadOption, Event, Game, IllegalMove, drawn
from bullpen.games import GAMES
from bullpen.match import Match
from bullpen.record import as_record, record_text, replay
from tests.walks import SEEDS, Setup, facts, set_up, setups

FOR_EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def match_of(setup: Setup, seed: int) -> Match:
    return bullpen.new(setup.game.ID, setup.seats, seed=seed, options=setup.options)


def play(match: Match, rng: Random, decisions: int = 10**6) -> Match:
    """Random moves, in any order of seats; so many, or to the end."""
    while not match.is_over and decisions:
        seat = rng.choice(match.waiting_for)
        match.move(seat, rng.choice(match.legal(seat)))
        decisions -= 1
    return match


def state(match: Match) -> dict[str, Any]:
    """All that a match knows."""
    return {
        **facts(match.table),
        "shuffles": [list(cards) for cards in match.shuffles],
        "events": [dict(event) for event in match.events],
        "decisions": match.decisions,
        "record": record_text(as_record(match)),
    }


# -- Beginning --------------------------------------------------------------------------------------


@FOR_EVERY_GAME
def test_a_new_match_is_dealt_and_waits(game: Game[Any]) -> None:
    for seats in game.SEATS:
        match = bullpen.new(game.ID, seats)
        assert match.waiting_for
        assert not match.is_over
        assert match.winners == []
        assert match.decisions == []
        assert not match.can_undo
        assert match.names == [f"seat {seat}" for seat in range(seats)]
        assert match.shuffles


@FOR_EVERY_GAME
def test_a_seed_deals_the_same_way_every_time_and_no_seed_never(game: Game[Any]) -> None:
    one, two, three = (bullpen.new(game.ID, 2, seed=seed) for seed in (5, 5, 6))
    assert one.shuffles == two.shuffles != three.shuffles
    assert play(one, Random(1)).table == play(two, Random(1)).table
    assert bullpen.new(game.ID, 2).shuffles != bullpen.new(game.ID, 2).shuffles


def test_names_are_tidied_and_there_is_one_for_each_seat() -> None:
    match = bullpen.new("x-nimmt", 2, names=["  Ann \n Marie", "Żółć"])
    assert match.names == ["Ann Marie", "Żółć"]
    for names in (["Ann"], ["Ann", "Bo", "Cy"], ["Ann", ""], ["Ann", " \t"]):
        with pytest.raises(BadOption) as refused:
            bullpen.new("x-nimmt", 2, names=names)
        assert refused.value.key == "bad_names"


def test_an_unknown_game_is_refused_with_the_games_there_are() -> None:
    for name in ("chess", "", "X-NIMMT", "x_nimmt"):
        with pytest.raises(BadOption) as refused:
            bullpen.new(name, 2)
        assert refused.value.key == "unknown_game"
        assert "x-nimmt" in refused.value.facts["known"]


def test_every_name_that_bullpen_offers_is_there() -> None:
    assert {
        name: getattr(bullpen, name).__name__ for name in bullpen.__all__ if name != "GAMES"
    } == {name: name for name in bullpen.__all__ if name != "GAMES"}
    assert bullpen.GAMES is GAMES
    with pytest.raises(AttributeError, match="no attribute 'Matador'"):
        _ = bullpen.Matador


# -- Seats ------------------------------------------------------------------------------------------


@FOR_EVERY_GAME
@pytest.mark.parametrize("seat", [-1, 2, 99, "0", True, False, 0.0, None, [0]])
def test_a_seat_that_does_not_exist_is_refused(game: Game[Any], seat: Any) -> None:
    match = bullpen.new(game.ID, 2, seed=1)
    before, first = state(match), match.waiting_for[0]
    action = game.legal(match.table, first)[0]
    tries: list[Callable[[], object]] = [
        lambda: match.legal(seat),
        lambda: match.move(seat, match.legal(first)[0]),
        lambda: match.act(seat, action),
    ]
    if seat is not None:  # a spectator
        tries.append(lambda: match.view(seat))
    for attempt in tries:
        with pytest.raises(BadOption) as refused:
            attempt()
        assert refused.value.key == "no_such_seat"
        assert refused.value.facts == {"seat": seat, "last": 1}
    assert state(match) == before


@FOR_EVERY_GAME
def test_a_seat_that_is_not_waited_for_may_not_move(game: Game[Any]) -> None:
    match = play(bullpen.new(game.ID, 2, seed=1), Random(1), decisions=3)
    waiting = match.waiting_for
    (other,) = {0, 1} - set(waiting) or {1}
    if other in waiting:
        match.move(other, match.legal(other)[0])
    before = state(match)
    if other not in match.waiting_for:
        assert match.legal(other) == []
        with pytest.raises(IllegalMove) as refused:
            match.move(other, match.legal(match.waiting_for[0])[0])
        assert refused.value.legal == []
        assert "wait for the others" in str(refused.value)
    assert state(match) == before


# -- Playing ----------------------------------------------------------------------------------------


@FOR_EVERY_GAME
@settings(max_examples=10)
@given(data=st.data())
def test_moves_return_the_events_that_the_match_keeps(game: Game[Any], data: Any) -> None:
    match, rng = match_of(data.draw(setups(game)), data.draw(SEEDS)), Random(data.draw(SEEDS))
    returned: list[Event] = list(match.events)
    while not match.is_over:
        seat = rng.choice(match.waiting_for)
        returned += match.move(seat, rng.choice(match.legal(seat)))
    assert returned == match.events
    assert match.winners == game.winners(match.table) != []
    assert match.scores == game.scores(match.table)
    assert match.rounds == [list(points) for points in game.rounds(match.table)]


@FOR_EVERY_GAME
def test_a_move_is_written_freely_and_means_its_action(game: Game[Any]) -> None:
    one, two = (bullpen.new(game.ID, 2, seed=3) for _ in range(2))
    seat = one.waiting_for[0]
    one.move(seat, f"  {one.legal(seat)[0].upper().replace(' ', '  ')}\n")
    two.act(seat, game.legal(two.table, seat)[0])
    assert state(one) == state(two)


@FOR_EVERY_GAME
@pytest.mark.parametrize("move", [None, 3, 3.0, True, b"stop", ["stop"]])
def test_a_move_is_text_and_an_action_is_a_number(game: Game[Any], move: Any) -> None:
    match = bullpen.new(game.ID, 2, seed=3)
    before, seat = state(match), match.waiting_for[0]
    with pytest.raises(Problem) as refused:
        match.move(seat, move)
    assert refused.value.key == "move_not_text"
    if type(move) is not int:
        with pytest.raises(Problem) as refused:
            match.act(seat, move)
        assert refused.value.key == "action_not_a_number"
    assert state(match) == before


@FOR_EVERY_GAME
def test_a_finished_match_takes_no_more_moves(game: Game[Any]) -> None:
    match = play(bullpen.new(game.ID, 2, seed=1), Random(1))
    before = state(match)
    for seat in range(2):
        assert match.legal(seat) == []
        for text in game.FORMS:
            with pytest.raises(IllegalMove) as refused:
                match.move(seat, text)
            assert refused.value.refusal.why == "game_over"
    assert state(match) == before


@pytest.mark.parametrize("name", ["x-nimmt", "baron-oxx", "bullenparty", "six-nimmt"])
@settings(max_examples=10)
@given(data=st.data())
def test_records_do_not_tell_in_which_order_secret_choices_arrived(name: str, data: Any) -> None:
    """Two matches with the same choices, every time arriving in another order of seats."""
    setup, seed = data.draw(setups(GAMES[name])), data.draw(SEEDS)
    one, two, rng = match_of(setup, seed), match_of(setup, seed), Random(data.draw(SEEDS))
    for _ in range(30):
        if one.is_over:
            break
        chosen = {seat: rng.choice(one.legal(seat)) for seat in one.waiting_for}
        for match in (one, two):
            for seat in rng.sample([*chosen], len(chosen)):
                match.move(seat, chosen[seat])
        assert state(one) == state(two)


# -- Undo -------------------------------------------------------------------------------------------


@FOR_EVERY_GAME
@settings(max_examples=8)
@given(data=st.data())
def test_undo_goes_back_through_every_decision_to_the_start(game: Game[Any], data: Any) -> None:
    match, rng = match_of(data.draw(setups(game)), data.draw(SEEDS)), Random(data.draw(SEEDS))
    past = [(match.table, list(match.shuffles), len(match.events), match.decisions)]
    while not match.is_over:
        play(match, rng, decisions=1)
        past.append((match.table, list(match.shuffles), len(match.events), match.decisions))
    while match.can_undo:
        last = match._made[-1]
        assert match.undo() == last
        past.pop()
        assert past[-1] == (match.table, match.shuffles, len(match.events), match.decisions)
    assert len(past) == 1


def test_there_is_nothing_to_take_back_at_the_start() -> None:
    match = bullpen.new("x-nimmt", 2, seed=1)
    before = state(match)
    with pytest.raises(Problem) as refused:
        match.undo()
    assert refused.value.key == "nothing_to_undo"
    assert state(match) == before


@FOR_EVERY_GAME
def test_what_was_taken_back_can_be_played_again_up_to_the_next_shuffle(game: Game[Any]) -> None:
    """Later shuffles are new: nobody takes back a move to look at the cards that come."""
    match = play(match_of(set_up(game, 2), 1), Random(1), decisions=12)
    table, decisions = match.table, match.decisions
    while match.can_undo:
        match.undo()
    for made in decisions:
        match.act(made.seat, made.action)
    assert match.table == table
    play(match, Random(2))
    assert state(replay(record_text(as_record(match))))["record"] == record_text(as_record(match))


def test_a_shuffle_that_was_taken_back_is_not_dealt_again() -> None:
    match = bullpen.new("x-nimmt", 2, seed=1)
    rng = Random(1)
    while len(match.shuffles) == 1:
        play(match, rng, decisions=1)
    first, second = match.shuffles
    last = match.undo()
    assert match.shuffles == [first]
    match.act(last.seat, last.action)
    assert match.shuffles[0] == first
    assert match.shuffles[1] != second


# -- Shown as text ------------------------------------------------------------------------------------


@FOR_EVERY_GAME
def test_a_match_prints_its_title_table_and_scores(game: Game[Any]) -> None:
    match = bullpen.new(game.ID, 2, seed=1)
    table = drawn(game, match.table, match.table.lying)
    assert str(match) == (
        f"{game.TITLE}\n{table}\nscores: {match.scores}, waiting for: {match.waiting_for}"
    )
    play(match, Random(1))
    assert str(match).endswith(f"\nscores: {match.scores}, winners: {match.winners}")


def test_a_table_is_drawn_a_line_a_place() -> None:
    """Empty places and the box are left out, hidden cards are question marks, special cards named."""
    match = bullpen.new("hornochsen", 2, seed=1)
    lines = drawn(match.game, match.table, match.view(0).table.lying).splitlines()
    assert [line.split(":")[0] for line in lines] == [
        *[f"row {row}" for row in range(1, 8)],
        "hand 0",
        "hand 1",
    ]
    assert lines[-2].split()[-2:] == ["x2", "+5"]
    assert set(lines[-1].split()[2:]) == {"?"}
    assert len({line.index(line.split()[2]) for line in lines}) == 1  # in one column


# -- Everything in any order --------------------------------------------------------------------------


class MatchMachine(RuleBasedStateMachine):
    """Moves by any seat, undo, refusals and records, checked against what was there before."""

    match: Match
    past: list[dict[str, Any]]

    @initialize(data=st.data(), game=st.sampled_from([*GAMES.values()]), seed=SEEDS)
    def begin(self, data: Any, game: Game[Any], seed: int) -> None:
        self.match = match_of(data.draw(setups(game)), seed)
        self.past = [state(self.match)]

    @precondition(lambda self: not self.match.is_over)
    @rule(seed=SEEDS, decisions=st.sampled_from([1, 1, 2, 10]))
    def move(self, seed: int, decisions: int) -> None:
        rng = Random(seed)
        for _ in range(decisions):
            if not self.match.is_over:
                play(self.match, rng, decisions=1)
                self.past.append(state(self.match))

    @precondition(lambda self: self.match.can_undo)
    @rule(decisions=st.integers(1, 4))
    def undo(self, decisions: int) -> None:
        for _ in range(min(decisions, len(self.past) - 1)):
            self.match.undo()
            self.past.pop()

    @rule(seed=SEEDS)
    def try_what_is_not_allowed(self, seed: int) -> None:
        match, rng = self.match, Random(seed)
        seat = rng.randrange(match.seats)
        forbidden = [m for m in match.game.NOTATION.values() if m not in match.legal(seat)]
        with pytest.raises(IllegalMove):
            match.move(seat, rng.choice(forbidden))

    @rule()
    def write_and_replay(self) -> None:
        replayed = replay(record_text(as_record(self.match)))
        assert state(replayed) == self.past[-1]
        assert replayed.names == self.match.names
        assert replayed.waiting_for == self.match.waiting_for

    @rule()
    def go_on_with_the_replayed_match(self) -> None:
        """Nothing but what can be taken back differs, so it may take the match's place."""
        replayed = replay(record_text(as_record(self.match)))
        if replayed._made == self.match._made:  # else undo would take back another choice first
            self.match = replayed

    @invariant()
    def the_match_is_what_the_machine_remembers(self) -> None:
        assert state(self.match) == self.past[-1]
        assert len(self.match.decisions) == len(self.past) - 1

    @invariant()
    def every_card_lies_in_one_place(self) -> None:
        table = self.match.table
        alike = table.PLACES.alike  # cards that are only counted
        cards = [c for place, lie in enumerate(table.lying) if place not in alike for c in lie]
        assert sorted(cards) == list(range(1, len(cards) + 1))

    @invariant()
    def somebody_can_move_or_somebody_has_won(self) -> None:
        match = self.match
        assert match.is_over == bool(match.winners)
        for seat in range(match.seats):
            assert bool(match.legal(seat)) == (seat in match.waiting_for)
            assert match.view(seat).legal == match.game.legal(match.table, seat)


TestMatchMachine = MatchMachine.TestCase
TestMatchMachine.settings = settings(max_examples=40, stateful_step_count=15)


def test_a_problem_reads_as_a_sentence_and_names_its_key() -> None:
    with pytest.raises(bullpen.Problem) as found:
        bullpen.new("six-nimmt", seats=11)
    assert str(found.value) == "6 nimmt! is for 2 to 10 players, not 11. (bad seats)"


def test_a_problem_without_a_sentence_tells_its_key_and_facts() -> None:
    assert str(bullpen.Problem("no_such_sentence", size=3)) == "no such sentence (size 3)"
