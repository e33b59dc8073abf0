"""The rules of Bullenparty, as docs/games/bullenparty.md has them."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from bullpen import match
from bullpen.cards import UNSEEN, mask
from bullpen.deck import BadDeck, load_deck
from bullpen.game import BadOption, Event, complete_options
from bullpen.games.bullenparty.rules import (
    BIDDING,
    BULLS,
    EXTENDING,
    OVER,
    PILING,
    TAKING,
    ZEROS,
    Table,
)
from tests import tables
from tests.games import bullenparty
from tests.tables import as_drawn, deck_file, pictured


def table(drawing: str, *, seen: list[int] | None = None, **more: Any) -> Table:
    """Draw pile and bull cards are drawn from the top.  `seen`: the number cards that lay open before."""
    everyone_knows = mask(ZEROS) | mask(BULLS) | mask(seen or [])
    drawn: Table = tables.table(bullenparty, drawing, seen=everyone_knows, **more)
    return drawn


def piling(drawing: str, *, takers: tuple[int, ...], **more: Any) -> Table:
    """A table where all rows have been taken, in this order."""
    more = {"phase": PILING, "bidders": (), "takers": takers, "actor": takers[0], **more}
    return table(drawing, **more)


def after(t: Table, *moves: str) -> tuple[Table, list[Event]]:
    return tables.after(bullenparty, t, *moves)


def shuffled(t: Table, *cards: int) -> tuple[Table, list[Event]]:
    """The table after the cards for which it waits came in this order."""
    assert bullenparty.waiting_for(t) == []
    assert sorted(bullenparty.to_shuffle(t)) == sorted(cards)
    return bullenparty.deal(t, cards)


def legal(t: Table, seat: int) -> set[str]:
    return tables.legal(bullenparty, t, seat)


def lying(t: Table, place: str) -> list[int]:
    return tables.lying(bullenparty, t, place)


def names(t: Table, place: str) -> str:
    return pictured(bullenparty, t).get(place, "")


def refused(t: Table, seat: int, move: str | int) -> Any:
    return tables.refused(bullenparty, t, seat, move)


def row_laid(row: int, *cards: int) -> Event:
    return {"event": "lay_row", "row": row, "cards": list(cards)}


def revealed(*bids: int | None) -> Event:
    return {"event": "reveal", "bids": list(bids)}


def taken(seat: int, row: int, cards: list[int], bulls: list[int]) -> Event:
    return {"event": "take", "seat": seat, "row": row, "cards": cards, "bulls": bulls}


def drew(seat: int, card: int) -> Event:
    return {"event": "draw", "seat": seat, "card": card}


def extended(seat: int, row: int, card: int) -> Event:
    return {"event": "extend", "seat": seat, "row": row, "card": card}


def bull_came(row: int, heads: int) -> Event:
    return {"event": "bull", "row": row, "heads": heads}


def piled(seat: int, card: int, onto: int | None) -> Event:
    return {"event": "pile", "seat": seat, "card": card, "onto": onto}


LAST_ROUND: Event = {"event": "last_round"}
ROUND_END: Event = {"event": "round_end"}


# -- Cards ------------------------------------------------------------------------------------


@pytest.mark.rule("BP-1", "BP-2")
def test_100_number_cards_with_1_to_7_heads_and_10_bull_cards_with_4_to_7() -> None:
    deck = load_deck(bullenparty.DECK_FILES)
    _, *heads = deck.heads
    assert deck.basis == "reconstruction"
    assert len(heads) == 100
    assert set(heads) <= {1, 2, 3, 4, 5, 6, 7}
    assert len(deck.bulls) == 10
    assert set(deck.bulls) <= {4, 5, 6, 7}


@pytest.mark.rule("BP-3")
def test_there_are_five_zero_cards_a_to_e() -> None:
    options = complete_options(bullenparty, 5, {})
    t = bullenparty.set_up(5, options, load_deck(bullenparty.DECK_FILES))
    zeros = bullenparty.to_shuffle(t)
    assert [bullenparty.CARD_NAMES[card] for card in zeros] == ["A", "B", "C", "D", "E"]
    assert len(lying(t, "box")) == 100 + 10 + 5


NUMBERS_FILE, BULLS_FILE = 0, 1


@pytest.mark.rule("BP-1")
@pytest.mark.parametrize("heads", range(1, 8))
def test_a_number_card_of_ones_own_may_show_one_to_seven_heads_and_they_count(
    tmp_path: Path, heads: int
) -> None:
    own = deck_file(bullenparty, tmp_path, {9: f" 8 , {heads} "}, part=NUMBERS_FILE)
    ours, deck = load_deck(bullenparty.DECK_FILES), load_deck(bullenparty.DECK_FILES, [own])
    assert (deck.basis, deck.heads[8]) == ("own", heads)
    assert (deck.heads[9:], deck.bulls) == (ours.heads[9:], ours.bulls)
    assert bullenparty.scores(table("pile 1 of 1: 8", deck=deck)) == [0, heads]


@pytest.mark.rule("BP-2", "BP-6")
def test_bull_cards_of_ones_own_lie_with_the_fewest_heads_on_top_however_they_are_listed(
    tmp_path: Path,
) -> None:
    own = deck_file(bullenparty, tmp_path, {2: "1,7", 11: "10,4", 5: "4,6"}, part=BULLS_FILE)
    ours, deck = load_deck(bullenparty.DECK_FILES), load_deck(bullenparty.DECK_FILES, [own])
    assert deck.basis == "own"
    assert deck.heads == ours.heads
    assert deck.bulls == (4, 4, 4, 5, 5, 5, 6, 6, 6, 7)
    assert bullenparty.scores(table("bulls 1: bull9\nhand 1:", deck=deck)) == [0, 6]


@pytest.mark.rule("BP-1", "BP-2")
def test_both_deck_files_can_be_replaced_in_any_order(tmp_path: Path) -> None:
    numbers = deck_file(bullenparty, tmp_path, {2: "1,7"}, part=NUMBERS_FILE)
    bulls = deck_file(bullenparty, tmp_path, {2: "1,7"}, part=BULLS_FILE)
    for own in ([numbers, bulls], [bulls, numbers]):
        deck = load_deck(bullenparty.DECK_FILES, own)
        assert (deck.basis, deck.heads[1], deck.bulls.count(7)) == ("own", 7, 2)


NUMBER_HEADS = {"allowed": "heads 1, 2, 3, 4, 5, 6, 7"}
BULL_HEADS = {"allowed": "heads 4, 5, 6, 7"}


@pytest.mark.rule("BP-1", "BP-2")
@pytest.mark.parametrize(
    ("part", "at", "row", "key", "facts"),
    [
        (NUMBERS_FILE, 8, "7,0", "deck_row", {"row": "7,0", **NUMBER_HEADS}),
        (NUMBERS_FILE, 8, "7,8", "deck_row", {"row": "7,8", **NUMBER_HEADS}),
        (NUMBERS_FILE, 8, "7,x", "deck_row", {"row": "7,x", **NUMBER_HEADS}),
        (NUMBERS_FILE, 8, "7", "deck_columns", {"columns": "number,heads"}),
        (NUMBERS_FILE, 8, "6,1", "deck_twice", {"number": 6, "first": 7}),
        (NUMBERS_FILE, 2, "0,1", "deck_number", {"number": 0, "cards": 100}),
        (NUMBERS_FILE, 101, "101,1", "deck_number", {"number": 101, "cards": 100}),
        (BULLS_FILE, 8, "7,3", "deck_row", {"row": "7,3", **BULL_HEADS}),
        (BULLS_FILE, 8, "7,8", "deck_row", {"row": "7,8", **BULL_HEADS}),
        (BULLS_FILE, 8, "A,5", "deck_row", {"row": "A,5", **BULL_HEADS}),
        (BULLS_FILE, 8, "7,5,5", "deck_columns", {"columns": "order,heads"}),
        (BULLS_FILE, 8, "6,5", "deck_twice", {"number": 6, "first": 7}),
        (BULLS_FILE, 2, "0,5", "deck_number", {"number": 0, "cards": 10}),
        (BULLS_FILE, 11, "11,5", "deck_number", {"number": 11, "cards": 10}),
    ],
)
def test_a_deck_file_with_a_row_that_the_rule_forbids_is_refused_with_its_line(
    tmp_path: Path, part: int, at: int, row: str, key: str, facts: dict[str, Any]
) -> None:
    own = deck_file(bullenparty, tmp_path, {at: row}, part=part)
    with pytest.raises(BadDeck) as error:
        load_deck(bullenparty.DECK_FILES, [own])
    where = {"file": str(own), "line": at, "rule": ("BP-1", "BP-2")[part]}
    assert (error.value.key, error.value.facts) == (key, {**facts, **where})


@pytest.mark.rule("BP-1", "BP-2")
@pytest.mark.parametrize(
    ("part", "missing", "cards"),
    [
        (NUMBERS_FILE, 1, 100),
        (NUMBERS_FILE, 100, 100),
        (BULLS_FILE, 1, 10),
        (BULLS_FILE, 10, 10),
    ],
)
def test_a_deck_file_without_one_of_the_cards_is_refused(
    tmp_path: Path, part: int, missing: int, cards: int
) -> None:
    own = deck_file(bullenparty, tmp_path, {missing + 1: None}, part=part)
    with pytest.raises(BadDeck) as error:
        load_deck(bullenparty.DECK_FILES, [own])
    facts = {"number": missing, "cards": cards, "rule": ("BP-1", "BP-2")[part]}
    assert (error.value.key, error.value.facts) == ("deck_missing", {"file": str(own), **facts})


@pytest.mark.rule("BP-1", "BP-2")
def test_a_deck_file_with_other_columns_is_refused(tmp_path: Path) -> None:
    own = deck_file(bullenparty, tmp_path, {1: "letter,heads"}, part=BULLS_FILE)
    with pytest.raises(BadDeck) as error:
        load_deck(bullenparty.DECK_FILES, [own])
    assert error.value.key == "deck_header"
    assert error.value.facts == {
        "file": own,
        "header": "letter,heads",
        "expected": "number,heads / order,heads",
    }


@pytest.mark.rule("BP-1", "BP-2")
def test_a_deck_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    good = deck_file(bullenparty, tmp_path, {}, part=NUMBERS_FILE)
    with pytest.raises(BadDeck) as error:
        load_deck(bullenparty.DECK_FILES, [good, tmp_path / "nowhere.csv"])
    assert error.value.key == "deck_unreadable"
    reason = "No such file or directory"
    assert error.value.facts == {"file": tmp_path / "nowhere.csv", "reason": reason}
    (tmp_path / "picture.csv").write_bytes(b"order,heads\n1,\xff")
    with pytest.raises(BadDeck) as error:
        load_deck(bullenparty.DECK_FILES, [good, tmp_path / "picture.csv"])
    assert error.value.key == "deck_not_text"
    assert error.value.facts == {"file": tmp_path / "picture.csv"}


# -- Setting up -------------------------------------------------------------------------------

E, D, C, B, A = range(105, 100, -1)
SHUFFLED = list(range(100, 0, -1))


def dealt(seats: int) -> tuple[Table, list[Event]]:
    options = complete_options(bullenparty, seats, {})
    t = bullenparty.set_up(seats, options, load_deck(bullenparty.DECK_FILES))
    t, events = shuffled(t, E, D, C, B, A)
    assert events == []
    return shuffled(t, *SHUFFLED)


@pytest.mark.rule("BP-4", "BP-5", "BP-6", "BP-7")
def test_three_players_get_a_zero_card_and_five_number_cards_and_25_go_to_the_box() -> None:
    t, events = dealt(3)
    assert events == [row_laid(1, 60, 59), row_laid(2, 58, 57), row_laid(3, 56, 55)]
    assert pictured(bullenparty, t) == as_drawn(f"""
        row 1: 60 59
        row 2: 58 57
        row 3: 56 55
        hand 0: 96 97 98 99 100 E
        hand 1: 91 92 93 94 95 D
        hand 2: 86 87 88 89 90 C
        draw: {" ".join(str(card) for card in range(54, 0, -1))}
        bull supply: bull1 bull2 bull3 bull4 bull5 bull6 bull7 bull8 bull9 bull10
    """)
    assert lying(t, "box") == [*range(61, 86), A, B]


@pytest.mark.rule("BP-4", "BP-5", "BP-7")
@pytest.mark.parametrize(("seats", "to_box"), [(2, 50), (3, 25), (4, 0), (5, 0)])
def test_hands_are_dealt_first_then_the_box_then_the_rows(seats: int, to_box: int) -> None:
    (t, events), left = dealt(seats), SHUFFLED[:]
    for seat in range(seats):
        assert lying(t, f"hand {seat}") == [*sorted(left[:5]), E - seat]
        left = left[5:]
    assert lying(t, "box") == [*sorted(left[:to_box]), *range(A, E - seats + 1)]
    left = left[to_box:]
    for row in range(1, seats + 1):
        assert lying(t, f"row {row}") == left[:2]
        assert events[row - 1] == row_laid(row, *left[:2])
        left = left[2:]
    assert len(events) == seats
    assert f"row {seats + 1}" not in bullenparty.places(t)
    assert lying(t, "draw") == left
    assert lying(t, "discard") == []
    assert bullenparty.waiting_for(t) == list(range(seats))
    assert bullenparty.scores(t) == [0] * seats
    assert bullenparty.rounds(t) == ()


@pytest.mark.rule("BP-4")
def test_the_zero_cards_come_in_the_order_of_their_shuffle() -> None:
    options = complete_options(bullenparty, 2, {})
    t = bullenparty.set_up(2, options, load_deck(bullenparty.DECK_FILES))
    t, _ = shuffled(t, C, A, E, B, D)
    t, _ = shuffled(t, *SHUFFLED)
    assert (names(t, "hand 0")[-1], names(t, "hand 1")[-1]) == ("C", "A")
    assert lying(t, "box")[-3:] == [B, D, E]


@pytest.mark.rule("BP-6")
def test_the_bull_cards_lie_with_the_fewest_heads_on_top() -> None:
    t, _ = dealt(2)
    heads = [bullenparty.rules.bull_heads(t, bull) for bull in lying(t, "bull supply")]
    assert heads == sorted(heads) == [4, 4, 4, 4, 5, 5, 5, 6, 6, 7]


@pytest.mark.parametrize(
    ("seats", "options", "key"),
    [
        (1, {}, "bad_seats"),
        (6, {}, "bad_seats"),
        (3, {"memory_aid": 0}, "bad_option"),
        (3, {"first_seat": 1}, "unknown_option"),
    ],
)
def test_other_numbers_of_players_and_other_options_are_refused(
    seats: int, options: dict[str, Any], key: str
) -> None:
    with pytest.raises(BadOption) as error:
        complete_options(bullenparty, seats, options)
    assert error.value.key == key


def test_without_a_word_nobody_gets_a_memory_aid() -> None:
    assert complete_options(bullenparty, 2, {}) == {"memory_aid": False}


# -- A round ----------------------------------------------------------------------------------

TWO_PLAYERS = """
    row 1: 11 12
    row 2: 21 22
    draw: 31 32 33 34 35
    bull supply: bull1 bull2
    hand 0: 41 42 43 44 45 B
    hand 1: 51 52 53 54 55 A
