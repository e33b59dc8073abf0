"""Does the referee bite? Traces broken by hand must be reported, whole ones must not."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.referee import (
    GAMES,
    Problem,
    baron_oxx,
    bullenparty,
    check,
    eleven_nimmt,
    hornochsen,
    play,
    x_nimmt,
)
from tests.referee.script import Decide, Script, Shuffle, Tell

GAMES_FOLDER = Path(__file__).parent.parent / "src" / "bullpen" / "games"
COLOURS = ("blue", "yellow", "green", "red", "black", "white")

Line = dict[str, Any]


def column(name: str, key: str) -> list[int]:
    """One column of a deck file."""
    with (GAMES_FOLDER / f"{name}.csv").open(newline="") as file:
        return [int(row[key]) for row in csv.DictReader(file)]


def deck(game: str) -> Line:
    """A deck as the header of a trace has it."""
    if game == "hornochsen":
        with (GAMES_FOLDER / "hornochsen/deck.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        sign = {"green": 1, "red": -1}
        return {"heads": [sign[row["colour"]] * int(row["heads"]) for row in rows]}
    if game == "bullenparty":
        bulls = column("bullenparty/bulls", "heads")
        return {"heads": column("bullenparty/numbers", "heads"), "bulls": bulls}
    if game == "baron-oxx":
        colours = [column("baron_oxx/deck", colour) for colour in COLOURS]
        return {"colours": [list(card) for card in zip(*colours, strict=True)]}
    return {"heads": column(f"{game.replace('-', '_')}/deck", "heads")}


def tables() -> Iterator[tuple[str, int, Line]]:
    """Every game with every number of players, and every option with some of its values."""
    values: dict[str, list[Line]] = {
        "hornochsen": [{}, {"first_seat": 1, "memory_aid": True}],
        "eleven-nimmt": [{}, {"first_seat": 1, "rounds": 1}],
        "x-nimmt": [{}, {"x_choice": "free"}, {"rounds": 1, "memory_aid": True}],
        "baron-oxx": [{}, {"variant": "colour"}, {"variant": "positive", "games": 2}],
        "bullenparty": [{}],
        "six-nimmt": [{}, {"deck": "tactical", "rounds": 2}, {"limit": 20}],
    }
    for game, choices in values.items():
        for players in GAMES[game].SEATS:
            for options in choices:
                yield game, players, options


def trace(game: str, players: int = 3) -> list[Line]:
    """A random game by the rules, its lines parsed."""
    return [json.loads(line) for line in play(game, players, {}, deck(game), Random(1))]


def problems(lines: list[Line]) -> list[Problem]:
    return check([json.dumps(line) for line in lines])


def index_of(lines: list[Line], **wanted: Any) -> int:
    """The first line that has these keys with these values."""
    return next(
        number
        for number, line in enumerate(lines)
        if all(line.get(key, wanted) == value for key, value in wanted.items())
    )


def told(script: Script, *answers: Any) -> list[Line | list[str] | list[int]]:
    """What a part of a script says: lines, legal moves and cards to shuffle; all answers used."""
    said: list[Any] = []
    given = iter(answers)
    try:
        step = next(script)
        while True:
            if isinstance(step, Tell):
                said.append(step.line)
                step = script.send(None)
            else:
                said.append(step.legal if isinstance(step, Decide) else step.cards)
                assert isinstance(step, Decide | Shuffle)
                step = script.send(next(given))
    except StopIteration:
        assert not list(given)
    return said


# -- Whole traces ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players", "options"), list(tables()))
def test_a_game_by_the_rules_has_no_problems(game: str, players: int, options: Line) -> None:
    lines = [
        line for seed in range(3) for line in play(game, players, options, deck(game), Random(seed))
    ]
    assert check(lines) == []


@pytest.mark.parametrize(
    ("game", "prefer"), [("bullenparty", "bid 0"), ("eleven-nimmt", "play"), ("hornochsen", "+5")]
)
def test_a_game_full_of_one_move_has_no_problems(game: str, prefer: str) -> None:
    for players in GAMES[game].SEATS:
        assert check(play(game, players, {}, deck(game), Random(players), prefer)) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_missing_line_is_reported_wherever_it_is(game: str) -> None:
    lines = trace(game, players=2)
    for number in range(1, len(lines), 7):
        assert problems(lines[:number] + lines[number + 1 :]), lines[number]
    assert problems(lines[:-1])[0].line == len(lines)


@pytest.mark.parametrize("game", GAMES)
def test_a_repeated_line_is_reported_wherever_it_is(game: str) -> None:
    lines = trace(game, players=2)
    for number in range(0, len(lines), 7):
        assert problems(lines[: number + 1] + lines[number:]), lines[number]
    assert problems([*lines, lines[-1]])[0].line == len(lines) + 1


@pytest.mark.parametrize("game", GAMES)
def test_a_change_in_any_event_or_result_is_reported_at_its_line(game: str) -> None:
    lines = trace(game)
    broken = []
    for number, line in enumerate(lines, 1):
        if "event" in line or "scores" in line:
            line["note"] = 1
            broken.append(number)
    assert [problem.line for problem in problems(lines)] == broken


@pytest.mark.parametrize("game", GAMES)
def test_a_missing_a_surplus_and_a_repeated_legal_move_are_reported(game: str) -> None:
    lines = trace(game)
    number = next(n for n, line in enumerate(lines) if len(line.get("legal", [])) > 1)
    legal = lines[number]["legal"]
    other = next(move for move in legal if move != lines[number]["move"])
    for changed in ([m for m in legal if m != other], [*legal, "play 0"], [*legal, other]):
        lines[number]["legal"] = changed
        assert [problem.line for problem in problems(lines)] == [number + 1]


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_move_is_reported(game: str) -> None:
    lines = trace(game)
    number = index_of(lines, seat=0)
    lines[number]["move"] = "play 0"
    assert problems(lines)[0].found == 'move "play 0"'


@pytest.mark.parametrize("game", GAMES)
def test_a_decision_by_the_wrong_seat_is_reported(game: str) -> None:
    lines = trace(game)
    number = next(n for n, line in enumerate(lines) if "move" in line)
    lines[number]["seat"] += 1
    assert problems(lines)[0].line == number + 1


@pytest.mark.parametrize("game", GAMES)
def test_wrong_scores_and_winners_are_reported(game: str) -> None:
    for key in ("scores", "winners"):
        lines = trace(game)
        lines[-1][key] = [value + 1 for value in lines[-1][key]]
        assert [problem.line for problem in problems(lines)] == [len(lines)]


@pytest.mark.parametrize("game", ["eleven-nimmt", "x-nimmt", "baron-oxx", "six-nimmt"])
def test_a_missing_round_line_is_reported(game: str) -> None:
    lines = trace(game)
    number = index_of(lines, round=1)
    del lines[number]
    assert problems(lines)[0].line == number + 1


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        ("hornochsen", "place", "take"),
        ("eleven-nimmt", "take", "open"),
        ("x-nimmt", "collect", "place"),
        ("baron-oxx", "take", "place"),
        ("bullenparty", "draw", "extend"),
        ("six-nimmt", "take", "place"),
    ],
)
def test_two_events_swapped_are_reported(game: str, first: str, second: str) -> None:
    lines = trace(game, players=2)
    names = [line.get("event") for line in lines]
    number = list(pairwise(names)).index((first, second))
    lines[number : number + 2] = lines[number + 1], lines[number]
    assert [problem.line for problem in problems(lines)] == [number + 1, number + 2]


@pytest.mark.parametrize("game", ["x-nimmt", "baron-oxx", "six-nimmt"])
def test_a_wrong_row_is_reported(game: str) -> None:
    lines = trace(game)
    number = index_of(lines, event="place")
    lines[number]["row"] += 1
    assert [problem.line for problem in problems(lines)] == [number + 1]


@pytest.mark.parametrize("game", GAMES)
def test_a_shuffle_of_other_cards_is_reported(game: str) -> None:
    lines = trace(game)
    lines[1]["shuffle"][0] = lines[1]["shuffle"][1]
    assert [problem.line for problem in problems(lines)] == [2]


@pytest.mark.parametrize("game", GAMES)
def test_a_header_must_have_every_option_and_the_whole_deck(game: str) -> None:
    for key in ("players", "options", "deck"):
        lines = trace(game)
        del lines[0][key]
        assert problems(lines)[0].line == 1
    for option in trace(game)[0]["options"]:
        lines = trace(game)
        del lines[0]["options"][option]
        assert problems(lines)[0].expected == f"option {option}"
    for change in ({"memory_aid": 0}, {"speed": 1}):
        lines = trace(game)
        lines[0]["options"].update(change)
        assert len(problems(lines)) == 1
    lines = trace(game)
    next(iter(lines[0]["deck"].values())).pop()
    assert len(problems(lines)) == 1


def test_a_number_is_not_a_truth_value() -> None:
    lines = trace("six-nimmt")
    number = index_of(lines, event="place", seat=1)
    lines[number]["seat"] = True
    assert [problem.line for problem in problems(lines)] == [number + 1]


def test_a_broken_game_does_not_hide_the_next_one() -> None:
    first, second = trace("six-nimmt"), trace("x-nimmt")
    first[2]["move"] = "play 0"
    second[-1]["scores"][0] += 1
    assert [problem.line for problem in problems(first + second)] == [3, len(first + second)]


def test_nothing_and_what_is_no_json_are_reported() -> None:
    assert check([]) == [Problem(1, "the header of a game", "nothing")]
    assert [problem.line for problem in check(["{", "", "[1]", '{"a":1,"a":1}'])] == [1, 2, 3, 4]


# -- Corners of the rules, worked out by hand -----------------------------------------------------


def test_ho_9_and_ho_10_the_second_worked_example() -> None:
    rows = [hornochsen.Row([end]) for end in (20, 71, 94)]
    for card, end in ((5, 94), (87, 71), (4, 87)):
        row = hornochsen.row_for(rows, card)
        assert row.end == end
        row.cards.append(card)


def test_ho_14_and_ho_15_passing_over_ends_with_the_last_number_card() -> None:
    row = hornochsen.Row([10, 11, 12], ["x2", "+5"])
    table = hornochsen.Table([[13, 14], []], [["x2"], ["+5"]], [row], [[], []])
    assert hornochsen.playable(table, 1) == []
    assert told(hornochsen.turn(table, 0), "play 13", "play 14") == [
        ["play 13", "play 14"],
        {"event": "place", "seat": 0, "card": 13, "onto": 12},
        ["play 14", "stop"],
        {"event": "place", "seat": 0, "card": 14, "onto": 13},
        {"event": "take", "seat": 0, "cards": [10, 11, 12, 13, 14], "specials": ["x2", "+5"]},
    ]
    heads = [1] * 98
    assert [hornochsen.score(heads, table, seat) for seat in (0, 1)] == [(5 + 5) * 2 - 10, -10]


def test_en_14_further_cards_go_upwards_and_a_left_stack_is_closed() -> None:
    hand, tops = [99, 3, 6, 34, 35], [96, 33]
    assert eleven_nimmt.further_plays(hand, tops, [96], 100, bulls=0) == []
    assert eleven_nimmt.further_plays(hand, tops, [96], 100, bulls=1) == [
        "play 3 on 96",
        "play 6 on 96",
    ]
    assert eleven_nimmt.further_plays(hand, tops, [96], 6, bulls=2) == [
        "play 34 on 33",
        "play 35 on 33",
    ]
    assert eleven_nimmt.further_plays(hand, tops, [96, 33], 34, bulls=3) == ["play 35 on 33"]


@pytest.mark.parametrize(
    ("bulls", "said"),
    [
        ([4, 3, 3], []),
        ([4, 4, 2], [{"event": "bull", "seat": 0, "from": 1}]),
        ([2, 4, 4], [["bull from 1", "bull from 2"], {"event": "bull", "seat": 0, "from": 2}]),
        ([3, 3, 3], [{"event": "bull", "seat": 0, "from": "supply"}]),
    ],
)
def test_en_12_a_bull_card_from_whoever_has_the_most(bulls: list[int], said: list[Any]) -> None:
    table = eleven_nimmt.Table([[1], [2], [3]], [[50, 51, 52]], [9], bulls)
    answers = ["bull from 2"] if len(said) == 2 else []
    assert told(eleven_nimmt.take(table, 0, table.stacks[0]), *answers) == [
        {"event": "take", "seat": 0, "cards": [50, 51, 52]},
        *said,
        {"event": "open", "card": 9},
    ]


def test_en_18_the_first_of_equals_clockwise_from_the_last_starter() -> None:
    assert [eleven_nimmt.next_starter([7, 5, 7], starter) for starter in (0, 1, 2)] == [0, 2, 2]


def test_xn_11_only_a_higher_card_may_be_kept() -> None:
    assert x_nimmt.keepable([50], [10, 60], strict=True) == [60]
    assert x_nimmt.keepable([50], [10, 60], strict=False) == [10, 60]
    assert x_nimmt.keepable([50], [10, 20], strict=True) == [10, 20]
    assert x_nimmt.keepable([], [10, 60], strict=True) == [10, 60]


def test_xn_10_the_x_row_moves_to_the_x_pile_before_a_lower_card() -> None:
    table = x_nimmt.Table([[20], [40], [60]], [[], []], [[50], []], [[], []], strict=True)
    assert told(x_nimmt.place(table, 0, 3), "row 2") == [
        ["row 1", "row 2", "row 3"],
        {"event": "collect", "seat": 0, "cards": [40], "row": 2},
        {"event": "place", "seat": 0, "card": 3, "row": 2},
        {"event": "x_flush", "seat": 0, "cards": [50]},
        {"event": "keep", "seat": 0, "card": 40},
    ]
    assert (table.x_rows[0], table.x_piles[0], table.hands[0]) == ([40], [50], [])


def baron_table(variant: str, rows: list[list[int]]) -> baron_oxx.Table:
    """Card 1 shows a blue bull, card 2 a yellow one, ..., card 7 a blue one again."""
    colours = [[int(card % 6 == colour) for colour in range(6)] for card in range(110)]
    return baron_oxx.Table(colours, variant, [[], []], [[], []], rows, [[], []])


def test_bo_9_is_named_before_bo_10_and_is_not_in_colour() -> None:
    blue = [1, 7, 13, 19, 25, 31]
    for variant, rule in (("standard", "BO-9"), ("colour", None)):
        table = baron_table(variant, [blue[:5]])
        table.colours[30] = [1, 0, 0, 0, 0, 0]
        table.colours[24] = [0, 1, 0, 0, 0, 0]
        assert baron_oxx.rule_of_taking(table, blue[:5], 31) == rule
        table.colours[24] = [1, 0, 0, 0, 0, 0]
        assert baron_oxx.rule_of_taking(table, blue[:5], 31) == (rule or "BO-10")


def test_bo_16_and_bo_17_a_card_goes_under_until_nothing_can_be_placed() -> None:
    table = baron_table("positive", [[1], [7], [13], [19], [25]])
    table.hands, table.draws = [[2], [3]], [[], [31]]
    said = told(baron_oxx.turn(table), "play 2", "play 3")
    assert said[3:] == [
        {"event": "under", "seat": 0, "card": 2},
        {"event": "under", "seat": 1, "card": 3},
    ]
    assert table.draws == [[2], [31, 3]]
    assert not baron_oxx.is_over(table)  # 31 has not gone under
    assert told(baron_oxx.refill(table)) == [
        {"event": "draw", "seat": 0, "count": 1},
        {"event": "draw", "seat": 1, "count": 2},
    ]
    table.hands[1].remove(31)
    assert baron_oxx.is_over(table)  # BO-17: 2 and 3 have
    assert [baron_oxx.score(table, seat) for seat in (0, 1)] == [-1, -1]


def party(**changes: Any) -> bullenparty.Table:
    """Two players at a table with nothing on it."""
    table = bullenparty.Table(["B", "A"], [[10], [20]], [], [4, 4], [[], []], [[], []])
    for name, value in changes.items():
        setattr(table, name, value)
    return table


def test_bp_19_the_shuffle_comes_within_a_row_and_last_round_after_it() -> None:
    table = party(draw=[5], discard=[7, 8, 9])
    assert told(bullenparty.lay_rows(table), [9, 7, 8]) == [
        [7, 8, 9],
        {"event": "lay_row", "row": 1, "cards": [5, 9]},
        {"event": "last_round"},
        {"event": "lay_row", "row": 2, "cards": [7, 8]},
    ]
    table = party(draw=[5, 6], discard=[7, 8, 9])
    assert told(bullenparty.lay_rows(table), [9, 7, 8]) == [
        {"event": "lay_row", "row": 1, "cards": [5, 6]},
        {"event": "last_round"},
        [7, 8, 9],
        {"event": "lay_row", "row": 2, "cards": [9, 7]},
    ]


def test_bp_10_to_bp_12_zeros_by_letter_the_bull_card_and_then_the_last_round() -> None:
    rows = {1: bullenparty.Row([1, 2, 3, 4]), 2: bullenparty.Row([11, 12, 13, 14, 15])}
    table = party(draw=[5], rows=rows)
    assert told(bullenparty.bidding(table, []), "bid 0", "bid 0") == [
        ["bid 10", "bid 0"],
        ["bid 20", "bid 0"],
        {"event": "reveal", "bids": [0, 0]},
        {"event": "draw", "seat": 1, "card": 5},
        {"event": "extend", "seat": 1, "row": 1, "card": 5},
        {"event": "bull", "row": 1, "heads": 4},
        {"event": "last_round"},
    ]
    assert bullenparty.legal_bids(table, 0) == ["bid 10"]  # BP-14: every row has five


def test_bp_11_and_bp_14_nothing_is_left_to_draw() -> None:
    rows = {1: bullenparty.Row([1, 2]), 2: bullenparty.Row([11, 12])}
    table = party(draw=[5], rows=rows)
    said = told(bullenparty.bidding(table, []), "bid 0", "bid 0", "extend 2")
    assert said[3:] == [
        {"event": "draw", "seat": 1, "card": 5},
        ["extend 1", "extend 2"],
        {"event": "extend", "seat": 1, "row": 2, "card": 5},
        {"event": "last_round"},
    ]
    assert bullenparty.legal_bids(table, 0) == ["bid 10"]


def test_bp_9_and_bp_19_a_served_bid_is_shuffled_and_drawn_at_once() -> None:
    rows = {1: bullenparty.Row([1, 2]), 2: bullenparty.Row([11, 12])}
    table = party(discard=[9], rows=rows, last_round=True, announced=True)
    said = told(bullenparty.bidding(table, []), "bid 0", "bid 20", "take 1", [20, 9])
    assert said[2:] == [
        {"event": "reveal", "bids": [0, 20]},
        ["take 1", "take 2"],
        {"event": "take", "seat": 1, "row": 1, "cards": [1, 2], "bulls": []},
        [9, 20],
        {"event": "draw", "seat": 0, "card": 20},
        {"event": "extend", "seat": 0, "row": 2, "card": 20},
    ]
