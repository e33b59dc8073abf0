"""Bullenparty's piles, arranged by the server: legal moves, and no better piles in the last round."""

import asyncio
from collections.abc import Iterator
from random import Random

import httpx
import pytest

from bullpen.deck import load_deck
from bullpen.game import complete_options
from bullpen.games.bullenparty.arranging import laid_well
from bullpen.games.bullenparty.rules import Table
from bullpen.server.play import Play, new_play
from tests.games import bullenparty
from tests.server.running import Served, bearer, checked, people, seated, started_table


def laying(seed: int, seats: int) -> Iterator[Play]:
    """Every position of a game played at random in which a seat begins to lay cards."""
    rng = Random(seed)
    options = complete_options(bullenparty, seats, {})
    play = new_play(bullenparty, seats, options, load_deck(bullenparty.DECK_FILES))
    began: tuple[int, int] | None = None
    while not play.is_over:
        while cards := bullenparty.to_shuffle(play.table):
            rng.shuffle(cards)
            play.shuffle(cards)
        table = play.table
        now = (table.actor, len(table.takers)) if table.phase == bullenparty.rules.PILING else None
        if now is not None and now != began:
            yield play
        began = now
        seat = rng.choice(play.waiting)
        play.move(seat, play.numbers[seat], rng.choice(play.offers(seat)), "bot")


def most_points(table: Table, seat: int) -> int:
    """By trying every way to lay all cards; ascending, which reaches every set of piles."""
    (lowest, *_) = bullenparty.rules.numbers_in(table.lying[bullenparty.rules.HAND + seat])
    best = -1000
    for action in bullenparty.legal(table, seat):
        if bullenparty.rules.pile_move(action)[0] == lowest:
            after, _ = bullenparty.apply(table, seat, action)
            done = after.phase != bullenparty.rules.PILING or after.actor != seat
            points = bullenparty.rules.worth(after, seat) if done else most_points(after, seat)
            best = max(best, points)
    return best


def test_an_arrangement_lays_exactly_what_has_to_be_laid() -> None:
    arranged = 0
    for play in laying(seed=3, seats=3):
        seat = play.table.actor
        actions, after = laid_well(play.view(seat))
        table = play.table
        for action in actions:
            assert table.actor == seat
            table, _ = bullenparty.apply(table, seat, action)
        assert table.phase != bullenparty.rules.PILING or table.actor != seat
        assert bullenparty.rules.piles(table, seat) == bullenparty.rules.piles(after, seat)
        arranged += 1
    assert arranged > 10


@pytest.mark.parametrize("seed", range(4))
def test_in_the_last_round_no_other_piles_make_more_points(seed: int) -> None:
    compared = 0
    for play in laying(seed, seats=2):
        table, seat = play.table, play.table.actor
        hand = bullenparty.rules.numbers_in(table.lying[bullenparty.rules.HAND + seat])
        if not table.emptied or len(hand) > 7:
            continue
        _, after = laid_well(play.view(seat))
        assert bullenparty.rules.worth(after, seat) == most_points(table, seat)
        compared += 1
    assert compared


def test_who_lays_cards_can_have_them_arranged_and_nobody_else(patient: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(patient.url, "bullenparty", people(1, bots=1), coach=True)
        asked = f"{patient.url}/api/tables/{table}/arrange"
        early = httpx.get(asked, headers=bearer(tokens[0]))
        assert (early.status_code, early.json()["key"]) == (409, "nothing_to_arrange")
        assert httpx.get(asked).status_code == 403
        async with seated(patient.url, table, tokens[0]) as player:
            while player.shown["phase"] != "piling" or player.question is None:
                if player.question is not None:
                    await player.move()
                else:
                    await player.hear()
            told = checked(httpx.get(asked, headers=bearer(tokens[0])))
            assert told["decision"] == player.asked["number"]
            assert told["moves"][0] in player.asked["moves"]
            assert all(pile == sorted(pile) for pile in told["piles"])
            for move in told["moves"]:
                assert (await player.move(move["action"]))["type"] == "accepted"
                await player.hear_of("view")
            laid = [cards for place, cards in player.shown["places"].items() if "of 0" in place]
            assert [cards for cards in laid if cards] == told["piles"]
            assert player.shown["scores"][0] == told["points"]

    asyncio.run(story())


def test_without_a_coach_nothing_is_arranged_before_the_last_round(patient: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(patient.url, "bullenparty", people(1, bots=1))
        asked = f"{patient.url}/api/tables/{table}/arrange"
        seen = set()
        async with seated(patient.url, table, tokens[0]) as player:
            while player.result is None:
                if player.shown["phase"] == "piling" and player.question is not None:
                    answer = httpx.get(asked, headers=bearer(tokens[0]))
                    emptied = player.shown["facts"]["emptied"]
                    assert answer.status_code == (200 if emptied else 403)
                    seen.add(bool(emptied))
                if player.question is not None:
                    await player.move()
                    await player.hear_of("view")
                else:
                    await player.hear()
        assert seen == {False, True}

    asyncio.run(story())
