"""X nimmt!  (Wolfgang Kramer and Reinhard Staupe; 2-4 players)

Read this file beside docs/games/x-nimmt.md: its sections stand in the same order, and a rule is a
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
    Best,
    OneOf,
    Options,
    Part,
    Refusal,
    Seat,
    WholeNumber,
    option,
    refuse,
    totals,
)
from bullpen.places import ASIDE, FACE_DOWN, HELD, Places
from bullpen.sizes import Sizes
from bullpen.table import with_places

ID, TITLE, PREFIX = "x-nimmt", "X nimmt!", "XN"
RULES = 1  # the next number whenever a game under way would go on differently
SEATS = range(2, 5)

# -- Cards ------------------------------------------------------------------------------------

CARDS = range(1, 101)
DECK_FILES = (
    heads_file(
        Path(__file__).with_name("deck.csv"), "XN-1", len(CARDS), "established", (1, 2, 3, 5, 7)
    ),
)
CARD_NAMES: dict[Card, str] = {}

# -- Setting up a round -----------------------------------------------------------------------

ROWS = range(1, 4)
FULL_AT = (0, 3, 4, 5)  # by row: the card that fills it
HAND_SIZE = 8
PRINTED = dict.fromkeys(SEATS, Sizes(HAND_SIZE, ROWS, FULL_AT[1], CARDS))  # a mini game has less
OPTIONS = (
    option("rounds", WholeNumber(1), default=2, in_mini_games=1),
    option("x_choice", OneOf(("strict", "free")), default="strict"),
    MEMORY_AID,
)


class Phase(IntEnum):
    """What the table waits for; PLACING never lasts beyond `act`."""

    DEALING = 0
    LAYING = 1
    PLACING = 2
    TAKING = 3
    KEEPING = 4
    OVER = 5


DEALING, LAYING, PLACING, TAKING, KEEPING, OVER = map(int, Phase)
PASSING = (DEALING, PLACING)  # nobody decides
COUNTED = (DEALING, OVER)  # hands and X piles lie open

# Where a card can lie, and who sees it there: ROW + row, HAND + seat, ...
places = Places(SEATS[-1])
BOX = places.box(ASIDE)
ROW = places.numbered("row", len(ROWS), holds=FULL_AT[1:])
COLLECTED = places.one("collected")
HAND = places.by_seat("hand", HELD, opened=COUNTED)
LAID = places.by_seat("laid", secret_in=LAYING, part_of=HAND)
X_ROW = places.by_seat("x row")
X_PILE = places.by_seat("x pile", FACE_DOWN, opened=COUNTED, known="everything")

# Actions: PLAY + card, KEEP + card, TAKE_ROW + row.
actions = Actions(places)
PLAY = actions.block("play {card}", CARDS, "XN-1", "no_such_card", example=43, picks=HAND)
TAKE_ROW = actions.block("row {row}", ROWS, "XN-2", "no_such_row", example=2, at=ROW, first=200)
KEEP = actions.block(
    "keep {card}", CARDS, "XN-1", "no_such_card", example=59, picks=COLLECTED, first=100
)
EVENTS = {
    "reveal": ("cards",),
    "place": ("seat", "card", "row"),
    "collect": ("seat", "cards", "row"),
    "keep": ("seat", "card"),
    "x_flush": ("seat", "cards"),
    "round_end": (),
}
TURN_RULE = "XN-3"


@with_places(places, PRINTED)
@dataclass(slots=True)
class Table(base.Table):
    """Nothing but the cards, the points and who chooses, in TAKING and KEEPING."""


def to_shuffle(table: Table) -> list[Card]:
    return list(table.sizes.cards) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> None:
    """XN-2: a card to each row, eight to each player; the rest is out of the round."""
    table.clear()
    table.phase, table.actor, cards = LAYING, 0, iter(shuffled)
    for row in table.sizes.rows:
        table.lay(islice(cards, 1), ROW + row)
    for seat in range(table.seats):
        table.lay(islice(cards, table.sizes.hand), HAND + seat)
    left_out = CARDS[len(table.sizes.cards) :]
    table.lay((*sorted(cards), *left_out), BOX)
    table.seen |= mask(left_out)  # of a mini game; all know which cards these are


# -- A turn -----------------------------------------------------------------------------------


def waiting_for(table: Table) -> list[Seat]:
    if table.phase == LAYING:
        return table.still_to_choose(range(table.seats), LAID)
    return [table.actor] if table.phase in (TAKING, KEEPING) else []


def legal(table: Table, seat: Seat) -> list[Action]:
    lying = table.lying
    if table.phase == LAYING:
        return [] if lying[LAID + seat] else [PLAY + card for card in lying[HAND + seat]]
    if seat != table.actor:
        return []
    if table.phase == TAKING:
        return [TAKE_ROW + row for row in table.sizes.rows]
    if table.phase == KEEPING:
        return [KEEP + card for card in candidates(table, seat)]
    return []


def act(table: Table, seat: Seat, action: Action) -> None:
    if action > TAKE_ROW:
        collect(table, seat, action - TAKE_ROW)
    elif action > KEEP:
        keep(table, seat, action - KEEP)
    else:
        table.choose(action - PLAY, HAND + seat, LAID + seat)
        if waiting_for(table):
            return
        reveal(table)
    place_laid_cards(table)


def reveal(table: Table) -> None:
    """XN-3: everyone has chosen, and all cards are turned up at once."""
    table.phase = PLACING
    table.tell(event="reveal", cards=table.turn_up(LAID))


def place_laid_cards(table: Table) -> None:
    """XN-3: the lowest first, until all are placed or someone has to choose."""
    lying = table.lying
    while table.phase == PLACING:
        laid = [lying[LAID + seat] for seat in range(table.seats) if lying[LAID + seat]]
        if not laid:
            end_turn(table)
            return
        lowest = min(laid)
        seat, card = lying.index(lowest, LAID) - LAID, lowest[0]
        row = row_for(table, card)
        if row is None:
            table.phase, table.actor = TAKING, seat
        elif len(lying[ROW + row]) + 1 == full_at(table, row):
            collect(table, seat, row)
        else:
            place(table, seat, row)


def row_for(table: Table, card: Card) -> int | None:
    """XN-4, XN-5: of the rows that end lower, the nearest; none if the card is too low (XN-7)."""
    nearest, nearest_end = None, 0
    for row in table.sizes.rows:
        end = table.lying[ROW + row][-1]
        if nearest_end < end < card:
            nearest, nearest_end = row, end
    return nearest


def full_at(table: Table, row: int) -> int:
    """XN-6: the third card fills the first row, and every other row takes one more than that before it."""
    return table.sizes.full_at + row - 1


def place(table: Table, seat: Seat, row: int) -> None:
    (card,) = table.carry_all(LAID + seat, ROW + row)
    table.tell(event="place", seat=seat, card=card, row=row)


def collect(table: Table, seat: Seat, row: int) -> None:
    """XN-6 (full row), XN-7 (too low): the row is collected, and the card is its new first."""
    collected = table.carry_all(ROW + row, COLLECTED)
    table.tell(event="collect", seat=seat, cards=list(collected), row=row)
    place(table, seat, row)
    allowed = candidates(table, seat)
    if len(allowed) == 1:  # XN-9, or only one card continues the X row
        keep(table, seat, allowed[0])
    else:
        table.phase, table.actor = KEEPING, seat


# -- Collected cards --------------------------------------------------------------------------


def candidates(table: Table, seat: Seat) -> tuple[Card, ...]:
    """XN-8, XN-11: the collected cards that may go to the X row."""
    collected, x_row = table.lying[COLLECTED], table.lying[X_ROW + seat]
    if not x_row or table.options["x_choice"] == "free":
        return collected
    return tuple(card for card in collected if card > x_row[-1]) or collected


def keep(table: Table, seat: Seat, card: Card) -> None:
    """XN-8 to XN-10: one card to the X row, the others to the hand; a broken X row is closed."""
    x_row = table.lying[X_ROW + seat]
    if x_row and card < x_row[-1]:
        table.carry_all(X_ROW + seat, X_PILE + seat)
        table.tell(event="x_flush", seat=seat, cards=list(x_row))
    table.carry(card, COLLECTED, X_ROW + seat)
    table.carry_all(COLLECTED, HAND + seat)
    table.tell(event="keep", seat=seat, card=card)
    table.phase = PLACING


# -- End of a round and of the game -----------------------------------------------------------


def end_turn(table: Table) -> None:
    """XN-12, XN-14: a round ends when somebody holds no card."""
    if all(table.lying[HAND + seat] for seat in range(table.seats)):
        table.phase = LAYING
        return
    table.points += (tuple(worth(table, seat) for seat in range(table.seats)),)
    table.phase = DEALING if len(table.points) != table.options["rounds"] else OVER
    table.turn_up(X_PILE)
    table.tell(event="round_end")


def worth(table: Table, seat: Seat) -> int:
    """XN-13: a head in the hand counts 1, in the X pile 2, in the X row nothing."""
    heads, lying = table.deck.heads, table.lying
    in_hand = sum(heads[card] for card in lying[HAND + seat])
    return in_hand + 2 * sum(heads[card] for card in lying[X_PILE + seat])


def parts(table: Table, seat: Seat) -> list[Part]:
    """XN-13, part by part."""
    heads, hand, pile = table.deck.heads, table.lying[HAND + seat], table.lying[X_PILE + seat]
    in_hand, in_pile = sum(heads[card] for card in hand), sum(heads[card] for card in pile)
    counted = [Part("hand", hand, f"{in_hand}", "bad"), Part("pile", pile, f"2 × {in_pile}", "bad")]
    return [part for part in counted if part.cards]


def scores(table: Table) -> list[int]:
    return totals(table.points, table.seats)


def best(options: Options) -> Best:
    """XN-14: fewest points win."""
    return min


# -- Refusals ---------------------------------------------------------------------------------


def why_not(table: Table, seat: Seat, action: Action) -> Refusal:
    if table.phase == OVER:
        return refuse("XN-14", "game_over")
    if table.phase == DEALING:
        return refuse("XN-2", "not_dealt")
    if table.phase == LAYING:
        if table.lying[LAID + seat]:
            return refuse("XN-3", "already_chosen")
        if PLAY < action <= PLAY + len(CARDS):
            return refuse("XN-3", "card_not_in_hand", card=action - PLAY)
        return refuse("XN-3", "choose_a_card")
    if seat != table.actor:
        return refuse("XN-3", "not_your_turn", actor=table.actor)
    if table.phase == TAKING:
        return refuse("XN-7", "choose_a_row")
    if action - KEEP in table.lying[COLLECTED]:
        end = table.lying[X_ROW + seat][-1]
        return refuse("XN-11", "x_row_goes_on", card=action - KEEP, end=end)
    return refuse("XN-8", "choose_a_collected_card")
