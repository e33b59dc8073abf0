"""6 nimmt! Baron Oxx  (Wolfgang Kramer and Michael Kiesling; 2-10 players)

Read this file beside docs/games/baron-oxx.md: its sections stand in the same order, and a rule is a
function that carries the rule's id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bullpen import table as base
from bullpen.actions import Actions
from bullpen.cards import UNSEEN, Card
from bullpen.deck import Deck, DeckFile, Face
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
from bullpen.places import FACE_DOWN, HELD, Places
from bullpen.table import recalled, remembered, with_places

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
        Path(__file__).with_name("deck.csv"),
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


class Phase(IntEnum):
    """What the table waits for; PLACING never lasts beyond `act`."""

    DEALING = 0
    LAYING = 1
    PLACING = 2
    CHOOSING = 3
    OVER = 4


DEALING, LAYING, PLACING, CHOOSING, OVER = map(int, Phase)
PASSING = (DEALING, PLACING)  # nobody decides
COUNTED = (DEALING, OVER)  # everything but the box lies open

# Where a card can lie, and who sees it there: ROW + row, HAND + seat, ...
places = Places(SEATS[-1])
BOX = places.box()
ROW = places.numbered("row", len(ROWS), holds=[FULL_AT] * len(ROWS))
HAND = places.by_seat("hand", HELD, opened=COUNTED)
LAID = places.by_seat("laid", secret_in=LAYING, part_of=HAND)
DRAW = places.by_seat("draw", FACE_DOWN, opened=COUNTED)  # BO-3: not even its owner sees it
BULL_PILE = places.by_seat("bull pile", FACE_DOWN, opened=COUNTED, known="everything")

# Actions: PLAY + card, CHOOSE_ROW + row.
actions = Actions(places)
PLAY = actions.block("play {card}", CARDS, "BO-1", "no_such_card", example=17, picks=HAND)
CHOOSE_ROW = actions.block("row {row}", ROWS, "BO-4", "no_such_row", example=4, at=ROW)
EVENTS = {
    "reveal": ("cards",),
    "place": ("seat", "card", "row"),
    "take": ("seat", "cards", "row", "rule"),
    "under": ("seat", "card"),
    "draw": ("seat", "count"),
    "game_end": (),
}
TURN_RULE = "BO-5"


class Turn(NamedTuple):
    """What all could see when the cards of a turn were turned up (BO-5)."""

    rows: tuple[tuple[Card, ...], ...]
    seen: int  # the cards that had lain open before, as a mask
    held: tuple[int, ...]  # how many cards each had in hand, with the one that was laid
    laid: tuple[Card, ...]  # by seat; UNSEEN in a trial, in which nobody else is waited for


@with_places(places)
@dataclass(slots=True)
class Table(base.Table):
    """`actor` chooses, in CHOOSING; `points` are of each finished game."""

    gone_under: int = remembered(0)  # BO-17: the cards since the last one was placed, as a mask
    past_turns: tuple[Turn, ...] = recalled(())  # of this game


def to_shuffle(table: Table) -> list[Card]:
    return list(CARDS) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> None:
    """BO-3, BO-4: a draw pile and four cards from it to each player, a card to each row."""
    table.clear()
    table.phase, table.gone_under, table.past_turns, cards = LAYING, 0, (), iter(shuffled)
    for seat in range(table.seats):
        table.lay(islice(cards, HAND_SIZE), HAND + seat)
        table.lay(islice(cards, CARDS_EACH[table.seats] - HAND_SIZE), DRAW + seat)
    for row in ROWS:
        table.lay(islice(cards, 1), ROW + row)
    table.lay(sorted(cards), BOX)


# -- A turn -----------------------------------------------------------------------------------


def waiting_for(table: Table) -> list[Seat]:
    if table.phase == LAYING:
        return table.still_to_choose(range(table.seats), LAID)
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


def act(table: Table, seat: Seat, action: Action) -> None:
    if action > CHOOSE_ROW:
        row = action - CHOOSE_ROW
        if fitting_rows(table, table.lying[LAID + seat][0]):
            add_to_row(table, seat, row)
        else:
            take_for_misfit(table, seat, row)
    else:
        table.choose(action - PLAY, HAND + seat, LAID + seat)
        if waiting_for(table):
            return
        table.past_turns += (turn_of(table),)
        table.tell(event="reveal", cards=table.turn_up(LAID))
    table.phase = PLACING
    place_laid_cards(table)


def turn_of(table: Table) -> Turn:
    """Before the cards are turned up."""
    lying = table.lying
    hands, laid = lying[HAND : HAND + table.seats], lying[LAID : LAID + table.seats]
    return Turn(
        rows=tuple(lying[ROW + 1 : ROW + len(ROWS) + 1]),
        seen=table.seen,
        held=tuple([len(hand) + len(cards) for hand, cards in zip(hands, laid, strict=True)]),
        laid=tuple([cards[0] if cards else UNSEEN for cards in laid]),
    )


def place_laid_cards(table: Table) -> None:
    """BO-5: the lowest first, until all are placed or someone has to choose."""
    lying = table.lying
    while laid := [cards for cards in lying[LAID : LAID + table.seats] if cards]:
        lowest = min(laid)
        seat = lying.index(lowest, LAID) - LAID
        rows = fitting_rows(table, lowest[0])
        if len(rows) == 1:
            add_to_row(table, seat, rows[0])
        elif not rows and table.options["variant"] == "positive":
            put_under(table, seat)
        else:
            table.phase, table.actor = CHOOSING, seat
            return
    end_turn(table)


def fitting_rows(table: Table, card: Card) -> list[int]:
    """BO-6, BO-7: the rows whose last card shows a colour of this card; Baron Oxx shows them all."""
    colour_sets, lying = table.deck.colour_sets, table.lying
    own = colour_sets[card]
    return [row for row in ROWS if own & colour_sets[lying[ROW + row][-1]]]


# -- Taking cards -----------------------------------------------------------------------------


def add_to_row(table: Table, seat: Seat, row: int) -> None:
    """BO-6, after BO-9 or BO-10 if the card is one too many."""
    cards = table.lying[ROW + row]
    if len(cards) + 1 >= FULL_AT and table.options["variant"] != "colour":  # BO-15: without BO-9
        take(table, seat, row, "BO-9")
    elif has_too_many_bulls(table.deck, (*cards, *table.lying[LAID + seat])):
        take(table, seat, row, "BO-10")
    place(table, seat, row)


def has_too_many_bulls(deck: Deck, cards: Sequence[Card]) -> bool:
    """BO-10: six or more bulls of one colour."""
    by_colour = zip(*[deck.colours[card] for card in cards], strict=True)
    return max(map(sum, by_colour)) >= TOO_MANY_BULLS


def take_for_misfit(table: Table, seat: Seat, row: int) -> None:
    """BO-11: no row fits, so the player takes one of their choice."""
    take(table, seat, row, "BO-11")
    place(table, seat, row)


def take(table: Table, seat: Seat, row: int, rule: str) -> None:
    """BO-12: taken cards go to the bull pile."""
    taken = table.carry_all(ROW + row, BULL_PILE + seat)
    table.tell(event="take", seat=seat, cards=list(taken), row=row, rule=rule)


def place(table: Table, seat: Seat, row: int) -> None:
    (card,) = table.carry_all(LAID + seat, ROW + row)
    table.gone_under = 0
    table.tell(event="place", seat=seat, card=card, row=row)


def put_under(table: Table, seat: Seat) -> None:
    """BO-16 (positive): a card that fits nowhere goes under its player's own draw pile."""
    (card,) = table.carry_all(LAID + seat, DRAW + seat)
    table.gone_under |= 1 << card
    table.tell(event="under", seat=seat, card=card)


