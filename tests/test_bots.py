"""Bots: they keep the rules, know no more than their view, and careful play pays."""

import doctest
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from bullpen.bots import AT_ONCE, BOTS, Bot, bot_called
from bullpen.deck import load_deck
from bullpen.game import (
    BadOption,
    Game,
    OneOf,
    Option,
    OptionValue,
    SeatNumber,
    Switch,
    WholeNumberOrNull,
    complete_options,
)
from bullpen.games import GAMES, part
from tests.games import baron_oxx, bullenparty, eleven_nimmt, hornochsen, six_nimmt, x_nimmt
from tests.tables import after, table

DECKS = {name: load_deck(game.DECK_FILES) for name, game in GAMES.items()}
UNIFORM, CAREFUL = AT_ONCE["uniform"], AT_ONCE["careful"]
THINKING = {name: bot_called(f"{name}:playouts=30") for name in ("montecarlo", "search")}
ALL: dict[str, Bot] = {**AT_ONCE, **THINKING}


# -- Playing ----------------------------------------------------------------------------------


def decisions(
    game: Game[Any], bots: Sequence[Bot], seed: int, options: dict[str, OptionValue]
) -> Iterator[tuple[Any, int]]:
    """A game between bots: the table and the seat that decides, before each decision and at the end."""
    t = game.set_up(len(bots), complete_options(game, len(bots), options), DECKS[game.ID])
    shuffler, rngs = Random(seed), [Random(seed + seat) for seat in range(len(bots))]
    while True:
        while cards := game.to_shuffle(t):
            shuffler.shuffle(cards)
            t, _ = game.deal(t, cards)
        waiting = game.waiting_for(t)
        yield t, waiting[0] if waiting else 0
        if not waiting:
            return
        seat = waiting[0]
        t, _ = game.apply(t, seat, bots[seat](game, game.view(t, seat), rngs[seat]))


def final_table(game: Game[Any], bots: Sequence[Bot], seed: int, **options: OptionValue) -> Any:
    *_, (t, _) = decisions(game, bots, seed, options)
    return t


def choices(bot: Bot, game: Game[Any], t: Any) -> set[str]:
    """What a bot does here in seat 0, as written; where it finds moves equally good, several."""
    view = game.view(t, 0)
    return {game.NOTATION[bot(game, view, Random(seed))] for seed in range(20)}


def choice(bot: Bot, game: Game[Any], t: Any) -> str:
    """The same where a bot is sure of its move."""
    (only,) = choices(bot, game, t)
    return only


# -- What every bot promises ------------------------------------------------------------------


def values_of(option: Option, seats: int) -> Sequence[OptionValue]:
    """Some values that are not the default; numbers are small, so that games are short."""
    kind = option.kind
    if isinstance(kind, OneOf):
        return [value for value in kind.values if value != option.default(seats)]
    if isinstance(kind, Switch):
        return [not option.default(seats)]
    if isinstance(kind, SeatNumber):
        return [seats - 1]
    return [kind.number.least + 1 if isinstance(kind, WholeNumberOrNull) else kind.least]


def tables() -> Iterator[tuple[str, int, dict[str, OptionValue]]]:
    """Every game with every number of players, and every option."""
    for name, game in GAMES.items():
        for seats in game.SEATS:
            yield name, seats, {}
            for option in game.OPTIONS:
                for value in values_of(option, seats):
                    yield name, seats, {option.name: value}


@pytest.mark.parametrize(("name", "seats", "options"), [*tables()])
def test_bots_make_only_legal_moves(name: str, seats: int, options: dict[str, OptionValue]) -> None:
    bots = [*ALL.values()] * seats
    t = final_table(GAMES[name], bots[:seats], seats, **options)
    assert GAMES[name].winners(t)


@pytest.mark.parametrize("name", GAMES)
def test_only_careful_bots_come_to_an_end_too(name: str) -> None:
    game = GAMES[name]
    for seats in (game.SEATS[0], game.SEATS[-1]):
        assert game.winners(final_table(game, [CAREFUL] * seats, seats))


@pytest.mark.parametrize("bot", ALL.values(), ids=ALL)
@pytest.mark.parametrize("name", GAMES)
def test_a_bot_chooses_the_same_at_every_table_that_gives_it_the_same_view(
    name: str, bot: Bot
) -> None:
    game = GAMES[name]
    for number, (t, seat) in enumerate(decisions(game, [*AT_ONCE.values(), UNIFORM], 5, {})):
        view = game.view(t, seat)
        if number >= 150 or not view.legal:
            break
        imagined = game.view(game.imagine(view, Random(number)), seat)
        assert bot(game, view, Random(number)) == bot(game, imagined, Random(number))


