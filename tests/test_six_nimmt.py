"""The rules of 6 nimmt!, one test a sentence; read it beside docs/games/six-nimmt.md."""

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

from bullpen.cards import UNSEEN
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
from bullpen.games.six_nimmt import rules
from tests.games import six_nimmt as game
from tests.tables import after, as_drawn, deck_file, legal, lying, pictured, refused, table

REVERSED = list(
    range(104, 0, -1)
)  # a shuffle: seat 0: 104 to 95; seat 1: 94 to 85; …; then the rows
ROUND_END = {"event": "round_end"}


def reveal(*cards: int) -> Event:
    return {"event": "reveal", "cards": list(cards)}


def place(seat: int, card: int, *, row: int) -> Event:
    return {"event": "place", "seat": seat, "card": card, "row": row}


def take(seat: int, cards: Sequence[int], *, row: int) -> Event:
    return {"event": "take", "seat": seat, "cards": list(cards), "row": row}


def empty_table(seats: int, **options: OptionValue) -> rules.Table:
    chosen = complete_options(game, seats, options)
    empty: rules.Table = game.set_up(seats, chosen, load_deck(game.DECK_FILES))
    return empty


# -- Cards ------------------------------------------------------------------------------------


@pytest.mark.rule("SN-1")
def test_there_are_104_cards_and_the_55_has_seven_heads() -> None:
    deck = load_deck(game.DECK_FILES)
    assert len(deck.heads[1:]) == 104
    for card, shown in enumerate(deck.heads[1:], start=1):
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
    assert deck.basis == "established"


@pytest.mark.rule("SN-1")
def test_an_own_deck_file_says_what_the_cards_show(tmp_path: Path) -> None:
    path = deck_file(game, tmp_path, {2: "104,7", 105: "1,5", 106: ""})
    deck = load_deck(game.DECK_FILES, [path])
    assert (deck.heads[104], deck.heads[1], deck.heads[55]) == (7, 5, 7)
    assert deck.basis == "own"


@pytest.mark.rule("SN-1")
@pytest.mark.parametrize(
    ("lines", "key", "facts"),
    [
        pytest.param({2: "2,1"}, "deck_twice", {"line": 3, "number": 2, "first": 2}, id="twice"),
        pytest.param({105: None}, "deck_missing", {"number": 104, "cards": 104}, id="missing"),
        pytest.param({105: "105,1"}, "deck_number", {"line": 105, "number": 105}, id="too high"),
        pytest.param({2: "0,1"}, "deck_number", {"line": 2, "number": 0}, id="too low"),
        pytest.param({2: "1,0"}, "deck_row", {"line": 2, "row": "1,0"}, id="no heads"),
        pytest.param({5: "4,4"}, "deck_row", {"line": 5, "row": "4,4"}, id="four heads"),
        pytest.param({5: "4,6"}, "deck_row", {"line": 5, "row": "4,6"}, id="six heads"),
        pytest.param({5: "4,8"}, "deck_row", {"line": 5, "row": "4,8"}, id="eight heads"),
        pytest.param({5: "4,one"}, "deck_row", {"line": 5, "row": "4,one"}, id="a word"),
        pytest.param({5: "4"}, "deck_columns", {"line": 5, "columns": "number,heads"}, id="short"),
    ],
)
def test_a_bad_line_in_an_own_deck_file_is_named_with_the_rule(
    tmp_path: Path, lines: dict[int, str | None], key: str, facts: dict[str, object]
) -> None:
    path = deck_file(game, tmp_path, lines)
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert caught.value.key == key
    assert caught.value.facts.items() >= {"file": str(path), "rule": "SN-1", **facts}.items()


def test_a_forbidden_number_of_heads_is_told_with_those_allowed(tmp_path: Path) -> None:
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [deck_file(game, tmp_path, {5: "4,4"})])
    assert caught.value.facts["allowed"] == "heads 1, 2, 3, 5, 7"


@pytest.mark.parametrize("header", ["number,points", "heads,number", "number", ""])
def test_a_deck_file_with_another_header_is_refused(tmp_path: Path, header: str) -> None:
    path = deck_file(game, tmp_path, {1: header})
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert caught.value.key == "deck_header"
    assert caught.value.facts == {"file": path, "header": header, "expected": "number,heads"}


def test_a_deck_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [tmp_path])
    assert caught.value.key == "deck_unreadable"
    assert caught.value.facts == {"file": tmp_path, "reason": "Is a directory"}


