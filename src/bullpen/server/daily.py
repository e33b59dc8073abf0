"""The deal of the day: one deal for each game, the same cards and the same bots for everybody (docs/daily.md).

What somebody has learnt of today's cards they have learnt by playing them, once.  Until the day is over nobody is shown
more: no replay, record or review, and no secret.
"""

from __future__ import annotations

import hmac
import logging
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Literal

from bullpen import days, fair
from bullpen.cards import Problem
from bullpen.games import GAMES
from bullpen.server import changing, door
from bullpen.server.header import Header, SeatTaken
from bullpen.server.house import House, Sat, device_hash, name_bots
from bullpen.server.levels import OFFERED, Level
from bullpen.server.networks import network_of
from bullpen.server.players import Arrived
from bullpen.server.refused import Gone, Refused
from bullpen.server.room import Room
from bullpen.server.store import ABANDONED, LOBBY, NotOwner, Store, new_token
from bullpen.server.store.daily import HOUSE, SEAT, Attempt

log = logging.getLogger("bullpen.daily")

Json = dict[str, Any]
Status = Literal["new", "playing", "finished", "late", "given_up"]
SEATS = 4
CHAIN_DAYS = 365 * 100  # that one chain of secrets lasts
# Of the bots: one that has a number of playouts, not a time, so that it answers alike.  Without compiled code the best
# that there is.
LEVEL: Level = "hard" if "hard" in OFFERED else "medium"
EXPERT: Level = "expert" if "expert" in OFFERED else LEVEL
OF_THE_HOUSE = "the house"  # the address that its own tables are counted for
EXPERT_NAME = "Expert"


