"""Bots that think: Monte Carlo and tree search, what they promise and what they find."""

from __future__ import annotations

from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from bullpen import fast
from bullpen.about import ALL_MOVES
from bullpen.arena.tournament import play
from bullpen.bots import BOTS, Bot, bot_called
from bullpen.bots.effort import Milliseconds, Playouts, read_effort
from bullpen.bots.evaluation import Evaluator
from bullpen.bots.judgement import evaluate
from bullpen.bots.levels import LEVELS
from bullpen.fast import evaluation, playouts
from bullpen.fast.dispatch import habit_of
from bullpen.fast.words import seeded
from bullpen.game import BadOption, Game
from bullpen.games import GAMES
from bullpen.match import new
from tests.games import baron_oxx, bullenparty, eleven_nimmt, hornochsen, six_nimmt, x_nimmt
from tests.lockstep import compare
from tests.tables import after, table

THINKING = {name: bot_called(f"{name}:playouts=1500") for name in ("montecarlo", "search")}
both = pytest.mark.parametrize("bot", THINKING.values(), ids=THINKING)
every_game = pytest.mark.parametrize("name", GAMES)


def found(bot: Bot, game: Game[Any], t: Any) -> str:
    """What a bot does in seat 0 at least two times out of three, as written."""
    view = game.view(t, 0)
    moves = [game.NOTATION[bot(game, view, Random(seed))] for seed in range(3)]
    return max(moves, key=moves.count)


# -- Names and effort -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "effort"), [("playouts=2000", Playouts(2000)), ("ms=50", Milliseconds(50))]
)
def test_an_effort_is_a_number_of_playouts_or_a_time(
    word: str, effort: Playouts | Milliseconds
) -> None:
    assert read_effort("search", word) == effort


@pytest.mark.parametrize(
    "word", ["", "2000", "playouts", "playouts=0", "playouts=x", "ms=-1", "ms=1e3", "s=1", "ms=٣"]
)
def test_a_word_that_is_no_effort_is_refused(word: str) -> None:
    with pytest.raises(BadOption) as refused:
        read_effort("search", word)
    assert refused.value.key == "bad_effort"


@pytest.mark.parametrize("name", ["careful:ms=5", "easy:playouts=3", "uniform:ms=1"])
def test_a_bot_that_answers_at_once_takes_no_effort(name: str) -> None:
    with pytest.raises(BadOption) as refused:
        bot_called(name)
    assert refused.value.key == "no_effort"


def test_every_bot_and_level_can_be_called_by_its_name() -> None:
    assert all(callable(bot_called(name)) for name in BOTS)
    assert set(LEVELS) < set(BOTS)


def test_a_level_keeps_its_bot_when_it_gets_another_effort() -> None:
    view = new("six-nimmt", 3, seed=4).view(0)
    expert = bot_called("expert:playouts=300")
    same = bot_called(f"{LEVELS['expert'].bot}:playouts=300")
    for seed in range(5):
        assert expert(six_nimmt, view, Random(seed)) == same(six_nimmt, view, Random(seed))


@pytest.mark.parametrize(
    ("name", "playouts", "others"), [("hornochsen", 800, 100), ("six-nimmt", 400, 3200)]
)
def test_hard_thinks_as_much_as_the_game_needs(name: str, playouts: int, others: int) -> None:
    view = new(name, 2, seed=4).view(0)
    hard, same = bot_called("hard"), bot_called(f"montecarlo:playouts={playouts}")
    other = bot_called(f"montecarlo:playouts={others}")
    game, seeds = GAMES[name], range(12)
    chosen = [hard(game, view, Random(seed)) for seed in seeds]
    assert chosen == [same(game, view, Random(seed)) for seed in seeds]
    assert chosen != [other(game, view, Random(seed)) for seed in seeds]


@both
def test_more_time_than_none_is_enough_for_a_legal_move(bot: Bot) -> None:
    name = next(name for name, other in THINKING.items() if other is bot)
    view = new("x-nimmt", 4, seed=4).view(1)
    assert bot_called(f"{name}:ms=1")(x_nimmt, view, Random(1)) in view.legal


# -- Positions with a known best move ---------------------------------------------------------


@both
def test_in_6_nimmt_the_sixth_card_can_wait(bot: Bot) -> None:
    t = table(
        six_nimmt,
        """
        row 1: 10 20 30 40 50
        row 2: 60
        row 3: 80
        row 4: 100
        hand 0: 51 61
        hand 1: 5 6
        """,
    )
    assert found(bot, six_nimmt, t) == "play 61"


