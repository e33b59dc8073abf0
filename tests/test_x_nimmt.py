"""The rules of X nimmt!, one test a sentence; read it beside docs/games/x-nimmt.md."""

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bullpen.cards import UNSEEN, mask
from bullpen.deck import BadDeck, deck_from_json, load_deck
from bullpen.game import (
    BadOption,
    Event,
    IllegalMove,
    OptionValue,
    complete_options,
    read_options,
    refuse,
)
from bullpen.games.x_nimmt import rules
from tests.games import x_nimmt as game
from tests.tables import after, as_drawn, deck_file, legal, lying, pictured, refused, table

REVERSED = list(
    range(100, 0, -1)
)  # a shuffle: rows 100, 99, 98; seat 0: 97 to 90; seat 1: 89 to 82
ROUND_END = {"event": "round_end"}


def reveal(*cards: int) -> Event:
    return {"event": "reveal", "cards": list(cards)}


def place(seat: int, card: int, *, row: int) -> Event:
    return {"event": "place", "seat": seat, "card": card, "row": row}


def collect(seat: int, cards: Sequence[int], *, row: int) -> Event:
    return {"event": "collect", "seat": seat, "cards": list(cards), "row": row}


def keep(seat: int, card: int) -> Event:
    return {"event": "keep", "seat": seat, "card": card}


def x_flush(seat: int, *cards: int) -> Event:
    return {"event": "x_flush", "seat": seat, "cards": list(cards)}


def empty_table(seats: int, **options: OptionValue) -> rules.Table:
    chosen = complete_options(game, seats, options)
    empty: rules.Table = game.set_up(seats, chosen, load_deck(game.DECK_FILES))
    return empty


def dealt(seats: int, shuffled: Sequence[int] = REVERSED, **options: OptionValue) -> rules.Table:
    after: rules.Table = game.deal(empty_table(seats, **options), shuffled)[0]
    return after


def shuffle_beginning(*cards: int) -> list[int]:
    return [*cards, *[card for card in game.CARDS if card not in cards]]


# -- Cards ------------------------------------------------------------------------------------


@pytest.mark.rule("XN-1")
def test_there_are_a_hundred_cards_with_one_two_three_five_or_seven_heads() -> None:
    heads = load_deck(game.DECK_FILES).heads[1:]
    assert len(heads) == 100
    for card, shown in enumerate(heads, start=1):
        if card == 55:
            assert shown == 7
        elif card % 11 == 0:
            assert shown == 5
        elif card % 10 == 0:
            assert shown == 3
        elif card % 5 == 0:
            assert shown == 2
        else:
            assert shown == 1


@pytest.mark.rule("XN-1")
def test_the_deck_is_established() -> None:
    assert load_deck(game.DECK_FILES).basis == "established"


@pytest.mark.rule("XN-1")
def test_an_own_deck_file_says_what_the_cards_show(tmp_path: Path) -> None:
    path = deck_file(game, tmp_path, {2: "100,7", 101: " 1 , 5 ", 102: ""})
    deck = load_deck(game.DECK_FILES, [path])
    assert (deck.heads[100], deck.heads[1], deck.heads[55]) == (7, 5, 7)
    assert deck.basis == "own"


@pytest.mark.rule("XN-1")
def test_an_own_deck_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = deck_file(game, tmp_path, {1: "\ufeffnumber,heads"})
    assert load_deck(game.DECK_FILES, [path]).heads == load_deck(game.DECK_FILES).heads


@pytest.mark.rule("XN-1")
@pytest.mark.parametrize(
    ("lines", "key", "facts"),
    [
        pytest.param({2: "2,1"}, "deck_twice", {"line": 3, "number": 2, "first": 2}, id="twice"),
        pytest.param({44: None}, "deck_missing", {"number": 43, "cards": 100}, id="missing"),
        pytest.param({101: "101,1"}, "deck_number", {"line": 101, "number": 101}, id="too high"),
        pytest.param({2: "0,1"}, "deck_number", {"line": 2, "number": 0}, id="too low"),
        pytest.param({2: "1,0"}, "deck_row", {"line": 2, "row": "1,0"}, id="no heads"),
        pytest.param({5: "4,4"}, "deck_row", {"line": 5, "row": "4,4"}, id="four heads"),
        pytest.param({5: "4,6"}, "deck_row", {"line": 5, "row": "4,6"}, id="six heads"),
        pytest.param({5: "4,8"}, "deck_row", {"line": 5, "row": "4,8"}, id="eight heads"),
        pytest.param({5: "4,-1"}, "deck_row", {"line": 5, "row": "4,-1"}, id="red heads"),
        pytest.param({5: "4,one"}, "deck_row", {"line": 5, "row": "4,one"}, id="a word"),
        pytest.param({5: "four,1"}, "deck_row", {"line": 5, "row": "four,1"}, id="a number word"),
        pytest.param({5: "4"}, "deck_columns", {"line": 5, "columns": "number,heads"}, id="short"),
        pytest.param({5: "4,1,1"}, "deck_columns", {"line": 5}, id="a column too many"),
        pytest.param({4: "", 5: "4,4"}, "deck_row", {"line": 5}, id="below an empty line"),
    ],
)
def test_a_bad_line_in_an_own_deck_file_is_named_with_the_rule(
    tmp_path: Path, lines: dict[int, str | None], key: str, facts: dict[str, object]
) -> None:
    path = deck_file(game, tmp_path, lines)
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert caught.value.key == key
    assert caught.value.facts.items() >= {"file": str(path), "rule": "XN-1", **facts}.items()


def test_a_forbidden_number_of_heads_is_told_with_those_allowed(tmp_path: Path) -> None:
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [deck_file(game, tmp_path, {5: "4,4"})])
    assert caught.value.facts["allowed"] == "heads 1, 2, 3, 5, 7"


@pytest.mark.parametrize("header", ["number,points", "heads,number", "number", "", "1,1"])
def test_a_deck_file_with_another_header_is_refused(tmp_path: Path, header: str) -> None:
    path = deck_file(game, tmp_path, {1: header})
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert caught.value.key == "deck_header"
    assert caught.value.facts == {"file": path, "header": header, "expected": "number,heads"}


def test_an_empty_deck_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.touch()
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert caught.value.key == "deck_header"


