"""6 nimmt! Baron Oxx  (Wolfgang Kramer and Michael Kiesling; 2-10 players)

Read this file beside docs/rules/baron-oxx.md: its sections stand in the same order, and a rule is a
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
from bullpen.deck import Deck, DeckFile, Face
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

ID, TITLE, PREFIX = "baron-oxx", "6 nimmt! Baron Oxx", "BO"
RULES = 1  # the next number whenever a game under way would go on differently
SEATS = range(2, 11)

# -- Cards ------------------------------------------------------------------------------------

CARDS = range(1, 111)
BARONS = (52, 104)
MOST_OF_A_COLOUR = 9  # on one card of a user's own deck; ours has at most 3
COLOURS = ("blue", "yellow", "green", "red", "black", "white")


def may_show(number: Card, bulls: Face) -> bool:
    """BO-1, BO-2: at least one bull; Baron Oxx one of each colour."""
    if not isinstance(bulls, tuple) or len(bulls) != len(COLOURS):
        return False
    if min(bulls) < 0 or max(bulls) > MOST_OF_A_COLOUR:
        return False
    return set(bulls) == {1} if number in BARONS else sum(bulls) > 0


DECK_FILES = (
    DeckFile(
        "baron-oxx",
        "BO-1",
        "colours",
        ("number", *COLOURS),
        len(CARDS),
        "reconstruction",
        face=lambda row: tuple(int(row[colour]) for colour in COLOURS),
        allowed=may_show,
        allowed_text="at least one bull, 0 to 9 of a colour; 52 and 104 one of each colour (BO-2)",
    ),
)
CARD_NAMES: dict[Card, str] = {}

# -- Setting up -------------------------------------------------------------------------------

ROWS = (1, 2, 3, 4, 5)
CARDS_EACH = {2: 24, 3: 24, 4: 24, 5: 20, 6: 16, 7: 12, 8: 12, 9: 8, 10: 8}  # by seats
HAND_SIZE = 4
FULL_AT = 6  # the card that takes the row
TOO_MANY_BULLS = 6  # of one colour in a row
OPTIONS = (
    option("variant", OneOf(("standard", "colour", "positive")), default="standard"),
    option("games", WholeNumber(1), default=1),
    MEMORY_AID,
)

# Where a card can lie: ROW + row, HAND + seat, ...
BOX, ROW, HAND, LAID, DRAW, BULL_PILE, PLACES = 0, 0, 6, 16, 26, 36, 46

# Actions: PLAY + card, CHOOSE_ROW + row.
PLAY, CHOOSE_ROW = 0, 110
NOTATION: dict[Action, str] = {
    **{PLAY + card: f"play {card}" for card in CARDS},
    **{CHOOSE_ROW + row: f"row {row}" for row in ROWS},
}
FORMS = {  # by example; and why a text of this form is refused that is no move at all
    "play 17": ("BO-1", "no_such_card"),
    "row 4": ("BO-4", "no_such_row"),
}
EVENTS = {
    "reveal": ("cards",),
    "place": ("seat", "card", "row"),
    "take": ("seat", "cards", "row", "rule"),
    "under": ("seat", "card"),
    "draw": ("seat", "count"),
    "game_end": (),
}
TURN_RULE = "BO-5"

# What the table waits for; PLACING never lasts beyond `apply`.
DEALING, LAYING, PLACING, CHOOSING, OVER = range(5)


@dataclass(slots=True)
class Table:
    seats: int
    options: Options
    deck: Deck
    phase: int = DEALING
    actor: Seat = 0  # who chooses, in CHOOSING
    points: tuple[tuple[int, ...], ...] = ()  # of each finished game, by seat
    seen: int = 0  # the cards that have lain open in this game, as a mask
    gone_under: int = 0  # BO-17: the cards gone under since the last one was placed, as a mask
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
        table.gone_under,
        table.lying[:],
    )


def places(table: Table) -> dict[str, Place]:
    """Every place by its name, as tables are drawn."""
    by_seat = {"hand": HAND, "laid": LAID, "draw": DRAW, "bull pile": BULL_PILE}
    return {
        **{f"row {row}": ROW + row for row in ROWS},
        **seat_places(table.seats, by_seat),
        "box": BOX,
    }


def set_up(seats: int, options: Options, deck: Deck) -> Table:
    return Table(seats, options, deck)


def to_shuffle(table: Table) -> list[Card]:
    return list(CARDS) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> tuple[Table, list[Event]]:
    """BO-3, BO-4: a draw pile and four cards from it to each player, a card to each row."""
    table = copy(table)
    table.phase, table.gone_under = LAYING, 0
    table.lying = lying = empty_places(PLACES)
    each, dealt = CARDS_EACH[table.seats], 0
    for seat in range(table.seats):
        pile = tuple(shuffled[dealt : dealt + each])
        lying[HAND + seat], lying[DRAW + seat] = tuple(sorted(pile[:HAND_SIZE])), pile[HAND_SIZE:]
        dealt += each
    for row in ROWS:
        lying[ROW + row] = (shuffled[dealt],)
        dealt += 1
    lying[BOX] = tuple(sorted(shuffled[dealt:]))
    table.seen = mask(shuffled[dealt - len(ROWS) : dealt])
    return table, []


# -- A turn -----------------------------------------------------------------------------------


def waiting_for(table: Table) -> list[Seat]:
    if table.phase == LAYING:
        return [seat for seat in range(table.seats) if not table.lying[LAID + seat]]
    return [table.actor] if table.phase == CHOOSING else []


def legal(table: Table, seat: Seat) -> list[Action]:
    lying = table.lying
    if table.phase == LAYING:
        return [] if lying[LAID + seat] else [PLAY + card for card in lying[HAND + seat]]
    if table.phase == CHOOSING and seat == table.actor:
        # BO-11: a card that fits nowhere takes a row of its player's choice.
        rows = fitting_rows(table, lying[LAID + seat][0]) or ROWS
        return [CHOOSE_ROW + row for row in rows]
    return []


def apply(table: Table, seat: Seat, action: Action) -> tuple[Table, list[Event]]:
    allowed = legal(table, seat)
    if action not in allowed:
        raise illegal(seat, action, why_not(table, seat, action), NOTATION, allowed)
    table = copy(table)
    events: list[Event] = []
    if action > CHOOSE_ROW:
        fits = bool(fitting_rows(table, table.lying[LAID + seat][0]))
        (add_to_row if fits else take_for_misfit)(table, seat, action - CHOOSE_ROW, events)
    else:
        card, lying = action - PLAY, table.lying
        lying[HAND + seat] = without(lying[HAND + seat], card)
        lying[LAID + seat] = (card,)
        if waiting_for(table):
            return table, events
        reveal(table, events)
    table.phase = PLACING
    place_laid_cards(table, events)
    return table, events


def reveal(table: Table, events: list[Event]) -> None:
    cards = [table.lying[LAID + seat][0] for seat in range(table.seats)]
    table.seen |= mask(cards)
    events.append({"event": "reveal", "cards": cards})


def place_laid_cards(table: Table, events: list[Event]) -> None:
    """BO-5: the lowest first, until all are placed or someone has to choose."""
    lying = table.lying
    while laid := [cards for cards in lying[LAID : LAID + table.seats] if cards]:
        lowest = min(laid)
        seat = lying.index(lowest, LAID) - LAID
        rows = fitting_rows(table, lowest[0])
        if len(rows) == 1:
            add_to_row(table, seat, rows[0], events)
        elif not rows and table.options["variant"] == "positive":
            put_under(table, seat, events)
        else:
            table.phase, table.actor = CHOOSING, seat
            return
    end_turn(table, events)


def fitting_rows(table: Table, card: Card) -> list[int]:
    """BO-6, BO-7: the rows whose last card shows a colour of this card; Baron Oxx shows them all."""
    colour_sets, lying = table.deck.colour_sets, table.lying
    own = colour_sets[card]
    return [row for row in ROWS if own & colour_sets[lying[ROW + row][-1]]]


# -- Taking cards -----------------------------------------------------------------------------


def add_to_row(table: Table, seat: Seat, row: int, events: list[Event]) -> None:
    """BO-6, after BO-9 or BO-10 if the card is one too many."""
    cards = table.lying[ROW + row]
    if len(cards) + 1 >= FULL_AT and table.options["variant"] != "colour":  # BO-15: without BO-9
        take(table, seat, row, "BO-9", events)
    elif has_too_many_bulls(table.deck, (*cards, *table.lying[LAID + seat])):
        take(table, seat, row, "BO-10", events)
    place(table, seat, row, events)


def has_too_many_bulls(deck: Deck, cards: Sequence[Card]) -> bool:
    """BO-10: six or more bulls of one colour."""
    by_colour = zip(*[deck.colours[card] for card in cards], strict=True)
    return max(map(sum, by_colour)) >= TOO_MANY_BULLS


def take_for_misfit(table: Table, seat: Seat, row: int, events: list[Event]) -> None:
    """BO-11: no row fits, so the player takes one of their choice."""
    take(table, seat, row, "BO-11", events)
    place(table, seat, row, events)


def take(table: Table, seat: Seat, row: int, rule: str, events: list[Event]) -> None:
    """BO-12: taken cards go to the bull pile."""
    taken = table.lying[ROW + row]
    table.lying[ROW + row] = ()
    table.lying[BULL_PILE + seat] += taken
    events.append({"event": "take", "seat": seat, "cards": list(taken), "row": row, "rule": rule})


def place(table: Table, seat: Seat, row: int, events: list[Event]) -> None:
    (card,) = table.lying[LAID + seat]
    table.lying[LAID + seat] = ()
    table.lying[ROW + row] += (card,)
    table.gone_under = 0
    events.append({"event": "place", "seat": seat, "card": card, "row": row})


def put_under(table: Table, seat: Seat, events: list[Event]) -> None:
    """BO-16 (positive): a card that fits nowhere goes under its player's own draw pile."""
    (card,) = table.lying[LAID + seat]
    table.lying[LAID + seat] = ()
    table.lying[DRAW + seat] += (card,)
    table.gone_under |= 1 << card
    events.append({"event": "under", "seat": seat, "card": card})


