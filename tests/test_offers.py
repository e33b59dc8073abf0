"""What an offer means is what then happens: over all games, tried on what a player sees."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given

import bullpen
from bullpen.cards import Card
from bullpen.game import Game, OptionValue
from bullpen.games import GAMES
from bullpen.match import Match
from bullpen.offers import NEW_HEAP, Meaning, meaning, unusable
from tests.walks import SEEDS, Setup, setups, walk

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@every_game
def test_every_offer_of_every_view_can_be_tried(game: Game[Any]) -> None:
    @given(setups(game), SEEDS)
    def tried(setup: Setup, seed: int) -> None:
        rng = Random(seed)
        for step in walk(setup, seed):
            if step.seat is None or rng.random() > 0.2:
                continue
            view = game.view(step.before, step.seat)
            names = game.places(step.before)
            for action in view.legal:
                meant = meaning(game, view, action)
                if meant.card is not None:
                    assert meant.origin is not None
                    assert meant.card in view.table.lying[names[meant.origin]]
                assert meant.place is None or meant.place in (NEW_HEAP, *names)
                assert set(meant.next) <= set(names)
                assert set(meant.then) <= set(game.EVENTS)
                assert (meant.effect == "takes") == bool(meant.taken)
                if meant.effect in ("takes", "joins"):
                    assert meant.place is not None
            for card, refusal in unusable(game, view).items():
                assert card in [card for cards in view.table.lying for card in cards]
                assert refusal.rule.startswith(game.PREFIX)

    tried()


@every_game
def test_trying_an_offer_leaves_the_view_as_it_was(game: Game[Any]) -> None:
    match = bullpen.new(game.ID, game.SEATS[0], seed=1)
    seat = match.waiting_for[0]
    view = match.view(seat)
    for action in view.legal:
        meaning(game, view, action)
    assert view == match.view(seat)


# -- Secret choices: the card that is placed first finds the table as its player saw it ---------------


SECRET: list[tuple[str, dict[str, OptionValue]]] = [
    ("six-nimmt", {}),
    ("x-nimmt", {}),
    ("x-nimmt", {"x_choice": "free"}),
    ("baron-oxx", {}),
    ("baron-oxx", {"variant": "colour"}),
    ("baron-oxx", {"variant": "positive"}),
]


@pytest.mark.parametrize(("game", "options"), SECRET)
def test_the_first_card_of_a_turn_lands_as_its_offer_said(
    game: str, options: dict[str, OptionValue]
) -> None:
    kinds = set()
    for seed in range(6):
        rng, match = Random(seed), bullpen.new(game, 3, seed=seed, options=options)
        while not match.is_over:
            if len(match.waiting_for) == 1:
                seat = match.waiting_for[0]
                match.move(seat, rng.choice(match.legal(seat)))
            else:
                kinds |= first_of_a_turn(match, rng)
    assert kinds >= {"takes", "joins", "chooses"}


def first_of_a_turn(match: Match, rng: Random) -> set[str]:
    said, before = {}, dict(match.game.places(match.table))
    lying = {name: match.table.lying[place] for name, place in before.items()}
    events: list[dict[str, Any]] = []
    for seat in list(match.waiting_for):
        view = match.view(seat)
        action = rng.choice(view.legal)
        said[seat] = meaning(match.game, view, action)
        events = match.act(seat, action)
    if not events or events[0]["event"] != "reveal":
        return set()
    if len(events) == 1:  # somebody has to choose
        meant = said[match.waiting_for[0]]
        assert meant.effect == "chooses"
        assert set(meant.next) == {
            f"row {move.split()[1]}" for move in match.legal(*match.waiting_for)
        }
        return {meant.effect}
    first = events[1]
    meant = said[first["seat"]]
    if first["event"] == "under":
        assert meant.place == f"draw {first['seat']}"
        return set()
    assert meant.place == f"row {first['row']}"
    if first["event"] == "place":
        assert (meant.effect, meant.card) == ("joins", first["card"])
    else:
        assert meant.effect == "takes"
        assert list(meant.taken) == first["cards"] == list(lying[meant.place])
    return {meant.effect}


# -- One after the other ---------------------------------------------------------------------------


def test_in_hornochsen_a_card_goes_where_it_was_said_and_takes_what_was_said() -> None:
    for meant, events, _ in played("hornochsen", "play "):
        takes = [event for event in events if event["event"] == "take"]
        assert meant.effect == ("takes" if takes else "joins")
        assert meant.card == events[0]["card"]
        if takes:
            assert set(meant.taken) | {meant.card} >= set(takes[0]["cards"])


def test_in_11_nimmt_a_card_lands_on_the_stack_that_was_said() -> None:
    for meant, events, lying in played("eleven-nimmt", "play "):
        assert events[0]["event"] == "place"
        assert meant.place is not None
        assert meant.card == events[0]["card"]
        assert meant.effect == "joins"
        assert meant.place in lying


def test_in_bullenparty_laying_a_card_changes_the_points_as_it_was_said() -> None:
    changes = 0
    for seed in range(4):
        rng, match = Random(seed), bullpen.new("bullenparty", 3, seed=seed)
        while not match.is_over:
            seat = rng.choice(match.waiting_for)
            view = match.view(seat)
            action = rng.choice(view.legal)
            meant, before = meaning(match.game, view, action), match.scores[seat]
            match.act(seat, action)
            if match.game.NOTATION[action].startswith("pile "):
                assert meant.points == match.scores[seat] - before
                changes += bool(meant.points)
    assert changes > 20


def played(
    game: str, beginning: str
) -> list[tuple[Any, list[dict[str, Any]], dict[str, tuple[Card, ...]]]]:
    """Moves that begin so, what they were said to mean, what happened, and where the cards lay."""
    found = []
    for seed in range(4):
        rng, match = Random(seed), bullpen.new(game, 3, seed=seed)
        while not match.is_over:
            seat = match.waiting_for[0]
            view = match.view(seat)
            action = rng.choice(view.legal)
            meant = meaning(match.game, view, action)
            lying = {n: match.table.lying[p] for n, p in match.game.places(match.table).items()}
            events = match.act(seat, action)
            if match.game.NOTATION[action].startswith(beginning):
                found.append((meant, events, lying))
    assert len(found) > 50
    return found


# -- What the points are made of ---------------------------------------------------------------------


@every_game
def test_what_cards_are_worth_is_what_is_counted_at_the_end(game: Game[Any]) -> None:
    """Where a round has just ended, the cards still lie as they were counted."""
    for seed in range(3):
        rng, match = Random(seed), bullpen.new(game.ID, game.SEATS[-1], seed=seed)
        while not match.is_over:
            seat = match.waiting_for[0]
            match.move(seat, rng.choice(match.legal(seat)))
        last = match.rounds[-1] if match.rounds else match.scores
        worth = [game.rules.worth(match.table, seat) for seat in range(match.seats)]
        assert worth == list(last)
        assert any(part.cards for parts in game.tally(match.table) for part in parts)


# -- Whether it is good --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "options", "tone"),
    [
        ("six-nimmt", {}, "bad"),
        ("x-nimmt", {}, "bad"),  # though the hand counts less once the card is played
        ("eleven-nimmt", {}, "bad"),
        ("baron-oxx", {}, "bad"),
        ("baron-oxx", {"variant": "positive"}, "good"),  # where the most bulls win
        ("bullenparty", {}, "good"),
    ],
)
def test_whether_taking_is_good_is_for_the_rules_to_say(
    game: str, options: dict[str, OptionValue], tone: str
) -> None:
    tones = {one.tone for one in tried_at_random(game, options) if one.effect == "takes"}
    assert tones == {tone}


def test_green_heads_are_good_and_red_ones_bad() -> None:
    taking = [one for one in tried_at_random("hornochsen", {}) if one.effect == "takes"]
    assert {one.tone for one in taking} >= {"good", "bad"}
    for one in taking:
        assert one.points is not None
        assert one.tone == ("plain" if one.points == 0 else "good" if one.points > 0 else "bad")


def tried_at_random(game: str, options: dict[str, OptionValue]) -> list[Meaning]:
    """What could be done in a game at random, as far as it was."""
    rng, match, found = Random(3), bullpen.new(game, 3, seed=3, options=options), list[Meaning]()
    while not match.is_over:
        seat = match.waiting_for[0]
        view = match.view(seat)
        found += [meaning(match.game, view, action) for action in view.legal[:4]]
        match.act(seat, rng.choice(view.legal))
    return found
