"""What may be taken back: only what told nobody anything new."""

from __future__ import annotations

from random import Random

import pytest

from bullpen.deck import load_deck
from bullpen.game import complete_options
from bullpen.games import GAMES
from bullpen.server.play import new_play

GAMES_LOOKED_AT = 12


@pytest.mark.parametrize("name", GAMES)
def test_the_quick_look_at_what_was_shown_agrees_with_the_long_one(name: str) -> None:
    """Where only open cards moved, nobody has learnt anything, and nobody's memory is asked."""
    game, possible = GAMES[name], 0
    for seed in range(GAMES_LOOKED_AT):
        rng = Random(seed)
        seats = rng.choice(game.SEATS)
        play = new_play(game, seats, complete_options(game, seats, {}), load_deck(game.DECK_FILES))
        while not play.is_over:
            if cards := game.to_shuffle(play.table):
                rng.shuffle(cards)
                play.shuffle(cards)
                continue
            seat = rng.choice(play.waiting)
            play.move(seat, play.numbers[seat], rng.choice(play.offers(seat)), "person")
            if play.before is None or play.choices or play.is_over:
                assert play.undo_seat() is None
                continue
            may = play._shows_nothing_new()
            assert play.undo_seat() == (play.before.seat if may else None)
            possible += may
    assert possible
