"""The rules of 6 nimmt! Baron Oxx, one test a sentence; read it beside docs/games/baron-oxx.md.

Most tables are laid with a deck of our own in which the last digit tells the colour:

    …1 blue   …2 yellow   …3 green   …4 red   …5 black   …6 white     one bull
    …7 blue and yellow   …8 green and red   …9 black and white        a bull of each
    …0 blue                                                           three bulls

52 and 104 are Baron Oxx, as in every deck.  The printed examples are laid with the real cards.
"""

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
from bullpen.games.baron_oxx import rules
from bullpen.offers import meaning
from bullpen.server.flights import carried
from tests import tables
from tests.games import baron_oxx as game
from tests.tables import after, as_drawn, deck_file, legal, lying, pictured, refused

REVERSED = list(range(110, 0, -1))
GAME_END = {"event": "game_end"}

BULLS_BY_LAST_DIGIT = [
    # b, y, g, r, k, w
    [3, 0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0],
    [0, 0, 1, 0, 0, 0],
    [0, 0, 0, 1, 0, 0],
    [0, 0, 0, 0, 1, 0],
    [0, 0, 0, 0, 0, 1],
    [1, 1, 0, 0, 0, 0],
    [0, 0, 1, 1, 0, 0],
    [0, 0, 0, 0, 1, 1],
]
BY_LAST_DIGIT = deck_from_json(
    game.DECK_FILES,
    {
        "colours": [
            [1] * 6 if card in (52, 104) else BULLS_BY_LAST_DIGIT[card % 10] for card in game.CARDS
        ]
    },
)


def table(drawing: str, *, options: dict[str, OptionValue] | None = None, **fields: Any) -> Any:
    """A table as drawn, with the cards whose last digit tells the colour."""
    return tables.table(game, drawing, deck=BY_LAST_DIGIT, options=options, **fields)


def positive(drawing: str, **fields: Any) -> Any:
    return table(drawing, options={"variant": "positive"}, **fields)


def reveal(*cards: int) -> Event:
    return {"event": "reveal", "cards": list(cards)}


def place(seat: int, card: int, *, row: int) -> Event:
    return {"event": "place", "seat": seat, "card": card, "row": row}


def take(seat: int, cards: Sequence[int], *, row: int, rule: str) -> Event:
    return {"event": "take", "seat": seat, "cards": list(cards), "row": row, "rule": rule}


def under(seat: int, card: int) -> Event:
    return {"event": "under", "seat": seat, "card": card}


def draw(seat: int, *, count: int) -> Event:
    return {"event": "draw", "seat": seat, "count": count}


def empty_table(seats: int, **options: OptionValue) -> rules.Table:
    chosen = complete_options(game, seats, options)
    empty: rules.Table = game.set_up(seats, chosen, load_deck(game.DECK_FILES))
    return empty


# -- Cards ------------------------------------------------------------------------------------


@pytest.mark.rule("BO-1")
def test_there_are_110_cards_with_bulls_in_six_colours() -> None:
    deck = load_deck(game.DECK_FILES)
    assert len(deck.colours[1:]) == 110
    for bulls in deck.colours[1:]:
        assert len(bulls) == 6
        assert sum(bulls) >= 1
    assert deck.colours[36] == (1, 0, 0, 0, 1, 0)  # a blue one and a black one
    assert deck.basis == "reconstruction"


@pytest.mark.rule("BO-1")
def test_a_cards_minus_points_are_its_number_of_bulls() -> None:
    deck = load_deck(game.DECK_FILES)
    assert rules.bulls_on(deck, [42]) == 1
    assert rules.bulls_on(deck, [36]) == 2
    assert rules.bulls_on(deck, [13, 7]) == 3 + 3
    assert rules.bulls_on(deck, []) == 0


@pytest.mark.rule("BO-2")
@pytest.mark.parametrize("baron", [52, 104])
def test_baron_oxx_shows_one_bull_of_each_colour(baron: int) -> None:
    deck = load_deck(game.DECK_FILES)
    assert deck.colours[baron] == (1, 1, 1, 1, 1, 1)
    assert rules.bulls_on(deck, [baron]) == 6


@pytest.mark.rule("BO-1")
def test_an_own_deck_file_says_what_the_cards_show(tmp_path: Path) -> None:
    path = deck_file(game, tmp_path, {2: "110,0,0,0,0,0,4", 111: "1,0,5,0,0,0,0", 112: ""})
    deck = load_deck(game.DECK_FILES, [path])
    assert deck.colours[110] == (0, 0, 0, 0, 0, 4)
    assert deck.colours[1] == (0, 5, 0, 0, 0, 0)
    assert (deck.colour_sets[1], deck.colour_sets[110], deck.colour_sets[52]) == (2, 32, 63)
    assert deck.basis == "own"


@pytest.mark.rule("BO-1")
@pytest.mark.parametrize(
    ("lines", "key", "facts"),
    [
        pytest.param(
            {3: "1,1,0,0,0,0,0"}, "deck_twice", {"line": 3, "number": 1, "first": 2}, id="twice"
        ),
        pytest.param({54: None}, "deck_missing", {"number": 53, "cards": 110}, id="missing"),
        pytest.param({2: "111,1,0,0,0,0,0"}, "deck_number", {"line": 2, "number": 111}, id="111"),
        pytest.param({2: "0,1,0,0,0,0,0"}, "deck_number", {"line": 2, "number": 0}, id="0"),
        pytest.param({2: "1,0,0,0,0,0,0"}, "deck_row", {"line": 2}, id="no bulls"),
        pytest.param({2: "1,3,-1,0,0,0,0"}, "deck_row", {"line": 2}, id="below zero"),
        pytest.param({2: "1,one,0,0,0,0,0"}, "deck_row", {"line": 2}, id="a word"),
        pytest.param({2: "1,1,0,0,0,0"}, "deck_columns", {"line": 2}, id="five colours"),
        pytest.param({2: "1,1,0,0,0,0,0,0"}, "deck_columns", {"line": 2}, id="seven colours"),
    ],
)
def test_a_bad_line_in_an_own_deck_file_is_named_with_the_rule(
    tmp_path: Path, lines: dict[int, str | None], key: str, facts: dict[str, object]
) -> None:
    path = deck_file(game, tmp_path, lines)
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert caught.value.key == key
    assert caught.value.facts.items() >= {"file": str(path), "rule": "BO-1", **facts}.items()


@pytest.mark.rule("BO-2")
@pytest.mark.parametrize(
    ("line", "row"),
    [
        (53, "52,1,1,1,1,1,0"),
        (53, "52,2,1,1,1,1,1"),
        (105, "104,0,0,0,0,0,6"),
        (105, "104,2,2,2,2,2,2"),
    ],
)
def test_an_own_deck_file_with_another_baron_oxx_is_refused(
    tmp_path: Path, line: int, row: str
) -> None:
    path = deck_file(game, tmp_path, {line: row})
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert caught.value.key == "deck_row"
    assert caught.value.facts["line"] == line
    assert caught.value.facts["row"] == row
    assert "52 and 104 one of each colour (BO-2)" in caught.value.facts["allowed"]


@pytest.mark.parametrize(
    "header", ["number,heads", "number,yellow,blue,green,red,black,white", "number", ""]
)
def test_a_deck_file_with_another_header_is_refused(tmp_path: Path, header: str) -> None:
    path = deck_file(game, tmp_path, {1: header})
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    expected = "number,blue,yellow,green,red,black,white"
    assert caught.value.key == "deck_header"
    assert caught.value.facts == {"file": path, "header": header, "expected": expected}


def test_a_deck_file_that_is_not_there_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.csv"
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert caught.value.key == "deck_unreadable"
    assert caught.value.facts == {"file": path, "reason": "No such file or directory"}


def test_a_deck_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert (caught.value.key, caught.value.facts) == ("deck_not_text", {"file": path})


