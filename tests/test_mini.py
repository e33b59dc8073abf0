"""Mini games: which sizes there are, which are refused, and that each says that it is one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bullpen
from bullpen import record
from bullpen.deals import count_deals, nth_deal, packets_of
from bullpen.game import BadOption, OptionValue, complete_options, is_mini, read_options, titled
from bullpen.games import GAMES
from bullpen.server.changing import served_options
from bullpen.server.refused import Refused
from bullpen.text import voice
from tests.walks import MINI, set_up

WITH_MINI_GAMES = [game for game in GAMES.values() if game.printed]
EACH = pytest.mark.parametrize("game", WITH_MINI_GAMES, ids=lambda game: game.ID)
SMALL: dict[str, OptionValue] = {"hand": 2, "rows": 2, "full_at": 3, "cards": 8}


def refused(game: str, seats: int, **options: Any) -> BadOption:
    with pytest.raises(BadOption) as caught:
        complete_options(GAMES[game], seats, options)
    for language in ("en", "de", "pl"):
        sentence = voice(language).problem(caught.value)
        assert GAMES[game].TITLE in sentence
        assert "{" not in sentence
    return caught.value


# -- Which there are ------------------------------------------------------------------------------


def test_three_games_have_mini_games() -> None:
    assert {game.ID for game in WITH_MINI_GAMES} == {"six-nimmt", "x-nimmt", "hornochsen"}
    assert set(MINI) == {game.ID for game in WITH_MINI_GAMES}


@EACH
def test_the_printed_sizes_are_the_printed_game(game: Any) -> None:
    for seats in game.SEATS:
        assert complete_options(game, seats, game.sizes(seats)) == complete_options(game, seats, {})


def test_sizes_are_those_of_the_rulebooks() -> None:
    assert GAMES["six-nimmt"].sizes(5) == {"hand": 10, "rows": 4, "full_at": 6, "cards": 104}
    assert GAMES["x-nimmt"].sizes(3) == {"hand": 8, "rows": 3, "full_at": 3, "cards": 100}
    assert GAMES["hornochsen"].sizes(2) == {"hand": 14, "rows": 7, "full_at": 5, "cards": 98}
    assert GAMES["hornochsen"].sizes(6) == {"hand": 10, "rows": 15, "full_at": 5, "cards": 98}


@EACH
def test_a_mini_game_is_dealt_as_it_was_wished(game: Any) -> None:
    match = bullpen.new(game.ID, 2, seed=3, options=SMALL)
    numbers = set(range(1, 9))
    for seat in range(2):
        assert len(numbers & set(match.view(seat).hand)) == 2
    assert [len(cards) for cards in match.view(None).rows.values() if cards] == [1, 1]
    assert len(match.shuffles[0]) == 8


def test_a_row_of_a_mini_game_is_taken_by_the_card_that_was_wished() -> None:
    setup = set_up(GAMES["six-nimmt"], 2, **SMALL)
    game = setup.game
    table, _ = game.deal(game.set_up(2, setup.options, setup.deck), [5, 7, 6, 8, 4, 1, 2, 3])
    table, _ = game.apply(table, 0, 5)
    table, events = game.apply(table, 1, 6)  # 4 5, and 6 is the third
    assert [event["event"] for event in events] == ["reveal", "place", "take", "place"]
    assert table.heads_taken == (0, 3)


def test_rows_of_x_nimmt_keep_their_distance() -> None:
    rules = GAMES["x-nimmt"].rules
    for options, wanted in (({}, [3, 4, 5]), ({"full_at": 2, "rows": 2}, [2, 3])):
        setup = set_up(GAMES["x-nimmt"], 2, **options)
        table = setup.game.set_up(2, setup.options, setup.deck)
        assert [rules.full_at(table, row) for row in table.sizes.rows] == wanted


def test_a_mini_game_is_one_round_unless_it_asks_for_more() -> None:
    x_nimmt, six_nimmt = GAMES["x-nimmt"], GAMES["six-nimmt"]
    assert complete_options(x_nimmt, 2, SMALL)["rounds"] == 1
    assert complete_options(x_nimmt, 2, {**SMALL, "rounds": 2})["rounds"] == 2
    assert complete_options(six_nimmt, 2, SMALL)["rounds"] == 1
    assert complete_options(six_nimmt, 2, {"hand": 9, "rounds": None})["rounds"] is None


def test_sizes_can_be_typed() -> None:
    typed = read_options(GAMES["six-nimmt"], 2, ["hand=2", "rows=2", "full_at=3", "cards=8"])
    assert typed == complete_options(GAMES["six-nimmt"], 2, SMALL)


# -- Which there are not --------------------------------------------------------------------------


@EACH
def test_no_size_is_larger_than_printed_or_too_small_to_play_with(game: Any) -> None:
    for name, printed in game.sizes(2).items():
        wrong: list[Any] = [0, -1, printed + 1, "2", 2.0, True, None]
        for size in wrong + ([1] if name == "full_at" else []):
            problem = refused(game.ID, 2, **{name: size})
            assert problem.key == "bad_option"
            assert problem.facts["allowed"].endswith(f" – {printed}")


@EACH
def test_as_many_cards_as_are_dealt_are_needed(game: Any) -> None:
    problem = refused(game.ID, 2, hand=3, rows=2, cards=7)
    assert (problem.key, problem.facts["needed"]) == ("size_cards", 8)
    assert complete_options(game, 2, {"hand": 2, "rows": 2, "cards": 6})["cards"] == 6


def test_six_nimmt_to_a_limit_must_fill_a_row_in_every_round() -> None:
    problem = refused("six-nimmt", 2, hand=3, rounds=None)
    assert (problem.key, problem.facts["room"], problem.facts["played"]) == ("size_limit", 16, 6)
    assert refused("six-nimmt", 2, deck="tactical", cards=50).key == "size_tactical"
    assert is_mini(complete_options(GAMES["six-nimmt"], 2, {"hand": 3, "deck": "tactical"}))


def test_the_ring_of_hornochsen_needs_room_for_every_card() -> None:
    problem = refused("hornochsen", 2, hand=3, rows=2, full_at=3)
    assert (problem.key, problem.facts["room"], problem.facts["played"]) == ("size_ring", 4, 6)
    for seats in GAMES["hornochsen"].SEATS:  # the printed rows have just enough
        sizes = GAMES["hornochsen"].sizes(seats)
        assert sizes["hand"] * seats == (sizes["full_at"] - 1) * sizes["rows"]


@pytest.mark.parametrize("game", ["eleven-nimmt", "baron-oxx", "bullenparty"])
def test_a_game_without_mini_games_has_no_sizes(game: str) -> None:
    assert refused(game, 2, hand=2).key == "unknown_option"


# -- What it is called ----------------------------------------------------------------------------


@EACH
def test_only_the_printed_game_has_the_printed_name(game: Any) -> None:
    small = bullpen.new(game.ID, 2, seed=1, options=SMALL)
    assert titled(game, small.options).startswith(f"{game.TITLE} mini (hand 2, rows 2, ")
    assert str(small).splitlines()[0] == titled(game, small.options)
    assert str(bullpen.new(game.ID, 2, seed=1)).splitlines()[0] == game.TITLE


@EACH
def test_a_record_of_a_mini_game_tells_its_sizes_and_reads_back(game: Any, tmp_path: Path) -> None:
    match = bullpen.new(game.ID, 2, seed=5, options=SMALL)
    while not match.is_over:
        seat = match.waiting_for[0]
        match.move(seat, match.legal(seat)[0])
    record.save(match, tmp_path / "mini.json")
    again = record.load(tmp_path / "mini.json")
    assert again.options == match.options
    assert {name: again.options.get(name) for name in ("hand", "rows")} == {"hand": 2, "rows": 2}
    assert again.scores == match.scores


@EACH
def test_no_server_opens_a_mini_game(game: Any) -> None:
    with pytest.raises(Refused) as caught:
        served_options(game, 2, SMALL)
    assert (caught.value.key, caught.value.status) == ("mini_not_served", 422)
    assert served_options(game, 2, game.sizes(2)) == complete_options(game, 2, {})


# -- Deals ----------------------------------------------------------------------------------------


@EACH
def test_every_deal_is_counted_once_and_every_card_dealt_as_often(game: Any) -> None:
    setup = set_up(game, 2, hand=2, rows=2, full_at=3, cards=7)
    table = game.set_up(2, setup.options, setup.deck)
    cards, packets = game.to_shuffle(table), packets_of(game, table)
    assert packets is not None
    count = count_deals(len(cards), packets)
    deals = {str(game.deal(table, nth_deal(cards, packets, number))[0]) for number in range(count)}
    assert len(deals) == count
    for number in range(count):
        assert sorted(nth_deal(cards, packets, number)) == cards