@pytest.mark.parametrize("bot", ALL.values(), ids=ALL)
@pytest.mark.parametrize("name", GAMES)
def test_a_bot_leaves_its_view_as_it_was(name: str, bot: Bot) -> None:
    game = GAMES[name]
    for number, (t, seat) in enumerate(decisions(game, [UNIFORM] * 3, 6, {})):
        view, same = game.view(t, seat), game.view(t, seat)
        if number >= 100 or not view.legal:
            break
        bot(game, view, Random(number))
        assert view == same


def test_a_bot_is_called_by_its_name() -> None:
    assert bot_called("careful") is CAREFUL


def test_a_bot_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(BadOption) as refused:
        bot_called("reckless")
    assert refused.value.key == "unknown_bot"
    assert refused.value.facts == {"bot": "reckless", "known": ", ".join(BOTS)}


def test_the_example_in_the_documentation_works() -> None:
    page = Path(__file__).parent.parent / "docs" / "adding-a-bot.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


# -- Uniform ----------------------------------------------------------------------------------


def test_uniform_makes_every_legal_move_equally_often() -> None:
    t = table(x_nimmt, "row 1: 66\n row 2: 59\n row 3: 80\n hand 0: 43 1 7 9\n hand 1: 90 2")
    view, rng = x_nimmt.view(t, 0), Random(1)
    made = [UNIFORM(x_nimmt, view, rng) for _ in range(1000)]
    assert all(200 < made.count(action) < 300 for action in view.legal)


# -- Careful play pays ------------------------------------------------------------------------

DEALS = 8


def win_shares(game: Game[Any], seats: int, bot: Bot, deals: int = DEALS) -> list[float]:
    """One bot among uniform ones, the same deals from every seat: its share of the wins, by deal."""
    shares = []
    for deal in range(deals):
        won = 0.0
        for seat in range(seats):
            bots = [UNIFORM] * seats
            bots[seat] = bot
            winners = game.winners(final_table(game, bots, 1000 * deal))
            won += (seat in winners) / len(winners)
        shares.append(won / seats)
    return shares


@pytest.mark.parametrize("seats", ["fewest", 4, "most"])
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("bot", ["careful"])
def test_a_bot_wins_more_than_its_share_against_uniform(
    bot: str, name: str, seats: int | str
) -> None:
    game = GAMES[name]
    count = {"fewest": game.SEATS[0], "most": game.SEATS[-1]}.get(str(seats), 4)
    shares = win_shares(game, count, AT_ONCE[bot])
    error = stdev(shares) / DEALS**0.5
    assert mean(shares) - 2 * error > 1 / count


@pytest.mark.parametrize("name", GAMES)
def test_careless_still_wins_more_than_its_share_against_uniform(name: str) -> None:
    shares = win_shares(GAMES[name], 4, AT_ONCE["careless"], deals=3 * DEALS)
    assert mean(shares) - 2 * stdev(shares) / len(shares) ** 0.5 > 1 / 4


# -- Careful: positions with a known best move ------------------------------------------------


def test_careful_has_a_rule_of_thumb_for_every_game() -> None:
    assert all(part(game, "careful") for game in GAMES)


def test_in_6_nimmt_careful_does_not_lay_the_sixth_card() -> None:
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
    assert choice(CAREFUL, six_nimmt, t) == "play 61"


def test_in_6_nimmt_careful_lays_a_low_card_while_a_row_is_cheap() -> None:
    t = table(
        six_nimmt,
        """
        row 1: 20 30 40 50 55
        row 2: 10
        row 3: 11 22 33 44 77
        row 4: 88 99 100 101 102
        hand 0: 3 56 78 103
        hand 1: 57 58 59 60
        """,
    )
    assert choice(CAREFUL, six_nimmt, t) == "play 3"


def test_in_6_nimmt_careful_takes_the_row_with_the_fewest_heads() -> None:
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
    t, _ = after(six_nimmt, t, "0 play 2", "1 play 3")
    assert choice(CAREFUL, six_nimmt, t) == "row 3"


def test_in_x_nimmt_careful_does_not_lay_the_card_that_fills_a_row() -> None:
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
    assert choice(CAREFUL, x_nimmt, t) == "play 61"


def test_in_x_nimmt_careful_keeps_the_lowest_card_that_continues_the_x_row() -> None:
    t = table(
        x_nimmt,
        """
        row 1: 60
        row 2: 25 36 47
        row 3: 80
        hand 0: 48 9
        hand 1: 90 2
        x row 0: 20
        """,
    )
    t, _ = after(x_nimmt, t, "0 play 48", "1 play 90")
    assert choice(CAREFUL, x_nimmt, t) == "keep 25"