@pytest.mark.rule("BO-1", "BO-2")
@pytest.mark.parametrize(
    ("card", "shows"),
    [
        (1, 1),
        (1, [1, 0, 0, 0, 0]),
        (1, []),
        (1, [0, 0, 0, 0, 0, 0]),
        (1, [2, 0, 0, 0, 0, -1]),
        (1, [1.0, 0, 0, 0, 0, 0]),
        (52, [1, 1, 1, 1, 1, 0]),
        (104, [6, 0, 0, 0, 0, 0]),
    ],
)
def test_the_deck_of_a_record_is_checked_card_by_card(card: int, shows: object) -> None:
    colours: list[object] = [*BY_LAST_DIGIT.as_json()["colours"]]
    colours[card - 1] = shows
    with pytest.raises(BadDeck) as caught:
        deck_from_json(game.DECK_FILES, {"colours": colours})
    assert (caught.value.key, caught.value.facts["card"]) == ("deck_face", card)
    assert caught.value.facts["rule"] == "BO-1"


# -- Setting up -------------------------------------------------------------------------------

CARDS_EACH = [(2, 24), (3, 24), (4, 24), (5, 20), (6, 16), (7, 12), (8, 12), (9, 8), (10, 8)]


@pytest.mark.rule("BO-3", "BO-4")
@pytest.mark.parametrize(("seats", "each"), CARDS_EACH)
def test_each_player_gets_a_pile_and_four_cards_from_it_and_each_row_a_card(
    seats: int, each: int
) -> None:
    t = empty_table(seats)
    assert game.to_shuffle(t) == list(range(1, 111))
    t, events = game.deal(t, REVERSED)
    for seat in range(seats):
        top = 110 - seat * each
        assert lying(game, t, f"hand {seat}") == [top - 3, top - 2, top - 1, top]
        assert lying(game, t, f"draw {seat}") == list(range(top - 4, top - each, -1))
        assert lying(game, t, f"laid {seat}") == lying(game, t, f"bull pile {seat}") == []
    left = 110 - seats * each
    rows = [lying(game, t, f"row {row}") for row in (1, 2, 3, 4, 5)]
    assert rows == [[left], [left - 1], [left - 2], [left - 3], [left - 4]]
    assert lying(game, t, "box") == list(range(1, left - 4))
    assert game.to_shuffle(t) == []
    assert game.waiting_for(t) == list(range(seats))
    assert events == []


@pytest.mark.rule("BO-3")
@pytest.mark.parametrize(("seats", "each"), CARDS_EACH)
def test_the_piles_are_the_largest_multiples_of_four_that_leave_five_cards(
    seats: int, each: int
) -> None:
    assert rules.CARDS_EACH[seats] == each
    assert each % 4 == 0
    assert each <= 24
    assert each * seats + 5 <= 110
    assert each == 24 or (each + 4) * seats + 5 > 110


@pytest.mark.rule("BO-4", "BO-8")
def test_the_deal_follows_the_shuffle_card_by_card() -> None:
    piles = [[90, 2, 70, 4, 99, 1, *range(31, 49)], [3, 80, 5, 60, 6, 98, *range(10, 28)]]
    first = [*piles[0], *piles[1], 110, 50, 100, 7, 49]
    rest = [card for card in game.CARDS if card not in first]
    t, _ = game.deal(empty_table(2), first + rest)
    assert lying(game, t, "hand 0") == [2, 4, 70, 90]
    assert lying(game, t, "draw 0") == [99, 1, *range(31, 49)]
    assert lying(game, t, "hand 1") == [3, 5, 60, 80]
    assert lying(game, t, "draw 1") == [6, 98, *range(10, 28)]
    assert [lying(game, t, f"row {row}") for row in range(1, 6)] == [[110], [50], [100], [7], [49]]
    assert lying(game, t, "box") == sorted(rest)


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_two_to_ten_can_play(seats: int) -> None:
    with pytest.raises(BadOption) as caught:
        complete_options(game, seats, {})
    assert caught.value.key == "bad_seats"
    assert caught.value.facts == {"game": "baron-oxx", "seats": seats, "least": 2, "most": 10}


def test_the_options_have_defaults() -> None:
    defaults = {"variant": "standard", "games": 1, "memory_aid": False}
    assert complete_options(game, 2, {}) == defaults


def test_options_can_be_typed() -> None:
    typed = ["variant=positive", "games=3", "memory_aid=true"]
    chosen = {"variant": "positive", "games": 3, "memory_aid": True}
    assert read_options(game, 2, typed) == chosen


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("games", 0),
        ("games", None),
        ("games", True),
        ("variant", "negative"),
        ("variant", None),
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

# No row ends with a white bull: a card …6 fits nowhere, a card …7 on rows 1 and 2.
ROWS = """
    row 1: 11
    row 2: 12
    row 3: 13
    row 4: 14
    row 5: 15
"""
QUIET = ROWS + "hand 0: 25 1 \n hand 1: 101 2 \n hand 2: 22 3"


@pytest.mark.rule("BO-5")
def test_nothing_happens_until_everyone_has_chosen() -> None:
    t = table(QUIET)
    assert game.waiting_for(t) == [0, 1, 2]
    t, events = after(game, t, "1 play 101")
    assert game.waiting_for(t) == [0, 2]
    assert legal(game, t, 1) == set()
    assert (lying(game, t, "hand 1"), lying(game, t, "laid 1")) == ([2], [101])
    t, more = after(game, t, "0 play 25")
    assert game.waiting_for(t) == [2]
    assert events + more == []


@pytest.mark.rule("BO-5")
def test_all_cards_are_revealed_and_placed_in_ascending_order() -> None:
    t, events = after(game, table(QUIET), "0 play 25", "1 play 101", "2 play 22")
    assert events == [
        reveal(25, 101, 22),
        place(2, 22, row=2),
        place(0, 25, row=5),
        place(1, 101, row=1),
    ]
    assert pictured(game, t) == as_drawn("""
        row 1: 11 101
        row 2: 12 22
        row 3: 13
        row 4: 14
        row 5: 15 25
        hand 0: 1
        hand 1: 2
        hand 2: 3
    """)
    assert game.waiting_for(t) == [0, 1, 2]


@pytest.mark.rule("BO-5")
def test_the_order_of_the_secret_choices_does_not_matter() -> None:
    one = after(game, table(QUIET), "0 play 25", "1 play 101", "2 play 22")
    other = after(game, table(QUIET), "2 play 22", "0 play 25", "1 play 101")
    assert one == other


@pytest.mark.rule("BO-6")
def test_with_one_fitting_row_there_is_no_choice_with_several_there_is() -> None:
    """Example 1.  With the real cards: 6 is blue and yellow, 88 is black."""
    t = tables.table(
        game,
        """
        row 1: 58
        row 2: 1
        row 3: 5
        row 4: 42
        row 5: 84
        hand 0: 6 7
        hand 1: 88 8
        """,
    )
    t, events = after(game, t, "0 play 6", "1 play 88")
    assert events == [reveal(6, 88)]
    assert game.waiting_for(t) == [0]
    assert legal(game, t, 0) == {"row 2", "row 4"}
    assert legal(game, t, 1) == set()
    t, events = after(game, t, "0 row 4")
    assert events == [place(0, 6, row=4), place(1, 88, row=1)]
    assert lying(game, t, "row 4") == [42, 6]
    assert lying(game, t, "row 1") == [58, 88]


@pytest.mark.rule("BO-6")
@pytest.mark.parametrize(
    ("card", "row"), [(21, 1), (20, 1), (22, 2), (23, 3), (24, 4), (25, 5), (29, 5)]
)
def test_a_card_goes_to_a_row_whose_last_card_shows_one_of_its_colours(card: int, row: int) -> None:
    t = table(ROWS + f"hand 0: {card} 96 \n hand 1: 101 106")
    _, events = after(game, t, f"0 play {card}", "1 play 101")
    assert events == [reveal(card, 101), place(0, card, row=row), place(1, 101, row=1)]


