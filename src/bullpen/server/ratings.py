"""Ratings of players by game: made in the background from games that are over, shown with how sure they are."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from bullpen.cards import Problem
from bullpen.server.contestants import Contestant, Unrated, why_no_game
from bullpen.server.header import Header
from bullpen.server.house import device_hash
from bullpen.server.store import FINISHED, Json, Store
from bullpen.server.store.ratings import Change, Known, Outcome, Rated, Standing
from bullpen.server.strengths import NEW, Strength, after_game, of_levels

log = logging.getLogger("bullpen.ratings")

LOOK_SECONDS = 1.0  # between two looks for games that wait
SETTLE_SECONDS = 2.0  # after its end: by then whatever ended before it is stored, by any process
AT_ONCE = 5  # games in one transaction, so that no move waits long for it
PAUSE_SECONDS = 0.05  # between two of them
PLACES = 25  # on a page of a leaderboard
KNOWN_GAMES = 10  # until then somebody is new: they are rated by others, and others not by them
HISTORY = 100  # changes that are shown
FIRST = -1.0  # counted as better than anybody: of points that cannot be …
LAST = 1.0  # … and as worse, beside the ranks of a game
NEWCOMER = Known(*NEW, games=0)


class Page(NamedTuple):
    places: list[Rated]
    rated: int  # so many are, on all pages
    you: Standing | None


class RatedGame(NamedTuple):
    """What one game was for one player's rating."""

    state: Literal["rated", "waiting", "unrated"]
    why_not: str | None = None
    change: Change | None = None


class Ratings:
    def __init__(self, store: Store) -> None:
        self.store, self.book = store, store.ratings
        self.marked_at, self.mark_seconds = 0.0, 0.0

    async def run(self) -> None:
        """As long as the server runs."""
        while True:
            try:
                await self.rate_all()
                await self.mark_all()
            except Problem as problem:
                log.warning("not rated", extra={"reason": problem.key})
            except Exception:  # once is no reason never to try again
                log.exception("not rated")
            await asyncio.sleep(LOOK_SECONDS)

    async def rate_all(self) -> None:
        """All that wait.  Each process looks; whoever comes first rates."""
        before = time.time() - SETTLE_SECONDS
        while await self.book.are_waiting(before):
            await self.book.rate_some(before, AT_ONCE, NEWCOMER, rated)
            await asyncio.sleep(PAUSE_SECONDS)

    async def mark_all(self) -> None:
        """The leaderboards that somebody looks at anew, one after the other: others that read have their turn."""
        now = asyncio.get_running_loop().time()
        if now < self.marked_at + self.mark_seconds:
            return
        for game in list(self.book.marks):
            begun = asyncio.get_running_loop().time()
            await self.book.mark(game)
            await asyncio.sleep(asyncio.get_running_loop().time() - begun)
        self.marked_at = asyncio.get_running_loop().time()
        # Large ones take longer, and change less: a hundredth of the time at most.
        self.mark_seconds = 100 * (self.marked_at - now)

    # -- What is shown ------------------------------------------------------------------------

    async def page(self, game: str, number: int, device: str | None) -> Page:
        """Of the leaderboard of a game; the first page is number 1."""
        own = device_hash(device) or ""
        places = await self.book.page(game, 1 + PLACES * (number - 1), PLACES, own)
        standings = await self.book.standings(own) if own else []
        you = next((one for one in standings if one.game == game), None)
        counted = you.of if you else await self.book.count(game)
        return Page(places, max(counted, *(one.place for one in places), 0), you)

    async def standings(self, device: str | None) -> list[Standing]:
        own = device_hash(device)
        return await self.book.standings(own) if own else []

    async def history(self, game: str, device: str | None) -> list[Change]:
        own = device_hash(device)
        return await self.book.history(own, game, HISTORY) if own else []

    async def changes(self, device: str | None, tables: Sequence[str]) -> dict[str, Change]:
        own = device_hash(device)
        return await self.book.changes(own, tables) if own else {}

    async def of_game(self, table: str, header: Header, device: str | None) -> RatedGame:
        """What it was for whoever asks: for nobody else."""
        if why := why_no_game(header):
            return RatedGame("unrated", why)
        if header.state != FINISHED or await self.book.is_waiting(table):
            return RatedGame("waiting")
        change = (await self.changes(device, [table])).get(table)
        if change is None:
            return RatedGame("unrated")
        return RatedGame("unrated" if change.why_not else "rated", change.why_not, change)


