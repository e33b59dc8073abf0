"""The table of 11 nimmt!"""

from __future__ import annotations

from rich.text import Text

from bullpen.cards import Card
from bullpen.game import Seat
from bullpen.games.eleven_nimmt.rules import (
    BULL_CARDS,
    CARDS,
    CHOOSING_BULL,
    DRAW,
    FURTHEST,
    HAND,
    STACK,
    steps,
)
from bullpen.terminal.boards.layout import (
    arranged,
    counted,
    facts_line,
    hand_below,
    heading,
    line,
    no_cards,
    own_hand,
    padded,
    player_lines,
    points,
)
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.cards import chips
from bullpen.terminal.sight import Sight


def draw(sight: Sight) -> list[Text]:
    table = [
        heading(sight, "table.stacks"),
        *stacks(sight),
        *facts_line(sight, supplies(sight)),
    ]
    return arranged(sight, table, players(sight), own_hand(sight, HAND))


def stacks(sight: Sight) -> list[Text]:
    """A stack is named by the card that was on top when the turn began, and only its top is seen."""
    places = range(STACK, len(sight.table.lying))
    if not places:
        return line(sight, "", [Text(sight.words("nothing"), "dim")])
    tops = [sight.lying(place)[-1] for place in places]
    names = [served(sight).get(slot, top) for slot, top in enumerate(tops)]
    labels = padded([sight.words("table.stack", name=name) for name in names])
    lines = []
    for slot, label in enumerate(labels):
        note = what_fits(sight, slot, names[slot], tops[slot])
        lines += line(sight, label, chips(sight, sight.known(STACK + slot)), note)
    return lines


def served(sight: Sight) -> dict[int, Card]:
    """The stacks played on in this turn, and their names, which hold until it ends."""
    goes_on = sight.game.waiting_for(sight.table)
    return dict(sight.table.served) if goes_on else {}


def what_fits(sight: Sight, slot: int, name: Card, top: Card) -> str:
    """EN-14: where this turn has laid cards, it counts on from the old top, and only upwards."""
    if slot not in served(sight):
        return sight.words("table.fits", span=fitting_span(name, name))
    if slot != list(served(sight))[-1] or steps(top, name) == FURTHEST:
        return sight.words("table.stack_done")
    return sight.words("table.counts_from", start=name, span=fitting_span(name, top))


def fitting_span(name: Card, top: Card) -> str:
    """EN-5 to EN-7: the cards above the top that fit, counting past 100 where needed."""
    first, last = top % len(CARDS) + 1, (name + FURTHEST - 1) % len(CARDS) + 1
    if first == last:
        return str(first)
    if first < last:
        return f"{first}–{last}"
    spans = [(first, len(CARDS)), (1, last)]
    return ", ".join(f"{begin}–{end}" if begin < end else str(end) for begin, end in spans)


def supplies(sight: Sight) -> list[str]:
    left = BULL_CARDS - sum(sight.table.bulls)
    return [
        sight.words("table.draw_pile", count=len(sight.lying(DRAW))),
        sight.words("table.bull_supply", count=left),
    ]


def players(sight: Sight) -> list[Text]:
    def facts(seat: Seat) -> list[str]:
        shown = [
            counted(sight, "table.hand", HAND + seat),
            sight.words("table.bull_cards", count=sight.table.bulls[seat]),
            points(sight, seat),
        ]
        choosing = sight.table.phase == CHOOSING_BULL  # among seats: `bull from 2`
        return [*shown, sight.words("table.seat", seat=seat)] if choosing else shown

    return player_lines(sight, facts, no_cards, lambda seat: hand_below(sight, seat, HAND))


def question(sight: Sight) -> Question:
    assert sight.seat is not None
    if sight.table.phase == CHOOSING_BULL:
        return Question("bull", {}, ("EN-11", "EN-12"))
    if sight.table.served:
        return Question("further", {}, ("EN-14",))
    bulls = sight.table.bulls[sight.seat]
    rules = ("EN-4", "EN-5", "EN-6", "EN-7", "EN-9", "EN-10", "EN-11", "EN-16")
    if bulls:
        return Question("first_with_bulls", {"bulls": bulls}, (*rules, "EN-14"))
    return Question("first", {}, (*rules, "EN-8"))
