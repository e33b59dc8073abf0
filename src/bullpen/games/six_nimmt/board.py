"""The table of 6 nimmt!"""

from __future__ import annotations

from rich.text import Text

from bullpen.game import Seat
from bullpen.games.six_nimmt.rules import HAND, LAID, ROW, TAKEN, TAKING
from bullpen.terminal.boards.layout import (
    Row,
    arranged,
    hand_below,
    hand_counted,
    heading,
    known_cards,
    no_cards,
    own_hand,
    player_lines,
    points,
    row_lines,
    waiting_cards,
)
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.cards import chips, empty_space, heads_on
from bullpen.terminal.sight import Sight


def draw(sight: Sight) -> list[Text]:
    table = [
        heading(sight, "table.rows"),
        *rows(sight),
        *waiting_cards(sight, "table.still_to_place", LAID),
    ]
    return arranged(sight, table, players(sight), own_hand(sight, HAND))


def rows(sight: Sight) -> list[Text]:
    drawn, full_at = [], sight.table.sizes.full_at
    for row in sight.table.sizes.rows:
        cards = sight.lying(ROW + row)
        room = [empty_space(sight)] * (full_at - 1 - len(cards))
        key = "table.row_heads" if sight.layout == "full" else "table.heads"
        note = sight.words(key, heads=heads_on(sight, cards), full=full_at)
        label = sight.words("table.row", row=row)
        drawn.append(Row(label, [*chips(sight, cards), *room], note))
    return row_lines(sight, drawn)


def players(sight: Sight) -> list[Text]:
    def facts(seat: Seat) -> list[str]:
        return [
            hand_counted(sight, HAND + seat, LAID + seat),
            sight.words("table.heads_this_round", heads=sight.table.heads_taken[seat]),
            points(sight, seat),
        ]

    def below(seat: Seat) -> list[Text]:
        taken = known_cards(sight, "table.taken_known", TAKEN + seat)
        return taken + hand_below(sight, seat, HAND)

    return player_lines(sight, facts, no_cards, below)


def question(sight: Sight) -> Question:
    assert sight.seat is not None
    if sight.table.phase == TAKING:
        (card,) = sight.lying(LAID + sight.seat)
        return Question("row", {"card": card}, ("SN-6", "SN-7"))
    return Question("play", {}, ("SN-3", "SN-4", "SN-5", "SN-6", "SN-7", "SN-8"))