def test_in_x_nimmt_careful_takes_the_row_that_does_not_break_the_x_row() -> None:
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
    assert choice(CAREFUL, x_nimmt, t) == "row 2"


def test_in_x_nimmt_careful_gets_rid_of_heads_when_the_round_may_end() -> None:
    t = table(
        x_nimmt,
        """
        row 1: 60
        row 2: 54
        row 3: 80
        hand 0: 55 82 84
        hand 1: 98
        """,
    )
    assert choice(CAREFUL, x_nimmt, t) == "play 55"


def test_in_hornochsen_careful_finishes_a_green_row() -> None:
    t = table(
        hornochsen,
        """
        row 1: 1 2 3 4
        row 2: 50
        hand 0: 6 60 80
        hand 1: 70 71 72
        """,
    )
    assert choice(CAREFUL, hornochsen, t) == "play 6"


def test_in_hornochsen_careful_lays_its_special_cards_before_it_finishes_a_row() -> None:
    t = table(
        hornochsen,
        """
        row 1: 1 2 3 4
        row 2: 50
        hand 0: 6 60 x2 +5
        hand 1: 70 71 72
        """,
    )
    assert choice(CAREFUL, hornochsen, t) == "+5 on 4"
    t, _ = after(hornochsen, t, "0 +5 on 4")
    assert choice(CAREFUL, hornochsen, t) == "x2 on 4"
    t, _ = after(hornochsen, t, "0 x2 on 4")
    assert choice(CAREFUL, hornochsen, t) == "play 6"


def test_in_hornochsen_careful_does_not_finish_a_red_row() -> None:
    t = table(
        hornochsen,
        """
        row 1: 10 11 15 20
        row 2: 51
        hand 0: 21 60 61
        hand 1: 22 23 72
        """,
    )
    assert choices(CAREFUL, hornochsen, t) <= {"play 60", "play 61"}


def test_in_hornochsen_careful_does_not_end_with_special_cards_in_hand() -> None:
    t = table(
        hornochsen,
        """
        row 1: 1
        row 2: 50
        hand 0: 60 +5
        hand 1: 70 71 72
        """,
    )
    while t.actor == 0:
        t, _ = after(hornochsen, t, f"0 {min(choices(CAREFUL, hornochsen, t))}")
    assert hornochsen.rules.PLUS5 not in t.lying[hornochsen.rules.HAND]


def test_in_11_nimmt_careful_plays_if_it_can() -> None:
    t = table(eleven_nimmt, "stack 1: 31\n stack 2: 70\n hand 0: 36 90 99\n hand 1: 50 51")
    assert choice(CAREFUL, eleven_nimmt, t) == "play 36 on 31"


def test_in_11_nimmt_careful_plays_the_card_with_more_heads() -> None:
    t = table(eleven_nimmt, "stack 1: 20\n stack 2: 70\n hand 0: 22 71 99\n hand 1: 50 51")
    assert choice(CAREFUL, eleven_nimmt, t) == "play 22 on 20"


def test_in_11_nimmt_careful_with_a_bull_card_plays_all_that_fits() -> None:
    t = table(
        eleven_nimmt,
        "stack 1: 33\n stack 2: 61\n hand 0: 34 38 43 67 90\n hand 1: 50 51",
        bulls=(1, 0),
    )
    moves = []
    while t.actor == 0:
        moves.append(choice(CAREFUL, eleven_nimmt, t))
        t, _ = after(eleven_nimmt, t, f"0 {moves[-1]}")
    assert moves == ["play 34 on 33", "play 38 on 33", "play 43 on 33"]


def test_in_11_nimmt_careful_takes_a_small_stack_or_one_that_brings_a_bull_card() -> None:
    drawing = "stack 1: 10 20\n stack 2: 41 42 43\n stack 3: 71\n hand 0: 5 90\n hand 1: 50 51"
    assert choice(CAREFUL, eleven_nimmt, table(eleven_nimmt, drawing)) == "take 43"
    has_one = table(eleven_nimmt, drawing, bulls=(1, 0))
    assert choice(CAREFUL, eleven_nimmt, has_one) == "take 71"


def test_in_11_nimmt_careful_takes_a_bull_card_from_one_of_those_who_have_the_most() -> None:
    drawing = "stack 1: 41 42 43\n hand 0: 5 90\n hand 1: 50 51\n hand 2: 60 61"
    t, _ = after(eleven_nimmt, table(eleven_nimmt, drawing, bulls=(0, 5, 5)), "0 take 43")
    assert choices(CAREFUL, eleven_nimmt, t) == {"bull from 1", "bull from 2"}