@pytest.mark.rule("BO-6")
def test_the_number_plays_no_part() -> None:
    t = table(ROWS.replace("11", "91") + "hand 0: 1 6 \n hand 1: 105 16")
    t, events = after(game, t, "0 play 1", "1 play 105")
    assert events == [reveal(1, 105), place(0, 1, row=1), place(1, 105, row=5)]
    assert lying(game, t, "row 1") == [91, 1]


@pytest.mark.rule("BO-6", "BO-11")
def test_only_the_last_card_of_a_row_counts() -> None:
    """Row 1 has blue bulls, but ends in yellow: the blue 21 fits nowhere."""
    t = table(ROWS.replace("11", "11 17 32") + "hand 0: 21 1 \n hand 1: 105 2")
    t, _ = after(game, t, "0 play 21", "1 play 105")
    assert legal(game, t, 0) == {"row 1", "row 2", "row 3", "row 4", "row 5"}
    _, events = after(game, t, "0 row 2")
    assert events[0] == take(0, [12], row=2, rule="BO-11")


@pytest.mark.rule("BO-6")
def test_each_card_is_placed_on_the_rows_as_the_cards_before_it_left_them() -> None:
    """The 29 brings white to row 5, so that the 36 fits there."""
    t = table(ROWS + "hand 0: 36 1 \n hand 1: 29 2")
    _, events = after(game, t, "0 play 36", "1 play 29")
    assert events == [reveal(36, 29), place(1, 29, row=5), place(0, 36, row=5)]


@pytest.mark.rule("BO-6", "BO-9")
def test_a_row_that_qualifies_must_be_used_even_if_it_costs() -> None:
    """Example 3.  With the real cards: only row 1 ends with a blue bull, and it has five cards."""
    t = tables.table(
        game,
        """
        row 1: 1 6 42 73 74
        row 2: 5
        row 3: 16
        row 4: 58
        row 5: 20
        hand 0: 31 7
        hand 1: 84 8
        """,
    )
    t, events = after(game, t, "0 play 31", "1 play 84")
    assert events == [
        reveal(31, 84),
        take(0, [1, 6, 42, 73, 74], row=1, rule="BO-9"),
        place(0, 31, row=1),
        place(1, 84, row=2),
    ]
    assert lying(game, t, "bull pile 0") == [1, 6, 42, 73, 74]
    assert lying(game, t, "row 1") == [31]


@pytest.mark.rule("BO-6", "BO-9")
def test_a_player_may_choose_the_fitting_row_that_costs() -> None:
    t = table(ROWS.replace("11", "1 7 2 32 11") + "hand 0: 27 96 \n hand 1: 105 106")
    t, _ = after(game, t, "0 play 27", "1 play 105")
    assert legal(game, t, 0) == {"row 1", "row 2"}
    _, events = after(game, t, "0 row 1")
    assert events == [
        take(0, [1, 7, 2, 32, 11], row=1, rule="BO-9"),
        place(0, 27, row=1),
        place(1, 105, row=5),
    ]
    _, events = after(game, t, "0 row 2")
    assert events == [place(0, 27, row=2), place(1, 105, row=5)]


@pytest.mark.rule("BO-7")
@pytest.mark.parametrize("baron", [52, 104])
def test_baron_oxx_fits_on_every_row(baron: int) -> None:
    t = table(ROWS + f"hand 0: {baron} 1 \n hand 1: 21 2")
    t, _ = after(game, t, f"0 play {baron}", "1 play 21")
    assert game.waiting_for(t) == [0]
    assert legal(game, t, 0) == {"row 1", "row 2", "row 3", "row 4", "row 5"}
    t, events = after(game, t, "0 row 4")
    assert events == [place(0, baron, row=4)]
    assert lying(game, t, "row 4") == [14, baron]


@pytest.mark.rule("BO-7")
@pytest.mark.parametrize("card", [16, 26, 106])
def test_every_card_fits_on_baron_oxx(card: int) -> None:
    t = table(ROWS.replace("13", "52") + f"hand 0: {card} 1 \n hand 1: 107 2")
    _, events = after(game, t, f"0 play {card}", "1 play 107", "1 row 1")
    assert place(0, card, row=3) in events


@pytest.mark.rule("BO-7")
def test_baron_oxx_fits_on_baron_oxx() -> None:
    t = table(ROWS.replace("13", "52") + "hand 0: 104 1 \n hand 1: 21 2")
    t, _ = after(game, t, "0 play 104", "1 play 21", "1 row 1")
    t, events = after(game, t, "0 row 3")
    assert events == [place(0, 104, row=3)]
    assert lying(game, t, "row 3") == [52, 104]


@pytest.mark.rule("BO-7", "BO-9")
def test_baron_oxx_takes_a_row_of_five() -> None:
    t = table(ROWS.replace("11", "1 7 2 32 17") + "hand 0: 52 96 \n hand 1: 105 106")
    t, events = after(game, t, "0 play 52", "1 play 105", "0 row 1")
    assert events[1:3] == [take(0, [1, 7, 2, 32, 17], row=1, rule="BO-9"), place(0, 52, row=1)]


@pytest.mark.rule("BO-7", "BO-10")
def test_baron_oxx_takes_a_row_with_five_bulls_of_a_colour() -> None:
    t = table(ROWS.replace("11", "20 21 31") + "hand 0: 52 96 \n hand 1: 105 106")
    t, events = after(game, t, "0 play 52", "1 play 105", "0 row 1")
    assert events[1:3] == [take(0, [20, 21, 31], row=1, rule="BO-10"), place(0, 52, row=1)]


@pytest.mark.rule("BO-7", "BO-10")
def test_baron_oxx_counts_as_a_bull_of_each_colour_in_its_row() -> None:
    t = table(ROWS.replace("11", "20 31 52") + "hand 0: 61 96 \n hand 1: 105 106")
    t, events = after(game, t, "0 play 61", "1 play 105")
    assert events[1:3] == [take(0, [20, 31, 52], row=1, rule="BO-10"), place(0, 61, row=1)]
    t = table(ROWS.replace("11", "20 52") + "hand 0: 61 96 \n hand 1: 105 106")
    t, events = after(game, t, "0 play 61", "1 play 105")
    assert events[1] == place(0, 61, row=1)


@pytest.mark.rule("BO-8")
def test_at_the_end_of_a_turn_an_empty_hand_is_filled_from_the_draw_pile() -> None:
    t = table(
        ROWS
        + """
        hand 0: 25
        draw 0: 91 31 81 41 71 61 51
        hand 1: 21
        draw 1: 92 32 82 42
        """
    )
    t, events = after(game, t, "0 play 25", "1 play 21")
    assert events == [
        reveal(25, 21),
        place(1, 21, row=1),
        place(0, 25, row=5),
        draw(0, count=4),
        draw(1, count=4),
    ]
    assert pictured(game, t) == as_drawn("""
        row 1: 11 21
        row 2: 12
        row 3: 13
        row 4: 14
        row 5: 15 25
        hand 0: 31 41 81 91
        draw 0: 71 61 51
        hand 1: 32 42 82 92
    """)
    assert game.waiting_for(t) == [0, 1]


@pytest.mark.rule("BO-8")
def test_nobody_draws_with_a_card_in_hand() -> None:
    t = table(ROWS + "hand 0: 25 1 \n draw 0: 31 41 \n hand 1: 21 2 \n draw 1: 32 42")
    t, events = after(game, t, "0 play 25", "1 play 21")
    assert events[-1] == place(0, 25, row=5)
    assert (lying(game, t, "hand 0"), lying(game, t, "draw 0")) == ([1], [31, 41])