def test_a_deck_file_that_is_not_there_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [tmp_path / "nowhere.csv"])
    assert caught.value.key == "deck_unreadable"
    assert caught.value.facts == {
        "file": tmp_path / "nowhere.csv",
        "reason": "No such file or directory",
    }


def test_a_deck_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert caught.value.key == "deck_not_text"
    assert caught.value.facts == {"file": path}


@pytest.mark.rule("XN-1")
def test_the_deck_of_a_record_must_have_a_hundred_allowed_cards() -> None:
    with pytest.raises(BadDeck) as caught:
        deck_from_json(game.DECK_FILES, {"heads": [1] * 99})
    assert (caught.value.key, caught.value.facts["rule"]) == ("deck_size", "XN-1")
    with pytest.raises(BadDeck) as caught:
        deck_from_json(game.DECK_FILES, {"heads": [1] * 99 + [4]})
    assert (caught.value.key, caught.value.facts["card"]) == ("deck_face", 100)


# -- Setting up a round -----------------------------------------------------------------------


@pytest.mark.rule("XN-2")
def test_all_hundred_cards_are_shuffled() -> None:
    assert game.to_shuffle(empty_table(2)) == list(range(1, 101))


@pytest.mark.rule("XN-2")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_card_goes_to_each_row_then_eight_to_each_player(seats: int) -> None:
    t, events = game.deal(empty_table(seats), REVERSED)
    assert [lying(game, t, f"row {row}") for row in (1, 2, 3)] == [[100], [99], [98]]
    hands = [range(90, 98), range(82, 90), range(74, 82), range(66, 74)]
    for seat in range(seats):
        assert lying(game, t, f"hand {seat}") == list(hands[seat])
        assert lying(game, t, f"laid {seat}") == []
        assert lying(game, t, f"x row {seat}") == []
        assert lying(game, t, f"x pile {seat}") == []
    assert lying(game, t, "box") == list(range(1, 98 - 8 * seats))
    assert lying(game, t, "collected") == []
    assert events == []


@pytest.mark.rule("XN-2")
def test_the_deal_follows_the_shuffle_card_by_card() -> None:
    t = dealt(2, shuffle_beginning(50, 7, 31, *range(40, 48), 99, 3, 88, 5, 77, 9, 66, 11))
    assert [lying(game, t, f"row {row}") for row in (1, 2, 3)] == [[50], [7], [31]]
    assert lying(game, t, "hand 0") == list(range(40, 48))
    assert lying(game, t, "hand 1") == [3, 5, 9, 11, 66, 77, 88, 99]


@pytest.mark.rule("XN-2")
def test_nothing_is_shuffled_while_a_round_is_being_played() -> None:
    assert game.to_shuffle(dealt(2)) == []


@pytest.mark.rule("XN-2")
def test_each_round_is_dealt_from_all_hundred_cards_with_empty_x_rows_and_piles() -> None:
    t = table(
        game,
        """
        row 1: 10
        row 2: 20
        row 3: 30
        hand 0: 40
        hand 1: 50 60
        x row 0: 5 6
        x pile 1: 7 8
        """,
    )
    t, _ = after(game, t, "0 play 40", "1 play 50")
    assert game.to_shuffle(t) == list(range(1, 101))
    t, events = game.deal(t, REVERSED)
    fresh = dealt(2)
    assert t.lying == fresh.lying
    assert (t.phase, t.seen) == (fresh.phase, fresh.seen)
    assert events == []


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_can_play(seats: int) -> None:
    with pytest.raises(BadOption) as caught:
        complete_options(game, seats, {})
    assert caught.value.key == "bad_seats"
    assert caught.value.facts == {"game": "x-nimmt", "seats": seats, "least": 2, "most": 4}


def test_the_options_have_defaults() -> None:
    defaults = {"rounds": 2, "x_choice": "strict", "memory_aid": False}
    assert complete_options(game, 2, {}) == defaults


def test_options_can_be_typed() -> None:
    typed = ["rounds=3", "x_choice=free", "memory_aid=on"]
    chosen = {"rounds": 3, "x_choice": "free", "memory_aid": True}
    assert read_options(game, 2, typed) == chosen


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rounds", 0),
        ("rounds", -1),
        ("rounds", "two"),
        ("rounds", None),
        ("rounds", True),
        ("x_choice", "any"),
        ("x_choice", None),
        ("memory_aid", "perhaps"),
    ],
)
def test_an_option_with_a_value_that_it_does_not_have_is_refused(
    name: str, value: OptionValue
) -> None:
    with pytest.raises(BadOption) as caught:
        complete_options(game, 2, {name: value})
    assert (caught.value.key, caught.value.facts["option"]) == ("bad_option", name)


# -- A turn -----------------------------------------------------------------------------------

QUIET = """
    row 1: 10
    row 2: 40
    row 3: 70
    hand 0: 1 75
    hand 1: 2 12
    hand 2: 3 45
"""


@pytest.mark.rule("XN-3")
def test_nothing_happens_until_everyone_has_chosen() -> None:
    t = table(game, QUIET)
    assert game.waiting_for(t) == [0, 1, 2]
    t, events = after(game, t, "1 play 12")
    assert game.waiting_for(t) == [0, 2]
    assert (lying(game, t, "hand 1"), lying(game, t, "laid 1")) == ([2], [12])
    t, more = after(game, t, "0 play 75")
    assert game.waiting_for(t) == [2]
    assert events + more == []
    assert lying(game, t, "row 3") == [70]


@pytest.mark.rule("XN-3")
def test_all_cards_are_revealed_at_once_and_the_lowest_is_placed_first() -> None:
    t, events = after(game, table(game, QUIET), "0 play 75", "1 play 12", "2 play 45")
    assert events == [
        reveal(75, 12, 45),
        place(1, 12, row=1),
        place(2, 45, row=2),
        place(0, 75, row=3),
    ]
    assert [lying(game, t, f"row {row}") for row in (1, 2, 3)] == [[10, 12], [40, 45], [70, 75]]
    assert [lying(game, t, f"hand {seat}") for seat in range(3)] == [[1], [2], [3]]
    assert [lying(game, t, f"laid {seat}") for seat in range(3)] == [[], [], []]
    assert game.waiting_for(t) == [0, 1, 2]


