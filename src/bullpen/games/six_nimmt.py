"""6 nimmt!, the classic  (Wolfgang Kramer; 2-10 players)

Read this file beside docs/rules/six-nimmt.md: its sections stand in the same order, and a rule is a
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
    WholeNumberOrNull,
    illegal,
    option,
    refuse,
    seat_places,
    seats_with,
    totals,
)

ID, TITLE, PREFIX = "six-nimmt", "6 nimmt!", "SN"
RULES = 1  # the next number whenever a game under way would go on differently
SEATS = range(2, 11)

# -- Cards and setting up ---------------------------------------------------------------------

CARDS = range(1, 105)
DECK_FILES = (heads_file("six-nimmt", "SN-1", len(CARDS), "established", (1, 2, 3, 5, 7)),)
CARD_NAMES: dict[Card, str] = {}

ROWS = (1, 2, 3, 4)
FULL_AT = 6  # the card that takes the row
HAND_SIZE = 10
OPTIONS = (
    option("limit", WholeNumber(1), default=66),
    option("rounds", WholeNumberOrNull(WholeNumber(1)), default=None),
    option("deck", OneOf(("full", "tactical")), default="full"),
    MEMORY_AID,
)

# Where a card can lie: ROW + row, HAND + seat, ...
BOX, ROW, HAND, LAID, TAKEN, PLACES = 0, 0, 5, 15, 25, 35

# Actions: PLAY + card, TAKE_ROW + row.
PLAY, TAKE_ROW = 0, 104
NOTATION: dict[Action, str] = {
    **{PLAY + card: f"play {card}" for card in CARDS},
    **{TAKE_ROW + row: f"row {row}" for row in ROWS},
}
FORMS = {  # by example; and why a text of this form is refused that is no move at all
    "play 43": ("SN-1", "no_such_card"),
    "row 2": ("SN-2", "no_such_row"),
}
EVENTS = {
    "reveal": ("cards",),
    "place": ("seat", "card", "row"),
    "take": ("seat", "cards", "row"),
    "round_end": (),
}
TURN_RULE = "SN-3"

# What the table waits for; PLACING never lasts beyond `apply`.
DEALING, LAYING, PLACING, TAKING, OVER = range(5)


@dataclass(slots=True)
class Table:
    seats: int
    options: Options
    deck: Deck
    phase: int = DEALING
    actor: Seat = 0  # who chooses, in TAKING
    points: tuple[tuple[int, ...], ...] = ()  # of each finished round, by seat
    heads_taken: tuple[
        int, ...
    ] = ()  # in this round, by seat: all may know, though piles are closed
    lying: Lying = field(default_factory=lambda: [tuple(CARDS)] + [()] * (PLACES - 1))


def copy(table: Table) -> Table:
    return Table(
        table.seats,
        table.options,
        table.deck,
        table.phase,
        table.actor,
        table.points,
        table.heads_taken,
        table.lying[:],
    )


def places(table: Table) -> dict[str, Place]:
    """Every place by its name, as tables are drawn."""
    return {
        **{f"row {row}": ROW + row for row in ROWS},
        **seat_places(table.seats, {"hand": HAND, "laid": LAID, "taken": TAKEN}),
        "box": BOX,
    }


def set_up(seats: int, options: Options, deck: Deck) -> Table:
    return Table(seats, options, deck, heads_taken=(0,) * seats)


def in_play(seats: int, options: Options) -> range:
    """SN-9: the tactical deck has just as many cards as are dealt."""
    if options["deck"] == "tactical":
        return range(1, HAND_SIZE * seats + len(ROWS) + 1)
    return CARDS


def to_shuffle(table: Table) -> list[Card]:
    return list(in_play(table.seats, table.options)) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> tuple[Table, list[Event]]:
    """SN-2: ten cards to each player, one to each row; the rest is out of the round."""
    table = copy(table)
    table.phase, table.heads_taken = LAYING, (0,) * table.seats
    table.lying = lying = empty_places(PLACES)
    dealt = 0
    for seat in range(table.seats):
        lying[HAND + seat] = tuple(sorted(shuffled[dealt : dealt + HAND_SIZE]))
        dealt += HAND_SIZE
    for row in ROWS:
        lying[ROW + row] = (shuffled[dealt],)
        dealt += 1
    out_of_play = set(CARDS) - set(shuffled)
    lying[BOX] = tuple(sorted(out_of_play.union(shuffled[dealt:])))
    return table, []


# -- A turn -----------------------------------------------------------------------------------


def waiting_for(table: Table) -> list[Seat]:
    if table.phase == LAYING:
        return [seat for seat in range(table.seats) if not table.lying[LAID + seat]]
    return [table.actor] if table.phase == TAKING else []


def legal(table: Table, seat: Seat) -> list[Action]:
    lying = table.lying
    if table.phase == LAYING:
        return [] if lying[LAID + seat] else [PLAY + card for card in lying[HAND + seat]]
    if table.phase == TAKING and seat == table.actor:
        return [TAKE_ROW + row for row in ROWS]
    return []


def apply(table: Table, seat: Seat, action: Action) -> tuple[Table, list[Event]]:
    allowed = legal(table, seat)
    if action not in allowed:
        raise illegal(seat, action, why_not(table, seat, action), NOTATION, allowed)
    table = copy(table)
    events: list[Event] = []
    if action > TAKE_ROW:
        take(table, seat, action - TAKE_ROW, events)
    else:
        card, lying = action - PLAY, table.lying
        lying[HAND + seat] = without(lying[HAND + seat], card)
        lying[LAID + seat] = (card,)
        if waiting_for(table):
            return table, events
        cards = [lying[LAID + other][0] for other in range(table.seats)]
        events.append({"event": "reveal", "cards": cards})
    table.phase = PLACING
    place_laid_cards(table, events)
    return table, events


def place_laid_cards(table: Table, events: list[Event]) -> None:
    """SN-3: the lowest first, until all are placed or someone has to choose."""
    lying = table.lying
    while laid := [cards for cards in lying[LAID : LAID + table.seats] if cards]:
        lowest = min(laid)
        seat, card = lying.index(lowest, LAID) - LAID, lowest[0]
        row = row_for(table, card)
        if row is None:
            table.phase, table.actor = TAKING, seat
            return
        if len(lying[ROW + row]) + 1 == FULL_AT:
            take(table, seat, row, events)
        else:
            place(table, seat, row, events)
    end_turn(table, events)


def row_for(table: Table, card: Card) -> int | None:
    """SN-4: the row with the nearest lower last card; none if the card is too low (SN-6)."""
    nearest, nearest_end = None, 0
    for row in ROWS:
        end = table.lying[ROW + row][-1]
        if nearest_end < end < card:
            nearest, nearest_end = row, end
    return nearest


def place(table: Table, seat: Seat, row: int, events: list[Event]) -> None:
    (card,) = table.lying[LAID + seat]
    table.lying[LAID + seat] = ()
    table.lying[ROW + row] += (card,)
    events.append({"event": "place", "seat": seat, "card": card, "row": row})


def take(table: Table, seat: Seat, row: int, events: list[Event]) -> None:
    """SN-5 (sixth card), SN-6 (too low): the row is taken, and the card is its new first."""
    taken, heads = table.lying[ROW + row], table.deck.heads
    table.lying[ROW + row] = ()
    table.lying[TAKEN + seat] += taken
    before = table.heads_taken
    own = before[seat] + sum([heads[card] for card in taken])
    table.heads_taken = (*before[:seat], own, *before[seat + 1 :])
    events.append({"event": "take", "seat": seat, "cards": list(taken), "row": row})
    place(table, seat, row, events)


# -- End of a round and of the game -----------------------------------------------------------


def end_turn(table: Table, events: list[Event]) -> None:
    """SN-7: the round ends after ten turns, when the hands are empty."""
    if table.lying[HAND]:
        table.phase = LAYING
        return
    table.points += (table.heads_taken,)
    table.phase = OVER if is_over(table) else DEALING
    events.append({"event": "round_end"})


def is_over(table: Table) -> bool:
    """SN-8: a fixed number of rounds, or else somebody has reached the limit."""
    rounds, limit = table.options["rounds"], table.options["limit"]
    if rounds is not None:
        return len(table.points) == rounds
    assert isinstance(limit, int)
    return max(scores(table)) >= limit


def rounds(table: Table) -> Sequence[Sequence[int]]:
    return table.points


def scores(table: Table) -> list[int]:
    return totals(table.points, table.seats)


def best(options: Options) -> Best:
    """SN-8: fewest win."""
    return min


def winners(table: Table) -> list[Seat]:
    return seats_with(best(table.options), scores(table))


# -- What a player sees -----------------------------------------------------------------------


def view(table: Table, seat: Seat | None) -> View[Table]:
    shown, remembered = copy(table), table.lying[:]
    if table.options["deck"] == "full":  # a tactical game leaves no unknown card in the box
        shown.lying[BOX] = remembered[BOX] = turned_down(table.lying[BOX])
    for other in range(table.seats) if table.phase not in (DEALING, OVER) else ():
        shown.lying[TAKEN + other] = turned_down(table.lying[TAKEN + other])
        if other == seat:
            continue
        if table.phase == LAYING:
            hide_choice(shown.lying, remembered, HAND + other, LAID + other, seen=0)
        else:
            hide_hand(shown.lying, remembered, HAND + other, seen=0)
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
