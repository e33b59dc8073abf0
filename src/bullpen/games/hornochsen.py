"""Hornochsen!  (Wolfgang Kramer; 2-6 players)

Read this file beside docs/rules/hornochsen.md: its sections stand in the same order, and a rule is a
function that carries the rule's id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from bullpen.cards import (
    UNSEEN,
    Card,
    Lying,
    Place,
    dealt_at_random,
    hide_hand,
    mask,
    turned_down,
    without,
)
from bullpen.deck import Deck, DeckFile, Face
from bullpen.game import (
    MEMORY_AID,
    Action,
    Best,
    Event,
    Options,
    Refusal,
    Seat,
    SeatNumber,
    View,
    illegal,
    option,
    refuse,
    seat_places,
    seats_with,
)

ID, TITLE, PREFIX = "hornochsen", "Hornochsen!", "HO"
RULES = 1  # the next number whenever a game under way would go on differently
SEATS = range(2, 7)

# -- Cards ------------------------------------------------------------------------------------

NUMBERS = range(1, 99)
LAST_NUMBER = 98
X2, PLUS5 = 99, 105  # X2 + seat and PLUS5 + seat: every player has one of each (HO-3)
CARDS = range(1, 111)
ALL_X2, ALL_PLUS5 = frozenset(range(X2, PLUS5)), frozenset(range(PLUS5, CARDS[-1] + 1))
HEADS = {"green": (1, 2), "red": (2, 3, 5, 7)}


def heads_on(row: Mapping[str, str]) -> Face:
    """HO-1: a red card's heads count below zero."""
    heads, colour = int(row["heads"]), row["colour"]
    if heads not in HEADS[colour]:
        raise ValueError
    return heads if colour == "green" else -heads


DECK_FILES = (
    DeckFile(
        "hornochsen",
        "HO-1",
        "heads",
        ("number", "colour", "heads"),
        len(NUMBERS),
        "established",
        face=heads_on,
        allowed=lambda _, face: face in (1, 2, -2, -3, -5, -7),
        allowed_text="green with 1 or 2 heads, red with 2, 3, 5 or 7",
    ),
)
CARD_NAMES: dict[Card, str] = {**dict.fromkeys(ALL_X2, "x2"), **dict.fromkeys(ALL_PLUS5, "+5")}

# -- Setting up -------------------------------------------------------------------------------

DEAL = {2: (14, 7), 3: (12, 9), 4: (12, 12), 5: (12, 15), 6: (10, 15)}  # seats: hand, rows
CARDS_A_TURN = 3
FULL_AT = 5  # number cards
SPECIAL_LEFT = -10  # points
OPTIONS = (option("first_seat", SeatNumber(), default=0), MEMORY_AID)

# Where a card can lie: HAND + seat, PILE + seat, and from ROW on the rows of the ring, clockwise, as
# many as are left.
BOX, HAND, PILE, ROW = 0, 1, 7, 13

# Actions: PLAY + card, X2_ON + end value, PLUS5_ON + end value, STOP.
STOP, PLAY, X2_ON, PLUS5_ON = 0, 0, 98, 196
NOTATION: dict[Action, str] = {
    STOP: "stop",
    **{PLAY + card: f"play {card}" for card in NUMBERS},
    **{X2_ON + end: f"x2 on {end}" for end in NUMBERS},
    **{PLUS5_ON + end: f"+5 on {end}" for end in NUMBERS},
}
FORMS = {  # by example; and why a text of this form is refused that is no move at all
    "play 37": ("HO-1", "no_such_card"),
    "x2 on 35": ("HO-7", "no_such_row"),
    "+5 on 35": ("HO-7", "no_such_row"),
    "stop": ("HO-6", "not_a_move"),
}
EVENTS = {
    "place": ("seat", "card", "onto"),
    "special": ("seat", "special", "onto"),
    "take": ("seat", "cards", "specials"),
    "pass_over": ("seat",),
}
TURN_RULE = "HO-6"

# What the table waits for.
DEALING, PLAYING, OVER = range(3)


@dataclass(slots=True)
class Table:
    seats: int
    options: Options
    deck: Deck
    phase: int = DEALING
    actor: Seat = 0
    played: int = 0  # cards, in this turn
    lying: Lying = field(default_factory=lambda: [tuple(CARDS)] + [()] * (ROW - 1))
    offer: list[Action] | None = field(default=None, compare=False)  # `legal`, once asked for


def copy(table: Table) -> Table:
    return Table(
        table.seats,
        table.options,
        table.deck,
        table.phase,
        table.actor,
        table.played,
        table.lying[:],
    )


def places(table: Table) -> dict[str, Place]:
    """Every place by its name, as tables are drawn; the rows count clockwise from the lowest."""
    return {
        **{f"row {place - ROW + 1}": place for place in range(ROW, len(table.lying))},
        **seat_places(table.seats, {"hand": HAND, "pile": PILE}),
        "box": BOX,
    }