@pytest.mark.rule("XN-3")
def test_the_order_of_the_secret_choices_does_not_matter() -> None:
    one = after(game, table(game, QUIET), "0 play 75", "1 play 12", "2 play 45")
    other = after(game, table(game, QUIET), "2 play 45", "0 play 75", "1 play 12")
    assert one == other


@pytest.mark.rule("XN-3")
def test_every_card_of_the_hand_may_be_chosen() -> None:
    t = table(game, QUIET)
    assert legal(game, t, 0) == {"play 1", "play 75"}
    assert legal(game, after(game, t, "0 play 1")[0], 0) == set()


@pytest.mark.rule("XN-3")
def test_the_last_card_of_a_hand_is_chosen_like_any_other() -> None:
    t = table(
        game,
        """
        row 1: 10
        row 2: 40
        row 3: 70
        hand 0: 75
        hand 1: 12
        """,
    )
    assert game.waiting_for(t) == [0, 1]
    assert legal(game, t, 0) == {"play 75"}


@pytest.mark.rule("XN-4")
def test_a_card_goes_only_onto_a_row_whose_last_card_is_lower() -> None:
    """Row 2 ends nearest to 50, and row 3 began lower, but only row 1 ends lower."""
    t = table(
        game,
        """
        row 1: 8
        row 2: 51
        row 3: 49 90
        hand 0: 50 1
        hand 1: 91 2
        """,
    )
    t, events = after(game, t, "0 play 50", "1 play 91")
    assert events == [reveal(50, 91), place(0, 50, row=1), place(1, 91, row=3)]
    assert lying(game, t, "row 1") == [8, 50]


@pytest.mark.rule("XN-4", "XN-5")
def test_the_next_higher_number_fits() -> None:
    t = table(
        game,
        """
        row 1: 49
        row 2: 8
        row 3: 51
        hand 0: 50 1
        hand 1: 52 2
        """,
    )
    _, events = after(game, t, "0 play 50", "1 play 52")
    assert events == [reveal(50, 52), place(0, 50, row=1), place(1, 52, row=3)]


@pytest.mark.rule("XN-5")
@pytest.mark.parametrize(
    ("ends", "row"),
    [((20, 30, 40), 3), ((40, 30, 20), 1), ((30, 40, 20), 2), ((30, 20, 60), 1), ((60, 70, 3), 3)],
)
def test_of_the_lower_rows_a_card_goes_to_the_nearest(ends: tuple[int, int, int], row: int) -> None:
    t = table(
        game,
        f"""
        row 1: {ends[0]}
        row 2: {ends[1]}
        row 3: {ends[2]}
        hand 0: 50 1
        hand 1: 99 2
        """,
    )
    _, events = after(game, t, "0 play 50", "1 play 99")
    assert events[:2] == [reveal(50, 99), place(0, 50, row=row)]


@pytest.mark.rule("XN-3", "XN-4", "XN-5")
def test_each_card_is_placed_on_the_rows_as_the_cards_before_it_left_them() -> None:
    """Example 1."""
    t = table(
        game,
        """
        row 1: 2
        row 2: 17
        row 3: 55
        hand 0: 60 5
        hand 1: 22 6
        hand 2: 18 7
        """,
    )
    t, events = after(game, t, "0 play 60", "1 play 22", "2 play 18")
    assert events == [
        reveal(60, 22, 18),
        place(2, 18, row=2),
        place(1, 22, row=2),
        place(0, 60, row=3),
    ]
    assert lying(game, t, "row 2") == [17, 18, 22]


@pytest.mark.rule("XN-6")
def test_the_fourth_card_of_row_2_collects_the_three_and_is_its_first() -> None:
    """Example 2."""
    t = table(
        game,
        """
        row 1: 20
        row 2: 31 40 58
        row 3: 80
        hand 0: 59 1
        hand 1: 90 2
        """,
    )
    t, events = after(game, t, "0 play 59", "1 play 90")
    assert events == [reveal(59, 90), collect(0, [31, 40, 58], row=2), place(0, 59, row=2)]
    assert lying(game, t, "row 2") == [59]
    assert lying(game, t, "collected") == [31, 40, 58]


@pytest.mark.rule("XN-6")
@pytest.mark.parametrize(
    ("row", "before"), [(1, [20]), (2, [20, 21]), (3, [20, 21, 22])], ids=["3a", "4a", "5a"]
)
def test_a_card_less_than_its_number_does_not_fill_a_row(row: int, before: list[int]) -> None:
    t, events = after(game, full_but_for(row, before), "0 play 30", "1 play 99")
    assert events[1] == place(0, 30, row=row)
    assert lying(game, t, f"row {row}") == [*before, 30]


@pytest.mark.rule("XN-6")
@pytest.mark.parametrize(
    ("row", "before"), [(1, [20, 21]), (2, [20, 21, 22]), (3, [20, 21, 22, 23])]
)
def test_the_third_fourth_or_fifth_card_fills_a_row(row: int, before: list[int]) -> None:
    t, events = after(game, full_but_for(row, before), "0 play 30", "1 play 99")
    assert events == [reveal(30, 99), collect(0, before, row=row), place(0, 30, row=row)]
    assert lying(game, t, f"row {row}") == [30]


def full_but_for(row: int, before: list[int]) -> Any:
    """A table with these cards in one row, and the other rows too high for seat 0's 30."""
    high = {1: "60", 2: "70", 3: "80"} | {row: " ".join(map(str, before))}
    rows = "\n".join(f"row {number}: {cards}" for number, cards in high.items())
    return table(game, f"{rows}\nhand 0: 30 1\nhand 1: 99 2")


TOO_LOW = """
    row 1: 81
    row 2: 59
    row 3: 93 94
    hand 0: 66 1
    hand 1: 43 2
    hand 2: 89 3
"""


@pytest.mark.rule("XN-7", "XN-9")
def test_a_card_lower_than_every_row_collects_a_row_of_its_players_choice() -> None:
    """Example 3."""
    t, events = after(game, table(game, TOO_LOW), "0 play 66", "1 play 43", "2 play 89")
    assert events == [reveal(66, 43, 89)]
    assert game.waiting_for(t) == [1]
    assert legal(game, t, 1) == {"row 1", "row 2", "row 3"}
    assert legal(game, t, 0) == legal(game, t, 2) == set()
    t, events = after(game, t, "1 row 2")
    assert events == [
        collect(1, [59], row=2),
        place(1, 43, row=2),
        keep(1, 59),
        place(0, 66, row=2),
        place(2, 89, row=1),
    ]
    assert lying(game, t, "x row 1") == [59]
    assert lying(game, t, "hand 1") == [2]
    assert [lying(game, t, f"row {row}") for row in (1, 2, 3)] == [[81, 89], [43, 66], [93, 94]]


