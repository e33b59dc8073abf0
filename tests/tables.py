"""Tables drawn as text, and moves in the notation, so that a test reads like the rulebook's pictures.

    t = table(x_nimmt, '''
        row 1: 66
        row 2: 59
        row 3: 80 81
        hand 0: 43 1
        hand 1: 90 2
    ''')
    t, events = after(x_nimmt, t, "0 play 43", "1 play 90")

The places are those of `game.places`.  Cards that are not drawn lie in the box (11 nimmt!: in the draw
pile); where the box or that draw pile is drawn too, it holds what is drawn and nothing else.  A special
card of Hornochsen! in a hand is its owner's; elsewhere `x2/1` names the owner.
"""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from bullpen.cards import UNSEEN, Card, Lying, mask
from bullpen.deck import Deck, load_deck
from bullpen.game import (
    Action,
    Event,
    Game,
    IllegalMove,
    OptionValue,
    Refusal,
    complete_options,
    read_move,
)
from bullpen.game import drawn as as_text
from bullpen.places import FACE_DOWN, FACE_UP, TOP_ONLY

FIRST_DECISION = {
    "hornochsen": "PLAYING",
    "eleven-nimmt": "PLAYING",
    "x-nimmt": "LAYING",
    "baron-oxx": "LAYING",
    "bullenparty": "BIDDING",
    "six-nimmt": "LAYING",
}


def table(
    game: Any,
    drawing: str,
    *,
    seats: int | None = None,
    options: dict[str, OptionValue] | None = None,
    deck: Deck | None = None,
    **fields: Any,
) -> Any:
    """A table as drawn, waiting for its first decision; `fields` are set on it as they are given."""
    places = as_drawn(drawing)
    if seats is None:
        by_seat = [int(s) for s in re.findall(r"\b(?:hand|laid|of|bid) (\d+)\s*:", drawing)]
        seats = max([*by_seat, game.SEATS[0] - 1]) + 1
    chosen = complete_options(game, seats, options or {})
    drawn = game.set_up(seats, chosen, deck or load_deck(game.DECK_FILES))
    drawn.phase = getattr(game.rules, FIRST_DECISION[game.ID])
    if game.ID == "bullenparty":
        drawn.bidders = tuple(range(seats))
        owners = [re.fullmatch(r"pile \d+ of (\d+)", name) for name in places]
        drawn.owners = tuple(int(owner[1]) for owner in owners if owner)
    grow(game, drawn, places)
    rest = set(drawn.lying[0])
    known = game.places(drawn)
    for name, words in places.items():
        cards = [card_called(game, word, name) for word in words.split()]
        drawn.lying[known[name]] = tuple(cards)
        rest -= set(cards)
    if 0 not in {known[name] for name in places}:
        drawn.lying[0] = tuple(sorted(rest))
    for name, value in fields.items():
        if name == "bulls":  # 11 nimmt!: how many lie in front of each seat
            lay_bulls(game.rules, drawn, value)
        else:
            setattr(drawn, name, value)
    drawn.seen |= mask(laid_openly(drawn))
    return drawn


def laid_openly(drawn: Any) -> list[Card]:
    """What all must have seen: all that lies open, or on a pile of cards that lay open; not what is
    still to be drawn."""
    families = [drawn.PLACES.family_of(place) for place in range(len(drawn.lying))]
    return [
        card
        for family, cards in zip(families, drawn.lying, strict=True)
        if family.sight in (FACE_UP, TOP_ONLY, FACE_DOWN) and not family.out_of_play
        if family.name != "draw"
        for card in cards
        if family.secret_in != drawn.phase
    ]


def as_drawn(drawing: str) -> dict[str, str]:
    """The places of a drawing that have a line, and the cards there, as written."""
    lines = re.findall(r"^\s*([a-z0-9 ]+?):(.*)$", drawing, re.MULTILINE)
    return {name: " ".join(cards.split()) for name, cards in lines}


def pictured(game: Game[Any], t: Any, cards: Lying | None = None) -> dict[str, str]:
    """Where the cards lie, or are remembered to lie, to be compared with `as_drawn`; without the box, and
    without the bull cards of 11 nimmt!, which are only counted."""
    lines = as_drawn(as_text(game, t, t.lying if cards is None else cards))
    return {name: shown for name, shown in lines.items() if not shown.startswith("×")}


def grow(game: Any, drawn: Any, places: dict[str, str]) -> None:
    """The rows, stacks or piles of which a table has as many as it needs."""
    if heap := drawn.PLACES.heap:
        numbers = [re.match(rf"{heap.name} (\d+)", name) for name in places]
        drawn.heaps = tuple(int(number[1]) for number in numbers if number)
        drawn.lying = drawn.lying[: heap.first] + [()] * len(drawn.heaps)


def lay_bulls(rules: Any, drawn: Any, bulls: Sequence[int]) -> None:
    for seat, count in enumerate(bulls):
        drawn.lying[rules.BULLS + seat] = (UNSEEN,) * count
    drawn.lying[rules.SUPPLY] = (UNSEEN,) * (rules.BULL_CARDS - sum(bulls))


def card_called(game: Any, word: str, place: str) -> Card:
    if word.isdigit():
        return int(word)
    name, _, owner = word.partition("/")
    cards: list[Card] = [card for card, called in game.CARD_NAMES.items() if called == name]
    if len(cards) == 1:
        return cards[0]
    return cards[int(owner or re.findall(r"\d+", place)[-1])]  # Hornochsen!: one a seat


def after(game: Game[Any], t: Any, *moves: str) -> tuple[Any, list[Event]]:
    """The table after moves such as "0 play 43", and all the events that they caused."""
    events: list[Event] = []
    for move in moves:
        seat, _, text = move.partition(" ")
        t, caused = game.apply(t, int(seat), read_move(game, t, int(seat), text))
        events += caused
    return t, events


def lying(game: Game[Any], t: Any, place: str) -> list[Card]:
    """The cards in a place, in their order."""
    return list(t.lying[game.places(t)[place]])


def legal(game: Game[Any], t: Any, seat: int) -> set[str]:
    """The moves that a seat may make, as written."""
    return {game.NOTATION[action] for action in game.legal(t, seat)}


def refused(game: Game[Any], t: Any, seat: int, move: str | Action) -> Refusal:
    """Why a move is refused: rule, key and facts.  Nothing has changed, and the error lists what is legal."""
    before = deepcopy(t)
    with pytest.raises(IllegalMove) as error:
        game.apply(t, seat, read_move(game, t, seat, move) if isinstance(move, str) else move)
    assert t == before
    assert (error.value.seat, error.value.move) == (seat, str(move).strip())
    assert sorted(error.value.legal) == sorted(legal(game, t, seat))
    return error.value.refusal


def deck_file(
    game: Game[Any], folder: Path, lines: Mapping[int, str | None], *, part: int = 0
) -> Path:
    """A user's own deck file: ours, with these lines in place of its own; None leaves a line out."""
    original = game.DECK_FILES[part].path
    ours = original.read_text("utf-8").splitlines()
    by_line = {**dict(enumerate(ours, start=1)), **lines}
    path = folder / original.name
    path.write_text("".join(f"{line}\n" for line in by_line.values() if line is not None), "utf-8")
    return path
