"""Bullenparty  (Wolfgang Kramer; 2-5 players)

Read this file beside docs/rules/bullenparty.md: its sections stand in the same order, and a rule is a
function that carries the rule's id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from bullpen.cards import (
    UNSEEN,
    Card,
    Lying,
    Place,
    choose_at_random,
    dealt_at_random,
    hide_choice,
    hide_hand,
    mask,
    turned_down,
    without,
)
from bullpen.deck import Deck, DeckFile, heads_file
from bullpen.game import (
    MEMORY_AID,
    Action,
    Best,
    Event,
    Options,
    Refusal,
    Seat,
    View,
    illegal,
    refuse,
    seat_places,
    seats_with,
)

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
    heads_file("bullenparty-numbers", "BP-1", len(NUMBERS), "reconstruction", range(1, 8)),
    DeckFile(
        "bullenparty-bulls",
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

# Where a card can lie: ROW + row, HAND + seat, ..., and from PILE on the piles in the order in which
# they were begun; `table.owners` says whose.
BOX, DRAW, DISCARD, DRAWN, BULL_SUPPLY, ROW, HAND, BID, WON, PILE = 0, 1, 2, 3, 4, 4, 10, 15, 20, 25

# Actions: BID_CARD + card (0 for the zero card), TAKE_ROW + row, EXTEND + row,
# ON_PILE + 100 * card + top card of the pile, NEW_PILE + card.
BID_CARD, TAKE_ROW, EXTEND, NEW_PILE, ON_PILE = 0, 100, 105, 110, 110
NOTATION: dict[Action, str] = {
    **{BID_CARD + card: f"bid {card}" for card in (0, *NUMBERS)},
    **{TAKE_ROW + row: f"take {row}" for row in range(1, SEATS[-1] + 1)},
    **{EXTEND + row: f"extend {row}" for row in range(1, SEATS[-1] + 1)},
    **{NEW_PILE + card: f"pile {card} new" for card in NUMBERS},
    **{
        ON_PILE + 100 * card + top: f"pile {card} on {top}"
        for card in NUMBERS
        for top in range(1, card)
    },
}
FORMS = {  # by example; and why a text of this form is refused that is no move at all
    "bid 13": ("BP-1", "no_such_card"),
    "take 2": ("BP-7", "no_such_row"),
    "extend 2": ("BP-7", "no_such_row"),
    "pile 49 on 31": ("BP-16", "pile_must_ascend"),
    "pile 49 new": ("BP-1", "no_such_card"),
}
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

# What the table waits for; in LAYING_ROWS and DRAWING it needs a shuffle before it goes on, and SERVING
# never lasts beyond `apply`.
DEALING_ZEROS, DEALING, LAYING_ROWS, BIDDING, SERVING = range(5)
DRAWING, TAKING, EXTENDING, PILING, OVER = range(5, 10)


@dataclass(slots=True)
class Table:
    seats: int
    options: Options
    deck: Deck
    phase: int = DEALING_ZEROS
    actor: Seat = 0  # who chooses, in TAKING, EXTENDING and PILING
    bidders: tuple[Seat, ...] = ()  # who has no row yet in this round
    takers: tuple[Seat, ...] = ()  # in the order in which they took their rows
    emptied: int = 0  # BP-18: 1 when the draw pile has run out once, 2 when `last_round` was said
    owners: tuple[Seat, ...] = ()  # of the piles
    zeros: tuple[Card, ...] = ()  # by seat: all may know from the start whose zero card is which
    seen: int = 0  # the cards that have lain open, as a mask
    lying: Lying = field(default_factory=lambda: [tuple(CARDS)] + [()] * (PILE - 1))
    offer: list[Action] | None = field(default=None, compare=False)  # `legal` when PILING


def copy(table: Table) -> Table:
    return Table(
        table.seats,
        table.options,
        table.deck,
        table.phase,
        table.actor,
        table.bidders,
        table.takers,
        table.emptied,
        table.owners,
        table.zeros,
        table.seen,
        table.lying[:],
    )


def places(table: Table) -> dict[str, Place]:
    """Every place by its name, as tables are drawn; `pile 3 of 1` is the third pile that was begun and
    belongs to seat 1."""
    return {
        **{f"row {row}": ROW + row for row in rows(table)},
        **seat_places(table.seats, {"hand": HAND, "bid": BID, "bulls": WON}),
        **{f"pile {at + 1} of {seat}": PILE + at for at, seat in enumerate(table.owners)},
        "drawn": DRAWN,
        "draw": DRAW,
        "discard": DISCARD,
        "bull supply": BULL_SUPPLY,
        "box": BOX,
    }


def set_up(seats: int, options: Options, deck: Deck) -> Table:
    return Table(seats, options, deck)


def to_shuffle(table: Table) -> list[Card]:
    if table.phase == DEALING_ZEROS:
        return list(ZEROS)
    if table.phase == DEALING:
        return list(NUMBERS)
    if table.phase in (LAYING_ROWS, DRAWING):
        return sorted(table.lying[DISCARD])
    return []


def deal(table: Table, shuffled: Sequence[Card]) -> tuple[Table, list[Event]]:
    table = copy(table)
    events: list[Event] = []
    if table.phase == DEALING_ZEROS:
        deal_zeros(table, shuffled)
    elif table.phase == DEALING:
        deal_numbers(table, shuffled)
        lay_rows(table, events)
    else:
        table.lying[DRAW], table.lying[DISCARD] = tuple(shuffled), ()  # BP-19
        if table.phase == LAYING_ROWS:
            lay_rows(table, events)
        else:
            serve_bids(table, events)
    return table, events


def deal_zeros(table: Table, shuffled: Sequence[Card]) -> None:
    """BP-4, BP-6: a zero card to each player; the bull cards lie ready."""
    lying = table.lying
    table.zeros = tuple(shuffled[: table.seats])
    for seat, zero in enumerate(table.zeros):
        lying[HAND + seat] = (zero,)
    lying[BOX] = (*NUMBERS, *sorted(shuffled[table.seats :]))
    lying[BULL_SUPPLY] = tuple(BULLS)
    table.seen = mask(ZEROS) | mask(BULLS)
    table.phase = DEALING


def deal_numbers(table: Table, shuffled: Sequence[Card]) -> None:
    """BP-4, BP-5: five number cards to each player, some to the box, the rest to draw."""
    lying, dealt = table.lying, 0
    for seat in range(table.seats):
        lying[HAND + seat] = (*sorted(shuffled[dealt : dealt + HAND_SIZE]), *lying[HAND + seat])
        dealt += HAND_SIZE
    to_box = dealt + TO_THE_BOX[table.seats]
    zeros_left = tuple(card for card in lying[BOX] if card > LAST_NUMBER)
    lying[BOX] = (*sorted(shuffled[dealt:to_box]), *zeros_left)
    lying[DRAW] = tuple(shuffled[to_box:])


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


def lay_rows(table: Table, events: list[Event]) -> None:
    """BP-7: two cards to each row.  The table waits in this phase if it needs a shuffle (BP-19)."""
    table.phase = LAYING_ROWS
    lying = table.lying
    for row in rows(table):
        if len(lying[ROW + row]) == FIRST_IN_ROW:
            continue  # laid before the shuffle
        while len(lying[ROW + row]) < FIRST_IN_ROW:
            if not lying[DRAW]:
                return
            lying[ROW + row] += (draw(table),)
        table.seen |= mask(lying[ROW + row])
        events.append({"event": "lay_row", "row": row, "cards": list(lying[ROW + row])})
        say_last_round(table, events)
    table.bidders, table.takers = tuple(range(table.seats)), ()
    table.phase = BIDDING


def draw(table: Table) -> Card:
    card, *rest = table.lying[DRAW]
    table.lying[DRAW] = tuple(rest)
    if not rest:
        table.emptied = table.emptied or 1
    return card


def say_last_round(table: Table, events: list[Event]) -> None:
    """BP-18: once, when the last card of the draw pile has come into a row."""
    if table.emptied == 1:
        table.emptied = 2
        events.append({"event": "last_round"})


def waiting_for(table: Table) -> list[Seat]:
    if table.phase == BIDDING:
        return [seat for seat in table.bidders if not table.lying[BID + seat]]
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
    if table.phase != PILING:
        return []
    if table.offer is None:
        table.offer = possible_piles(table, seat)
    return table.offer[:]


def possible_bids(table: Table, seat: Seat) -> list[Action]:
    """BP-8: a number card or the zero card."""
    if seat not in table.bidders or table.lying[BID + seat]:
        return []
    *numbers, _ = table.lying[HAND + seat]
    bids = [BID_CARD + card for card in numbers]
    return [BID_CARD, *bids] if zero_may_be_bid(table) else bids


def zero_may_be_bid(table: Table) -> bool:
    """BP-14: not if every remaining row has five number cards, nor if no card can be drawn."""
    return bool(short_rows(table)) and bool(table.lying[DRAW] or table.lying[DISCARD])


def apply(table: Table, seat: Seat, action: Action) -> tuple[Table, list[Event]]:
    allowed = legal(table, seat)
    if action not in allowed:
        raise illegal(seat, action, why_not(table, seat, action), NOTATION, allowed)
    table = copy(table)
    events: list[Event] = []
    if action > NEW_PILE:
        lay_on_pile(table, seat, action, events)
    elif action > EXTEND:
        extend(table, seat, action - EXTEND, events)
        serve_bids(table, events)
    elif action > TAKE_ROW:
        take(table, seat, action - TAKE_ROW, events)
        serve_bids(table, events)
    else:
        lying = table.lying
        card = action - BID_CARD or lying[HAND + seat][-1]
        lying[HAND + seat] = without(lying[HAND + seat], card)
        lying[BID + seat] = (card,)
        if not waiting_for(table):
            reveal(table, events)
            serve_bids(table, events)
    return table, events


def reveal(table: Table, events: list[Event]) -> None:
    bids: list[int | None] = [None] * table.seats
    for seat in table.bidders:
        (card,) = table.lying[BID + seat]
        bids[seat] = card if card <= LAST_NUMBER else 0
        table.seen |= 1 << card
    events.append({"event": "reveal", "bids": bids})


def serve_bids(table: Table, events: list[Event]) -> None:
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
            serve_number(table, seat, events)
        else:
            serve_zero(table, seat, events)


def go_on_after_bids(table: Table) -> None:
    if table.bidders:
        table.phase = BIDDING
    else:
        table.phase, table.actor = PILING, table.takers[0]


def serve_number(table: Table, seat: Seat, events: list[Event]) -> None:
    """BP-9: the bid is discarded, and its player takes a row of their choice."""
    table.lying[DISCARD] += table.lying[BID + seat]
    table.lying[BID + seat] = ()
    choices = open_rows(table)
    if len(choices) == 1:
        take(table, seat, choices[0], events)
    else:
        table.phase, table.actor = TAKING, seat


def take(table: Table, seat: Seat, row: int, events: list[Event]) -> None:
    """BP-9, BP-17: number cards to the hand; a bull card is laid in front of the player."""
    lying = table.lying
    taken = lying[ROW + row]
    numbers = numbers_in(taken)
    bulls = taken[len(numbers) :]
    lying[ROW + row] = ()
    lying[HAND + seat] = tuple(sorted((*lying[HAND + seat], *numbers)))
    lying[WON + seat] += bulls
    table.bidders = without(table.bidders, seat)
    table.takers += (seat,)
    heads = [bull_heads(table, bull) for bull in bulls]
    events.append({"event": "take", "seat": seat, "row": row, "cards": numbers, "bulls": heads})


def serve_zero(table: Table, seat: Seat, events: list[Event]) -> None:
    """BP-10, BP-11: draw a card for a remaining row, if one has room for it."""
    lying = table.lying
    choices = short_rows(table)
    if choices and not lying[DRAW] and lying[DISCARD]:
        table.phase = DRAWING  # BP-19
        return
    if not choices or not lying[DRAW]:
        take_back_zero(table, seat)
        return
    lying[DRAWN] = (draw(table),)
    events.append({"event": "draw", "seat": seat, "card": lying[DRAWN][0]})
    if len(choices) == 1:
        extend(table, seat, choices[0], events)
    else:
        table.phase, table.actor = EXTENDING, seat


def take_back_zero(table: Table, seat: Seat) -> None:
    table.lying[HAND + seat] += table.lying[BID + seat]
    table.lying[BID + seat] = ()


def extend(table: Table, seat: Seat, row: int, events: list[Event]) -> None:
    """BP-10, BP-12: the drawn card joins a row; a fifth number card brings it a bull card."""
    lying = table.lying
    (card,) = lying[DRAWN]
    lying[DRAWN] = ()
    lying[ROW + row] += (card,)
    table.seen |= 1 << card
    events.append({"event": "extend", "seat": seat, "row": row, "card": card})
    if len(lying[ROW + row]) == FULL_ROW and lying[BULL_SUPPLY]:
        bull, *others = lying[BULL_SUPPLY]
        lying[ROW + row] += (bull,)
        lying[BULL_SUPPLY] = tuple(others)
        events.append({"event": "bull", "row": row, "heads": bull_heads(table, bull)})
    say_last_round(table, events)
    take_back_zero(table, seat)


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


def lay_on_pile(table: Table, seat: Seat, action: Action, events: list[Event]) -> None:
    lying = table.lying
    card, top = pile_move(action)
    lying[HAND + seat] = without(lying[HAND + seat], card)
    table.seen |= 1 << card
    if top is None:
        lying.append((card,))
        table.owners += (seat,)
    else:
        pile = next(p for p in range(PILE, len(lying)) if lying[p][-1] == top)
        lying[pile] += (card,)
    events.append({"event": "pile", "seat": seat, "card": card, "onto": top})
    if has_laid_enough(table, seat):
        next_to_lay(table, seat, events)


def pile_move(action: Action) -> tuple[Card, Card | None]:
    """The card, and the top card of the pile or none for a new one."""
    if action <= NEW_PILE + LAST_NUMBER:
        return action - NEW_PILE, None
    return divmod(action - ON_PILE, 100)


def has_laid_enough(table: Table, seat: Seat) -> bool:
    """BP-15: down to five number cards; BP-20: in the last round all of them."""
    return len(numbers_in(table.lying[HAND + seat])) == (0 if table.emptied else HAND_SIZE)


def next_to_lay(table: Table, seat: Seat, events: list[Event]) -> None:
    """BP-15: in the order in which they took their rows."""
    later = table.takers[table.takers.index(seat) + 1 :]
    if later:
        table.actor = later[0]
        return
    events.append({"event": "round_end"})
    if table.emptied:
        table.phase = OVER
    else:
        lay_rows(table, events)


# -- End --------------------------------------------------------------------------------------


def points(table: Table, seat: Seat) -> int:
    """BP-21: the richest pile and the bull cards, less all other piles."""
    heads = [sum(table.deck.heads[card] for card in pile) for pile in piles(table, seat)]
    bulls = sum(bull_heads(table, bull) for bull in table.lying[WON + seat])
    return bulls + 2 * max(heads, default=0) - sum(heads)


def rounds(table: Table) -> Sequence[Sequence[int]]:
    return ()


def scores(table: Table) -> list[int]:
    return [points(table, seat) for seat in range(table.seats)]


def best(options: Options) -> Best:
    """BP-21: most points win."""
    return max


def winners(table: Table) -> list[Seat]:
    return seats_with(best(table.options), scores(table))


# -- What a player sees -----------------------------------------------------------------------


def view(table: Table, seat: Seat | None) -> View[Table]:
    """The discards are closed, but a perfect memory knows them, and after a shuffle which cards are in
    the draw pile, though not in which order.  A drawn card is seen by its drawer alone."""
    shown, remembered = copy(table), table.lying[:]
    box = tuple(UNSEEN if card <= LAST_NUMBER else card for card in table.lying[BOX])
    shown.lying[BOX] = remembered[BOX] = box
    shown.lying[DISCARD] = turned_down(table.lying[DISCARD])
    if table.phase == EXTENDING and seat != table.actor:
        hide_choice(shown.lying, remembered, DRAW, DRAWN, table.seen)
    else:
        hide_hand(shown.lying, remembered, DRAW, table.seen)
    for other in range(table.seats):
        if other == seat:
            continue
        if table.phase == BIDDING:
            hide_choice(shown.lying, remembered, HAND + other, BID + other, table.seen)
        else:
            hide_hand(shown.lying, remembered, HAND + other, table.seen)
    return View(seat, shown, remembered, [] if seat is None else legal(table, seat))


def seen_by(event: Event, seat: Seat | None, options: Options) -> Event:
    """BP-10: a drawn card is seen by its drawer alone, until it lies in a row."""
    if event["event"] != "draw" or event["seat"] == seat:
        return event
    return {**event, "card": None}


def imagine(view: View[Table], rng: Random) -> Table:
    table = copy(view.table)
    table.lying = lying = dealt_at_random(view.remembered, CARDS, rng)
    choose_at_random(lying, view.table.lying, DRAW, DRAWN, rng)
    lying[DRAW] = tuple(rng.sample(lying[DRAW], len(lying[DRAW])))
    never_bid = () if zero_may_be_bid(table) else ZEROS
    for seat in range(table.seats):
        choose_at_random(lying, view.table.lying, HAND + seat, BID + seat, rng, never_bid)
        lying[HAND + seat] = tuple(sorted(lying[HAND + seat]))
    lying[BOX] = tuple(sorted(lying[BOX]))
    return table


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
    if action <= NEW_PILE or action not in NOTATION:
        return refuse("BP-15", "choose_a_card_to_lay")
    card, top = pile_move(action)
    if card not in table.lying[HAND + seat]:
        return refuse("BP-15", "card_not_in_hand", card=card)
    return refuse("BP-16", "no_such_pile", top=top)
