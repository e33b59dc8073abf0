"""The rules of 11 nimmt!, as docs/games/eleven-nimmt.md has them."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from bullpen import match
from bullpen.cards import UNSEEN, mask
from bullpen.deck import BadDeck, Deck, load_deck
from bullpen.game import BadOption, Event, complete_options
from bullpen.games.eleven_nimmt.rules import Table
from tests import tables
from tests.games import eleven_nimmt
from tests.tables import as_drawn, deck_file, pictured


def table(drawing: str, **more: Any) -> Table:
    """Where a draw pile is drawn, its top card comes first."""
    drawn: Table = tables.table(eleven_nimmt, drawing, **more)
    return drawn


def after(t: Table, *moves: str) -> tuple[Table, list[Event]]:
    return tables.after(eleven_nimmt, t, *moves)


def legal(t: Table, seat: int) -> set[str]:
    return tables.legal(eleven_nimmt, t, seat)


def lying(t: Table, place: str) -> list[int]:
    return tables.lying(eleven_nimmt, t, place)


def refused(t: Table, seat: int, move: str | int) -> Any:
    return tables.refused(eleven_nimmt, t, seat, move)


def placed(seat: int, card: int, onto: int) -> Event:
    return {"event": "place", "seat": seat, "card": card, "onto": onto}


def taken(seat: int, *cards: int) -> Event:
    return {"event": "take", "seat": seat, "cards": list(cards)}


def got_bull(seat: int, giver: int | str) -> Event:
    return {"event": "bull", "seat": seat, "from": giver}


def opened(card: int) -> Event:
    return {"event": "open", "card": card}


ROUND_END: Event = {"event": "round_end"}


# -- Cards ------------------------------------------------------------------------------------


@pytest.mark.rule("EN-1")
def test_100_number_cards_show_heads() -> None:
    deck = load_deck(eleven_nimmt.DECK_FILES)
    _, *heads = deck.heads
    assert deck.basis == "reconstruction"
    assert len(heads) == 100
    assert set(heads) <= {1, 2, 3, 4, 5, 6, 7}


@pytest.mark.rule("EN-2")
@pytest.mark.parametrize(
    ("bulls", "giver", "bulls_then"),
    [((0, 0), "supply", (1, 0)), ((0, 9), "supply", (1, 9)), ((0, 10), 1, (1, 9))],
)
def test_there_are_ten_bull_cards(
    bulls: tuple[int, int], giver: int | str, bulls_then: tuple[int, int]
) -> None:
    t = table("stack 1: 31 36 46\ndraw: 23 87\nhand 0: 1\nhand 1: 2", bulls=bulls)
    t, events = after(t, "0 take 46")
    assert events == [taken(0, 31, 36, 46), got_bull(0, giver), opened(23), opened(87)]
    assert t.bulls == bulls_then


def load_own(folder: Path, lines: dict[int, str | None]) -> Deck:
    """Our deck file with other lines; card n stands in line n + 1."""
    return load_deck(eleven_nimmt.DECK_FILES, [deck_file(eleven_nimmt, folder, lines)])


@pytest.mark.rule("EN-1")
@pytest.mark.parametrize("heads", range(1, 8))
def test_a_deck_of_ones_own_may_show_one_to_seven_heads_and_they_count(
    tmp_path: Path, heads: int
) -> None:
    deck = load_own(tmp_path, {9: f" 8 , {heads} ", 102: ""})
    assert (deck.basis, deck.heads[8]) == ("own", heads)
    assert deck.heads[9:] == load_deck(eleven_nimmt.DECK_FILES).heads[9:]
    t = table("stack 1: 31\nhand 0: 32\nhand 1: 8", deck=deck)
    t, _ = after(t, "0 play 32 on 31")
    assert eleven_nimmt.scores(t) == [0, heads]


ALLOWED = {"allowed": "heads 1, 2, 3, 4, 5, 6, 7"}


@pytest.mark.rule("EN-1")
@pytest.mark.parametrize(
    ("at", "row", "key", "facts"),
    [
        (8, "7,0", "deck_row", {"row": "7,0", **ALLOWED}),
        (8, "7,8", "deck_row", {"row": "7,8", **ALLOWED}),
        (8, "7,-1", "deck_row", {"row": "7,-1", **ALLOWED}),
        (8, "7,", "deck_row", {"row": "7,", **ALLOWED}),
        (8, "x,1", "deck_row", {"row": "x,1", **ALLOWED}),
        (8, "7", "deck_columns", {"columns": "number,heads"}),
        (8, "7,1,1", "deck_columns", {"columns": "number,heads"}),
        (8, "6,1", "deck_twice", {"number": 6, "first": 7}),
        (2, "0,1", "deck_number", {"number": 0, "cards": 100}),
        (101, "101,1", "deck_number", {"number": 101, "cards": 100}),
    ],
)
def test_a_deck_file_with_a_row_that_the_rule_forbids_is_refused_with_its_line(
    tmp_path: Path, at: int, row: str, key: str, facts: dict[str, Any]
) -> None:
    with pytest.raises(BadDeck) as error:
        load_own(tmp_path, {at: row})
    where = {"file": str(tmp_path / "deck.csv"), "line": at, "rule": "EN-1"}
    assert (error.value.key, error.value.facts) == (key, {**facts, **where})


@pytest.mark.rule("EN-1")
@pytest.mark.parametrize(("missing", "line"), [(1, 2), (50, 51), (100, 101)])
def test_a_deck_file_without_one_of_the_100_numbers_is_refused(
    tmp_path: Path, missing: int, line: int
) -> None:
    with pytest.raises(BadDeck) as error:
        load_own(tmp_path, {line: None})
    own = str(tmp_path / "deck.csv")
    assert error.value.key == "deck_missing"
    assert error.value.facts == {"file": own, "number": missing, "cards": 100, "rule": "EN-1"}


@pytest.mark.rule("EN-1")
@pytest.mark.parametrize(
    ("first_line", "header"), [("number,colour,heads", "number,colour,heads"), (None, "1,1")]
)
def test_a_deck_file_with_other_columns_is_refused(
    tmp_path: Path, first_line: str | None, header: str
) -> None:
    with pytest.raises(BadDeck) as error:
        load_own(tmp_path, {1: first_line})
    expected = {"header": header, "expected": "number,heads"}
    assert error.value.key == "deck_header"
    assert error.value.facts == {"file": tmp_path / "deck.csv", **expected}


@pytest.mark.rule("EN-1")
def test_a_deck_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDeck) as error:
        load_deck(eleven_nimmt.DECK_FILES, [tmp_path])
    assert error.value.key == "deck_unreadable"
    assert error.value.facts == {"file": tmp_path, "reason": "Is a directory"}
    (tmp_path / "picture.csv").write_bytes(b"number,heads\n1,\xff")
    with pytest.raises(BadDeck) as error:
        load_deck(eleven_nimmt.DECK_FILES, [tmp_path / "picture.csv"])
    assert error.value.key == "deck_not_text"
    assert error.value.facts == {"file": tmp_path / "picture.csv"}


# -- Setting up a round -----------------------------------------------------------------------

SHUFFLED = list(range(100, 0, -1))


def dealt(seats: int, **options: Any) -> Table:
    chosen = complete_options(eleven_nimmt, seats, options)
    t = eleven_nimmt.set_up(seats, chosen, load_deck(eleven_nimmt.DECK_FILES))
    return deal(t)


def deal(t: Table) -> Table:
    assert eleven_nimmt.to_shuffle(t) == list(range(1, 101))
    t, events = eleven_nimmt.deal(t, SHUFFLED)
    assert events == []
    assert eleven_nimmt.to_shuffle(t) == []
    return t


@pytest.mark.rule("EN-3")
def test_ten_cards_each_then_the_first_stack_then_the_draw_pile_from_the_top() -> None:
    t = dealt(7)
    assert pictured(eleven_nimmt, t) == as_drawn("""
        stack 1: 30
        hand 0: 91 92 93 94 95 96 97 98 99 100
        hand 1: 81 82 83 84 85 86 87 88 89 90
        hand 2: 71 72 73 74 75 76 77 78 79 80
        hand 3: 61 62 63 64 65 66 67 68 69 70
        hand 4: 51 52 53 54 55 56 57 58 59 60
        hand 5: 41 42 43 44 45 46 47 48 49 50
        hand 6: 31 32 33 34 35 36 37 38 39 40
        draw: 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1
    """)
    assert t.bulls == (0,) * 7


@pytest.mark.rule("EN-3")
@pytest.mark.parametrize("seats", eleven_nimmt.SEATS)
def test_a_round_is_set_up_for_any_number_of_players(seats: int) -> None:
    t, left = dealt(seats), SHUFFLED[:]
    for seat in range(seats):
        assert lying(t, f"hand {seat}") == sorted(left[:10])
        left = left[10:]
    assert lying(t, "stack 1") == [left[0]]
    assert "stack 2" not in eleven_nimmt.places(t)
    assert lying(t, "draw") == left[1:]
    assert t.bulls == (0,) * seats
    assert eleven_nimmt.waiting_for(t) == [0]


@pytest.mark.parametrize("first_seat", [0, 1, 2])
def test_the_first_seat_is_an_option(first_seat: int) -> None:
    t = dealt(3, first_seat=first_seat)
    assert eleven_nimmt.waiting_for(t) == [first_seat]
    assert [bool(legal(t, seat)) for seat in range(3)] == [seat == first_seat for seat in range(3)]


@pytest.mark.rule("EN-17")
@pytest.mark.parametrize("seats", eleven_nimmt.SEATS)
def test_without_a_word_there_are_as_many_rounds_as_players(seats: int) -> None:
    assert complete_options(eleven_nimmt, seats, {}) == {
        "first_seat": 0,
        "rounds": seats,
        "memory_aid": False,
    }


@pytest.mark.parametrize(
    ("seats", "options", "key"),
    [
        (1, {}, "bad_seats"),
        (8, {}, "bad_seats"),
        (3, {"first_seat": 3}, "bad_option"),
        (3, {"first_seat": -1}, "bad_option"),
        (3, {"rounds": 0}, "bad_option"),
        (3, {"rounds": None}, "bad_option"),
        (3, {"memory_aid": "yes"}, "bad_option"),
        (3, {"limit": 66}, "unknown_option"),
    ],
)
def test_other_numbers_of_players_and_other_options_are_refused(
    seats: int, options: dict[str, Any], key: str
) -> None:
    with pytest.raises(BadOption) as error:
        complete_options(eleven_nimmt, seats, options)
    assert error.value.key == key


# -- A turn -----------------------------------------------------------------------------------


@pytest.mark.rule("EN-4")
def test_a_player_plays_onto_a_stack_or_takes_a_stack_even_one_who_could_play() -> None:
    t = table("""
        stack 1: 31
        stack 2: 35
        stack 3: 80
        hand 0: 36 60 81
        hand 1: 32
    """)
    plays = {"play 36 on 31", "play 36 on 35", "play 81 on 80"}
    assert legal(t, 0) == plays | {"take 31", "take 35", "take 80"}
    assert legal(t, 1) == set()


@pytest.mark.rule("EN-4")
def test_who_cannot_play_decides_all_the_same_which_stack_to_take() -> None:
    t = table("stack 1: 31\nhand 0: 60\nhand 1: 32")
    assert eleven_nimmt.waiting_for(t) == [0]
    assert legal(t, 0) == {"take 31"}


@pytest.mark.rule("EN-4")
def test_turns_go_clockwise() -> None:
    t = table(
        """
        stack 1: 31
        draw: 50 70
        hand 0: 33 1
        hand 1: 34 2
        hand 2: 32 3
    """,
        actor=2,
    )
    for seat, move in ((2, "play 32 on 31"), (0, "play 33 on 32"), (1, "take 33")):
        assert eleven_nimmt.waiting_for(t) == [seat]
        t, _ = after(t, f"{seat} {move}")
    assert eleven_nimmt.waiting_for(t) == [2]


def fitting(top: int) -> list[int]:
    """The cards, of all others, that a player may play on this stack."""
    others = [card for card in range(1, 101) if card != top]
    t = table(f"stack 1: {top}\nhand 0: {' '.join(map(str, others))}\nhand 1:")
    return [card for card in others if f"play {card} on {top}" in legal(t, 0)]


@pytest.mark.rule("EN-5", "EN-6")
def test_a_card_must_be_higher_than_the_top_card_by_at_most_10() -> None:
    assert fitting(31) == [32, 33, 34, 35, 36, 37, 38, 39, 40, 41]
    assert fitting(90) == [91, 92, 93, 94, 95, 96, 97, 98, 99, 100]


@pytest.mark.rule("EN-5")
def test_it_is_the_top_card_of_the_stack_that_counts() -> None:
    t = table("stack 1: 40 31\nhand 0: 30 32 41 42 50\nhand 1:")
    assert legal(t, 0) == {"play 32 on 31", "play 41 on 31", "take 31"}


@pytest.mark.rule("EN-7")
@pytest.mark.parametrize(
    ("top", "fits"),
    [
        (91, [1, 92, 93, 94, 95, 96, 97, 98, 99, 100]),
        (96, [1, 2, 3, 4, 5, 6, 97, 98, 99, 100]),
        (99, [1, 2, 3, 4, 5, 6, 7, 8, 9, 100]),
        (100, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    ],
)
def test_after_100_comes_1(top: int, fits: list[int]) -> None:
    assert fitting(top) == fits


@pytest.mark.rule("EN-7")
def test_on_a_98_a_5_may_be_played() -> None:
    """Example 1."""
    t, events = after(table("stack 1: 98\nhand 0: 5 60\nhand 1: 1"), "0 play 5 on 98")
    assert events == [placed(0, 5, onto=98)]
    assert lying(t, "stack 1") == [98, 5]
    assert fitting(98) == [1, 2, 3, 4, 5, 6, 7, 8, 99, 100]


@pytest.mark.rule("EN-8")
def test_without_a_bull_card_a_turn_is_one_card_on_one_stack() -> None:
    t = table("""
        stack 1: 31
        stack 2: 60
        hand 0: 32 33 61
        hand 1: 90
    """)
    t, events = after(t, "0 play 32 on 31")
    assert events == [placed(0, 32, onto=31)]
    assert eleven_nimmt.waiting_for(t) == [1]
    assert (lying(t, "stack 1"), lying(t, "stack 2")) == ([31, 32], [60])
    assert lying(t, "hand 0") == [33, 61]


# -- Taking a stack ---------------------------------------------------------------------------


@pytest.mark.rule("EN-9", "EN-10")
def test_the_player_takes_a_whole_stack_and_two_cards_are_turned_up() -> None:
    t = table("""
        stack 1: 31
        stack 2: 60 62
        stack 3: 80
        draw: 23 87 5
        hand 0: 32 61
        hand 1: 90
    """)
    t, events = after(t, "0 take 62")
    assert events == [taken(0, 60, 62), opened(23), opened(87)]
    assert pictured(eleven_nimmt, t) == as_drawn("""
        stack 1: 31
        stack 3: 80
        stack 4: 23
        stack 5: 87
        draw: 5
        hand 0: 32 60 61 62
        hand 1: 90
    """)
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-9")
def test_a_stack_is_taken_from_bottom_to_top() -> None:
    t = table("stack 1: 98 100 5\ndraw: 23 87\nhand 0: 60\nhand 1: 90")
    t, events = after(t, "0 take 5")
    assert events[0] == taken(0, 98, 100, 5)
    assert lying(t, "hand 0") == [5, 60, 98, 100]


@pytest.mark.rule("EN-10")
@pytest.mark.parametrize(
    ("draw", "turned_up", "left"),
    [([23, 87, 1], [23, 87], [1]), ([23, 87], [23, 87], []), ([23], [23], []), ([], [], [])],
)
def test_with_fewer_than_two_cards_left_as_many_are_turned_up_as_there_are(
    draw: list[int], turned_up: list[int], left: list[int]
) -> None:
    t = table(f"""
        stack 1: 31
        stack 2: 60
        draw: {" ".join(map(str, draw))}
        hand 0: 2
        hand 1: 90
    """)
    t, events = after(t, "0 take 31")
    assert events == [taken(0, 31), *map(opened, turned_up)]
    assert [stack[0] for stack in t.lying[eleven_nimmt.rules.STACK :]] == [60, *turned_up]
    assert lying(t, "draw") == left
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-11")
@pytest.mark.parametrize(
    ("stack", "bulls"), [([31], 0), ([31, 36], 0), ([31, 36, 46], 1), ([31, 36, 46, 47, 48, 49], 1)]
)
def test_a_stack_of_three_cards_or_more_brings_one_bull_card(stack: list[int], bulls: int) -> None:
    t = table(f"stack 1: {' '.join(map(str, stack))}\ndraw: 23 87\nhand 0: 1\nhand 1: 90")
    t, events = after(t, f"0 take {stack[-1]}")
    assert events == [taken(0, *stack), *[got_bull(0, "supply")] * bulls, opened(23), opened(87)]
    assert t.bulls == (bulls, 0)


@pytest.mark.rule("EN-11")
def test_a_player_may_have_several_bull_cards() -> None:
    t = table("stack 1: 31 36 46\nhand 0: 1\nhand 1: 90\nhand 2: 91", bulls=(2, 1, 4))
    t, _ = after(t, "0 take 46")
    assert t.bulls == (3, 1, 4)


NO_BULL_LEFT = """
    stack 1: 31 36 46
    stack 2: 60 61
    draw: 23 87
    hand 0: 1 2
    hand 1: 90 91
    hand 2: 92 93
    hand 3: 94 95
