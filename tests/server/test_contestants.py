"""What counts for a rating, and what somebody might try to be rated higher than they play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bullpen.games import GAMES
from bullpen.server.changing import served_options
from bullpen.server.contestants import (
    Contestant,
    Contestants,
    contestants,
    given_up,
    mark,
    same_people,
    unmarked,
    why_no_game,
)
from bullpen.server.header import Header, Part, PlayedOn, SeatTaken, our_deck, without_people
from bullpen.server.play import Made, Play, new_play
from bullpen.server.ratings import NEWCOMER, rated
from bullpen.server.store.ratings import Known, Outcome

GAME = "six-nimmt"
ANNA, BERT, CELINA = ("a" * 32, "b" * 32, "c" * 32)
WHOSE = {ANNA: "anna", BERT: "bert", CELINA: "celina"}
LONG = Known(25.0, 2.0, games=50)


def person(device: str | None, **facts: Any) -> SeatTaken:
    return SeatTaken(kind="person", name="somebody", device=device, **facts)


def bot(level: Any = "medium") -> SeatTaken:
    return SeatTaken(kind="bot", name="Berta", level=level)


def header(*seats: SeatTaken, **facts: Any) -> Header:
    return Header(game=GAME, options={}, seats=list(seats), secret="ab" * 32, **facts)


def played(by: Mapping[int, str], seats: int) -> Play:
    """`by`: of each seat, by whom its decisions were made: p(erson), s(tand-in), c(lock), b(ot)."""
    game = GAMES[GAME]
    play = new_play(game, seats, served_options(game, seats, {}), our_deck(GAME))
    words = {"p": "person", "s": "stand_in", "c": "clock", "b": "bot"}
    for seat in range(seats):
        play.made.extend(Made(0, seat, 1, words[one]) for one in by.get(seat, "pppppppp"))
    return play


def over(table: Header, scores: Sequence[int], by: Mapping[int, str] | None = None) -> Contestants:
    return contestants(table, played(by or {}, len(table.seats)), scores)


def ratings(found: Contestants, known: Mapping[str, Known] | None = None) -> dict[str, Outcome]:
    field = [one._asdict() for one in found]
    return rated(GAME, field, WHOSE, known or {}, NEWCOMER)


# -- What counts --------------------------------------------------------------------------------


def test_the_better_one_gains_and_the_other_loses_and_both_get_surer() -> None:
    found = ratings(over(header(person(ANNA), person(BERT)), [3, 30]))  # fewer are better
    assert found["anna"].mu > NEWCOMER.mu > found["bert"].mu
    assert all(one.sigma < NEWCOMER.sigma and one.why_not is None for one in found.values())


def test_equal_points_are_a_shared_place() -> None:
    found = ratings(over(header(person(ANNA), person(BERT)), [7, 7]))
    assert found["anna"].mu == pytest.approx(found["bert"].mu)


def test_to_beat_a_strong_level_is_worth_more_and_no_level_changes() -> None:
    easy = ratings(over(header(person(ANNA), bot("easy")), [3, 30]))
    expert = ratings(over(header(person(ANNA), bot("expert")), [3, 30]))
    assert list(expert) == ["anna"]
    assert expert["anna"].mu - NEWCOMER.mu > 3 * (easy["anna"].mu - NEWCOMER.mu) > 0


# -- What does not ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"practice": 1}, "practice"),
        ({"daily": "2026-11-17"}, "daily"),
        ({"played_on": PlayedOn(table="t", turn=1)}, "practice"),
        ({"coach": True}, "coach"),
        ({"deck": {"cards": []}}, "deck"),
    ],
)
def test_what_was_agreed_can_leave_a_table_unrated(facts: dict[str, Any], why: str) -> None:
    table = header(person(ANNA), bot(), **facts)
    assert why_no_game(table) == why
    assert over(table, [3, 30]) == given_up(table) == []


def test_a_mini_game_would_not_be_rated() -> None:
    table = header(person(ANNA), bot())
    assert why_no_game(table) is None
    assert why_no_game(table.model_copy(update={"options": {**table.options, "hand": 2}})) == "deck"


def test_one_device_at_two_seats_is_not_rated_and_who_sat_there_too_is() -> None:
    found = ratings(over(header(person(ANNA), person(ANNA), person(BERT), bot()), [3, 30, 9, 9]))
    assert found["anna"].why_not == "same_person"
    assert found["anna"].mu == NEWCOMER.mu
    only = ratings(over(header(person(BERT), bot()), [9, 9]))
    assert found["bert"].mu == pytest.approx(only["bert"].mu)  # measured by the bot alone


def test_one_address_at_two_seats_is_not_rated() -> None:
    table = header()
    here, there = mark(table, "10.1.1.1"), mark(table, "10.1.1.2")
    table.seats = [person(ANNA, network=here), person(BERT, network=here)]
    found = ratings(over(table, [3, 30]))
    assert [one.why_not for one in found.values()] == ["same_person"] * 2
    table.seats = [person(ANNA, network=here), person(BERT, network=there)]
    assert same_people(table.seats) == set()
    assert ratings(over(table, [3, 30]))["anna"].why_not is None


def test_all_addresses_of_one_line_are_one_and_a_mark_tells_nothing_at_another_table() -> None:
    table, other = header(), header().model_copy(update={"secret": "cd" * 32})
    assert mark(table, "2001:db8::1") == mark(table, "2001:db8::2")
    assert mark(table, "10.1.1.1") != mark(other, "10.1.1.1")
    assert "10.1.1.1" not in str(mark(table, "10.1.1.1"))


def test_at_a_deal_of_the_day_whose_secret_everybody_learns_there_is_no_mark() -> None:
    assert mark(header(daily="2026-11-17"), "10.1.1.1") is None


def test_two_devices_of_one_player_are_one() -> None:
    found = over(header(person(ANNA), person(BERT)), [3, 30])
    out = rated(GAME, [one._asdict() for one in found], {ANNA: "anna", BERT: "anna"}, {}, NEWCOMER)
    assert {player: one.why_not for player, one in out.items()} == {"anna": "same_person"}


def test_nothing_of_an_address_is_left_when_a_game_is_over_or_pruned() -> None:
    table = header(person(ANNA, network="f" * 16), bot())
    assert unmarked(table).seats[0].network is None
    assert "f" * 16 not in str(without_people(table.model_dump()))


# -- Leaving ------------------------------------------------------------------------------------


@pytest.mark.parametrize("decisions", ["pppppps", "pppppppc", "sssssssp", "pcpcpcpp"])
def test_a_seat_that_a_bot_has_played_counts_as_lost_however_well_it_did(decisions: str) -> None:
    found = ratings(over(header(person(ANNA), person(BERT)), [3, 30], {0: decisions}))
    assert found["anna"].mu < NEWCOMER.mu


def test_a_moment_away_costs_nothing() -> None:
    found = ratings(over(header(person(ANNA), person(BERT)), [3, 30], {0: "pppspppppp"}))
    assert found["anna"].mu > NEWCOMER.mu


def test_who_leaves_late_has_lost_to_the_others_and_who_leaves_at_once_gives_them_nothing() -> None:
    table = header(person(ANNA), person(BERT))
    late = ratings(over(table, [30, 3], {1: "ppppps"}))
    assert late["anna"].mu > NEWCOMER.mu > late["bert"].mu
    at_once = ratings(over(table, [30, 3], {1: "pssssss"}))
    assert at_once["anna"].why_not == "alone"
    assert at_once["bert"].mu < NEWCOMER.mu


def test_a_game_with_bots_that_is_given_up_is_lost() -> None:
    found = ratings(given_up(header(person(ANNA), bot("easy"), bot("medium"))))
    assert found["anna"].mu < NEWCOMER.mu


def test_programs_are_nobody_to_go_on_with() -> None:
    program = SeatTaken(kind="program", name="p")
    found = ratings(given_up(header(person(ANNA), program, bot("easy"))))
    assert found["anna"].mu < NEWCOMER.mu
    with_it_alone = ratings(given_up(header(person(ANNA), program)))
    assert with_it_alone["anna"].why_not == "alone"  # nor to be measured by


def test_a_game_among_people_that_nobody_went_on_with_says_nothing() -> None:
    assert given_up(header(person(ANNA), person(BERT), bot())) == []


def test_a_host_who_sends_somebody_away_has_lost() -> None:
    gone = SeatTaken(kind="person", name="x", sent_away=True)
    found = ratings(over(header(person(ANNA), gone, bot(), senders=[0]), [3, 30, 30]))
    assert found["anna"].mu < NEWCOMER.mu


def test_who_lets_somebody_play_for_a_bot_neither_wins_against_it_nor_gets_away() -> None:
    was = Part(kind="bot", name="Berta", decisions=4, level="medium")
    taken_over = person(BERT, earlier=[was])
    for scores in ([3, 30], [30, 3]):
        found = ratings(over(header(person(ANNA), taken_over), scores, {1: "bbbbpppp"}))
        assert found["anna"].mu < NEWCOMER.mu
        assert found["bert"].why_not == "took_over"


def test_who_left_a_seat_to_somebody_else_has_lost_also_where_they_sit_down_again() -> None:
    was = Part(kind="person", name="Anna", decisions=4, device=ANNA)
    for_bot = Part(kind="bot", name="Berta", decisions=6, level="medium")
    seats = person(CELINA, earlier=[was]), person(ANNA, earlier=[for_bot]), person(BERT)
    found = ratings(over(header(*seats), [3, 3, 30], {0: "pppppppp", 1: "bbbbbbpp"}))
    assert found["anna"].mu < NEWCOMER.mu
    assert found["celina"].why_not == "took_over"


def test_who_takes_over_a_seat_beside_their_own_is_rated_by_their_own() -> None:
    was = Part(kind="bot", name="Berta", decisions=4, level="medium")
    beside = person(ANNA, earlier=[was])
    found = ratings(over(header(person(ANNA), beside, bot()), [30, 3, 3], {1: "bbbbpppp"}))
    assert found["anna"].why_not is None
    assert found["anna"].mu < NEWCOMER.mu


def test_a_device_that_became_somebody_else_since_the_start_loses_for_them_and_never_wins() -> None:
    def out(own: int) -> Outcome:
        found = over(header(person(ANNA), bot()), [own, 20])
        return ratings([one._replace(has_moved=one.device == ANNA) for one in found])["anna"]

    assert (out(3).why_not, out(3).mu) == ("device_changed", NEWCOMER.mu)
    assert out(30).why_not is None
    assert out(30).mu < NEWCOMER.mu


# -- Helpers of a cheater -----------------------------------------------------------------------


def test_somebody_new_moves_nobody_who_is_known() -> None:
    found = over(header(person(ANNA), person(BERT)), [3, 30])
    out = ratings(found, {"anna": LONG})
    assert (out["anna"].why_not, out["anna"].mu) == ("alone", LONG.mu)
    assert out["bert"].mu < NEWCOMER.mu
    both = ratings(found, {"anna": LONG, "bert": LONG})
    assert both["anna"].mu > LONG.mu


def test_who_loses_on_purpose_again_and_again_is_worth_less_each_time() -> None:
    found = over(header(person(ANNA), person(BERT)), [3, 30])
    known, gains = {"anna": LONG, "bert": LONG}, []
    for _ in range(30):
        out = ratings(found, known)
        gains.append(out["anna"].mu - known["anna"].mu)
        known = {
            player: Known(one.mu, one.sigma, known[player].games + 1) for player, one in out.items()
        }
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] < gains[0] / 2


def test_programs_and_people_who_were_deleted_are_nobody() -> None:
    program = SeatTaken(kind="program", name="p")
    found = ratings(over(header(person(ANNA), program, person(None)), [3, 30, 30]))
    assert {player: one.why_not for player, one in found.items()} == {"anna": "alone"}


def test_a_game_that_this_server_knows_no_more_stops_no_other_from_being_rated() -> None:
    field = [one._asdict() for one in given_up(header(person(ANNA), bot()))]
    out = rated("chess", field, WHOSE, {}, NEWCOMER)
    assert out["anna"].why_not == "alone"


def test_a_contestant_goes_into_the_store_and_comes_back() -> None:
    (one, _) = over(header(person(ANNA), bot()), [3, 30])
    assert Contestant(**one._asdict()) == one