def set_up(seats: int, options: Options, deck: Deck) -> Table:
    first = options["first_seat"]
    assert isinstance(first, int)
    return Table(seats, options, deck, actor=first)


def to_shuffle(table: Table) -> list[Card]:
    return list(NUMBERS) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> tuple[Table, list[Event]]:
    """HO-3 to HO-5: number cards and two special cards a hand, the others as rows in a ring."""
    table = copy(table)
    table.phase, lying = PLAYING, table.lying
    hand_size, rows = DEAL[table.seats]
    dealt = 0
    for seat in range(table.seats):
        hand = sorted(shuffled[dealt : dealt + hand_size])
        lying[HAND + seat] = (*hand, X2 + seat, PLUS5 + seat)
        dealt += hand_size
    lying.extend((card,) for card in sorted(shuffled[dealt : dealt + rows]))
    unused = [card + seat for card in (X2, PLUS5) for seat in range(table.seats, SEATS[-1])]
    lying[BOX] = (*sorted(shuffled[dealt + rows :]), *unused)
    return table, []


# -- A turn -----------------------------------------------------------------------------------


def end_value(row: tuple[Card, ...]) -> Card:
    """HO-8: the last number card of a row."""
    return row[-1] if row[-1] <= LAST_NUMBER else end_value(row[:-1])


def row_for(table: Table, card: Card) -> int:
    """HO-8, HO-9: the highest end value below the card; without one, the highest of all."""
    ends = [end_value(row) for row in table.lying[ROW:]]
    below = [end for end in ends if end < card]
    return ends.index(max(below or ends))


def rows_for_special(table: Table, special: Card) -> list[Card]:
    """HO-11: the end values of the rows that have no special card of this kind."""
    kind = ALL_PLUS5 if special in ALL_PLUS5 else ALL_X2
    return [end_value(row) for row in table.lying[ROW:] if kind.isdisjoint(row)]


def waiting_for(table: Table) -> list[Seat]:
    return [table.actor] if table.phase == PLAYING else []


def legal(table: Table, seat: Seat) -> list[Action]:
    if table.phase != PLAYING or seat != table.actor:
        return []
    if table.offer is None:
        table.offer = playable(table, seat) + ([STOP] if table.played else [])
    return table.offer[:]


def can_play(table: Table, seat: Seat) -> bool:
    """HO-14.  Hands keep number cards first, and every number card has a place."""
    hand = table.lying[HAND + seat]
    return bool(hand) and (hand[0] <= LAST_NUMBER or bool(playable(table, seat)))


def playable(table: Table, seat: Seat) -> list[Action]:
    """HO-7, HO-11: every number card has a place; a special card only where there is room for it."""
    allowed: list[Action] = []
    for card in table.lying[HAND + seat]:
        if card <= LAST_NUMBER:
            allowed.append(PLAY + card)
        else:
            block = X2_ON if card < PLUS5 else PLUS5_ON
            allowed += [block + end for end in rows_for_special(table, card)]
    return allowed


def apply(table: Table, seat: Seat, action: Action) -> tuple[Table, list[Event]]:
    """HO-6, HO-10: cards one after the other, each finding its place anew."""
    allowed = legal(table, seat)
    if action not in allowed:
        raise illegal(seat, action, why_not(table, seat, action), NOTATION, allowed)
    table = copy(table)
    events: list[Event] = []
    if action == STOP:
        pass_turn(table, events)
        return table, events
    table.played += 1
    if action > PLUS5_ON:
        lay_special(table, seat, PLUS5 + seat, action - PLUS5_ON, events)
    elif action > X2_ON:
        lay_special(table, seat, X2 + seat, action - X2_ON, events)
    else:
        place(table, seat, action - PLAY, events)
    if is_over(table):
        table.phase = OVER
    elif table.played == CARDS_A_TURN or not can_play(table, seat):
        pass_turn(table, events)
    return table, events


def place(table: Table, seat: Seat, card: Card, events: list[Event]) -> None:
    lying, row = table.lying, ROW + row_for(table, card)
    onto = end_value(lying[row])
    lying[HAND + seat] = without(lying[HAND + seat], card)
    lying[row] += (card,)
    events.append({"event": "place", "seat": seat, "card": card, "onto": onto})
    if sum(1 for laid in lying[row] if laid <= LAST_NUMBER) == FULL_AT:
        take(table, seat, row, events)


def lay_special(table: Table, seat: Seat, special: Card, end: Card, events: list[Event]) -> None:
    """HO-11, HO-13: it lies in the row, but neither ends it nor counts towards the five."""
    lying = table.lying
    row = next(at for at in range(ROW, len(lying)) if end_value(lying[at]) == end)
    lying[HAND + seat] = without(lying[HAND + seat], special)
    lying[row] += (special,)
    events.append({"event": "special", "seat": seat, "special": special_name(special), "onto": end})