def test_a_deck_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(BadDeck) as caught:
        load_deck(game.DECK_FILES, [path])
    assert (caught.value.key, caught.value.facts) == ("deck_not_text", {"file": path})


@pytest.mark.rule("SN-1")
def test_the_deck_of_a_record_must_have_104_allowed_cards() -> None:
    with pytest.raises(BadDeck) as caught:
        deck_from_json(game.DECK_FILES, {"heads": [1] * 105})
    assert (caught.value.key, caught.value.facts["rule"]) == ("deck_size", "SN-1")
    with pytest.raises(BadDeck) as caught:
        deck_from_json(game.DECK_FILES, {"heads": [4] + [1] * 103})
    assert (caught.value.key, caught.value.facts["card"]) == ("deck_face", 1)


# -- Setting up -------------------------------------------------------------------------------


@pytest.mark.rule("SN-2")
@pytest.mark.parametrize("seats", range(2, 11))
def test_ten_cards_go_to_each_player_then_one_to_each_row(seats: int) -> None:
    t = empty_table(seats)
    assert game.to_shuffle(t) == list(range(1, 105))
    t, events = game.deal(t, REVERSED)
    for seat in range(seats):
        lowest = 95 - 10 * seat
        assert lying(game, t, f"hand {seat}") == list(range(lowest, lowest + 10))
        assert lying(game, t, f"laid {seat}") == lying(game, t, f"taken {seat}") == []
    left = 104 - 10 * seats
    rows = [lying(game, t, f"row {row}") for row in (1, 2, 3, 4)]
    assert rows == [[left], [left - 1], [left - 2], [left - 3]]
    assert lying(game, t, "box") == list(range(1, left - 3))
    assert events == []
    assert game.to_shuffle(t) == []
    assert game.waiting_for(t) == list(range(seats))


@pytest.mark.rule("SN-2")
def test_the_deal_follows_the_shuffle_card_by_card() -> None:
    first = [99, 3, 88, 5, 77, 9, 66, 11, 55, 13, *range(20, 30), 104, 1, 50, 2]
    rest = [card for card in game.CARDS if card not in first]
    t, _ = game.deal(empty_table(2), first + rest)
    assert pictured(game, t) == as_drawn("""
        row 1: 104
        row 2: 1
        row 3: 50
        row 4: 2
        hand 0: 3 5 9 11 13 55 66 77 88 99
        hand 1: 20 21 22 23 24 25 26 27 28 29
    """)
    assert lying(game, t, "box") == sorted(rest)


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_two_to_ten_can_play(seats: int) -> None:
    with pytest.raises(BadOption) as caught:
        complete_options(game, seats, {})
    assert caught.value.key == "bad_seats"
    assert caught.value.facts == {"game": "six-nimmt", "seats": seats, "least": 2, "most": 10}


def test_the_options_have_defaults() -> None:
    defaults = {"limit": 66, "rounds": None, "deck": "full", "memory_aid": False}
    assert complete_options(game, 2, {}) == defaults


def test_options_can_be_typed() -> None:
    typed = ["limit=30", "rounds=3", "deck=tactical", "memory_aid=yes"]
    chosen = {"limit": 30, "rounds": 3, "deck": "tactical", "memory_aid": True}
    assert read_options(game, 2, typed) == chosen
    assert read_options(game, 2, ["rounds=null"])["rounds"] is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", 0),
        ("limit", None),
        ("limit", "many"),
        ("rounds", 0),
        ("rounds", True),
        ("rounds", "two"),
        ("deck", "half"),
        ("memory_aid", 1),
    ],
)
def test_an_option_with_a_value_that_it_does_not_have_is_refused(
    name: str, value: OptionValue
) -> None:
    with pytest.raises(BadOption) as caught:
        complete_options(game, 2, {name: value})
    assert (caught.value.key, caught.value.facts["option"]) == ("bad_option", name)


@pytest.mark.rule("SN-9")
@pytest.mark.parametrize(
    ("seats", "highest"),
    [(2, 24), (3, 34), (4, 44), (5, 54), (6, 64), (7, 74), (8, 84), (9, 94), (10, 104)],
)
def test_the_tactical_deck_has_just_the_cards_that_are_dealt(seats: int, highest: int) -> None:
    t = empty_table(seats, deck="tactical")
    assert game.to_shuffle(t) == list(range(1, highest + 1))
    t, _ = game.deal(t, list(range(highest, 0, -1)))
    for seat in range(seats):
        lowest = highest - 9 - 10 * seat
        assert lying(game, t, f"hand {seat}") == list(range(lowest, lowest + 10))
    assert [lying(game, t, f"row {row}") for row in (1, 2, 3, 4)] == [[4], [3], [2], [1]]
    assert lying(game, t, "box") == list(range(highest + 1, 105))


