"""Bullenparty  (Wolfgang Kramer; 2-5 players)

Read this file beside docs/games/bullenparty.md: its sections stand in the same order, and a rule is a
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
from bullpen.actions import HIGHEST, Actions, Touch
from bullpen.cards import Card, Place, mask, without
from bullpen.deck import DeckFile, heads_file
from bullpen.game import (
    MEMORY_AID,
    Action,
    Best,
    Options,
    Part,
    Refusal,
    Seat,
    refuse,
)
from bullpen.places import ACTING, FACE_DOWN, HELD, SHUFFLED, Places
from bullpen.table import with_places
from bullpen.views import OwnSide

ID, TITLE, PREFIX = "bullenparty", "Bullenparty", "BP"
RULES = 1  # the next number whenever a game under way would go on differently
SEATS = range(2, 6)

# -- Cards ------------------------------------------------------------------------------------

NUMBERS = range(1, 101)
LAST_NUMBER = 100
ZEROS = range(101, 106)  # A to E
BULLS = range(106, 116)  # fewest heads first
CARDS = range(1, 116)
DECK_FILES = (
    heads_file(
        Path(__file__).with_name("numbers.csv"), "BP-1", len(NUMBERS), "reconstruction", range(1, 8)
    ),
    DeckFile(
        Path(__file__).with_name("bulls.csv"),
        "BP-2",
        "bulls",
        ("order", "heads"),
        len(BULLS),
        "reconstruction",
        face=lambda row: int(row["heads"]),
        allowed=lambda _, face: face in range(4, 8),
        allowed_text="heads 4, 5, 6, 7",
    ),
)
CARD_NAMES: dict[Card, str] = {
    **dict(zip(ZEROS, "ABCDE", strict=True)),
    **{bull: f"bull{number}" for number, bull in enumerate(BULLS, start=1)},
}

# -- Setting up -------------------------------------------------------------------------------

HAND_SIZE = 5  # number cards
TO_THE_BOX = {2: 50, 3: 25, 4: 0, 5: 0}  # by seats
FIRST_IN_ROW = 2  # cards
FULL_ROW = 5  # number cards
OPTIONS = (MEMORY_AID,)


class Phase(IntEnum):
    """What the table waits for; in LAYING_ROWS and DRAWING it needs a shuffle before it goes on, and SERVING
    never lasts beyond `act`."""

    DEALING_ZEROS = 0
    DEALING = 1
    LAYING_ROWS = 2
    BIDDING = 3
    SERVING = 4
    DRAWING = 5
    TAKING = 6
    EXTENDING = 7
    PILING = 8
    OVER = 9


DEALING_ZEROS, DEALING, LAYING_ROWS, BIDDING, SERVING = map(int, tuple(Phase)[:5])
DRAWING, TAKING, EXTENDING, PILING, OVER = map(int, tuple(Phase)[5:])
PASSING = (DEALING_ZEROS, DEALING, LAYING_ROWS, SERVING, DRAWING)  # nobody decides

# Where a card can lie, and who sees it there: ROW + row, HAND + seat, ..., and from PILE on the piles in
# the order in which they were begun; `table.owners` says whose.  The discards are closed, but a perfect
# memory knows them, and after a shuffle which cards are in the draw pile, though not in which order.  A
# drawn card is seen by its drawer alone.
places = Places(SEATS[-1])
BOX = places.box(FACE_DOWN)  # whose zero cards are left over all can tell
DRAW = places.one("draw", SHUFFLED)
DISCARD = places.one("discard", FACE_DOWN)
DRAWN = places.one("drawn", ACTING, part_of=DRAW)
BULL_SUPPLY = places.one("bull supply")
ROW = places.numbered("row")
HAND = places.by_seat("hand", HELD)
BID = places.by_seat("bid", secret_in=BIDDING, part_of=HAND)
WON = places.by_seat("bulls")
PILE = places.heaps("pile", owned=True)
places.listed(
    "row", "hand", "bid", "bulls", "pile", "drawn", "draw", "discard", "bull supply", "box"
)

# Actions: BID_CARD + card (0 for the zero card), TAKE_ROW + row, EXTEND + row,
# ON_PILE + 100 * card + top card of the pile, NEW_PILE + card.
ROWS = range(1, SEATS[-1] + 1)
BID_CARD, ON_PILE = 0, 110
actions = Actions(places)
actions.written(
    {BID_CARD + card: f"bid {card}" for card in (0, *NUMBERS)},
    "bid 13",
    "BP-1",
    "no_such_card",
    {BID_CARD + card: Touch(card or HIGHEST, HAND, is_own=True) for card in (0, *NUMBERS)},
)
TAKE_ROW = actions.block("take {row}", ROWS, "BP-7", "no_such_row", example=2, at=ROW)
EXTEND = actions.block("extend {row}", ROWS, "BP-7", "no_such_row", example=2, at=ROW)
actions.written(
    {
        ON_PILE + 100 * card + top: f"pile {card} on {top}"
        for card in NUMBERS
        for top in range(1, card)
    },
    "pile 49 on 31",
    "BP-16",
    "pile_must_ascend",
    {
        ON_PILE + 100 * card + top: Touch(card, HAND, is_own=True)
        for card in NUMBERS
        for top in range(1, card)
    },
)
NEW_PILE = actions.block(
    "pile {card} new", NUMBERS, "BP-1", "no_such_card", example=49, picks=HAND, first=110
)
EVENTS = {
    "lay_row": ("row", "cards"),
    "reveal": ("bids",),
    "take": ("seat", "row", "cards", "bulls"),
    "draw": ("seat", "card"),
    "extend": ("seat", "row", "card"),
    "bull": ("row", "heads"),
    "pile": ("seat", "card", "onto"),
    "last_round": (),
    "round_end": (),
}
TURN_RULE = "BP-8"

# BP-10: a drawn card is seen by its drawer alone, until it lies in a row.
OWN_SIDE = {"draw": OwnSide("card")}
KNOWN_TO_ALL = mask(ZEROS) | mask(BULLS)  # from the start


@with_places(places)
@dataclass(slots=True)
class Table(base.Table):
    bidders: tuple[Seat, ...] = ()  # who has no row yet in this round
    takers: tuple[Seat, ...] = ()  # in the order in which they took their rows
    owners: tuple[Seat, ...] = ()  # of the piles
    zeros: tuple[Card, ...] = ()  # by seat: all may know from the start whose zero card is which
    emptied: int = 0  # BP-18: 1 when the draw pile has run out once, 2 when `last_round` was said

    def heap_name(self, number: int) -> str:
        """`pile 3 of 1` is the third pile that was begun, and belongs to seat 1."""
        return f"pile {number} of {self.owners[number - 1]}"


def set_up(table: Table) -> None:
    table.seen = KNOWN_TO_ALL


def to_shuffle(table: Table) -> list[Card]:
    if table.phase == DEALING_ZEROS:
        return list(ZEROS)
    if table.phase == DEALING:
        return list(NUMBERS)
    if table.phase in (LAYING_ROWS, DRAWING):
        return sorted(table.lying[DISCARD])
    return []


def deal(table: Table, shuffled: Sequence[Card]) -> None:
    if table.phase == DEALING_ZEROS:
        deal_zeros(table, shuffled)
    elif table.phase == DEALING:
        deal_numbers(table, shuffled)
        lay_rows(table)
    else:
        table.lying[DISCARD] = ()  # BP-19
        table.lay(shuffled, DRAW)
        if table.phase == LAYING_ROWS:
            lay_rows(table)
        else:
            serve_bids(table)


def deal_zeros(table: Table, shuffled: Sequence[Card]) -> None:
    """BP-4, BP-6: a zero card to each player; the bull cards lie ready."""
    table.clear()
    table.seen = KNOWN_TO_ALL
    table.zeros = tuple(shuffled[: table.seats])
    for seat, zero in enumerate(table.zeros):
        table.lay([zero], HAND + seat)
    table.lay([*NUMBERS, *sorted(shuffled[table.seats :])], BOX)
    table.lay(BULLS, BULL_SUPPLY)
    table.phase = DEALING


def deal_numbers(table: Table, shuffled: Sequence[Card]) -> None:
    """BP-4, BP-5: five number cards to each player, some to the box, the rest to draw."""
    cards = iter(shuffled)
    for seat in range(table.seats):
        table.lay(islice(cards, HAND_SIZE), HAND + seat)
    zeros_left = [card for card in table.lying[BOX] if card > LAST_NUMBER]
    to_the_box = sorted(islice(cards, TO_THE_BOX[table.seats]))
    table.lying[BOX] = (*to_the_box, *zeros_left)
    table.lay(cards, DRAW)


# -- A round ----------------------------------------------------------------------------------


def rows(table: Table) -> range:
    """BP-7: as many as players."""
    return range(1, table.seats + 1)


def numbers_in(cards: Sequence[Card]) -> list[Card]:
    return [card for card in cards if card <= LAST_NUMBER]


def open_rows(table: Table) -> list[int]:
    """The rows that nobody has taken yet in this round."""
    return [row for row in rows(table) if table.lying[ROW + row]]


def short_rows(table: Table) -> list[int]:
    """BP-10, BP-11: the rows that can take another number card."""
    return [row for row in open_rows(table) if len(table.lying[ROW + row]) < FULL_ROW]


def lay_rows(table: Table) -> None:
    """BP-7: two cards to each row.  The table waits in this phase if it needs a shuffle (BP-19)."""
    table.phase = LAYING_ROWS
    lying = table.lying
    for row in rows(table):
        if len(lying[ROW + row]) == FIRST_IN_ROW:
            continue  # laid before the shuffle
        while len(lying[ROW + row]) < FIRST_IN_ROW:
            if not lying[DRAW]:
                return
            draw(table, ROW + row)
        table.tell(event="lay_row", row=row, cards=list(lying[ROW + row]))
        say_last_round(table)
    table.bidders, table.takers = tuple(range(table.seats)), ()
    table.phase = BIDDING


def draw(table: Table, to: Place) -> Card:
    card = table.draw(DRAW, to)
    if not table.lying[DRAW]:
        table.emptied = table.emptied or 1
    return card


def say_last_round(table: Table) -> None:
    """BP-18: once, when the last card of the draw pile has come into a row."""
    if table.emptied == 1:
        table.emptied = 2
        table.tell(event="last_round")


def waiting_for(table: Table) -> list[Seat]:
    if table.phase == BIDDING:
        return table.still_to_choose(table.bidders, BID)
    return [table.actor] if table.phase in (TAKING, EXTENDING, PILING) else []


def legal(table: Table, seat: Seat) -> list[Action]:
    if table.phase == BIDDING:
        return possible_bids(table, seat)
    if seat != table.actor:
        return []
    if table.phase == TAKING:
        return [TAKE_ROW + row for row in open_rows(table)]
    if table.phase == EXTENDING:
        return [EXTEND + row for row in short_rows(table)]
    return possible_piles(table, seat) if table.phase == PILING else []


def possible_bids(table: Table, seat: Seat) -> list[Action]:
    """BP-8: a number card or the zero card."""
    if seat not in table.bidders or table.lying[BID + seat]:
        return []
    bids = [BID_CARD + card for card in table.lying[HAND + seat] if card <= LAST_NUMBER]
    return [BID_CARD, *bids] if zero_may_be_bid(table) else bids


def zero_may_be_bid(table: Table) -> bool:
    """BP-14: not if every remaining row has five number cards, nor if no card can be drawn."""
    return bool(short_rows(table)) and bool(table.lying[DRAW] or table.lying[DISCARD])


def act(table: Table, seat: Seat, action: Action) -> None:
    if action > NEW_PILE:
        lay_on_pile(table, seat, action)
    elif action > EXTEND:
        extend(table, seat, action - EXTEND)
        serve_bids(table)
    elif action > TAKE_ROW:
        take(table, seat, action - TAKE_ROW)
        serve_bids(table)
    else:
        card = action - BID_CARD or table.lying[HAND + seat][-1]  # the zero card
        table.choose(card, HAND + seat, BID + seat)
        if not waiting_for(table):
            reveal(table)
            serve_bids(table)


def reveal(table: Table) -> None:
    bids = [card if card is None or card <= LAST_NUMBER else 0 for card in table.turn_up(BID)]
    table.tell(event="reveal", bids=bids)


def serve_bids(table: Table) -> None:
    """BP-9, BP-10, BP-13: number cards first, lowest first, then the zero cards by their letters (they
    have higher numbers); then those without a row bid again.  Stops when someone has to choose."""
    table.phase = SERVING
    lying = table.lying
    while table.phase == SERVING:
        bids = [lying[BID + seat] for seat in table.bidders if lying[BID + seat]]
        if not bids:
            go_on_after_bids(table)
            return
        lowest = min(bids)
        seat = lying.index(lowest, BID) - BID
        if lowest[0] <= LAST_NUMBER:
            serve_number(table, seat)
        else:
            serve_zero(table, seat)


def go_on_after_bids(table: Table) -> None:
    if table.bidders:
        table.phase = BIDDING
    else:
        table.phase, table.actor = PILING, table.takers[0]


def serve_number(table: Table, seat: Seat) -> None:
    """BP-9: the bid is discarded, and its player takes a row of their choice."""
    table.carry_all(BID + seat, DISCARD)
    choices = open_rows(table)
    if len(choices) == 1:
        take(table, seat, choices[0])
    else:
        table.phase, table.actor = TAKING, seat


def take(table: Table, seat: Seat, row: int) -> None:
    """BP-9, BP-17: number cards to the hand; a bull card is laid in front of the player."""
    numbers = numbers_in(table.lying[ROW + row])
    for card in numbers:
        table.carry(card, ROW + row, HAND + seat)
    bulls = table.carry_all(ROW + row, WON + seat)
    table.bidders = without(table.bidders, seat)
    table.takers += (seat,)
    heads = [bull_heads(table, bull) for bull in bulls]
    table.tell(event="take", seat=seat, row=row, cards=numbers, bulls=heads)


def serve_zero(table: Table, seat: Seat) -> None:
    """BP-10, BP-11: draw a card for a remaining row, if one has room for it."""
    lying = table.lying
    choices = short_rows(table)
    if choices and not lying[DRAW] and lying[DISCARD]:
        table.phase = DRAWING  # BP-19
        return
    if not choices or not lying[DRAW]:
        take_back_zero(table, seat)
        return
    table.actor = seat
    card = draw(table, DRAWN)
    table.tell(event="draw", seat=seat, card=card)
    if len(choices) == 1:
        extend(table, seat, choices[0])
    else:
        table.phase = EXTENDING


def take_back_zero(table: Table, seat: Seat) -> None:
    table.carry_all(BID + seat, HAND + seat)


def extend(table: Table, seat: Seat, row: int) -> None:
    """BP-10, BP-12: the drawn card joins a row; a fifth number card brings it a bull card."""
    (card,) = table.carry_all(DRAWN, ROW + row)
    take_back_zero(table, seat)
    table.tell(event="extend", seat=seat, row=row, card=card)
    if len(table.lying[ROW + row]) == FULL_ROW and table.lying[BULL_SUPPLY]:
        bull = table.draw(BULL_SUPPLY, ROW + row)
        table.tell(event="bull", row=row, heads=bull_heads(table, bull))
    say_last_round(table)


def bull_heads(table: Table, bull: Card) -> int:
    return table.deck.bulls[bull - BULLS[0]]


# -- Building piles ---------------------------------------------------------------------------


def piles(table: Table, seat: Seat) -> list[tuple[Card, ...]]:
    whose = zip(table.owners, table.lying[PILE:], strict=True)
    return [pile for owner, pile in whose if owner == seat]


def possible_piles(table: Table, seat: Seat) -> list[Action]:
    """BP-16: on a pile with a lower top card, or as a new pile."""
    numbers = numbers_in(table.lying[HAND + seat])
    tops = [pile[-1] for pile in piles(table, seat)]
    on_piles = [ON_PILE + 100 * card + top for card in numbers for top in tops if top < card]
    return on_piles + [NEW_PILE + card for card in numbers]


def lay_on_pile(table: Table, seat: Seat, action: Action) -> None:
    card, top = pile_move(action)
    if top is None:
        table.owners += (seat,)
    table.carry(card, HAND + seat, table.new_heap() if top is None else pile_under(table, top))
    table.tell(event="pile", seat=seat, card=card, onto=top)
    if has_laid_enough(table, seat):
        next_to_lay(table, seat)


def pile_under(table: Table, top: Card) -> Place:
    """The pile with this card on its top."""
    return next(p for p in range(PILE, len(table.lying)) if table.lying[p][-1] == top)


def pile_move(action: Action) -> tuple[Card, Card | None]:
    """The card, and the top card of the pile or none for a new one."""
    if action <= NEW_PILE + LAST_NUMBER:
        return action - NEW_PILE, None
    return divmod(action - ON_PILE, 100)


def has_laid_enough(table: Table, seat: Seat) -> bool:
    """BP-15: down to five number cards; BP-20: in the last round all of them."""
    return len(numbers_in(table.lying[HAND + seat])) == (0 if table.emptied else HAND_SIZE)


def next_to_lay(table: Table, seat: Seat) -> None:
    """BP-15: in the order in which they took their rows."""
    later = table.takers[table.takers.index(seat) + 1 :]
    if later:
        table.actor = later[0]
        return
    table.tell(event="round_end")
    if table.emptied:
        table.phase = OVER
    else:
        lay_rows(table)


# -- End --------------------------------------------------------------------------------------


def worth(table: Table, seat: Seat) -> int:
    """BP-21: the richest pile and the bull cards, less all other piles."""
    heads = [heads_on(table, pile) for pile in piles(table, seat)]
    bulls = sum(bull_heads(table, bull) for bull in table.lying[WON + seat])
    return bulls + 2 * max(heads, default=0) - sum(heads)


def heads_on(table: Table, cards: Sequence[Card]) -> int:
    return sum([table.deck.heads[card] for card in cards])


def main_pile(table: Table, own: Sequence[tuple[Card, ...]]) -> int:
    """Of piles that are equally rich the one that was begun first is the main pile."""
    return max(range(len(own)), key=lambda at: heads_on(table, own[at]))


def parts(table: Table, seat: Seat) -> list[Part]:
    """BP-21, part by part."""
    own, bulls = piles(table, seat), table.lying[WON + seat]
    found = []
    if own:
        main = own.pop(main_pile(table, own))
        found.append(Part("main_pile", main, f"+{heads_on(table, main)}", "good"))
    if bulls:
        heads = sum(bull_heads(table, bull) for bull in bulls)
        found.append(Part("bulls_won", bulls, f"+{heads}", "good"))
    if own:
        others = tuple(card for pile in own for card in pile)
        found.append(Part("other_piles", others, f"−{heads_on(table, others)}", "bad"))
    return found


def scores(table: Table) -> list[int]:
    return [worth(table, seat) for seat in range(table.seats)]


def best(options: Options) -> Best:
    """BP-21: most points win."""
    return max


# -- What is told of a table besides its cards ------------------------------------------------


def facts(table: Table) -> dict[str, Any]:
    """The table's own, and by seat the place of the main pile."""
    return {
        **table.own_facts(),
        "main_piles": [main_place(table, seat) for seat in range(table.seats)],
    }