def a_row_to_take() -> Any:
    """By seat 0, whose card is too low: 7, 10, 2 or 3 heads."""
    t = table(
        six_nimmt,
        """
        row 1: 55
        row 2: 33 44
        row 3: 61 62
        row 4: 50
        hand 0: 2 90
        hand 1: 3 91
        """,
    )
    return after(six_nimmt, t, "0 play 2", "1 play 3")[0]


@both
def test_in_6_nimmt_the_row_with_the_fewest_heads_is_taken(bot: Bot) -> None:
    t = a_row_to_take()
    assert found(bot, six_nimmt, t) == "row 3"


def test_in_x_nimmt_montecarlo_lets_the_card_that_fills_a_row_wait() -> None:
    t = table(
        x_nimmt,
        """
        row 1: 33 44
        row 2: 60
        row 3: 80
        hand 0: 45 61
        hand 1: 5 6
        """,
    )
    assert found(THINKING["montecarlo"], x_nimmt, t) == "play 61"


@both
def test_in_x_nimmt_a_whole_x_row_is_not_thrown_away(bot: Bot) -> None:
    t = table(
        x_nimmt,
        """
        row 1: 8
        row 2: 71
        row 3: 80 90
        hand 0: 5 9
        hand 1: 91 92
        x row 0: 50 60
        """,
    )
    t, _ = after(x_nimmt, t, "0 play 5", "1 play 91")
    assert found(bot, x_nimmt, t) == "row 2"


@both
def test_in_hornochsen_a_green_row_is_finished(bot: Bot) -> None:
    t = table(
        hornochsen,
        """
        row 1: 1 2 3 4
        row 2: 50
        hand 0: 6 60 80
        hand 1: 5 71 72
        """,
    )
    played = []  # in this turn, in whatever order
    while hornochsen.waiting_for(t) == [0]:
        played.append(found(bot, hornochsen, t))
        t, _ = after(hornochsen, t, f"0 {played[-1]}")
    assert "play 6" in played


@both
def test_in_hornochsen_a_red_row_is_left_to_the_others(bot: Bot) -> None:
    t = table(
        hornochsen,
        """
        row 1: 10 11 15 20
        row 2: 51
        hand 0: 21 60 61
        hand 1: 22 23 72
        """,
    )
    assert found(bot, hornochsen, t) in {"play 60", "play 61"}


@both
def test_in_11_nimmt_the_last_card_is_played(bot: Bot) -> None:
    t = table(eleven_nimmt, "stack 1: 31\n stack 2: 70\n hand 0: 36\n hand 1: 50 51")
    assert found(bot, eleven_nimmt, t) == "play 36 on 31"


@both
def test_in_11_nimmt_a_single_card_is_taken_rather_than_many(bot: Bot) -> None:
    drawing = "stack 1: 10 20\n stack 2: 44 55\n stack 3: 71\n hand 0: 5 90\n hand 1: 50 51"
    assert found(bot, eleven_nimmt, table(eleven_nimmt, drawing)) == "take 71"


@both
@pytest.mark.parametrize(("variant", "move"), [("standard", "play 28"), ("positive", "play 13")])
def test_in_baron_oxx_the_sixth_card_is_laid_only_where_bulls_are_good(
    bot: Bot, variant: str, move: str
) -> None:
    """13 is blue and fits only row 1; 28 is red and fits only row 2."""
    t = table(
        baron_oxx,
        """
        row 1: 3 5 9 24 1
        row 2: 16
        row 3: 29
        row 4: 17
        row 5: 81
        hand 0: 13 28
        hand 1: 20 99
        """,
        options={"variant": variant},
    )
    assert found(bot, baron_oxx, t) == move


@both
def test_in_bullenparty_the_main_pile_gets_all_it_can_in_the_last_round(bot: Bot) -> None:
    t = table(
        bullenparty,
        """
        pile 1 of 0: 5 13 22
        pile 2 of 0: 60
        hand 0: 41 74 82 A
        hand 1: 30 31 32 33 34 B
        """,
        phase=bullenparty.rules.PILING,
        takers=(0, 1),
        emptied=2,
    )
    for move in ("pile 41 on 22", "pile 74 on 41", "pile 82 on 74"):
        assert found(bot, bullenparty, t) == move
        t, _ = after(bullenparty, t, f"0 {move}")


# -- Evaluations ------------------------------------------------------------------------------