"""
THREE_PLAYERS = """
    row 1: 11 12
    row 2: 21 22
    row 3: 61 62
    draw: 31 32 33 34 35
    bull supply: bull1 bull2
    hand 0: 41 42 43 44 45 C
    hand 1: 51 52 53 54 55 A
    hand 2: 71 72 73 74 75 B
"""


@pytest.mark.rule("BP-8")
def test_all_choose_secretly_a_number_card_or_the_zero_card_and_reveal_at_once() -> None:
    t = table(THREE_PLAYERS)
    assert bullenparty.waiting_for(t) == [0, 1, 2]
    assert legal(t, 0) == {"bid 0", "bid 41", "bid 42", "bid 43", "bid 44", "bid 45"}
    t, events = after(t, "2 bid 73")
    assert (events, bullenparty.waiting_for(t)) == ([], [0, 1])
    assert legal(t, 2) == set()
    assert legal(t, 1) == {"bid 0", "bid 51", "bid 52", "bid 53", "bid 54", "bid 55"}
    t, events = after(t, "0 bid 0")
    assert (events, bullenparty.waiting_for(t)) == ([], [1])
    assert pictured(bullenparty, t) == as_drawn("""
        row 1: 11 12
        row 2: 21 22
        row 3: 61 62
        draw: 31 32 33 34 35
        bull supply: bull1 bull2
        hand 0: 41 42 43 44 45
        bid 0: C
        hand 1: 51 52 53 54 55 A
        hand 2: 71 72 74 75 B
        bid 2: 73
    """)
    t, events = after(t, "1 bid 55")
    assert events == [revealed(0, 55, 73)]


@pytest.mark.rule("BP-9")
def test_the_lowest_number_card_takes_a_row_first_and_is_discarded() -> None:
    t, events = after(table(THREE_PLAYERS), "0 bid 45", "1 bid 51", "2 bid 71")
    assert events == [revealed(45, 51, 71)]
    assert bullenparty.waiting_for(t) == [0]
    assert legal(t, 0) == {"take 1", "take 2", "take 3"}
    assert legal(t, 1) == legal(t, 2) == set()
    t, events = after(t, "0 take 2")
    assert events == [taken(0, 2, [21, 22], [])]
    assert bullenparty.waiting_for(t) == [1]
    assert legal(t, 1) == {"take 1", "take 3"}
    t, events = after(t, "1 take 1")
    assert events == [taken(1, 1, [11, 12], []), taken(2, 3, [61, 62], [])]
    assert pictured(bullenparty, t) == as_drawn("""
        draw: 31 32 33 34 35
        discard: 45 51 71
        bull supply: bull1 bull2
        hand 0: 21 22 41 42 43 44 C
        hand 1: 11 12 52 53 54 55 A
        hand 2: 61 62 72 73 74 75 B
    """)


@pytest.mark.rule("BP-9")
def test_the_lowest_card_is_served_first_whichever_seat_bid_it() -> None:
    drawing = """
        row 1: 11 12
        row 2: 21 22
        row 3: 61 62
        draw: 31
        hand 0: 80 A
        hand 1: 100 B
        hand 2: 9 C
    """
    t, _ = after(table(drawing), "0 bid 80", "1 bid 100", "2 bid 9")
    assert bullenparty.waiting_for(t) == [2]
    t, _ = after(t, "2 take 3")
    assert bullenparty.waiting_for(t) == [0]
    t, events = after(t, "0 take 2")
    assert events == [taken(0, 2, [21, 22], []), taken(1, 1, [11, 12], [])]


@pytest.mark.rule("BP-9")
def test_the_last_row_needs_no_choice() -> None:
    t = table(TWO_PLAYERS)
    t, events = after(t, "0 bid 45", "1 bid 51", "0 take 1")
    assert events == [revealed(45, 51), taken(0, 1, [11, 12], []), taken(1, 2, [21, 22], [])]
    assert bullenparty.waiting_for(t) == [0]
    assert t.phase == PILING


@pytest.mark.rule("BP-9", "BP-10", "BP-13")
def test_number_cards_come_before_zero_cards_and_their_players_are_out_of_the_bidding() -> None:
    t, events = after(table(THREE_PLAYERS), "0 bid 0", "1 bid 55", "2 bid 0")
    assert events == [revealed(0, 55, 0)]
    assert bullenparty.waiting_for(t) == [1]
    t, events = after(t, "1 take 2")
    assert events == [taken(1, 2, [21, 22], []), drew(2, 31)]
    assert bullenparty.waiting_for(t) == [2]
    assert legal(t, 2) == {"extend 1", "extend 3"}
    t, events = after(t, "2 extend 3")
    assert events == [extended(2, 3, 31), drew(0, 32)]
    t, events = after(t, "0 extend 3")
    assert events == [extended(0, 3, 32)]
    assert pictured(bullenparty, t) == as_drawn("""
        row 1: 11 12
        row 3: 61 62 31 32
        draw: 33 34 35
        discard: 55
        bull supply: bull1 bull2
        hand 0: 41 42 43 44 45 C
        hand 1: 21 22 51 52 53 54 A
        hand 2: 71 72 73 74 75 B
    """)
    assert bullenparty.waiting_for(t) == [0, 2]
    assert legal(t, 1) == set()
    t, events = after(t, "2 bid 75", "0 bid 41")
    assert events == [revealed(41, None, 75)]
    assert legal(t, 0) == {"take 1", "take 3"}


@pytest.mark.rule("BP-10")
def test_zero_cards_are_served_in_the_order_of_their_letters() -> None:
    t, events = after(table(THREE_PLAYERS), "0 bid 0", "1 bid 0", "2 bid 0")
    assert events == [revealed(0, 0, 0), drew(1, 31)]
    t, events = after(t, "1 extend 1")
    assert events == [extended(1, 1, 31), drew(2, 32)]
    t, events = after(t, "2 extend 2")
    assert events == [extended(2, 2, 32), drew(0, 33)]
    t, events = after(t, "0 extend 1")
    assert events == [extended(0, 1, 33)]
    assert bullenparty.waiting_for(t) == [0, 1, 2]
    assert names(t, "row 1") == "11 12 31 33"
    assert [names(t, f"hand {seat}")[-1] for seat in range(3)] == ["C", "A", "B"]
    assert "bid 0" in legal(t, 0)


@pytest.mark.rule("BP-10")
def test_with_one_row_left_the_drawn_card_goes_there_without_a_choice() -> None:
    t, events = after(table(TWO_PLAYERS), "0 bid 41", "1 bid 0", "0 take 2")
    assert events == [
        revealed(41, 0),
        taken(0, 2, [21, 22], []),
        drew(1, 31),
        extended(1, 1, 31),
    ]
    assert bullenparty.waiting_for(t) == [1]
    assert t.phase == BIDDING


FOUR_AND_FIVE = """
    row 1: 11 12 13 14 15 bull1
    row 2: 21 22 23 24
    draw: 31 32 33
    bull supply: bull2 bull3
    hand 0: 41 42 43 44 45 B
    hand 1: 51 52 53 54 55 A
