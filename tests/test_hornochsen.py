"""The rules of Hornochsen!, as docs/games/hornochsen.md has them."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bullpen import match
from bullpen.cards import UNSEEN
from bullpen.deck import BadDeck, Deck, load_deck
from bullpen.game import BadOption, Event, complete_options
from bullpen.games.hornochsen.rules import Table
from bullpen.offers import meaning
from tests import tables
from tests.games import hornochsen
from tests.tables import as_drawn, deck_file, pictured


def table(drawing: str, **more: Any) -> Table:
    drawn: Table = tables.table(hornochsen, drawing, **more)
    return drawn


def after(t: Table, *moves: str) -> tuple[Table, list[Event]]:
    return tables.after(hornochsen, t, *moves)


def legal(t: Table, seat: int) -> set[str]:
    return tables.legal(hornochsen, t, seat)


def lying(t: Table, place: str) -> list[int]:
    return tables.lying(hornochsen, t, place)


def refused(t: Table, seat: int, move: str | int) -> Any:
    return tables.refused(hornochsen, t, seat, move)


def placed(seat: int, card: int, onto: int) -> Event:
    return {"event": "place", "seat": seat, "card": card, "onto": onto}


def laid(seat: int, special: str, onto: int) -> Event:
    return {"event": "special", "seat": seat, "special": special, "onto": onto}


def taken(seat: int, cards: list[int], specials: list[str]) -> Event:
    return {"event": "take", "seat": seat, "cards": cards, "specials": specials}


def passed_over(seat: int) -> Event:
    return {"event": "pass_over", "seat": seat}


def names(cards: list[int]) -> list[str]:
    return [hornochsen.CARD_NAMES.get(card, str(card)) for card in cards]


# -- Cards ------------------------------------------------------------------------------------


@pytest.mark.rule("HO-1")
def test_98_number_cards_show_81_green_and_87_red_heads() -> None:
    deck = load_deck(hornochsen.DECK_FILES)
    _, *heads = deck.heads
    assert deck.basis == "established"
    assert len(heads) == 98
    assert sum(shown for shown in heads if shown > 0) == 81
    assert -sum(shown for shown in heads if shown < 0) == 87
    assert set(heads) == {1, 2, -2, -3, -5, -7}


@pytest.mark.rule("HO-2")
def test_there_are_six_x2_and_six_plus_5_besides_the_number_cards() -> None:
    t = hornochsen.set_up(2, complete_options(hornochsen, 2, {}), load_deck(hornochsen.DECK_FILES))
    box = Counter(names(lying(t, "box")))
    assert box == Counter({**{str(card): 1 for card in range(1, 99)}, "x2": 6, "+5": 6})


def load_own(folder: Path, lines: dict[int, str | None]) -> Deck:
    """Our deck file with other lines; card n stands in line n + 1."""
    return load_deck(hornochsen.DECK_FILES, [deck_file(hornochsen, folder, lines)])


@pytest.mark.rule("HO-1")
@pytest.mark.parametrize(
    ("row", "heads"),
    [
        ("7,green,1", 1),
        ("7,green,2", 2),
        ("7,red,2", -2),
        ("7,red,3", -3),
        ("7,red,5", -5),
        (" 7 , red , 7 ", -7),
    ],
)
def test_a_deck_of_ones_own_shows_green_heads_and_red_ones_below_zero(
    tmp_path: Path, row: str, heads: int
) -> None:
    deck = load_own(tmp_path, {8: row, 100: ""})
    assert (deck.basis, deck.heads[7]) == ("own", heads)
    assert deck.heads[8:] == load_deck(hornochsen.DECK_FILES).heads[8:]


@pytest.mark.rule("HO-1")
def test_a_deck_of_ones_own_counts_in_the_score(tmp_path: Path) -> None:
    deck = load_own(tmp_path, {2: "1,red,7"})
    t = table("pile 1: 1 +5/0", deck=deck, phase=hornochsen.rules.OVER)
    assert hornochsen.scores(t) == [0, -2]


FORBIDDEN = {"allowed": "green with 1 or 2 heads, red with 2, 3, 5 or 7"}


@pytest.mark.rule("HO-1")
@pytest.mark.parametrize(
    ("at", "row", "key", "facts"),
    [
        (8, "7,green,3", "deck_row", {"row": "7,green,3", **FORBIDDEN}),
        (8, "7,green,0", "deck_row", {"row": "7,green,0", **FORBIDDEN}),
        (8, "7,green,-1", "deck_row", {"row": "7,green,-1", **FORBIDDEN}),
        (8, "7,red,1", "deck_row", {"row": "7,red,1", **FORBIDDEN}),
        (8, "7,red,4", "deck_row", {"row": "7,red,4", **FORBIDDEN}),
        (8, "7,blue,1", "deck_row", {"row": "7,blue,1", **FORBIDDEN}),
        (8, "7,green,many", "deck_row", {"row": "7,green,many", **FORBIDDEN}),
        (8, "seven,green,1", "deck_row", {"row": "seven,green,1", **FORBIDDEN}),
        (8, "7,green", "deck_columns", {"columns": "number,colour,heads"}),
        (8, "7,green,1,1", "deck_columns", {"columns": "number,colour,heads"}),
        (8, "6,green,1", "deck_twice", {"number": 6, "first": 7}),
        (2, "0,green,1", "deck_number", {"number": 0, "cards": 98}),
        (99, "99,green,1", "deck_number", {"number": 99, "cards": 98}),
    ],
)
def test_a_deck_file_with_a_row_that_the_rule_forbids_is_refused_with_its_line(
    tmp_path: Path, at: int, row: str, key: str, facts: dict[str, Any]
) -> None:
    with pytest.raises(BadDeck) as error:
        load_own(tmp_path, {at: row})
    where = {"file": str(tmp_path / "deck.csv"), "line": at, "rule": "HO-1"}
    assert (error.value.key, error.value.facts) == (key, {**facts, **where})


@pytest.mark.rule("HO-1")
@pytest.mark.parametrize("gone", [None, "", "  "])
@pytest.mark.parametrize(("missing", "line"), [(1, 2), (50, 51), (98, 99)])
def test_a_deck_file_without_one_of_the_98_numbers_is_refused(
    tmp_path: Path, missing: int, line: int, gone: str | None
) -> None:
    with pytest.raises(BadDeck) as error:
        load_own(tmp_path, {line: gone})
    own = str(tmp_path / "deck.csv")
    assert error.value.key == "deck_missing"
    assert error.value.facts == {"file": own, "number": missing, "cards": 98, "rule": "HO-1"}


@pytest.mark.rule("HO-1")
@pytest.mark.parametrize(
    ("first_line", "header"),
    [
        ("number,heads", "number,heads"),
        ("", ""),
        (None, "1,green,1"),
        ("number;colour;heads", "number;colour;heads"),
    ],
)
def test_a_deck_file_with_other_columns_is_refused(
    tmp_path: Path, first_line: str | None, header: str
) -> None:
    with pytest.raises(BadDeck) as error:
        load_own(tmp_path, {1: first_line})
    expected = {"header": header, "expected": "number,colour,heads"}
    assert error.value.key == "deck_header"
    assert error.value.facts == {"file": tmp_path / "deck.csv", **expected}


@pytest.mark.rule("HO-1")
def test_an_empty_deck_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("")
    with pytest.raises(BadDeck) as error:
        load_deck(hornochsen.DECK_FILES, [tmp_path / "own.csv"])
    assert (error.value.key, error.value.facts["header"]) == ("deck_header", "")


@pytest.mark.rule("HO-1")
def test_a_deck_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDeck) as error:
        load_deck(hornochsen.DECK_FILES, [tmp_path / "nowhere.csv"])
    assert error.value.key == "deck_unreadable"
    assert error.value.facts == {
        "file": tmp_path / "nowhere.csv",
        "reason": "No such file or directory",
    }
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\xff")
    with pytest.raises(BadDeck) as error:
        load_deck(hornochsen.DECK_FILES, [tmp_path / "picture.csv"])
    assert error.value.key == "deck_not_text"
    assert error.value.facts == {"file": tmp_path / "picture.csv"}


# -- Setting up -------------------------------------------------------------------------------

SHUFFLED = list(range(98, 0, -1))


def dealt(seats: int, **options: Any) -> Table:
    chosen = complete_options(hornochsen, seats, options)
    t: Table = hornochsen.set_up(seats, chosen, load_deck(hornochsen.DECK_FILES))
    assert hornochsen.to_shuffle(t) == list(range(1, 99))
    t, events = hornochsen.deal(t, SHUFFLED)
    assert events == []
    assert hornochsen.to_shuffle(t) == []
    return t


@pytest.mark.rule("HO-3", "HO-4", "HO-5")
def test_two_players_are_dealt_14_cards_each_and_7_rows() -> None:
    assert pictured(hornochsen, dealt(2)) == as_drawn("""
        row 1: 64
        row 2: 65
        row 3: 66
        row 4: 67
        row 5: 68
        row 6: 69
        row 7: 70
        hand 0: 85 86 87 88 89 90 91 92 93 94 95 96 97 98 x2 +5
        hand 1: 71 72 73 74 75 76 77 78 79 80 81 82 83 84 x2 +5
    """)


@pytest.mark.rule("HO-3", "HO-4")
@pytest.mark.parametrize(
    ("seats", "in_hand", "on_table"),
    [(2, 14, 7), (3, 12, 9), (4, 12, 12), (5, 12, 15), (6, 10, 15)],
)
def test_hands_are_dealt_first_then_the_rows_and_the_rest_is_out_of_the_game(
    seats: int, in_hand: int, on_table: int
) -> None:
    t, left = dealt(seats), SHUFFLED[:]
    for seat in range(seats):
        hand = lying(t, f"hand {seat}")
        assert hand[:-2] == sorted(left[:in_hand])
        assert names(hand[-2:]) == ["x2", "+5"]
        left = left[in_hand:]
    rows = [lying(t, f"row {row}") for row in range(1, on_table + 1)]
    assert rows == [[card] for card in sorted(left[:on_table])]
    assert f"row {on_table + 1}" not in hornochsen.places(t)
    box = lying(t, "box")
    assert [card for card in box if card <= 98] == sorted(left[on_table:])
    assert Counter(names(box)[len(left) - on_table :]) == Counter(
        {"x2": 6 - seats, "+5": 6 - seats}
    )


@pytest.mark.rule("HO-3")
def test_every_player_has_a_special_card_of_each_kind_and_no_two_have_the_same() -> None:
    t = dealt(6)
    specials = [card for seat in range(6) for card in lying(t, f"hand {seat}")[-2:]]
    assert len(set(specials)) == 12
    assert [card for card in lying(t, "box") if card > 98] == []


@pytest.mark.rule("HO-5")
def test_the_rows_ascend_clockwise_however_their_cards_were_dealt() -> None:
    options = complete_options(hornochsen, 2, {})
    t = hornochsen.set_up(2, options, load_deck(hornochsen.DECK_FILES))
    shuffled = [*range(1, 29), 50, 40, 90, 30, 80, 60, 70, *range(41, 50), *range(31, 40)]
    t, _ = hornochsen.deal(t, shuffled)
    rows = [lying(t, f"row {row}") for row in range(1, 8)]
    assert rows == [[30], [40], [50], [60], [70], [80], [90]]


@pytest.mark.rule("HO-4", "HO-12")
@pytest.mark.parametrize("seats", hornochsen.SEATS)
def test_a_game_by_the_rules_uses_up_every_row(seats: int) -> None:
    for seed in range(3):
        played, rng = match.new("hornochsen", seats, seed=seed), Random(seed)
        while not played.is_over:
            (seat,) = played.waiting_for
            played.move(seat, rng.choice(played.legal(seat)))
        assert played.table.heaps == ()
        assert not any(name.startswith("row") for name in hornochsen.places(played.table))
        for seat in range(seats):
            pile = lying(played.table, f"pile {seat}")
            assert sum(1 for card in pile if card <= 98) % 5 == 0
            assert all(card > 98 for card in lying(played.table, f"hand {seat}"))


@pytest.mark.parametrize("first_seat", [0, 1, 2])
def test_the_first_seat_is_an_option(first_seat: int) -> None:
    t = dealt(3, first_seat=first_seat)
    assert hornochsen.waiting_for(t) == [first_seat]
    assert [bool(legal(t, seat)) for seat in range(3)] == [seat == first_seat for seat in range(3)]


@pytest.mark.parametrize(
    ("seats", "options", "key"),
    [
        (1, {}, "bad_seats"),
        (7, {}, "bad_seats"),
        (3, {"first_seat": 3}, "bad_option"),
        (3, {"first_seat": -1}, "bad_option"),
        (3, {"memory_aid": 1}, "bad_option"),
        (3, {"rounds": 2}, "unknown_option"),
    ],
)
def test_other_numbers_of_players_and_other_options_are_refused(
    seats: int, options: dict[str, Any], key: str
) -> None:
    with pytest.raises(BadOption) as error:
        complete_options(hornochsen, seats, options)
    assert error.value.key == key


def test_without_a_word_seat_0_begins_and_nobody_gets_a_memory_aid() -> None:
    assert complete_options(hornochsen, 2, {}) == {"first_seat": 0, "memory_aid": False}
    assert complete_options(hornochsen, 6, {"first_seat": 5, "memory_aid": True}) == {
        "first_seat": 5,
        "memory_aid": True,
    }


# -- A turn -----------------------------------------------------------------------------------

THREE_ROWS = """
    row 1: 10
    row 2: 30
    row 3: 50
    hand 0: 12 32 52 54 x2 +5
    hand 1: 14 34 x2 +5
    hand 2: 16 36 x2 +5