def main_place(table: Table, seat: Seat) -> str | None:
    own = piles(table, seat)
    if not own:
        return None
    places = [place for place, owner in enumerate(table.owners, PILE) if owner == seat]
    return table.called(table.lasting(places[main_pile(table, own)]))


# -- Refusals ---------------------------------------------------------------------------------


def why_not(table: Table, seat: Seat, action: Action) -> Refusal:
    if table.phase == OVER:
        return refuse("BP-20", "game_over")
    if table.phase == BIDDING:
        return why_not_bid(table, seat, action)
    if table.phase not in (TAKING, EXTENDING, PILING):
        return refuse("BP-4", "not_dealt")
    if seat != table.actor:
        rule = {TAKING: "BP-9", EXTENDING: "BP-10", PILING: "BP-15"}[table.phase]
        return refuse(rule, "not_your_turn", actor=table.actor)
    if table.phase == TAKING:
        gone = action - TAKE_ROW in rows(table)
        return refuse("BP-9", "row_already_taken" if gone else "choose_a_row_to_take")
    if table.phase == EXTENDING:
        full = EXTEND < action <= NEW_PILE and table.lying[ROW + action - EXTEND]
        return refuse("BP-11", "row_is_full") if full else refuse("BP-10", "choose_a_row_to_extend")
    return why_not_pile(table, seat, action)


def why_not_bid(table: Table, seat: Seat, action: Action) -> Refusal:
    if seat not in table.bidders:
        return refuse("BP-9", "out_of_the_bidding")
    if table.lying[BID + seat]:
        return refuse("BP-8", "already_chosen")
    if action == BID_CARD and not short_rows(table):
        return refuse("BP-14", "no_zero_when_rows_are_full")
    if action == BID_CARD:
        return refuse("BP-14", "no_zero_when_nothing_to_draw")
    if BID_CARD < action <= TAKE_ROW:
        return refuse("BP-8", "card_not_in_hand", card=action - BID_CARD)
    return refuse("BP-8", "choose_a_bid")


def why_not_pile(table: Table, seat: Seat, action: Action) -> Refusal:
    if action <= NEW_PILE or action not in actions:
        return refuse("BP-15", "choose_a_card_to_lay")
    card, top = pile_move(action)
    if card not in table.lying[HAND + seat]:
        return refuse("BP-15", "card_not_in_hand", card=card)
    return refuse("BP-16", "no_such_pile", top=top)
