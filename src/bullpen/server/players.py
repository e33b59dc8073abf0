"""Who comes back to this server: a player has a name, a colour and a language, and one device or several.

Nobody registers: a player is made with the first game of a device, whose cookie is the only secret.  Another device
becomes the same player's by a code.  Codes and devices are kept as hashes alone, and stand in no log.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

from bullpen.cards import Problem
from bullpen.server.budget import Hits, Rate
from bullpen.server.chat import day_and_time
from bullpen.server.header import with_names, without_former
from bullpen.server.house import ID_LETTERS, House, device_hash
from bullpen.server.names import is_like_any
from bullpen.server.refused import Refused
from bullpen.server.settings import Settings
from bullpen.server.store import Before, Played, Player, Standing, Store, StoreUnavailable
from bullpen.server.store.players import MOST_DEVICES, StillPlays
from bullpen.server.turns import Turns
from bullpen.server.words import REFUSED
from bullpen.text import voice

log = logging.getLogger("bullpen.players")

Json = dict[str, Any]
COLOURS = 6  # to choose from; what they look like is the client's business
CODE_SECONDS = 600.0  # that a code of one use is good for
CODE_LETTERS, RECOVERY_LETTERS = 12, 24  # 60 bits for ten minutes, 120 for ever
PAGE = 20  # finished games
RENAMED_SECONDS = 60.0  # for which a table is looked at that may have come here with an old name
LOOK_SECONDS = 5.0  # until a table of another process has forgotten a deleted player, at most


class Arrived(NamedTuple):
    """A device that may sit down, and all devices of the same player."""

    device: str
    own: list[str]


class Players:
    def __init__(self, settings: Settings, store: Store, house: House, hits: Hits) -> None:
        self.settings, self.book, self.house, self.store = settings, store.players, house, store
        self.turns = Turns(house)
        self.making: Counter[str] = Counter()  # tables, by the first device of whoever makes them
        self.tries = Rate("codes", settings.codes_per_minute, hits)

    # -- Who one is ---------------------------------------------------------------------------

    async def arrive(self, device: str | None, name: str | None = None) -> Arrived:
        """With the cookie that it has, or a new one: also where its player was deleted, whose games are nobody's.
        `name`: as they want to be called."""
        hashed = device_hash(device)
        if hashed is not None and name is not None:
            await self._may_be_called(hashed, name)
        if device is None or hashed is None or await self.book.is_former(hashed):
            new = secrets.token_urlsafe(16)
            return Arrived(new, [str(device_hash(new))])
        return Arrived(device, await self.book.devices(hashed))

    async def _may_be_called(self, hashed: str, name: str) -> None:
        """Whom an operator has silenced keeps their name; whom one has renamed does not get the old one back."""
        bounds = await self.store.decency.bounds(hashed)
        if bounds is None or name == bounds.name:
            return
        if bounds.silenced_until:
            until = day_and_time(bounds.silenced_until)
            raise Refused(403, "silenced_name", name=bounds.name, until=until)
        if is_like_any(name, bounds.refused_names):
            raise Refused(403, "name_refused")

    async def may_write(self, device: str | None) -> None:
        """Words for others to read that are no chat, as the name of a club."""
        hashed = device_hash(device)
        bounds = await self.store.decency.bounds(hashed) if hashed else None
        if bounds and bounds.silenced_until:
            raise Refused(403, "silenced", until=day_and_time(bounds.silenced_until))

    @asynccontextmanager
    async def making_a_table(self, arrived: Arrived) -> AsyncIterator[None]:
        """Counted before anything is waited for, until the store counts it: many may ask at once."""
        player, most = arrived.own[0], self.settings.tables_per_player
        self.making[player] += 1
        number = self.making[player]
        try:
            if await self.book.count_running(arrived.own) + number > most:
                raise Refused(429, "too_many_own_tables", most=most)
            yield
        finally:
            self.making[player] -= 1
            if not self.making[player]:
                del self.making[player]

    async def meet(self, device: str, name: str, language: str) -> None:
        """Somebody has sat down: from now on they can come back."""
        hashed = str(device_hash(device))
        with suppress(
            StoreUnavailable
        ):  # the seat is theirs; who they are is written down with the next game
            await self.book.meet(hashed, name, int(hashed, 16) % COLOURS, language)

    async def shown(self, device: str | None) -> Json | None:
        known = await self.book.of(str(device_hash(device))) if device else None
        return None if known is None else await self._shown(known, str(device_hash(device)))

    async def _shown(self, known: Player, hashed: str) -> Json:
        devices = len(await self.book.devices(hashed))
        return {
            "name": known.name,
            "colour": known.colour,
            "language": known.language,
            "created": known.created,
            "devices": devices,
        }

    async def change(self, device: str, name: str, colour: int, language: str) -> Json:
        """Also before the first game: whoever says how they are called is known from then on."""
        hashed = str(device_hash(device))
        await self.book.meet(hashed, name, colour, language)
        known = await self.book.change(hashed, name, colour, language)
        if known is None:  # deleted in this very moment
            raise Refused(404, "no_player")
        return await self._shown(known, hashed)

    # -- Several devices ----------------------------------------------------------------------

    async def code(self, device: str | None) -> str:
        """Of one use, for ten minutes; the one before ends."""
        code = new_code(CODE_LETTERS)
        hashed, until = device_hash(device), time.time() + CODE_SECONDS
        if not hashed or not await self.book.give_code(hashed, code_hash(code), "once", until):
            raise Refused(404, "no_player")
        return code

    async def recovery(self, device: str | None) -> str:
        """To be printed: good until there is a newer one."""
        code, hashed = new_code(RECOVERY_LETTERS), device_hash(device)
        if not hashed or not await self.book.give_code(hashed, code_hash(code), "recovery", None):
            raise Refused(404, "no_player")
        return code

    def count_try(self, address: str) -> None:
        """To become somebody."""
        if not self.tries.allows(address):
            raise Refused(429, "too_many_codes", seconds=self.tries.seconds_left())

    async def use(self, device: str, code: str, address: str) -> Json:
        self.count_try(address)
        hashed = str(device_hash(device))
        try:
            known = await self.book.use_code(hashed, code_hash(code), MOST_DEVICES)
        except StillPlays:
            raise Refused(409, "code_playing") from None
        if known is None:
            raise Refused(403, "code_unknown")
        return await self._shown(known, hashed)

    # -- My tables ----------------------------------------------------------------------------

    async def running(self, device: str | None) -> list[Json]:
        """Where it is one's own turn first, the shortest time left before all, then the last ones that something
        happened at."""
        if (hashed := device_hash(device)) is None:
            return []
        devices = await self.book.devices(hashed)
        found = await self.book.running(devices, self.settings.tables_per_player)
        shown = [one for row in found if (one := await self.turns.shown(row))]
        return sorted(shown, key=urgency)

    async def finished(
        self, device: str | None, game: str | None, before: Before | None
    ) -> list[Played]:
        if (hashed := device_hash(device)) is None:
            return []
        devices = await self.book.devices(hashed)
        return await self.book.played(devices, game, before, PAGE + 1)

    async def statistics(self, device: str | None) -> list[Standing]:
        if (hashed := device_hash(device)) is None:
            return []
        found = [
            one
            for own in await self.book.devices(hashed)
            for one in await self.store.statistics(device=own)
        ]
        by_game: dict[str, Standing] = {}
        for one in found:
            by_game[one.game] = together(by_game[one.game], one) if one.game in by_game else one
        return sorted(by_game.values(), key=lambda one: (-one.games, one.game))

    # -- All that is known, and nothing any more ----------------------------------------------

    async def data_of(self, device: str | None) -> Json:
        hashed = device_hash(device)
        found = await self.book.data_of(hashed) if hashed else None
        if found is None:
            raise Refused(404, "no_player")
        return found

    async def delete(self, device: str | None) -> None:
        hashed = device_hash(device)
        known = await self.book.of(hashed) if hashed else None
        if hashed is None or known is None:
            raise Refused(404, "no_player")
        name = voice(known.language).say("server.former_player")
        devices = await self.book.delete(hashed, name, without_former)
        await self.house.forget_people(dict.fromkeys(devices, name))
        await self.book.forget_former(without_former)  # what was being finished just then

    async def run(self) -> None:
        """As long as the server runs: whoever was deleted by another process, or while this one was down."""
        since = 0.0
        while True:
            try:
                now = time.time()
                if former := await self.book.former(since):
                    await self.house.forget_people(former)
                    await self.book.forget_former(without_former)
                if renamed := await self.store.decency.renamed(since and since - RENAMED_SECONDS):
                    await self.house.rename_people(renamed)
                    await self.store.decency.rename_stored(renamed, with_names)
                REFUSED.look_again()
                since = now - LOOK_SECONDS
            except Problem as problem:
                log.warning("not forgotten", extra={"reason": problem.key})
            except Exception:  # once is no reason never to try again
                log.exception("not forgotten")
            await asyncio.sleep(LOOK_SECONDS)


def urgency(shown: Json) -> tuple[bool, float]:
    is_mine: bool = shown["your_turn"]
    return not is_mine, shown["left"] if is_mine and shown["left"] is not None else math.inf


def together(one: Standing, other: Standing) -> Standing:
    """What was reached on two devices."""
    games = one.games + other.games
    later = max(one, other, key=lambda standing: standing.last)
    return later._replace(
        games=games,
        wins=one.wins + other.wins,
        least=min(one.least, other.least),
        most=max(one.most, other.most),
        mean=(one.mean * one.games + other.mean * other.games) / games,
    )


# -- Codes --------------------------------------------------------------------------------------


def new_code(letters: int) -> str:
    """In groups of four, of letters that nobody takes for another."""
    text = "".join(secrets.choice(ID_LETTERS) for _ in range(letters))
    return "-".join(text[at : at + 4] for at in range(0, letters, 4))


def code_hash(code: str) -> str:
    """However it was typed: large or small, with or without what stands between the groups."""
    bare = "".join(letter for letter in code.lower() if letter.isalnum())
    return hashlib.sha256(f"bullpen-code {bare}".encode("utf-8", "surrogatepass")).hexdigest()
