"""X nimmt!  (Wolfgang Kramer and Reinhard Staupe; 2-4 players)

Read this file beside docs/rules/x-nimmt.md: its sections stand in the same order, and a rule is a
function that carries the rule's id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from bullpen.cards import (
    Card,
    Lying,
    Place,
    choose_at_random,
    dealt_at_random,
    empty_places,
    hide_choice,
    hide_hand,
    mask,
    turned_down,
    without,
)
from bullpen.deck import Deck, heads_file
from bullpen.game import (
    MEMORY_AID,
    Action,
    Best,
    Event,
    OneOf,
    Options,
    Refusal,
    Seat,
    View,
    WholeNumber,
    illegal,
    option,
    refuse,
    seat_places,
    seats_with,
    totals,
)

ID, TITLE, PREFIX = "x-nimmt", "X nimmt!", "XN"
RULES = 1  # the next number whenever a game under way would go on differently
SEATS = range(2, 5)

# -- Cards ------------------------------------------------------------------------------------

CARDS = range(1, 101)
DECK_FILES = (heads_file("x-nimmt", "XN-1", len(CARDS), "established", (1, 2, 3, 5, 7)),)
CARD_NAMES: dict[Card, str] = {}

# -- Setting up a round -----------------------------------------------------------------------

ROWS = (1, 2, 3)
FULL_AT = (0, 3, 4, 5)  # by row: the card that fills it
HAND_SIZE = 8
OPTIONS = (
    option("rounds", WholeNumber(1), default=2),
    option("x_choice", OneOf(("strict", "free")), default="strict"),
    MEMORY_AID,
)

# Where a card can lie: ROW + row, HAND + seat, ...
BOX, COLLECTED, ROW, HAND, LAID, X_ROW, X_PILE, PLACES = 0, 1, 1, 5, 9, 13, 17, 21

# Actions: PLAY + card, KEEP + card, TAKE_ROW + row.
PLAY, KEEP, TAKE_ROW = 0, 100, 200
NOTATION: dict[Action, str] = {
    **{PLAY + card: f"play {card}" for card in CARDS},
    **{KEEP + card: f"keep {card}" for card in CARDS},
    **{TAKE_ROW + row: f"row {row}" for row in ROWS},
}
FORMS = {  # by example; and why a text of this form is refused that is no move at all
    "play 43": ("XN-1", "no_such_card"),
    "row 2": ("XN-2", "no_such_row"),
    "keep 59": ("XN-1", "no_such_card"),
}
EVENTS = {
    "reveal": ("cards",),
    "place": ("seat", "card", "row"),
    "collect": ("seat", "cards", "row"),
    "keep": ("seat", "card"),
    "x_flush": ("seat", "cards"),
    "round_end": (),
}
TURN_RULE = "XN-3"

# What the table waits for; PLACING never lasts beyond `apply`.
DEALING, LAYING, PLACING, TAKING, KEEPING, OVER = range(6)


@dataclass(slots=True)
class Table:
    seats: int
    options: Options
    deck: Deck
    phase: int = DEALING
    actor: Seat = 0  # who chooses, in TAKING and KEEPING
    points: tuple[tuple[int, ...], ...] = ()  # of each finished round, by seat
    seen: int = 0  # the cards that have lain open in this round, as a mask
    lying: Lying = field(default_factory=lambda: [tuple(CARDS)] + [()] * (PLACES - 1))


def copy(table: Table) -> Table:
    return Table(
        table.seats,
        table.options,
        table.deck,
        table.phase,
        table.actor,
        table.points,
        table.seen,
        table.lying[:],
    )


def places(table: Table) -> dict[str, Place]:
    """Every place by its name, as tables are drawn."""
    by_seat = {"hand": HAND, "laid": LAID, "x row": X_ROW, "x pile": X_PILE}
    return {
        **{f"row {row}": ROW + row for row in ROWS},
        "collected": COLLECTED,
        **seat_places(table.seats, by_seat),
        "box": BOX,
    }


def set_up(seats: int, options: Options, deck: Deck) -> Table:
    return Table(seats, options, deck)


def to_shuffle(table: Table) -> list[Card]:
    return list(CARDS) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> tuple[Table, list[Event]]:
    """XN-2: a card to each row, eight to each player; the rest is out of the round."""
    lying = empty_places(PLACES)
    dealt = 0
    for row in ROWS:
        lying[ROW + row] = (shuffled[dealt],)
        dealt += 1
    for seat in range(table.seats):
        lying[HAND + seat] = tuple(sorted(shuffled[dealt : dealt + HAND_SIZE]))
        dealt += HAND_SIZE
    lying[BOX] = tuple(sorted(shuffled[dealt:]))
    seen = mask(shuffled[: len(ROWS)])
    return Table(table.seats, table.options, table.deck, LAYING, 0, table.points, seen, lying), []


# -- A turn -----------------------------------------------------------------------------------


def waiting_for(table: Table) -> list[Seat]:
    if table.phase == LAYING:
        return [seat for seat in range(table.seats) if not table.lying[LAID + seat]]
    return [table.actor] if table.phase in (TAKING, KEEPING) else []


def legal(table: Table, seat: Seat) -> list[Action]:
    lying = table.lying
    if table.phase == LAYING:
        return [] if lying[LAID + seat] else [PLAY + card for card in lying[HAND + seat]]
    if seat != table.actor:
        return []
    if table.phase == TAKING:
        return [TAKE_ROW + row for row in ROWS]
    if table.phase == KEEPING:
        return [KEEP + card for card in candidates(table, seat)]
    return []


def apply(table: Table, seat: Seat, action: Action) -> tuple[Table, list[Event]]:
    allowed = legal(table, seat)
    if action not in allowed:
        raise illegal(seat, action, why_not(table, seat, action), NOTATION, allowed)
    table = copy(table)
    events: list[Event] = []
    if action > TAKE_ROW:
        collect(table, seat, action - TAKE_ROW, events)
    elif action > KEEP:
        keep(table, seat, action - KEEP, events)
    else:
        card, lying = action - PLAY, table.lying
        lying[HAND + seat] = without(lying[HAND + seat], card)
        lying[LAID + seat] = (card,)
        if waiting_for(table):
            return table, events
        reveal(table, events)
    place_laid_cards(table, events)
    return table, events


def reveal(table: Table, events: list[Event]) -> None:
    """XN-3: everyone has chosen, and all cards are turned up at once."""
    table.phase = PLACING
    cards = [table.lying[LAID + seat][0] for seat in range(table.seats)]
    table.seen |= mask(cards)
    events.append({"event": "reveal", "cards": cards})


def place_laid_cards(table: Table, events: list[Event]) -> None:
    """XN-3: the lowest first, until all are placed or someone has to choose."""
    lying = table.lying
    while table.phase == PLACING:
        laid = [lying[LAID + seat] for seat in range(table.seats) if lying[LAID + seat]]
        if not laid:
            end_turn(table, events)
            return
        lowest = min(laid)
        seat, card = lying.index(lowest, LAID) - LAID, lowest[0]
        row = row_for(table, card)
        if row is None:
            table.phase, table.actor = TAKING, seat
        elif len(lying[ROW + row]) + 1 == FULL_AT[row]:
            collect(table, seat, row, events)
        else:
            place(table, seat, card, row, events)


def row_for(table: Table, card: Card) -> int | None:
    """XN-4, XN-5: of the rows that end lower, the nearest; none if the card is too low (XN-7)."""
    nearest, nearest_end = None, 0
    for row in ROWS:
        end = table.lying[ROW + row][-1]
        if nearest_end < end < card:
            nearest, nearest_end = row, end
    return nearest


def place(table: Table, seat: Seat, card: Card, row: int, events: list[Event]) -> None:
    table.lying[LAID + seat] = ()
    table.lying[ROW + row] += (card,)
    events.append({"event": "place", "seat": seat, "card": card, "row": row})


def collect(table: Table, seat: Seat, row: int, events: list[Event]) -> None:
    """XN-6 (full row), XN-7 (too low): the row is collected, and the card is its new first."""
    lying = table.lying
    collected = lying[ROW + row]
    lying[ROW + row] = ()
    lying[COLLECTED] = collected
    events.append({"event": "collect", "seat": seat, "cards": list(collected), "row": row})
    place(table, seat, lying[LAID + seat][0], row, events)
    allowed = candidates(table, seat)
    if len(allowed) == 1:  # XN-9, or only one card continues the X row
        keep(table, seat, allowed[0], events)
    else:
        table.phase, table.actor = KEEPING, seat


# -- Collected cards --------------------------------------------------------------------------


def candidates(table: Table, seat: Seat) -> tuple[Card, ...]:
    """XN-8, XN-11: the collected cards that may go to the X row."""
    collected, x_row = table.lying[COLLECTED], table.lying[X_ROW + seat]
    if not x_row or table.options["x_choice"] == "free":
        return collected
    return tuple(card for card in collected if card > x_row[-1]) or collected


def keep(table: Table, seat: Seat, card: Card, events: list[Event]) -> None:
    """XN-8 to XN-10: one card to the X row, the others to the hand; a broken X row is closed."""
    lying = table.lying
    x_row = lying[X_ROW + seat]
    if x_row and card < x_row[-1]:
        lying[X_PILE + seat] += x_row
        events.append({"event": "x_flush", "seat": seat, "cards": list(x_row)})
        x_row = ()
    lying[X_ROW + seat] = (*x_row, card)
    events.append({"event": "keep", "seat": seat, "card": card})
    to_hand = without(lying[COLLECTED], card)
    lying[HAND + seat] = tuple(sorted(lying[HAND + seat] + to_hand))
    lying[COLLECTED] = ()
    table.phase = PLACING


# -- End of a round and of the game -----------------------------------------------------------


def end_turn(table: Table, events: list[Event]) -> None:
    """XN-12, XN-14: a round ends when somebody holds no card."""
    if all(table.lying[HAND + seat] for seat in range(table.seats)):
        table.phase = LAYING
        return
    table.points += (tuple(round_points(table, seat) for seat in range(table.seats)),)
    table.phase = DEALING if len(table.points) != table.options["rounds"] else OVER
    events.append({"event": "round_end"})


def round_points(table: Table, seat: Seat) -> int:
    """XN-13: a head in the hand counts 1, in the X pile 2, in the X row nothing."""
    heads, lying = table.deck.heads, table.lying
    in_hand = sum(heads[card] for card in lying[HAND + seat])
    return in_hand + 2 * sum(heads[card] for card in lying[X_PILE + seat])


def rounds(table: Table) -> Sequence[Sequence[int]]:
    return table.points


def scores(table: Table) -> list[int]:
    return totals(table.points, table.seats)


def best(options: Options) -> Best:
    """XN-14: fewest points win."""
    return min


def winners(table: Table) -> list[Seat]:
    return seats_with(best(table.options), scores(table))


# -- What a player sees -----------------------------------------------------------------------


def view(table: Table, seat: Seat | None) -> View[Table]:
    """Hands and X piles are hidden until they are counted at the end of the round."""
    shown, remembered = copy(table), table.lying[:]
    shown.lying[BOX] = remembered[BOX] = turned_down(table.lying[BOX])
    for other in range(table.seats) if table.phase not in (DEALING, OVER) else ():
        shown.lying[X_PILE + other] = turned_down(table.lying[X_PILE + other])
        if other == seat:
            continue
        if table.phase == LAYING:
            hide_choice(shown.lying, remembered, HAND + other, LAID + other, table.seen)
        else:
            hide_hand(shown.lying, remembered, HAND + other, table.seen)
    return View(seat, shown, remembered, [] if seat is None else legal(table, seat))


def seen_by(event: Event, seat: Seat | None, options: Options) -> Event:
    return event  # everything that happens, happens openly


def imagine(view: View[Table], rng: Random) -> Table:
    table = copy(view.table)
    table.lying = lying = dealt_at_random(view.remembered, CARDS, rng)
    for seat in range(table.seats):
        choose_at_random(lying, view.table.lying, HAND + seat, LAID + seat, rng)
        lying[HAND + seat] = tuple(sorted(lying[HAND + seat]))
    lying[BOX] = tuple(sorted(lying[BOX]))
    return table


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
