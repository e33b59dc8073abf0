"""Lines of cards and words that fit any width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from bullpen.cards import Card, Place
from bullpen.game import Seat
from bullpen.terminal.cards import chips
from bullpen.terminal.sight import Sight

INDENT = "  "


def heading(sight: Sight, key: str) -> Text:
    return Text(sight.words(key), "bold")


def line(sight: Sight, label: str, pieces: Iterable[Text], note: str = "") -> list[Text]:
    """A label, cards, and a note behind them; what does not fit goes on below the first card."""
    lead = INDENT + label + (" " if label else "")
    pieces = [*pieces, *([Text(note, "dim")] if note else [])]
    lines = [Text(lead)]
    for piece in pieces:
        if lines[-1].cell_len + piece.cell_len > sight.screen.width and lines[-1].plain.strip():
            lines.append(
                Text(" " * len(lead) if len(lead) < sight.screen.width // 3 else INDENT * 2)
            )
        lines[-1].append_text(piece).append(" ")
    for finished in lines:
        finished.rstrip()
    return lines


def cards_line(sight: Sight, label: str, cards: Sequence[Card], note: str = "") -> list[Text]:
    nothing = [Text(sight.words("nothing"), "dim")]
    return line(sight, label, chips(sight, cards) or nothing, note)


def facts_line(sight: Sight, label: str, facts: Sequence[str], style: str = "") -> list[Text]:
    """Facts in words, between dots."""
    ends = [*[" ·" for _ in facts[1:]], ""]
    pieces = [Text(fact + end, style) for fact, end in zip(facts, ends, strict=True)]
    return line(sight, label, pieces)


def padded(labels: Sequence[str]) -> list[str]:
    width = max(map(len, labels))
    return [label.ljust(width) for label in labels]


# -- Players ----------------------------------------------------------------------------------


def name_labels(sight: Sight) -> list[str]:
    """Names of equal length, cut where they would leave no room for anything else."""
    longest = max(8, sight.screen.width // 4)
    cut = [name if len(name) <= longest else name[: longest - 1] + "…" for name in sight.names]
    marked = [f"› {name}" if seat == sight.seat else f"  {name}" for seat, name in enumerate(cut)]
    return padded(marked)


def counted(sight: Sight, key: str, place: Place) -> str:
    """How many cards lie in a place: `hand 8`."""
    return sight.words(key, count=len(sight.lying(place)))


def points(sight: Sight, seat: Seat) -> str:
    return sight.words("table.points", points=sight.points[seat])


def known_cards(sight: Sight, key: str, place: Place) -> list[Text]:
    """The cards in a hidden place, as far as they are known; nothing if none is."""
    known = sight.known(place)
    return cards_line(sight, INDENT + sight.words(key), known) if known else []


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