@pytest.mark.rule("SN-9")
def test_the_deck_of_a_tactical_game_lists_all_104_cards() -> None:
    assert len(empty_table(2, deck="tactical").deck.as_json()["heads"]) == 104


# -- A turn -----------------------------------------------------------------------------------

QUIET = """
    row 1: 10
    row 2: 40
    row 3: 70
    row 4: 90
    hand 0: 1 75
    hand 1: 2 12
    hand 2: 3 45
"""


@pytest.mark.rule("SN-3")
def test_nothing_happens_until_everyone_has_chosen() -> None:
    t = table(game, QUIET)
    assert game.waiting_for(t) == [0, 1, 2]
    assert legal(game, t, 1) == {"play 2", "play 12"}
    t, events = after(game, t, "1 play 12")
    assert game.waiting_for(t) == [0, 2]
    assert legal(game, t, 1) == set()
    assert (lying(game, t, "hand 1"), lying(game, t, "laid 1")) == ([2], [12])
    t, more = after(game, t, "0 play 75")
    assert game.waiting_for(t) == [2]
    assert events + more == []


@pytest.mark.rule("SN-3")
def test_all_cards_are_revealed_and_placed_in_ascending_order() -> None:
    t, events = after(game, table(game, QUIET), "0 play 75", "1 play 12", "2 play 45")
    assert events == [
        reveal(75, 12, 45),
        place(1, 12, row=1),
        place(2, 45, row=2),
        place(0, 75, row=3),
    ]
    assert pictured(game, t) == as_drawn("""
        row 1: 10 12
        row 2: 40 45
        row 3: 70 75
        row 4: 90
        hand 0: 1
        hand 1: 2
        hand 2: 3
    """)
    assert game.waiting_for(t) == [0, 1, 2]


@pytest.mark.rule("SN-3")
def test_the_order_of_the_secret_choices_does_not_matter() -> None:
    one = after(game, table(game, QUIET), "0 play 75", "1 play 12", "2 play 45")
    other = after(game, table(game, QUIET), "2 play 45", "0 play 75", "1 play 12")
    assert one == other


@pytest.mark.rule("SN-3", "SN-4")
def test_each_card_is_placed_on_the_rows_as_the_cards_before_it_left_them() -> None:
    t = table(
        game,
        """
        row 1: 12
        row 2: 37
        row 3: 43
        row 4: 58
        hand 0: 57 1
        hand 1: 44 2
        hand 2: 14 3
        hand 3: 61 4
        """,
    )
    t, events = after(game, t, "0 play 57", "1 play 44", "2 play 14", "3 play 61")
    assert events == [
        reveal(57, 44, 14, 61),
        place(2, 14, row=1),
        place(1, 44, row=3),
        place(0, 57, row=3),
        place(3, 61, row=4),
    ]
    assert lying(game, t, "row 3") == [43, 44, 57]


@pytest.mark.rule("SN-4")
@pytest.mark.parametrize(
    ("ends", "row"),
    [
        ((10, 20, 30, 40), 4),
        ((40, 30, 20, 10), 1),
        ((30, 49, 20, 51), 2),
        ((51, 60, 49, 48), 3),
        ((70, 80, 90, 1), 4),
    ],
)
def test_a_card_goes_to_the_row_with_the_nearest_lower_last_card(
    ends: tuple[int, int, int, int], row: int
) -> None:
    t = table(
        game,
        f"""
        row 1: {ends[0]}
        row 2: {ends[1]}
        row 3: {ends[2]}
        row 4: {ends[3]}
        hand 0: 50 2
        hand 1: 99 3
        """,
    )
    _, events = after(game, t, "0 play 50", "1 play 99")
    assert events[:2] == [reveal(50, 99), place(0, 50, row=row)]


@pytest.mark.rule("SN-4")
def test_only_the_last_card_of_a_row_counts() -> None:
    t = table(
        game,
        """
        row 1: 10
        row 2: 40 60
        row 3: 49 61
        row 4: 90
        hand 0: 50 1
        hand 1: 91 2
        """,
    )
    _, events = after(game, t, "0 play 50", "1 play 91")
    assert events[1] == place(0, 50, row=1)


