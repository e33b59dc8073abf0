"""Highest Takes  (an example; 2-5 players)

Read this file beside README.md: a rule is a function that carries the rule's id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from pathlib import Path

from bullpen import table as base
from bullpen.actions import Actions
from bullpen.cards import Card
from bullpen.deck import heads_file
from bullpen.game import MEMORY_AID, Action, Best, Options, Refusal, Seat, refuse
from bullpen.places import FACE_DOWN, HELD, Places
from bullpen.table import with_places

ID, TITLE, PREFIX = "highest-takes", "Highest Takes", "HT"
RULES = 1
SEATS = range(2, 6)
CARDS = range(1, 31)
DECK = Path(__file__).with_name("deck.csv")
DECK_FILES = (heads_file(DECK, "HT-1", len(CARDS), "own", (1, 2, 3)),)
CARD_NAMES: dict[Card, str] = {}
HAND_SIZE = 5
OPTIONS = (MEMORY_AID,)
TURN_RULE = "HT-2"


class Phase(IntEnum):
    """What the table waits for."""

    DEALING = 0
    LAYING = 1
    TAKING = 2
    OVER = 3


DEALING, LAYING, TAKING, OVER = map(int, Phase)
PASSING = (DEALING, TAKING)  # nobody decides

# Where a card can lie, and who sees it there.
places = Places(SEATS[-1])
BOX = places.box()
HAND = places.by_seat("hand", HELD)
LAID = places.by_seat("laid", secret_in=LAYING, part_of=HAND)
TAKEN = places.by_seat("taken", FACE_DOWN, opened=(OVER,))

# PLAY + card is what one does, and `play 17` how it is written.
actions = Actions(places)
PLAY = actions.block("play {card}", CARDS, "HT-1", "no_such_card", example=17, picks=HAND)
EVENTS = {"reveal": ("cards",), "take": ("seat", "cards"), "game_end": ()}


@with_places(places)
@dataclass(slots=True)
class Table(base.Table):
    """Nothing but the cards."""


def to_shuffle(table: Table) -> list[Card]:
    return list(CARDS) if table.phase == DEALING else []


def deal(table: Table, shuffled: Sequence[Card]) -> None:
    """HT-1: five cards to everybody; the others are out of the game."""
    table.clear()
    table.phase, cards = LAYING, iter(shuffled)
    for seat in range(table.seats):
        table.lay(islice(cards, HAND_SIZE), HAND + seat)
    table.lay(sorted(cards), BOX)


def waiting_for(table: Table) -> list[Seat]:
    return table.still_to_choose(range(table.seats), LAID) if table.phase == LAYING else []


def legal(table: Table, seat: Seat) -> list[Action]:
    if table.phase != LAYING or table.lying[LAID + seat]:
        return []
    return [PLAY + card for card in table.lying[HAND + seat]]


def act(table: Table, seat: Seat, action: Action) -> None:
    """HT-2: all choose in secret, and all cards are turned up at once."""
    table.choose(action - PLAY, HAND + seat, LAID + seat)
    if waiting_for(table):
        return
    table.phase, laid = TAKING, table.turn_up(LAID)
    table.tell(event="reveal", cards=laid)
    take(table, laid)
    table.phase = LAYING
    if not table.lying[HAND + seat]:
        table.phase = OVER
        table.turn_up(TAKEN)
        table.tell(event="game_end")


def take(table: Table, laid: Sequence[Card | None]) -> None:
    """HT-3: the highest takes them all."""
    highest = laid.index(max(card for card in laid if card is not None))
    taken = [card for card in laid if card is not None]
    for seat in range(table.seats):
        table.carry_all(LAID + seat, TAKEN + highest)
    table.tell(event="take", seat=highest, cards=taken)


def worth(table: Table, seat: Seat) -> int:
    """HT-4: a head that one took counts 1."""
    return sum(table.deck.heads[card] for card in table.lying[TAKEN + seat])


def scores(table: Table) -> list[int]:
    return [worth(table, seat) if table.phase == OVER else 0 for seat in range(table.seats)]


def best(options: Options) -> Best:
    """HT-4: the fewest win."""
    return min


def why_not(table: Table, seat: Seat, action: Action) -> Refusal:
    if table.phase == OVER:
        return refuse("HT-4", "game_over")
    if table.phase == DEALING:
        return refuse("HT-1", "not_dealt")
    if table.lying[LAID + seat]:
        return refuse("HT-2", "already_chosen")
    return refuse("HT-2", "card_not_in_hand", card=action - PLAY)
