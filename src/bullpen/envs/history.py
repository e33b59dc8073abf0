"""Who played what and when: what any observation can have besides, as in OpenSpiel's information state.

For every card who laid it last in this round, counted clockwise from who observes (1 for oneself, 0 for nobody), and
then for every card as which play of the round that was.  A play counts when all have seen it: what is chosen in
secret, once it is revealed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.cards import Card, Lying
from bullpen.envs.layouts import MOST, Layout, Observation, kind_of
from bullpen.game import Game, Seat
from bullpen.places import FACE_UP, HELD, TOP_ONLY
from bullpen.table import Table

History = Literal["none", "plays"]
Laid = tuple[Seat, Card]

OPEN = (FACE_UP, TOP_ONLY)  # where a card is laid that all see


def history_length(form: Layout, history: History) -> int:
    """How many numbers of an observation by places tell it."""
    return 2 * form.cards if history == "plays" else 0


def laid_in(rules: Game[Any], table: Table) -> tuple[Laid, ...]:
    """Who laid which card with the number on it, in the last change.  What was chosen in secret is told when it is
    turned up, and not again when it finds its place."""
    laid: list[Laid] = []
    for _, cards, origin, to, _, _ in table.carries:
        family = table.PLACES.family_of(origin)
        if origin == to:
            is_laid = family.secret_in >= 0
        else:
            is_laid = family.sight == HELD and table.PLACES.family_of(to).sight in OPEN
        if is_laid:
            seat = origin - family.first
            laid += [(seat, card) for card in cards if card not in rules.CARD_NAMES]
    return tuple(laid)


def seen_plays(plays: Sequence[Laid], form: Layout, viewer: Seat) -> Observation:
    """The plays of a round in their order, as a seat sees them."""
    seen = np.zeros(2 * form.cards, np.int16)
    for number, (seat, card) in enumerate(plays, start=1):
        seen[card - 1] = (seat - viewer) % form.seats + 1
        seen[form.cards + card - 1] = min(number, MOST)
    return seen


def plays_for_a_network(form: Layout, seen: Observation) -> NDArray[np.float32]:
    """[..., 2 * cards] becomes [..., cards * (seats + 1)]: a 0-1 plane for every seat, and when, in parts of the
    deck."""
    by_whom, when = seen[..., : form.cards, None], seen[..., form.cards :]
    shown = (by_whom == np.arange(1, form.seats + 1, dtype=np.int16)).astype(np.float32)
    flat = shown.reshape(*seen.shape[:-1], -1)
    return np.concatenate([flat, when.astype(np.float32) / form.cards], axis=-1)


# -- For compiled code ------------------------------------------------------------------------------


class Plays(NamedTuple):
    """The plays of any number of games."""

    lays: NDArray[np.int16]  # by action: the card that it lays; 0 for none
    secret: int  # the phase of a secret choice
    by_whom: NDArray[np.int8]  # [games, cards]: the seat + 1
    when: NDArray[np.int16]  # [games, cards]
    number: NDArray[np.int16]  # [games]: of the last play of the round
    chosen: NDArray[np.int16]  # [games, seats]: what is not revealed yet


def no_plays(game: Game[Any], form: Layout, games: int) -> Plays:
    return Plays(
        lays_by_action(game),
        kind_of(game.ID).secret[0],
        np.zeros((games, form.cards), np.int8),
        np.zeros((games, form.cards), np.int16),
        np.zeros(games, np.int16),
        np.zeros((games, form.seats), np.int16),
    )


def lays_by_action(game: Game[Any]) -> NDArray[np.int16]:
    """The card with a number that an action picks from one's hand."""
    lays = np.zeros(max(game.NOTATION) + 1, np.int16)
    places = game.actions.places
    nothing_lies: Lying = [()] * places.fixed
    for card, place, action in game.actions.picks(0, nothing_lies):
        if places.family_of(place).sight == HELD and card not in game.CARD_NAMES:
            lays[action] = card
    return lays
