"""The moves that are offered, and what somebody means by what they type.

A move can be typed in full (`play 36 on 31`), by its number in the menu, or shortened to as few words as
leave no doubt (`36 31`, `p 36`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from bullpen.game import STANDALONE_NUMBER
from bullpen.phrases import phrases
from bullpen.terminal.boards.layout import INDENT, line
from bullpen.terminal.cards import ROOMY
from bullpen.terminal.sight import Sight
from bullpen.text import Voice

EXPLAINED = 6  # so many moves get a line each that says what they mean
NUMBERED = 12  # so many are numbered; more are grouped


def offered(sight: Sight, legal: Sequence[str]) -> list[Text]:
    """The moves that are possible now, and what they mean where there is room for it."""
    if len(legal) > NUMBERED:
        return grouped(sight, legal)
    means = phrases(sight.screen.voice, sight.game, sight.view)
    if len(legal) <= EXPLAINED and len(groups(legal)) > 1:
        return explained(sight, legal, means)
    if len(set(means.values())) > 1 or len(legal) == 1:  # what is true of all tells nothing apart
        pieces = in_columns(sight.screen.voice, legal, means)
        if has_room(sight, pieces):
            return line(sight, "", pieces)
    return numbered(sight, legal)


def explained(sight: Sight, legal: Sequence[str], means: Mapping[str, str]) -> list[Text]:
    """`1 row 1  Take row 1  5 heads`"""
    voice = sight.screen.voice
    own = [voice.typed(move) for move in legal]
    width, lines = max(map(len, own)), []
    for number, (move, shown) in enumerate(zip(legal, own, strict=True), start=1):
        words = [voice.move(sight.game, move, sight.names), means[move]]
        typed = Text.assemble((f"{number:>2} ", "bold"), (shown.ljust(width), "cyan"))
        lines += line(sight, "", [typed, Text("  ".join(filter(None, words)), "dim")])
    return lines


def in_columns(voice: Voice, legal: Sequence[str], means: Mapping[str, str]) -> list[Text]:
    """`1 play 3   → row 2        2 play 7   takes row 1: 5 heads`"""
    own = {move: voice.typed(move) for move in legal}
    width, longest = max(map(len, own.values())), max(map(len, means.values()))
    return [
        Text.assemble(
            (f"{number:>2} ", "bold"),
            (own[move].ljust(width), "cyan"),
            "  ",
            (means[move].ljust(longest), "dim"),
        )
        for number, move in enumerate(legal, start=1)
    ]


def has_room(sight: Sight, pieces: Sequence[Text]) -> bool:
    """For two side by side, or on a wide screen for a few below each other; more would push the table away."""
    if len(INDENT) + 2 * pieces[0].cell_len + 1 <= sight.screen.width:
        return True
    return len(pieces) <= EXPLAINED and sight.screen.width >= ROOMY


def numbered(sight: Sight, legal: Sequence[str]) -> list[Text]:
    """`1 play 3   2 play 7   3 play 18`"""
    own = [sight.screen.voice.typed(move) for move in legal]
    width = max(map(len, own))
    pieces = [
        Text.assemble((f"{number:>2} ", "bold"), (move.ljust(width), "cyan"), " ")
        for number, move in enumerate(own, start=1)
    ]
    return line(sight, "", pieces)


def grouped(sight: Sight, legal: Sequence[str]) -> list[Text]:
    """`play N: 3 7 18 22`, a line for each kind of move; what is the only one of its kind in full."""
    lines, alone = [], []
    own = [sight.screen.voice.typed(move) for move in legal]
    for form, numbers in groups(own).items():
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


def in_notation(voice: Voice, typed: str, legal: Sequence[str]) -> str:
    """What was typed with the words of one's own language, in those of the moves: `zagraj 36`, `play 36`."""
    known = {
        own: word
        for word in {word for move in legal for word in move.split() if word.isalpha()}
        for own in voice.words_for(word)
    }
    return " ".join(known.get(word, word) for word in typed.lower().split())


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