"""


@pytest.mark.rule("BP-11")
def test_a_row_with_five_number_cards_takes_no_further_card() -> None:
    t = table("""
        row 1: 11 12 13 14 15 bull1
        row 2: 21 22 23 24
        row 3: 61 62
        draw: 31 32 33
        hand 0: 41 A
        hand 1: 51 B
        hand 2: 71 C
    """)
    t, events = after(t, "0 bid 0", "1 bid 0", "2 bid 0")
    assert events == [revealed(0, 0, 0), drew(0, 31)]
    assert legal(t, 0) == {"extend 2", "extend 3"}


@pytest.mark.rule("BP-11", "BP-12")
def test_if_all_rows_have_five_a_zero_card_goes_back_and_nothing_is_drawn() -> None:
    t, events = after(table(FOUR_AND_FIVE), "0 bid 0", "1 bid 0")
    assert events == [revealed(0, 0), drew(1, 31), extended(1, 2, 31), bull_came(2, 4)]
    assert pictured(bullenparty, t) == as_drawn("""
        row 1: 11 12 13 14 15 bull1
        row 2: 21 22 23 24 31 bull2
        draw: 32 33
        bull supply: bull3
        hand 0: 41 42 43 44 45 B
        hand 1: 51 52 53 54 55 A
    """)
    assert bullenparty.waiting_for(t) == [0, 1]


@pytest.mark.rule("BP-11", "BP-14", "BP-18")
def test_if_no_card_is_left_to_draw_a_zero_card_goes_back_and_nothing_is_drawn() -> None:
    t = table("""
        row 1: 11 12
        row 2: 21 22
        draw: 31
        hand 0: 41 42 43 44 45 B
        hand 1: 51 52 53 54 55 A
    """)
    t, events = after(t, "0 bid 0", "1 bid 0", "1 extend 1")
    assert events == [revealed(0, 0), drew(1, 31), extended(1, 1, 31), LAST_ROUND]
    assert bullenparty.to_shuffle(t) == []
    assert bullenparty.waiting_for(t) == [0, 1]
    assert names(t, "hand 0") == "41 42 43 44 45 B"
    assert legal(t, 0) == {"bid 41", "bid 42", "bid 43", "bid 44", "bid 45"}


@pytest.mark.rule("BP-12")
@pytest.mark.parametrize(
    ("row", "supply", "bulls", "supply_then"),
    [
        ("11 12", "bull1", [], "bull1"),
        ("11 12 13", "bull1", [], "bull1"),
        ("11 12 13 14", "bull1 bull2", [4], "bull2"),
        ("11 12 13 14", "bull5 bull10", [5], "bull10"),
        ("11 12 13 14", "bull10", [7], ""),
        ("11 12 13 14", "", [], ""),
    ],
)
def test_with_the_fifth_number_card_a_row_gets_the_top_bull_card_while_there_is_one(
    row: str, supply: str, bulls: list[int], supply_then: str
) -> None:
    t = table(
        f"""
        row 1: {row}
        draw: 31 32
        bull supply: {supply}
        hand 0: 41 42 B
        hand 1: 51 A
        """,
        bidders=(0,),
        takers=(1,),
    )
    t, events = after(t, "0 bid 0")
    assert events[:3] == [revealed(0, None), drew(0, 31), extended(0, 1, 31)]
    assert events[3:] == [bull_came(1, heads) for heads in bulls]
    assert names(t, "bull supply") == supply_then
    t, events = after(t, "0 bid 42")
    assert events == [
        revealed(42, None),
        taken(0, 1, [*map(int, row.split()), 31], bulls),
    ]


@pytest.mark.rule("BP-13")
def test_a_last_single_bidder_may_go_on_bidding_zero() -> None:
    t = table(TWO_PLAYERS)
    t, _ = after(t, "0 bid 41", "1 bid 0", "0 take 2")
    t, events = after(t, "1 bid 0")
    assert events == [revealed(None, 0), drew(1, 32), extended(1, 1, 32)]
    t, events = after(t, "1 bid 0")
    assert events == [revealed(None, 0), drew(1, 33), extended(1, 1, 33), bull_came(1, 4)]
    assert legal(t, 1) == {f"bid {card}" for card in range(51, 56)}
    t, events = after(t, "1 bid 55")
    assert events == [revealed(None, 55), taken(1, 1, [11, 12, 31, 32, 33], [4])]
    assert bullenparty.waiting_for(t) == [0]
    assert names(t, "discard") == "41 55"


@pytest.mark.rule("BP-14")
@pytest.mark.parametrize(
    ("row_1", "row_2", "may_bid_zero"),
    [
        ("11 12", "21 22", True),
        ("11 12 13 14 15 bull1", "21 22 23 24", True),
        ("11 12 13 14 15", "21 22 23 24", True),
        ("11 12 13 14 15 bull1", "21 22 23 24 25 bull2", False),
        ("11 12 13 14 15 bull1", "21 22 23 24 25", False),
        ("11 12 13 14 15", "21 22 23 24 25", False),
        ("", "21 22 23 24 25", False),
        ("", "21 22 23 24", True),
    ],
)
def test_zero_may_not_be_bid_if_every_remaining_row_has_five_number_cards(
    row_1: str, row_2: str, may_bid_zero: bool
) -> None:
    t = table(f"""
        row 1: {row_1}
        row 2: {row_2}
        draw: 31 32
        hand 0: 41 42 B
        hand 1: 51 A
    """)
    zero = {"bid 0"} if may_bid_zero else set()
    assert legal(t, 0) == {"bid 41", "bid 42"} | zero
    assert legal(t, 1) == {"bid 51"} | zero
    if not may_bid_zero:
        assert refused(t, 0, "bid 0") == ("BP-14", "no_zero_when_rows_are_full", {})


@pytest.mark.rule("BP-14")
@pytest.mark.parametrize(
    ("draw", "discard", "may_bid_zero"),
    [("31", "", True), ("", "81", True), ("", "", False)],
)
def test_zero_may_not_be_bid_if_no_card_can_be_drawn(
    draw: str, discard: str, may_bid_zero: bool
) -> None:
    t = table(
        f"""
        row 1: 11 12
        row 2: 21 22
        draw: {draw}
        discard: {discard}
        hand 0: 41 42 B
        hand 1: 51 A
        """,
        emptied=0 if draw else 2,
    )
    assert ("bid 0" in legal(t, 0)) == may_bid_zero
    if not may_bid_zero:
        assert refused(t, 0, "bid 0") == ("BP-14", "no_zero_when_nothing_to_draw", {})


# -- Building piles ---------------------------------------------------------------------------


@pytest.mark.rule("BP-15")
def test_players_lay_cards_until_five_are_left_in_the_order_in_which_they_took_their_rows() -> None:
    t = piling(
        """
        draw: 31 32 33 34 35 36
        hand 0: 1 2 3 4 5 6 C
        hand 1: 11 12 13 14 15 16 17 A
        hand 2: 21 22 23 24 25 26 B
        """,
        takers=(1, 2, 0),
    )
    assert bullenparty.waiting_for(t) == [1]
    assert legal(t, 0) == legal(t, 2) == set()
    assert legal(t, 1) == {f"pile {card} new" for card in range(11, 18)}
    t, events = after(t, "1 pile 12 new")
    assert events == [piled(1, 12, onto=None)]
    assert bullenparty.waiting_for(t) == [1]
    t, events = after(t, "1 pile 17 on 12")
    assert events == [piled(1, 17, onto=12)]
    assert bullenparty.waiting_for(t) == [2]
    t, events = after(t, "2 pile 26 new")
    assert events == [piled(2, 26, onto=None)]
    assert bullenparty.waiting_for(t) == [0]
    t, events = after(t, "0 pile 1 new")
    assert events == [
        piled(0, 1, onto=None),
        ROUND_END,
        row_laid(1, 31, 32),
        row_laid(2, 33, 34),
        row_laid(3, 35, 36),
        LAST_ROUND,
    ]
    assert pictured(bullenparty, t) == as_drawn("""
        row 1: 31 32
        row 2: 33 34
        row 3: 35 36
        hand 0: 2 3 4 5 6 C
        hand 1: 11 13 14 15 16 A
        hand 2: 21 22 23 24 25 B
        pile 1 of 1: 12 17
        pile 2 of 2: 26
        pile 3 of 0: 1
    """)
    assert bullenparty.waiting_for(t) == [0, 1, 2]


@pytest.mark.rule("BP-15")
@pytest.mark.parametrize("row", [[11, 12], [11, 12, 13], [11, 12, 13, 14, 15]])
def test_as_many_cards_are_laid_as_came_with_the_row_less_the_bid(row: list[int]) -> None:
    t = table(f"""
        row 1: {" ".join(map(str, row))}
        row 2: 61 62
        draw: 31 32 33 34 35
        hand 0: 41 42 43 44 45 B
        hand 1: 51 52 53 54 55 A
    """)
    t, _ = after(t, "0 bid 41", "1 bid 51", "0 take 1")
    for card in row[:-1]:
        assert bullenparty.waiting_for(t) == [0]
        t, events = after(t, f"0 pile {card} new")
        assert events == [piled(0, card, onto=None)]
    assert bullenparty.waiting_for(t) == [1]
    assert lying(t, "hand 0") == [row[-1], 42, 43, 44, 45, B]


@pytest.mark.rule("BP-16")
def test_a_card_goes_on_a_pile_with_a_lower_top_card_or_starts_a_new_pile() -> None:
    t = piling(
        """
        pile 1 of 0: 5 31
        pile 2 of 1: 20
        pile 3 of 0: 60
        draw: 1 2 3 4
        hand 0: 30 32 59 61 81 82 83 B
        hand 1: 51 52 53 54 55 56 A
        """,
        takers=(0, 1),
    )
    new = {f"pile {card} new" for card in (30, 32, 59, 61, 81, 82, 83)}
    on_31 = {f"pile {card} on 31" for card in (32, 59, 61, 81, 82, 83)}
    on_60 = {f"pile {card} on 60" for card in (61, 81, 82, 83)}
    assert legal(t, 0) == new | on_31 | on_60
    t, events = after(t, "0 pile 61 on 31", "0 pile 30 new")
    assert events == [piled(0, 61, onto=31), piled(0, 30, onto=None)]
    assert names(t, "pile 1 of 0") == "5 31 61"
    assert names(t, "pile 2 of 1") == "20"
    assert names(t, "pile 3 of 0") == "60"
    assert names(t, "pile 4 of 0") == "30"


@pytest.mark.rule("BP-15", "BP-16")
def test_cards_from_the_hand_and_from_the_row_go_on_a_pile() -> None:
    """Example 1."""
    t = table("""
        row 1: 22 24 60
        row 2: 30 31
        draw: 1 2 3 4 6
        pile 1 of 0: 13
        hand 0: 5 20 70 80 90 A
        hand 1: 91 92 93 94 95 B
    """)
    t, _ = after(t, "0 bid 5", "1 bid 95", "0 take 1")
    t, events = after(t, "0 pile 20 on 13", "0 pile 22 on 20")
    assert events == [piled(0, 20, onto=13), piled(0, 22, onto=20)]
    assert names(t, "hand 0") == "24 60 70 80 90 A"
    assert names(t, "pile 1 of 0") == "13 20 22"
    assert bullenparty.waiting_for(t) == [1]


@pytest.mark.rule("BP-15", "BP-16")
def test_cards_that_do_not_fit_start_a_new_pile() -> None:
    """Example 2."""
    t = table("""
        row 1: 2 4 18
        row 2: 30 31
        draw: 1 3 6 7 8
        pile 1 of 0: 13 20 22
        hand 0: 24 60 70 80 90 A
        hand 1: 91 92 93 94 95 B
    """)
    t, _ = after(t, "0 bid 24", "1 bid 95", "0 take 1")
    t, events = after(t, "0 pile 4 new", "0 pile 18 on 4")
    assert events == [piled(0, 4, onto=None), piled(0, 18, onto=4)]
    assert names(t, "hand 0") == "2 60 70 80 90 A"
    assert names(t, "pile 1 of 0") == "13 20 22"
    assert names(t, "pile 2 of 0") == "4 18"
    assert bullenparty.waiting_for(t) == [1]


@pytest.mark.rule("BP-9", "BP-14", "BP-15", "BP-16", "BP-17")
def test_three_full_rows_are_taken_and_laid() -> None:
    """Example 3."""
    t = table("""
        row 1: 17 18 35 49 77 bull1
        row 2: 24 33 3 75 94 bull2
        row 3: 11 19 55 63 93 bull5
        draw: 40 41 42 43 44 45 46
        pile 1 of 0: 23
        pile 2 of 1: 31
        pile 3 of 2: 10
        pile 4 of 2: 86
        hand 0: 13 51 72 20 21 A
        hand 1: 60 61 62 64 85 B
        hand 2: 36 65 66 67 87 C
    """)
    assert not {"bid 0"} & (legal(t, 0) | legal(t, 1) | legal(t, 2))
    t, events = after(t, "0 bid 13", "1 bid 85", "2 bid 36")
    assert events == [revealed(13, 85, 36)]
    t, events = after(t, "0 take 2", "2 take 3")
    assert events == [
        taken(0, 2, [24, 33, 3, 75, 94], [4]),
        taken(2, 3, [11, 19, 55, 63, 93], [5]),
        taken(1, 1, [17, 18, 35, 49, 77], [4]),
    ]
    t, _ = after(t, "0 pile 24 on 23", "0 pile 33 on 24", "0 pile 51 new", "0 pile 72 on 51")
    assert bullenparty.waiting_for(t) == [2]
    t, _ = after(t, "2 pile 11 on 10", "2 pile 19 on 11", "2 pile 87 on 86", "2 pile 93 on 87")
    assert bullenparty.waiting_for(t) == [1]
    t, _ = after(t, "1 pile 17 new", "1 pile 18 on 17", "1 pile 35 on 18", "1 pile 49 on 31")
    assert pictured(bullenparty, t) == as_drawn("""
        row 1: 40 41
        row 2: 42 43
        row 3: 44 45
        draw: 46
        discard: 13 36 85
        pile 1 of 0: 23 24 33
        pile 2 of 1: 31 49
        pile 3 of 2: 10 11 19
        pile 4 of 2: 86 87 93
        pile 5 of 0: 51 72
        pile 6 of 1: 17 18 35
        hand 0: 3 20 21 75 94 A
        hand 1: 60 61 62 64 77 B
        hand 2: 55 63 65 66 67 C
        bulls 0: bull2
        bulls 1: bull1
        bulls 2: bull5
    """)


@pytest.mark.rule("BP-17")
def test_a_bull_card_is_laid_in_front_of_its_taker_apart_from_the_piles() -> None:
    t = table("""
        row 1: 11 12 13 14 15 bull9
        row 2: 21 22
        draw: 31
        bulls 1: bull1
        pile 1 of 1: 60
        hand 0: 41 42 43 44 45 B
        hand 1: 51 52 53 54 55 A
    """)
    t, events = after(t, "0 bid 45", "1 bid 51", "0 take 2")
    assert events[1:] == [
        taken(0, 2, [21, 22], []),
        taken(1, 1, [11, 12, 13, 14, 15], [6]),
    ]
    assert (names(t, "bulls 0"), names(t, "bulls 1")) == ("", "bull1 bull9")
    assert names(t, "hand 1") == "11 12 13 14 15 52 53 54 55 A"
    assert names(t, "pile 1 of 1") == "60"


# -- End --------------------------------------------------------------------------------------

BEFORE_THE_NEXT_ROUND = """
    draw: {draw}
    discard: 71 72 73 74 75
    hand 0: 41 42 43 44 45 B
    hand 1: 51 52 53 54 55 56 A