@pytest.mark.rule("SN-5")
def test_the_fifth_card_of_a_row_takes_nothing() -> None:
    t = table(
        game,
        """
        row 1: 10 11 12 13
        row 2: 40
        row 3: 70
        row 4: 90
        hand 0: 14 1
        hand 1: 45 2
        """,
    )
    t, events = after(game, t, "0 play 14", "1 play 45")
    assert events == [reveal(14, 45), place(0, 14, row=1), place(1, 45, row=2)]
    assert lying(game, t, "row 1") == [10, 11, 12, 13, 14]
    assert t.heads_taken == (0, 0)


@pytest.mark.rule("SN-5")
@pytest.mark.parametrize("row", [1, 2, 3, 4])
def test_the_sixth_card_of_a_row_takes_the_five_and_is_its_first(row: int) -> None:
    rows = ["91", "92", "93", "94"]
    rows[row - 1] = "10 11 12 13 14"
    t = table(
        game,
        f"""
        row 1: {rows[0]}
        row 2: {rows[1]}
        row 3: {rows[2]}
        row 4: {rows[3]}
        hand 0: 16 1
        hand 1: 15 2
        taken 1: 55
        """,
        heads_taken=(0, 7),
    )
    t, events = after(game, t, "0 play 16", "1 play 15")
    assert events == [
        reveal(16, 15),
        take(1, [10, 11, 12, 13, 14], row=row),
        place(1, 15, row=row),
        place(0, 16, row=row),
    ]
    assert lying(game, t, f"row {row}") == [15, 16]
    assert lying(game, t, "taken 1") == [55, 10, 11, 12, 13, 14]
    assert lying(game, t, "hand 1") == [2]
    assert t.heads_taken == (0, 7 + 3 + 5 + 1 + 1 + 1)


TOO_LOW = """
    row 1: 60 61
    row 2: 50
    row 3: 70
    row 4: 80
    hand 0: 55 1
    hand 1: 49 2
    hand 2: 85 3
"""


@pytest.mark.rule("SN-6")
def test_a_card_lower_than_every_row_takes_a_row_of_its_players_choice() -> None:
    t, events = after(game, table(game, TOO_LOW), "0 play 55", "1 play 49", "2 play 85")
    assert events == [reveal(55, 49, 85)]
    assert game.waiting_for(t) == [1]
    assert legal(game, t, 1) == {"row 1", "row 2", "row 3", "row 4"}
    assert legal(game, t, 0) == legal(game, t, 2) == set()
    t, events = after(game, t, "1 row 1")
    assert events == [
        take(1, [60, 61], row=1),
        place(1, 49, row=1),
        place(0, 55, row=2),
        place(2, 85, row=4),
    ]
    assert pictured(game, t) == as_drawn("""
        row 1: 49
        row 2: 50 55
        row 3: 70
        row 4: 80 85
        hand 0: 1
        hand 1: 2
        taken 1: 60 61
        hand 2: 3
    """)
    assert t.heads_taken == (0, 4, 0)
    assert game.waiting_for(t) == [0, 1, 2]


@pytest.mark.rule("SN-6")
@pytest.mark.parametrize(("row", "taken"), [(1, [60, 61]), (2, [50]), (3, [70]), (4, [80])])
def test_any_row_may_be_chosen_for_a_card_that_is_too_low(row: int, taken: list[int]) -> None:
    t, _ = after(game, table(game, TOO_LOW), "0 play 55", "1 play 49", "2 play 85")
    t, events = after(game, t, f"1 row {row}")
    assert events[:2] == [take(1, taken, row=row), place(1, 49, row=row)]
    assert lying(game, t, f"row {row}")[0] == 49


@pytest.mark.rule("SN-6")
def test_a_card_just_higher_than_the_lowest_row_is_not_too_low() -> None:
    t = table(game, TOO_LOW.replace("49", "51"))
    t, events = after(game, t, "0 play 55", "1 play 51", "2 play 85")
    assert events[:2] == [reveal(55, 51, 85), place(1, 51, row=2)]
    assert game.waiting_for(t) == [0, 1, 2]


@pytest.mark.rule("SN-3", "SN-6")
def test_only_the_lowest_card_of_a_turn_can_be_too_low() -> None:
    """All three are lower than every row; once the 7 begins one, the 8 and the 9 fit there."""
    t = table(
        game,
        """
        row 1: 50
        row 2: 60
        row 3: 70
        row 4: 80
        hand 0: 9 1
        hand 1: 8 2
        hand 2: 7 3
        """,
    )
    _, events = after(game, t, "0 play 9", "1 play 8", "2 play 7", "2 row 4")
    assert events == [
        reveal(9, 8, 7),
        take(2, [80], row=4),
        place(2, 7, row=4),
        place(1, 8, row=4),
        place(0, 9, row=4),
    ]


