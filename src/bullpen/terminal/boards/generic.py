"""A board for every game that has none of its own: drawn from the places that it declares."""

from __future__ import annotations

from rich.text import Text

from bullpen.cards import UNSEEN, Card, Place
from bullpen.game import Seat
from bullpen.places import FACE_UP, HELD, Family
from bullpen.terminal.boards.layout import (
    INDENT,
    Row,
    arranged,
    cards_line,
    hand_below,
    heading,
    known_line,
    own_hand,
    player_lines,
    points,
    row_lines,
)
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.cards import chips, empty_space
from bullpen.terminal.sight import Sight


def draw(sight: Sight) -> list[Text]:
    shared = rows(sight)
    table = [heading(sight, "table.table"), *row_lines(sight, shared)] if shared else []
    hands = [family.first for family in families(sight) if is_hand(family)]
    hand = own_hand(sight, hands[0]) if hands else []
    return arranged(sight, table, players(sight), hand)


def families(sight: Sight) -> list[Family]:
    return [family for family in sight.game.rules.places.in_order() if not family.out_of_play]


def is_hand(family: Family) -> bool:
    return family.kind == "seat" and family.sight == HELD


def rows(sight: Sight) -> list[Row]:
    """What belongs to nobody: single places, numbered ones, heaps; the empty ones only where they are numbered."""
    shown = []
    for name, place in sight.game.places(sight.table).items():
        family = sight.game.rules.places.family_of(place)
        if family.kind == "seat" or family.out_of_play:
            continue
        cards = sight.lying(place)
        if cards or family.kind == "number":
            shown.append(Row(name, pieces(sight, cards) + free(sight, family, place, cards)))
    return shown


def pieces(sight: Sight, cards: tuple[Card, ...]) -> list[Text]:
    """A heap of which one sees nothing is only counted."""
    if cards and not any(cards):
        return [Text(f"{len(cards)} × ", "dim") + chips(sight, [UNSEEN])[0]]
    return chips(sight, cards)


def free(sight: Sight, family: Family, place: Place, cards: tuple[Card, ...]) -> list[Text]:
    """Where a row still has room."""
    if not family.holds:
        return [] if cards else [Text(sight.words("nothing"), "dim")]
    return [empty_space(sight)] * (family.holds[place - family.first - 1] - len(cards))


def players(sight: Sight) -> list[Text]:
    own = [family for family in families(sight) if family.kind == "seat"]
    counted = [family for family in own if family.sight != FACE_UP]

    def facts(seat: Seat) -> list[str]:
        sizes = [
            sight.words(
                "table.count", name=family.name, count=len(sight.lying(family.first + seat))
            )
            for family in counted
        ]
        return [*sizes, points(sight, seat)]

    def cards_of(seat: Seat) -> list[Text]:
        shown = [sight.lying(family.first + seat) for family in own if family.secret_in >= 0]
        return [piece for cards in shown for piece in chips(sight, cards)]

    def below(seat: Seat) -> list[Text]:
        lines: list[Text] = []
        for family in own:
            place, label = family.first + seat, sight.words("table.known", name=family.name)
            if is_hand(family):
                lines += hand_below(sight, seat, family.first)
            elif family.sight == FACE_UP and family.secret_in < 0 and sight.lying(place):
                lines += cards_line(sight, INDENT * 2 + label, sight.lying(place))
            elif family.sight != FACE_UP:
                known = sight.known(place)
                lines += known_line(sight, label, place, known) if known else []
        return lines

    return player_lines(sight, facts, cards_of, below)


def question(sight: Sight) -> Question:
    """Asked by the name of the phase, where the game has words for it."""
    return Question(sight.game.phase_name(sight.table), {}, (sight.game.TURN_RULE,))