def special_name(special: Card) -> str:
    return "+5" if special in ALL_PLUS5 else "x2"


# -- Taking a row -----------------------------------------------------------------------------


def take(table: Table, seat: Seat, row: int, events: list[Event]) -> None:
    """HO-12: the whole row goes to the pile, and the ring closes."""
    taken = table.lying.pop(row)
    table.lying[PILE + seat] += taken
    cards = [card for card in taken if card <= LAST_NUMBER]
    specials = [special_name(card) for card in taken if card > LAST_NUMBER]
    events.append({"event": "take", "seat": seat, "cards": cards, "specials": specials})


# -- End --------------------------------------------------------------------------------------


def pass_turn(table: Table, events: list[Event]) -> None:
    """HO-6: clockwise; HO-14: who can play no card any more is passed over."""
    table.played = 0
    table.actor = (table.actor + 1) % table.seats
    while not can_play(table, table.actor):
        events.append({"event": "pass_over", "seat": table.actor})
        table.actor = (table.actor + 1) % table.seats


def is_over(table: Table) -> bool:
    """HO-15: at once when the last number card has left the hands."""
    hands = table.lying[HAND : HAND + table.seats]
    return not any(hand and hand[0] <= LAST_NUMBER for hand in hands)


def rounds(table: Table) -> Sequence[Sequence[int]]:
    return ()


def scores(table: Table) -> list[int]:
    """Nothing is counted before the end: the piles are closed."""
    if table.phase != OVER:
        return [0] * table.seats
    return [points(table, seat) for seat in range(table.seats)]


def points(table: Table, seat: Seat) -> int:
    """HO-16: heads and +5 cards, doubled by every x2; less 10 for every special card in hand."""
    heads, total, doublings = table.deck.heads, 0, 0
    for card in table.lying[PILE + seat]:
        if card <= LAST_NUMBER:
            total += heads[card]
        elif card in ALL_PLUS5:
            total += 5
        else:
            doublings += 1
    return (total << doublings) + SPECIAL_LEFT * len(table.lying[HAND + seat])


def best(options: Options) -> Best:
    """HO-17: most points win."""
    return max


def winners(table: Table) -> list[Seat]:
    return seats_with(best(table.options), scores(table))


# -- What a player sees -----------------------------------------------------------------------

SPECIALS = mask(ALL_X2 | ALL_PLUS5)  # all know from the start who has which


def view(table: Table, seat: Seat | None) -> View[Table]:
    """Piles lie face down, one's own too, until all are opened at the end."""
    shown, remembered = copy(table), table.lying[:]
    box = tuple(UNSEEN if card <= LAST_NUMBER else card for card in table.lying[BOX])
    shown.lying[BOX] = remembered[BOX] = box
    for other in range(table.seats) if table.phase != OVER else ():
        shown.lying[PILE + other] = turned_down(table.lying[PILE + other])
        if other != seat:
            hide_hand(shown.lying, remembered, HAND + other, SPECIALS)
    return View(seat, shown, remembered, [] if seat is None else legal(table, seat))


def seen_by(event: Event, seat: Seat | None, options: Options) -> Event:
    return event  # everything that happens, happens openly


def imagine(view: View[Table], rng: Random) -> Table:
    table = copy(view.table)
    table.lying = lying = dealt_at_random(view.remembered, CARDS, rng)
    for place in (BOX, *range(HAND, HAND + table.seats)):
        lying[place] = tuple(sorted(lying[place]))
    return table


# -- Refusals ---------------------------------------------------------------------------------


def why_not(table: Table, seat: Seat, action: Action) -> Refusal:
    if table.phase == OVER:
        return refuse("HO-15", "game_over")
    if table.phase == DEALING:
        return refuse("HO-4", "not_dealt")
    if seat != table.actor:
        return refuse("HO-6", "not_your_turn", actor=table.actor)
    if action == STOP:
        return refuse("HO-6", "play_before_stopping")
    if action not in NOTATION:
        return refuse("HO-6", "choose_a_card")
    if action <= X2_ON:
        return refuse("HO-6", "card_not_in_hand", card=action - PLAY)
    kind, end = (PLUS5, action - PLUS5_ON) if action > PLUS5_ON else (X2, action - X2_ON)
    facts = {"special": special_name(kind), "end": end}
    if kind + seat not in table.lying[HAND + seat]:
        return refuse("HO-3", "special_already_played", **facts)
    if end not in [end_value(row) for row in table.lying[ROW:]]:
        return refuse("HO-7", "no_row_ends_so", **facts)
    return refuse("HO-11", "row_has_this_special", **facts)
