"""The table of 6 nimmt! Baron Oxx."""

from __future__ import annotations

from rich.text import Text

from bullpen.game import Seat
from bullpen.games.baron_oxx.rules import (
    BULL_PILE,
    CHOOSING,
    DRAW,
    FULL_AT,
    HAND,
    LAID,
    ROW,
    ROWS,
    fitting_rows,
)
from bullpen.terminal.boards.layout import (
    Row,
    arranged,
    counted,
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
    words_line,
)
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.cards import chips, empty_space
from bullpen.terminal.sight import Sight


def draw(sight: Sight) -> list[Text]:
    table = [
        heading(sight, "table.rows_by_colour"),
        *rows(sight),
        *(words_line(sight, sight.words("table.colours")) if sight.layout == "full" else []),
        *waiting_cards(sight, "table.still_to_place", LAID),
    ]
    return arranged(sight, table, players(sight), own_hand(sight, HAND))


def rows(sight: Sight) -> list[Text]:
    drawn = []
    for row in ROWS:
        cards = sight.lying(ROW + row)
        room = [empty_space(sight)] * (0 if by_colour_only(sight) else FULL_AT - 1 - len(cards))
        label = sight.words("table.row", row=row)
        pieces = [*chips(sight, cards), *room]
        drawn.append(Row(label, pieces, bulls_by_colour(sight, cards)))
    return row_lines(sight, drawn)


def by_colour_only(sight: Sight) -> bool:
    """BO-15: rows may grow past five cards."""
    return sight.options["variant"] == "colour"


def bulls_by_colour(sight: Sight, cards: tuple[int, ...]) -> str:
    """Six of one colour take the row, so the sums are given: `B3 K1`."""
    if not cards:
        return ""
    sums = map(sum, zip(*[sight.deck.colours[card] for card in cards], strict=True))
    shown = zip(sight.words("colour_letters"), sums, strict=True)
    return "= " + " ".join(f"{letter}{count}" for letter, count in shown if count)


def players(sight: Sight) -> list[Text]:
    def facts(seat: Seat) -> list[str]:
        return [
            hand_counted(sight, HAND + seat, LAID + seat),
            counted(sight, "table.draw", DRAW + seat),
            counted(sight, "table.bull_pile", BULL_PILE + seat),
            points(sight, seat),
        ]

    def below(seat: Seat) -> list[Text]:
        taken = known_cards(sight, "table.bull_pile_known", BULL_PILE + seat)
        went_under = known_cards(sight, "table.draw_known", DRAW + seat)
        return taken + went_under + hand_below(sight, seat, HAND)

    return player_lines(sight, facts, no_cards, below)


def question(sight: Sight) -> Question:
    assert sight.seat is not None
    if sight.table.phase != CHOOSING:
        taking = ("BO-9", "BO-10") if not by_colour_only(sight) else ("BO-15", "BO-10")
        rest = ("BO-16",) if sight.options["variant"] == "positive" else ("BO-11", "BO-13")
        return Question("play", {}, ("BO-5", "BO-6", "BO-7", *taking, *rest))
    (card,) = sight.lying(LAID + sight.seat)
    if fitting := fitting_rows(sight.table, card):
        return Question("fitting_row", {"card": card, "rows": fitting}, ("BO-6", "BO-9", "BO-10"))
    return Question("any_row", {"card": card}, ("BO-11", "BO-12"))
