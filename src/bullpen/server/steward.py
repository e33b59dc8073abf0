"""Keeps a table going: bots are asked, clocks run, absent people are played for, the end is written down."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Sequence
from random import SystemRandom
from typing import Any, NamedTuple

from bullpen.cards import Problem
from bullpen.game import Action, Seat, View
from bullpen.server import messages, over_days
from bullpen.server.connection import encoded
from bullpen.server.contestants import Contestants, contestants, unmarked
from bullpen.server.header import Header
from bullpen.server.levels import COMPILED
from bullpen.server.metrics import Metrics
from bullpen.server.room import RETRY_SECONDS, Entry, Room, nothing_more
from bullpen.server.settings import Settings
from bullpen.server.store import FINISHED, NotOwner, Result, Store, StoreUnavailable
from bullpen.server.store.deadlines import Deadline
from bullpen.server.thinking.pool import NoAnswer, Pool
from bullpen.server.warming import Warming

log = logging.getLogger("bullpen.steward")
chance = SystemRandom()
DAILY_EXPERT = "expert:playouts=10000"  # a number, not a time: it plays alike wherever it plays
SOON_SECONDS = 60.0  # that a table over days stays in memory after the last one has left
DAILY_PATIENCE = 10  # times as long as usual for a bot that must not be replaced by chance


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
        if room.header.is_over_days:
            self._keep_time(room)
        self._set_clocks(room, waiting, now)
        if room.header.is_over_days:
            self._stand_in_for_absent(room, now)
        self._ask_bots(room, waiting, now)

    def is_asleep(self, room: Room) -> bool:
        """Nobody is here, and nobody will be soon: bots would play for nobody.  Over days they play for whoever comes
        next, until it is a person's turn; at a tournament others wait for the end."""
        if room.header.tournament is not None:
            return False
        is_left = not room.here.sockets and asyncio.get_running_loop().time() > room.awake_until
        return is_left and not (room.header.is_over_days and self._has_work(room))

    def _has_work(self, room: Room) -> bool:
        play = room.play
        return play is not None and (
            play.is_over or any(self.plays(room, seat) for seat in play.waiting)
        )

    def stay_awake(self, room: Room) -> None:
        """For whoever may come back soon."""
        seconds = self.settings.sleep_seconds
        if room.header.is_over_days:
            seconds = min(seconds, SOON_SECONDS)
        room.awake_until = asyncio.get_running_loop().time() + seconds

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
                self._bot(room.header, seat),
            )
            for seat in played
            if (seat, play.numbers[seat]) not in asking
        ]
        if not all(self._is_themselves(room, one.seat) for one in questions):
            self._try_again(room)
            return
        if questions:
            asking.update((one.seat, one.number) for one in questions)
            quick = [one for one in questions if one.bot.partition(":")[0] not in COMPILED]
            # Who answers at once shares a process with the others; who thinks has one alone.
            for together in (quick, *([one] for one in questions if one not in quick)):
                if together:
                    self._spawn(self._think(room, together))

    async def _think(self, room: Room, questions: Sequence[Question]) -> None:
        """Some bots of one table, in one question to one process."""
        game, seconds = room.game.ID, self.settings.bot_seconds * len(questions)
        is_daily = room.header.daily is not None
        views = [(one.bot, one.view, seed_of(room, one)) for one in questions]
        try:
            patience = DAILY_PATIENCE * seconds if is_daily else seconds
            answer = await self.bots.ask("choose", patience, game=game, questions=views)
            actions: list[Action] = answer["actions"]
        except NoAnswer:
            self.metrics.bot_failures.inc()
            actions = [-1] * len(questions)
        for one, action in zip(questions, actions, strict=True):
            self._asking.get(room.id, set()).discard((one.seat, one.number))
            if is_daily and action not in one.view.legal:
                self._try_again(room)
                continue
            # A bot that fails, or cheats, has chosen by chance.
            legal = action if action in one.view.legal else chance.choice(one.view.legal)
            self._hand_in(room, one.seat, one.number, legal)

    def _hand_in(self, room: Room, seat: Seat, number: int, action: Action) -> None:
        if by := self.plays(room, seat):  # else its person has come back in the meantime
            room.submit(Entry(seat, number, action, by))

    def _bot(self, header: Header, seat: Seat) -> str:
        """Until a stronger one is compiled, `medium` plays for it; but at a deal of the day all bots have as much to
        think as everywhere, however quick the machine is."""
        level = header.seats[seat].level or header.stand_in
        if header.daily is not None:
            return DAILY_EXPERT if level == "expert" else level
        return level if self.warming.is_ready(level, header.game) else "medium"

    def _is_themselves(self, room: Room, seat: Seat) -> bool:
        """At a deal of the day nobody plays for a bot that is being compiled: it would play otherwise."""
        level = room.header.seats[seat].level or room.header.stand_in
        return room.header.daily is None or self.warming.is_ready(level, room.header.game)

    def _try_again(self, room: Room) -> None:
        asyncio.get_running_loop().call_later(RETRY_SECONDS, lambda: room.after(room))

    # -- Clocks -------------------------------------------------------------------------------

    def look_at_the_clock(self, room: Room) -> None:
        """At a table over days: the one of the monotonic clock may be late, where the machine has slept."""
        self.stay_awake(room)
        room.clocked.clear()
        self.go_on(room)

    def _keep_time(self, room: Room) -> None:
        """Whose time runs is stored with every move; here where it is otherwise since: a seat was taken over, or left
        for good."""
        assert room.play is not None
        deadlines = over_days.deadlines(room, room.play, room.header)
        due = over_days.of_people(room.header, deadlines or ())
        if deadlines is not None and due != room.due:
            over_days.keep(room, due)
            self._spawn(self._keep_deadlines(room, deadlines))

    async def _keep_deadlines(self, room: Room, deadlines: Sequence[Deadline]) -> None:
        try:
            await self.store.deadlines.put(room.id, deadlines)
        except Problem as problem:  # the next move stores it
            log.warning("time not kept", extra={"table": room.id, "reason": problem.key})

    async def _has_come(self, room: Room, seat: Seat) -> None:
        try:
            await self.store.deadlines.came(room.id, seat)
        except Problem as problem:  # they hear less than they could, and the next move stores it
            log.warning("not noticed", extra={"table": room.id, "reason": problem.key})

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
        if room.header.is_over_days:
            return over_days.seconds_left(room, seat)
        if room.here.is_here(seat):
            return room.header.clock
        if room.header.daily is not None:
            return None  # nobody plays for somebody whose score it is
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
        self._stand_in_for_absent(room, asyncio.get_running_loop().time())
        self.go_on(room)

    def _stand_in_for_absent(self, room: Room, now: float) -> None:
        """A bot, from the time that is up until they come."""
        for seat in room.deadlines.due(now):
            if not room.here.is_here(seat) and seat not in room.here.stand_ins:
                room.here.stand_ins.add(seat)
                room.broadcast(messages.presence(room, seat))

    # -- Coming and going ---------------------------------------------------------------------

    def came(self, room: Room, seat: Seat, *, starts_anew: bool) -> None:
        """The seat is handed back.  A clock that runs goes on: nobody gains time by coming and going."""
        room.broadcast(messages.presence(room, seat))
        if room.is_playing and room.header.is_over_days:
            self._spawn(self._has_come(room, seat))
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

    def left(self, room: Room, seat: Seat) -> None:
        """Over days the others do not wait for somebody who has said that they go."""
        if room.is_playing and room.header.is_over_days and not plays_alone(room):
            room.here.stand_ins.add(seat)
            self.go_on(room)

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
            rated = contestants(header, play, scores)
            final = unmarked(header).model_copy(
                update={"state": FINISHED, "result": {"scores": scores, "winners": winners}}
            )
            if not await self._is_written(room, final, results, rated):
                return False
            if not room.is_gone:
                room.header = final
            return True

    async def _is_written(
        self, room: Room, final: Header, results: Sequence[Result], rated: Contestants
    ) -> bool:
        to_rate = [one._asdict() for one in rated]
        try:
            await self.store.finish(room.id, final.model_dump(), final.game, results, to_rate)
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
    """Chance; at a practice table, where the cards are known, and at a deal of the day, which is the same for
    everybody, the same play meets the same answers."""
    if room.header.daily is not None:
        return f"{room.header.secret} {room.game.ID} {question.seat} {question.number}"
    if room.header.practice is None:
        return chance.getrandbits(64)
    return f"{room.header.practice} {question.seat} {question.number}"


def plays_alone(room: Room) -> bool:
    """Nobody but bots waits for whoever is away."""
    return room.header.tournament is None and len(room.header.people()) == 1


def counted(header: Header, seat: Seat) -> str | None:
    """The device whose statistics this game is in: none where somebody else played part of it."""
    taken = header.seats[seat]
    return None if header.played_on or taken.earlier else taken.device