"""


def next_round(draw: str) -> tuple[Table, list[Event]]:
    t = piling(BEFORE_THE_NEXT_ROUND.format(draw=draw), takers=(0, 1), actor=1)
    t, (pile, end, *events) = after(t, "1 pile 56 new")
    assert (pile, end) == (piled(1, 56, onto=None), ROUND_END)
    return t, events


@pytest.mark.rule("BP-18")
def test_while_a_card_is_left_in_the_draw_pile_the_last_round_has_not_come() -> None:
    t, events = next_round("1 2 3 4 5")
    assert events == [row_laid(1, 1, 2), row_laid(2, 3, 4)]
    assert names(t, "draw") == "5"


@pytest.mark.rule("BP-18", "BP-19")
def test_the_last_card_of_the_draw_pile_in_a_row_makes_this_the_last_round() -> None:
    t, events = next_round("1 2 3 4")
    assert events == [row_laid(1, 1, 2), row_laid(2, 3, 4), LAST_ROUND]
    assert bullenparty.to_shuffle(t) == []
    assert bullenparty.waiting_for(t) == [0, 1]
    assert names(t, "discard") == "71 72 73 74 75"


@pytest.mark.rule("BP-18", "BP-19")
def test_the_draw_pile_may_run_out_between_two_rows() -> None:
    t, events = next_round("1 2")
    assert events == [row_laid(1, 1, 2), LAST_ROUND]
    t, events = shuffled(t, 75, 74, 73, 72, 71)
    assert events == [row_laid(2, 75, 74)]
    assert (names(t, "draw"), names(t, "discard")) == ("73 72 71", "")
    assert bullenparty.waiting_for(t) == [0, 1]


@pytest.mark.rule("BP-18", "BP-19")
@pytest.mark.parametrize(
    ("draw", "before", "after_shuffle", "left"),
    [
        ("1", [], [row_laid(1, 1, 75), LAST_ROUND, row_laid(2, 74, 73)], "72 71"),
        ("1 2 3", [row_laid(1, 1, 2)], [row_laid(2, 3, 75), LAST_ROUND], "74 73 72 71"),
    ],
)
def test_if_the_last_card_begins_a_row_the_shuffle_comes_first_and_then_the_row(
    draw: str, before: list[Event], after_shuffle: list[Event], left: str
) -> None:
    t, events = next_round(draw)
    assert events == before
    assert refused(t, 0, "bid 41") == ("BP-4", "not_dealt", {})
    t, events = shuffled(t, 75, 74, 73, 72, 71)
    assert events == after_shuffle
    assert names(t, "draw") == left
    assert bullenparty.waiting_for(t) == [0, 1]


@pytest.mark.rule("BP-18")
@pytest.mark.parametrize(
    ("row", "events_then"),
    [
        ("11 12", [extended(0, 1, 31), LAST_ROUND]),
        ("11 12 13 14", [extended(0, 1, 31), bull_came(1, 4), LAST_ROUND]),
    ],
)
def test_the_last_round_is_told_right_after_the_extension_and_its_bull_card(
    row: str, events_then: list[Event]
) -> None:
    t = table(
        f"""
        row 1: {row}
        draw: 31
        discard: 81
        bull supply: bull1
        hand 0: 41 42 B
        hand 1: 51 A
        """,
        bidders=(0,),
        takers=(1,),
    )
    t, events = after(t, "0 bid 0")
    assert events == [revealed(0, None), drew(0, 31), *events_then]
    assert bullenparty.to_shuffle(t) == []  # not before a card is wanted


@pytest.mark.rule("BP-18")
def test_the_last_round_is_not_told_before_the_drawn_card_lies_in_a_row() -> None:
    t = table("""
        row 1: 11 12
        row 2: 21 22
        draw: 31
        discard: 81 82
        hand 0: 41 42 B
        hand 1: 51 A
    """)
    t, events = after(t, "0 bid 0", "1 bid 0")
    assert events == [revealed(0, 0), drew(1, 31)]
    t, events = after(t, "1 extend 2")
    assert events == [extended(1, 2, 31), LAST_ROUND]
    t, events = shuffled(t, 82, 81)
    assert events == [drew(0, 82)]


@pytest.mark.rule("BP-18")
def test_the_last_round_is_told_once_though_the_draw_pile_runs_out_again() -> None:
    t = table(
        """
        row 1: 11 12
        draw: 31
        discard: 81
        hand 0: 41 42 43 B
        hand 1: 51 A
        """,
        bidders=(0,),
        takers=(1,),
    )
    t, events = after(t, "0 bid 0")
    assert events == [revealed(0, None), drew(0, 31), extended(0, 1, 31), LAST_ROUND]
    t, events = after(t, "0 bid 0")
    assert events == [revealed(0, None)]
    t, events = shuffled(t, 81)
    assert events == [drew(0, 81), extended(0, 1, 81)]
    assert lying(t, "draw") == []
    assert legal(t, 0) == {"bid 41", "bid 42", "bid 43"}


@pytest.mark.rule("BP-19")
def test_the_bids_served_so_far_are_shuffled_too_even_if_they_are_all() -> None:
    t = table(
        """
        row 1: 11 12
        row 2: 21 22
        draw:
        discard:
        hand 0: 41 42 43 44 45 B
        hand 1: 51 52 53 54 55
        bid 1: A
        """,
        emptied=2,
    )
    t, events = after(t, "0 bid 41", "0 take 1")
    assert events == [revealed(41, 0), taken(0, 1, [11, 12], [])]
    t, events = shuffled(t, 41)
    assert events == [drew(1, 41), extended(1, 2, 41)]
    assert names(t, "hand 1") == "51 52 53 54 55 A"
    assert bullenparty.waiting_for(t) == [1]
    assert legal(t, 1) == {f"bid {card}" for card in range(51, 56)}


@pytest.mark.rule("BP-19")
def test_the_new_draw_pile_holds_exactly_the_discards_as_shuffled() -> None:
    t = table(
        """
        row 1: 11 12
        row 2: 21 22
        row 3: 61 62
        draw: 31
        discard: 81 83
        hand 0: 41 42 C
        hand 1: 51 A
        hand 2: 71 B
        """
    )
    t, events = after(t, "0 bid 41", "1 bid 0", "2 bid 0", "0 take 3", "1 extend 1")
    assert events[-2:] == [extended(1, 1, 31), LAST_ROUND]
    t, events = shuffled(t, 83, 41, 81)
    assert events == [drew(2, 83)]
    assert (names(t, "draw"), names(t, "discard"), names(t, "drawn")) == ("41 81", "", "83")
    assert bullenparty.waiting_for(t) == [2]


@pytest.mark.rule("BP-11", "BP-19")
def test_the_discards_are_not_shuffled_for_a_zero_card_that_finds_all_rows_full() -> None:
    t = table("""
        row 1: 11 12 13 14 15
        row 2: 21 22 23 24
        draw: 31
        discard: 81 82
        hand 0: 41 42 B
        hand 1: 51 52 A
    """)
    t, events = after(t, "0 bid 0", "1 bid 0")
    assert events == [revealed(0, 0), drew(1, 31), extended(1, 2, 31), LAST_ROUND]
    assert bullenparty.to_shuffle(t) == []
    assert names(t, "discard") == "81 82"
    assert bullenparty.waiting_for(t) == [0, 1]
    assert names(t, "hand 0") == "41 42 B"


@pytest.mark.rule("BP-20")
def test_in_the_last_round_all_lay_all_their_number_cards() -> None:
    t = piling(
        """
        pile 1 of 0: 5
        draw:
        discard: 81
        hand 0: 41 42 B
        hand 1: 51 52 A
        bulls 1: bull10
        """,
        takers=(1, 0),
        emptied=2,
    )
    t, events = after(t, "1 pile 51 new", "1 pile 52 on 51", "0 pile 42 on 5")
    assert events == [piled(1, 51, onto=None), piled(1, 52, onto=51), piled(0, 42, onto=5)]
    assert bullenparty.waiting_for(t) == [0]
    assert legal(t, 0) == {"pile 41 new"}
    t, events = after(t, "0 pile 41 new")
    assert events == [piled(0, 41, onto=None), ROUND_END]
    assert bullenparty.waiting_for(t) == []
    assert bullenparty.to_shuffle(t) == []
    assert pictured(bullenparty, t) == as_drawn("""
        discard: 81
        pile 1 of 0: 5 42
        pile 2 of 1: 51 52
        pile 3 of 0: 41
        hand 0: B
        hand 1: A
        bulls 1: bull10
    """)
    assert bullenparty.scores(t) == [3 + 2 - 1, 1 + 2 + 7]
    assert bullenparty.winners(t) == [1]


@pytest.mark.rule("BP-18", "BP-20")
def test_it_stays_the_last_round_whatever_is_drawn_later() -> None:
    t = table("""
        row 1: 11 12
        row 2: 21 22
        draw: 31
        discard: 81 82 83 84 85 86
        hand 0: 41 42 B
        hand 1: 51 52 A
    """)
    t, _ = after(t, "0 bid 0", "1 bid 0", "1 extend 1")
    t, _ = shuffled(t, 81, 82, 83, 84, 85, 86)
    t, events = after(t, "0 extend 1", "0 bid 41", "1 bid 51", "0 take 1")
    assert names(t, "draw") == "82 83 84 85 86"
    for card in (11, 12, 31, 42, 81):
        t, events = after(t, f"0 pile {card} new")
        assert events == [piled(0, card, onto=None)]
    t, events = after(t, "1 pile 21 new", "1 pile 22 new", "1 pile 52 new")
    assert events[-1] == ROUND_END
    assert t.phase == OVER


@pytest.mark.rule("BP-21")
@pytest.mark.parametrize(
    ("piles", "bulls", "points"),
    [
        ([], "", 0),
        ([], "bull1 bull10", 4 + 7),
        (["55"], "", 7),
        (["3 55"], "", 5 + 7),
        (["55", "11"], "", 7 - 6),
        (["1", "11 55", "2"], "", 6 + 7 - 1 - 2),
        (["55", "1 3 4"], "", 7 - (1 + 5 + 1)),
        (["1", "2"], "bull5", 5 + 2 - 1),
        (["1", "4", "6"], "", 1 - 1 - 1),
    ],
)
def test_the_richest_pile_and_the_bull_cards_count_less_all_other_piles(
    piles: list[str], bulls: str, points: int
) -> None:
    drawing = "".join(f"pile {at + 2} of 1: {cards}\n" for at, cards in enumerate(piles))
    t = table(f"pile 1 of 0: 99\n{drawing}bulls 1: {bulls}\nhand 1: 100 A", phase=OVER)
    assert bullenparty.scores(t) == [6, points]


@pytest.mark.rule("BP-21")
def test_clients_are_told_which_pile_is_the_main_one() -> None:
    """Of piles that are equally rich the one that was begun first; a seat without piles has none."""
    drawing = "pile 1 of 0: 1\npile 2 of 1: 99\npile 3 of 0: 11 55\npile 4 of 1: 100\nhand 2: 60 C"
    told = bullenparty.facts(table(drawing, seats=3))
    richest = ["pile 3 of 0", "pile 2 of 1", None]
    assert told["main_piles"] == richest
    equal = table("pile 1 of 0: 1\npile 2 of 0: 4\nhand 1: 60 B")
    assert bullenparty.facts(equal)["main_piles"] == ["pile 1 of 0", None]


@pytest.mark.rule("BP-21")
@pytest.mark.parametrize(
    ("piles", "winners"),
    [(("1", "55", "3"), [1]), (("55", "1", "7 3"), [0, 2]), (("1", "4", "6"), [0, 1, 2])],
)
def test_most_points_win_and_equals_share_the_win(
    piles: tuple[str, ...], winners: list[int]
) -> None:
    drawing = "".join(f"pile {seat + 1} of {seat}: {pile}\n" for seat, pile in enumerate(piles))
    assert bullenparty.winners(table(drawing, phase=OVER)) == winners


# -- What a player sees -----------------------------------------------------------------------

IN_THE_MIDDLE = """
    row 1: 11 12 13 14 15 bull2
    row 2: 21 22
    draw: 31 32 33
    discard: 81 82
    bull supply: bull3
    pile 1 of 0: 60 61
    pile 2 of 1: 62
    bulls 1: bull1
    hand 0: 41 42 43 44 45 B
    hand 1: 51 52 53 54 55 A
