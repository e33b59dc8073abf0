"""Hornochsen!  (Wolfgang Kramer; 2-6 players)

Read this file beside docs/games/hornochsen.md: its sections stand in the same order, and a rule is a
function that carries the rule's id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice
from pathlib import Path

from bullpen import table as base
from bullpen.actions import Actions
from bullpen.cards import Card, Place, mask
from bullpen.deck import DeckFile, Face
from bullpen.game import (
    MEMORY_AID,
    Action,
    BadOption,
    Best,
    Options,
    Part,
    Refusal,
    Seat,
    SeatNumber,
    option,
    refuse,
)
from bullpen.places import FACE_DOWN, HELD, Places
from bullpen.sizes import Sizes
from bullpen.table import with_places

ID, TITLE, PREFIX = "hornochsen", "Hornochsen!", "HO"
RULES = 1  # the next number whenever a game under way would go on differently
SEATS = range(2, 7)

# -- Cards ------------------------------------------------------------------------------------

NUMBERS = range(1, 99)
LAST_NUMBER = 98
X2, PLUS5 = 99, 105  # X2 + seat and PLUS5 + seat: every player has one of each (HO-3)
CARDS = range(1, 111)
ALL_X2, ALL_PLUS5 = frozenset(range(X2, PLUS5)), frozenset(range(PLUS5, CARDS[-1] + 1))
SPECIALS = mask(ALL_X2 | ALL_PLUS5)  # all know from the start who has which
HEADS = {"green": (1, 2), "red": (2, 3, 5, 7)}


def heads_on(row: Mapping[str, str]) -> Face:
    """HO-1: a red card's heads count below zero."""
    heads, colour = int(row["heads"]), row["colour"]
    if heads not in HEADS[colour]:
        raise ValueError
    return heads if colour == "green" else -heads