BLUE_ROW_OF_FIVE = """
    row 1: 3 5 9 24 1
    row 2: 16
    row 3: 29
    row 4: 17
    row 5: 81
    hand 0: 13 28
    hand 1: 20 99
"""


def test_in_baron_oxx_careful_does_not_lay_the_sixth_card() -> None:
    """13 is blue and fits only row 1; 28 is red and fits only row 2."""
    assert choice(CAREFUL, baron_oxx, table(baron_oxx, BLUE_ROW_OF_FIVE)) == "play 28"


def test_in_baron_oxx_careful_takes_rows_where_bulls_are_good() -> None:
    t = table(baron_oxx, BLUE_ROW_OF_FIVE, options={"variant": "positive"})
    assert choice(CAREFUL, baron_oxx, t) == "play 13"


@pytest.mark.parametrize("variant", ["standard", "colour"])
def test_in_baron_oxx_careful_does_not_lay_the_sixth_bull_of_a_colour(variant: str) -> None:
    """Row 1 shows three red bulls, and 28 three more."""
    t = table(
        baron_oxx,
        """
        row 1: 16 21 25
        row 2: 20
        row 3: 29
        row 4: 5
        row 5: 17
        hand 0: 9 28
        hand 1: 50 99
        """,
        options={"variant": variant},
    )
    assert choice(CAREFUL, baron_oxx, t) == "play 9"


def test_in_baron_oxx_careful_takes_the_row_with_the_fewest_bulls() -> None:
    """2 is white and fits nowhere."""
    t = table(
        baron_oxx,
        """
        row 1: 13
        row 2: 16
        row 3: 9
        row 4: 24
        row 5: 17
        hand 0: 2 28
        hand 1: 29 99
        """,
    )
    t, _ = after(baron_oxx, t, "0 play 2", "1 play 29")
    assert choice(CAREFUL, baron_oxx, t) == "row 2"


def test_in_bullenparty_careful_lays_the_lowest_card_that_fits_on_its_pile() -> None:
    t = table(
        bullenparty,
        """
        pile 1 of 0: 5 13
        hand 0: 20 22 41 60 74 82 A
        hand 1: 30 31 32 33 34 B
        draw: 1 2 3 4 6 7 8 9 10 11 12
        """,
        phase=bullenparty.rules.PILING,
        takers=(0, 1),
    )
    assert choice(CAREFUL, bullenparty, t) == "pile 20 on 13"


def test_in_bullenparty_careful_begins_a_cheap_pile_rather_than_skip_most_numbers() -> None:
    t = table(
        bullenparty,
        """
        pile 1 of 0: 5 13
        hand 0: 4 94 96 97 98 99 A
        hand 1: 60 61 62 63 64 B
        draw: 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40
        """,
        phase=bullenparty.rules.PILING,
        takers=(0, 1),
    )
    assert choice(CAREFUL, bullenparty, t) == "pile 4 new"


def test_in_bullenparty_careful_lays_all_it_can_on_its_main_pile_in_the_last_round() -> None:
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
        assert choice(CAREFUL, bullenparty, t) == move
        t, _ = after(bullenparty, t, f"0 {move}")


ROWS_FOR_A_PILE_WITH_TOP_13 = """
    row 1: 2 11
    row 2: 44 66
    pile 1 of 0: 5 13
    hand 0: 3 41 52 64 72 A
    hand 1: 30 31 32 33 34 B
"""


def test_in_bullenparty_careful_takes_the_row_that_fits_on_its_pile() -> None:
    t = table(bullenparty, ROWS_FOR_A_PILE_WITH_TOP_13, phase=bullenparty.rules.TAKING, takers=())
    assert choice(CAREFUL, bullenparty, t) == "take 2"


def test_in_bullenparty_careful_bids_a_low_card_that_does_not_fit_on_its_pile() -> None:
    t = table(bullenparty, ROWS_FOR_A_PILE_WITH_TOP_13)
    assert choice(CAREFUL, bullenparty, t) == "bid 3"


def test_in_bullenparty_careful_waits_for_the_rows_to_grow() -> None:
    rows = ROWS_FOR_A_PILE_WITH_TOP_13.replace("44 66", "46 68").replace("2 11", "54 61")
    t = table(bullenparty, rows + "draw: 81 82 83 84 85 86 87 88 89 90")
    assert choice(CAREFUL, bullenparty, t) == "bid 0"


def test_in_bullenparty_careful_adds_a_drawn_card_to_the_row_that_it_wants() -> None:
    t = table(
        bullenparty,
        ROWS_FOR_A_PILE_WITH_TOP_13 + "drawn: 55\n draw: 81 82 83",
        phase=bullenparty.rules.EXTENDING,
        takers=(),
    )
    assert choice(CAREFUL, bullenparty, t) == "extend 2"