@pytest.mark.rule("XN-7")
@pytest.mark.parametrize(("row", "collected"), [(1, [81]), (2, [59]), (3, [93, 94])])
def test_any_row_may_be_chosen_for_a_card_that_is_too_low(row: int, collected: list[int]) -> None:
    t, _ = after(game, table(game, TOO_LOW), "0 play 66", "1 play 43", "2 play 89")
    t, events = after(game, t, f"1 row {row}")
    assert events[:2] == [collect(1, collected, row=row), place(1, 43, row=row)]
    assert lying(game, t, f"row {row}")[0] == 43


@pytest.mark.rule("XN-7")
def test_a_card_just_higher_than_the_lowest_row_is_not_too_low() -> None:
    drawing = """
        row 1: 50
        row 2: 60
        row 3: 70
        hand 0: 49 51
        hand 1: 98 99
    """
    too_low, events = after(game, table(game, drawing), "0 play 49", "1 play 98")
    assert events == [reveal(49, 98)]
    assert game.waiting_for(too_low) == [0]
    _, events = after(game, table(game, drawing), "0 play 51", "1 play 98")
    assert events == [reveal(51, 98), place(0, 51, row=1), place(1, 98, row=3)]


@pytest.mark.rule("XN-3", "XN-7")
def test_only_the_lowest_card_of_a_turn_can_be_too_low() -> None:
    """All three are lower than every row; once the 7 begins one, the 8 and the 9 fit there."""
    t = table(
        game,
        """
        row 1: 50
        row 2: 60
        row 3: 70
        hand 0: 9 1
        hand 1: 8 2
        hand 2: 7 3
        """,
    )
    t, events = after(game, t, "0 play 9", "1 play 8", "2 play 7")
    assert events == [reveal(9, 8, 7)]
    assert game.waiting_for(t) == [2]
    t, events = after(game, t, "2 row 3")
    assert events == [
        collect(2, [70], row=3),
        place(2, 7, row=3),
        keep(2, 70),
        place(1, 8, row=3),
        place(0, 9, row=3),
    ]


# -- Collected cards --------------------------------------------------------------------------

COLLECTING = """
    row 1: 20
    row 2: 31 40 58
    row 3: 80
    hand 0: 59 1
    hand 1: 90 2
"""


@pytest.mark.rule("XN-8")
def test_one_collected_card_goes_to_the_x_row_the_others_to_the_hand() -> None:
    """Example 4."""
    t, events = after(game, table(game, COLLECTING), "0 play 59", "1 play 90", "0 keep 40")
    assert events == [
        reveal(59, 90),
        collect(0, [31, 40, 58], row=2),
        place(0, 59, row=2),
        keep(0, 40),
        place(1, 90, row=3),
    ]
    assert lying(game, t, "x row 0") == [40]
    assert lying(game, t, "hand 0") == [1, 31, 58]
    assert lying(game, t, "collected") == []


@pytest.mark.rule("XN-8")
def test_the_collector_chooses_before_the_next_card_is_placed() -> None:
    t, _ = after(game, table(game, COLLECTING), "0 play 59", "1 play 90")
    assert game.waiting_for(t) == [0]
    assert lying(game, t, "laid 1") == [90]
    assert lying(game, t, "row 3") == [80]
    assert lying(game, t, "hand 0") == [1]
    assert legal(game, t, 1) == set()


@pytest.mark.rule("XN-8", "XN-11")
def test_with_an_empty_x_row_any_collected_card_may_be_chosen() -> None:
    t, _ = after(game, table(game, COLLECTING), "0 play 59", "1 play 90")
    assert legal(game, t, 0) == {"keep 31", "keep 40", "keep 58"}


@pytest.mark.rule("XN-8")
def test_collected_cards_can_be_played_from_the_next_turn_on() -> None:
    t, _ = after(game, table(game, COLLECTING), "0 play 59", "1 play 90", "0 keep 40")
    assert game.waiting_for(t) == [0, 1]
    assert legal(game, t, 0) == {"play 1", "play 31", "play 58"}
    t, events = after(game, t, "0 play 58", "1 play 2", "1 row 1")
    assert events[0] == reveal(58, 2)


@pytest.mark.rule("XN-3", "XN-8")
def test_two_players_can_collect_in_one_turn() -> None:
    t = table(
        game,
        """
        row 1: 20 21
        row 2: 31 40 58
        row 3: 80
        hand 0: 59 1
        hand 1: 22 2
        """,
    )
    t, events = after(game, t, "0 play 59", "1 play 22")
    assert events == [reveal(59, 22), collect(1, [20, 21], row=1), place(1, 22, row=1)]
    t, events = after(game, t, "1 keep 20")
    assert events == [keep(1, 20), collect(0, [31, 40, 58], row=2), place(0, 59, row=2)]
    assert game.waiting_for(t) == [0]
    t, events = after(game, t, "0 keep 58")
    assert events == [keep(0, 58)]
    assert lying(game, t, "hand 0") == [1, 31, 40]
    assert lying(game, t, "hand 1") == [2, 21]


@pytest.mark.rule("XN-9", "XN-10")
def test_a_single_collected_card_goes_to_the_x_row_even_if_it_breaks_it() -> None:
    t = table(
        game,
        """
        row 1: 60
        row 2: 70
        row 3: 80
        hand 0: 43 1
        hand 1: 90 2
        x row 0: 50 61
        """,
    )
    t, events = after(game, t, "0 play 43", "1 play 90", "0 row 1")
    assert events == [
        reveal(43, 90),
        collect(0, [60], row=1),
        place(0, 43, row=1),
        x_flush(0, 50, 61),
        keep(0, 60),
        place(1, 90, row=3),
    ]
    assert lying(game, t, "x row 0") == [60]
    assert lying(game, t, "x pile 0") == [50, 61]
    assert lying(game, t, "hand 0") == [1]


