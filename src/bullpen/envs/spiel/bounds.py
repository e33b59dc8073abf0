"""How long a game can get, how many points it can bring: true bounds, not always tight ones.

OpenSpiel asks for them before the first card is dealt.  Each one stands beside its reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bullpen.deck import Deck
from bullpen.game import Options
from bullpen.games import baron_oxx, bullenparty, eleven_nimmt, hornochsen, six_nimmt, x_nimmt


class Bounds(NamedTuple):
    decisions: int
    shuffles: int
    least: int  # points of a seat
    most: int


def whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def x_nimmt_bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """Every collection takes a card out of play for good, and the rows have room for six cards between
    two of them; each brings at most two choices.  A head counts 2 at most."""
    rounds, cards = whole(options["rounds"]), x_nimmt.HAND_SIZE * seats + len(x_nimmt.ROWS)
    room = sum(x_nimmt.FULL_AT) - 2 * len(x_nimmt.ROWS)
    a_round = cards * (1 + room + 2) + room
    return Bounds(a_round * rounds, rounds, 0, 2 * sum(deck.heads) * rounds)


def six_nimmt_bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """A card and perhaps a row for each card of the hands.  At least what the rows cannot hold is taken
    in a round, so the limit is reached after so many."""
    played = six_nimmt.HAND_SIZE * seats
    heads = sum(deck.heads)
    if options["rounds"] is not None:
        rounds = whole(options["rounds"])
        most = heads * rounds
    else:
        limit = whole(options["limit"])
        room = (six_nimmt.FULL_AT - 2) * len(six_nimmt.ROWS)
        rounds = seats * (limit - 1) // (played - room) + 1
        most = limit - 1 + heads
    return Bounds(2 * played * rounds, rounds, 0, most)


def eleven_nimmt_bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """Every stack is opened from the draw pile and taken once at most; between two takings no card is
    played twice.  A play may be followed by the end of a turn, a taking by the choice of a bull card."""
    rounds = whole(options["rounds"])
    cards = len(eleven_nimmt.CARDS)
    takings = cards - eleven_nimmt.HAND_SIZE * seats
    a_round = 2 * cards * (takings + 1) + 2 * takings
    return Bounds(a_round * rounds, rounds, 0, sum(deck.heads) * rounds)


def hornochsen_bounds(seats: int, options: Options, deck: Deck) -> Bounds:  # noqa: ARG001
    """Every card is played once, and after each the turn may be stopped.  One pile might get all x2."""
    cards = (hornochsen.DEAL[seats][0] + 2) * seats
    good = sum(head for head in deck.heads if head > 0) + 5 * seats
    bad = sum(head for head in deck.heads if head < 0)
    left = 2 * hornochsen.SPECIAL_LEFT
    return Bounds(2 * cards, 1, (bad << seats) + left, good << seats)


def baron_oxx_bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """A card and perhaps a row for each card; in the positive variant all cards that are left may go
    under between two that are placed."""
    games, cards = whole(options["games"]), baron_oxx.CARDS_EACH[seats] * seats
    bulls = sum(sum(colours) for colours in deck.colours) * games
    if options["variant"] == "positive":
        return Bounds(cards * (cards + 2) * games, games, -bulls, bulls)
    return Bounds(2 * cards * games, games, 0, bulls)


def bullenparty_bounds(seats: int, options: Options, deck: Deck) -> Bounds:  # noqa: ARG001
    """Every round draws two cards a row while the draw pile lasts.  In a round at most 3 cards extend a
    row and everyone takes one, and each bidding does one of these at least; then hands are laid down."""
    drawn = len(bullenparty.NUMBERS) - bullenparty.HAND_SIZE * seats
    rounds = drawn // (bullenparty.FIRST_IN_ROW * seats) + 2
    served = (bullenparty.FULL_ROW - bullenparty.FIRST_IN_ROW + 1) * seats
    a_round = served * seats + served + bullenparty.FULL_ROW * seats
    decisions = a_round * rounds + 2 * bullenparty.HAND_SIZE * seats
    heads, bulls = sum(deck.heads), sum(deck.bulls)
    # Zero cards and number cards at first; in the last round perhaps the discards for each card drawn.
    shuffles = 2 + bullenparty.FULL_ROW * seats
    return Bounds(decisions, shuffles, -heads, heads + bulls)


BOUNDS: dict[str, Callable[[int, Options, Deck], Bounds]] = {
    "hornochsen": hornochsen_bounds,
    "eleven-nimmt": eleven_nimmt_bounds,
    "x-nimmt": x_nimmt_bounds,
    "baron-oxx": baron_oxx_bounds,
    "bullenparty": bullenparty_bounds,
    "six-nimmt": six_nimmt_bounds,
}
