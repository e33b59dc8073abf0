"""The moves that are offered, and what somebody means by what they type.

A move can be typed in full (`play 36 on 31`), by its number in the menu, or shortened to as few words as
leave no doubt (`36 31`, `p 36`).
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from bullpen.game import STANDALONE_NUMBER
from bullpen.terminal.boards.layout import line
from bullpen.terminal.sight import Sight

EXPLAINED = 6  # so many moves get a line each that says what they mean
NUMBERED = 12  # so many are numbered; more are grouped


def offered(sight: Sight, legal: Sequence[str]) -> list[Text]:
    """The moves that are possible now; where there are several kinds, what they mean."""
    if len(legal) <= EXPLAINED and len(groups(legal)) > 1:
        return explained(sight, legal)
    if len(legal) <= NUMBERED:
        return numbered(sight, legal)
    return grouped(sight, legal)


def explained(sight: Sight, legal: Sequence[str]) -> list[Text]:
    """`1 row 1  Take row 1`"""
    width, lines = max(map(len, legal)), []
    for number, move in enumerate(legal, start=1):
        meaning = sight.screen.voice.move(sight.game, move, sight.names)
        typed = Text.assemble((f"{number:>2} ", "bold"), (move.ljust(width), "cyan"))
        lines += line(sight, "", [typed, Text(meaning, "dim")])
    return lines


def numbered(sight: Sight, legal: Sequence[str]) -> list[Text]:
    """`1 play 3   2 play 7   3 play 18`"""
    width = max(map(len, legal))
    pieces = [
        Text.assemble((f"{number:>2} ", "bold"), (move.ljust(width), "cyan"), " ")
        for number, move in enumerate(legal, start=1)
    ]
    return line(sight, "", pieces)


def grouped(sight: Sight, legal: Sequence[str]) -> list[Text]:
    """`play N: 3 7 18 22`, a line for each kind of move; what is the only one of its kind in full."""
    lines, alone = [], []
    for form, numbers in groups(legal).items():
        if len(numbers) < 2:
            alone.append(Text(form.replace("N", "".join(numbers)) + "  ", "cyan"))
            continue
        before, _, after = form.partition("N")
        kind = Text.assemble((before, "cyan"), ("N", "bold cyan"), (after, "cyan"), ":")
        lines += line(sight, "", [kind, *map(Text, numbers)])
    return lines + (line(sight, "", alone) if alone else [])


def groups(legal: Sequence[str]) -> dict[str, list[str]]:
    """By the move's form, with N for its last number: the numbers that N can be."""
    by_form: dict[str, list[str]] = {}
    for move in legal:
        numbers = list(STANDALONE_NUMBER.finditer(move))
        if not numbers:
            by_form[move] = []
            continue
        at = numbers[-1]
        form = f"{move[: at.start()]}N{move[at.end() :]}"
        by_form.setdefault(form, []).append(at.group())
    return by_form


# -- Reading ----------------------------------------------------------------------------------


def meant(typed: str, legal: Sequence[str]) -> list[str]:
    """The moves that a text may mean: one if it is clear, several if not, none if it is no move."""
    words = typed.lower().split()
    text = " ".join(words)
    if not words or text in legal:
        return [text] if words else []
    fitting = [move for move in legal if shortens(words, move.split())]
    chosen = menu(legal).get(text)
    return [*fitting, chosen] if chosen is not None and chosen not in fitting else fitting


def menu(legal: Sequence[str]) -> dict[str, str]:
    """The moves by their numbers, where they are numbered."""
    if len(legal) > NUMBERED:
        return {}
    return {str(number): move for number, move in enumerate(legal, start=1)}


def shortens(words: Sequence[str], move: Sequence[str]) -> bool:
    """Whether the words stand in the move in this order, numbers as they are and words by their beginning."""
    rest = iter(move)
    return all(any(begins(word, full) for full in rest) for word in words)


def begins(word: str, full: str) -> bool:
    return word == full if word.isdecimal() else full.startswith(word)