@pytest.mark.rule("BO-8")
def test_only_the_player_with_an_empty_hand_draws() -> None:
    t = positive(ROWS + "hand 0: 25 1 \n draw 0: 31 41 \n hand 1: 21 \n draw 1: 32 42")
    t, events = after(game, t, "0 play 25", "1 play 21")
    assert events[-1] == draw(1, count=2)
    assert events[-2] == place(0, 25, row=5)
    assert lying(game, t, "hand 0") == [1]


@pytest.mark.rule("BO-8")
@pytest.mark.parametrize(
    ("pile", "hand", "left"),
    [
        ("31", [31], []),
        ("31 41 51", [31, 41, 51], []),
        ("61 31 51 41", [31, 41, 51, 61], []),
        ("61 31 51 41 71", [31, 41, 51, 61], [71]),
    ],
)
def test_fewer_than_four_cards_are_drawn_if_fewer_are_left(
    pile: str, hand: list[int], left: list[int]
) -> None:
    t = positive(ROWS + f"hand 0: 25 \n draw 0: {pile} \n hand 1: 21 2")
    t, events = after(game, t, "0 play 25", "1 play 21")
    assert events[-1] == draw(0, count=len(hand))
    assert (lying(game, t, "hand 0"), lying(game, t, "draw 0")) == (hand, left)


@pytest.mark.rule("BO-8", "BO-13")
def test_after_the_last_turn_nobody_draws() -> None:
    t = table(ROWS + "hand 0: 25 \n hand 1: 21")
    _, events = after(game, t, "0 play 25", "1 play 21")
    assert events == [reveal(25, 21), place(1, 21, row=1), place(0, 25, row=5), GAME_END]


# -- Taking cards -----------------------------------------------------------------------------


@pytest.mark.rule("BO-9")
def test_the_fifth_card_of_a_row_takes_nothing() -> None:
    t = table(ROWS.replace("11", "1 7 2 17") + "hand 0: 21 96 \n hand 1: 105 106")
    t, events = after(game, t, "0 play 21", "1 play 105")
    assert events == [reveal(21, 105), place(0, 21, row=1), place(1, 105, row=5)]
    assert lying(game, t, "row 1") == [1, 7, 2, 17, 21]


@pytest.mark.rule("BO-9", "BO-12")
def test_the_sixth_card_of_a_row_takes_the_five_and_is_the_first_of_the_new_row() -> None:
    t = table(
        ROWS.replace("11", "1 7 2 32 17")
        + """
        hand 0: 21 96
        draw 0: 33
        bull pile 0: 43 44
        hand 1: 105 106
        """
    )
    t, events = after(game, t, "0 play 21", "1 play 105")
    assert events == [
        reveal(21, 105),
        take(0, [1, 7, 2, 32, 17], row=1, rule="BO-9"),
        place(0, 21, row=1),
        place(1, 105, row=5),
    ]
    assert pictured(game, t) == as_drawn("""
        row 1: 21
        row 2: 12
        row 3: 13
        row 4: 14
        row 5: 15 105
        hand 0: 96
        draw 0: 33
        bull pile 0: 43 44 1 7 2 32 17
        hand 1: 106
    """)


@pytest.mark.rule("BO-10")
def test_a_row_with_five_black_bulls_is_taken_by_one_more() -> None:
    """Example 2.  With the real cards: 70 has three black bulls, 9 two, 88 one."""
    t = tables.table(
        game,
        """
        row 1: 70 9
        row 2: 1
        row 3: 5
        row 4: 42
        row 5: 20
        hand 0: 88 7
        hand 1: 84 8
        """,
    )
    t, events = after(game, t, "0 play 88", "1 play 84")
    assert events == [
        reveal(88, 84),
        place(1, 84, row=3),
        take(0, [70, 9], row=1, rule="BO-10"),
        place(0, 88, row=1),
    ]
    assert lying(game, t, "bull pile 0") == [70, 9]


@pytest.mark.rule("BO-10")
@pytest.mark.parametrize(
    ("row", "card"),
    [
        ("30 31", 41),  # 3 + 1 + 1
        ("31 41", 30),  # 1 + 1 + 3
        ("31 61 71 81", 91),  # 1 + 1 + 1 + 1 + 1
        ("30 37", 47),  # 5 blue ones and 2 yellow ones
    ],
)
def test_five_bulls_of_a_colour_take_nothing(row: str, card: int) -> None:
    t = table(ROWS.replace("11", row).replace("12", "23") + f"hand 0: {card} 6 \n hand 1: 105 16")
    t, events = after(game, t, f"0 play {card}", "1 play 105")
    assert events == [reveal(card, 105), place(0, card, row=1), place(1, 105, row=5)]
    assert lying(game, t, "row 1") == [*map(int, row.split()), card]


@pytest.mark.rule("BO-10")
@pytest.mark.parametrize(
    ("row", "card"),
    [
        ("30 31 41", 51),  # 3 + 1 + 1 + 1
        ("31 41 51", 30),  # 1 + 1 + 1 + 3: the card's own bulls count
        ("30", 40),  # 3 + 3
        ("30 31", 40),  # 3 + 1 + 3: seven
        ("30 31 37 42", 47),  # it fits by its yellow bull, and has the sixth blue one
    ],
)
def test_six_or_more_bulls_of_a_colour_take_the_cards_to_the_left(row: str, card: int) -> None:
    t = table(ROWS.replace("11", row).replace("12", "23") + f"hand 0: {card} 6 \n hand 1: 105 16")
    t, events = after(game, t, f"0 play {card}", "1 play 105")
    before = list(map(int, row.split()))
    assert events == [
        reveal(card, 105),
        take(0, before, row=1, rule="BO-10"),
        place(0, card, row=1),
        place(1, 105, row=5),
    ]
    assert lying(game, t, "row 1") == [card]
    assert lying(game, t, "bull pile 0") == before


@pytest.mark.rule("BO-9", "BO-10")
def test_if_both_apply_the_event_names_the_sixth_card() -> None:
    t = table(ROWS.replace("11", "1 21 31 41 51") + "hand 0: 61 6 \n hand 1: 105 16")
    t, events = after(game, t, "0 play 61", "1 play 105")
    assert events[1] == take(0, [1, 21, 31, 41, 51], row=1, rule="BO-9")


MISFIT = ROWS.replace("13", "13 18 23") + "hand 0: 21 96 \n hand 1: 16 106 \n draw 1: 91 \n"


@pytest.mark.rule("BO-11", "BO-12")
def test_a_card_that_fits_nowhere_takes_a_row_of_its_players_choice() -> None:
    t, events = after(game, table(MISFIT), "0 play 21", "1 play 16")
    assert events == [reveal(21, 16)]
    assert game.waiting_for(t) == [1]
    assert legal(game, t, 1) == {"row 1", "row 2", "row 3", "row 4", "row 5"}
    t, events = after(game, t, "1 row 3")
    assert events == [
        take(1, [13, 18, 23], row=3, rule="BO-11"),
        place(1, 16, row=3),
        place(0, 21, row=1),
    ]
    assert pictured(game, t) == as_drawn("""
        row 1: 11 21
        row 2: 12
        row 3: 16
        row 4: 14
        row 5: 15
        hand 0: 96
        hand 1: 106
        draw 1: 91
        bull pile 1: 13 18 23
    """)


@pytest.mark.rule("BO-11")
@pytest.mark.parametrize(("row", "taken"), [(1, [11]), (2, [12]), (4, [14]), (5, [15])])
def test_a_card_that_fits_nowhere_may_take_any_row(row: int, taken: list[int]) -> None:
    t, events = after(game, table(MISFIT), "0 play 21", "1 play 16", f"1 row {row}")
    assert events[1:3] == [take(1, taken, row=row, rule="BO-11"), place(1, 16, row=row)]
    assert lying(game, t, "bull pile 1") == taken


# -- End --------------------------------------------------------------------------------------