# -- End --------------------------------------------------------------------------------------


def end_turn(table: Table, events: list[Event]) -> None:
    """BO-8, BO-13, BO-14: draw new cards, or end this game."""
    if not is_game_over(table):
        for seat in range(table.seats):
            draw(table, seat, events)
        table.phase = LAYING
        return
    table.points += (tuple(game_points(table, seat) for seat in range(table.seats)),)
    table.phase = DEALING if len(table.points) != table.options["games"] else OVER
    events.append({"event": "game_end"})


def draw(table: Table, seat: Seat, events: list[Event]) -> None:
    """BO-8: an empty hand is filled from the player's own draw pile."""
    lying = table.lying
    pile = lying[DRAW + seat]
    if not lying[HAND + seat]:
        lying[HAND + seat], lying[DRAW + seat] = tuple(sorted(pile[:HAND_SIZE])), pile[HAND_SIZE:]
        events.append({"event": "draw", "seat": seat, "count": len(lying[HAND + seat])})


def is_game_over(table: Table) -> bool:
    """BO-13, BO-16: somebody has placed their last card (in the standard game all have);
    BO-17: or every card that is left has gone under since the last one was placed."""
    lying = table.lying
    left = [lying[HAND + seat] + lying[DRAW + seat] for seat in range(table.seats)]
    if not all(left):
        return True
    return table.gone_under.bit_count() == sum(map(len, left))