# -- End of a round and of the game -----------------------------------------------------------


@pytest.mark.rule("SN-7")
@pytest.mark.parametrize("seats", [2, 10])
def test_the_round_ends_after_ten_turns(seats: int) -> None:
    t, _ = game.deal(empty_table(seats), REVERSED)
    events: list[Event] = []
    while waiting := game.waiting_for(t):
        t, caused = game.apply(t, waiting[0], game.legal(t, waiting[0])[0])
        events += caused
    assert [event["event"] for event in events].count("reveal") == 10
    assert [event for event in events if event == ROUND_END] == [ROUND_END] == events[-1:]
    heads = t.deck.heads
    taken = [sum(heads[c] for c in lying(game, t, f"taken {seat}")) for seat in range(seats)]
    assert game.scores(t) == taken
    assert max(taken) > 0


@pytest.mark.rule("SN-7")
def test_heads_taken_are_minus_points() -> None:
    t = table(
        game,
        """
        row 1: 10 11 22 33 55
        row 2: 60
        row 3: 70
        row 4: 80
        hand 0: 56
        hand 1: 81
        taken 0: 5
        taken 1: 66
        """,
        heads_taken=(2, 5),
    )
    t, events = after(game, t, "0 play 56", "1 play 81")
    assert events[-2:] == [place(1, 81, row=4), ROUND_END]
    assert game.rounds(t) == ((2 + 3 + 5 + 5 + 5 + 7, 5),)
    assert game.scores(t) == [27, 5]


@pytest.mark.rule("SN-7")
def test_the_heads_counted_are_those_of_the_deck_in_use(tmp_path: Path) -> None:
    own = load_deck(game.DECK_FILES, [deck_file(game, tmp_path, {61: "60,7"})])
    t = table(game, TOO_LOW, deck=own)
    t, _ = after(game, t, "0 play 55", "1 play 49", "2 play 85", "1 row 1")
    assert t.heads_taken == (0, 7 + 1, 0)


LAST_TURN = """
    row 1: 10
    row 2: 60
    row 3: 70
    row 4: 80
    hand 0: 62
    hand 1: 81
"""


def after_the_last_turn(
    *earlier: tuple[int, int], taken: tuple[int, int], **options: OptionValue
) -> rules.Table:
    """A round has just ended in which so many heads were taken."""
    t = table(game, LAST_TURN, points=earlier, heads_taken=taken, options=options)
    end, _ = after(game, t, "0 play 62", "1 play 81")
    assert isinstance(end, rules.Table)
    return end


@pytest.mark.rule("SN-8")
@pytest.mark.parametrize("taken", [(0, 0), (65, 3), (3, 65), (65, 65)])
def test_below_66_another_round_is_played(taken: tuple[int, int]) -> None:
    t = after_the_last_turn(taken=taken)
    assert t.phase == rules.DEALING
    assert game.to_shuffle(t) == list(range(1, 105))
    assert game.waiting_for(t) == []


@pytest.mark.rule("SN-8")
@pytest.mark.parametrize("taken", [(66, 3), (3, 66), (67, 0), (66, 66)])
def test_66_itself_ends_the_game(taken: tuple[int, int]) -> None:
    t = after_the_last_turn(taken=taken)
    assert t.phase == rules.OVER
    assert game.to_shuffle(t) == []
    assert game.waiting_for(t) == []
    assert legal(game, t, 0) == legal(game, t, 1) == set()


@pytest.mark.rule("SN-8")
@pytest.mark.parametrize(("taken", "phase"), [((5, 9), rules.DEALING), ((6, 9), rules.OVER)])
def test_the_rounds_are_added_up_to_66(taken: tuple[int, int], phase: int) -> None:
    t = after_the_last_turn((40, 20), (20, 30), taken=taken)
    assert t.phase == phase
    assert game.rounds(t) == ((40, 20), (20, 30), taken)
    assert game.scores(t) == [60 + taken[0], 50 + taken[1]]


@pytest.mark.rule("SN-8")
def test_the_limit_is_not_reached_in_the_middle_of_a_round() -> None:
    t = table(game, QUIET, heads_taken=(99, 0, 0))
    t, _ = after(game, t, "0 play 75", "1 play 12", "2 play 45")
    assert game.waiting_for(t) == [0, 1, 2]
    assert game.scores(t) == [0, 0, 0]


