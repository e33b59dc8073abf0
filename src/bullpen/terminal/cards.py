"""Cards as they are drawn: the number, and the heads by number and sign, never by colour alone."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from bullpen.cards import UNSEEN, Card
from bullpen.terminal.sight import Sight

HEAD = "▼"
ROOMY = 70  # columns, for spaces as wide as cards
STYLE_OF_HEADS = {
    1: "black on grey82",
    2: "black on light_sky_blue1",
    3: "black on khaki1",
    4: "black on sandy_brown",
    5: "black on dark_orange",
    6: "white on red3",
    7: "white on purple",
}
GREEN, RED = "black on green3", "white on red3"
SPECIAL, BULL, FACE_DOWN = "black on gold1", "white on deep_pink4", "white on grey37"
NUMBER = "black on grey82"
STYLE_OF_COLOURS = (  # blue, yellow, green, red, black, white
    "white on blue",
    "black on yellow1",
    "white on green4",
    "white on red3",
    "white on grey7",
    "black on white",
)


def chips(sight: Sight, cards: Iterable[Card]) -> list[Text]:
    return [chip(sight, card) for card in cards]


def chip(sight: Sight, card: Card) -> Text:
    """One card, on a colour of its own or in brackets."""
    if card == UNSEEN:
        return framed(sight, [("?", FACE_DOWN)])
    if card in sight.game.CARD_NAMES:
        return framed(sight, [named_card(sight, card)])
    if sight.deck.colours:
        return framed(sight, [(f"{card:>2} ", NUMBER), *bulls(sight, card)])
    heads = sight.deck.heads[card]
    if sight.deck.has_red_heads:
        return framed(sight, [(f"{card:>2} {heads:+}", GREEN if heads > 0 else RED)])
    return framed(sight, [(f"{card:>2}{HEAD}{heads}", STYLE_OF_HEADS.get(heads, NUMBER))])


def named_card(sight: Sight, card: Card) -> tuple[str, str]:
    """The cards without a number: x2, +5, zero cards, bull cards."""
    name = sight.game.CARD_NAMES[card]
    if (heads := sight.deck.heads_on_bull(name)) is not None:
        return f"{HEAD}{heads}", BULL
    return (f"0{name}" if len(name) == 1 else name), SPECIAL


def bulls(sight: Sight, card: Card) -> list[tuple[str, str]]:
    """A letter a bull: BBY is two blue ones and a yellow one."""
    letters = sight.words("colour_letters")
    shown = zip(letters, sight.deck.colours[card], STYLE_OF_COLOURS, strict=True)
    return [(letter * count, style) for letter, count, style in shown if count]


def framed(sight: Sight, parts: list[tuple[str, str]]) -> Text:
    left, right = (" ", " ") if sight.screen.is_coloured else ("[", "]")
    first, last = parts[0][1], parts[-1][1]
    return Text.assemble((left, first), *parts, (right, last))


def empty_space(sight: Sight) -> Text:
    """Where a row still has room; just a dot on a narrow screen."""
    if sight.screen.width < ROOMY:
        return Text("·", "dim")
    width = 4 if sight.deck.heads else 6
    return framed(sight, [("·" * width, "dim")])


def heads_on(sight: Sight, cards: Iterable[Card]) -> int:
    return sight.deck.shown_on(cards)