def x_row_table(x_row: str, **options: OptionValue) -> Any:
    """Seat 0 has collected 30 and 44 and has to say which one goes to the X row."""
    t = table(
        game,
        f"""
        row 1: 30 44
        row 2: 70
        row 3: 80
        hand 0: 45 1
        hand 1: 90 2
        x row 0: {x_row}
        x pile 0: 3 5
        """,
        options=options,
    )
    return after(game, t, "0 play 45", "1 play 90")


@pytest.mark.rule("XN-10")
def test_a_card_lower_than_the_last_of_the_x_row_sends_the_x_row_to_the_x_pile() -> None:
    """Example 5."""
    t, _ = x_row_table("50 60")
    assert legal(game, t, 0) == {"keep 30", "keep 44"}
    t, events = after(game, t, "0 keep 44")
    assert events == [x_flush(0, 50, 60), keep(0, 44), place(1, 90, row=3)]
    assert lying(game, t, "x pile 0") == [3, 5, 50, 60]
    assert lying(game, t, "x row 0") == [44]
    assert lying(game, t, "hand 0") == [1, 30]


@pytest.mark.rule("XN-10")
def test_a_card_higher_than_the_last_of_the_x_row_goes_on_with_it() -> None:
    t, _ = x_row_table("28 29")
    t, events = after(game, t, "0 keep 30")
    assert events == [keep(0, 30), place(1, 90, row=3)]
    assert lying(game, t, "x row 0") == [28, 29, 30]
    assert lying(game, t, "x pile 0") == [3, 5]


@pytest.mark.rule("XN-10")
def test_only_the_last_card_of_the_x_row_counts_for_the_next() -> None:
    """30 lies between two cards of the X row: it breaks the row all the same."""
    t, _ = x_row_table("28 50")
    _, events = after(game, t, "0 keep 30")
    assert events[:2] == [x_flush(0, 28, 50), keep(0, 30)]


@pytest.mark.rule("XN-11")
@pytest.mark.parametrize("end", [31, 43])
def test_a_collected_card_that_goes_on_with_the_x_row_must_be_chosen(end: int) -> None:
    """30 is lower than the end, 44 is not: there is nothing left to choose."""
    t, events = x_row_table(f"10 {end}")
    assert events == [
        reveal(45, 90),
        collect(0, [30, 44], row=1),
        place(0, 45, row=1),
        keep(0, 44),
        place(1, 90, row=3),
    ]
    assert lying(game, t, "x row 0") == [10, end, 44]
    assert lying(game, t, "hand 0") == [1, 30]


@pytest.mark.rule("XN-11")
@pytest.mark.parametrize("end", [29, 46])
def test_both_cards_may_be_chosen_if_both_are_higher_or_both_are_lower(end: int) -> None:
    t, _ = x_row_table(f"10 {end}")
    assert legal(game, t, 0) == {"keep 30", "keep 44"}


@pytest.mark.rule("XN-11")
def test_of_three_collected_cards_only_those_that_go_on_with_the_x_row_may_be_chosen() -> None:
    drawing = COLLECTING + "x row 0: 35"
    t, _ = after(game, table(game, drawing), "0 play 59", "1 play 90")
    assert legal(game, t, 0) == {"keep 40", "keep 58"}


@pytest.mark.rule("XN-11")
def test_with_free_choice_any_collected_card_may_be_chosen() -> None:
    t, _ = x_row_table("10 31", x_choice="free")
    assert legal(game, t, 0) == {"keep 30", "keep 44"}
    t, events = after(game, t, "0 keep 30")
    assert events[:2] == [x_flush(0, 10, 31), keep(0, 30)]
    assert lying(game, t, "hand 0") == [1, 44]


@pytest.mark.rule("XN-9", "XN-11")
def test_with_free_choice_too_a_single_card_leaves_nothing_to_choose() -> None:
    t = table(game, TOO_LOW, options={"x_choice": "free"})
    t, events = after(game, t, "0 play 66", "1 play 43", "2 play 89", "1 row 1")
    assert keep(1, 81) in events
    assert game.waiting_for(t) == [0, 1, 2]


# -- End of a round and of the game -----------------------------------------------------------

LAST_TURN = """
    row 1: 10
    row 2: 20 21
    row 3: 30
    hand 0: 40
    hand 1: 41 50 55
    x row 0: 88
    x pile 0: 66 77
    x pile 1: 5
"""


@pytest.mark.rule("XN-12")
def test_the_round_ends_when_one_player_has_no_card_left() -> None:
    t, events = after(game, table(game, LAST_TURN), "0 play 40", "1 play 41")
    assert events == [
        reveal(40, 41),
        place(0, 40, row=3),
        place(1, 41, row=3),
        ROUND_END,
    ]
    assert game.waiting_for(t) == []
    assert legal(game, t, 0) == legal(game, t, 1) == set()
    assert len(game.rounds(t)) == 1


@pytest.mark.rule("XN-12")
def test_the_round_goes_on_while_everyone_has_a_card() -> None:
    t = table(game, QUIET)
    t, events = after(game, t, "0 play 75", "1 play 12", "2 play 45")
    assert ROUND_END not in events
    assert game.waiting_for(t) == [0, 1, 2]
    assert game.rounds(t) == ()
    assert game.scores(t) == [0, 0, 0]


@pytest.mark.rule("XN-12")
@pytest.mark.parametrize("out_of_cards", [0, 1, 2, 3])
def test_any_seat_without_a_card_ends_the_round(out_of_cards: int) -> None:
    rest = ["1", "2", "3", "4"]
    rest[out_of_cards] = ""
    t = table(
        game,
        f"""
        row 1: 10
        row 2: 20
        row 3: 30
        hand 0: 11 {rest[0]}
        hand 1: 21 {rest[1]}
        hand 2: 31 {rest[2]}
        hand 3: 32 {rest[3]}
        """,
    )
    _, events = after(game, t, "0 play 11", "1 play 21", "2 play 31", "3 play 32")
    assert events[-2:] == [place(3, 32, row=3), ROUND_END]


@pytest.mark.rule("XN-8", "XN-12")
def test_a_player_whose_last_card_brings_new_ones_plays_on() -> None:
    t = table(
        game,
        """
        row 1: 10 12
        row 2: 20
        row 3: 30
        hand 0: 13
        hand 1: 41 50
        """,
    )
    t, events = after(game, t, "0 play 13", "1 play 41", "0 keep 10")
    assert events[-2:] == [keep(0, 10), place(1, 41, row=3)]
    assert lying(game, t, "hand 0") == [12]
    assert game.waiting_for(t) == [0, 1]