LAST_TURN = ROWS + "hand 0: 25 \n hand 1: 21 \n bull pile 0: 20 17 \n bull pile 1: 52 31"


@pytest.mark.rule("BO-13")
def test_the_game_ends_when_all_cards_have_been_placed() -> None:
    t, events = after(game, table(LAST_TURN), "0 play 25", "1 play 21")
    assert events[-1] == GAME_END
    assert t.phase == rules.OVER
    assert game.waiting_for(t) == game.to_shuffle(t) == []
    assert legal(game, t, 0) == legal(game, t, 1) == set()


@pytest.mark.rule("BO-13")
def test_the_game_goes_on_while_there_are_cards_in_the_draw_piles() -> None:
    t = table(LAST_TURN + "\n draw 0: 96 \n draw 1: 86")
    t, events = after(game, t, "0 play 25", "1 play 21")
    assert events[-2:] == [draw(0, count=1), draw(1, count=1)]
    assert game.waiting_for(t) == [0, 1]
    assert game.scores(t) == [0, 0]


@pytest.mark.rule("BO-13")
def test_bulls_in_the_bull_pile_are_minus_points() -> None:
    t, _ = after(game, table(LAST_TURN), "0 play 25", "1 play 21")
    assert game.rounds(t) == ((3 + 2, 6 + 1),)
    assert game.scores(t) == [5, 7]
    assert game.winners(t) == [0]


@pytest.mark.rule("BO-13", "BO-16")
@pytest.mark.parametrize(
    ("variant", "points", "winners"),
    [
        ("standard", ((5, 9, 7),), [0]),
        ("standard", ((9, 5, 5),), [1, 2]),
        ("colour", ((9, 5, 7),), [1]),
        ("colour", ((5, 5, 5),), [0, 1, 2]),
        ("positive", ((5, 9, 7),), [1]),
        ("positive", ((-5, -9, -5),), [0, 2]),
        ("standard", ((5, 9, 7), (9, 4, 7)), [1]),
        ("positive", ((5, 9, 7), (9, 4, 7)), [0, 2]),
    ],
)
def test_fewest_win_but_most_if_bulls_are_good_and_equal_players_share_the_win(
    variant: str, points: tuple[tuple[int, ...], ...], winners: list[int]
) -> None:
    options: dict[str, OptionValue] = {"variant": variant}
    t = tables.table(game, "", seats=3, phase=rules.OVER, points=points, options=options)
    assert game.winners(t) == winners


@pytest.mark.rule("BO-14")
def test_the_scores_of_several_games_are_added_up() -> None:
    options: dict[str, OptionValue] = {"games": 2}
    t = table(LAST_TURN, options=options)
    t, events = after(game, t, "0 play 25", "1 play 21")
    assert events[-1] == GAME_END
    assert t.phase == rules.DEALING
    assert game.to_shuffle(t) == list(range(1, 111))
    assert game.scores(t) == [5, 7]
    t = table(LAST_TURN, options=options, points=((1, 20),))
    t, events = after(game, t, "0 play 25", "1 play 21")
    assert t.phase == rules.OVER
    assert game.rounds(t) == ((1, 20), (5, 7))
    assert game.scores(t) == [6, 27]


@pytest.mark.rule("BO-14")
@pytest.mark.parametrize("games", [1, 2, 3])
def test_the_option_games_says_how_many_are_played(games: int) -> None:
    for played in range(games):
        t = table(LAST_TURN, options={"games": games}, points=((1, 2),) * played)
        t, _ = after(game, t, "0 play 25", "1 play 21")
        assert t.phase == (rules.OVER if played + 1 == games else rules.DEALING)


@pytest.mark.rule("BO-14")
def test_each_game_is_dealt_from_all_cards_and_nothing_is_left_of_the_last_one() -> None:
    options: dict[str, OptionValue] = {"variant": "positive", "games": 2}
    t = table(ROWS + "hand 0: 16 \n hand 1: 26", options=options)
    t, events = after(game, t, "0 play 16", "1 play 26")
    assert events[-1] == GAME_END
    t, events = game.deal(t, REVERSED)
    fresh, _ = game.deal(empty_table(2), REVERSED)
    assert t.lying == fresh.lying
    assert (t.seen, t.gone_under, t.phase) == (fresh.seen, 0, rules.LAYING)
    assert game.scores(t) == [-1, -1]
    assert events == []


# -- Variants ---------------------------------------------------------------------------------


@pytest.mark.rule("BO-15")
@pytest.mark.parametrize("row", ["1 7 2 32 17", "1 7 2 32 42 17", "1 7 2 3 8 4 34 17"])
def test_in_colour_counts_a_row_may_grow_past_five_cards(row: str) -> None:
    t = table(
        ROWS.replace("11", row) + "hand 0: 21 96 \n hand 1: 105 106", options={"variant": "colour"}
    )
    t, events = after(game, t, "0 play 21", "1 play 105")
    assert events == [reveal(21, 105), place(0, 21, row=1), place(1, 105, row=5)]
    assert lying(game, t, "row 1") == [*map(int, row.split()), 21]


@pytest.mark.rule("BO-15", "BO-10")
def test_in_colour_counts_six_bulls_of_a_colour_still_take_the_row() -> None:
    """It is the sixth card as well, but only the bulls count."""
    t = table(
        ROWS.replace("11", "1 21 31 41 51") + "hand 0: 61 96 \n hand 1: 105 106",
        options={"variant": "colour"},
    )
    t, events = after(game, t, "0 play 61", "1 play 105")
    assert events[1:3] == [take(0, [1, 21, 31, 41, 51], row=1, rule="BO-10"), place(0, 61, row=1)]


@pytest.mark.rule("BO-15", "BO-11")
def test_in_colour_counts_a_card_that_fits_nowhere_takes_a_row() -> None:
    t = table(MISFIT, options={"variant": "colour"})
    t, events = after(game, t, "0 play 21", "1 play 16", "1 row 3")
    assert events[1] == take(1, [13, 18, 23], row=3, rule="BO-11")


@pytest.mark.rule("BO-15", "BO-13")
def test_in_colour_counts_bulls_are_minus_points() -> None:
    t = table(LAST_TURN, options={"variant": "colour"})
    t, _ = after(game, t, "0 play 25", "1 play 21")
    assert (game.scores(t), game.winners(t)) == ([5, 7], [0])


@pytest.mark.rule("BO-16")
def test_if_bulls_are_good_a_card_that_fits_nowhere_goes_under_the_own_draw_pile() -> None:
    t, events = after(game, positive(MISFIT), "0 play 21", "1 play 16")
    assert events == [reveal(21, 16), under(1, 16), place(0, 21, row=1)]
    assert pictured(game, t) == as_drawn("""
        row 1: 11 21
        row 2: 12
        row 3: 13 18 23
        row 4: 14
        row 5: 15
        hand 0: 96
        hand 1: 106
        draw 1: 91 16
    """)
    assert game.waiting_for(t) == [0, 1]


@pytest.mark.rule("BO-16", "BO-8")
def test_a_card_that_went_under_is_drawn_last() -> None:
    t = positive(ROWS + "hand 0: 16 \n draw 0: 41 31 61 51 71 \n hand 1: 21 2")
    t, events = after(game, t, "0 play 16", "1 play 21")
    assert events[1:] == [under(0, 16), place(1, 21, row=1), draw(0, count=4)]
    assert (lying(game, t, "hand 0"), lying(game, t, "draw 0")) == ([31, 41, 51, 61], [71, 16])


@pytest.mark.rule("BO-16", "BO-8")
def test_a_card_that_went_under_an_empty_draw_pile_comes_back_at_once() -> None:
    """Seat 0 has not placed its last card, so the game goes on."""
    t = positive(ROWS + "hand 0: 16 \n hand 1: 21 2")
    t, events = after(game, t, "0 play 16", "1 play 21")
    assert events == [reveal(16, 21), under(0, 16), place(1, 21, row=1), draw(0, count=1)]
    assert (lying(game, t, "hand 0"), lying(game, t, "draw 0")) == ([16], [])
    assert game.waiting_for(t) == [0, 1]