class Daily:
    def __init__(self, store: Store, house: House) -> None:
        self.book, self.house, self.store = store.daily, house, store

    # -- What it follows from -----------------------------------------------------------------

    async def secret(self, day: date) -> bytes:
        """Of this day: the hash of the next one's."""
        root, first = await self._root()
        ahead = (first - day).days + CHAIN_DAYS
        if ahead < 0:
            raise Refused(503, "daily_over")
        return secret_before(root, ahead)

    async def _root(self) -> tuple[bytes, date]:
        root, first = await self.book.root(str(days.today()))
        return root, date.fromisoformat(first)

    async def published(self) -> days.Published:
        """What this server said on its first day, and what binds it on all days since."""
        _, first = await self._root()
        return days.Published(first, fair.commitment(await self.secret(first)))

    # -- Playing ------------------------------------------------------------------------------

    async def begun(self, game: str, own: Sequence[str]) -> Attempt | None:
        """What this player has begun today, on whichever device."""
        found = await self.book.of(own, [str(days.today())])
        return next((one for one in found if one.game == game), None)

    async def go_on(self, known: Attempt) -> str | None:
        """The table of a deal that was begun before; None where it was never dealt, and can be begun anew."""
        if known.score is not None:
            raise Refused(409, "daily_played")
        if known.state == ABANDONED:
            raise Refused(409, "daily_given_up")
        if known.state is None:  # it went down before the cards were there, and was swept away
            await self.book.drop(known.table)
            return None
        if known.state == LOBBY:
            await self._deal(await self.house.room(known.table))
        return known.table

    async def begin(self, game: str, name: str, arrived: Arrived, address: str) -> Sat:
        day, token = days.today(), new_token()
        header = await self._header(day, game)
        header.seats[SEAT] = SeatTaken(kind="person", name=name, device=device_hash(arrived.device))
        header.host = SEAT
        name_bots(header, taken=name)
        keys = door.seating(SEAT, name, token).given
        room = await self.house.made(header, address, keys)
        device, network = str(device_hash(arrived.device)), await self._network(day, address)
        if not await self.book.begin(room.id, str(day), game, device, network):
            await self.house.take_away(room)  # asked twice at once: the other one counts
            raise Refused(409, "daily_begun")
        await self._deal(room)
        await self.let_expert_play(day, game)
        return Sat(room, SEAT, token)

    async def let_expert_play(self, day: date, game: str) -> None:
        """In everybody's seat, once; whatever is in the way, the next who plays brings it about."""
        try:
            found = await self.book.of([HOUSE], [str(day)])
            known = next((one for one in found if one.game == game), None)
            if known is not None and known.score is not None:
                return
            if known is not None and (table := await self.go_on(known)) is not None:
                await self.house.room(table)  # it goes on where it was left
                return
            header = await self._header(day, game)
            header.seats[SEAT] = SeatTaken(kind="bot", name=EXPERT_NAME, level=EXPERT)
            name_bots(header)
            room = await self.house.made(header, OF_THE_HOUSE, ())
            if await self.book.begin(room.id, str(day), game, HOUSE, None):
                await self._deal(room)
            else:
                await self.house.take_away(room)
        except Problem as problem:
            log.warning("no expert", extra={"game": game, "reason": problem.key})

    async def _header(self, day: date, game: str) -> Header:
        self.house.steward.warming.must_be_playable(LEVEL, game)
        rules, secret = GAMES[game], await self.secret(day)
        wished = {option.name: 1 for option in rules.OPTIONS if option.name == "rounds"}
        return Header(
            game=game,
            options=changing.served_options(rules, SEATS, wished),
            seats=[SeatTaken(kind="bot", level=LEVEL) for _ in range(SEATS)],
            host=None,
            spectators=False,
            stand_in=LEVEL,
            daily=str(day),
            latecomers="never",
            scheme=fair.SCHEME,
            secret=secret.hex(),
            commitment=fair.commitment(secret),
        )

    async def _deal(self, room: Room) -> None:
        async with room.lock:
            if room.is_gone:
                raise Gone(room.id)
            if room.header.state != LOBBY:  # somebody was quicker
                return
            try:
                await room.start(room.header)
            except NotOwner:
                room.let_go()
                raise Gone(room.id) from None
        self.house.starting.begin(room)

    async def _network(self, day: date, address: str) -> str:
        """Whether two play from the same place can be seen; from which one cannot, also when the day's secret is out."""
        root, _ = await self._root()
        place = f"{day} {network_of(address)}"
        return hmac.digest(root, place.encode(), "sha256").hex()[:32]

    # -- Telling ------------------------------------------------------------------------------

    async def sealed(self, own: Sequence[str]) -> set[str]:
        """One's own tables of which nothing but the result is shown today."""
        return {one.table for one in await self.book.of(own, [str(days.today())])}

    async def shown(self, own: Sequence[str]) -> Json:
        today = days.today()
        yesterday = today - days.DAY
        mine = await self.book.of(own, [str(today), str(yesterday)]) if own else []
        return {
            "day": str(today),
            "seconds": max(0, int(days.beginning(today + days.DAY) - time.time())),
            "commitment": fair.commitment(await self.secret(today)),
            "published": await self._published_shown(),
            "streak": await self.streak(own, today) if own else 0,
            "games": await self._games(today, mine),
            "yesterday": {
                "day": str(yesterday),
                "secret": (await self.secret(yesterday)).hex(),
                "games": await self._games(yesterday, mine),
            },
        }

    async def _published_shown(self) -> Json:
        published = await self.published()
        return {"day": str(published.day), "commitment": published.commitment}

    async def _games(self, day: date, mine: Iterable[Attempt]) -> list[Json]:
        everybody = await self.book.on(str(day))
        first: dict[str, Attempt] = {}
        for one in mine:
            if one.day == str(day):
                first.setdefault(one.game, one)
        return [self._game(day, game, first.get(game), everybody) for game in GAMES]

    def _game(
        self, day: date, game: str, mine: Attempt | None, everybody: Sequence[Attempt]
    ) -> Json:
        """What others reached is told to whoever has played, and to everybody when the day is over."""
        rules, status = GAMES[game], status_of(mine, day)
        is_least_best = rules.best(changing.served_options(rules, SEATS, {})) is min
        shown: Json = {
            "game": game,
            "best": "fewest" if is_least_best else "most",
            "status": status,
            "table": None if mine is None else mine.table,
            "score": None if mine is None else mine.score,
            "counted": mine is not None and mine.is_counted and status == "finished",
            "expert": None,
            "scores": [],
            "line": None,
        }
        is_over = day < days.today()
        if not is_over and status not in ("finished", "late"):
            return shown
        of_game = [one for one in everybody if one.game == game and one.score is not None]
        people = [one for one in of_game if one.is_counted and in_time(one, day)]
        tally = Counter(one.score for one in people)
        expert = next((one for one in of_game if one.device == HOUSE), None)
        shown["expert"] = expert and expert.score
        shown["scores"] = [
            {"score": score, "players": tally[score]} for score in sorted(tally, key=int_of)
        ]
        if is_over:
            kept = [one for one in (*people, *filter(None, [expert])) if one.state is not None]
            choose = min if is_least_best else max
            if kept:
                # Among equals a person's, and the first one's.
                best = choose(kept, key=lambda one: int_of(one.score))
                by = "expert" if best.device == HOUSE else "player"
                if mine is not None and best.table == mine.table:
                    by = "you"
                shown["line"] = {"table": best.table, "score": best.score, "by": by}
        return shown

    async def streak(self, own: Sequence[str], today: date) -> int:
        """Days in a row with a deal played to its end in time; today need not be among them yet."""
        played = {
            day
            for day, finished in await self.book.days(own)
            if finished < days.beginning(day + days.DAY)
        }
        day = today if today in played else today - days.DAY
        length = 0
        while day in played:
            length, day = length + 1, day - days.DAY
        return length


@lru_cache(8)
def secret_before(root: bytes, ahead: int) -> bytes:
    """Some ten thousand hashes, of which a day needs two results."""
    return days.earlier(root, ahead)


def status_of(mine: Attempt | None, day: date) -> Status:
    if mine is None:
        return "new"
    if mine.score is not None:
        return "finished" if in_time(mine, day) else "late"
    return "given_up" if mine.state in (ABANDONED, None) else "playing"


def in_time(one: Attempt, day: date) -> bool:
    """Later its cards are open to everybody."""
    return one.finished is not None and one.finished < days.beginning(day + days.DAY)


def int_of(score: int | None) -> int:
    assert score is not None
    return score
