"""The table of Hornochsen!"""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from bullpen.cards import Card
from bullpen.game import Seat
from bullpen.games.hornochsen.rules import (
    CARDS_A_TURN,
    HAND,
    LAST_NUMBER,
    PILE,
    ROW,
    end_value,
)
from bullpen.terminal.boards.layout import (
    arranged,
    counted,
    hand_below,
    heading,
    known_cards,
    line,
    no_cards,
    own_hand,
    padded,
    player_lines,
    points,
)
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.cards import chips, empty_space
from bullpen.terminal.sight import Sight


def draw(sight: Sight) -> list[Text]:
    table = [
        heading(sight, "table.ring"),
        *ring(sight),
    ]
    return arranged(sight, table, players(sight), own_hand(sight, HAND))


def ring(sight: Sight) -> list[Text]:
    """The rows, clockwise, each named by its end value; special cards do not fill a space."""
    rows = sight.table.lying[ROW:]
    if not rows:
        return line(sight, "", [Text(sight.words("nothing"), "dim")])
    labels = [sight.words("table.ends", end=end_value(row)) for row in rows]
    if sight.layout == "players_first":
        return line(
            sight, "", [short_row(sight, *named) for named in zip(labels, rows, strict=True)]
        )
    lines = []
    for label, row in zip(padded(labels), rows, strict=True):
        numbers = sum(1 for card in row if card <= LAST_NUMBER)
        room = [empty_space(sight)] * (sight.table.sizes.full_at - numbers)
        lines += line(sight, label, [*chips(sight, row), *room])
    return lines


def short_row(sight: Sight, label: str, row: Sequence[Card]) -> Text:
    """Without its free spaces, so that several stand in a line: `ends in 26 [14 +1][26 +1]`."""
    return Text.assemble(f"{label} ", *chips(sight, row), "  ")


def players(sight: Sight) -> list[Text]:
    def facts(seat: Seat) -> list[str]:
        cards = [
            counted(sight, "table.hand", HAND + seat),
            counted(sight, "table.pile", PILE + seat),
        ]
        over = not sight.game.waiting_for(sight.table)  # nothing is counted before the end
        return [*cards, points(sight, seat)] if over else cards

    def below(seat: Seat) -> list[Text]:
        pile = known_cards(sight, "table.pile_known", PILE + seat)
        return pile + hand_below(sight, seat, HAND)

    return player_lines(sight, facts, no_cards, below)


def question(sight: Sight) -> Question:
    rules = ("HO-6", "HO-8", "HO-9", "HO-11", "HO-12", "HO-16")
    played = sight.table.played
    if played:
        return Question("further", {"more": CARDS_A_TURN - played}, rules)
    return Question("first", {}, rules)