"""


@pytest.mark.rule("HO-6")
def test_one_card_is_a_must() -> None:
    t = table(THREE_ROWS)
    cards = {"play 12", "play 32", "play 52", "play 54"}
    specials = {f"{special} on {end}" for special in ("x2", "+5") for end in (10, 30, 50)}
    assert legal(t, 0) == cards | specials
    assert legal(t, 1) == legal(t, 2) == set()
    assert refused(t, 0, "stop") == ("HO-6", "play_before_stopping", {})


@pytest.mark.rule("HO-6")
def test_after_one_card_a_player_may_stop() -> None:
    t, events = after(table(THREE_ROWS), "0 play 12")
    assert events == [placed(0, 12, onto=10)]
    assert hornochsen.waiting_for(t) == [0]
    assert "stop" in legal(t, 0)
    t, events = after(t, "0 stop")
    assert events == []
    assert hornochsen.waiting_for(t) == [1]
    assert "stop" not in legal(t, 1)


@pytest.mark.rule("HO-6")
def test_after_two_cards_a_player_may_stop() -> None:
    t, _ = after(table(THREE_ROWS), "0 play 12", "0 play 32")
    assert "stop" in legal(t, 0)
    t, events = after(t, "0 stop")
    assert (events, hornochsen.waiting_for(t)) == ([], [1])


@pytest.mark.rule("HO-6")
def test_the_third_card_ends_the_turn() -> None:
    t, events = after(table(THREE_ROWS), "0 play 12", "0 play 32", "0 play 52")
    assert events == [placed(0, 12, onto=10), placed(0, 32, onto=30), placed(0, 52, onto=50)]
    assert hornochsen.waiting_for(t) == [1]
    assert lying(t, "hand 0")[0] == 54


@pytest.mark.rule("HO-6")
def test_number_and_special_cards_come_in_any_mix_to_one_row_or_several() -> None:
    t, events = after(table(THREE_ROWS), "0 x2 on 30", "0 play 32", "0 +5 on 32")
    assert events == [laid(0, "x2", onto=30), placed(0, 32, onto=30), laid(0, "+5", onto=32)]
    assert pictured(hornochsen, t) == as_drawn("""
        row 1: 10
        row 2: 30 x2 32 +5
        row 3: 50
        hand 0: 12 52 54
        hand 1: 14 34 x2 +5
        hand 2: 16 36 x2 +5
    """)
    assert hornochsen.waiting_for(t) == [1]


@pytest.mark.rule("HO-6")
def test_turns_go_clockwise() -> None:
    t = table(THREE_ROWS, actor=1)
    for seat, card in ((1, 14), (2, 16), (0, 12), (1, 34)):
        assert hornochsen.waiting_for(t) == [seat]
        t, _ = after(t, f"{seat} play {card}", f"{seat} stop")
    assert hornochsen.waiting_for(t) == [2]


@pytest.mark.rule("HO-6")
def test_a_turn_that_cannot_go_on_ends_by_itself() -> None:
    t = table("""
        row 1: 10
        row 2: 30
        hand 0: 12
        hand 1: 14
    """)
    t, events = after(t, "0 play 12")
    assert events == [placed(0, 12, onto=10)]
    assert hornochsen.waiting_for(t) == [1]


@pytest.mark.rule("HO-7")
def test_cards_go_only_to_rows_that_are_there() -> None:
    t = table(THREE_ROWS)
    for move in ("play 12", "play 54", "x2 on 50", "+5 on 10"):
        played, _ = after(t, f"0 {move}")
        assert set(hornochsen.places(played)) == set(hornochsen.places(t))
    assert refused(t, 0, "x2 on 31") == ("HO-7", "no_row_ends_so", {"special": "x2", "end": 31})


@pytest.mark.rule("HO-8")
@pytest.mark.parametrize(("card", "onto"), [(35, 23), (50, 49), (60, 55)])
def test_a_card_goes_between_a_lower_end_value_and_the_next_higher_one(
    card: int, onto: int
) -> None:
    """Example 1."""
    t = table("""
        row 1: 12
        row 2: 23
        row 3: 43
        row 4: 49
        row 5: 55
        row 6: 70
        hand 0: 35 50 60
        hand 1: 90
    """)
    t, events = after(t, f"0 play {card}")
    assert events == [placed(0, card, onto)]
    row = {23: "row 2", 49: "row 4", 55: "row 5"}[onto]
    assert lying(t, row) == [onto, card]


@pytest.mark.rule("HO-8")
@pytest.mark.parametrize(("card", "onto"), [(44, 43), (48, 43), (50, 49), (54, 49), (56, 55)])
def test_the_place_is_the_highest_end_value_below_the_card(card: int, onto: int) -> None:
    t = table(f"""
        row 1: 43
        row 2: 49
        row 3: 55
        row 4: 70
        hand 0: {card}
        hand 1: 90
    """)
    assert after(t, f"0 play {card}")[1] == [placed(0, card, onto)]


@pytest.mark.rule("HO-8")
def test_the_end_value_is_the_last_number_card_not_the_highest_and_no_special_card() -> None:
    t = table("""
        row 1: 94 5 x2/0 +5/0
        row 2: 20 30 +5/1
        row 3: 71
        hand 0: 8 33
        hand 1: 90 x2
    """)
    _, events = after(t, "0 play 8")
    assert events == [placed(0, 8, onto=5)]
    _, events = after(t, "0 play 33")
    assert events == [placed(0, 33, onto=30)]
    assert legal(table(THREE_ROWS), 0) >= {"x2 on 10", "x2 on 30", "x2 on 50"}
    t, _ = after(t, "0 play 8", "0 stop")
    assert legal(t, 1) == {"play 90", "x2 on 30", "x2 on 71"}


@pytest.mark.rule("HO-9")
@pytest.mark.parametrize("card", [72, 98, 1, 19])
def test_a_card_higher_or_lower_than_every_end_value_goes_to_the_highest_one(card: int) -> None:
    t = table(f"""
        row 1: 20
        row 2: 71
        row 3: 40
        hand 0: {card}
        hand 1: 90
    """)
    t, events = after(t, f"0 play {card}")
    assert events == [placed(0, card, onto=71)]
    assert lying(t, "row 2") == [71, card]


@pytest.mark.rule("HO-9", "HO-10")
def test_a_card_below_all_makes_the_highest_row_the_lowest_and_the_next_card_finds_it_so() -> None:
    """Example 2."""
    t = table("""
        row 1: 20
        row 2: 71
        row 3: 94
        hand 0: 4 5 87
        hand 1: 90
    """)
    t, events = after(t, "0 play 5", "0 play 87", "0 play 4")
    assert events == [placed(0, 5, onto=94), placed(0, 87, onto=71), placed(0, 4, onto=87)]
    assert pictured(hornochsen, t) == as_drawn("""
        row 1: 20
        row 2: 71 87 4
        row 3: 94 5
        hand 1: 90
    """)


@pytest.mark.rule("HO-10", "HO-12")
def test_each_card_of_a_turn_finds_its_place_after_the_ones_before_it() -> None:
    """Example 3."""
    t = table("""
        row 1: 30 35
        row 2: 50
        hand 0: 37 39 42 60
        hand 1: 90
    """)
    t, events = after(t, "0 play 37", "0 play 39", "0 play 42")
    assert events == [
        placed(0, 37, onto=35),
        placed(0, 39, onto=37),
        placed(0, 42, onto=39),
        taken(0, [30, 35, 37, 39, 42], []),
    ]
    assert pictured(hornochsen, t) == as_drawn("""
        row 2: 50
        pile 0: 30 35 37 39 42
        hand 0: 60
        hand 1: 90
    """)
    assert hornochsen.waiting_for(t) == [1]


@pytest.mark.rule("HO-11")
def test_a_special_card_goes_to_any_row() -> None:
    for row, end in ((1, 10), (2, 30), (3, 50)):
        t, events = after(table(THREE_ROWS), f"0 +5 on {end}")
        assert events == [laid(0, "+5", onto=end)]
        assert names(lying(t, f"row {row}")) == [str(end), "+5"]
        assert names(lying(t, "hand 0")) == ["12", "32", "52", "54", "x2"]


@pytest.mark.rule("HO-11")
def test_a_row_holds_at_most_one_x2_and_at_most_one_plus_5() -> None:
    t = table("""
        row 1: 10 x2/1
        row 2: 30 +5/1
        row 3: 50 x2/2 +5/2
        row 4: 70
        hand 0: 12 x2 +5
        hand 1: 14
        hand 2: 16
    """)
    assert legal(t, 0) == {"play 12", "x2 on 30", "x2 on 70", "+5 on 10", "+5 on 70"}
    facts = {"special": "x2", "end": 10}
    assert refused(t, 0, "x2 on 10") == ("HO-11", "row_has_this_special", facts)
    facts = {"special": "+5", "end": 50}
    assert refused(t, 0, "+5 on 50") == ("HO-11", "row_has_this_special", facts)


@pytest.mark.rule("HO-11")
def test_a_row_may_hold_one_special_card_of_each_kind_from_the_same_player() -> None:
    t, events = after(table(THREE_ROWS), "0 x2 on 30", "0 +5 on 30")
    assert events == [laid(0, "x2", onto=30), laid(0, "+5", onto=30)]
    assert names(lying(t, "row 2")) == ["30", "x2", "+5"]


# -- Taking a row -----------------------------------------------------------------------------


@pytest.mark.rule("HO-12")
def test_the_fourth_number_card_takes_nothing_and_the_fifth_takes_the_row() -> None:
    t = table("""
        row 1: 10 11 12
        row 2: 50
        hand 0: 13 14
        hand 1: 90
    """)
    t, events = after(t, "0 play 13")
    assert events == [placed(0, 13, onto=12)]
    assert lying(t, "row 1") == [10, 11, 12, 13]
    t, events = after(t, "0 play 14")
    assert events == [placed(0, 14, onto=13), taken(0, [10, 11, 12, 13, 14], [])]
    assert lying(t, "row 2") == [50]
    assert lying(t, "pile 0") == [10, 11, 12, 13, 14]


@pytest.mark.rule("HO-12")
def test_the_special_cards_are_taken_too_in_the_order_in_which_they_were_laid() -> None:
    t = table("""
        row 1: 10 +5/2 11 12 13
        row 2: 50
        hand 0: 14 60 x2
        hand 1: 90
        hand 2: 91
        pile 0: 1 2 3 4 5
    """)
    t, events = after(t, "0 x2 on 13", "0 play 14")
    assert events == [
        laid(0, "x2", onto=13),
        placed(0, 14, onto=13),
        taken(0, [10, 11, 12, 13, 14], ["+5", "x2"]),
    ]
    assert names(lying(t, "pile 0")) == [*"12345", "10", "+5", "11", "12", "13", "x2", "14"]


@pytest.mark.rule("HO-12")
def test_the_ring_closes_at_once_and_the_turn_goes_on() -> None:
    t = table("""
        row 1: 10
        row 2: 40 41 42 43
        row 3: 60
        hand 0: 44 45 91
        hand 1: 90
    """)
    t, _ = after(t, "0 play 44")
    assert hornochsen.waiting_for(t) == [0]
    assert legal(t, 0) == {"play 45", "play 91", "stop"}
    t, events = after(t, "0 play 45")
    assert events == [placed(0, 45, onto=10)]
    assert pictured(hornochsen, t) == as_drawn("""
        row 1: 10 45
        row 3: 60
        pile 0: 40 41 42 43 44
        hand 0: 91
        hand 1: 90
    """)


@pytest.mark.rule("HO-12")
def test_several_rows_can_be_taken_in_one_turn() -> None:
    t = table("""
        row 1: 10 11 12 13
        row 2: 40 41 42 43
        row 3: 60 61 62 63
        row 4: 70
        hand 0: 14 44 64 71
        hand 1: 90
    """)
    t, events = after(t, "0 play 64", "0 play 14", "0 play 44")
    assert events == [
        placed(0, 64, onto=63),
        taken(0, [60, 61, 62, 63, 64], []),
        placed(0, 14, onto=13),
        taken(0, [10, 11, 12, 13, 14], []),
        placed(0, 44, onto=43),
        taken(0, [40, 41, 42, 43, 44], []),
    ]
    assert lying(t, "pile 0") == [60, 61, 62, 63, 64, 10, 11, 12, 13, 14, 40, 41, 42, 43, 44]
    assert lying(t, "row 4") == [70]
    assert hornochsen.waiting_for(t) == [1]


@pytest.mark.rule("HO-12")
def test_a_row_keeps_its_number_while_others_are_taken() -> None:
    t = table("""
        row 2: 10 11 12 13
        row 3: 40
        row 7: 60
        hand 0: 14 41 61
        hand 1: 90
    """)
    t, _ = after(t, "0 play 14")
    assert [(cards, t.called(origin), t.called(to)) for _, cards, origin, to, *_ in t.carries] == [
        ((14,), "hand 0", "row 2"),
        ((10, 11, 12, 13, 14), "row 2", "pile 0"),
    ]
    t, _ = after(t, "0 play 61")
    assert pictured(hornochsen, t) == as_drawn("""
        row 3: 40
        row 7: 60 61
        hand 0: 41
        pile 0: 10 11 12 13 14
        hand 1: 90
    """)
    assert [t.called(place) for _, _, _, place, *_ in t.carries] == ["row 7"]


@pytest.mark.rule("HO-11", "HO-13")
def test_four_number_cards_and_two_special_cards_are_not_a_full_row() -> None:
    t = table("""
        row 1: 10 11 12 13
        row 2: 50
        hand 0: 14 60 x2 +5
        hand 1: 90
    """)
    t, events = after(t, "0 x2 on 13", "0 +5 on 13")
    assert events == [laid(0, "x2", onto=13), laid(0, "+5", onto=13)]
    assert names(lying(t, "row 1")) == ["10", "11", "12", "13", "x2", "+5"]
    assert lying(t, "pile 0") == []


# -- End --------------------------------------------------------------------------------------


@pytest.mark.rule("HO-14")
def test_players_without_cards_are_passed_over_one_after_the_other() -> None:
    t = table("""
        row 1: 10
        row 2: 50
        hand 0: 12 13
        hand 1:
        hand 2:
        hand 3: 60
    """)
    t, events = after(t, "0 play 12", "0 stop")
    assert events == [placed(0, 12, onto=10), passed_over(1), passed_over(2)]
    assert hornochsen.waiting_for(t) == [3]


@pytest.mark.rule("HO-14")
def test_passing_over_is_told_every_time_and_may_lead_back_to_the_same_player() -> None:
    t = table(
        """
        row 1: 10
        row 2: 50
        hand 0:
        hand 1: 12 13 14
        hand 2:
    """,
        actor=1,
    )
    for card, onto in ((12, 10), (13, 12)):
        t, events = after(t, f"1 play {card}", "1 stop")
        assert events == [placed(1, card, onto), passed_over(2), passed_over(0)]
        assert hornochsen.waiting_for(t) == [1]


@pytest.mark.rule("HO-14")
def test_who_plays_the_last_card_is_passed_over_from_then_on() -> None:
    t = table("""
        row 1: 10
        row 2: 50
        hand 0: 12
        hand 1: 60 61 62
    """)
    t, events = after(t, "0 play 12")
    assert events == [placed(0, 12, onto=10)]
    t, events = after(t, "1 play 60", "1 stop")
    assert events == [placed(1, 60, onto=50), passed_over(0)]
    assert hornochsen.waiting_for(t) == [1]


@pytest.mark.rule("HO-14")
@pytest.mark.parametrize(
    "hand_1", ["x2", "+5", "x2 +5"], ids=["one x2", "one +5", "one of each kind"]
)
def test_who_holds_only_special_cards_that_no_row_can_take_is_passed_over(hand_1: str) -> None:
    t = table(f"""
        row 1: 10 x2/2 +5/3
        row 2: 50 x2/3 +5/2
        hand 0: 12 13
        hand 1: {hand_1}
        hand 2: 90
        hand 3: 91
    """)
    t, events = after(t, "0 play 12", "0 stop")
    assert events == [placed(0, 12, onto=10), passed_over(1)]
    assert hornochsen.waiting_for(t) == [2]


@pytest.mark.rule("HO-14")
@pytest.mark.parametrize(
    ("row_2", "hand_1", "only"),
    [
        ("50 +5/3", "x2", {"x2 on 50"}),
        ("50 x2/3", "+5", {"+5 on 50"}),
        ("50 x2/3", "x2 +5", {"+5 on 50"}),
        ("50 +5/3", "x2 +5", {"x2 on 50"}),
    ],
)
def test_a_special_card_that_one_row_can_still_take_must_be_played(
    row_2: str, hand_1: str, only: set[str]
) -> None:
    t = table(f"""
        row 1: 10 x2/2 +5/2
        row 2: {row_2}
        hand 0: 12 13
        hand 1: {hand_1}
        hand 2: 90
        hand 3: 91
    """)
    t, events = after(t, "0 play 12", "0 stop")
    assert events == [placed(0, 12, onto=10)]
    assert hornochsen.waiting_for(t) == [1]
    assert legal(t, 1) == only
    t, events = after(t, f"1 {only.pop()}")
    assert [event["event"] for event in events] == ["special"]
    assert hornochsen.waiting_for(t) == [2]


@pytest.mark.rule("HO-14")
def test_a_turn_ends_by_itself_when_the_last_row_for_ones_special_card_is_taken() -> None:
    t = table("""
        row 1: 10 x2/1
        row 2: 40 41 42 43
        hand 0: 44 x2
        hand 1: 90 91
    """)
    t, events = after(t, "0 play 44")
    assert events == [placed(0, 44, onto=43), taken(0, [40, 41, 42, 43, 44], [])]
    assert hornochsen.waiting_for(t) == [1]
    t, events = after(t, "1 play 90", "1 stop")
    assert events == [placed(1, 90, onto=10), passed_over(0)]
    assert hornochsen.waiting_for(t) == [1]


@pytest.mark.rule("HO-14")
def test_who_holds_a_number_card_is_not_passed_over_though_no_row_can_take_a_special_card() -> None:
    t = table("""
        row 1: 10 x2/0 +5/0
        hand 0: 12 13
        hand 1: 90 x2 +5
    """)
    t, _ = after(t, "0 play 12", "0 stop")
    assert hornochsen.waiting_for(t) == [1]
    assert legal(t, 1) == {"play 90"}


@pytest.mark.rule("HO-15")
def test_the_game_ends_at_once_when_the_last_number_card_has_left_the_hands() -> None:
    t = table("""
        row 1: 10
        row 2: 50
        hand 0: 12 x2 +5
        hand 1: x2 +5
        hand 2:
    """)
    t, events = after(t, "0 play 12")
    assert events == [placed(0, 12, onto=10)]
    assert hornochsen.waiting_for(t) == []
    assert [legal(t, seat) for seat in range(3)] == [set(), set(), set()]
    assert hornochsen.to_shuffle(t) == []
    assert hornochsen.scores(t) == [-20, -20, 0]


@pytest.mark.rule("HO-15")
def test_the_game_may_end_in_the_middle_of_a_turn_with_the_row_taken() -> None:
    t = table("""
        row 1: 10 11 12 13
        row 2: 50
        hand 0: 14 x2 +5
        hand 1: +5
    """)
    t, events = after(t, "0 x2 on 13", "0 play 14")
    assert events == [
        laid(0, "x2", onto=13),
        placed(0, 14, onto=13),
        taken(0, [10, 11, 12, 13, 14], ["x2"]),
    ]
    assert hornochsen.waiting_for(t) == []
    assert hornochsen.scores(t) == [(-3 - 5 + 2 + 1 + 1) * 2 - 10, -10]


@pytest.mark.rule("HO-15")
def test_the_game_goes_on_while_anyone_holds_a_number_card() -> None:
    t = table("""
        row 1: 10
        row 2: 50
        hand 0: 12 x2
        hand 1: 90
    """)
    t, _ = after(t, "0 play 12")
    assert legal(t, 0) == {"x2 on 12", "x2 on 50", "stop"}
    t, _ = after(t, "0 stop")
    assert hornochsen.waiting_for(t) == [1]


@pytest.mark.rule("HO-15")
def test_a_row_that_still_lies_on_the_table_counts_for_nobody() -> None:
    t = table("""
        row 1: 1 2 x2/1 +5/1
        row 2: 55
        hand 0: 6
        hand 1:
        pile 1: 3 4 7 8 9
    """)
    t, _ = after(t, "0 play 6")
    assert hornochsen.scores(t) == [0, 5]


@pytest.mark.rule("HO-16")
def test_heads_and_plus_5_are_doubled_and_a_special_card_in_hand_costs_10() -> None:
    """Example 4: five green and three red heads."""
    t = table(
        """
        pile 0: 1 3 4 6 7 10 x2/1 +5/1
        hand 0: +5
    """,
        phase=hornochsen.rules.OVER,
    )
    assert hornochsen.scores(t) == [(5 - 3 + 5) * 2 - 10, 0] == [4, 0]


@pytest.mark.rule("HO-16")
@pytest.mark.parametrize(
    ("pile", "hand", "points"),
    [
        ("", "", 0),
        ("1 2", "", 1 + 2),
        ("55 10", "", -7 - 3),
        ("1 +5/0", "", 1 + 5),
        ("1 +5/0 +5/1 +5/2", "", 1 + 5 + 5 + 5),
        ("12 x2/0", "", 2 * 2),
        ("12 x2/0 x2/1", "", 2 * 2 * 2),
        ("12 x2/0 x2/1 x2/2", "", 2 * 2 * 2 * 2),
        ("10 x2/0", "", -3 * 2),
        ("10 55 x2/0 x2/1", "", (-3 - 7) * 2 * 2),
        ("10 +5/0 x2/0", "", (-3 + 5) * 2),
        ("x2/0", "", 0),
        ("+5/0 x2/0", "", 5 * 2),
        ("12", "x2", 2 - 10),
        ("12 +5/2", "x2 +5", 2 + 5 - 20),
        ("12 x2/0", "+5", 2 * 2 - 10),
    ],
)
def test_the_score_of_a_pile_and_a_hand(pile: str, hand: str, points: int) -> None:
    t = table(f"pile 1: {pile}\nhand 1: {hand}\nhand 2:", phase=hornochsen.rules.OVER)
    assert hornochsen.scores(t) == [0, points, 0]


@pytest.mark.rule("HO-16")
def test_nothing_is_counted_before_the_end_for_the_piles_are_closed() -> None:
    t = table("pile 0: 1 2 3 4 6\nrow 1: 50\nhand 0: 60\nhand 1: 70 x2")
    assert hornochsen.scores(t) == [0, 0]
    assert hornochsen.rounds(t) == ()


@pytest.mark.rule("HO-16")
def test_the_score_is_told_part_by_part() -> None:
    """Example 4."""
    drawing = """
        pile 0: 1 3 4 6 7 10 x2/1 +5/1
        hand 0: +5
    """
    t = table(drawing, phase=hornochsen.rules.OVER)
    assert hornochsen.rules.parts(t, 0) == [
        ("green", (1, 3, 4, 6, 7), "+5", "good"),
        ("red", (10,), "−3", "bad"),
        ("fives", (106,), "+5", "good"),
        ("doubles", (100,), "×2", "plain"),
        ("left", (105,), "−10", "bad"),
    ]
    assert hornochsen.rules.parts(t, 1) == []
    assert hornochsen.tally(t) == [hornochsen.rules.parts(t, 0), []]


@pytest.mark.rule("HO-16")
def test_before_the_end_a_pile_is_worth_what_it_shows_and_the_hand_costs_nothing() -> None:
    t = table("pile 0: 1 2 +5/0 x2/0\nrow 1: 50\nhand 0: 60\nhand 1: 70 x2 +5")
    assert [hornochsen.rules.worth(t, seat) for seat in (0, 1)] == [(1 + 2 + 5) * 2, 0]
    seen = hornochsen.view(t, 1).table
    assert [hornochsen.rules.worth(seen, seat) for seat in (0, 1)] == [0, 0]
    assert [hornochsen.rules.parts(seen, seat) for seat in (0, 1)] == [[], []]


@pytest.mark.rule("HO-17")
@pytest.mark.parametrize(
    ("piles", "winners"),
    [
        (("1", "12", "10"), [1]),
        (("10", "55", "11"), [0]),
        (("12", "10", "1 3"), [0, 2]),
        (("", "", ""), [0, 1, 2]),
    ],
)
def test_most_points_win_and_equals_share_the_win(
    piles: tuple[str, str, str], winners: list[int]
) -> None:
    drawing = "".join(f"pile {seat}: {pile}\nhand {seat}:\n" for seat, pile in enumerate(piles))
    assert hornochsen.winners(table(drawing, phase=hornochsen.rules.OVER)) == winners


# -- What a move means ------------------------------------------------------------------------


def test_a_card_means_the_row_where_it_lands_and_the_fifth_takes_what_lies_there() -> None:
    t = table("""
        row 1: 10 11 12 13
        row 4: 50
        hand 0: 14 60 +5
        hand 1: 90
    """)
    view = hornochsen.view(t, 0)
    fifth = meaning(hornochsen, view, hornochsen.rules.PLAY + 14)
    assert (fifth.card, fifth.origin, fifth.place) == (14, "hand 0", "row 1")
    assert (fifth.effect, fifth.taken) == ("takes", (10, 11, 12, 13))
    assert fifth.points == -3 - 5 + 2 + 1 + 1
    second = meaning(hornochsen, view, hornochsen.rules.PLAY + 60)
    assert (second.place, second.effect, second.taken) == ("row 4", "joins", ())
    special = meaning(hornochsen, view, hornochsen.rules.PLUS5_ON + 50)
    assert (special.card, special.place, special.effect) == (105, "row 4", "joins")
    special = meaning(
        hornochsen, hornochsen.view(table("hand 1: x2 9\nrow 3: 5", actor=1), 1), 98 + 5
    )
    assert (special.card, special.origin, special.place) == (100, "hand 1", "row 3")


# -- What a player sees -----------------------------------------------------------------------

IN_THE_MIDDLE = """
    row 1: 10 x2/1
    row 2: 40 41
    hand 0: 5 20 x2 +5
    hand 1: 60 +5
    hand 2: 70 71 x2
    pile 0: 1 2 3 4 6
    pile 2: 80 81 82 +5/2 83 84