DECK_FILES = (
    DeckFile(
        Path(__file__).with_name("deck.csv"),
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
PRINTED = {  # a mini game has less
    seats: Sizes(hand, range(1, rows + 1), FULL_AT, NUMBERS) for seats, (hand, rows) in DEAL.items()
}
PLUS5_POINTS, SPECIAL_LEFT = 5, -10
OPTIONS = (option("first_seat", SeatNumber(), default=0), MEMORY_AID)


class Phase(IntEnum):
    """What the table waits for."""

    DEALING = 0
    PLAYING = 1
    OVER = 2


DEALING, PLAYING, OVER = map(int, Phase)
PASSING = (DEALING,)  # nobody decides

# Where a card can lie, and who sees it there: HAND + seat, PILE + seat, and from ROW on the rows of the
# ring, clockwise, as many as are left.
places = Places(SEATS[-1])
BOX = places.box(FACE_DOWN)  # HO-3: which special cards are not used, all know
HAND = places.by_seat("hand", HELD, opened=(OVER,))
PILE = places.by_seat("pile", FACE_DOWN, opened=(OVER,), known="everything")
ROW = places.heaps("row", holds=[FULL_AT])
places.listed("row", "hand", "pile", "box")

# Actions: PLAY + card, X2_ON + end value, PLUS5_ON + end value, STOP.
actions = Actions(places)
PLAY = actions.block("play {card}", NUMBERS, "HO-1", "no_such_card", example=37, picks=HAND)
X2_ON = actions.block(
    "x2 on {end}", NUMBERS, "HO-7", "no_such_row", example=35, picks=HAND, lays=X2
)
PLUS5_ON = actions.block(
    "+5 on {end}", NUMBERS, "HO-7", "no_such_row", example=35, picks=HAND, lays=PLUS5
)
STOP = actions.one("stop", "HO-6", "not_a_move", 0)
EVENTS = {
    "place": ("seat", "card", "onto"),
    "special": ("seat", "special", "onto"),
    "take": ("seat", "cards", "specials"),
    "pass_over": ("seat",),
}
TURN_RULE = "HO-6"


@with_places(places, PRINTED)
@dataclass(slots=True)
class Table(base.Table):
    """`actor` is whose turn it is; the rows are heaps."""

    played: int = 0  # cards, in this turn
    offer: list[Action] | None = field(default=None, compare=False)  # `legal`, once asked for


def set_up(table: Table) -> None:
    first = table.options["first_seat"]
    assert isinstance(first, int)
    table.actor, table.seen = first, SPECIALS


def to_shuffle(table: Table) -> list[Card]:
    return list(table.sizes.cards) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> None:
    """HO-3 to HO-5: number cards and two special cards a hand, the others as rows in a ring."""
    table.clear()
    table.phase, cards, sizes = PLAYING, iter(shuffled), table.sizes
    for seat in range(table.seats):
        table.lay((*islice(cards, sizes.hand), X2 + seat, PLUS5 + seat), HAND + seat)
    for card in sorted(islice(cards, len(sizes.rows))):
        table.lay((card,), table.new_heap())
    left_out = NUMBERS[len(sizes.cards) :]  # of a mini game
    unused = [card + seat for card in (X2, PLUS5) for seat in range(table.seats, SEATS[-1])]
    table.lay((*sorted(cards), *left_out, *unused), BOX)
    table.seen |= SPECIALS | mask(left_out)


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


def act(table: Table, seat: Seat, action: Action) -> None:
    """HO-6, HO-10: cards one after the other, each finding its place anew."""
    if action == STOP:
        pass_turn(table)
        return
    table.played += 1
    if action > PLUS5_ON:
        lay_special(table, seat, PLUS5 + seat, action - PLUS5_ON)
    elif action > X2_ON:
        lay_special(table, seat, X2 + seat, action - X2_ON)
    else:
        place(table, seat, action - PLAY)
    if is_over(table):
        table.phase = OVER
    elif table.played == CARDS_A_TURN or not can_play(table, seat):
        pass_turn(table)


def place(table: Table, seat: Seat, card: Card) -> None:
    row = ROW + row_for(table, card)
    onto = end_value(table.lying[row])
    table.carry(card, HAND + seat, row)
    table.tell(event="place", seat=seat, card=card, onto=onto)
    if sum(1 for laid in table.lying[row] if laid <= LAST_NUMBER) == table.sizes.full_at:
        take(table, seat, row)


def lay_special(table: Table, seat: Seat, special: Card, end: Card) -> None:
    """HO-11, HO-13: it lies in the row, but neither ends it nor counts towards the five."""
    lying = table.lying
    row = next(at for at in range(ROW, len(lying)) if end_value(lying[at]) == end)
    table.carry(special, HAND + seat, row)
    table.tell(event="special", seat=seat, special=special_name(special), onto=end)


def special_name(special: Card) -> str:
    return "+5" if special in ALL_PLUS5 else "x2"


# -- Taking a row -----------------------------------------------------------------------------


def take(table: Table, seat: Seat, row: Place) -> None:
    """HO-12: the whole row goes to the pile, and the ring closes."""
    taken = table.carry_all(row, PILE + seat)
    cards = [card for card in taken if card <= LAST_NUMBER]
    specials = [special_name(card) for card in taken if card > LAST_NUMBER]
    table.tell(event="take", seat=seat, cards=cards, specials=specials)


# -- End --------------------------------------------------------------------------------------


def pass_turn(table: Table) -> None:
    """HO-6: clockwise; HO-14: who can play no card any more is passed over."""
    table.played = 0
    table.actor = (table.actor + 1) % table.seats
    while not can_play(table, table.actor):
        table.tell(event="pass_over", seat=table.actor)
        table.actor = (table.actor + 1) % table.seats


def is_over(table: Table) -> bool:
    """HO-15: at once when the last number card has left the hands."""
    hands = table.lying[HAND : HAND + table.seats]
    return not any(hand and hand[0] <= LAST_NUMBER for hand in hands)


def scores(table: Table) -> list[int]:
    """Nothing is counted before the end: the piles are closed."""
    if table.phase != OVER:
        return [0] * table.seats
    return [worth(table, seat) for seat in range(table.seats)]


def worth(table: Table, seat: Seat) -> int:
    """HO-16: heads and +5 cards, doubled by every x2; less 10 for every special card in hand."""
    heads, total, doublings = table.deck.heads, 0, 0
    for card in table.lying[PILE + seat]:
        if card <= LAST_NUMBER:
            total += heads[card]
        elif card in ALL_PLUS5:
            total += PLUS5_POINTS
        else:
            doublings += 1
    return (total << doublings) + SPECIAL_LEFT * len(left_over(table, seat))


def left_over(table: Table, seat: Seat) -> tuple[Card, ...]:
    """HO-15, HO-16: at the end there are only special cards in the hands."""
    return table.lying[HAND + seat] if table.phase == OVER else ()


def parts(table: Table, seat: Seat) -> list[Part]:
    """HO-16, part by part, as far as the cards lie open."""
    heads, pile = table.deck.heads, table.lying[PILE + seat]
    numbers = [card for card in pile if 0 < card <= LAST_NUMBER]
    green = tuple(card for card in numbers if heads[card] > 0)
    red = tuple(card for card in numbers if heads[card] < 0)
    fives = tuple(card for card in pile if card in ALL_PLUS5)
    doubles = tuple(card for card in pile if card in ALL_X2)
    left = left_over(table, seat)
    shown = [
        Part("green", green, f"+{sum(heads[card] for card in green)}", "good"),
        Part("red", red, f"−{-sum(heads[card] for card in red)}", "bad"),
        Part("fives", fives, f"+{PLUS5_POINTS * len(fives)}", "good"),
        Part("doubles", doubles, f"×{2 ** len(doubles)}", "plain"),
        Part("left", left, f"−{-SPECIAL_LEFT * len(left)}", "bad"),
    ]
    return [part for part in shown if part.cards]


def best(options: Options) -> Best:
    """HO-17: most points win."""
    return max


# -- Mini games -------------------------------------------------------------------------------


def check_sizes(sizes: Sizes, seats: int, options: Options) -> None:
    """HO-12: a row that was taken is gone, so the rows must have room for every card in the hands."""
    room, played = (sizes.full_at - 1) * len(sizes.rows), sizes.hand * seats
    if played > room:
        raise BadOption("size_ring", game=ID, rule="HO-12", room=room, played=played)


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
    if not STOP < action <= PLUS5_ON + LAST_NUMBER:
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
