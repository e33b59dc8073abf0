"""Keeps a table going: bots are asked, clocks run, absent people are played for, the end is written down."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Sequence
from random import SystemRandom
from typing import Any, NamedTuple

from bullpen.game import Action, Seat, View
from bullpen.server import messages
from bullpen.server.connection import encoded
from bullpen.server.header import Header
from bullpen.server.levels import COMPILED
from bullpen.server.metrics import Metrics
from bullpen.server.room import RETRY_SECONDS, Entry, Room, nothing_more
from bullpen.server.settings import Settings
from bullpen.server.store import FINISHED, NotOwner, Result, Store, StoreUnavailable
from bullpen.server.thinking.pool import NoAnswer, Pool
from bullpen.server.warming import Warming

log = logging.getLogger("bullpen.steward")
chance = SystemRandom()


class Question(NamedTuple):
    """What a bot is asked: it gets this seat's view and nothing else."""

    seat: Seat
    number: int
    view: View[Any]
    bot: str


class Steward:
    """One for all tables of a server; it keeps nothing that a restart would miss."""

    def __init__(
        self, settings: Settings, store: Store, bots: Pool, warming: Warming, metrics: Metrics
    ) -> None:
        self.settings, self.store, self.bots, self.metrics = settings, store, bots, metrics
        self.warming = warming
        self.tasks: set[asyncio.Task[None]] = set()
        self._asking: dict[str, set[tuple[Seat, int]]] = {}  # by table: bots that think just now
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def take_over(self, room: Room) -> None:
        room.after = self.go_on
        self.stay_awake(room)
        self.go_on(room)

    def wait_for_somebody(self, room: Room) -> None:
        """Nothing happens here until whoever wants to see it has come."""
        room.after, room.awake_until = self.go_on, -math.inf

    def let_go(self, room: Room) -> None:
        room.after = nothing_more
        if timer := self._timers.pop(room.id, None):
            timer.cancel()
        self._asking.pop(room.id, None)

    def go_on(self, room: Room) -> None:
        """Whatever the table waits for now."""
        if room.play is None:
            return
        waiting = room.play.waiting
        if not waiting and room.play.is_over:
            self.let_go(room)
            if room.header.state != FINISHED:
                self._spawn(self.finish(room))
            return
        if self.is_asleep(room):
            return
        now = asyncio.get_running_loop().time()
        self._set_clocks(room, waiting, now)
        self._ask_bots(room, waiting, now)

    def is_asleep(self, room: Room) -> bool:
        """Nobody is here, and nobody will be soon: bots would play for nobody."""
        return not room.here.sockets and asyncio.get_running_loop().time() > room.awake_until

    def stay_awake(self, room: Room) -> None:
        """For whoever may come back soon."""
        room.awake_until = asyncio.get_running_loop().time() + self.settings.sleep_seconds

    def wake(self, room: Room) -> None:
        """Somebody is here again; clocks that stood still begin anew."""
        room.clocked.clear()
        self.go_on(room)

    def _spawn(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("work failed", exc_info=error)

    # -- Bots ---------------------------------------------------------------------------------

    def plays(self, room: Room, seat: Seat) -> str | None:
        """Why a bot decides for this seat now: it is one, its person is away, its time is up."""
        if room.header.seats[seat].kind == "bot":
            return "bot"
        if seat in room.here.stand_ins:
            return "stand_in"
        now = asyncio.get_running_loop().time()
        return "clock" if seat in room.deadlines.due(now) else None

    def _ask_bots(self, room: Room, waiting: Sequence[Seat], now: float) -> None:
        play = room.play
        assert play is not None
        seats, absent = room.header.seats, room.here.stand_ins
        due = room.deadlines.due(now)
        played = [
            seat for seat in waiting if seats[seat].kind == "bot" or seat in absent or seat in due
        ]
        if not played:
            return
        asking = self._asking.setdefault(room.id, set())
        questions = [
            Question(
                seat,
                play.numbers[seat],
                play.view(seat),
                self._bot(seats[seat].level or room.header.stand_in, play.game.ID),
            )
            for seat in played
            if (seat, play.numbers[seat]) not in asking
        ]
        if questions:
            asking.update((one.seat, one.number) for one in questions)
            quick = [one for one in questions if one.bot not in COMPILED]
            # Who answers at once shares a process with the others; who thinks has one alone.
            for together in (quick, *([one] for one in questions if one not in quick)):
                if together:
                    self._spawn(self._think(room, together))

    async def _think(self, room: Room, questions: Sequence[Question]) -> None:
        """Some bots of one table, in one question to one process."""
        game, seconds = room.game.ID, self.settings.bot_seconds * len(questions)
        views = [(one.bot, one.view, seed_of(room, one)) for one in questions]
        try:
            answer = await self.bots.ask("choose", seconds, game=game, questions=views)
            actions: list[Action] = answer["actions"]
        except NoAnswer:
            self.metrics.bot_failures.inc()
            actions = [-1] * len(questions)
        for one, action in zip(questions, actions, strict=True):
            self._asking.get(room.id, set()).discard((one.seat, one.number))
            # A bot that fails, or cheats, has chosen by chance.
            legal = action if action in one.view.legal else chance.choice(one.view.legal)
            self._hand_in(room, one.seat, one.number, legal)

    def _hand_in(self, room: Room, seat: Seat, number: int, action: Action) -> None:
        if by := self.plays(room, seat):  # else its person has come back in the meantime
            room.submit(Entry(seat, number, action, by))

    def _bot(self, level: str, game: str) -> str:
        """Until a stronger one is compiled, `medium` plays for it."""
        return level if self.warming.is_ready(level, game) else "medium"

    # -- Clocks -------------------------------------------------------------------------------

    def _set_clocks(self, room: Room, waiting: Sequence[Seat], now: float) -> None:
        """A deadline for every person who has to decide, and one timer for the earliest."""
        assert room.play is not None
        clocked, numbers, seats = room.clocked, room.play.numbers, room.header.seats
        for seat in [seat for seat in clocked if seat not in waiting]:
            room.deadlines.stop(seat)
            del clocked[seat]
        fresh = [
            seat
            for seat in waiting
            if clocked.get(seat) != numbers[seat] and seats[seat].kind != "bot"
        ]
        for seat in fresh:
            clocked[seat] = numbers[seat]
            self._start_clock(room, seat, now)
        if fresh and room.header.clock is not None:
            room.broadcast({"type": "clocks", "left": messages.all_left(room, now)})
        if room.deadlines.until:
            self._set_timer(room, now)

    def _start_clock(self, room: Room, seat: Seat, now: float) -> None:
        room.deadlines.stop(seat)
        seconds = self._seconds_for(room, seat)
        if seconds is None:
            return
        room.deadlines.start(seat, now, seconds)
        frame = encoded({"type": "clock", "left": room.deadlines.left(seat, now)})
        for connection in room.here.of(seat):
            connection.write(frame)

    def _seconds_for(self, room: Room, seat: Seat) -> float | None:
        if room.here.is_here(seat):
            return room.header.clock
        if plays_alone(room):
            return self.settings.alone_seconds
        return room.header.clock or self.settings.away_seconds

    def _set_timer(self, room: Room, now: float) -> None:
        """One that is set already and comes early enough stays: most decisions are made in time."""
        upcoming = [until for until in room.deadlines.until.values() if until > now]
        timer = self._timers.get(room.id)
        if not upcoming or (timer and timer.when() <= min(upcoming)):
            return
        if timer:
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._timers[room.id] = loop.call_at(min(upcoming), self._time_is_up, room)

    def _time_is_up(self, room: Room) -> None:
        self._timers.pop(room.id, None)
        now = asyncio.get_running_loop().time()
        for seat in room.deadlines.due(now):
            if not room.here.is_here(seat) and seat not in room.here.stand_ins:
                room.here.stand_ins.add(seat)
                room.broadcast(messages.presence(room, seat))
        self.go_on(room)

    # -- Coming and going ---------------------------------------------------------------------

    def came(self, room: Room, seat: Seat, *, starts_anew: bool) -> None:
        """The seat is handed back.  A clock that runs goes on: nobody gains time by coming and going."""
        room.broadcast(messages.presence(room, seat))
        if room.is_playing and (starts_anew or room.header.clock is None or plays_alone(room)):
            room.clocked.pop(seat, None)
            self.go_on(room)

    def went(self, room: Room, seat: Seat) -> None:
        room.broadcast(messages.presence(room, seat))
        if not room.is_playing:
            return
        if seat not in room.deadlines.until or plays_alone(room):
            room.clocked.pop(seat, None)
        self.go_on(room)  # also where their time is up, and what a bot had decided is dropped

    # -- The end ------------------------------------------------------------------------------

    async def finish(self, room: Room) -> None:
        """Write the result down and open what may be opened now."""
        while not await self._is_finished(room):
            await asyncio.sleep(RETRY_SECONDS)
        if room.is_gone:  # another server keeps the table, and finishes it
            return
        self.metrics.finished.labels(room.header.game).inc()
        for connection in room.here.everyone():
            connection.send(messages.result(room, connection.seat, connection.language))
        room.broadcast_lobby()

    async def _is_finished(self, room: Room) -> bool:
        """Through the door of the table, as everything that changes its header: somebody may be sent away now."""
        async with room.lock:
            play, header = room.play, room.header
            if play is None:
                return True
            scores, winners = play.game.scores(play.table), play.game.winners(play.table)
            results = [
                Result(seat, taken.name, counted(header, seat), scores[seat], seat in winners)
                for seat, taken in enumerate(header.seats)
            ]
            final = header.model_copy(
                update={"state": FINISHED, "result": {"scores": scores, "winners": winners}}
            )
            if not await self._is_written(room, final, results):
                return False
            if not room.is_gone:
                room.header = final
            return True

    async def _is_written(self, room: Room, final: Header, results: Sequence[Result]) -> bool:
        try:
            await self.store.finish(room.id, final.model_dump(), final.game, results)
        except StoreUnavailable as unavailable:
            log.error("result not stored", extra={"table": room.id, "reason": unavailable.key})
            return False
        except NotOwner:  # another server keeps the table by now, and finishes it
            room.let_go()
        return True

    async def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


def seed_of(room: Room, question: Question) -> int | str:
    """Chance; at a practice table, where the cards are known, the same play meets the same answers."""
    if room.header.practice is None:
        return chance.getrandbits(64)
    return f"{room.header.practice} {question.seat} {question.number}"


def plays_alone(room: Room) -> bool:
    """Nobody but bots waits for whoever is away."""
    return len(room.header.people()) == 1


def counted(header: Header, seat: Seat) -> str | None:
    """The device whose statistics this game is in: none where somebody else played part of it."""
    taken = header.seats[seat]
    return None if header.played_on or taken.earlier else taken.device
