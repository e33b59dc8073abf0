"""Lines of cards and words that fit any width."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rich.text import Text

from bullpen.cards import UNSEEN, Card, Place
from bullpen.game import Seat
from bullpen.terminal.cards import chips
from bullpen.terminal.sight import Sight

INDENT = "  "


def arranged(
    sight: Sight, table: Sequence[Text], players: Sequence[Text], hand: Sequence[Text]
) -> list[Text]:
    """The parts of a drawing, from top to bottom."""
    if sight.layout == "players_first":
        return [*players, *table, *hand]
    return [*table, *players, *hand]


def heading(sight: Sight, key: str) -> Text:
    return Text(sight.words(key), "bold")


def line(sight: Sight, label: str, pieces: Iterable[Text], note: str = "") -> list[Text]:
    """A label, cards, and a note behind them; what does not fit goes on below the first card."""
    width = sight.screen.width
    first = INDENT + label + (" " if label else "")
    indent = len(first) - len(first.lstrip()) + len(INDENT)
    further = " " * (len(first) if len(first) < width // 3 else indent)
    lines, gap = [Text(first)], ""
    for piece in broken([*pieces, *([Text(note, "dim")] if note else [])], width - len(further)):
        fits = lines[-1].cell_len + len(gap) + piece.cell_len <= width
        if not fits and lines[-1].plain.strip():
            lines, gap = [*lines, Text(further)], ""
        lines[-1].append(gap).append_text(piece)
        gap = " "
    return lines


def broken(pieces: Iterable[Text], width: int) -> list[Text]:
    """What is too wide for a whole line, in words."""
    parts: list[Text] = []
    for piece in pieces:
        parts += piece.split(" ") if piece.cell_len > width else [piece]
    return parts


class Row(NamedTuple):
    """A row on the table: its name, its cards and free spaces, and a note."""

    label: str
    pieces: list[Text]
    note: str = ""


def row_lines(sight: Sight, rows: Sequence[Row]) -> list[Text]:
    """Rows below each other, their notes too where there is room for that."""
    lengths = [sum(piece.cell_len + 1 for piece in row.pieces) for row in rows]
    labels = padded([row.label for row in rows])
    widest = max(len(row.note) for row in rows) + max(lengths) + len(INDENT + labels[0]) + 1
    lines = []
    for row, label, length in zip(rows, labels, lengths, strict=True):
        pieces = [*row.pieces]
        if widest <= sight.screen.width and row.note:
            pieces[-1] = pieces[-1] + Text(" " * (max(lengths) - length))
        lines += line(sight, label, pieces, row.note)
    return lines


def cards_line(sight: Sight, label: str, cards: Sequence[Card], note: str = "") -> list[Text]:
    nothing = [Text(sight.words("nothing"), "dim")]
    return line(sight, label, chips(sight, cards) or nothing, note)


def facts_line(sight: Sight, facts: Sequence[str]) -> list[Text]:
    """Facts in words, between dots."""
    return line(sight, "", [Text(fact, "dim") for fact in dotted(facts)])


def dotted(facts: Sequence[str]) -> list[str]:
    return [*[f"{fact} ·" for fact in facts[:-1]], *facts[-1:]]


def words_line(sight: Sight, words: str) -> list[Text]:
    """A sentence that may be broken anywhere."""
    return line(sight, "", [Text(word, "dim") for word in words.split()])


def padded(labels: Sequence[str]) -> list[str]:
    width = max(map(len, labels))
    return [label.ljust(width) for label in labels]


# -- Players ----------------------------------------------------------------------------------


def name_labels(sight: Sight) -> list[str]:
    """Names of equal length, cut where they would leave no room for anything else."""
    longest = max(8, sight.screen.width // 4)
    labels = [name if len(name) <= longest else name[: longest - 1] + "…" for name in sight.names]
    if sight.seat is not None:
        labels[sight.seat] = sight.words("names.yours", name=labels[sight.seat])
    return padded(labels)


def player_lines(
    sight: Sight,
    facts_of: Callable[[Seat], list[str]],
    cards_of: Callable[[Seat], list[Text]],
    below: Callable[[Seat], list[Text]],
) -> list[Text]:
    """For every player a line of facts, with cards behind it, and lines below it if there is room."""
    columns = zip(*[dotted(facts_of(seat)) for seat in sight.seats], strict=True)
    facts_by_seat = zip(*[padded(column) for column in columns], strict=True)
    lines = [heading(sight, "table.players")]
    for seat, name, facts in zip(sight.seats, name_labels(sight), facts_by_seat, strict=True):
        own = line(sight, name, [*map(Text, facts), *cards_of(seat)])
        lines += own + below(seat) if sight.layout == "full" else own
    return lines


def no_cards(_: Seat) -> list[Text]:
    return []


def hand_below(sight: Sight, seat: Seat, hand: Place) -> list[Text]:
    """What is known of another player's hand."""
    return known_cards(sight, "table.hand_known", hand + seat) if seat != sight.seat else []


def counted(sight: Sight, key: str, place: Place) -> str:
    """How many cards lie in a place: `hand 8`."""
    return sight.words(key, count=len(sight.lying(place)))


def hand_counted(sight: Sight, hand: Place, laid: Place) -> str:
    """`hand 7 + 1 laid` while a card chosen from it lies face down."""
    if UNSEEN not in sight.lying(laid):
        return counted(sight, "table.hand", hand)
    cards = len(sight.lying(hand))
    return sight.words("table.hand_and_laid", count=cards, laid=len(sight.lying(laid)))


def points(sight: Sight, seat: Seat) -> str:
    return sight.words("table.points", points=sight.points[seat])


def known_cards(sight: Sight, key: str, place: Place) -> list[Text]:
    """The cards in a hidden place, as far as they are known; nothing if none is."""
    known = sight.known(place)
    if not known:
        return []
    return known_line(sight, sight.words(key), place, known)


def known_line(sight: Sight, label: str, place: Place, known: Sequence[Card]) -> list[Text]:
    unseen = len(sight.lying(place)) - len(known)
    note = sight.words("table.unseen", count=unseen) if unseen > 0 else ""
    return cards_line(sight, INDENT * 2 + label, known, note)


# -- Cards that wait --------------------------------------------------------------------------


def waiting_cards(sight: Sight, key: str, laid: Place) -> list[Text]:
    """Cards turned up in this turn that still have to be placed."""
    waiting = [(seat, sight.lying(laid + seat)) for seat in sight.seats]
    pieces = [
        Text.assemble(f"{sight.names[seat]} ", *chips(sight, cards))
        for seat, cards in waiting
        if cards and all(cards)
    ]
    return line(sight, sight.words(key), pieces) if pieces else []


def own_hand(sight: Sight, hand: Place) -> list[Text]:
    if sight.seat is None:
        return []
    return [
        heading(sight, "table.your_hand"),
        *cards_line(sight, "", sight.lying(hand + sight.seat)),
    ]
