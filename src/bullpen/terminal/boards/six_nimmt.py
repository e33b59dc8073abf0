"""The table of 6 nimmt!"""

from __future__ import annotations

from rich.text import Text

from bullpen.games.six_nimmt import FULL_AT, HAND, LAID, ROW, ROWS, TAKEN, TAKING
from bullpen.terminal.boards.layout import (
    counted,
    facts_line,
    heading,
    known_cards,
    line,
    name_labels,
    own_hand,
    points,
    waiting_cards,
)
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.cards import chips, empty_space, heads_on
from bullpen.terminal.sight import Sight


def draw(sight: Sight) -> list[Text]:
    return [
        heading(sight, "table.rows"),
        *rows(sight),
        *waiting_cards(sight, "table.still_to_place", LAID),
        heading(sight, "table.players"),
        *players(sight),
        *own_hand(sight, HAND),
    ]


def rows(sight: Sight) -> list[Text]:
    lines = []
    for row in ROWS:
        cards = sight.lying(ROW + row)
        room = [empty_space(sight)] * (FULL_AT - 1 - len(cards))
        note = sight.words("table.row_heads", heads=heads_on(sight, cards), full=FULL_AT)
        lines += line(sight, sight.words("table.row", row=row), [*chips(sight, cards), *room], note)
    return lines


def players(sight: Sight) -> list[Text]:
    lines = []
    for seat, name in zip(sight.seats, name_labels(sight), strict=True):
        facts = [
            counted(sight, "table.hand", HAND + seat),
            sight.words("table.heads_this_round", heads=sight.table.heads_taken[seat]),
            points(sight, seat),
        ]
        lines += facts_line(sight, name, facts)
        lines += known_cards(sight, "table.taken_known", TAKEN + seat)
        if seat != sight.seat:
            lines += known_cards(sight, "table.hand_known", HAND + seat)
    return lines


def question(sight: Sight) -> Question:
    assert sight.seat is not None
    if sight.table.phase == TAKING:
        (card,) = sight.lying(LAID + sight.seat)
        return Question("row", {"card": card}, ("SN-6", "SN-7"))
    return Question("play", {}, ("SN-3", "SN-4", "SN-5", "SN-6", "SN-7", "SN-8"))