@every_game
def test_an_evaluation_has_every_legal_move_and_the_best_is_behind_nobody(name: str) -> None:
    match = new(name, 3, seed=8)
    for _ in range(7):
        seat = match.waiting_for[0]
        match.act(seat, match.view(seat).legal[0])
    view = match.view(match.waiting_for[-1])
    evaluations = evaluate(match.game, view, playouts=600, seed=1)
    assert [one.action for one in evaluations] == view.legal
    best = max(evaluations, key=lambda one: one.lead)
    assert best.behind == 0
    assert all(one.behind >= 0 for one in evaluations)
    assert evaluations == evaluate(match.game, view, playouts=600, seed=1)


def test_more_playouts_make_an_evaluation_surer() -> None:
    view = new("baron-oxx", 3, seed=8).view(0)
    few, many = (evaluate(baron_oxx, view, playouts=playouts, seed=1) for playouts in (500, 50_000))
    assert max(one.error for one in many) < min(one.error for one in few) / 5


def test_more_playouts_make_trees_surer_on_average() -> None:
    """How far eight trees are apart is itself known only roughly."""
    view = new("x-nimmt", 4, seed=8).view(0)
    few, many = (evaluate(x_nimmt, view, playouts=playouts, seed=1) for playouts in (500, 50_000))
    assert fmean(one.error for one in many) < fmean(one.error for one in few) / 5


def test_with_nothing_to_choose_between_all_candidates_are_worth_the_same() -> None:
    """Everybody's last card goes to the end of a long row, whoever takes it: the suits are the same."""
    t = table(
        six_nimmt,
        """
        row 1: 10
        row 2: 20
        row 3: 30
        row 4: 40
        hand 0: 41 42
        hand 1: 43 44
        """,
    )
    first, second = evaluate(six_nimmt, six_nimmt.view(t, 0), playouts=4000, seed=1)
    assert abs(first.lead - second.lead) < 6 * (first.error + second.error) + 0.2


# -- What the compiled search stands on -------------------------------------------------------


@pytest.mark.parametrize("name", ["six-nimmt", "x-nimmt", "baron-oxx", "bullenparty"])
def test_in_a_secret_choice_a_twin_lets_any_seat_go_first(name: str) -> None:
    game, twin = GAMES[name], fast.twin(name)
    match = new(name, 4, seed=21)
    for number in range(40):
        for seat in match.waiting_for:
            states = twin.to_record(match.table)
            states["actor"] = seat
            legal = match.view(seat).legal
            action = legal[number % len(legal)]
            twin.apply(states[0], action)
            then, _ = game.apply(match.table, seat, action)
            compare(game, twin, then, states)
        seat = match.waiting_for[number % len(match.waiting_for)]
        match.act(seat, match.view(seat).legal[0])


def test_one_in_four_of_the_imagined_others_plays_without_aim_and_never_who_decides() -> None:
    position = Evaluator(six_nimmt, new("six-nimmt", 5, seed=1).view(2), 1).position
    assert position.aimless == 0.25
    rng = np.ones(1, np.uint64)
    drawn = [evaluation.aimless_others(position, rng) for _ in range(4000)]
    shares = [fmean(seats >> seat & 1 for seats in drawn) for seat in range(5)]
    assert shares[2] == 0
    assert shares[:2] + shares[3:] == pytest.approx([0.25] * 4, abs=0.03)


def test_where_nobody_plays_without_aim_no_chance_is_used_up() -> None:
    rng = np.ones(1, np.uint64)
    assert evaluation.is_one(0, 1, 0.0, rng) == 0
    assert evaluation.is_one(1, 1, 0.5, rng) == 0
    assert rng[0] == 1
    assert evaluation.is_one(0, 1, 1.0, rng) == 1
    assert rng[0] != 1


def test_who_plays_without_aim_takes_any_row_where_others_take_the_cheapest() -> None:
    t = a_row_to_take()
    for aimless, heads in ((evaluation.NOBODY, {2}), (0b10, {2}), (0b01, {2, 3, 7, 10})):
        taken = set()
        for number in range(40):
            states = fast.twin("six-nimmt").to_record(t)
            rng = np.zeros(1, np.uint64)
            seeded(rng, number)
            words, deck = np.zeros(2, np.uint64), np.zeros(playouts.LONGEST_DECK, np.int16)
            others = evaluation.Others(aimless, evaluation.NOBODY)
            evaluation.play_round(states[0], ALL_MOVES, others, words, deck, rng)
            taken.add(int(states[0]["points"][0]))
        assert taken == heads


