"""6 nimmt!, the classic  (Wolfgang Kramer; 2-10 players)

Read this file beside docs/games/six-nimmt.md: its sections stand in the same order, and a rule is a
function that carries the rule's id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from pathlib import Path

from bullpen import table as base
from bullpen.actions import Actions
from bullpen.cards import Card, mask
from bullpen.deck import heads_file
from bullpen.game import (
    MEMORY_AID,
    Action,
    BadOption,
    Best,
    OneOf,
    Options,
    Part,
    Refusal,
    Seat,
    WholeNumber,
    WholeNumberOrNull,
    option,
    refuse,
    totals,
)
from bullpen.places import FACE_DOWN, HELD, Places
from bullpen.sizes import Sizes
from bullpen.table import with_places

ID, TITLE, PREFIX = "six-nimmt", "6 nimmt!", "SN"
RULES = 1  # the next number whenever a game under way would go on differently
SEATS = range(2, 11)

# -- Cards and setting up ---------------------------------------------------------------------

CARDS = range(1, 105)
DECK_FILES = (
    heads_file(
        Path(__file__).with_name("deck.csv"), "SN-1", len(CARDS), "established", (1, 2, 3, 5, 7)
    ),
)
CARD_NAMES: dict[Card, str] = {}

ROWS = range(1, 5)
FULL_AT = 6  # the card that takes the row
HAND_SIZE = 10
PRINTED = dict.fromkeys(SEATS, Sizes(HAND_SIZE, ROWS, FULL_AT, CARDS))  # a mini game has less
OPTIONS = (
    option("limit", WholeNumber(1), default=66),
    option("rounds", WholeNumberOrNull(WholeNumber(1)), default=None, in_mini_games=1),
    option("deck", OneOf(("full", "tactical")), default="full"),
    MEMORY_AID,
)


class Phase(IntEnum):
    """What the table waits for; PLACING never lasts beyond `act`."""

    DEALING = 0
    LAYING = 1
    PLACING = 2
    TAKING = 3
    OVER = 4


DEALING, LAYING, PLACING, TAKING, OVER = map(int, Phase)
PASSING = (DEALING, PLACING)  # nobody decides
COUNTED = (DEALING, OVER)  # what was taken lies open

# Where a card can lie, and who sees it there: ROW + row, HAND + seat, ...
places = Places(SEATS[-1])
BOX = places.box(FACE_DOWN)  # SN-9: a tactical game leaves no unknown card there
ROW = places.numbered("row", len(ROWS), holds=[FULL_AT] * len(ROWS))
HAND = places.by_seat("hand", HELD, opened=COUNTED, known="nothing")
LAID = places.by_seat("laid", secret_in=LAYING, part_of=HAND)
TAKEN = places.by_seat("taken", FACE_DOWN, opened=COUNTED, known="everything")

# Actions: PLAY + card, TAKE_ROW + row.
actions = Actions(places)
PLAY = actions.block("play {card}", CARDS, "SN-1", "no_such_card", example=43, picks=HAND)
TAKE_ROW = actions.block("row {row}", ROWS, "SN-2", "no_such_row", example=2, at=ROW)
EVENTS = {
    "reveal": ("cards",),
    "place": ("seat", "card", "row"),
    "take": ("seat", "cards", "row"),
    "round_end": (),
}
TURN_RULE = "SN-3"


@with_places(places, PRINTED)
@dataclass(slots=True)
class Table(base.Table):
    heads_taken: tuple[
        int, ...
    ] = ()  # in this round, by seat: all may know, though piles are closed


def set_up(table: Table) -> None:
    table.heads_taken = (0,) * table.seats


def in_play(table: Table) -> range:
    """SN-9: the tactical deck has just as many cards as are dealt."""
    sizes = table.sizes
    if table.options["deck"] == "tactical":
        return range(1, sizes.hand * table.seats + len(sizes.rows) + 1)
    return sizes.cards


def to_shuffle(table: Table) -> list[Card]:
    return list(in_play(table)) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> None:
    """SN-2: ten cards to each player, one to each row; the rest is out of the round."""
    table.clear()
    table.phase, table.heads_taken, cards = LAYING, (0,) * table.seats, iter(shuffled)
    for seat in range(table.seats):
        table.lay(islice(cards, table.sizes.hand), HAND + seat)
    for row in table.sizes.rows:
        table.lay(islice(cards, 1), ROW + row)
    left_out = set(CARDS) - set(shuffled)
    table.lay(sorted(left_out.union(cards)), BOX)
    table.seen |= mask(left_out)  # SN-9: all know which cards these are


# -- A turn -----------------------------------------------------------------------------------


def waiting_for(table: Table) -> list[Seat]:
    if table.phase == LAYING:
        return table.still_to_choose(range(table.seats), LAID)
    return [table.actor] if table.phase == TAKING else []


def legal(table: Table, seat: Seat) -> list[Action]:
    lying = table.lying
    if table.phase == LAYING:
        return [] if lying[LAID + seat] else [PLAY + card for card in lying[HAND + seat]]
    if table.phase == TAKING and seat == table.actor:
        return [TAKE_ROW + row for row in table.sizes.rows]
    return []


def act(table: Table, seat: Seat, action: Action) -> None:
    if action > TAKE_ROW:
        take(table, seat, action - TAKE_ROW)
    else:
        table.choose(action - PLAY, HAND + seat, LAID + seat)
        if waiting_for(table):
            return
        table.tell(event="reveal", cards=table.turn_up(LAID))
    table.phase = PLACING
    place_laid_cards(table)


def place_laid_cards(table: Table) -> None:
    """SN-3: the lowest first, until all are placed or someone has to choose."""
    lying = table.lying
    while laid := [cards for cards in lying[LAID : LAID + table.seats] if cards]:
        lowest = min(laid)
        seat, card = lying.index(lowest, LAID) - LAID, lowest[0]
        row = row_for(table, card)
        if row is None:
            table.phase, table.actor = TAKING, seat
            return
        if len(lying[ROW + row]) + 1 == table.sizes.full_at:
            take(table, seat, row)
        else:
            place(table, seat, row)
    end_turn(table)


def row_for(table: Table, card: Card) -> int | None:
    """SN-4: the row with the nearest lower last card; none if the card is too low (SN-6)."""
    nearest, nearest_end = None, 0
    for row in table.sizes.rows:
        end = table.lying[ROW + row][-1]
        if nearest_end < end < card:
            nearest, nearest_end = row, end
    return nearest


def place(table: Table, seat: Seat, row: int) -> None:
    (card,) = table.carry_all(LAID + seat, ROW + row)
    table.tell(event="place", seat=seat, card=card, row=row)


def take(table: Table, seat: Seat, row: int) -> None:
    """SN-5 (sixth card), SN-6 (too low): the row is taken, and the card is its new first."""
    taken, heads = table.carry_all(ROW + row, TAKEN + seat), table.deck.heads
    before = table.heads_taken
    own = before[seat] + sum([heads[card] for card in taken])
    table.heads_taken = (*before[:seat], own, *before[seat + 1 :])
    table.tell(event="take", seat=seat, cards=list(taken), row=row)
    place(table, seat, row)


# -- End of a round and of the game -----------------------------------------------------------


def end_turn(table: Table) -> None:
    """SN-7: the round ends after ten turns, when the hands are empty."""
    if table.lying[HAND]:
        table.phase = LAYING
        return
    table.points += (table.heads_taken,)
    table.phase = OVER if is_over(table) else DEALING
    table.turn_up(TAKEN)
    table.tell(event="round_end")


def is_over(table: Table) -> bool:
    """SN-8: a fixed number of rounds, or else somebody has reached the limit."""
    rounds, limit = table.options["rounds"], table.options["limit"]
    if rounds is not None:
        return len(table.points) == rounds
    assert isinstance(limit, int)
    return max(scores(table)) >= limit


def worth(table: Table, seat: Seat) -> int:
    """SN-7: a head that was taken counts 1."""
    return table.heads_taken[seat]


def parts(table: Table, seat: Seat) -> list[Part]:
    taken = table.lying[TAKEN + seat]
    return [Part("taken", taken, f"{worth(table, seat)}", "bad")] if taken else []


def scores(table: Table) -> list[int]:
    return totals(table.points, table.seats)


def best(options: Options) -> Best:
    """SN-8: fewest win."""
    return min


# -- Mini games -------------------------------------------------------------------------------


def check_sizes(sizes: Sizes, seats: int, options: Options) -> None:
    """SN-8: a limit is reached for sure only where every round must fill a row.  SN-9: the tactical deck has its
    own size."""
    room, played = (sizes.full_at - 2) * len(sizes.rows), sizes.hand * seats
    if options["rounds"] is None and played <= room:
        raise BadOption("size_limit", game=ID, rule="SN-8", room=room, played=played)
    if options["deck"] == "tactical" and "cards" in options:
        raise BadOption("size_tactical", game=ID, rule="SN-9")


# -- Refusals ---------------------------------------------------------------------------------


def why_not(table: Table, seat: Seat, action: Action) -> Refusal:
    if table.phase == OVER:
        return refuse("SN-8", "game_over")
    if table.phase == DEALING:
        return refuse("SN-2", "not_dealt")
    if table.phase == LAYING:
        if table.lying[LAID + seat]:
            return refuse("SN-3", "already_chosen")
        if PLAY < action <= PLAY + len(CARDS):
            return refuse("SN-3", "card_not_in_hand", card=action - PLAY)
        return refuse("SN-3", "choose_a_card")
    if seat != table.actor:
        return refuse("SN-3", "not_your_turn", actor=table.actor)
    return refuse("SN-6", "choose_a_row")