"""
SEEN = [11, 12, 13, 14, 15, 21, 22, 60, 61, 62, 81, 82, 51, 52, 41]


def test_a_player_sees_the_own_hand_and_what_lies_open_and_how_many_cards_lie_elsewhere() -> None:
    t = table(IN_THE_MIDDLE, seen=SEEN)
    view = bullenparty.view(t, 0)
    assert view.seat == 0
    assert view.legal == bullenparty.legal(t, 0) != []
    assert pictured(bullenparty, view.table) == as_drawn("""
        row 1: 11 12 13 14 15 bull2
        row 2: 21 22
        draw: ? ? ?
        discard: ? ?
        bull supply: bull3
        pile 1 of 0: 60 61
        pile 2 of 1: 62
        bulls 1: bull1
        hand 0: 41 42 43 44 45 B
        hand 1: ? ? ? ? ? ?
    """)
    box = view.table.lying[bullenparty.rules.BOX]
    assert {card for card in box if card <= 100} == {UNSEEN}
    assert len(box) == len(lying(t, "box"))
    assert t == table(IN_THE_MIDDLE, seen=SEEN)


def test_a_perfect_memory_knows_the_discards_the_zero_cards_and_the_cards_taken_openly() -> None:
    t = table(IN_THE_MIDDLE, seen=SEEN)
    view = bullenparty.view(t, 0)
    assert pictured(bullenparty, t, view.remembered) == as_drawn("""
        row 1: 11 12 13 14 15 bull2
        row 2: 21 22
        draw: ? ? ?
        discard: 81 82
        bull supply: bull3
        pile 1 of 0: 60 61
        pile 2 of 1: 62
        bulls 1: bull1
        hand 0: 41 42 43 44 45 B
        hand 1: 51 52 A ? ? ?
    """)
    box = view.remembered[bullenparty.rules.BOX]
    assert {card for card in box if card <= 100} == {UNSEEN}


@pytest.mark.rule("BP-8")
@pytest.mark.parametrize("bid", ["bid 51", "bid 55", "bid 0"])
def test_a_bid_is_seen_by_its_player_alone_until_all_are_revealed(bid: str) -> None:
    t, _ = after(table(IN_THE_MIDDLE, seen=SEEN), f"1 {bid}")
    for seat in (0, None):
        view = bullenparty.view(t, seat)
        shown = pictured(bullenparty, view.table)
        assert (shown["hand 1"], shown["bid 1"]) == ("? ? ? ? ?", "?")
        remembered = pictured(bullenparty, t, view.remembered)
        assert remembered["hand 1"] == "51 52 A ? ? ?"  # as if nothing had been chosen
        assert "bid 1" not in remembered
    assert pictured(bullenparty, bullenparty.view(t, 1).table)["bid 1"] == names(t, "bid 1") != "?"
    t, _ = after(t, "0 bid 41")
    assert t.phase == TAKING
    for seat in (0, 1, None):
        shown = pictured(bullenparty, bullenparty.view(t, seat).table)
        assert shown.get("bid 0", "") == names(t, "bid 0")
        assert shown.get("bid 1", "") == names(t, "bid 1")


@pytest.mark.rule("BP-10")
def test_a_drawn_card_is_seen_by_its_drawer_alone_until_it_lies_in_a_row() -> None:
    t = table(THREE_PLAYERS)
    t, _ = after(t, "0 bid 0", "1 bid 0", "2 bid 0")
    assert t.phase == EXTENDING
    drawer = bullenparty.view(t, 1)
    assert pictured(bullenparty, drawer.table)["drawn"] == "31"
    assert pictured(bullenparty, t, drawer.remembered)["drawn"] == "31"
    for seat in (0, 2, None):
        view = bullenparty.view(t, seat)
        shown, remembered = (
            pictured(bullenparty, view.table),
            pictured(bullenparty, t, view.remembered),
        )
        assert (shown["drawn"], shown["draw"]) == ("?", "? ? ? ?")
        assert "drawn" not in remembered
        assert remembered["draw"] == "? ? ? ? ?"


@pytest.mark.rule("BP-10")
@pytest.mark.parametrize("memory_aid", [False, True])
def test_the_others_learn_that_a_card_was_drawn_but_not_which_one(memory_aid: bool) -> None:
    options = complete_options(bullenparty, 3, {"memory_aid": memory_aid})
    assert bullenparty.seen_by(drew(1, 31), 1, options) == drew(1, 31)
    for seat in (0, 2, None):
        hidden = {"event": "draw", "seat": 1, "card": None}
        assert bullenparty.seen_by(drew(1, 31), seat, options) == hidden


@pytest.mark.parametrize(
    "event",
    [
        row_laid(1, 11, 12),
        revealed(41, 0),
        taken(0, 1, [11, 12], []),
        extended(0, 1, 31),
        bull_came(1, 4),
        piled(0, 12, None),
        LAST_ROUND,
        ROUND_END,
    ],
)
def test_everybody_sees_everything_else_that_happens(event: Event) -> None:
    assert event["event"] in bullenparty.EVENTS
    options = complete_options(bullenparty, 2, {})
    for seat in (0, 1, None):
        assert bullenparty.seen_by(event, seat, options) == event


def test_taken_rows_are_remembered_until_the_cards_are_laid_down_and_so_are_the_bids() -> None:
    t, _ = dealt(2)
    t, _ = after(t, "0 bid 96", "1 bid 91", "1 take 1")
    remembered = pictured(bullenparty, t, bullenparty.view(t, 0).remembered)
    assert remembered["hand 1"] == "39 40 D ? ? ? ?"
    assert remembered["discard"] == "91 96"
    assert remembered["draw"] == " ".join("?" * 36)
    t, _ = after(t, "1 pile 40 new")
    remembered = pictured(bullenparty, t, bullenparty.view(t, 0).remembered)
    assert remembered["hand 1"] == "39 D ? ? ? ?"
    assert (
        pictured(bullenparty, t, bullenparty.view(t, 1).remembered)["hand 0"] == "37 38 E ? ? ? ?"
    )


@pytest.mark.rule("BP-19")
def test_after_a_shuffle_a_perfect_memory_knows_which_cards_are_to_be_drawn_but_no_order() -> None:
    t, _ = next_round("1 2")
    t.seen |= mask([71, 72, 73, 74, 75])
    t, _ = shuffled(t, 74, 72, 75, 71, 73)
    view = bullenparty.view(t, 0)
    assert pictured(bullenparty, t, view.remembered)["draw"] == "71 73 75"
    assert pictured(bullenparty, view.table)["draw"] == "? ? ?"
    draws = {bullenparty.imagine(view, Random(n)).lying[bullenparty.rules.DRAW] for n in range(60)}
    assert len(draws) == 6


def test_a_spectator_sees_no_hand() -> None:
    view = bullenparty.view(table(IN_THE_MIDDLE, seen=SEEN), None)
    assert (view.seat, view.legal) == (None, [])
    shown = pictured(bullenparty, view.table)
    assert (shown["hand 0"], shown["hand 1"]) == ("? ? ? ? ? ?", "? ? ? ? ? ?")
    remembered = pictured(bullenparty, view.table, view.remembered)
    assert (remembered["hand 0"], remembered["hand 1"]) == ("41 B ? ? ? ?", "51 52 A ? ? ?")


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_an_imagined_table_gives_the_view_from_which_it_was_imagined(seats: int) -> None:
    played, rng = match.new("bullenparty", seats, seed=seats), Random(1)
    while not played.is_over:
        for actor in played.waiting_for:
            for seat in (*range(seats), None):
                view = played.view(seat)
                imagined = bullenparty.imagine(view, rng)
                assert bullenparty.view(imagined, seat) == view
                cards = sorted(card for place in imagined.lying for card in place)
                assert cards == list(bullenparty.CARDS)
            moves = played.legal(actor)
            played.move(actor, moves[0] if rng.random() < 0.5 else rng.choice(moves))


@pytest.mark.rule("BP-14")
def test_nobody_is_imagined_to_have_bid_a_zero_that_may_not_be_bid() -> None:
    t = table("""
        row 1: 11 12 13 14 15
        row 2: 21 22 23 24 25
        draw: 31 32
        hand 0: 41 42 B
        hand 1: 51 A
    """)
    t, _ = after(t, "1 bid 51")
    view = bullenparty.view(t, 0)
    imagined = [bullenparty.imagine(view, Random(seed)) for seed in range(20)]
    assert {names(other, "bid 1") for other in imagined} & {"A"} == set()


# -- Refusals ---------------------------------------------------------------------------------


@pytest.mark.rule("BP-21")
def test_how_the_points_came_about_is_told_pile_by_pile() -> None:
    t = table(
        "pile 1 of 0: 1 2\npile 2 of 1: 3\npile 3 of 0: 55\nbulls 0: bull1\nhand 0: B\nhand 1: A"
    )
    heads, worth, parts = t.deck.heads, bullenparty.rules.worth, bullenparty.rules.parts
    low, high, bull = heads[1] + heads[2], heads[55], t.deck.bulls[0]
    assert (low < high, worth(t, 0)) == (True, high + bull - low)
    assert parts(t, 0) == [
        ("main_pile", (55,), f"+{high}", "good"),
        ("bulls_won", (106,), f"+{bull}", "good"),
        ("other_piles", (1, 2), f"−{low}", "bad"),
    ]
    assert parts(t, 1) == [("main_pile", (3,), f"+{heads[3]}", "good")]


@pytest.mark.rule("BP-20")
def test_a_move_after_the_end_is_refused() -> None:
    t = table("hand 0: 41 A\nhand 1: B", phase=OVER)
    assert refused(t, 0, "pile 41 new") == ("BP-20", "game_over", {})


@pytest.mark.rule("BP-4")
def test_a_move_before_the_deal_is_refused() -> None:
    options = complete_options(bullenparty, 2, {})
    t = bullenparty.set_up(2, options, load_deck(bullenparty.DECK_FILES))
    assert refused(t, 0, "bid 41") == ("BP-4", "not_dealt", {})
    t, _ = shuffled(t, A, B, C, D, E)
    assert refused(t, 0, "bid 0") == ("BP-4", "not_dealt", {})


@pytest.mark.rule("BP-8")
def test_a_second_bid_is_refused() -> None:
    t, _ = after(table(TWO_PLAYERS), "0 bid 41")
    for bid in ("bid 42", "bid 0", "bid 41"):
        assert refused(t, 0, bid) == ("BP-8", "already_chosen", {})


@pytest.mark.rule("BP-9")
def test_a_bid_of_someone_who_has_taken_a_row_is_refused() -> None:
    t, _ = after(table(TWO_PLAYERS), "0 bid 41", "1 bid 0", "0 take 2")
    assert refused(t, 0, "bid 42") == ("BP-9", "out_of_the_bidding", {})


@pytest.mark.rule("BP-8")
@pytest.mark.parametrize("card", [1, 51, 100])
def test_a_bid_of_a_card_that_is_not_in_the_hand_is_refused(card: int) -> None:
    refusal = refused(table(TWO_PLAYERS), 0, f"bid {card}")
    assert refusal == ("BP-8", "card_not_in_hand", {"card": card})


@pytest.mark.rule("BP-8")
@pytest.mark.parametrize(
    "move", ["take 1", "extend 1", "pile 41 new", "pile 41 on 11", "pile 2 on 1", -1, 99999]
)
def test_anything_but_a_bid_is_refused_when_bids_are_wanted(move: str | int) -> None:
    assert refused(table(TWO_PLAYERS), 0, move) == ("BP-8", "choose_a_bid", {})


TAKING_A_ROW = ("0 bid 41", "1 bid 51", "2 bid 71", "0 take 2")  # now seat 1 chooses


@pytest.mark.rule("BP-9")
@pytest.mark.parametrize(
    ("seat", "move", "refusal"),
    [
        (1, "take 2", ("BP-9", "row_already_taken", {})),
        (1, "extend 1", ("BP-9", "choose_a_row_to_take", {})),
        (1, "bid 52", ("BP-9", "choose_a_row_to_take", {})),
        (1, "pile 52 new", ("BP-9", "choose_a_row_to_take", {})),
        (1, 99999, ("BP-9", "choose_a_row_to_take", {})),
        (0, "take 1", ("BP-9", "not_your_turn", {"actor": 1})),
        (2, "take 1", ("BP-9", "not_your_turn", {"actor": 1})),
    ],
)
def test_when_a_row_is_to_be_taken_anything_else_is_refused(
    seat: int, move: str | int, refusal: tuple[str, str, Any]
) -> None:
    t, _ = after(table(THREE_PLAYERS), *TAKING_A_ROW)
    assert refused(t, seat, move) == refusal


@pytest.mark.rule("BP-7")
@pytest.mark.parametrize("row", [4, 5])
def test_a_row_that_never_lay_on_the_table_is_not_one_that_was_taken(row: int) -> None:
    t, _ = after(table(THREE_PLAYERS), *TAKING_A_ROW)
    assert refused(t, 1, f"take {row}") == ("BP-9", "choose_a_row_to_take", {})


@pytest.mark.rule("BP-10", "BP-11")
@pytest.mark.parametrize(
    ("seat", "move", "refusal"),
    [
        (1, "extend 4", ("BP-11", "row_is_full", {})),
        (1, "extend 3", ("BP-10", "choose_a_row_to_extend", {})),  # taken
        (1, "take 1", ("BP-10", "choose_a_row_to_extend", {})),
        (1, "bid 51", ("BP-10", "choose_a_row_to_extend", {})),
        (1, "pile 51 new", ("BP-10", "choose_a_row_to_extend", {})),
        (1, -1, ("BP-10", "choose_a_row_to_extend", {})),
        (0, "extend 1", ("BP-10", "not_your_turn", {"actor": 1})),
        (2, "extend 1", ("BP-10", "not_your_turn", {"actor": 1})),
    ],
)
def test_when_a_row_is_to_be_extended_anything_else_is_refused(
    seat: int, move: str | int, refusal: tuple[str, str, Any]
) -> None:
    t = table("""
        row 1: 11 12
        row 2: 21 22
        row 3: 61 62
        row 4: 83 84 85 86 87
        draw: 31 32 33 34 35
        hand 0: 41 C
        hand 1: 51 A
        hand 2: 71 B
        hand 3: 91 D
    """)
    t, _ = after(t, "0 bid 0", "1 bid 0", "2 bid 0", "3 bid 91", "3 take 3")
    assert legal(t, 1) == {"extend 1", "extend 2"}
    assert refused(t, seat, move) == refusal


@pytest.mark.rule("BP-15", "BP-16")
@pytest.mark.parametrize(
    ("seat", "move", "refusal"),
    [
        (0, "pile 33 on 30", ("BP-16", "no_such_pile", {"top": 30})),
        (0, "pile 33 on 5", ("BP-16", "no_such_pile", {"top": 5})),  # under the top card
        (0, "pile 33 on 20", ("BP-16", "no_such_pile", {"top": 20})),  # another player's
        (0, "pile 51 new", ("BP-15", "card_not_in_hand", {"card": 51})),
        (0, "pile 51 on 31", ("BP-15", "card_not_in_hand", {"card": 51})),
        (0, "bid 33", ("BP-15", "choose_a_card_to_lay", {})),
        (0, "take 1", ("BP-15", "choose_a_card_to_lay", {})),
        (0, "extend 5", ("BP-15", "choose_a_card_to_lay", {})),
        (0, 99999, ("BP-15", "choose_a_card_to_lay", {})),
        (1, "pile 51 new", ("BP-15", "not_your_turn", {"actor": 0})),
    ],
)
def test_when_cards_are_to_be_laid_anything_else_is_refused(
    seat: int, move: str | int, refusal: tuple[str, str, Any]
) -> None:
    t = piling(
        """
        pile 1 of 0: 5 31
        pile 2 of 1: 20
        draw: 1 2 3 4
        hand 0: 32 33 34 35 36 37 B
        hand 1: 51 52 53 54 55 56 A
        """,
        takers=(0, 1),
    )
    assert refused(t, seat, move) == refusal


FORMS = ["bid 13", "take 2", "extend 2", "pile 49 on 31", "pile 49 new"]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("bid 200", ("BP-1", "no_such_card", {})),
        ("bid 101", ("BP-1", "no_such_card", {})),
        ("take 9", ("BP-7", "no_such_row", {})),
        ("take 0", ("BP-7", "no_such_row", {})),
        ("extend 6", ("BP-7", "no_such_row", {})),
        ("pile 20 on 49", ("BP-16", "pile_must_ascend", {})),
        ("pile 49 on 49", ("BP-16", "pile_must_ascend", {})),
        ("pile 101 new", ("BP-1", "no_such_card", {})),
        ("pile 0 new", ("BP-1", "no_such_card", {})),
        ("bid", ("BP-8", "not_a_move", {"forms": FORMS})),
        ("bid A", ("BP-8", "not_a_move", {"forms": FORMS})),
        ("play 200", ("BP-8", "not_a_move", {"forms": FORMS})),
        ("pile 49", ("BP-8", "not_a_move", {"forms": FORMS})),
        ("nonsense", ("BP-8", "not_a_move", {"forms": FORMS})),
        ("", ("BP-8", "not_a_move", {"forms": FORMS})),
    ],
)
def test_a_text_that_is_no_move_is_refused(text: str, refusal: tuple[str, str, Any]) -> None:
    assert refused(table(TWO_PLAYERS), 0, text) == refusal


def test_every_move_that_is_offered_can_be_written_with_other_spaces_and_capitals() -> None:
    t = table(TWO_PLAYERS)
    assert after(t, "0  BID  41 ") == after(t, "0 bid 41")
