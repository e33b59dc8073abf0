"""What a game's folder tells of itself besides its rules: small facts that bots, coach, lessons and
environments need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

ALL_MOVES = 0  # as a number of looks


class Scene(NamedTuple):
    """A position in which `rule` shows, and what to do to see it: then `event` happens."""

    rule: str
    event: str
    seats: int
    seed: int
    moment: int  # so many questions were answered before
    moves: tuple[str, ...]


class Cover(NamedTuple):
    """How a game shows itself on the first page."""

    place: int  # on that page
    cards: tuple[int, ...]  # of its fan
    glow: str  # the colour behind them
    minutes: int
    bots: int  # that one meets at a click


class Lesson(NamedTuple):
    """Something that the first game tells at its moment: `start`; `picking` and `picked` a card; `phase NAME`;
    `event NAME` happened; `cards PLACE N`: some such place holds so many number cards; `own PLACE`: cards lie in one's own;
    `hand N`: so few are left; `fact NAME` holds."""

    name: str
    moment: str
    kind: Literal["tells", "asks"] = "tells"  # one that asks for something goes when it is done


class Bounds(NamedTuple):
    """How long a game can get, how many points it can bring: true bounds, not always tight ones.  OpenSpiel asks for
    them before the first card is dealt; a folder tells them by its `bounds`, beside their reason."""

    decisions: int
    shuffles: int
    least: int  # points of a seat
    most: int


def whole(value: object) -> int:
    """An option's value that is known to be a number."""
    assert isinstance(value, int)
    return value


# A worked example of the rules as its cards lie, step by step.  A step is drawn as in `row 2: 17 *18 / hand 0: 40`: its
# places, the numbers of the cards there, and a star before each card that has just come.
Picture = tuple[str, ...]


@dataclass(frozen=True)
class About:
    """Of one game, as `ABOUT` in its folder; a game that says nothing has what stands here."""

    order: int = 100  # where it stands among the games
    # The standard deviation of one seat's lead at the end of a round of random play with four players,
    # measured with 10,000 playouts; None: measured when it is first needed.
    spread: float | None = None
    # How many legal actions a playout draws to take the best-looking one; measured at three or four seats by
    # what wins most against the careful bot.  Where cards are chosen in secret, a little
    # chance in what the others do serves better than the habit alone; in turn, the habit does.
    looks: int = 5
    # How likely it is that somebody else plays at random all through a playout: whoever only reckons with sensible players loses to
    # others more than need be.  Trees and guesses know nothing of it.
    aimless: float = 0.0
    # How likely it is that somebody else does what is usual all through a playout, as the game's `reading.py` knows it: some people
    # think, and some do what is usual.  So while nobody has shown anything; then each is read.  Below 1; nothing without such a file; guesses know nothing of it.
    by_thumb: float = 0.0
    # Whether imagined opponents learn from playout to playout: where cards are laid in secret, they are better
    # taken as they are than as they might learn to be.
    others_learn: bool = False
    # The numbers of players with which `expert` and the coach grow trees instead of playing on by habit alone; only where that
    # was proven to be better.
    trees: tuple[int, ...] = ()
    hard_playouts: int = 400  # of the level `hard`
    # How strong the levels are, from `easy` to `expert`, and how unsure that is, as ratings count it: written by
    # `python -m benchmarks.strengths --write`.  Without it people are rated by people alone.
    strengths: tuple[tuple[float, float], ...] = ()
    cover: Cover | None = None
    age: int | None = None  # from which on it is recommended, as on the box; None: not known
    practice_seed: int = 7  # of the first game, which explains itself
    practice_options: Mapping[str, int] = field(default_factory=dict)
    lessons: tuple[Lesson, ...] = ()
    scenes: tuple[Scene, ...] = ()
    pictures: tuple[Picture, ...] = ()  # of the examples in its words, one each, in their order