# -- End --------------------------------------------------------------------------------------


def end_turn(table: Table) -> None:
    """BO-8, BO-13, BO-14: draw new cards, or end this game."""
    if not is_game_over(table):
        for seat in range(table.seats):
            if not table.lying[HAND + seat]:
                draw(table, seat)
        table.phase = LAYING
        return
    table.points += (tuple(worth(table, seat) for seat in range(table.seats)),)
    table.phase = DEALING if len(table.points) != table.options["games"] else OVER
    table.turn_up(BULL_PILE)
    table.tell(event="game_end")


def draw(table: Table, seat: Seat) -> None:
    """BO-8: an empty hand is filled from the player's own draw pile."""
    count = min(HAND_SIZE, len(table.lying[DRAW + seat]))
    for _ in range(count):
        table.draw(DRAW + seat, HAND + seat)
    table.tell(event="draw", seat=seat, count=count)


def is_game_over(table: Table) -> bool:
    """BO-13, BO-16: somebody has placed their last card (in the standard game all have);
    BO-17: or every card that is left has gone under since the last one was placed."""
    lying = table.lying
    left = [lying[HAND + seat] + lying[DRAW + seat] for seat in range(table.seats)]
    if not all(left):
        return True
    return table.gone_under.bit_count() == sum(map(len, left))


def worth(table: Table, seat: Seat) -> int:
    """BO-13: bulls in the bull pile; BO-16 (positive): less the bulls still in hand and draw pile."""
    taken, left = table.lying[BULL_PILE + seat], left_over(table, seat)
    return bulls_on(table.deck, taken) - bulls_on(table.deck, left)


def left_over(table: Table, seat: Seat) -> tuple[Card, ...]:
    """BO-16: what counts against its player at the end, if bulls are good."""
    if best(table.options) is min:
        return ()
    return table.lying[HAND + seat] + table.lying[DRAW + seat]


def parts(table: Table, seat: Seat) -> list[Part]:
    """BO-13, BO-16, part by part, as far as the cards lie open."""
    taken = tuple(card for card in table.lying[BULL_PILE + seat] if card)
    left = tuple(card for card in left_over(table, seat) if card)
    sign, tone = ("+", "good") if best(table.options) is max else ("", "bad")
    shown = [
        Part("taken", taken, f"{sign}{bulls_on(table.deck, taken)}", tone),
        Part("left", left, f"−{bulls_on(table.deck, left)}", "bad"),
    ]
    return [part for part in shown if part.cards]


def bulls_on(deck: Deck, cards: Sequence[Card]) -> int:
    return sum(sum(deck.colours[card]) for card in cards)


def scores(table: Table) -> list[int]:
    return totals(table.points, table.seats)


def rows_end(options: Options) -> bool:
    """BO-9, and BO-15 (colour): without it a row may be of any length."""
    return options.get("variant") != "colour"


def best(options: Options) -> Best:
    """BO-13: fewest minus points win; BO-16 (positive): most plus points."""
    return max if options.get("variant") == "positive" else min


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
