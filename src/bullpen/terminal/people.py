"""Who sits at the table: people, who share one keyboard, and bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from bullpen.bots import bot_called
from bullpen.bots.names import BOT_NAMES
from bullpen.deck import Deck, load_deck
from bullpen.game import BadOption, Game, Options, Seat, read_options
from bullpen.match import Match
from bullpen.terminal.records import printable
from bullpen.text import Voice

USUAL_SEATS, USUAL_BOT = 4, "medium"


@dataclass
class Sitting:
    """A match being played here: who plays which seat, and where it is kept."""

    match: Match
    bots: Mapping[Seat, str]  # by seat, the bot that plays there
    path: Path
    rng: Random = field(default_factory=SystemRandom)  # of the bots
    seed: int | None = None
    not_saved_because: str = ""  # why it could not be saved, if it could not
    events_shown: dict[Seat | None, int] = field(default_factory=dict)  # how many, by person
    looking: Seat | None = None  # who of several people sits in front of the screen
    taken_back: dict[Seat, Seat] = field(
        default_factory=dict
    )  # by person, who undid their decision
    language: str = ""  # in which it was played last

    @property
    def people(self) -> list[Seat]:
        return [seat for seat in range(self.match.seats) if seat not in self.bots]


@dataclass(frozen=True)
class Wishes:
    """The match that somebody asks for."""

    game: Game[Any]
    seats: int
    bots: Mapping[Seat, str]
    names: Sequence[str]
    options: Options
    deck: Deck
    seed: int | None = None


def wished(
    voice: Voice,
    game: Game[Any],
    *,
    seats: int | None = None,
    bots: int | None = None,
    bot: Sequence[str] = (),
    names: Sequence[str] = (),
    options: Sequence[str] = (),
    decks: Sequence[str] = (),
    seed: int | None = None,
) -> Wishes:
    """Everything checked, and everything filled in that was not asked for."""
    seats = usual_seats(game, bots) if seats is None else seats
    given = read_options(game, seats, options)
    if bots is None:
        bots = seats - max(1, min(len(names), seats))
    if not 0 <= bots <= seats:
        raise BadOption("too_many_bots", bots=bots, seats=seats)
    bot_seats = seated_bots(seats, bots, bot)
    all_names = seat_names(voice, seats, bot_seats, names)
    return Wishes(game, seats, bot_seats, all_names, given, load_deck(game.DECK_FILES, decks), seed)


def usual_seats(game: Game[Any], bots: int | None) -> int:
    """Four where the game allows it, or one person with all the bots."""
    return min(USUAL_SEATS, game.SEATS[-1]) if bots is None else max(bots + 1, game.SEATS[0])


def seated_bots(seats: int, bots: int, kinds: Sequence[str]) -> dict[Seat, str]:
    """Bots take the last seats; one kind for all of them, or one for each."""
    kinds = list(kinds) or [USUAL_BOT]
    for kind in kinds:
        bot_called(kind)
    if len(kinds) not in (1, bots):
        raise BadOption("bot_kinds", given=len(kinds), bots=bots)
    all_kinds = kinds * bots if len(kinds) == 1 else kinds
    return dict(zip(range(seats - bots, seats), all_kinds, strict=True))


def seat_names(
    voice: Voice, seats: int, bots: Mapping[Seat, str], given: Sequence[str]
) -> list[str]:
    """The names that were given, and names for the others that nobody has yet."""
    names = [printable(" ".join(name.split())) for name in given]
    if len(names) > seats or not all(names):
        raise BadOption("too_many_names", names=", ".join(names), seats=seats)
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadOption("name_twice", name=twice)
    people = seats - len(bots)
    for seat in range(len(names), people):
        key = "you" if people == 1 else "person"
        names.append(voice.say(f"terminal.names.{key}", number=seat + 1))
    free = (name for name in BOT_NAMES if name not in names)
    return names + [next(free) for _ in range(len(names), seats)]


def sit_down(wishes: Wishes, path: Path) -> Sitting:
    seed = wishes.seed
    shuffler = (SystemRandom() if seed is None else Random(seed)).shuffle
    match = Match(wishes.game, wishes.seats, wishes.options, wishes.deck, wishes.names, shuffler)
    # The bots' chance is not the shuffles' chance: else a bot could change what is dealt.
    rng = SystemRandom() if seed is None else Random(f"bots {seed}")
    return Sitting(match, wishes.bots, path, rng, seed)


def again(sitting: Sitting) -> Wishes:
    """The same people, bots and options, dealt anew."""
    match = sitting.match
    seed = None if sitting.seed is None else sitting.seed + 1
    return Wishes(
        match.game, match.seats, sitting.bots, match.names, match.options, match.deck, seed
    )
