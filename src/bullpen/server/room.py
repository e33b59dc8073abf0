"""One table being played: the order is always validate, store, answer, show.

Moves that arrive while others are being stored wait and are stored together.  A seat comes from the socket
it speaks through, never from a message.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bullpen.cards import Problem
from bullpen.game import Action, Event, IllegalMove, Options, Seat
from bullpen.server import messages, over_days
from bullpen.server.attendance import Attendance, Deadlines
from bullpen.server.connection import RESTARTING, Connection, encoded
from bullpen.server.dealing import Dealer
from bullpen.server.header import Header
from bullpen.server.keys import Keys
from bullpen.server.late_requests import Requests
from bullpen.server.metrics import Metrics
from bullpen.server.opening import Opening
from bullpen.server.over_days import Due
from bullpen.server.play import MOVE, SHUFFLE, UNDO, Play, fold, new_play
from bullpen.server.sight import Detail, Happened, Sight, Telling, happened, overdue, pause_for
from bullpen.server.store import LOBBY, OPENING, PLAYING, NewEvent, Store, StoreUnavailable
from bullpen.text import voice

log = logging.getLogger("bullpen.room")

FOLDED_AT_ONCE = 50  # events of a log, until others have their turn
RETRY_SECONDS = 1.0  # until a table whose move could not be stored goes on


class Entry(NamedTuple):
    """A move that waits to be stored, and who wants to hear about it."""

    seat: Seat
    decision: int
    action: Action
    by: str
    connection: Connection | None = None


class TakeBack(NamedTuple):
    """Everybody has agreed that the last decision of this seat is taken back."""

    seat: Seat
    moves: int  # how many had been made when it was agreed


@dataclass(slots=True)
class Batch:
    """What came of some entries, before it is stored."""

    play: Play
    new: list[NewEvent] = field(default_factory=list)
    steps: list[Happened] = field(default_factory=list)
    answers: list[tuple[Entry, dict[str, Any] | Problem]] = field(default_factory=list)
    chosen: list[Seat] = field(default_factory=list)
    taken_back: Seat | None = None
    went_on: bool = False


def nothing_more(_room: Room) -> None:
    """Nobody takes care of this table."""


class Room:
    def __init__(self, table: str, header: Header, store: Store, metrics: Metrics) -> None:
        self.id, self.header, self.store, self.metrics = table, header, store, metrics
        self.game = header.rules
        self.deck = header.cards()
        self.play: Play | None = None
        self.since = time.monotonic()  # made here, or read from the store
        self.opening: Opening | None = None  # from the start until the cards are dealt
        self.is_gone = False
        self.seq = 0  # of the last stored event
        self.keys = Keys()
        self.here = Attendance()
        self.deadlines = Deadlines()
        self.lock = asyncio.Lock()
        self.last_steps: list[Happened] = []  # the steps of the last view
        self.chat: list[dict[str, Any]] = []
        self.clocked: dict[Seat, int] = {}  # the decision for which a clock was started, by seat
        self.due: Due = {}  # at a table over days: until when people have to decide
        self.promised: Due = {}  # the same of whoever was asked here last, though a bot plays for them
        self.awake_until = math.inf  # until then bots play though nobody is here; see steward.py
        self.undo_seat: Seat | None = None  # who may ask to take back the last decision
        self.undo_asked: tuple[Seat, set[Seat]] | None = None  # by whom, whose answers are missing
        self.again: set[Seat] = set()  # who has sat down at the next table, as far as we know
        self.asking = Requests()  # who would like to take over a bot's seat
        self.after: Callable[[Room], None] = nothing_more  # what play goes on with; see steward.py
        self._inbox: list[Entry | TakeBack] = []
        self._writing: asyncio.Task[None] | None = None
        self._tellings: dict[str, Telling] = {}

    @property
    def options(self) -> Options:
        """As agreed; until the start the host may change them."""
        return self.header.options

    # -- Who sits here ------------------------------------------------------------------------

    def seat_of(self, token: str | None) -> Seat | None:
        """At once: act on it before you wait for anything, or look again."""
        return self.keys.seat_of(token)

    def still_sits(self, connection: Connection) -> bool:
        """Whether the token of this socket is still that of its seat."""
        seat = connection.seat
        return seat is None or self.keys.of_seat.get(seat) == connection.key

    # -- Beginning and coming back ------------------------------------------------------------

    def waited(self) -> float:
        return time.monotonic() - self.since

    @property
    def is_playing(self) -> bool:
        return self.play is not None and not self.play.is_over

    async def freeze(self, header: Header) -> None:
        """Seats and commitments as they are in this header, for good: only now shares are asked for."""
        header = header.model_copy(update={"state": OPENING})
        await self.store.update(self.id, header.model_dump())
        self.header, self.opening = header, Opening(self.id, header)
        self.forget_names()

    def open_share(self, seat: Seat, share: str) -> None:
        if self.opening is not None:
            self.opening.open(seat, share)
        elif self.header.state == LOBBY:
            raise Problem("open_early")
        elif self.header.seats[seat].share != share:
            raise Problem("share_late")

    async def deal(self) -> None:
        """With the shares that are open; the others follow from their commitments."""
        assert self.opening is not None
        await self.start(self.opening.put_into(self.header))
        self.opening = None

    async def start(self, header: Header) -> None:
        """The first shuffle, for the people of this header."""
        batch = Batch(new_play(self.game, len(header.seats), self.options, self.deck))
        self._deal(batch, header)
        header = header.model_copy(update={"state": PLAYING})
        await self.store.update(self.id, header.model_dump())
        await self._store(batch, header)
        self.header = header
        self.forget_names()
        self._keep(batch)

    async def take_up(self, header: Header, play: Play, log: Sequence[NewEvent]) -> None:
        """A game that has begun elsewhere.  First its log: a table that is played has one."""
        batch = Batch(play, list(log))
        await self._store(batch, header)
        header = header.model_copy(update={"state": PLAYING})
        await self.store.update(self.id, header.model_dump())
        self.header = header
        self.forget_names()
        self._keep(batch)

    async def restore(self) -> None:
        """The log again, from the beginning: never a bot, never a clock."""
        if self.header.state == LOBBY:
            return
        if self.header.state == OPENING:
            self.opening = Opening(self.id, self.header)
            return
        play = new_play(self.game, len(self.header.seats), self.options, self.deck)
        for event in await self.store.events(self.id):
            fold(play, event.kind, event.seat, event.decision, event.payload)
            self.seq = event.seq
            if not self.seq % FOLDED_AT_ONCE:
                await asyncio.sleep(0)
        play.settle()
        self.play, self.undo_seat = play, self._may_undo(play)
        await over_days.remember(self)
        if not self.seq:  # it went down between the start and the first shuffle
            await self.start(self.header)

    def written_out(self) -> dict[str, Any]:
        """All that went into the game, for a process that looks at it."""
        assert self.play is not None
        return {
            "table": self.id,
            "header": self.header.model_dump(),
            "shuffles": list(self.play.shuffles),
            "made": list(self.play.made),
        }

    def let_go(self) -> None:
        """Another server keeps the table from now on, or what we know of it may be wrong.  Whoever is here comes back,
        to that server or to this one, which reads it again."""
        self.play, self.is_gone = None, True
        for connection in list(self.here.everyone()):
            error = messages.error("table_elsewhere", connection.language)
            connection.send({**error, "type": "closing"})
            connection.close(RESTARTING)

    # -- Moves --------------------------------------------------------------------------------

    def submit(self, entry: Entry | TakeBack) -> None:
        if self.play is None:  # another server keeps the table now
            return
        self._inbox.append(entry)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        try:
            while self._inbox:
                async with self.lock:
                    entries, self._inbox = self._inbox, []
                    if self.play is not None:
                        await self._play(entries)
        finally:
            self._writing = None

    async def settled(self) -> None:
        """When everything that was submitted has been stored."""
        while self._writing is not None:
            await asyncio.shield(self._writing)

    async def _play(self, entries: list[Entry | TakeBack]) -> None:
        assert self.play is not None
        batch = Batch(self.play.copy())
        for entry in entries:
            if isinstance(entry, TakeBack):
                self._try_undo(batch, entry)
            else:
                self._try(batch, entry)
        if batch.new:
            try:
                await self._store(batch, self.header)
            except Problem as problem:
                self._not_stored(batch, problem)
                return
            self._keep(batch)
        for entry, answer in batch.answers:
            self._answer(entry, answer)
        if batch.new:
            self._show(batch)
        self._flush(batch)
        if batch.new:
            self.after(self)

    def _try(self, batch: Batch, entry: Entry) -> None:
        play, (seat, decision, action, by, connection) = batch.play, entry
        if connection is not None and not self.still_sits(connection):
            return  # it has waited while somebody was sent away; the socket is closed
        if connection is None and not self._is_played_by(seat, by):
            return  # it has waited while somebody took the bot's seat, or came back to their own
        if (answered := play.answers.get((seat, decision))) is not None:
            same = answered == action
            problem = Problem("decision_answered", decision=decision)
            batch.answers.append((entry, messages.accepted(decision, action) if same else problem))
            return
        before, is_change = play.table, seat in play.choices
        try:
            events = play.move(seat, decision, action, by)
        except Problem as problem:
            batch.answers.append((entry, problem))
            return
        payload = {"action": action, "by": by}
        batch.new.append(NewEvent(seat, decision, MOVE, payload))
        batch.answers.append((entry, messages.accepted(decision, action)))
        if play.choices:
            if not is_change:  # that somebody thinks again is nobody's business
                batch.chosen.append(seat)
            return
        self._tell(batch, before, events, overdue(play))
        self._deal(batch, self.header)

    def _is_played_by(self, seat: Seat, by: str) -> bool:
        """Whether such a bot still decides for this seat."""
        if by == "bot":
            return self.header.seats[seat].kind == "bot"
        return by != "stand_in" or seat in self.here.stand_ins

    def _try_undo(self, batch: Batch, wish: TakeBack) -> None:
        play = batch.play
        if len(play.made) == wish.moves and play.undo_seat() == wish.seat:
            play.undo()
            batch.new.append(NewEvent(wish.seat, None, UNDO, {}))
            batch.steps, batch.taken_back, batch.went_on = [], wish.seat, True

    def _deal(self, batch: Batch, header: Header) -> None:
        while cards := self.game.to_shuffle(batch.play.table):
            before = batch.play.table
            shuffled = Dealer(self.id, header).shuffled(cards, len(batch.play.shuffles))
            batch.new.append(NewEvent(None, None, SHUFFLE, {"cards": shuffled}))
            self._tell(batch, before, batch.play.shuffle(shuffled))

    def _tell(
        self, batch: Batch, before: Any, events: list[Event], late: Sequence[Happened] = ()
    ) -> None:
        batch.steps += [*late, *happened(batch.play, before, events)]
        batch.chosen, batch.went_on = [], True

    # -- Taking back --------------------------------------------------------------------------

    def _may_undo(self, play: Play) -> Seat | None:
        """At a deal of the day the first attempt counts."""
        return None if self.header.daily else play.undo_seat()

    def ask_to_undo(self, seat: Seat) -> None:
        if self.play is not None and self.play.is_over:
            raise Problem("undo_over")
        if self.header.daily is not None:
            raise Problem("daily_no_undo")
        if self.undo_seat != seat:
            raise Problem("undo_impossible")
        others = {other for other in self.header.people() if other != seat}
        self.undo_asked = (seat, {other for other in others if self.here.is_here(other)})
        if self.undo_asked[1]:
            self.broadcast(messages.undo(seat, "asked", sorted(self.undo_asked[1])))
        self._undo_if_agreed()

    def agree_to_undo(self, seat: Seat) -> None:
        self._whose_answer(seat)[1].discard(seat)
        self._undo_if_agreed()

    def decline_undo(self, seat: Seat) -> None:
        asker, _ = self._whose_answer(seat)
        self.undo_asked = None
        self.broadcast(messages.undo(asker, "declined", []))

    def _whose_answer(self, seat: Seat) -> tuple[Seat, set[Seat]]:
        if self.undo_asked is None or seat not in self.undo_asked[1]:
            raise Problem("undo_not_asked")
        return self.undo_asked

    def _undo_if_agreed(self) -> None:
        """Once nobody's answer is missing; whether it is still possible is decided when its turn comes."""
        if self.undo_asked and not self.undo_asked[1] and self.play is not None:
            self.submit(TakeBack(self.undo_asked[0], len(self.play.made)))

    def went(self, seat: Seat) -> None:
        """Who has gone is not waited for, and asks for nothing."""
        if self.undo_asked is None:
            return
        asker, missing = self.undo_asked
        if seat == asker and missing:
            self.undo_asked = None
            self.broadcast(messages.undo(asker, "declined", []))
        elif seat in missing:
            missing.discard(seat)
            self._undo_if_agreed()

    # -- Storing ------------------------------------------------------------------------------

    async def _store(self, batch: Batch, header: Header) -> None:
        begun, deadlines = time.perf_counter(), over_days.deadlines(self, batch.play, header)
        await self.store.append(self.id, self.seq + 1, batch.new, deadlines)
        if deadlines is not None:
            over_days.keep(self, over_days.of_people(header, deadlines))
        self.metrics.storing.observe(time.perf_counter() - begun)
        self.seq += len(batch.new)
        self.metrics.moves.inc(len(batch.new))

    def _keep(self, batch: Batch) -> None:
        batch.play.settle()
        self.play, self.undo_seat = batch.play, None
        if batch.went_on:
            self.undo_seat = self._may_undo(batch.play)
            self.last_steps = batch.steps
            now = asyncio.get_running_loop().time()
            self.deadlines.animate(now, pause_for(batch.steps))

    def _not_stored(self, batch: Batch, problem: Problem) -> None:
        """Nothing has changed, and everybody who waits is told so; but where it may have changed, nobody is told
        anything, and whoever comes back sees what stands."""
        log.error("not stored", extra={"table": self.id, "reason": problem.key})
        self.metrics.not_stored.inc()
        if not isinstance(problem, StoreUnavailable) or problem.stored == "unknown":
            self.let_go()
            return
        for entry, answer in batch.answers:
            refused = answer if isinstance(answer, Problem) else Problem("not_stored")
            self._answer(entry, refused)
        self._flush(batch)
        # Not at once: bots would try again and again, and each time be refused by a full disk.
        asyncio.get_running_loop().call_later(RETRY_SECONDS, lambda: self.after(self))

    # -- Telling ------------------------------------------------------------------------------

    def telling(self, language: str) -> Telling:
        if language not in self._tellings:
            self._tellings[language] = Telling(self.game, voice(language), self.header.names)
        return self._tellings[language]

    def forget_names(self) -> None:
        self._tellings = {}

    def _answer(self, entry: Entry, answer: dict[str, Any] | Problem) -> None:
        connection = entry.connection
        if connection is None:
            return
        if isinstance(answer, Problem):
            self.metrics.refused.inc()
            connection.hold(self.refusal(connection, entry.decision, answer))
        else:
            connection.forgive()
            connection.hold(answer)

    def _flush(self, batch: Batch) -> None:
        for entry, _ in batch.answers:
            if entry.connection is not None:
                entry.connection.flush()

    def refusal(self, to: Connection, decision: int | None, problem: Problem) -> dict[str, Any]:
        speaker = voice(to.language)
        if isinstance(problem, IllegalMove):
            sentence = speaker.refusal(self.game, problem, self.header.names)
            return messages.refused(decision, problem.key, sentence, problem.refusal.rule)
        return messages.refused(decision, problem.key, speaker.problem(problem), None)

    def _show(self, batch: Batch) -> None:
        if batch.taken_back is not None:
            self.undo_asked = None
            self.broadcast(messages.undo(batch.taken_back, "done", []))
        if not batch.went_on:
            if batch.chosen:
                self.broadcast({"type": "chosen", "seats": batch.chosen})
            return
        if self.undo_asked and batch.taken_back is None:
            self.undo_asked = None
        self.show_view()

    def show_view(self) -> None:
        """To everyone their own view; each is made and encoded once."""
        sights: dict[str, Sight] = {}
        for seat, there in self.here.sockets.items():
            frames: dict[tuple[str, Detail], bytes] = {}
            for connection in there:
                language, detail = reader = connection.language, connection.detail
                if language not in sights:
                    sights[language] = messages.sight(self, language)
                if reader not in frames:
                    shown = sights[language].to(seat, self.undo_seat, detail)
                    frames[reader] = encoded(shown)
                connection.write(frames[reader])

    def broadcast(self, message: dict[str, Any]) -> None:
        frame = encoded(message)
        for connection in self.here.everyone():
            connection.write(frame)

    def broadcast_lobby(self) -> None:
        self.broadcast({"type": "lobby", "lobby": messages.lobby(self)})