@pytest.mark.rule("XN-9", "XN-12")
def test_a_single_collected_card_brings_none_so_the_round_ends() -> None:
    t = table(
        game,
        """
        row 1: 10
        row 2: 20
        row 3: 30
        hand 0: 5
        hand 1: 41 50
        """,
    )
    _, events = after(game, t, "0 play 5", "1 play 41", "0 row 1")
    assert events[-3:] == [keep(0, 10), place(1, 41, row=3), ROUND_END]


@pytest.mark.rule("XN-12")
def test_the_turn_is_finished_before_the_round_ends() -> None:
    """Seat 0 has no card any more, but seat 1 has yet to choose, and its heads in hand count."""
    t = table(
        game,
        """
        row 1: 10
        row 2: 20
        row 3: 30 31 32 33
        hand 0: 11
        hand 1: 34 50
        """,
    )
    t, events = after(game, t, "0 play 11", "1 play 34")
    assert ROUND_END not in events
    assert game.waiting_for(t) == [1]
    t, events = after(game, t, "1 keep 33")
    assert events == [keep(1, 33), ROUND_END]
    assert game.scores(t) == [0, 3 + 3 + 1 + 1]  # 50, 30, 31, 32


@pytest.mark.rule("XN-13")
def test_a_head_in_hand_counts_one_in_the_x_pile_two_in_the_x_row_nothing() -> None:
    t, _ = after(game, table(game, LAST_TURN), "0 play 40", "1 play 41")
    assert game.rounds(t) == ((2 * (5 + 5), (3 + 7) + 2 * 2),)
    assert game.scores(t) == [20, 14]


@pytest.mark.rule("XN-13")
def test_five_heads_in_hand_and_nine_in_the_x_pile_make_23() -> None:
    """Example 6."""
    t = table(
        game,
        """
        row 1: 10
        row 2: 20
        row 3: 30
        hand 0: 40 66
        hand 1: 41
        x row 0: 99
        x pile 0: 55 15
        """,
    )
    t, _ = after(game, t, "0 play 40", "1 play 41")
    assert game.scores(t) == [23, 0]


@pytest.mark.rule("XN-13")
def test_the_heads_counted_are_those_of_the_deck_in_use(tmp_path: Path) -> None:
    own = load_deck(game.DECK_FILES, [deck_file(game, tmp_path, {51: "50,7", 6: "5,1"})])
    t, _ = after(game, table(game, LAST_TURN, deck=own), "0 play 40", "1 play 41")
    assert game.scores(t) == [20, (7 + 7) + 2 * 1]


@pytest.mark.rule("XN-14")
def test_the_game_has_two_rounds_whose_points_add_up() -> None:
    t, _ = after(game, table(game, LAST_TURN), "0 play 40", "1 play 41")
    assert t.phase == rules.DEALING
    t = table(game, LAST_TURN, points=t.points)
    t, events = after(game, t, "0 play 40", "1 play 50")
    assert events[-1] == ROUND_END
    assert t.phase == rules.OVER
    assert game.to_shuffle(t) == []
    assert game.waiting_for(t) == []
    assert game.rounds(t) == ((20, 14), (20, 1 + 7 + 4))
    assert game.scores(t) == [40, 26]


@pytest.mark.rule("XN-14")
def test_a_second_round_is_played_on_after_its_deal() -> None:
    t, _ = after(game, table(game, LAST_TURN), "0 play 40", "1 play 41")
    t, _ = game.deal(t, REVERSED)
    assert game.rounds(t) == ((20, 14),)
    assert game.scores(t) == [20, 14]
    assert game.waiting_for(t) == [0, 1]


@pytest.mark.rule("XN-14")
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_option_rounds_says_how_many_are_played(rounds: int) -> None:
    for played in range(rounds):
        t = table(game, LAST_TURN, options={"rounds": rounds}, points=((1, 2),) * played)
        t, _ = after(game, t, "0 play 40", "1 play 41")
        assert t.phase == (rules.OVER if played + 1 == rounds else rules.DEALING)


@pytest.mark.rule("XN-14")
@pytest.mark.parametrize(
    ("points", "winners"),
    [
        (((5, 9, 7), (1, 0, 0)), [0]),
        (((5, 9, 7), (9, 0, 9)), [1]),
        (((5, 9, 7), (4, 0, 2)), [0, 1, 2]),
        (((5, 9, 5), (4, 1, 4)), [0, 2]),
    ],
)
def test_fewest_points_win_and_equal_players_share_the_win(
    points: tuple[tuple[int, ...], ...], winners: list[int]
) -> None:
    t = table(game, "", seats=3, phase=rules.OVER, points=points)
    assert game.winners(t) == winners


# -- What a player sees -----------------------------------------------------------------------

OPEN = (20, 66, 59, 80, 81, 7, 9, 30, 40, 2)  # the 2 went openly into the hand of seat 1
SEEING = """
    row 1: 66
    row 2: 59
    row 3: 80 81
    hand 0: 1 43
    hand 1: 2 90
    hand 2: 3 50
    x row 1: 7 9
    x pile 0: 20
    x pile 1: 30 40
"""


@pytest.mark.parametrize("memory_aid", [False, True])
def test_a_player_sees_the_own_hand_the_rows_the_x_rows_and_how_many_cards_there_are(
    memory_aid: bool,
) -> None:
    t = table(game, SEEING, options={"memory_aid": memory_aid}, seen=mask(OPEN))
    seen = game.view(t, 0).table
    assert pictured(game, seen) == as_drawn("""
        row 1: 66
        row 2: 59
        row 3: 80 81
        hand 0: 1 43
        x pile 0: ?
        hand 1: ? ?
        x row 1: 7 9
        x pile 1: ? ?
        hand 2: ? ?
    """)
    assert seen.lying[rules.BOX] == (UNSEEN,) * 85


def test_a_perfect_memory_knows_the_x_piles_and_the_cards_that_went_into_hands() -> None:
    t = table(game, SEEING, seen=mask(OPEN))
    view = game.view(t, 0)
    assert pictured(game, t, view.remembered) == as_drawn("""
        row 1: 66
        row 2: 59
        row 3: 80 81
        hand 0: 1 43
        x pile 0: 20
        hand 1: 2 ?
        x row 1: 7 9
        x pile 1: 30 40
        hand 2: ? ?
    """)
    assert view.remembered[rules.BOX] == (UNSEEN,) * 85


