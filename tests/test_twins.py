"""Compiled twins and plain rules agree, move by move."""

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from bullpen import fast
from bullpen.deck import load_deck
from bullpen.game import OptionValue, complete_options
from bullpen.games import GAMES
from tests.lockstep import Difference, follow_games, imagine_all, lockstep
from tests.soaking import counted
from tests.walks import MINI

VARIANTS: dict[str, list[dict[str, OptionValue]]] = {
    "hornochsen": [{}, {"first_seat": 1}],
    "eleven-nimmt": [{"rounds": 1}, {"rounds": 2, "first_seat": 1}],
    "x-nimmt": [{}, {"x_choice": "free", "rounds": 1}, {"rounds": 3}],
    "baron-oxx": [{}, {"variant": "colour"}, {"variant": "positive"}, {"games": 2}],
    "bullenparty": [{}],
    "six-nimmt": [{"rounds": 1}, {"deck": "tactical", "rounds": 2}, {"limit": 20}],
}
EVERY_WAY = [
    (game, seats, variant)
    for game, rules in GAMES.items()
    for seats, variant in product(rules.SEATS, VARIANTS[game] + MINI.get(game, []))
]
GAMES_IN_ALL = 2_000  # of each game, shared among its player counts and variants
SOAK, SOME_GAMES = 1_000_000, 200


def tables_of(game: str, count: int) -> list[tuple[int, dict[str, OptionValue], range]]:
    """Player counts, options and seeds that make so many games."""
    ways = [(seats, variant) for name, seats, variant in EVERY_WAY if name == game]
    share = -(-count // len(ways))
    return [
        (seats, complete_options(GAMES[game], seats, variant), range(at * share, (at + 1) * share))
        for at, (seats, variant) in enumerate(ways)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_twin_agrees_with_the_plain_rules_in_every_card_action_and_score(game: str) -> None:
    deck = load_deck(GAMES[game].DECK_FILES)
    for seats, options, seeds in tables_of(game, GAMES_IN_ALL):
        follow_games(game, seats, options, deck, seeds)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_a_million_games_agree(game: str) -> None:
    deck = load_deck(GAMES[game].DECK_FILES)
    for part in counted(SOAK, f"games of {game}", by=SOME_GAMES):
        for seats, options, seeds in tables_of(game, SOME_GAMES):
            new = range(seeds.start + part * SOAK, seeds.stop + part * SOAK)
            follow_games(game, seats, options, deck, new)


@pytest.mark.parametrize(("game", "seats", "variant"), EVERY_WAY)
def test_a_record_turns_into_the_plain_table_and_back_after_every_decision(
    game: str, seats: int, variant: dict[str, OptionValue]
) -> None:
    deck = load_deck(GAMES[game].DECK_FILES)
    assert lockstep(game, seats, complete_options(GAMES[game], seats, variant), deck, seed=5) > 0


def random_table(game: str, seats: int, variant: dict[str, OptionValue], rng: Random) -> Any:
    """A plain table some way into its first round, perhaps in the middle of a secret choice."""
    rules = GAMES[game]
    deck = load_deck(rules.DECK_FILES)
    table = rules.set_up(seats, complete_options(rules, seats, variant), deck)
    for _ in range(rng.randrange(2, 60)):
        if cards := rules.to_shuffle(table):
            if rules.rounds(table):
                break
            rng.shuffle(cards)
            after = rules.deal(table, cards)[0]
        elif waiting := rules.waiting_for(table):
            seat = rng.choice(waiting)
            after = rules.apply(table, seat, rng.choice(rules.legal(table, seat)))[0]
        else:
            break
        if not rules.waiting_for(after) and not rules.to_shuffle(after):
            break
        table = after
    return table


@pytest.mark.parametrize("game", GAMES)
def test_what_a_twin_imagines_looks_the_same_to_the_seat_that_imagines(game: str) -> None:
    rules, twin, rng = GAMES[game], fast.twin(game), Random(3)
    for seats, variant in product(rules.SEATS, VARIANTS[game] + MINI.get(game, [])):
        for _ in range(4):
            table = random_table(game, seats, variant, rng)
            if not rules.waiting_for(table):
                continue
            for seat in range(seats):
                states = np.repeat(twin.to_record(table), 3)
                imagine_all(states, seat, rng.getrandbits(32))
                for state in states:
                    imagined = twin.from_record(state.reshape(1), table.options, table.deck)
                    assert_looks_the_same(rules, twin, table, imagined, seat)


def assert_looks_the_same(rules: Any, twin: Any, table: Any, imagined: Any, seat: int) -> None:
    seen, fancied = rules.view(table, seat), rules.view(imagined, seat)
    sets = [
        place
        for name, place in rules.places(table).items()
        if name.rstrip("0123456789 ") in twin.SETS
    ]
    for lying, other in (
        (seen.table.lying, fancied.table.lying),
        (seen.remembered, fancied.remembered),
    ):
        for place, cards in enumerate(lying):
            if place in sets:
                assert sorted(cards) == sorted(other[place])
            else:
                assert cards == other[place]
    assert sorted(seen.legal) == sorted(fancied.legal)


@pytest.mark.parametrize("game", GAMES)
def test_a_twin_imagines_different_tables(game: str) -> None:
    twin = fast.twin(game)
    table = random_table(game, 3, VARIANTS[game][0], Random(1))
    states = np.repeat(twin.to_record(table), 50)
    imagine_all(states, 0, 7)
    assert len({state.tobytes() for state in states}) > 25


@pytest.mark.parametrize("game", GAMES)
def test_a_random_legal_action_can_be_any_of_them(game: str) -> None:
    rules, twin, rng = GAMES[game], fast.twin(game), Random(9)
    for _ in range(8):
        table = random_table(game, 3, VARIANTS[game][0], rng)
        if not rules.waiting_for(table):
            continue
        states, source = twin.to_record(table), np.array([rng.getrandbits(63) | 1], np.uint64)
        legal = rules.legal(table, rules.waiting_for(table)[0])
        drawn = {int(twin.random_legal(states[0], source)) for _ in range(40 * len(legal))}
        assert drawn == set(legal)


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_small(game: str) -> None:
    most = 2048 if game in ("eleven-nimmt", "bullenparty") else 1024
    assert fast.twin(game).STATE.itemsize <= most


def test_a_fault_planted_in_a_twin_is_caught() -> None:
    """A record that says another limit than the plain table plays on when the game is over."""
    rules, twin = GAMES["six-nimmt"], fast.twin("six-nimmt")
    options = complete_options(rules, 4, {"limit": 30})
    honest = twin.to_record

    def lying_record(table: Any) -> Any:
        states = honest(table)
        states["limit"] = 31
        return states

    twin.to_record = lying_record
    try:
        with pytest.raises(Difference):
            follow_games("six-nimmt", 4, options, load_deck(rules.DECK_FILES), range(200))
    finally:
        twin.to_record = honest