"""


@pytest.mark.rule("EN-12")
@pytest.mark.parametrize(
    ("bulls", "giver", "bulls_then"),
    [
        ((2, 4, 3, 1), 1, (3, 3, 3, 1)),
        ((0, 0, 0, 10), 3, (1, 0, 0, 9)),
        ((4, 1, 4, 1), 2, (5, 1, 3, 1)),
        ((3, 3, 2, 2), 1, (4, 2, 2, 2)),
    ],
    ids=["one has the most", "one has all", "the taker has as many as seat 2", "as seat 1"],
)
def test_if_no_bull_card_is_left_the_taker_gets_one_from_the_player_with_the_most(
    bulls: tuple[int, ...], giver: int, bulls_then: tuple[int, ...]
) -> None:
    t, events = after(table(NO_BULL_LEFT, bulls=bulls), "0 take 46")
    assert events == [taken(0, 31, 36, 46), got_bull(0, giver), opened(23), opened(87)]
    assert t.bulls == bulls_then
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-12")
@pytest.mark.parametrize(
    ("bulls", "choice", "bulls_then"),
    [
        ((0, 5, 0, 5), {1, 3}, (1, 5, 0, 4)),
        ((1, 3, 3, 3), {1, 2, 3}, (2, 3, 3, 2)),
        ((3, 3, 1, 3), {1, 3}, (4, 3, 1, 2)),
    ],
    ids=["two have the most", "three have the most", "the taker has as many too"],
)
def test_among_several_players_with_the_most_the_taker_chooses(
    bulls: tuple[int, ...], choice: set[int], bulls_then: tuple[int, ...]
) -> None:
    t, events = after(table(NO_BULL_LEFT, bulls=bulls), "0 take 46")
    assert events == [taken(0, 31, 36, 46)]
    assert eleven_nimmt.waiting_for(t) == [0]
    assert legal(t, 0) == {f"bull from {seat}" for seat in choice}
    assert legal(t, 1) == set()
    t, events = after(t, "0 bull from 3")
    assert events == [got_bull(0, 3), opened(23), opened(87)]
    assert t.bulls == bulls_then
    assert eleven_nimmt.waiting_for(t) == [1]
    assert "take 61" in legal(t, 1)


@pytest.mark.rule("EN-12")
@pytest.mark.parametrize("bulls", [(4, 3, 3, 0), (10, 0, 0, 0)])
def test_a_taker_who_alone_has_the_most_gets_none(bulls: tuple[int, ...]) -> None:
    t, events = after(table(NO_BULL_LEFT, bulls=bulls), "0 take 46")
    assert events == [taken(0, 31, 36, 46), opened(23), opened(87)]
    assert t.bulls == bulls
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-11", "EN-12")
def test_a_small_stack_brings_no_bull_card_from_another_player_either() -> None:
    t, events = after(table(NO_BULL_LEFT, bulls=(0, 10, 0, 0)), "0 take 61")
    assert events == [taken(0, 60, 61), opened(23), opened(87)]
    assert t.bulls == (0, 10, 0, 0)


@pytest.mark.rule("EN-13")
def test_without_a_stack_the_round_ends_and_all_hands_are_counted() -> None:
    t = table("""
        stack 1: 55
        draw:
        hand 0: 10
        hand 1: 11 56
        hand 2: 1
    """)
    t, events = after(t, "0 take 55")
    assert events == [taken(0, 55), ROUND_END]
    assert eleven_nimmt.rounds(t) == ((3 + 7, 5 + 1, 1),)
    assert eleven_nimmt.waiting_for(t) == []


@pytest.mark.rule("EN-13")
def test_the_bull_card_comes_before_a_round_ends_without_a_stack() -> None:
    drawing = """
        stack 1: 31 36 46
        draw:
        hand 0: 10
        hand 1: 11
        hand 2: 1
    """
    t, events = after(table(drawing), "0 take 46")
    assert events == [taken(0, 31, 36, 46), got_bull(0, "supply"), ROUND_END]
    t, events = after(table(drawing, bulls=(0, 5, 5)), "0 take 46")
    assert events == [taken(0, 31, 36, 46)]
    t, events = after(t, "0 bull from 1")
    assert events == [got_bull(0, 1), ROUND_END]
    assert eleven_nimmt.rounds(t) == ((3 + 1 + 1 + 1, 5, 1),)


@pytest.mark.rule("EN-13")
def test_the_round_goes_on_while_there_is_a_stack_though_the_draw_pile_is_empty() -> None:
    t = table("stack 1: 55\nstack 2: 70\ndraw:\nhand 0: 10\nhand 1: 11")
    t, events = after(t, "0 take 55")
    assert events == [taken(0, 55)]
    assert legal(t, 1) == {"take 70"}


@pytest.mark.rule("EN-4", "EN-9", "EN-10", "EN-11")
def test_three_stacks_come_about() -> None:
    """Example 3."""
    t = table("""
        stack 1: 31
        draw: 23 87 70 44
        hand 0: 36 60
        hand 1: 46 61
        hand 2: 62 63
        hand 3: 88 64
        hand 4: 92 65
        hand 5: 98 66
        hand 6: 5 67
    """)
    assert fitting(31) == list(range(32, 42))
    t, events = after(t, "0 play 36 on 31")
    assert events == [placed(0, 36, onto=31)]
    assert fitting(36) == list(range(37, 47))
    t, events = after(t, "1 play 46 on 36")
    assert events == [placed(1, 46, onto=36)]
    assert legal(t, 2) == {"take 46"}
    t, events = after(t, "2 take 46")
    assert events == [taken(2, 31, 36, 46), got_bull(2, "supply"), opened(23), opened(87)]
    t, events = after(t, "3 play 88 on 87", "4 play 92 on 88", "5 play 98 on 92", "6 play 5 on 98")
    assert events == [
        placed(3, 88, onto=87),
        placed(4, 92, onto=88),
        placed(5, 98, onto=92),
        placed(6, 5, onto=98),
    ]
    assert legal(t, 0) == {"take 23", "take 5"}
    t, events = after(t, "0 take 23")
    assert events == [taken(0, 23), opened(70), opened(44)]
    assert pictured(eleven_nimmt, t) == as_drawn("""
        stack 2: 87 88 92 98 5
        stack 3: 70
        stack 4: 44
        hand 0: 23 60
        hand 1: 61
        hand 2: 31 36 46 62 63
        hand 3: 64
        hand 4: 65
        hand 5: 66
        hand 6: 67
    """)
    assert t.bulls == (0, 0, 1, 0, 0, 0, 0)


# -- Bull cards -------------------------------------------------------------------------------


@pytest.mark.rule("EN-14")
def test_with_a_bull_card_any_cards_that_fit_on_the_stack_as_many_as_wanted() -> None:
    """Example 2."""
    t = table(
        """
        stack 1: 33
        hand 0: 34 35 36 37 38 39 40 41 42 43 44
        hand 1: 90
    """,
        bulls=(1, 0),
    )
    assert legal(t, 0) == {"take 33"} | {f"play {card} on 33" for card in range(34, 44)}
    t, events = after(t, "0 play 34 on 33")
    assert events == [placed(0, 34, onto=33)]
    assert eleven_nimmt.waiting_for(t) == [0]
    assert legal(t, 0) == {"end"} | {f"play {card} on 33" for card in range(35, 44)}
    t, events = after(t, *[f"0 play {card} on 33" for card in range(35, 44)])
    assert events == [placed(0, card, onto=33) for card in range(35, 44)]
    assert lying(t, "stack 1") == list(range(33, 44))
    assert lying(t, "hand 0") == [44]
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-14")
def test_after_a_card_the_player_may_end_the_turn() -> None:
    t = table("stack 1: 33\nhand 0: 34 36 38\nhand 1: 39 90", bulls=(1, 0))
    t, events = after(t, "0 play 36 on 33", "0 end")
    assert events == [placed(0, 36, onto=33)]
    assert eleven_nimmt.waiting_for(t) == [1]
    assert legal(t, 1) == {"play 39 on 36", "take 36"}


@pytest.mark.rule("EN-14")
def test_the_cards_are_laid_in_ascending_order() -> None:
    t = table("stack 1: 33\nhand 0: 34 36 38\nhand 1: 90", bulls=(1, 0))
    t, _ = after(t, "0 play 36 on 33")
    assert legal(t, 0) == {"play 38 on 33", "end"}
    assert refused(t, 0, "play 34 on 33") == ("EN-14", "must_lie_beyond", {"card": 34, "top": 33})


@pytest.mark.rule("EN-14")
def test_the_cards_are_counted_past_100_where_needed() -> None:
    t = table("stack 1: 98\nhand 0: 2 8 9 99 100\nhand 1: 60", bulls=(1, 0))
    assert legal(t, 0) == {f"play {card} on 98" for card in (99, 100, 2, 8)} | {"take 98"}
    t, _ = after(t, "0 play 100 on 98")
    assert legal(t, 0) == {"play 2 on 98", "play 8 on 98", "end"}
    t, events = after(t, "0 play 2 on 98", "0 play 8 on 98")
    assert events == [placed(0, 2, onto=98), placed(0, 8, onto=98)]
    assert lying(t, "stack 1") == [98, 100, 2, 8]
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-14")
def test_every_card_must_fit_on_the_card_that_was_on_top_when_the_turn_began() -> None:
    t = table("stack 1: 33\nhand 0: 42 44\nhand 1: 90", bulls=(1, 0))
    t, _ = after(t, "0 play 42 on 33")
    assert eleven_nimmt.waiting_for(t) == [1]
    assert lying(t, "hand 0") == [44]


THREE_STACKS = """
    stack 1: 33
    stack 2: 60
    stack 3: 80
    hand 0: 34 36 61 63 81 83
    hand 1: 90
