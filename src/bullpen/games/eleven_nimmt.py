"""11 nimmt!  (Wolfgang Kramer; 2-7 players)

Read this file beside docs/rules/eleven-nimmt.md: its sections stand in the same order, and a rule is a
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
    dealt_at_random,
    empty_places,
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
    Option,
    Options,
    Refusal,
    Seat,
    SeatNumber,
    View,
    WholeNumber,
    illegal,
    option,
    refuse,
    seat_places,
    seats_with,
    totals,
)

ID, TITLE, PREFIX = "eleven-nimmt", "11 nimmt!", "EN"
RULES = 1  # the next number whenever a game under way would go on differently
SEATS = range(2, 8)

# -- Cards ------------------------------------------------------------------------------------

CARDS = range(1, 101)
BULL_CARDS = 10  # all alike, so each seat's are only counted
DECK_FILES = (
    heads_file("eleven-nimmt", "EN-1", len(CARDS), "reconstruction", (1, 2, 3, 4, 5, 6, 7)),
)
CARD_NAMES: dict[Card, str] = {}

# -- Setting up a round -----------------------------------------------------------------------

HAND_SIZE = 10
FURTHEST = 10  # above the top card of a stack
CYCLE = 100  # after 100 comes 1
NEW_STACKS = 2  # after a stack is taken
BIG_STACK = 3  # cards in a stack that brings a bull card
OPTIONS = (
    option("first_seat", SeatNumber(), default=0),
    Option("rounds", WholeNumber(1), default=lambda seats: seats),
    MEMORY_AID,
)

# Where a card can lie: HAND + seat, and from STACK on the stacks, as many as there are.
DRAW, HAND, STACK = 0, 1, 8

# Actions: PLAY + FURTHEST * card + steps from the stack's name - 1, TAKE + top card,
# BULL_OF + seat, END.
END, PLAY, TAKE, BULL_OF = 0, 0, 1009, 1110


def steps(card: Card, top: Card) -> int:
    """EN-7: how far a card lies above another one, where 1 comes after 100."""
    return (card - top) % CYCLE


def below(card: Card, far: int) -> Card:
    return (card - far - 1) % CYCLE + 1


# EN-5, EN-6, EN-7: by card, the top cards on which it fits, and the action of playing it there.
PLAY_ON = {
    card: {below(card, far): PLAY + FURTHEST * card + far - 1 for far in range(1, FURTHEST + 1)}
    for card in CARDS
}
# To find all plays at once, the tops are bits of a number that counts past 100: the ten bits below a
# card are the tops on which it fits, and STEPS_TO lists how far below it (less one) each of them is.
TWICE = (0, *(1 << top | 1 << top + CYCLE for top in CARDS))
TEN_BITS = (1 << FURTHEST) - 1
STEPS_TO = tuple(
    tuple(far for far in range(FURTHEST) if bits >> FURTHEST - 1 - far & 1)
    for bits in range(TEN_BITS + 1)
)
NOTATION: dict[Action, str] = {
    END: "end",
    **{action: f"play {card} on {top}" for card in CARDS for top, action in PLAY_ON[card].items()},
    **{TAKE + top: f"take {top}" for top in CARDS},
    **{BULL_OF + seat: f"bull from {seat}" for seat in range(SEATS[-1])},
}
FORMS = {  # by example; and why a text of this form is refused that is no move at all
    "play 36 on 31": ("EN-6", "does_not_fit"),
    "take 46": ("EN-9", "no_such_stack"),
    "bull from 2": ("EN-12", "choose_whose_bull"),
    "end": ("EN-4", "not_a_move"),
}
EVENTS = {
    "place": ("seat", "card", "onto"),
    "take": ("seat", "cards"),
    "bull": ("seat", "from"),
    "open": ("card",),
    "round_end": (),
}
TURN_RULE = "EN-4"

# What the table waits for.
DEALING, PLAYING, CHOOSING_BULL, OVER = range(4)


@dataclass(slots=True)
class Table:
    seats: int
    options: Options
    deck: Deck
    phase: int = DEALING
    actor: Seat = 0
    starter: Seat = 0  # of this round, or of the next one while it is not dealt
    points: tuple[tuple[int, ...], ...] = ()  # of each finished round, by seat
    bulls: tuple[int, ...] = ()  # bull cards in front of each seat
    served: tuple[tuple[int, Card], ...] = ()  # in this turn: the stacks played on, and their names
    seen: int = 0  # the cards that have lain open in this round, as a mask
    lying: Lying = field(default_factory=lambda: [tuple(CARDS)] + [()] * (STACK - 1))
    offer: list[Action] | None = field(default=None, compare=False)  # `legal`, where it is known


def copy(table: Table) -> Table:
    return Table(
        table.seats,
        table.options,
        table.deck,
        table.phase,
        table.actor,
        table.starter,
        table.points,
        table.bulls,
        table.served,
        table.seen,
        table.lying[:],
    )


def places(table: Table) -> dict[str, Place]:
    """Every place by its name, as tables are drawn."""
    return {
        **{f"stack {place - STACK + 1}": place for place in range(STACK, len(table.lying))},
        **seat_places(table.seats, {"hand": HAND}),
        "draw": DRAW,
    }


def set_up(seats: int, options: Options, deck: Deck) -> Table:
    first = options["first_seat"]
    assert isinstance(first, int)
    return Table(seats, options, deck, starter=first, bulls=(0,) * seats)


def to_shuffle(table: Table) -> list[Card]:
    return list(CARDS) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> tuple[Table, list[Event]]:
    """EN-3: ten cards to each player, the first stack, and the draw pile."""
    table = copy(table)
    table.phase, table.actor = PLAYING, table.starter
    table.bulls, table.served = (0,) * table.seats, ()
    table.lying = lying = empty_places(STACK)
    dealt = 0
    for seat in range(table.seats):
        lying[HAND + seat] = tuple(sorted(shuffled[dealt : dealt + HAND_SIZE]))
        dealt += HAND_SIZE
    lying.append((shuffled[dealt],))
    lying[DRAW] = tuple(shuffled[dealt + 1 :])
    table.seen = 1 << shuffled[dealt]
    return table, []


# -- A turn -----------------------------------------------------------------------------------


def waiting_for(table: Table) -> list[Seat]:
    return [table.actor] if table.phase in (PLAYING, CHOOSING_BULL) else []


def legal(table: Table, seat: Seat) -> list[Action]:
    if seat != table.actor:
        return []
    if table.phase == CHOOSING_BULL:
        return [BULL_OF + other for other in richest_others(table, seat)]
    if table.phase != PLAYING:
        return []
    if table.offer is None:
        table.offer = (
            [*further_plays(table, seat), END] if table.served else first_choice(table, seat)
        )
    return table.offer[:]


def first_choice(table: Table, seat: Seat) -> list[Action]:
    """EN-4: play or take; taking is always allowed."""
    names = tops(table)
    return plays(table.lying[HAND + seat], names) + [TAKE + top for top in names]


def tops(table: Table) -> list[Card]:
    return [stack[-1] for stack in table.lying[STACK:]]


def plays(hand: Sequence[Card], names: Sequence[Card]) -> list[Action]:
    """EN-5 to EN-7: the plays of a hand on the stacks with these top cards."""
    tops_twice = 0
    for name in names:
        tops_twice |= TWICE[name]
    return [
        FURTHEST * card + far
        for card in hand
        for far in STEPS_TO[tops_twice >> card + CYCLE - FURTHEST & TEN_BITS]
    ]


def further_plays(table: Table, seat: Seat) -> list[Action]:
    """EN-8, EN-14: with bull cards more on the same stack, upwards, or on as many stacks as bull cards."""
    bulls = table.bulls[seat]
    if not bulls:
        return []
    hand = table.lying[HAND + seat]
    slot, name = table.served[-1]
    laid = steps(table.lying[STACK + slot][-1], name)
    beyond = [card for card in hand if laid < (card - name) % CYCLE <= FURTHEST]
    allowed = [PLAY_ON[card][name] for card in beyond]
    if len(table.served) < bulls:
        allowed += plays(hand, unserved(table))
    return allowed


def unserved(table: Table) -> list[Card]:
    """The names of the stacks not played on in this turn, and 0 for the others."""
    names = tops(table)
    for slot, _ in table.served:
        names[slot] = 0
    return names


def apply(table: Table, seat: Seat, action: Action) -> tuple[Table, list[Event]]:
    allowed = legal(table, seat)
    if action not in allowed:
        raise illegal(seat, action, why_not(table, seat, action), NOTATION, allowed)
    table = copy(table)
    events: list[Event] = []
    if action == END:
        pass_turn(table, events)
    elif action >= BULL_OF:
        take_bull(table, seat, action - BULL_OF, events)
        open_stacks(table, events)
    elif action > TAKE:
        take(table, seat, action - TAKE, events)
    else:
        place(table, seat, action, events)
        if not table.lying[HAND + seat]:
            end_round(table, events)
        elif further := further_plays(table, seat):
            table.offer = [*further, END]
        else:
            pass_turn(table, events)
    return table, events


def place(table: Table, seat: Seat, action: Action, events: list[Event]) -> None:
    """EN-5 to EN-7; a stack keeps the name it had when the turn began."""
    card, far = divmod(action - PLAY, FURTHEST)
    name = below(card, far + 1)
    if not table.served or table.served[-1][1] != name:
        table.served += ((tops(table).index(name), name),)
    lying, slot = table.lying, table.served[-1][0]
    lying[HAND + seat] = without(lying[HAND + seat], card)
    lying[STACK + slot] += (card,)
    table.seen |= 1 << card
    events.append({"event": "place", "seat": seat, "card": card, "onto": name})


def pass_turn(table: Table, events: list[Event]) -> None:
    """EN-4: clockwise; EN-13: without a stack nobody can move, and the round ends."""
    table.actor, table.served = (table.actor + 1) % table.seats, ()
    table.phase = PLAYING
    if len(table.lying) == STACK:
        end_round(table, events)


# -- Taking a stack ---------------------------------------------------------------------------


def take(table: Table, seat: Seat, top: Card, events: list[Event]) -> None:
    """EN-9, EN-11, EN-12: the stack goes to the hand; three cards or more bring a bull card."""
    lying = table.lying
    taken = lying.pop(STACK + tops(table).index(top))
    lying[HAND + seat] = tuple(sorted(lying[HAND + seat] + taken))
    events.append({"event": "take", "seat": seat, "cards": list(taken)})
    if len(taken) >= BIG_STACK:
        if sum(table.bulls) < BULL_CARDS:
            give_bull(table, seat, events)
        else:
            others = richest_others(table, seat)
            if len(others) > 1:
                table.phase = CHOOSING_BULL
                return
            if others:
                take_bull(table, seat, others[0], events)
    open_stacks(table, events)


def richest_others(table: Table, seat: Seat) -> list[Seat]:
    """EN-12: who has the most bull cards, except the taker."""
    most = max(table.bulls)
    return [other for other in range(table.seats) if table.bulls[other] == most and other != seat]


def give_bull(table: Table, seat: Seat, events: list[Event]) -> None:
    """EN-11: from the supply."""
    bulls = table.bulls
    table.bulls = (*bulls[:seat], bulls[seat] + 1, *bulls[seat + 1 :])
    events.append({"event": "bull", "seat": seat, "from": "supply"})


def take_bull(table: Table, seat: Seat, giver: Seat, events: list[Event]) -> None:
    """EN-12: from the player who has the most."""
    bulls = list(table.bulls)
    bulls[giver] -= 1
    bulls[seat] += 1
    table.bulls = tuple(bulls)
    events.append({"event": "bull", "seat": seat, "from": giver})


def open_stacks(table: Table, events: list[Event]) -> None:
    """EN-10: two new stacks, while the draw pile lasts; that ends the turn."""
    opened, table.lying[DRAW] = table.lying[DRAW][:NEW_STACKS], table.lying[DRAW][NEW_STACKS:]
    for card in opened:
        table.lying.append((card,))
        table.seen |= 1 << card
        events.append({"event": "open", "card": card})
    pass_turn(table, events)


# -- End of a round and of the game -----------------------------------------------------------


def end_round(table: Table, events: list[Event]) -> None:
    """EN-16, EN-17: the heads in the hands are counted."""
    table.points += (tuple(round_points(table, seat) for seat in range(table.seats)),)
    table.starter = next_starter(table)
    table.phase = DEALING if len(table.points) != table.options["rounds"] else OVER
    events.append({"event": "round_end"})


def round_points(table: Table, seat: Seat) -> int:
    return sum(table.deck.heads[card] for card in table.lying[HAND + seat])


def next_starter(table: Table) -> Seat:
    """EN-18: the most minus points; among equals the first one clockwise from the last starter."""
    points = scores(table)
    clockwise = [(table.starter + step) % table.seats for step in range(table.seats)]
    return next(seat for seat in clockwise if points[seat] == max(points))


def rounds(table: Table) -> Sequence[Sequence[int]]:
    return table.points


def scores(table: Table) -> list[int]:
    return totals(table.points, table.seats)


def best(options: Options) -> Best:
    """EN-19: fewest minus points win."""
    return min


def winners(table: Table) -> list[Seat]:
    return seats_with(best(table.options), scores(table))


# -- What a player sees -----------------------------------------------------------------------


def view(table: Table, seat: Seat | None) -> View[Table]:
    """Of a stack only its top card, not even how much lies under it; hands are opened when counted."""
    shown, remembered = copy(table), table.lying[:]
    shown.lying[DRAW] = remembered[DRAW] = turned_down(table.lying[DRAW])
    shown.lying[STACK:] = [stack[-1:] for stack in table.lying[STACK:]]
    for other in range(table.seats) if table.phase not in (DEALING, OVER) else ():
        if other != seat:
            hide_hand(shown.lying, remembered, HAND + other, table.seen)
    return View(seat, shown, remembered, [] if seat is None else legal(table, seat))


def seen_by(event: Event, seat: Seat | None, options: Options) -> Event:
    """Which cards went into a hand with a stack is not shown to the others."""
    if event["event"] != "take" or event["seat"] == seat or options["memory_aid"]:
        return event
    return {**event, "cards": None}


def imagine(view: View[Table], rng: Random) -> Table:
    table = copy(view.table)
    table.lying = lying = dealt_at_random(view.remembered, CARDS, rng)
    for hand in range(HAND, HAND + table.seats):
        lying[hand] = tuple(sorted(lying[hand]))
    return table


# -- Refusals ---------------------------------------------------------------------------------


def why_not(table: Table, seat: Seat, action: Action) -> Refusal:
    if table.phase == OVER:
        return refuse("EN-17", "game_over")
    if table.phase == DEALING:
        return refuse("EN-3", "not_dealt")
    if seat != table.actor:
        return refuse("EN-4", "not_your_turn", actor=table.actor)
    if table.phase == CHOOSING_BULL:
        return refuse("EN-12", "choose_whose_bull")
    if action not in NOTATION:
        return refuse("EN-4", "choose_a_card_or_stack")
    if action == END:
        return refuse("EN-4", "play_before_ending")
    if action >= BULL_OF:
        return refuse("EN-12", "no_bull_to_choose")
    if action > TAKE:
        if table.served:
            return refuse("EN-9", "taking_is_a_whole_turn")
        return refuse("EN-9", "no_such_stack")
    return why_not_play(table, seat, action)


def why_not_play(table: Table, seat: Seat, action: Action) -> Refusal:
    card, far = divmod(action - PLAY, FURTHEST)
    top = below(card, far + 1)
    facts = {"card": card, "top": top}
    if card not in table.lying[HAND + seat]:
        return refuse("EN-4", "card_not_in_hand", card=card)
    served = [name for _, name in table.served]
    if top in served[:-1]:
        return refuse("EN-14", "stack_closed", **facts)
    if top in served:
        return refuse("EN-14", "must_lie_beyond", **facts)
    if top not in unserved(table):
        return refuse("EN-5", "no_such_stack")
    return refuse("EN-14", "too_few_bulls", bulls=table.bulls[seat], **facts)
