"""The table of X nimmt!"""

from __future__ import annotations

from rich.text import Text

from bullpen.game import Seat
from bullpen.games.x_nimmt.rules import (
    COLLECTED,
    HAND,
    KEEPING,
    LAID,
    ROW,
    TAKING,
    X_PILE,
    X_ROW,
    full_at,
)
from bullpen.terminal.boards.layout import (
    Row,
    arranged,
    cards_line,
    counted,
    hand_below,
    hand_counted,
    heading,
    known_cards,
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
        *collected_cards(sight),
    ]
    return arranged(sight, table, players(sight), own_hand(sight, HAND))


def rows(sight: Sight) -> list[Text]:
    drawn = []
    for row in sight.table.sizes.rows:
        full = full_at(sight.table, row)
        cards = sight.lying(ROW + row)
        room = [empty_space(sight)] * (full - 1 - len(cards))
        key = "table.row_heads" if sight.layout == "full" else "table.heads"
        note = sight.words(key, heads=heads_on(sight, cards), full=full)
        label = sight.words("table.row", row=row)
        drawn.append(Row(label, [*chips(sight, cards), *room], note))
    return row_lines(sight, drawn)


def collected_cards(sight: Sight) -> list[Text]:
    cards = sight.lying(COLLECTED)
    return cards_line(sight, sight.words("table.collected"), cards) if cards else []


def players(sight: Sight) -> list[Text]:
    def facts(seat: Seat) -> list[str]:
        return [
            hand_counted(sight, HAND + seat, LAID + seat),
            counted(sight, "table.x_pile", X_PILE + seat),
            points(sight, seat),
            sight.words("table.x_row"),
        ]

    def x_row(seat: Seat) -> list[Text]:
        nothing = [Text(sight.words("nothing"), "dim")]
        cards = sight.lying(X_ROW + seat)
        return chips(sight, cards if sight.layout == "full" else cards[-1:]) or nothing

    def below(seat: Seat) -> list[Text]:
        x_pile = known_cards(sight, "table.x_pile_known", X_PILE + seat)
        return x_pile + hand_below(sight, seat, HAND)

    return player_lines(sight, facts, x_row, below)


def question(sight: Sight) -> Question:
    assert sight.seat is not None
    if sight.table.phase == TAKING:
        (card,) = sight.lying(LAID + sight.seat)
        return Question("row", {"card": card}, ("XN-7", "XN-8", "XN-9"))
    if sight.table.phase == KEEPING:
        x_row, collected = sight.lying(X_ROW + sight.seat), sight.lying(COLLECTED)
        anew = bool(x_row) and max(collected) < x_row[-1]
        key = "keep_anew" if anew else "keep"
        return Question(key, {}, ("XN-8", "XN-10", "XN-11", "XN-13"))
    return Question("play", {}, ("XN-3", "XN-4", "XN-5", "XN-6", "XN-7", "XN-13"))