"""


@pytest.mark.rule("EN-14")
def test_with_one_bull_card_all_cards_go_on_one_stack() -> None:
    t, _ = after(table(THREE_STACKS, bulls=(1, 0)), "0 play 34 on 33")
    assert legal(t, 0) == {"play 36 on 33", "end"}
    facts = {"bulls": 1, "card": 61, "top": 60}
    assert refused(t, 0, "play 61 on 60") == ("EN-14", "too_few_bulls", facts)
    t, events = after(t, "0 play 36 on 33")
    assert events == [placed(0, 36, onto=33)]
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-14")
def test_with_two_bull_cards_on_two_stacks_and_no_further_card_elsewhere() -> None:
    t, _ = after(table(THREE_STACKS, bulls=(2, 0)), "0 play 34 on 33")
    on_the_others = {"play 61 on 60", "play 63 on 60", "play 81 on 80", "play 83 on 80"}
    assert legal(t, 0) == {"play 36 on 33", "end"} | on_the_others
    t, _ = after(t, "0 play 36 on 33")
    assert legal(t, 0) == {"end"} | on_the_others
    t, _ = after(t, "0 play 81 on 80")
    assert legal(t, 0) == {"play 83 on 80", "end"}
    facts = {"bulls": 2, "card": 61, "top": 60}
    assert refused(t, 0, "play 61 on 60") == ("EN-14", "too_few_bulls", facts)
    t, events = after(t, "0 play 83 on 80")
    assert events == [placed(0, 83, onto=80)]
    assert eleven_nimmt.waiting_for(t) == [1]
    assert pictured(eleven_nimmt, t)["hand 0"] == "61 63"
    assert lying(t, "stack 1") == [33, 34, 36]
    assert lying(t, "stack 3") == [80, 81, 83]


@pytest.mark.rule("EN-14")
def test_once_a_player_moves_to_another_stack_the_earlier_one_is_closed() -> None:
    t, _ = after(table(THREE_STACKS, bulls=(2, 0)), "0 play 34 on 33", "0 play 61 on 60")
    assert legal(t, 0) == {"play 63 on 60", "end"}
    assert refused(t, 0, "play 36 on 33") == ("EN-14", "stack_closed", {"card": 36, "top": 33})


@pytest.mark.rule("EN-14")
def test_a_closed_stack_is_closed_under_its_new_top_card_too() -> None:
    t = table(
        """
        stack 1: 33
        stack 2: 60
        hand 0: 34 35 61 63
        hand 1: 90
    """,
        bulls=(3, 0),
    )
    t, _ = after(t, "0 play 34 on 33", "0 play 61 on 60")
    assert legal(t, 0) == {"play 63 on 60", "end"}


@pytest.mark.rule("EN-14")
def test_a_stack_keeps_its_name_through_the_turn() -> None:
    """There is no stack called 34 in this turn: 36 can be played on the one that is called 33."""
    t, _ = after(table(THREE_STACKS, bulls=(3, 0)), "0 play 34 on 33")
    assert refused(t, 0, "play 36 on 34") == ("EN-5", "no_such_stack", {})


@pytest.mark.rule("EN-14")
def test_with_three_bull_cards_on_three_stacks_in_any_order() -> None:
    t, events = after(
        table(THREE_STACKS, bulls=(3, 0)),
        "0 play 81 on 80",
        "0 play 34 on 33",
        "0 play 36 on 33",
        "0 play 63 on 60",
    )
    assert events == [
        placed(0, 81, onto=80),
        placed(0, 34, onto=33),
        placed(0, 36, onto=33),
        placed(0, 63, onto=60),
    ]
    stacks = [lying(t, f"stack {number}") for number in (1, 2, 3)]
    assert stacks == [[33, 34, 36], [60, 63], [80, 81]]
    assert lying(t, "hand 0") == [61, 83]
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-14")
def test_a_card_that_fits_on_two_stacks_may_go_on_either() -> None:
    t = table("stack 1: 33\nstack 2: 35\nhand 0: 34 36 37\nhand 1: 90", bulls=(2, 0))
    t, _ = after(t, "0 play 36 on 33")
    assert legal(t, 0) == {"play 37 on 33", "play 37 on 35", "end"}
    t, events = after(t, "0 play 37 on 35")
    assert events == [placed(0, 37, onto=35)]
    assert (lying(t, "stack 1"), lying(t, "stack 2")) == ([33, 36], [35, 37])


@pytest.mark.rule("EN-14")
def test_a_turn_with_bull_cards_that_cannot_go_on_ends_by_itself() -> None:
    t = table("stack 1: 33\nstack 2: 60\nhand 0: 34 75\nhand 1: 90", bulls=(5, 0))
    t, events = after(t, "0 play 34 on 33")
    assert events == [placed(0, 34, onto=33)]
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-14")
def test_the_bull_cards_of_others_do_not_help() -> None:
    t, _ = after(table(THREE_STACKS, bulls=(0, 3)), "0 play 34 on 33")
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-15")
def test_bull_cards_are_not_used_up() -> None:
    t, _ = after(table(THREE_STACKS, bulls=(2, 1)), "0 play 34 on 33", "0 play 61 on 60", "0 end")
    assert t.bulls == (2, 1)


@pytest.mark.rule("EN-15")
def test_all_bull_cards_go_back_for_the_next_round() -> None:
    t = table("stack 1: 33\nhand 0: 34\nhand 1: 90", bulls=(2, 1))
    t, _ = after(t, "0 play 34 on 33")
    t = deal(t)
    assert t.bulls == (0, 0)


# -- End of a round and of the game -----------------------------------------------------------


@pytest.mark.rule("EN-16")
def test_the_round_ends_at_once_when_a_hand_is_empty_and_the_others_count_their_heads() -> None:
    t = table("""
        stack 1: 33
        hand 0: 34
        hand 1: 55 1
        hand 2: 10 11 5
    """)
    t, events = after(t, "0 play 34 on 33")
    assert events == [placed(0, 34, onto=33), ROUND_END]
    assert eleven_nimmt.waiting_for(t) == []
    assert [legal(t, seat) for seat in range(3)] == [set(), set(), set()]
    assert eleven_nimmt.rounds(t) == ((0, 7 + 1, 3 + 5 + 2),)
    assert eleven_nimmt.scores(t) == [0, 8, 10]


@pytest.mark.rule("EN-16")
def test_the_round_goes_on_while_a_card_is_left() -> None:
    t = table("stack 1: 33\nhand 0: 34 70\nhand 1: 55")
    t, events = after(t, "0 play 34 on 33")
    assert events == [placed(0, 34, onto=33)]
    assert eleven_nimmt.scores(t) == [0, 0]
    assert eleven_nimmt.rounds(t) == ()


@pytest.mark.rule("EN-16")
def test_with_bull_cards_the_round_ends_in_the_middle_of_the_turn() -> None:
    t = table("stack 1: 33\nstack 2: 60\nhand 0: 34 61\nhand 1: 55\nhand 2: 35", bulls=(2, 5, 3))
    t, events = after(t, "0 play 34 on 33")
    assert legal(t, 0) == {"play 61 on 60", "end"}
    t, events = after(t, "0 play 61 on 60")
    assert events == [placed(0, 61, onto=60), ROUND_END]
    assert eleven_nimmt.waiting_for(t) == []
    assert eleven_nimmt.scores(t) == [0, 7, 2]


@pytest.mark.rule("EN-17")
@pytest.mark.parametrize(
    ("rounds", "played", "is_last"),
    [
        (None, 0, False),
        (None, 1, False),
        (None, 2, True),
        (1, 0, True),
        (5, 3, False),
        (5, 4, True),
    ],
)
def test_as_many_rounds_as_players_or_as_agreed(
    rounds: int | None, played: int, is_last: bool
) -> None:
    t = table(
        "stack 1: 33\nhand 0: 34\nhand 1: 55\nhand 2: 10",
        options={} if rounds is None else {"rounds": rounds},
        points=((1, 2, 3),) * played,
    )
    t, events = after(t, "0 play 34 on 33")
    assert events == [placed(0, 34, onto=33), ROUND_END]
    assert eleven_nimmt.to_shuffle(t) == ([] if is_last else list(range(1, 101)))
    assert eleven_nimmt.rounds(t) == (*((1, 2, 3),) * played, (0, 7, 3))
    assert eleven_nimmt.scores(t) == [played, 7 + 2 * played, 3 + 3 * played]


@pytest.mark.rule("EN-3", "EN-17")
def test_the_next_round_is_dealt_anew_and_the_points_stay() -> None:
    t = table("stack 1: 33 34\nstack 2: 60\nhand 0: 35\nhand 1: 55", seen=mask([33, 34, 60]))
    t, _ = after(t, "0 play 35 on 34")
    t = deal(t)
    fresh = dealt(2)
    assert (t.lying, t.seen) == (fresh.lying, fresh.seen)
    assert eleven_nimmt.scores(t) == [0, 7]
    assert eleven_nimmt.waiting_for(t) == [1]


@pytest.mark.rule("EN-18")
@pytest.mark.parametrize(
    ("last_starter", "before", "starts"),
    [
        (0, (0, 0, 0), 1),  # 0, 7, 3
        (0, (0, 0, 9), 2),  # 0, 7, 12: in total so far
        (0, (9, 0, 0), 0),  # 9, 7, 3: the one who went out
        (0, (7, 0, 4), 0),  # 7, 7, 7
        (1, (7, 0, 4), 1),
        (2, (7, 0, 4), 2),
        (0, (7, 0, 0), 0),  # 7, 7, 3
        (1, (7, 0, 0), 1),
        (2, (7, 0, 0), 0),
        (1, (8, 0, 5), 2),  # 8, 7, 8
        (2, (8, 0, 5), 2),
        (0, (0, 0, 4), 1),  # 0, 7, 7
    ],
)
def test_the_most_minus_points_in_total_start_the_next_round(
    last_starter: int, before: tuple[int, int, int], starts: int
) -> None:
    t = table(
        "stack 1: 33\nhand 0: 34\nhand 1: 55\nhand 2: 10",
        options={"first_seat": 1},  # of the first round only
        starter=last_starter,
        points=(before,),
    )
    t, _ = after(t, "0 play 34 on 33")
    assert eleven_nimmt.waiting_for(deal(t)) == [starts]


@pytest.mark.rule("EN-19")
@pytest.mark.parametrize(
    ("points", "winners"),
    [
        (((5, 3, 4),), [1]),
        (((5, 3, 4), (0, 9, 3)), [0]),
        (((5, 3, 3),), [1, 2]),
        (((5, 0, 2), (0, 5, 3)), [0, 1, 2]),
    ],
)
def test_fewest_minus_points_win_and_equals_share_the_win(
    points: tuple[tuple[int, ...], ...], winners: list[int]
) -> None:
    t = table("hand 2:", points=points, phase=eleven_nimmt.rules.OVER)
    assert eleven_nimmt.scores(t) == [sum(seat) for seat in zip(*points, strict=True)]
    assert eleven_nimmt.winners(t) == winners


# -- What a player sees -----------------------------------------------------------------------

IN_THE_MIDDLE = """
    stack 1: 31 36 46
    stack 2: 87
    draw: 50 51 52
    hand 0: 5 6
    hand 1: 40 41 88
    hand 2: 70