def test_a_view_has_the_moves_of_its_seat() -> None:
    t = table(game, SEEING)
    view = game.view(t, 2)
    assert (view.seat, view.legal) == (2, [rules.PLAY + 3, rules.PLAY + 50])


def test_a_spectator_sees_no_hand_and_has_no_moves() -> None:
    t = table(game, SEEING, seen=mask(OPEN))
    view = game.view(t, None)
    assert (view.seat, view.legal) == (None, [])
    assert [lying(game, view.table, f"hand {seat}") for seat in range(3)] == [[UNSEEN] * 2] * 3
    assert view.remembered[rules.HAND + 1] == (2, UNSEEN)


def test_a_card_lying_face_down_is_its_players_secret() -> None:
    """The 2 is known to be seat 1's: laid or not, it stays in the hand that the others remember."""
    t = table(game, SEEING, seen=mask(OPEN))
    known, _ = after(game, t, "1 play 2")
    unknown, _ = after(game, t, "1 play 90")
    for watcher in (0, 2, None):
        view = game.view(known, watcher)
        assert lying(game, view.table, "laid 1") == [UNSEEN]
        assert lying(game, view.table, "hand 1") == [UNSEEN]
        assert view.remembered[rules.HAND + 1] == (2, UNSEEN)
        assert view.remembered[rules.LAID + 1] == ()
        assert view == game.view(unknown, watcher)


def test_a_player_sees_the_own_card_lying_face_down() -> None:
    t, _ = after(game, table(game, SEEING, seen=mask(OPEN)), "1 play 2")
    view = game.view(t, 1)
    assert (lying(game, view.table, "laid 1"), lying(game, view.table, "hand 1")) == ([2], [90])
    assert (view.remembered[rules.LAID + 1], view.remembered[rules.HAND + 1]) == ((2,), (90,))
    assert view.legal == []


def test_revealed_and_collected_cards_lie_open_while_somebody_chooses() -> None:
    t, _ = after(game, table(game, COLLECTING), "0 play 59", "1 play 90")
    view = game.view(t, 1)
    assert lying(game, view.table, "laid 1") == [90]
    assert lying(game, view.table, "collected") == [31, 40, 58]
    assert lying(game, view.table, "hand 0") == [UNSEEN]
    view = game.view(t, 0)
    assert lying(game, view.table, "laid 1") == [90]
    assert view.remembered[rules.LAID + 1] == (90,)
    assert lying(game, view.table, "hand 1") == [UNSEEN]
    assert view.remembered[rules.HAND + 1] == (UNSEEN,)
    assert view.legal == [rules.KEEP + card for card in (31, 40, 58)]


@pytest.mark.parametrize(("kept", "to_hand"), [(50, 51), (51, 50)])
def test_a_card_collected_into_a_hand_is_remembered_there(kept: int, to_hand: int) -> None:
    """The 50 was dealt to the row, the 51 was played there."""
    t = dealt(2, shuffle_beginning(50, 60, 70, 51, *range(1, 8), 52, *range(11, 18)))
    t, _ = after(game, t, "0 play 51", "1 play 52", f"1 keep {kept}")
    assert game.view(t, 0).remembered[rules.HAND + 1] == (to_hand, *[UNSEEN] * 7)
    assert lying(game, game.view(t, 0).table, "hand 1") == [UNSEEN] * 8
    assert game.view(t, 1).remembered[rules.HAND + 0] == (UNSEEN,) * 7


def test_hands_and_x_piles_are_open_when_they_are_counted() -> None:
    for points in ((), ((0, 0),)):
        t, _ = after(game, table(game, LAST_TURN, points=points), "0 play 40", "1 play 41")
        for watcher in (0, 1, None):
            view = game.view(t, watcher)
            assert lying(game, view.table, "hand 1") == [50, 55]
            assert lying(game, view.table, "x pile 0") == [66, 77]
            assert set(lying(game, view.table, "box")) == {UNSEEN}
            assert view.legal == []


def test_a_new_round_begins_with_nothing_to_remember() -> None:
    t, _ = after(game, table(game, LAST_TURN, seen=mask(range(1, 101))), "0 play 40", "1 play 41")
    t, _ = game.deal(t, REVERSED)
    view = game.view(t, 0)
    assert view.remembered[rules.HAND + 1] == (UNSEEN,) * 8
    assert [lying(game, view.table, f"row {row}") for row in (1, 2, 3)] == [[100], [99], [98]]


def test_looking_changes_nothing() -> None:
    t = table(game, SEEING, seen=mask(OPEN))
    game.view(t, 0)
    game.view(t, None)
    assert t == table(game, SEEING, seen=mask(OPEN))


@pytest.mark.parametrize("watcher", [0, 1, 2, None])
@pytest.mark.parametrize("moves", [[], ["1 play 2"], ["1 play 90", "0 play 1", "2 play 50"]])
def test_an_imagined_table_gives_the_view_that_it_was_imagined_from(
    watcher: int | None, moves: list[str]
) -> None:
    t, _ = after(game, table(game, SEEING, seen=mask(OPEN)), *moves)
    view = game.view(t, watcher)
    for seed in range(20):
        imagined = game.imagine(view, Random(seed))
        assert sorted(card for cards in imagined.lying for card in cards) == list(game.CARDS)
        assert game.view(imagined, watcher) == view


def test_everything_that_happens_is_seen_by_all() -> None:
    _, events = after(game, table(game, LAST_TURN), "0 play 40", "1 play 41")
    for event in events:
        for watcher in (0, 1, None):
            assert game.seen_by(event, watcher, complete_options(game, 2, {})) == event


def test_every_event_tells_what_it_should() -> None:
    t = table(
        game,
        """
        row 1: 30 44
        row 2: 70
        row 3: 80
        hand 0: 45
        hand 1: 90
        x row 0: 50 60
        """,
    )
    _, events = after(game, t, "0 play 45", "1 play 90", "0 keep 30")
    assert {event["event"] for event in events} == set(game.EVENTS)
    for event in events:
        assert tuple(event) == ("event", *game.EVENTS[event["event"]])