# -- One game -----------------------------------------------------------------------------------


class Chair(NamedTuple):
    """A contestant who is somebody, and how strong they were."""

    who: Hashable  # a player, or the seat of a level
    one: Contestant
    was: Known

    @property
    def is_new(self) -> bool:
        return self.one.level is None and self.was.games < KNOWN_GAMES


def rated(
    game: str,
    field: Sequence[Json],
    whose: Mapping[str, str],
    known: Mapping[str, Known],
    new: Known,
) -> dict[str, Outcome]:
    """What becomes of each player: `whose` device is whose, how those stand who are `known`."""
    contestants = [Contestant(**one) for one in field]
    found: dict[str, Outcome] = {}
    chairs = list(seated(game, contestants, whose, known, new))
    together: dict[tuple[Hashable, ...], dict[Hashable, Strength]] = {}  # the same for many
    for own in chairs:
        if not isinstance(own.who, str):
            continue
        why: Unrated | None = own.one.why_not
        others = [other for other in chairs if other is not own and counts(other, own, chairs)]
        if why is None and not others:
            why = "alone"
        strength = Strength(own.was.mu, own.was.sigma)
        if why is None:
            ranked = sorted([own, *others], key=lambda chair: str(chair.who))
            key = tuple(chair.who for chair in ranked)
            if key not in together:
                before = {chair.who: Strength(chair.was.mu, chair.was.sigma) for chair in ranked}
                together[key] = after_game(before, ranks([chair.one for chair in ranked], key))
            strength = together[key][own.who]
            # Who knows how it stands may choose for whom it is lost: not for whom it is won.
            if own.one.has_moved and strength.mu > own.was.mu:
                why, strength = "device_changed", Strength(own.was.mu, own.was.sigma)
        found[own.who] = Outcome(*strength, strength.careful, why)
    return found


def seated(
    game: str,
    contestants: Sequence[Contestant],
    whose: Mapping[str, str],
    known: Mapping[str, Known],
    new: Known,
) -> Iterator[Chair]:
    """Levels that were measured, and players; of one who comes twice only one."""
    times = Counter(whose.get(one.device or "") for one in contestants if not one.why_not)
    levels, seen = of_levels(game), set[str]()
    for one in sorted(contestants, key=lambda one: one.why_not == "took_over"):
        if one.level is not None and one.level in levels:
            yield Chair(one.seat, one, Known(*levels[one.level], games=0))
        player = whose.get(one.device or "")
        if player is None or player in seen:
            continue
        seen.add(player)
        if times[player] > 1:
            one = one._replace(why_not="same_person")
        yield Chair(player, one, known.get(player, new))


def counts(other: Chair, own: Chair, chairs: Sequence[Chair]) -> bool:
    """Whether one is measured by how the other came out of it."""
    if (
        other.one.was_replaced
    ):  # by somebody whom who plays alone may have let in to lose, or not to
        return sum(chair.one.level is None and not chair.one.why_not for chair in chairs) == 1
    if other.one.why_not or other.one.was_brief:
        return False
    return own.is_new or not other.is_new


def ranks(contestants: Sequence[Contestant], who: Sequence[Hashable]) -> dict[Hashable, float]:
    least = min(one.rank for one in contestants)
    most = max(one.rank for one in contestants)
    return {
        name: most + LAST if one.has_lost else least + FIRST if one.was_replaced else one.rank
        for name, one in zip(who, contestants, strict=True)
    }
