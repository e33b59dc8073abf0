"""Whole games told in words, so that a change in behaviour shows as a difference that can be read.

`make playthroughs` writes them anew; test_playthroughs.py compares.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import bullpen
from bullpen.cards import Card
from bullpen.deck import load_deck
from bullpen.game import Event, OptionValue, drawn
from bullpen.match import Match

FOLDER = Path(__file__).parent / "playthroughs"


class Told(NamedTuple):
    """A game that is told: short, and with most of what can happen in it."""

    seats: int
    seed: int
    options: dict[str, OptionValue]


GAMES = {
    "hornochsen": Told(3, 5, {}),
    "eleven-nimmt": Told(3, 1, {"rounds": 1}),
    "x-nimmt": Told(3, 1, {}),
    "baron-oxx": Told(4, 1, {}),
    "bullenparty": Told(2, 2, {}),
    "six-nimmt": Told(3, 1, {"rounds": 2}),
}

WORDS = {
    "reveal": "all reveal: {cards}",
    "place": "seat {seat} puts {card} {where}",
    "take": "seat {seat} takes {cards}{from_row}",
    "collect": "seat {seat} collects {cards} of row {row}",
    "keep": "seat {seat} keeps {card} for the X row",
    "x_flush": "seat {seat} moves {cards} from the X row to the X pile",
    "special": "seat {seat} puts {special} on the row that ends in {onto}",
    "pass_over": "seat {seat} is passed over",
    "open": "{card} is turned up as a new stack",
    "bull": "seat {seat} gets a bull card from {giver}",
    "under": "seat {seat} puts {card} under the draw pile",
    "draw": "seat {seat} draws {drawn}",
    "lay_row": "row {row} begins with {cards}",
    "extend": "seat {seat} adds {card} to row {row}",
    "pile": "seat {seat} piles {card} {on}",
    "last_round": "this is the last round",
    "round_end": "the round is over",
    "game_end": "the game is over",
}
BULL_IN_A_ROW = "row {row} gets a bull card with {heads} heads"  # Bullenparty


def in_words(event: Event) -> str:
    form = BULL_IN_A_ROW if "heads" in event else WORDS[event["event"]]
    facts: dict[str, Any] = {name: listed(value) for name, value in event.items()}
    if "bids" in event:
        facts["cards"] = listed(event["bids"])
    if event.get("specials"):
        facts["cards"] += " with " + listed(event["specials"])
    if event.get("bulls"):
        facts["cards"] += f" and a bull card with {event['bulls'][0]} heads"
    giver = event.get("from")
    return form.format_map(
        {
            **facts,
            "where": f"on row {event['row']}" if "row" in event else f"onto {event.get('onto')}",
            "from_row": f" of row {event['row']}" if "row" in event else "",
            "on": "as a new pile" if event.get("onto") is None else f"onto {event['onto']}",
            "drawn": f"{event['count']} cards" if "count" in event else event.get("card"),
            "giver": f"seat {giver}" if isinstance(giver, int) else f"the {giver}",
        }
    ) + (f" ({event['rule']})" if "rule" in event else "")


def listed(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join("nothing" if item is None else str(item) for item in value)
    return str(value)


def told(name: str) -> str:
    return "\n".join(sentences(name)) + "\n"


def sentences(name: str) -> Iterator[str]:
    """Each decision, what it causes, and then the places on the table where cards have come or gone."""
    seats, seed, options = GAMES[name]
    rng = Random(seed)
    shuffles: list[tuple[int, int]] = []  # how much had happened before, and how many cards

    def shuffle(cards: list[Card]) -> None:
        shuffles.append((len(match.events) if match else 0, len(cards)))
        rng.shuffle(cards)

    rules, match = bullpen.GAMES[name], None
    match = Match(rules, seats, options, load_deck(rules.DECK_FILES), (), shuffle)
    yield f"{rules.TITLE}, {seats} seats, seed {seed}"
    yield ", ".join(f"{option} {value}" for option, value in match.options.items())
    before: dict[str, str] = {}
    happened = rounds = 0
    while True:
        yield from what_happened(match, happened, shuffles)
        for points in match.rounds[rounds:]:
            yield f"  points of round {rounds + 1}: {listed(points)}"
            rounds += 1
        now = places(match)
        if len(match.events) > happened or not before:
            changed = [name for name in {**now, **before} if now.get(name) != before.get(name)]
            yield from (f"      {name}: {now.get(name, '-')}" for name in changed)
            before = now
        happened = len(match.events)
        shuffles.clear()
        if match.is_over:
            break
        seat = match.waiting_for[0]
        legal = sorted(match.legal(seat))  # in whichever order they are offered
        move = rng.choice(legal)
        yield f"seat {seat} chooses among {len(legal)}: {move}"
        match.move(seat, move)
    yield f"scores {listed(match.scores)}; winners: {listed(match.winners)}"


def what_happened(match: Match, since: int, shuffles: list[tuple[int, int]]) -> Iterator[str]:
    for at in range(since, len(match.events) + 1):
        yield from (f"  {cards} cards are shuffled" for before, cards in shuffles if before == at)
        yield from (f"  {in_words(event)}" for event in match.events[at : at + 1])


def places(match: Match) -> dict[str, str]:
    """The lines of the drawing, by name; of a draw pile only how many cards it has."""
    lines = drawn(match.game, match.table, match.table.lying).splitlines()
    cards = {name: words.strip() for name, words in (line.split(":") for line in lines)}
    return {
        name: f"{len(words.split())} cards" if name.startswith("draw ") or name == "draw" else words
        for name, words in cards.items()
    }


def main() -> None:
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.playthroughs --write")
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(told(name), "utf-8")


if __name__ == "__main__":
    main()