def test_a_move_leaves_the_table_on_which_it_was_made_as_it_was() -> None:
    t = table(game, COLLECTING)
    for move in ("1 play 90", "0 play 59", "0 keep 40", "0 play 1", "1 play 2", "0 row 1"):
        before = deepcopy(t)
        following, _ = after(game, t, move)
        assert t == before
        t = following


def test_a_deal_leaves_the_table_on_which_it_was_made_as_it_was() -> None:
    t, _ = after(game, table(game, LAST_TURN), "0 play 40", "1 play 41")
    before = deepcopy(t)
    game.deal(t, REVERSED)
    assert t == before


# -- Refusals ---------------------------------------------------------------------------------


@pytest.mark.rule("XN-14")
def test_after_the_end_no_move_is_allowed() -> None:
    t, _ = after(game, table(game, LAST_TURN, options={"rounds": 1}), "0 play 40", "1 play 41")
    assert refused(game, t, 1, "play 50") == refuse("XN-14", "game_over")
    assert legal(game, t, 0) == legal(game, t, 1) == set()


@pytest.mark.rule("XN-2")
def test_before_the_deal_no_move_is_allowed() -> None:
    assert refused(game, empty_table(2), 0, "play 50") == refuse("XN-2", "not_dealt")
    t, _ = after(game, table(game, LAST_TURN), "0 play 40", "1 play 41")
    assert refused(game, t, 1, "play 50") == refuse("XN-2", "not_dealt")


@pytest.mark.rule("XN-3")
def test_a_card_that_was_chosen_stays_chosen() -> None:
    t, _ = after(game, table(game, QUIET), "0 play 75")
    assert refused(game, t, 0, "play 1") == refuse("XN-3", "already_chosen")
    assert refused(game, t, 0, "play 75") == refuse("XN-3", "already_chosen")


@pytest.mark.rule("XN-3")
@pytest.mark.parametrize("card", [1, 44, 100])
def test_only_a_card_of_the_own_hand_may_be_chosen(card: int) -> None:
    t = table(game, QUIET)
    assert refused(game, t, 2, f"play {card}") == refuse("XN-3", "card_not_in_hand", card=card)


@pytest.mark.rule("XN-3")
@pytest.mark.parametrize("move", ["row 1", "row 3", "keep 1", "keep 100"])
def test_a_turn_begins_with_a_card_from_the_hand(move: str) -> None:
    assert refused(game, table(game, QUIET), 0, move) == refuse("XN-3", "choose_a_card")


@pytest.mark.rule("XN-3")
def test_the_others_wait_while_somebody_chooses() -> None:
    taking, _ = after(game, table(game, TOO_LOW), "0 play 66", "1 play 43", "2 play 89")
    assert refused(game, taking, 0, "row 2") == refuse("XN-3", "not_your_turn", actor=1)
    keeping, _ = after(game, table(game, COLLECTING), "0 play 59", "1 play 90")
    assert refused(game, keeping, 1, "keep 40") == refuse("XN-3", "not_your_turn", actor=0)
    assert refused(game, keeping, 1, "play 2") == refuse("XN-3", "not_your_turn", actor=0)


@pytest.mark.rule("XN-7")
@pytest.mark.parametrize("move", ["play 2", "keep 59"])
def test_a_card_that_is_too_low_asks_for_a_row(move: str) -> None:
    t, _ = after(game, table(game, TOO_LOW), "0 play 66", "1 play 43", "2 play 89")
    assert refused(game, t, 1, move) == refuse("XN-7", "choose_a_row")


@pytest.mark.rule("XN-11")
def test_a_card_that_breaks_the_x_row_is_refused_while_another_goes_on_with_it() -> None:
    t = table(game, COLLECTING + "x row 0: 33 35")
    t, _ = after(game, t, "0 play 59", "1 play 90")
    assert refused(game, t, 0, "keep 31") == refuse("XN-11", "x_row_goes_on", card=31, end=35)


@pytest.mark.rule("XN-8")
@pytest.mark.parametrize("move", ["keep 59", "keep 20", "play 1", "play 40", "row 1"])
def test_collected_cards_ask_for_one_of_them(move: str) -> None:
    t, _ = after(game, table(game, COLLECTING), "0 play 59", "1 play 90")
    assert refused(game, t, 0, move) == refuse("XN-8", "choose_a_collected_card")


def test_the_error_names_the_move_the_rule_and_what_is_allowed() -> None:
    with pytest.raises(IllegalMove) as caught:
        after(game, table(game, QUIET), "2 play 44")
    error = caught.value
    assert (error.seat, error.move, error.legal) == (2, "play 44", ["play 3", "play 45"])
    assert (error.key, error.facts) == ("card_not_in_hand", {"card": 44})
    assert str(error) == (
        "seat 2 may not 'play 44': XN-3, card not in hand; allowed now: play 3, play 45"
    )


@pytest.mark.parametrize(
    ("text", "rule", "why"),
    [
        ("play 200", "XN-1", "no_such_card"),
        ("play 101", "XN-1", "no_such_card"),
        ("play 0", "XN-1", "no_such_card"),
        ("keep 101", "XN-1", "no_such_card"),
        ("row 9", "XN-2", "no_such_row"),
        ("row 4", "XN-2", "no_such_row"),
        ("row 0", "XN-2", "no_such_row"),
    ],
)
def test_a_card_or_row_that_does_not_exist_is_refused(text: str, rule: str, why: str) -> None:
    assert refused(game, table(game, QUIET), 0, text) == refuse(rule, why)


@pytest.mark.parametrize(
    "text", ["nonsense", "", "  ", "play", "play -1", "play 1 75", "75", "rows 1"]
)
def test_a_text_that_is_no_move_is_told_the_forms_of_a_move(text: str) -> None:
    forms = ["play 43", "row 2", "keep 59"]
    why = refuse("XN-3", "not_a_move", forms=forms)
    assert refused(game, table(game, QUIET), 0, text) == why


def test_a_move_may_be_typed_with_capitals_and_more_spaces() -> None:
    t, _ = after(game, table(game, QUIET), "0   PLAY   75 ")
    assert lying(game, t, "laid 0") == [75]


@pytest.mark.parametrize("action", [-1, 0, 204, 999])
def test_a_number_that_is_no_action_is_refused_like_any_other_move(action: int) -> None:
    assert refused(game, table(game, QUIET), 0, action) == refuse("XN-3", "choose_a_card")