@pytest.mark.rule("BO-16", "BO-6")
def test_if_bulls_are_good_the_player_still_chooses_among_fitting_rows() -> None:
    t = positive(ROWS + "hand 0: 27 1 \n hand 1: 105 2")
    t, _ = after(game, t, "0 play 27", "1 play 105")
    assert legal(game, t, 0) == {"row 1", "row 2"}


@pytest.mark.rule("BO-16", "BO-9", "BO-10")
@pytest.mark.parametrize(("row", "rule"), [("1 7 2 32 17", "BO-9"), ("20 31 41", "BO-10")])
def test_if_bulls_are_good_rows_are_taken_as_usual(row: str, rule: str) -> None:
    t = positive(ROWS.replace("11", row) + "hand 0: 21 96 \n hand 1: 105 106")
    t, events = after(game, t, "0 play 21", "1 play 105")
    taken = list(map(int, row.split()))
    assert events[1:3] == [take(0, taken, row=1, rule=rule), place(0, 21, row=1)]
    assert lying(game, t, "bull pile 0") == taken


@pytest.mark.rule("BO-16")
def test_if_bulls_are_good_the_game_ends_when_one_player_has_placed_the_last_card() -> None:
    """What the others still have in their hands and draw piles counts against them."""
    t = positive(
        ROWS
        + """
        hand 0: 25
        bull pile 0: 20
        hand 1: 21 17 104
        draw 1: 30 16
        bull pile 1: 52 31
        """
    )
    t, events = after(game, t, "0 play 25", "1 play 21")
    assert events == [reveal(25, 21), place(1, 21, row=1), place(0, 25, row=5), GAME_END]
    assert t.phase == rules.OVER
    assert game.scores(t) == [3, (6 + 1) - (2 + 6) - (3 + 1)]
    assert game.winners(t) == [0]


@pytest.mark.rule("BO-16", "BO-8")
def test_nobody_draws_after_the_turn_in_which_a_last_card_is_placed() -> None:
    t = positive(ROWS + "hand 0: 25 \n hand 1: 21 \n draw 1: 30 16")
    t, events = after(game, t, "0 play 25", "1 play 21")
    assert events[-2:] == [place(0, 25, row=5), GAME_END]
    assert lying(game, t, "draw 1") == [30, 16]
    assert game.scores(t) == [0, -4]


@pytest.mark.rule("BO-16")
def test_the_turn_in_which_a_last_card_is_placed_is_finished() -> None:
    """Seat 0 is out with the 21; seat 1 still chooses a row for the 27, and seat 2's 36 goes under."""
    t = positive(ROWS + "hand 0: 21 \n hand 1: 27 1 \n hand 2: 36 2")
    t, events = after(game, t, "0 play 21", "1 play 27", "2 play 36")
    assert events == [reveal(21, 27, 36), place(0, 21, row=1)]
    assert game.waiting_for(t) == [1]
    t, events = after(game, t, "1 row 2")
    assert events == [place(1, 27, row=2), under(2, 36), GAME_END]
    assert game.scores(t) == [0, -1, -2]


@pytest.mark.rule("BO-16")
def test_the_game_goes_on_while_a_draw_pile_is_left() -> None:
    t = positive(ROWS + "hand 0: 25 \n draw 0: 96 \n hand 1: 21 17")
    t, events = after(game, t, "0 play 25", "1 play 21")
    assert events[-1] == draw(0, count=1)
    assert game.waiting_for(t) == [0, 1]


@pytest.mark.rule("BO-17")
def test_when_all_cards_left_have_gone_under_the_game_ends() -> None:
    t = positive(ROWS + "hand 0: 16 \n hand 1: 26 \n bull pile 1: 52")
    t, events = after(game, t, "0 play 16", "1 play 26")
    assert events == [reveal(16, 26), under(0, 16), under(1, 26), GAME_END]
    assert t.phase == rules.OVER
    assert (lying(game, t, "draw 0"), lying(game, t, "draw 1")) == ([16], [26])
    assert game.scores(t) == [-1, 6 - 1]


@pytest.mark.rule("BO-17")
def test_while_one_card_has_not_gone_under_the_game_goes_on() -> None:
    t = positive(ROWS + "hand 0: 16 \n hand 1: 26 36")
    t, events = after(game, t, "0 play 16", "1 play 26")
    assert events == [reveal(16, 26), under(0, 16), under(1, 26), draw(0, count=1)]
    t, events = after(game, t, "0 play 16", "1 play 36")
    assert events == [reveal(16, 36), under(0, 16), under(1, 36), GAME_END]
    assert game.scores(t) == [-1, -2]


@pytest.mark.rule("BO-17")
def test_an_unseen_card_in_a_draw_pile_keeps_the_game_going() -> None:
    t = positive(ROWS + "hand 0: 16 \n hand 1: 26 \n draw 1: 36")
    t, events = after(game, t, "0 play 16", "1 play 26")
    assert events[-2:] == [draw(0, count=1), draw(1, count=2)]
    assert game.waiting_for(t) == [0, 1]


@pytest.mark.rule("BO-17")
def test_a_card_that_goes_under_twice_counts_once() -> None:
    t = positive(ROWS + "hand 0: 16 \n hand 1: 26 36 46")
    for card in (26, 36):
        t, events = after(game, t, "0 play 16", f"1 play {card}")
        assert events[-1] == draw(0, count=1)
    t, events = after(game, t, "0 play 16", "1 play 46")
    assert events[-1] == GAME_END


@pytest.mark.rule("BO-17")
def test_a_placed_card_gives_those_that_went_under_another_chance() -> None:
    """The 36 went under before; the 16 goes under now, and then the 21 is placed."""
    t = positive(ROWS + "hand 0: 16 \n hand 1: 21 36", gone_under=mask([36]))
    t, events = after(game, t, "0 play 16", "1 play 21")
    assert events == [reveal(16, 21), under(0, 16), place(1, 21, row=1), draw(0, count=1)]
    assert game.waiting_for(t) == [0, 1]
    t, events = after(game, t, "0 play 16", "1 play 36")
    assert events[-1] == GAME_END


@pytest.mark.rule("BO-17")
def test_only_cards_that_went_under_after_the_placed_one_count() -> None:
    """The 21 is placed first; of the two cards left then only the 96 goes under after it."""
    t = positive(ROWS + "hand 0: 96 \n hand 1: 21 36", gone_under=mask([36]))
    t, events = after(game, t, "0 play 96", "1 play 21")
    assert events == [reveal(96, 21), place(1, 21, row=1), under(0, 96), draw(0, count=1)]
    assert game.waiting_for(t) == [0, 1]


@pytest.mark.rule("BO-17")
def test_a_card_that_takes_a_row_is_placed_as_well() -> None:
    drawing = ROWS.replace("11", "20 31 41") + "hand 0: 16 \n hand 1: 21 36"
    _, events = after(game, positive(drawing, gone_under=mask([36])), "0 play 16", "1 play 21")
    assert events[1:] == [
        under(0, 16),
        take(1, [20, 31, 41], row=1, rule="BO-10"),
        place(1, 21, row=1),
        draw(0, count=1),
    ]


@pytest.mark.rule("BO-17")
def test_after_a_placed_card_the_game_ends_once_all_left_have_gone_under() -> None:
    """The turn of the 21 leaves only white cards; both have gone under when the next turn ends."""
    t = positive(ROWS + "hand 0: 96 \n hand 1: 21 36")
    t, _ = after(game, t, "0 play 96", "1 play 21")
    t, events = after(game, t, "0 play 96", "1 play 36")
    assert events == [reveal(96, 36), under(1, 36), under(0, 96), GAME_END]
    assert game.scores(t) == [-1, -1]