def game_points(table: Table, seat: Seat) -> int:
    """BO-13: bulls in the bull pile; BO-16 (positive): less the bulls still in hand and draw pile."""
    lying = table.lying
    taken = bulls_on(table.deck, lying[BULL_PILE + seat])
    return taken - bulls_on(table.deck, lying[HAND + seat] + lying[DRAW + seat])


def bulls_on(deck: Deck, cards: Sequence[Card]) -> int:
    return sum(sum(deck.colours[card]) for card in cards)


def rounds(table: Table) -> Sequence[Sequence[int]]:
    return table.points


def scores(table: Table) -> list[int]:
    return totals(table.points, table.seats)


def best(options: Options) -> Best:
    """BO-13: fewest minus points win; BO-16 (positive): most plus points."""
    return max if options.get("variant") == "positive" else min


def winners(table: Table) -> list[Seat]:
    return seats_with(best(table.options), scores(table))


# -- What a player sees -----------------------------------------------------------------------


def view(table: Table, seat: Seat | None) -> View[Table]:
    """Nobody sees draw piles, not even their owners; a perfect memory knows what went under them."""
    shown, remembered = copy(table), table.lying[:]
    shown.lying[BOX] = remembered[BOX] = turned_down(table.lying[BOX])
    for other in range(table.seats) if table.phase not in (DEALING, OVER) else ():
        pile = table.lying[DRAW + other]
        shown.lying[DRAW + other] = turned_down(pile)
        remembered[DRAW + other] = tuple(card * (table.seen >> card & 1) for card in pile)
        shown.lying[BULL_PILE + other] = turned_down(table.lying[BULL_PILE + other])
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
        return refuse("BO-13", "game_over")
    if table.phase == DEALING:
        return refuse("BO-3", "not_dealt")
    if table.phase == LAYING:
        if table.lying[LAID + seat]:
            return refuse("BO-5", "already_chosen")
        if PLAY < action <= PLAY + len(CARDS):
            return refuse("BO-5", "card_not_in_hand", card=action - PLAY)
        return refuse("BO-5", "choose_a_card")
    if seat != table.actor:
        return refuse("BO-5", "not_your_turn", actor=table.actor)
    if CHOOSE_ROW < action <= CHOOSE_ROW + len(ROWS):
        (card,) = table.lying[LAID + seat]
        return refuse("BO-6", "row_does_not_fit", card=card, row=action - CHOOSE_ROW)
    rule = "BO-6" if fitting_rows(table, table.lying[LAID + seat][0]) else "BO-11"
    return refuse(rule, "choose_a_row")