@pytest.mark.rule("SN-8")
@pytest.mark.parametrize(
    ("limit", "taken", "phase"),
    [
        (1, 0, rules.DEALING),
        (1, 1, rules.OVER),
        (100, 99, rules.DEALING),
        (100, 100, rules.OVER),
    ],
)
def test_the_option_limit_says_how_many_points_end_the_game(
    limit: int, taken: int, phase: int
) -> None:
    assert after_the_last_turn(taken=(0, taken), limit=limit).phase == phase


@pytest.mark.rule("SN-8")
def test_with_the_option_rounds_there_is_no_limit() -> None:
    assert after_the_last_turn(taken=(90, 0), rounds=2).phase == rules.DEALING
    assert after_the_last_turn((0, 0), taken=(0, 0), rounds=2).phase == rules.OVER
    assert after_the_last_turn((0, 0), taken=(90, 0), rounds=3, limit=1).phase == rules.DEALING
    assert after_the_last_turn(taken=(0, 0), rounds=1).phase == rules.OVER


@pytest.mark.rule("SN-8", "SN-2")
def test_another_round_is_dealt_from_all_cards_and_begins_without_heads() -> None:
    t = after_the_last_turn((1, 2), taken=(30, 4))
    t, events = game.deal(t, REVERSED)
    fresh, _ = game.deal(empty_table(2), REVERSED)
    assert t.lying == fresh.lying
    assert t.heads_taken == (0, 0)
    assert game.scores(t) == [31, 6]
    assert game.waiting_for(t) == [0, 1]
    assert events == []


@pytest.mark.rule("SN-9", "SN-2")
def test_another_round_of_a_tactical_game_has_the_same_cards() -> None:
    t = after_the_last_turn(taken=(0, 0), deck="tactical")
    assert game.to_shuffle(t) == list(range(1, 25))


@pytest.mark.rule("SN-8")
@pytest.mark.parametrize(
    ("points", "winners"),
    [
        (((5, 70, 7),), [0]),
        (((66, 65, 64),), [2]),
        (((70, 9, 0), (0, 1, 10)), [1, 2]),
        (((66, 66, 66),), [0, 1, 2]),
    ],
)
def test_fewest_points_win_and_equal_players_share_the_win(
    points: tuple[tuple[int, ...], ...], winners: list[int]
) -> None:
    assert game.winners(table(game, "", seats=3, phase=rules.OVER, points=points)) == winners


# -- What a player sees -----------------------------------------------------------------------

SEEING = """
    row 1: 10
    row 2: 40
    row 3: 70
    row 4: 90
    hand 0: 1 75
    hand 1: 2 12
    hand 2: 3 45
    taken 0: 20
    taken 1: 30 31
"""


@pytest.mark.parametrize("memory_aid", [False, True])
def test_a_player_sees_the_own_hand_the_rows_and_how_many_cards_there_are(
    memory_aid: bool,
) -> None:
    options: dict[str, OptionValue] = {"memory_aid": memory_aid}
    t = table(game, SEEING, heads_taken=(3, 4, 0), points=((1, 2, 3),), options=options)
    seen = game.view(t, 0).table
    assert pictured(game, seen) == as_drawn("""
        row 1: 10
        row 2: 40
        row 3: 70
        row 4: 90
        hand 0: 1 75
        taken 0: ?
        hand 1: ? ?
        taken 1: ? ?
        hand 2: ? ?
    """)
    assert seen.lying[rules.BOX] == (UNSEEN,) * (104 - 13)
    assert (seen.heads_taken, game.scores(seen)) == ((3, 4, 0), [1, 2, 3])


def test_a_perfect_memory_knows_the_cards_that_were_taken() -> None:
    t = table(game, SEEING)
    view = game.view(t, 2)
    assert pictured(game, t, view.remembered) == as_drawn("""
        row 1: 10
        row 2: 40
        row 3: 70
        row 4: 90
        hand 0: ? ?
        taken 0: 20
        hand 1: ? ?
        taken 1: 30 31
        hand 2: 3 45
    """)
    assert view.remembered[rules.BOX] == (UNSEEN,) * (104 - 13)
    assert (view.seat, view.legal) == (2, [rules.PLAY + 3, rules.PLAY + 45])


def test_a_spectator_sees_no_hand_and_has_no_moves() -> None:
    view = game.view(table(game, SEEING), None)
    assert (view.seat, view.legal) == (None, [])
    assert [lying(game, view.table, f"hand {seat}") for seat in range(3)] == [[UNSEEN] * 2] * 3