# -- How points come about --------------------------------------------------------------------

COUNTING = ROWS + "hand 0: 16 \n draw 0: 26 \n bull pile 0: 52 31 \n hand 1: 21 \n bull pile 1: 43"


@pytest.mark.rule("BO-13")
@pytest.mark.parametrize("variant", ["standard", "colour"])
def test_only_the_bull_pile_counts(variant: str) -> None:
    t = table(COUNTING, options={"variant": variant})
    taken = rules.bulls_on(t.deck, (52, 31))
    assert rules.worth(t, 0) == taken
    assert rules.parts(t, 0) == [("taken", (52, 31), f"{taken}", "bad")]
    assert rules.parts(game.view(t, 0).table, 0) == []


@pytest.mark.rule("BO-16")
def test_where_bulls_are_good_those_that_are_left_count_against_their_player() -> None:
    t = positive(COUNTING)
    taken, left = rules.bulls_on(t.deck, (52, 31)), rules.bulls_on(t.deck, (16, 26))
    assert rules.worth(t, 0) == taken - left
    assert rules.parts(t, 0) == [
        ("taken", (52, 31), f"+{taken}", "good"),
        ("left", (16, 26), f"−{left}", "bad"),
    ]


# -- What a player sees -----------------------------------------------------------------------

OPEN = (11, 12, 13, 14, 15, 43, 53, 63, 16, 26)  # 16 and 26 went under, 26 was drawn again
SEEING = (
    ROWS
    + """
    hand 0: 1 25
    draw 0: 31 41
    bull pile 0: 43
    hand 1: 22 26
    draw 1: 91 81 16
    bull pile 1: 53 63
    hand 2: 3 4
    """
)


@pytest.mark.parametrize("memory_aid", [False, True])
def test_a_player_sees_the_own_hand_the_rows_and_how_many_cards_there_are(
    memory_aid: bool,
) -> None:
    options: dict[str, OptionValue] = {"variant": "positive", "memory_aid": memory_aid}
    seen = game.view(table(SEEING, options=options, seen=mask(OPEN)), 0).table
    assert pictured(game, seen) == as_drawn("""
        row 1: 11
        row 2: 12
        row 3: 13
        row 4: 14
        row 5: 15
        hand 0: 1 25
        draw 0: ? ?
        bull pile 0: ?
        hand 1: ? ?
        draw 1: ? ? ?
        bull pile 1: ? ?
        hand 2: ? ?
    """)
    assert seen.lying[rules.BOX] == (UNSEEN,) * (110 - 19)


@pytest.mark.rule("BO-3")
def test_a_perfect_memory_knows_bull_piles_and_cards_that_went_under_but_no_draw_pile() -> None:
    t = positive(SEEING, seen=mask(OPEN))
    view = game.view(t, 0)
    assert pictured(game, t, view.remembered) == as_drawn("""
        row 1: 11
        row 2: 12
        row 3: 13
        row 4: 14
        row 5: 15
        hand 0: 1 25
        draw 0: ? ?
        bull pile 0: 43
        hand 1: 26 ?
        draw 1: ? ? 16
        bull pile 1: 53 63
        hand 2: ? ?
    """)
    assert view.remembered[rules.BOX] == (UNSEEN,) * (110 - 19)
    assert (view.seat, view.legal) == (0, [rules.PLAY + 1, rules.PLAY + 25])


@pytest.mark.rule("BO-3", "BO-16")
def test_the_owner_knows_of_the_own_draw_pile_only_what_went_under_it() -> None:
    view = game.view(positive(SEEING, seen=mask(OPEN)), 1)
    assert lying(game, view.table, "draw 1") == [UNSEEN] * 3
    assert view.remembered[rules.DRAW + 1] == (UNSEEN, UNSEEN, 16)
    assert view.remembered[rules.HAND + 1] == (22, 26)


@pytest.mark.rule("BO-16")
def test_a_card_that_went_under_is_remembered_when_it_is_drawn() -> None:
    t = positive(ROWS + "hand 0: 6 16 \n draw 0: 81 61 71 \n hand 1: 46 56 \n draw 1: 91")
    t, _ = after(game, t, "0 play 6", "1 play 46")
    assert game.view(t, 1).remembered[rules.DRAW + 0] == (UNSEEN, UNSEEN, UNSEEN, 6)
    assert game.view(t, 1).remembered[rules.HAND + 0] == (UNSEEN,)
    t, events = after(game, t, "0 play 16", "1 play 56")
    assert events[-2:] == [draw(0, count=4), draw(1, count=3)]
    for watcher in (1, None):
        view = game.view(t, watcher)
        assert view.remembered[rules.HAND + 0] == (6, UNSEEN, UNSEEN, UNSEEN)
        assert view.remembered[rules.DRAW + 0] == (16,)
        assert lying(game, view.table, "hand 0") == [UNSEEN] * 4
        assert lying(game, view.table, "draw 0") == [UNSEEN]


def test_how_many_cards_have_gone_under_is_not_told() -> None:
    t, _ = after(game, positive(ROWS + "hand 0: 16 1 \n hand 1: 26 2"), "0 play 16", "1 play 26")
    assert t.gone_under == mask([16, 26])
    assert game.facts(t) == {}


def test_whoever_draws_sees_the_cards_on_their_way_and_the_others_how_many() -> None:
    t = positive(ROWS + "hand 0: 16 \n draw 0: 81 61 \n hand 1: 46 56")
    t, _ = after(game, t, "0 play 16", "1 play 46")
    *_, (drawn,) = carried(game, t)
    moves = [drawn.as_json(viewer) for viewer in (0, 1, None)]
    assert [move["cards"] for move in moves] == [[81, 61, 16], 3, 3]
    assert {(move["from"], move["to"]) for move in moves} == {("draw 0", "hand 0")}


def test_a_card_that_goes_under_and_is_drawn_again_at_once_takes_nothing() -> None:
    t = positive(ROWS + "hand 0: 16 \n hand 1: 46 56")
    meant = meaning(game, game.view(t, 0), rules.PLAY + 16)
    assert (meant.card, meant.place, meant.effect, meant.taken) == (16, "draw 0", "joins", ())


def test_a_spectator_sees_no_hand_and_has_no_moves() -> None:
    view = game.view(positive(SEEING, seen=mask(OPEN)), None)
    assert (view.seat, view.legal) == (None, [])
    assert [lying(game, view.table, f"hand {seat}") for seat in range(3)] == [[UNSEEN] * 2] * 3
    assert view.remembered[rules.HAND + 1] == (26, UNSEEN)


def test_a_card_lying_face_down_is_its_players_secret() -> None:
    """The 26 is known to be seat 1's: laid or not, it stays in the hand that the others remember."""
    t = positive(SEEING, seen=mask(OPEN))
    known, _ = after(game, t, "1 play 26")
    unknown, _ = after(game, t, "1 play 22")
    for watcher in (0, 2, None):
        view = game.view(known, watcher)
        assert lying(game, view.table, "laid 1") == lying(game, view.table, "hand 1") == [UNSEEN]
        assert view.remembered[rules.HAND + 1] == (26, UNSEEN)
        assert view.remembered[rules.LAID + 1] == ()
        assert view == game.view(unknown, watcher)
    own = game.view(known, 1)
    assert (lying(game, own.table, "laid 1"), lying(game, own.table, "hand 1")) == ([26], [22])
    assert (own.remembered[rules.LAID + 1], own.remembered[rules.HAND + 1]) == ((26,), (22,))
    assert own.legal == []


