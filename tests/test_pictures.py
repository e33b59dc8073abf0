"""The worked examples as pictures on the rules pages: what lies there is what the rules make of it."""

from __future__ import annotations

import re

import pytest

from bullpen.about import Picture
from bullpen.games import GAMES, about, game_called
from bullpen.languages import LANGUAGES
from bullpen.server.rulebook import pictured
from bullpen.text import voice
from tests.tables import after, as_drawn, table
from tests.tables import pictured as lying

ALL = [
    pytest.param(game, picture, id=f"{game} {at}")
    for game in GAMES
    for at, picture in enumerate(about(GAMES[game]).pictures, start=1)
]

# What is done between the first step of a picture and its last; and what else must lie on the table to do it.
PLAYED = {
    "x-nimmt 1": (
        "hand 0: 18 7 / hand 1: 22 6 / hand 2: 60 5",
        ("0 play 18", "1 play 22", "2 play 60"),
    ),
    "x-nimmt 2": ("hand 0: 59 1 / hand 1: 90 3", ("0 play 59", "1 play 90")),
    "hornochsen 1": ("hand 1: 90", ("0 play 35", "0 play 50", "0 play 60")),
    "hornochsen 2": ("hand 1: 90", ("0 play 5", "0 play 87", "0 play 4")),
    "hornochsen 3": ("hand 0: 37 39 42 60 / hand 1: 90", ("0 play 37", "0 play 39", "0 play 42")),
    "eleven-nimmt 1": ("hand 0: 5 60 / hand 1: 1", ("0 play 5 on 98",)),
    "eleven-nimmt 3": (
        (
            "draw: 23 87 70 44 / hand 0: 36 60 / hand 1: 46 61 / hand 2: 62 63 / hand 3: 88 64 / "
            "hand 4: 92 65 / hand 5: 98 66 / hand 6: 5 67"
        ),
        (
            *("0 play 36 on 31", "1 play 46 on 36", "2 take 46", "3 play 88 on 87"),
            *("4 play 92 on 88", "5 play 98 on 92", "6 play 5 on 98", "0 take 23"),
        ),
    ),
    "baron-oxx 1": ("hand 0: 6 7 / hand 1: 88 8", ("0 play 6", "1 play 88", "0 row 4")),
    "baron-oxx 2": (
        "row 3: 5 / row 4: 42 / row 5: 20 / hand 0: 88 7 / hand 1: 84 8",
        ("0 play 88", "1 play 84"),
    ),
    "baron-oxx 3": (
        "row 3: 16 / row 4: 58 / row 5: 20 / hand 0: 31 7 / hand 1: 46 8",
        ("0 play 31", "1 play 46"),
    ),
    "bullenparty 1": (
        "row 2: 30 31 / draw: 1 2 3 4 6 / hand 0: 5 20 70 80 90 A / hand 1: 91 92 93 94 95 B",
        ("0 bid 5", "1 bid 95", "0 take 1", "0 pile 20 on 13", "0 pile 22 on 20"),
    ),
    "bullenparty 3": (
        (
            "row 1: 17 18 35 49 77 bull1 / row 2: 24 33 3 75 94 bull2 / row 3: 11 19 55 63 93 bull5 / "
            "draw: 40 41 42 43 44 45 46 / pile 1 of 0: 23 / pile 2 of 1: 31 / pile 3 of 2: 10 / "
            "pile 4 of 2: 86 / hand 0: 13 51 72 20 21 A / hand 1: 60 61 62 64 85 B / hand 2: 36 65 66 67 87 C"
        ),
        (
            *("0 bid 13", "1 bid 85", "2 bid 36", "0 take 2", "2 take 3"),
            *("0 pile 24 on 23", "0 pile 33 on 24", "0 pile 51 new", "0 pile 72 on 51"),
            *("2 pile 11 on 10", "2 pile 19 on 11", "2 pile 87 on 86", "2 pile 93 on 87"),
            *("1 pile 17 new", "1 pile 18 on 17", "1 pile 35 on 18", "1 pile 49 on 31"),
        ),
    ),
    "bullenparty 2": (
        "row 2: 30 31 / draw: 1 3 6 7 8 / hand 0: 24 60 70 80 90 A / hand 1: 91 92 93 94 95 B",
        ("0 bid 24", "1 bid 95", "0 take 1", "0 pile 4 new", "0 pile 18 on 4"),
    ),
}


def drawn(step: str) -> dict[str, str]:
    return as_drawn(step.replace("*", "").replace(" / ", "\n"))


@pytest.mark.parametrize("name", PLAYED)
def test_the_rules_lead_from_the_first_step_to_the_last(name: str) -> None:
    game, at = name.split()
    played = game_called(game)
    picture = about(played).pictures[int(at) - 1]
    needed, moves = PLAYED[name]
    first = {**drawn(picture[0]), **drawn(needed)}
    for place in ("laid", "bid 0", "bid 1", "bid 2"):  # held in the hands until they are played
        first.pop(place, None)
    t = table(played, "\n".join(f"{place}: {cards}" for place, cards in first.items()))
    t, _ = after(played, t, *moves)
    ends = {" ".join(cards.split()) for cards in lying(played, t).values()}
    for place, cards in drawn(picture[-1]).items():
        shown = set(cards.split())
        assert any(shown <= set(end.split()) for end in ends), (place, cards, ends)
        if place.startswith(("row", "stack", "pile")):
            assert cards in ends, (place, cards, ends)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_example_has_its_picture_with_the_cards_it_speaks_of(
    game: str, language: str
) -> None:
    texts = voice(language).rules(GAMES[game]).examples
    pictures = about(GAMES[game]).pictures
    assert len(pictures) == len(texts)
    for text, picture in zip(texts, pictures, strict=True):
        shown = {card for step in pictured(picture) for lane in step for card in lane["cards"]}
        if game == "baron-oxx" or "=" in text:  # they speak of colours, or of points
            continue
        outside = re.sub(r"\d+ (to|bis|do) \d+", "", text)  # what else would fit
        spoken = {int(number) for number in re.findall(r"\d{2,}", outside)}
        assert spoken - shown <= {99, 100}, (text, spoken - shown)


@pytest.mark.parametrize(("game", "picture"), ALL)
def test_what_has_just_come_was_elsewhere_before(game: str, picture: Picture) -> None:
    places = {family.name for family in GAMES[game].rules.places.in_order()}
    for before, now in zip([None, *pictured(picture)], pictured(picture), strict=False):
        for lane in now:
            assert any(lane["place"].startswith(name) for name in places), lane
            came = set(lane["come"])
            assert came <= set(lane["cards"])
            old = next((one for one in before or [] if one["place"] == lane["place"]), None)
            stayed = set(lane["cards"]) - came
            if before is not None and old is not None:
                assert stayed <= set(old["cards"]), lane
                assert not came & set(old["cards"]), lane