def test_a_card_lying_face_down_is_its_players_secret() -> None:
    one, _ = after(game, table(game, SEEING), "1 play 2")
    other, _ = after(game, table(game, SEEING), "1 play 12")
    for watcher in (0, 2, None):
        view = game.view(one, watcher)
        assert lying(game, view.table, "laid 1") == lying(game, view.table, "hand 1") == [UNSEEN]
        assert view.remembered[rules.HAND + 1] == (UNSEEN, UNSEEN)
        assert view.remembered[rules.LAID + 1] == ()
        assert view == game.view(other, watcher)
    own = game.view(one, 1)
    assert (lying(game, own.table, "laid 1"), lying(game, own.table, "hand 1")) == ([2], [12])
    assert (own.remembered[rules.LAID + 1], own.remembered[rules.HAND + 1]) == ((2,), (12,))
    assert own.legal == []


def test_revealed_cards_lie_open_while_somebody_chooses_a_row() -> None:
    t, _ = after(game, table(game, TOO_LOW), "0 play 55", "1 play 49", "2 play 85")
    view = game.view(t, 0)
    assert pictured(game, view.table) == as_drawn("""
        row 1: 60 61
        row 2: 50
        row 3: 70
        row 4: 80
        hand 0: 1
        laid 0: 55
        hand 1: ?
        laid 1: 49
        hand 2: ?
        laid 2: 85
    """)
    assert view.remembered[rules.LAID + 1] == (49,)
    assert view.remembered[rules.HAND + 1] == (UNSEEN,)
    assert game.view(t, 1).legal == [rules.TAKE_ROW + row for row in (1, 2, 3, 4)]


@pytest.mark.rule("SN-9")
def test_all_know_which_cards_a_tactical_game_leaves_out() -> None:
    t, _ = game.deal(empty_table(2, deck="tactical"), list(range(24, 0, -1)))
    view = game.view(t, 0)
    assert lying(game, view.table, "box") == list(range(25, 105))
    assert view.remembered[rules.BOX] == tuple(range(25, 105))
    assert lying(game, view.table, "hand 1") == [UNSEEN] * 10


def test_taken_cards_are_open_when_they_are_counted() -> None:
    for taken in ((0, 66), (0, 0)):
        t = table(game, LAST_TURN + "taken 1: 30 31", heads_taken=taken)
        t, _ = after(game, t, "0 play 62", "1 play 81")
        for watcher in (0, 1, None):
            view = game.view(t, watcher)
            assert lying(game, view.table, "taken 1") == [30, 31]
            assert set(lying(game, view.table, "box")) == {UNSEEN}
            assert view.legal == []


@pytest.mark.parametrize("watcher", [0, 1, 2, None])
@pytest.mark.parametrize("moves", [[], ["1 play 2"], ["1 play 12", "0 play 1", "2 play 45"]])
def test_an_imagined_table_gives_the_view_that_it_was_imagined_from(
    watcher: int | None, moves: list[str]
) -> None:
    t, _ = after(game, table(game, SEEING), *moves)
    view = game.view(t, watcher)
    for seed in range(20):
        imagined = game.imagine(view, Random(seed))
        assert sorted(card for cards in imagined.lying for card in cards) == list(game.CARDS)
        assert game.view(imagined, watcher) == view


@pytest.mark.rule("SN-9")
def test_in_a_tactical_game_only_cards_in_play_are_imagined_in_a_hand() -> None:
    t, _ = game.deal(empty_table(2, deck="tactical"), list(range(24, 0, -1)))
    imagined = game.imagine(game.view(t, 0), Random(1))
    assert lying(game, imagined, "hand 1") == list(range(5, 15))


def test_everything_that_happens_is_seen_by_all() -> None:
    t, events = after(game, table(game, TOO_LOW), "0 play 55", "1 play 49", "2 play 85", "1 row 1")
    for event in events:
        for watcher in (0, 1, None):
            assert game.seen_by(event, watcher, t.options) == event


def test_every_event_tells_what_it_should() -> None:
    t = table(game, LAST_TURN.replace("62", "9"))
    _, events = after(game, t, "0 play 9", "1 play 81", "0 row 1")
    assert {event["event"] for event in events} == set(game.EVENTS)
    for event in events:
        assert tuple(event) == ("event", *game.EVENTS[event["event"]])