def test_revealed_cards_lie_open_while_somebody_chooses_a_row() -> None:
    t, _ = after(game, table(MISFIT), "0 play 21", "1 play 16")
    view = game.view(t, 0)
    assert lying(game, view.table, "laid 1") == [16]
    assert view.remembered[rules.LAID + 1] == (16,)
    assert lying(game, view.table, "hand 1") == [UNSEEN]
    assert view.remembered[rules.HAND + 1] == (UNSEEN,)
    assert game.view(t, 1).legal == [rules.CHOOSE_ROW + row for row in (1, 2, 3, 4, 5)]


def test_hands_and_piles_are_open_when_they_are_counted() -> None:
    for games in (1, 2):
        t = table(
            LAST_TURN.replace("hand 1: 21", "hand 1: 21 96") + "\n draw 1: 86",
            options={"variant": "positive", "games": games},
        )
        t, _ = after(game, t, "0 play 25", "1 play 21")
        for watcher in (0, 1, None):
            view = game.view(t, watcher)
            assert lying(game, view.table, "hand 1") == [96]
            assert lying(game, view.table, "draw 1") == [86]
            assert lying(game, view.table, "bull pile 1") == [52, 31]
            assert set(lying(game, view.table, "box")) == {UNSEEN}
            assert view.legal == []


@pytest.mark.parametrize("watcher", [0, 1, 2, None])
@pytest.mark.parametrize("moves", [[], ["1 play 26"], ["1 play 22", "0 play 1", "2 play 3"]])
def test_an_imagined_table_gives_the_view_that_it_was_imagined_from(
    watcher: int | None, moves: list[str]
) -> None:
    t, _ = after(game, positive(SEEING, seen=mask(OPEN)), *moves)
    view = game.view(t, watcher)
    for seed in range(20):
        imagined = game.imagine(view, Random(seed))
        assert sorted(card for cards in imagined.lying for card in cards) == list(game.CARDS)
        assert game.view(imagined, watcher) == view


def test_everything_that_happens_is_seen_by_all() -> None:
    t, events = after(game, table(MISFIT), "0 play 21", "1 play 16", "1 row 3")
    for event in events:
        for watcher in (0, 1, None):
            assert game.seen_by(event, watcher, t.options) == event


def test_every_event_tells_what_it_should() -> None:
    t = positive(ROWS.replace("11", "20 31 41") + "hand 0: 16 \n hand 1: 21 36")
    t, events = after(game, t, "0 play 16", "1 play 21")
    t, more = after(game, t, "0 play 16", "1 play 36")
    assert {event["event"] for event in events + more} == set(game.EVENTS)
    for event in events + more:
        assert tuple(event) == ("event", *game.EVENTS[event["event"]])


def test_a_move_leaves_the_table_on_which_it_was_made_as_it_was() -> None:
    t = table(MISFIT)
    for move in ("0 play 21", "1 play 16", "1 row 3"):
        before = deepcopy(t)
        following, _ = after(game, t, move)
        assert t == before
        t = following


def test_a_deal_leaves_the_table_on_which_it_was_made_as_it_was() -> None:
    t, _ = after(game, table(LAST_TURN, options={"games": 2}), "0 play 25", "1 play 21")
    before = deepcopy(t)
    game.deal(t, REVERSED)
    assert t == before


# -- Refusals ---------------------------------------------------------------------------------


@pytest.mark.rule("BO-13")
def test_after_the_end_no_move_is_allowed() -> None:
    t, _ = after(game, table(LAST_TURN), "0 play 25", "1 play 21")
    assert refused(game, t, 0, "play 25") == refuse("BO-13", "game_over")


@pytest.mark.rule("BO-3")
def test_before_the_deal_no_move_is_allowed() -> None:
    assert refused(game, empty_table(2), 0, "play 50") == refuse("BO-3", "not_dealt")
    t, _ = after(game, table(LAST_TURN, options={"games": 2}), "0 play 25", "1 play 21")
    assert refused(game, t, 1, "row 1") == refuse("BO-3", "not_dealt")


@pytest.mark.rule("BO-5")
def test_a_card_that_was_chosen_stays_chosen() -> None:
    t, _ = after(game, table(QUIET), "0 play 25")
    assert refused(game, t, 0, "play 1") == refuse("BO-5", "already_chosen")


@pytest.mark.rule("BO-5")
@pytest.mark.parametrize("card", [1, 44, 110])
def test_only_a_card_of_the_own_hand_may_be_chosen(card: int) -> None:
    why = refuse("BO-5", "card_not_in_hand", card=card)
    assert refused(game, table(QUIET), 2, f"play {card}") == why


@pytest.mark.rule("BO-5")
@pytest.mark.parametrize("move", ["row 1", "row 5"])
def test_a_turn_begins_with_a_card_from_the_hand(move: str) -> None:
    assert refused(game, table(QUIET), 0, move) == refuse("BO-5", "choose_a_card")


@pytest.mark.rule("BO-5")
@pytest.mark.parametrize("move", ["row 1", "play 96"])
def test_the_others_wait_while_somebody_chooses_a_row(move: str) -> None:
    t, _ = after(game, table(MISFIT), "0 play 21", "1 play 16")
    assert refused(game, t, 0, move) == refuse("BO-5", "not_your_turn", actor=1)


@pytest.mark.rule("BO-6")
@pytest.mark.parametrize("row", [3, 4, 5])
def test_a_row_without_a_colour_of_the_card_is_refused(row: int) -> None:
    t, _ = after(game, table(ROWS + "hand 0: 27 1 \n hand 1: 105 2"), "0 play 27", "1 play 105")
    assert refused(game, t, 0, f"row {row}") == refuse("BO-6", "row_does_not_fit", card=27, row=row)


@pytest.mark.rule("BO-6")
def test_a_card_that_fits_several_rows_asks_for_one_of_them() -> None:
    t, _ = after(game, table(ROWS + "hand 0: 27 1 \n hand 1: 105 2"), "0 play 27", "1 play 105")
    assert refused(game, t, 0, "play 1") == refuse("BO-6", "choose_a_row")


@pytest.mark.rule("BO-11")
def test_a_card_that_fits_nowhere_asks_for_a_row() -> None:
    t, _ = after(game, table(MISFIT), "0 play 21", "1 play 16")
    assert refused(game, t, 1, "play 106") == refuse("BO-11", "choose_a_row")


def test_the_error_names_the_move_the_rule_and_what_is_allowed() -> None:
    t, _ = after(game, table(ROWS + "hand 0: 27 1 \n hand 1: 105 2"), "0 play 27", "1 play 105")
    with pytest.raises(IllegalMove) as caught:
        after(game, t, "0 row 5")
    error = caught.value
    assert (error.seat, error.move, error.legal) == (0, "row 5", ["row 1", "row 2"])
    assert str(error) == (
        "seat 0 may not 'row 5': BO-6, row does not fit; allowed now: row 1, row 2"
    )


@pytest.mark.parametrize(
    ("text", "rule", "why"),
    [
        ("play 200", "BO-1", "no_such_card"),
        ("play 111", "BO-1", "no_such_card"),
        ("play 0", "BO-1", "no_such_card"),
        ("row 9", "BO-4", "no_such_row"),
        ("row 6", "BO-4", "no_such_row"),
        ("row 0", "BO-4", "no_such_row"),
    ],
)
def test_a_card_or_row_that_does_not_exist_is_refused(text: str, rule: str, why: str) -> None:
    assert refused(game, table(QUIET), 0, text) == refuse(rule, why)


@pytest.mark.parametrize("text", ["nonsense", "", "  ", "play", "play -1", "under 16", "row"])
def test_a_text_that_is_no_move_is_told_the_forms_of_a_move(text: str) -> None:
    why = refuse("BO-5", "not_a_move", forms=["play 17", "row 4"])
    assert refused(game, table(QUIET), 0, text) == why


@pytest.mark.parametrize("action", [-1, 0, 116, 999])
def test_a_number_that_is_no_action_is_refused_like_any_other_move(action: int) -> None:
    assert refused(game, table(QUIET), 0, action) == refuse("BO-5", "choose_a_card")