"""


def test_a_player_sees_the_rows_and_the_own_hand_and_how_many_cards_the_others_have() -> None:
    t = table(IN_THE_MIDDLE)
    view = hornochsen.view(t, 0)
    assert view.seat == 0
    assert view.legal == hornochsen.legal(t, 0) != []
    assert pictured(hornochsen, view.table) == as_drawn("""
        row 1: 10 x2
        row 2: 40 41
        hand 0: 5 20 x2 +5
        hand 1: ? ?
        hand 2: ? ? ?
        pile 0: ? ? ? ? ?
        pile 2: ? ? ? ? ? ?
    """)
    box = view.table.lying[hornochsen.rules.BOX]
    assert {card for card in box if card <= 98} == {UNSEEN}
    assert len(box) == len(lying(t, "box"))


def test_a_view_leaves_the_table_as_it_is() -> None:
    t = table(IN_THE_MIDDLE)
    hornochsen.view(t, 1)
    assert t == table(IN_THE_MIDDLE)


@pytest.mark.parametrize("memory_aid", [False, True])
def test_a_perfect_memory_knows_the_piles_and_who_still_has_which_special_card(
    memory_aid: bool,
) -> None:
    t = table(IN_THE_MIDDLE, options={"memory_aid": memory_aid})
    view = hornochsen.view(t, 0)
    assert pictured(hornochsen, t, view.remembered) == as_drawn("""
        row 1: 10 x2
        row 2: 40 41
        hand 0: 5 20 x2 +5
        hand 1: +5 ?
        hand 2: x2 ? ?
        pile 0: 1 2 3 4 6
        pile 2: 80 81 82 +5 83 84
    """)
    box = view.remembered[hornochsen.rules.BOX]
    assert {card for card in box if card <= 98} == {UNSEEN}
    assert [card for card in box if card > 98] == [card for card in lying(t, "box") if card > 98]


def test_a_player_who_waits_sees_no_moves_and_only_the_own_hand() -> None:
    view = hornochsen.view(table(IN_THE_MIDDLE), 2)
    assert view.legal == []
    shown = pictured(hornochsen, view.table)
    assert [shown[f"hand {seat}"] for seat in range(3)] == ["? ? ? ?", "? ?", "70 71 x2"]


def test_a_spectator_sees_no_hand_and_no_pile() -> None:
    view = hornochsen.view(table(IN_THE_MIDDLE), None)
    assert (view.seat, view.legal) == (None, [])
    assert pictured(hornochsen, view.table) == as_drawn("""
        row 1: 10 x2
        row 2: 40 41
        hand 0: ? ? ? ?
        hand 1: ? ?
        hand 2: ? ? ?
        pile 0: ? ? ? ? ?
        pile 2: ? ? ? ? ? ?
    """)
    remembered = pictured(hornochsen, view.table, view.remembered)
    assert [remembered[f"hand {seat}"] for seat in range(3)] == ["x2 +5 ? ?", "+5 ?", "x2 ? ?"]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_at_the_end_all_piles_and_hands_are_opened_but_not_the_cards_left_over(
    seat: int | None,
) -> None:
    drawing = """
        row 1: 10
        hand 0: +5
        hand 1: x2 +5
        pile 0: 1 2 3 4 6
        pile 1: 80 81 82 83 84
    """
    view = hornochsen.view(table(drawing, phase=hornochsen.rules.OVER), seat)
    assert pictured(hornochsen, view.table) == as_drawn(drawing)
    assert pictured(hornochsen, view.table, view.remembered) == as_drawn(drawing)
    assert view.legal == []
    assert {card for card in view.table.lying[hornochsen.rules.BOX] if card <= 98} == {UNSEEN}


@pytest.mark.parametrize(
    "event", [placed(0, 12, 10), laid(0, "x2", 10), taken(0, [1, 2, 3, 4, 5], []), passed_over(0)]
)
def test_everybody_sees_everything_that_happens(event: Event) -> None:
    assert event["event"] in hornochsen.EVENTS
    options = complete_options(hornochsen, 2, {})
    for seat in (0, 1, None):
        assert hornochsen.seen_by(event, seat, options) == event


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_an_imagined_table_gives_the_view_from_which_it_was_imagined(seats: int) -> None:
    played, rng = match.new("hornochsen", seats, seed=seats), Random(1)
    while not played.is_over:
        for seat in (*range(seats), None):
            view = played.view(seat)
            imagined = hornochsen.imagine(view, rng)
            assert hornochsen.view(imagined, seat) == view
            assert sorted(c for cards in imagined.lying for c in cards) == list(hornochsen.CARDS)
        (actor,) = played.waiting_for
        for _ in range(3):
            if actor in played.waiting_for:
                played.move(actor, rng.choice(played.legal(actor)))


# -- Refusals ---------------------------------------------------------------------------------


def test_a_move_after_the_end_is_refused() -> None:
    t = table("hand 0: x2\nhand 1:\nrow 1: 10", phase=hornochsen.rules.OVER)
    assert refused(t, 0, "x2 on 10") == ("HO-15", "game_over", {})


def test_a_move_before_the_deal_is_refused() -> None:
    t = hornochsen.set_up(2, complete_options(hornochsen, 2, {}), load_deck(hornochsen.DECK_FILES))
    assert hornochsen.waiting_for(t) == []
    assert refused(t, 0, "play 12") == ("HO-4", "not_dealt", {})


@pytest.mark.rule("HO-6")
@pytest.mark.parametrize("move", ["play 14", "x2 on 10", "stop"])
def test_a_move_out_of_turn_is_refused(move: str) -> None:
    assert refused(table(THREE_ROWS), 1, move) == ("HO-6", "not_your_turn", {"actor": 0})


@pytest.mark.rule("HO-6")
@pytest.mark.parametrize("card", [14, 98, 1])
def test_a_card_that_is_not_in_the_hand_is_refused(card: int) -> None:
    t = table(THREE_ROWS)
    assert refused(t, 0, f"play {card}") == ("HO-6", "card_not_in_hand", {"card": card})


@pytest.mark.rule("HO-3")
def test_a_special_card_that_has_been_played_is_refused() -> None:
    t, _ = after(table(THREE_ROWS), "0 x2 on 10")
    facts = {"special": "x2", "end": 30}
    assert refused(t, 0, "x2 on 30") == ("HO-3", "special_already_played", facts)
    t, _ = after(t, "0 +5 on 10")
    facts = {"special": "+5", "end": 98}
    assert refused(t, 0, "+5 on 98") == ("HO-3", "special_already_played", facts)


@pytest.mark.rule("HO-7")
@pytest.mark.parametrize(("special", "end"), [("x2", 1), ("x2", 98), ("+5", 1), ("+5", 98)])
def test_a_special_card_on_a_row_that_is_not_there_is_refused(special: str, end: int) -> None:
    facts = {"special": special, "end": end}
    assert refused(table(THREE_ROWS), 0, f"{special} on {end}") == ("HO-7", "no_row_ends_so", facts)


@pytest.mark.rule("HO-7")
def test_a_row_is_not_called_by_a_number_card_under_its_end_value() -> None:
    t, _ = after(table(THREE_ROWS), "0 play 12")
    facts = {"special": "x2", "end": 10}
    assert refused(t, 0, "x2 on 10") == ("HO-7", "no_row_ends_so", facts)


@pytest.mark.parametrize("action", [-1, 295, 9999])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    assert refused(table(THREE_ROWS), 0, action) == ("HO-6", "choose_a_card", {})


FORMS = ["play 37", "x2 on 35", "+5 on 35", "stop"]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("play 200", ("HO-1", "no_such_card", {})),
        ("play 99", ("HO-1", "no_such_card", {})),
        ("play 0", ("HO-1", "no_such_card", {})),
        ("x2 on 99", ("HO-7", "no_such_row", {})),
        ("+5 on 0", ("HO-7", "no_such_row", {})),
        ("x3 on 35", ("HO-6", "not_a_move", {"forms": FORMS})),
        ("+6 on 35", ("HO-6", "not_a_move", {"forms": FORMS})),
        ("play x2", ("HO-6", "not_a_move", {"forms": FORMS})),
        ("play", ("HO-6", "not_a_move", {"forms": FORMS})),
        ("play 12 on 10", ("HO-6", "not_a_move", {"forms": FORMS})),
        ("nonsense", ("HO-6", "not_a_move", {"forms": FORMS})),
        ("", ("HO-6", "not_a_move", {"forms": FORMS})),
    ],
)
def test_a_text_that_is_no_move_is_refused(text: str, refusal: tuple[str, str, Any]) -> None:
    assert refused(table(THREE_ROWS), 0, text) == refusal


def test_every_move_that_is_offered_can_be_written_with_other_spaces_and_capitals() -> None:
    for move in ("play 12", "x2 on 10", "+5 on 50"):
        spelled = move.upper().replace(" ", "  ")
        assert after(table(THREE_ROWS), f"0 {spelled} ") == after(table(THREE_ROWS), f"0 {move}")