def test_in_baron_oxx_half_of_the_others_do_what_is_usual_and_take_any_row_that_costs_nothing() -> (
    None
):
    position = Evaluator(GAMES["baron-oxx"], new("baron-oxx", 4, seed=1).view(1), 1).position
    rng = np.ones(1, np.uint64)
    drawn = [evaluation.imagine_table(position, number, rng) for number in range(4000)]
    shares = [fmean(seats >> seat & 1 for seats in drawn) for seat in range(4)]
    assert shares[1] == 0
    assert shares[:1] + shares[2:] == pytest.approx([0.5] * 3, abs=0.03)
    match, twin, chosen = new("baron-oxx", 4, seed=1), fast.twin("baron-oxx"), 0
    habit, words = habit_of(twin), np.zeros(2, np.uint64)
    while not match.is_over:
        seat = match.waiting_for[0]
        legal = match.view(seat).legal
        state = twin.to_record(match.table)[0]
        costs = {action: habit.rule_of_thumb(state, action) for action in legal}
        free = {action for action, cost in costs.items() if cost == min(costs.values())}
        if state["phase"] != habit.LAYING and len(free) > 1:
            usual = {evaluation.usual_or_habitual(state, 6, words, rng) for _ in range(200)}
            assert usual == free
            by_net = {evaluation.best_looking(state, 6, words, rng) for _ in range(20)}
            assert by_net == {habit.favourite(state)}
            chosen += 1
        match.act(seat, legal[0])
    assert chosen > 10


@pytest.mark.parametrize("variant", ["standard", "colour", "positive"])
def test_a_playout_of_baron_oxx_goes_four_turns_and_counts_the_bulls_taken_by_then(
    variant: str,
) -> None:
    twin, seats = fast.twin("baron-oxx"), range(4)
    start = new("baron-oxx", len(seats), seed=3, options={"variant": variant}).table
    states = twin.to_record(start)
    evaluation.play_round(
        states[0],
        1,
        evaluation.EVERYBODY_BY_HABIT,
        np.zeros(2, np.uint64),
        np.zeros(playouts.LONGEST_DECK, np.int16),
        np.ones(1, np.uint64),
    )
    then = twin.from_record(states, start.options, start.deck)
    hands = [len(then.lying[baron_oxx.rules.HAND + seat]) for seat in seats]
    bulls = [
        baron_oxx.rules.bulls_on(then.deck, then.lying[baron_oxx.rules.BULL_PILE + seat])
        for seat in seats
    ]
    held = [
        baron_oxx.rules.bulls_on(
            then.deck,
            then.lying[baron_oxx.rules.HAND + seat] + then.lying[baron_oxx.rules.DRAW + seat],
        )
        for seat in seats
    ]
    points = np.zeros(twin.SEATS, np.int32)
    twin.standing(states[0], points)
    assert hands == [4] * 4  # the second hand, of which nobody has laid a card
    assert sum(bulls) > 0
    assert list(points[:4]) == (
        [own - left for own, left in zip(bulls, held, strict=True)]
        if variant == "positive"
        else bulls
    )


# -- Strength ---------------------------------------------------------------------------------


def win_share(game: str, *bots: str, deals: int) -> tuple[float, float]:
    """The interval of the first bot's wins per seat."""
    standings = play(game, table=bots, deals=deals, seed=3, jobs=1).standings
    (first,) = [bot for bot in standings.bots if bot.bot == bots[0]]
    return first.low, first.high


@pytest.mark.parametrize("name", ["six-nimmt", "x-nimmt"])
def test_montecarlo_beats_careful(name: str) -> None:
    low, _ = win_share(name, "montecarlo:playouts=600", "careful", "careful", deals=12)
    assert low > 1 / 3


def test_search_is_not_worse_than_montecarlo() -> None:
    _, high = win_share("x-nimmt", "search:playouts=600", "montecarlo:playouts=600", deals=12)
    assert high > 1 / 2


@pytest.mark.soak
@every_game
def test_montecarlo_beats_careful_in_every_game(name: str) -> None:
    low, _ = win_share(name, "montecarlo:playouts=2000", "careful", "careful", deals=100)
    assert low > 1 / 3


@pytest.mark.soak
@every_game
def test_search_is_not_worse_than_montecarlo_at_equal_time_in_any_game(name: str) -> None:
    _, high = win_share(name, "search:ms=50", "montecarlo:ms=50", "montecarlo:ms=50", deals=100)
    assert high > 1 / 3