def test_a_move_leaves_the_table_on_which_it_was_made_as_it_was() -> None:
    t = table(game, TOO_LOW)
    for move in ("0 play 55", "1 play 49", "2 play 85", "1 row 1"):
        before = deepcopy(t)
        following, _ = after(game, t, move)
        assert t == before
        t = following


def test_a_deal_leaves_the_table_on_which_it_was_made_as_it_was() -> None:
    t = after_the_last_turn(taken=(3, 4))
    before = deepcopy(t)
    game.deal(t, REVERSED)
    assert t == before


# -- Refusals ---------------------------------------------------------------------------------


@pytest.mark.rule("SN-8")
def test_after_the_end_no_move_is_allowed() -> None:
    t = after_the_last_turn(taken=(66, 0))
    assert refused(game, t, 0, "play 62") == refuse("SN-8", "game_over")


@pytest.mark.rule("SN-2")
def test_before_the_deal_no_move_is_allowed() -> None:
    assert refused(game, empty_table(2), 0, "play 50") == refuse("SN-2", "not_dealt")
    t = after_the_last_turn(taken=(0, 0))
    assert refused(game, t, 1, "row 1") == refuse("SN-2", "not_dealt")


@pytest.mark.rule("SN-3")
def test_a_card_that_was_chosen_stays_chosen() -> None:
    t, _ = after(game, table(game, QUIET), "0 play 75")
    assert refused(game, t, 0, "play 1") == refuse("SN-3", "already_chosen")


@pytest.mark.rule("SN-3")
@pytest.mark.parametrize("card", [1, 44, 104])
def test_only_a_card_of_the_own_hand_may_be_chosen(card: int) -> None:
    t = table(game, QUIET)
    assert refused(game, t, 2, f"play {card}") == refuse("SN-3", "card_not_in_hand", card=card)


@pytest.mark.rule("SN-3")
@pytest.mark.parametrize("move", ["row 1", "row 4"])
def test_a_turn_begins_with_a_card_from_the_hand(move: str) -> None:
    assert refused(game, table(game, QUIET), 0, move) == refuse("SN-3", "choose_a_card")


@pytest.mark.rule("SN-3")
@pytest.mark.parametrize("move", ["row 1", "play 1"])
def test_the_others_wait_while_somebody_chooses_a_row(move: str) -> None:
    t, _ = after(game, table(game, TOO_LOW), "0 play 55", "1 play 49", "2 play 85")
    assert refused(game, t, 0, move) == refuse("SN-3", "not_your_turn", actor=1)


@pytest.mark.rule("SN-6")
def test_a_card_that_is_too_low_asks_for_a_row() -> None:
    t, _ = after(game, table(game, TOO_LOW), "0 play 55", "1 play 49", "2 play 85")
    assert refused(game, t, 1, "play 2") == refuse("SN-6", "choose_a_row")


def test_the_error_names_the_move_the_rule_and_what_is_allowed() -> None:
    with pytest.raises(IllegalMove) as caught:
        after(game, table(game, QUIET), "2 play 44")
    error = caught.value
    assert (error.seat, error.move, error.legal) == (2, "play 44", ["play 3", "play 45"])
    assert str(error) == (
        "seat 2 may not 'play 44': SN-3, card not in hand; allowed now: play 3, play 45"
    )


@pytest.mark.parametrize(
    ("text", "rule", "why"),
    [
        ("play 200", "SN-1", "no_such_card"),
        ("play 105", "SN-1", "no_such_card"),
        ("play 0", "SN-1", "no_such_card"),
        ("row 9", "SN-2", "no_such_row"),
        ("row 5", "SN-2", "no_such_row"),
        ("row 0", "SN-2", "no_such_row"),
    ],
)
def test_a_card_or_row_that_does_not_exist_is_refused(text: str, rule: str, why: str) -> None:
    assert refused(game, table(game, QUIET), 0, text) == refuse(rule, why)


@pytest.mark.parametrize("text", ["nonsense", "", "  ", "play", "play -1", "keep 43", "row"])
def test_a_text_that_is_no_move_is_told_the_forms_of_a_move(text: str) -> None:
    why = refuse("SN-3", "not_a_move", forms=["play 43", "row 2"])
    assert refused(game, table(game, QUIET), 0, text) == why


@pytest.mark.parametrize("action", [-1, 0, 109, 999])
def test_a_number_that_is_no_action_is_refused_like_any_other_move(action: int) -> None:
    assert refused(game, table(game, QUIET), 0, action) == refuse("SN-3", "choose_a_card")
