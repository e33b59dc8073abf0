"""A table as text or as a picture: what `render_mode` asks for.

The picture has one fixed size.  On the left lies what belongs to all, on the right what belongs to a seat;
a place is a line of cards, which overlap where there are many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from bullpen.cards import UNSEEN, Card, Lying
from bullpen.game import Game, Seat, card_name, drawn, titled
from bullpen.places import ALIKE

SIZE = WIDTH, HEIGHT = 1200, 720
SEATS_FROM = 470  # where the right half begins
HEADER, MARGIN, LABEL = 52, 20, 104
CARD_SHAPE = 0.72  # width by height
TALLEST = 58
CLOTH, CLOTH_OF_SEAT, ACTIVE = (22, 84, 66), (28, 98, 78), (255, 214, 92)
PAPER, INK, BACK, BACK_LINE = (250, 247, 238), (40, 40, 44), (122, 44, 62), (168, 92, 108)
WORDS, FAINT = (240, 240, 232), (178, 208, 194)
# The colour of a card's heads by their number; red cards of Hornochsen! count below zero.
RED_CARD = (196, 40, 44)
HEADS = {
    1: (150, 156, 160),
    2: (72, 132, 196),
    3: (226, 168, 40),
    4: (230, 140, 40),
    5: (224, 104, 44),
    6: (206, 76, 60),
    7: (160, 40, 96),
}
BULL_COLOURS = (
    (52, 104, 200),
    (240, 196, 40),
    (58, 150, 80),
    (204, 56, 52),
    (44, 44, 48),
    (206, 206, 206),
)


def render(
    game: Game[Any], table: Any, lying: Lying, waiting: Sequence[Seat], mode: str
) -> str | NDArray[np.uint8] | None:
    """`ansi` gives the text, `rgb_array` the picture [height, width, 3]; `human` prints the text."""
    if mode == "rgb_array":
        return picture(game, table, lying, waiting)
    text = as_text(game, table, lying, waiting)
    if mode == "ansi":
        return text
    print(text, flush=True)
    return None


def as_text(game: Game[Any], table: Any, lying: Lying, waiting: Sequence[Seat]) -> str:
    return (
        f"{titled(game, table.options)}\n{drawn(game, table, lying)}\nscores: {game.scores(table)},"
        f" waiting for: {list(waiting)}\n"
    )


# -- The picture --------------------------------------------------------------------------------


class Line(NamedTuple):
    """A place on the table: its name, and the cards that lie there."""

    name: str
    cards: Sequence[Card]


def picture(
    game: Game[Any], table: Any, lying: Lying, waiting: Sequence[Seat]
) -> NDArray[np.uint8]:
    image = Image.new("RGB", SIZE, CLOTH)
    draw = ImageDraw.Draw(image)
    shared, by_seat = sorted_lines(game, table, lying)
    draw.text((MARGIN, 12), titled(game, table.options), WORDS, font(26))
    write_lines(draw, game, table, shared, MARGIN, SEATS_FROM - MARGIN)
    write_seats(draw, game, table, by_seat, waiting)
    return np.asarray(image)


def sorted_lines(game: Game[Any], table: Any, lying: Lying) -> tuple[list[Line], list[list[Line]]]:
    """The places that hold cards: those of all, and those of each seat.  The box is no part of play."""
    shared: list[Line] = []
    by_seat: list[list[Line]] = [[] for _ in range(table.seats)]
    for name, place in game.places(table).items():
        cards, family = lying[place], table.PLACES.family_of(place)
        if family.out_of_play or not cards:
            continue
        owner = table.owner_of(place)
        if owner is None:
            shared.append(Line(name, cards))
        else:
            by_seat[owner].append(Line(family.name, cards))
    return shared, by_seat


def write_seats(
    draw: ImageDraw.ImageDraw,
    game: Game[Any],
    table: Any,
    by_seat: list[list[Line]],
    waiting: Sequence[Seat],
) -> None:
    """A panel for each seat, as tall as it has lines; the seats that must decide have a bright edge."""
    scores = game.scores(table)
    alike = [  # cards that are only counted
        family
        for family in table.PLACES.families
        if family.kind == "seat" and family.sight == ALIKE
    ]
    weights = [max(1, len(lines)) + 0.6 for lines in by_seat]
    gap, top = 6, MARGIN
    unit = (HEIGHT - 2 * MARGIN - gap * (table.seats - 1)) / sum(weights)
    for seat, lines in enumerate(by_seat):
        bottom = top + unit * weights[seat]
        edge = ACTIVE if seat in waiting else CLOTH_OF_SEAT
        panel = (SEATS_FROM + MARGIN, top, WIDTH - MARGIN, bottom)
        draw.rounded_rectangle(panel, 8, CLOTH_OF_SEAT, edge, width=2)
        title_height = min(22, unit * 0.6)
        caption = f"seat {seat}: {scores[seat]}"
        if counted := sum(len(table.lying[family.first + seat]) for family in alike):
            caption += f"  (+{counted})"
        draw.text((panel[0] + 10, top + 2), caption, WORDS, font(min(16, title_height * 0.85)))
        write_rows(
            draw, game, table, lines, (panel[0] + 10, top + title_height, panel[2] - 10, bottom - 4)
        )
        top = bottom + gap


def write_lines(
    draw: ImageDraw.ImageDraw,
    game: Game[Any],
    table: Any,
    lines: Sequence[Line],
    left: float,
    right: float,
) -> None:
    write_rows(draw, game, table, lines, (left, HEADER, right, HEIGHT - MARGIN))


def write_rows(
    draw: ImageDraw.ImageDraw,
    game: Game[Any],
    table: Any,
    lines: Sequence[Line],
    area: tuple[float, float, float, float],
) -> None:
    """Lines of cards from top to bottom, as tall as there is room."""
    left, top, right, bottom = area
    if not lines:
        return
    step = min(TALLEST + 8, (bottom - top) / len(lines))
    height = min(TALLEST, step * 0.88)
    for line in lines:
        size = font(max(8, min(15, height * 0.5)))
        draw.text((left, top + height / 2), line.name, FAINT, size, anchor="lm")
        write_cards(draw, game, table, line.cards, (left + LABEL, top, right, top + height))
        top += step


def write_cards(
    draw: ImageDraw.ImageDraw,
    game: Game[Any],
    table: Any,
    cards: Sequence[Card],
    area: tuple[float, float, float, float],
) -> None:
    left, top, right, bottom = area
    height = bottom - top
    width = height * CARD_SHAPE
    step = width + 4
    if len(cards) > 1:
        step = min(step, (right - left - width) / (len(cards) - 1))
    for at, card in enumerate(cards):
        x = left + at * step
        seen = width if at == len(cards) - 1 else min(width, step)
        write_card(draw, game, table, card, (x, top, x + width, bottom), seen)


def write_card(
    draw: ImageDraw.ImageDraw,
    game: Game[Any],
    table: Any,
    card: Card,
    box: tuple[float, float, float, float],
    seen: float,
) -> None:
    """Its name and its heads, in the part of it that the next card leaves to be seen."""
    left, top, _, bottom = box
    height = bottom - top
    corner = max(2, height * 0.1)
    if card == UNSEEN:
        draw.rounded_rectangle(box, corner, BACK, BACK_LINE, width=1)
        return
    draw.rounded_rectangle(box, corner, PAPER, INK, width=1)
    if seen < height * 0.2:
        return  # only its edge is seen
    middle, name = left + seen / 2, card_name(game, card)
    size = min(height * 0.42, seen * 1.6 / len(name))
    draw.text((middle, top + height * 0.36), name, INK, font(size), anchor="mm")
    marks = face_marks(table, card)
    if marks and height >= 12:
        dot = min(height * 0.16, (seen - 4) / len(marks))
        x, y = middle - dot * len(marks) / 2, bottom - height * 0.3
        for colour in marks:
            draw.ellipse((x, y, x + dot * 0.86, y + dot * 0.86), colour)
            x += dot


def face_marks(table: Any, card: Card) -> list[tuple[int, int, int]]:
    """A dot for every head or bull that the card shows, in its colour."""
    deck = table.deck
    if deck.colours:
        shown = zip(BULL_COLOURS, deck.colours[card], strict=True)
        return [colour for colour, bulls in shown for _ in range(bulls)]
    if card < len(deck.heads):
        heads = deck.heads[card]
        return [HEADS[abs(heads)] if heads > 0 else RED_CARD] * abs(heads)
    return []


FONTS: dict[int, Any] = {}


def font(size: float) -> Any:
    """Pillow's own: nothing has to be installed beside it."""
    whole = max(6, round(size))
    if whole not in FONTS:
        FONTS[whole] = ImageFont.load_default(whole)
    return FONTS[whole]