"""
SEEN = mask([31, 36, 46, 87, 40, 41])


def test_a_player_sees_the_own_hand_the_tops_of_the_stacks_and_how_many_cards_lie_elsewhere() -> (
    None
):
    t = table(IN_THE_MIDDLE, seen=SEEN, bulls=(1, 0, 2))
    view = eleven_nimmt.view(t, 0)
    assert view.seat == 0
    assert view.legal == eleven_nimmt.legal(t, 0) != []
    assert pictured(eleven_nimmt, view.table) == as_drawn("""
        stack 1: 46
        stack 2: 87
        draw: ? ? ?
        hand 0: 5 6
        hand 1: ? ? ?
        hand 2: ?
    """)
    assert view.table.bulls == (1, 0, 2)
    assert t == table(IN_THE_MIDDLE, seen=SEEN, bulls=(1, 0, 2))


def test_a_perfect_memory_knows_the_stacks_and_the_cards_that_went_into_hands() -> None:
    t = table(IN_THE_MIDDLE, seen=SEEN)
    assert pictured(eleven_nimmt, t, eleven_nimmt.view(t, 0).remembered) == as_drawn("""
        stack 1: 31 36 46
        stack 2: 87
        draw: ? ? ?
        hand 0: 5 6
        hand 1: 40 41 ?
        hand 2: ?
    """)


def test_nothing_shows_how_much_lies_under_the_top_card_of_a_stack() -> None:
    rest = "draw: 50 51\nhand 0: 5 6\nhand 1: 88\n"
    seen = mask([31, 36, 46])
    high = table(f"stack 1: 31 36 46\n{rest}", seen=seen)
    low = table(f"stack 1: 46\n{rest}", seen=seen)
    for seat in (0, 1, None):
        assert eleven_nimmt.view(high, seat).table == eleven_nimmt.view(low, seat).table


def test_a_player_who_waits_sees_no_moves_and_only_the_own_hand() -> None:
    view = eleven_nimmt.view(table(IN_THE_MIDDLE, seen=SEEN), 1)
    shown = pictured(eleven_nimmt, view.table)
    assert view.legal == []
    assert [shown[f"hand {seat}"] for seat in range(3)] == ["? ?", "40 41 88", "?"]


def test_a_spectator_sees_no_hand() -> None:
    view = eleven_nimmt.view(table(IN_THE_MIDDLE, seen=SEEN), None)
    assert (view.seat, view.legal) == (None, [])
    assert pictured(eleven_nimmt, view.table) == as_drawn("""
        stack 1: 46
        stack 2: 87
        draw: ? ? ?
        hand 0: ? ?
        hand 1: ? ? ?
        hand 2: ?
    """)
    remembered = pictured(eleven_nimmt, view.table, view.remembered)
    assert [remembered[f"hand {seat}"] for seat in range(3)] == ["? ?", "40 41 ?", "?"]


def test_asking_what_is_legal_leaves_no_trace_on_the_table() -> None:
    t = table("stack 1: 33\ndraw: 50 51\nhand 0: 34 36 90\nhand 1: 91", bulls=(1, 0))
    before = repr(t)
    assert legal(t, 0) == {"play 34 on 33", "play 36 on 33", "take 33"}
    assert repr(t) == before
    t.lying[eleven_nimmt.rules.HAND] = (90,)
    assert legal(t, 0) == {"take 33"}


def test_a_stack_keeps_its_number_when_another_one_is_taken() -> None:
    t = table("stack 1: 33\nstack 2: 60\ndraw: 50 51\nhand 0: 34 90\nhand 1: 61 91")
    t, _ = after(t, "0 take 33")
    assert {name for name in eleven_nimmt.places(t) if "stack" in name} == {
        "stack 2",
        "stack 3",
        "stack 4",
    }
    t, _ = after(t, "1 play 61 on 60")
    assert lying(t, "stack 2") == [60, 61]


def test_what_a_hand_would_count_and_how_is_told_as_far_as_it_is_seen() -> None:
    t = table("stack 1: 33\ndraw: 50 51\nhand 0: 5 11 90\nhand 1: 91")
    heads = t.deck.heads
    own, others = eleven_nimmt.view(t, 0).table, eleven_nimmt.view(t, 1).table
    counted = heads[5] + heads[11] + heads[90]
    assert eleven_nimmt.rules.worth(own, 0) == counted
    assert eleven_nimmt.rules.parts(own, 0) == [("hand", (5, 11, 90), str(counted), "bad")]
    assert (eleven_nimmt.rules.worth(others, 0), eleven_nimmt.rules.parts(others, 0)) == (0, [])


def test_every_card_that_has_lain_open_is_remembered_until_the_next_deal() -> None:
    t = dealt(7)
    t, _ = after(t, "0 take 30", "1 take 28", "2 take 29")
    assert pictured(eleven_nimmt, t, eleven_nimmt.view(t, 6).remembered) == as_drawn(f"""
        stack 2: 27
        stack 3: 26
        stack 4: 25
        stack 5: 24
        hand 0: 30 ? ? ? ? ? ? ? ? ? ?
        hand 1: 28 ? ? ? ? ? ? ? ? ? ?
        hand 2: 29 ? ? ? ? ? ? ? ? ? ?
        hand 3: ? ? ? ? ? ? ? ? ? ?
        hand 4: ? ? ? ? ? ? ? ? ? ?
        hand 5: ? ? ? ? ? ? ? ? ? ?
        hand 6: 31 32 33 34 35 36 37 38 39 40
        draw: {" ".join("?" * 23)}
    """)


def test_a_card_played_and_taken_is_remembered() -> None:
    t = table("stack 1: 33\ndraw: 50 70\nhand 0: 34 1\nhand 1: 90\nhand 2: 91", seen=mask([33]))
    t, _ = after(t, "0 play 34 on 33", "1 take 34")
    view = eleven_nimmt.view(t, 2)
    assert pictured(eleven_nimmt, t, view.remembered)["hand 1"] == "33 34 ?"
    assert pictured(eleven_nimmt, view.table)["hand 1"] == "? ? ?"


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("seat", [0, 2, None])
def test_the_hands_are_opened_when_they_are_counted(seat: int | None, rounds: int) -> None:
    t = table(
        "stack 1: 33\ndraw: 50\nhand 0: 34\nhand 1: 55\nhand 2: 10", options={"rounds": rounds}
    )
    t, _ = after(t, "0 play 34 on 33")
    assert pictured(eleven_nimmt, eleven_nimmt.view(t, seat).table) == as_drawn("""
        stack 1: 34
        draw: ?
        hand 1: 55
        hand 2: 10
    """)
    assert eleven_nimmt.view(t, seat).remembered[eleven_nimmt.rules.DRAW] == (UNSEEN,)


@pytest.mark.rule("EN-9")
@pytest.mark.parametrize(("seat", "shown"), [(1, True), (0, False), (2, False), (None, False)])
def test_which_cards_went_into_a_hand_is_shown_to_their_taker_alone(
    seat: int | None, shown: bool
) -> None:
    event, hidden = taken(1, 31, 36), {"event": "take", "seat": 1, "cards": None}
    options = complete_options(eleven_nimmt, 3, {})
    assert eleven_nimmt.seen_by(event, seat, options) == (event if shown else hidden)
    with_aid = complete_options(eleven_nimmt, 3, {"memory_aid": True})
    assert eleven_nimmt.seen_by(event, seat, with_aid) == event
    assert event == taken(1, 31, 36)


@pytest.mark.parametrize(
    "event", [placed(0, 36, onto=31), got_bull(0, "supply"), got_bull(0, 2), opened(5), ROUND_END]
)
def test_everybody_sees_everything_else_that_happens(event: Event) -> None:
    assert event["event"] in eleven_nimmt.EVENTS
    options = complete_options(eleven_nimmt, 2, {})
    for seat in (0, 1, None):
        assert eleven_nimmt.seen_by(event, seat, options) == event


@pytest.mark.parametrize("seats", [2, 4, 7])
def test_an_imagined_table_gives_the_view_from_which_it_was_imagined(seats: int) -> None:
    played = match.new("eleven-nimmt", seats, seed=seats, options={"rounds": 1})
    rng = Random(1)
    for _ in range(80):
        for seat in (*range(seats), None):
            view = played.view(seat)
            imagined = eleven_nimmt.imagine(view, rng)
            assert eleven_nimmt.view(imagined, seat) == view
            numbers = [card for cards in imagined.lying for card in cards if card != UNSEEN]
            assert sorted(numbers) == list(range(1, 101))
        if played.is_over:
            break
        (actor,) = played.waiting_for
        played.move(actor, rng.choice(played.legal(actor)))


# -- Refusals ---------------------------------------------------------------------------------


def test_a_move_after_the_end_is_refused() -> None:
    t = table("stack 1: 33\nhand 0: 34\nhand 1: 55", options={"rounds": 1})
    t, _ = after(t, "0 play 34 on 33")
    assert refused(t, 1, "take 34") == ("EN-17", "game_over", {})


def test_a_move_before_the_deal_is_refused() -> None:
    options = complete_options(eleven_nimmt, 2, {})
    t = eleven_nimmt.set_up(2, options, load_deck(eleven_nimmt.DECK_FILES))
    assert eleven_nimmt.waiting_for(t) == []
    assert refused(t, 0, "take 34") == ("EN-3", "not_dealt", {})


@pytest.mark.rule("EN-4")
@pytest.mark.parametrize("move", ["play 90 on 80", "take 80", "end", "bull from 0"])
def test_a_move_out_of_turn_is_refused(move: str) -> None:
    assert refused(table(THREE_STACKS), 1, move) == ("EN-4", "not_your_turn", {"actor": 0})


@pytest.mark.rule("EN-4")
def test_ending_a_turn_before_it_began_is_refused() -> None:
    t = table(THREE_STACKS, bulls=(3, 0))
    assert refused(t, 0, "end") == ("EN-4", "play_before_ending", {})


@pytest.mark.rule("EN-4")
@pytest.mark.parametrize("card", [35, 37])
def test_a_card_that_is_not_in_the_hand_is_refused(card: int) -> None:
    refusal = refused(table(THREE_STACKS), 0, f"play {card} on 33")
    assert refusal == ("EN-4", "card_not_in_hand", {"card": card})


@pytest.mark.rule("EN-5")
def test_a_card_on_a_stack_that_is_not_there_is_refused() -> None:
    assert refused(table(THREE_STACKS), 0, "play 34 on 32") == ("EN-5", "no_such_stack", {})


@pytest.mark.rule("EN-9")
def test_taking_a_stack_that_is_not_there_is_refused() -> None:
    t = table("stack 1: 33 34\nhand 0: 60\nhand 1: 61")
    for top in (1, 33, 100):
        assert refused(t, 0, f"take {top}") == ("EN-9", "no_such_stack", {})


@pytest.mark.rule("EN-9")
@pytest.mark.parametrize("top", [34, 33, 60])
def test_taking_a_stack_after_playing_a_card_is_refused(top: int) -> None:
    t, _ = after(table(THREE_STACKS, bulls=(2, 0)), "0 play 34 on 33")
    assert refused(t, 0, f"take {top}") == ("EN-9", "taking_is_a_whole_turn", {})


@pytest.mark.rule("EN-12")
@pytest.mark.parametrize("seat", [0, 1, 6])
def test_asking_for_a_bull_card_out_of_place_is_refused(seat: int) -> None:
    t = table(THREE_STACKS, bulls=(0, 10))
    assert refused(t, 0, f"bull from {seat}") == ("EN-12", "no_bull_to_choose", {})


@pytest.mark.rule("EN-12")
@pytest.mark.parametrize(
    "move", ["bull from 0", "bull from 2", "bull from 6", "take 61", "play 1 on 100", "end", 9999]
)
def test_who_has_to_choose_a_giver_can_do_nothing_else(move: str | int) -> None:
    t, _ = after(table(NO_BULL_LEFT, bulls=(0, 5, 0, 5)), "0 take 46")
    assert refused(t, 0, move) == ("EN-12", "choose_whose_bull", {})
    assert refused(t, 1, "take 61") == ("EN-4", "not_your_turn", {"actor": 0})


@pytest.mark.parametrize("action", [-1, 1, 9, 1117, 9999])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    assert refused(table(THREE_STACKS), 0, action) == ("EN-4", "choose_a_card_or_stack", {})


FORMS = ["play 36 on 31", "take 46", "bull from 2", "end"]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("play 60 on 31", ("EN-6", "does_not_fit", {})),
        ("play 42 on 31", ("EN-6", "does_not_fit", {})),
        ("play 31 on 31", ("EN-6", "does_not_fit", {})),
        ("play 30 on 31", ("EN-6", "does_not_fit", {})),
        ("play 101 on 100", ("EN-6", "does_not_fit", {})),
        ("take 101", ("EN-9", "no_such_stack", {})),
        ("take 0", ("EN-9", "no_such_stack", {})),
        ("bull from 7", ("EN-12", "choose_whose_bull", {})),
        ("play 200", ("EN-4", "not_a_move", {"forms": FORMS})),
        ("play 36", ("EN-4", "not_a_move", {"forms": FORMS})),
        ("take", ("EN-4", "not_a_move", {"forms": FORMS})),
        ("stop", ("EN-4", "not_a_move", {"forms": FORMS})),
        ("nonsense", ("EN-4", "not_a_move", {"forms": FORMS})),
        ("", ("EN-4", "not_a_move", {"forms": FORMS})),
    ],
)
def test_a_text_that_is_no_move_is_refused(text: str, refusal: tuple[str, str, Any]) -> None:
    t = table("stack 1: 31\nhand 0: 30 42 60\nhand 1: 90")
    assert refused(t, 0, text) == refusal


def test_every_move_that_is_offered_can_be_written_with_other_spaces_and_capitals() -> None:
    t = table(THREE_STACKS)
    for move in ("play 34 on 33", "take 60"):
        spelled = move.upper().replace(" ", "  ")
        assert after(t, f"0 {spelled} ") == after(t, f"0 {move}")
