"""11 nimmt!  (Wolfgang Kramer; 2-7 players)

Read this file beside docs/games/eleven-nimmt.md: its sections stand in the same order, and a rule is a
function that carries the rule's id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from pathlib import Path
from typing import Any

from bullpen import table as base
from bullpen.actions import Actions, Touch
from bullpen.cards import UNSEEN, Card
from bullpen.deck import heads_file
from bullpen.game import (
    MEMORY_AID,
    Action,
    Best,
    Option,
    Options,
    Part,
    Refusal,
    Seat,
    SeatNumber,
    WholeNumber,
    option,
    refuse,
    totals,
)
from bullpen.places import ALIKE, HELD, TOP_ONLY, UNKNOWN, Places
from bullpen.table import with_places
from bullpen.views import OwnSide

ID, TITLE, PREFIX = "eleven-nimmt", "11 nimmt!", "EN"
RULES = 1  # the next number whenever a game under way would go on differently
SEATS = range(2, 8)

# -- Cards ------------------------------------------------------------------------------------

CARDS = range(1, 101)
BULL_CARDS = 10  # all alike, so each seat's are only counted
DECK_FILES = (
    heads_file(
        Path(__file__).with_name("deck.csv"),
        "EN-1",
        len(CARDS),
        "reconstruction",
        (1, 2, 3, 4, 5, 6, 7),
    ),
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


class Phase(IntEnum):
    """What the table waits for."""

    DEALING = 0
    PLAYING = 1
    CHOOSING_BULL = 2
    OVER = 3


DEALING, PLAYING, CHOOSING_BULL, OVER = map(int, Phase)
PASSING = (DEALING,)  # nobody decides

# Where a card can lie, and who sees it there: HAND + seat, and from STACK on the stacks, as many as there
# are.  Of a stack one sees only its top card, not even how much lies under it; hands are opened when
# they are counted.
places = Places(SEATS[-1])
DRAW = places.one("draw", UNKNOWN)
HAND = places.by_seat("hand", HELD, opened=(DEALING, OVER))
BULLS = places.by_seat("bulls", ALIKE)
SUPPLY = places.one("supply", ALIKE)
STACK = places.heaps("stack", TOP_ONLY)
places.listed("stack", "hand", "bulls", "draw", "supply")


def steps(card: Card, top: Card) -> int:
    """EN-7: how far a card lies above another one, where 1 comes after 100."""
    return (card - top) % CYCLE


def below(card: Card, far: int) -> Card:
    return (card - far - 1) % CYCLE + 1


# Actions: PLAY + FURTHEST * card + steps from the stack's name - 1, TAKE + top card,
# BULL_OF + seat, END.
PLAY = 0
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
actions = Actions(places)
actions.written(
    {action: f"play {card} on {top}" for card in CARDS for top, action in PLAY_ON[card].items()},
    "play 36 on 31",
    "EN-6",
    "does_not_fit",
    {action: Touch(card, HAND, is_own=True) for card in CARDS for action in PLAY_ON[card].values()},
)
TAKE = actions.block("take {top}", CARDS, "EN-9", "no_such_stack", example=46, first=1009)
BULL_OF = actions.block(
    "bull from {seat}",
    range(SEATS[-1]),
    "EN-12",
    "choose_whose_bull",
    example=2,
    at=BULLS,
    first=1110,
)
END = actions.one("end", "EN-4", "not_a_move", action=0)
EVENTS = {
    "place": ("seat", "card", "onto"),
    "take": ("seat", "cards"),
    "bull": ("seat", "from"),
    "open": ("card",),
    "round_end": (),
}
TURN_RULE = "EN-4"

# Which cards went into a hand with a stack is not shown to the others.
OWN_SIDE = {"take": OwnSide("cards", recalled=True)}


@with_places(places)
@dataclass(slots=True)
class Table(base.Table):
    starter: Seat = 0  # of this round, or of the next one while it is not dealt
    served: tuple[tuple[int, Card], ...] = ()  # in this turn: the stacks played on, and their names

    @property
    def bulls(self) -> tuple[int, ...]:
        """How many bull cards lie in front of each seat."""
        return tuple([len(cards) for cards in self.lying[BULLS : BULLS + self.seats]])


def set_up(table: Table) -> None:
    first = table.options["first_seat"]
    assert isinstance(first, int)
    table.starter = first
    table.lay([UNSEEN] * BULL_CARDS, SUPPLY)


def to_shuffle(table: Table) -> list[Card]:
    return list(CARDS) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> None:
    """EN-3: ten cards to each player, the first stack, and the draw pile."""
    table.clear()
    table.phase, table.actor, table.served, cards = PLAYING, table.starter, (), iter(shuffled)
    for seat in range(table.seats):
        table.lay(islice(cards, HAND_SIZE), HAND + seat)
    table.lay(islice(cards, 1), table.new_heap())
    table.lay(cards, DRAW)
    table.lay([UNSEEN] * BULL_CARDS, SUPPLY)


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
    if table.served:
        return [*further_plays(table, seat), END]
    return first_choice(table, seat)


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
    bulls = len(table.lying[BULLS + seat])
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


def act(table: Table, seat: Seat, action: Action) -> None:
    if action == END:
        pass_turn(table)
    elif action >= BULL_OF:
        take_bull(table, seat, action - BULL_OF)
        open_stacks(table)
    elif action > TAKE:
        take(table, seat, action - TAKE)
    else:
        place(table, seat, action)
        if not table.lying[HAND + seat]:
            end_round(table)
        elif not further_plays(table, seat):
            pass_turn(table)


def place(table: Table, seat: Seat, action: Action) -> None:
    """EN-5 to EN-7; a stack keeps the name it had when the turn began."""
    card, far = divmod(action - PLAY, FURTHEST)
    name = below(card, far + 1)
    if not table.served or table.served[-1][1] != name:
        table.served += ((tops(table).index(name), name),)
    table.carry(card, HAND + seat, STACK + table.served[-1][0])
    table.tell(event="place", seat=seat, card=card, onto=name)


def pass_turn(table: Table) -> None:
    """EN-4: clockwise; EN-13: without a stack nobody can move, and the round ends."""
    table.actor, table.served = (table.actor + 1) % table.seats, ()
    table.phase = PLAYING
    if not table.heaps:
        end_round(table)


# -- Taking a stack ---------------------------------------------------------------------------


def take(table: Table, seat: Seat, top: Card) -> None:
    """EN-9, EN-11, EN-12: the stack goes to the hand; three cards or more bring a bull card."""
    taken = table.carry_all(STACK + tops(table).index(top), HAND + seat)
    table.tell(event="take", seat=seat, cards=list(taken))
    if len(taken) >= BIG_STACK:
        if table.lying[SUPPLY]:
            give_bull(table, seat)
        else:
            others = richest_others(table, seat)
            if len(others) > 1:
                table.phase = CHOOSING_BULL
                return
            if others:
                take_bull(table, seat, others[0])
    open_stacks(table)


def richest_others(table: Table, seat: Seat) -> list[Seat]:
    """EN-12: who has the most bull cards, except the taker."""
    bulls = table.bulls
    most = max(bulls)
    return [other for other in range(table.seats) if bulls[other] == most and other != seat]


def give_bull(table: Table, seat: Seat) -> None:
    """EN-11: from the supply."""
    table.draw(SUPPLY, BULLS + seat)
    table.tell(event="bull", seat=seat, **{"from": "supply"})


def take_bull(table: Table, seat: Seat, giver: Seat) -> None:
    """EN-12: from the player who has the most."""
    table.draw(BULLS + giver, BULLS + seat)
    table.tell(event="bull", seat=seat, **{"from": giver})


def open_stacks(table: Table) -> None:
    """EN-10: two new stacks, while the draw pile lasts; that ends the turn."""
    for _ in table.lying[DRAW][:NEW_STACKS]:
        card = table.draw(DRAW, table.new_heap())
        table.tell(event="open", card=card)
    pass_turn(table)


# -- End of a round and of the game -----------------------------------------------------------


def end_round(table: Table) -> None:
    """EN-16, EN-17: the heads in the hands are counted."""
    table.points += (tuple([worth(table, seat) for seat in range(table.seats)]),)
    table.starter = next_starter(table)
    table.phase = DEALING if len(table.points) != table.options["rounds"] else OVER
    table.turn_up(HAND)
    table.tell(event="round_end")


def worth(table: Table, seat: Seat) -> int:
    """EN-16: the minus points of a hand, as far as one sees it."""
    return sum([table.deck.heads[card] for card in table.lying[HAND + seat]])


def parts(table: Table, seat: Seat) -> list[Part]:
    hand = tuple([card for card in table.lying[HAND + seat] if card != UNSEEN])
    return [Part("hand", hand, str(worth(table, seat)), "bad")] if hand else []


def next_starter(table: Table) -> Seat:
    """EN-18: the most minus points; among equals the first one clockwise from the last starter."""
    points = scores(table)
    clockwise = [(table.starter + step) % table.seats for step in range(table.seats)]
    return next(seat for seat in clockwise if points[seat] == max(points))


def scores(table: Table) -> list[int]:
    return totals(table.points, table.seats)


def best(options: Options) -> Best:
    """EN-19: fewest minus points win."""
    return min


# -- What is told of a table besides its cards ------------------------------------------------


def facts(table: Table) -> dict[str, Any]:
    """The bull cards by seat once more: they stood here before they had places."""
    return {"starter": table.starter, "bulls": table.bulls, "served": table.served}


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
    if action not in actions:
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
