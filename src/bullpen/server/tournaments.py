"""Tournaments of clubs: what is decided about one, and who makes and starts its tables.

Everything is decided with the row of the club in one's hands, so it is decided once.  What there is to do follows from
what the store says: tables that are not there yet are made, those that wait too long are started, and when a round is
over the next one is drawn.  Each process does it for the tables of its share, and any of them after a restart.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from bullpen.cards import Problem
from bullpen.games import game_called
from bullpen.server import changing, pairing
from bullpen.server.club_requests import MOST_ROUNDS, NewTournament
from bullpen.server.clubs import Clubs, member_of, new_id
from bullpen.server.header import Header, Reservation, SeatTaken
from bullpen.server.house import FULL_SECONDS, House, name_bots
from bullpen.server.names import LONGEST_NAME, is_like_any
from bullpen.server.pairing import Played, Round, Row
from bullpen.server.refused import Refused
from bullpen.server.room import Room
from bullpen.server.store import ABANDONED, LOBBY, OPENING, PLAYING, Conflict, Store
from bullpen.server.store import tournaments as rows
from bullpen.server.store.clubs import Book
from bullpen.server.store.tournaments import (
    ENDED,
    OPEN,
    OVER,
    RUNNING,
    Entrant,
    OfRound,
    Tournament,
    Whole,
)

log = logging.getLogger("bullpen.tournaments")

Json = dict[str, Any]
LOOK_SECONDS = 1.0
# That a table of nobody's is left alone: another server may just be taking it, which was asked for it.
NOBODYS_SECONDS = 5.0
MOST_ENTRANTS = 40
MOST_KEPT = 50  # of one club
LEAST_ENTRANTS = 2
STATUS = {None: "making", LOBBY: "waiting", OPENING: "playing", PLAYING: "playing"}


class Whose(NamedTuple):
    """A tournament as it is, whoever asks, and whether they may run it."""

    whole: Whole
    book: Book
    player: str
    runs: bool

    @property
    def own(self) -> Entrant | None:
        return next((one for one in self.whole.entrants if one.player == self.player), None)


class Tournaments:
    """`device` is always the hash of one."""

    def __init__(self, store: Store, house: House, clubs: Clubs) -> None:
        self.store, self.house, self.clubs, self.book = store, house, clubs, store.tournaments
        self.full_since: dict[str, float] = {}  # tables at which everybody sits
        self.away_since: dict[str, float] = {}  # tables that this process does not keep

    # -- Making, entering and leaving ---------------------------------------------------------

    async def make(self, club: str, device: str, wish: NewTournament) -> str:
        plan = checked(wish)
        self.house.steward.warming.must_be_playable(wish.stand_in, wish.game)
        new = new_id()

        def decide(book: Book) -> None:
            member = member_of(book, device)
            if rows.going_on(book.connection, club):
                raise Refused(409, "tournament_there")
            rows.make(book.connection, new, club, member.player, plan)
            rows.enter(book.connection, new, member.player, member.name)
            rows.keep_last(book.connection, club, MOST_KEPT)

        await self.clubs.book.through(club, decide)
        return new

    async def enter(self, tournament: str, device: str) -> None:
        def decide(now: Whose) -> None:
            only_in(now, OPEN)
            if now.own is not None:
                return
            if len(now.whole.entrants) >= MOST_ENTRANTS:
                raise Refused(409, "tournament_full", most=MOST_ENTRANTS)
            name = own_name(member_of(now.book, device).name, now.whole.entrants)
            rows.enter(now.book.connection, tournament, now.player, name)

        await self._through(tournament, device, decide)

    async def withdraw(self, tournament: str, device: str) -> None:
        def decide(now: Whose) -> None:
            only_in(now, OPEN, RUNNING)
            if now.own is None:
                raise Refused(409, "tournament_not_in")
            rows.withdraw(now.book.connection, now.whole.tournament, now.own.number)

        await self._through(tournament, device, decide)

    # -- What its maker and the keeper of the club may do -------------------------------------

    async def start(self, tournament: str, device: str) -> None:
        whole = await self._whole(tournament)
        plan = whole.tournament.plan
        if plan["kind"] == "everybody":  # a second or two for many, remembered for the decision
            count = max(LEAST_ENTRANTS, len(whole.entrants))
            await asyncio.to_thread(pairing.everybody, count, plan["seats"], MOST_ROUNDS)

        def decide(now: Whose) -> None:
            must_run(now)
            only_in(now, OPEN)
            entrants = list(now.whole.entrants)
            if len(entrants) < LEAST_ENTRANTS:
                raise Refused(409, "tournament_few", least=LEAST_ENTRANTS)
            secrets.SystemRandom().shuffle(entrants)
            rounds = rounds_of(plan, len(entrants))
            if rounds > MOST_ROUNDS:
                raise Refused(409, "tournament_long", most=MOST_ROUNDS)
            rows.draw_lots(now.book.connection, tournament, entrants)
            now.whole.tournament.plan["rounds"] = rounds
            begin_next(now.book, whole_now(now.book, tournament, now.whole.tournament.plan))

        await self._through(tournament, device, decide)
        await self._tend_soon(tournament)

    async def go_on(self, tournament: str, device: str) -> None:
        """Who is missing is not waited for."""

        def decide(now: Whose) -> None:
            must_run(now)
            only_in(now, RUNNING)
            rows.wait_no_longer(now.book.connection, tournament)

        await self._through(tournament, device, decide)

    async def leave_out(self, tournament: str, device: str, number: int) -> None:
        def decide(now: Whose) -> None:
            must_run(now)
            only_in(now, OPEN, RUNNING)
            if all(one.number != number for one in now.whole.entrants):
                raise Refused(404, "no_such_member")
            rows.withdraw(now.book.connection, now.whole.tournament, number)

        await self._through(tournament, device, decide)

    async def end(self, tournament: str, device: str) -> None:
        """Before the start nothing stays of it; later the standings do."""

        def decide(now: Whose) -> None:
            must_run(now)
            only_in(now, OPEN, RUNNING)
            if now.whole.tournament.state == OPEN:
                rows.take_away(now.book.connection, tournament)
            else:
                rows.close(now.book.connection, tournament, ENDED)

        await self._through(tournament, device, decide)

    async def _whole(self, tournament: str) -> Whole:
        whole = await self.book.whole(tournament)
        if whole is None:
            raise Refused(404, "no_such_tournament")
        return whole

    async def _through(self, tournament: str, device: str, decide: Callable[[Whose], None]) -> None:
        club = (await self._whole(tournament)).tournament.club

        def decided(book: Book) -> None:
            whole = rows.whole(book.connection, tournament)
            if whole is None or book.seen is None:
                raise Refused(404, "no_such_tournament")
            player = member_of(book, device).player
            runs = player in (whole.tournament.maker, book.seen.club.keeper)
            decide(Whose(whole, book, player, runs))

        await self.clubs.book.through(club, decided)

    # -- Looking ------------------------------------------------------------------------------

    async def shown(self, tournament: str, device: str | None) -> Json:
        """To whoever knows its id, which is as hard to guess as a table's: a big screen is nobody's."""
        whole = await self._whole(tournament)
        of, plan = whole.tournament, whole.tournament.plan
        club = await self.clubs.book.seen(of.club)
        if club is None:
            raise Refused(404, "no_such_tournament")
        player = await self.store.players.of(device) if device else None
        member = club.member(player.id) if player else None
        own = next(
            (one for one in whole.entrants if player and member and one.player == player.id), None
        )
        states = {
            one.table: one for one in await self.book.of_round(tournament, of.round) if of.round
        }
        in_it = sum(not one.is_out for one in whole.entrants)
        left = of.begun + plan["wait"] - time.time() if of.state == RUNNING else 0.0
        return {
            "tournament": tournament,
            "club": of.club if member else None,
            "club_name": club.club.name,
            "game": plan["game"],
            "options": plan["options"],
            "kind": plan["kind"],
            "seats": plan["seats"],
            "clock": plan["clock"],
            "wait": plan["wait"],
            "state": of.state,
            "round": of.round,
            "rounds": plan["rounds"],
            "bots": pairing.bots_needed(in_it, plan["seats"]) if in_it else 0,
            "seconds_to_start": max(0, round(left)),
            "member": member is not None,
            "runs": member is not None and member.player in (of.maker, club.club.keeper),
            "entered": own is not None and not own.is_out,
            "your_table": own_table(whole, own, states) if own and not own.is_out else None,
            "entrants": entrants_shown(whole, own),
            "tables": rounds_shown(whole, states, own),
        }

    # -- Making and starting tables -----------------------------------------------------------

    async def run(self) -> None:
        """As long as the server runs."""
        while True:
            try:
                for one in await self.book.running():
                    await self.tend(one)
            except Problem as problem:
                log.warning("not tended", extra={"reason": problem.key})
            except Exception:  # once is no reason never to try again
                log.exception("not tended")
            await asyncio.sleep(LOOK_SECONDS)

    async def _tend_soon(self, tournament: str) -> None:
        """Whoever has started it finds its tables, where nothing is in the way."""
        try:
            await self.tend((await self._whole(tournament)).tournament)
        except Problem as problem:
            log.warning("not tended", extra={"reason": problem.key})

    async def tend(self, of: Tournament) -> None:
        tables = await self.book.of_round(of.id, of.round)
        open_ones = [one for one in tables if one.missing]
        for one in tables:
            if not one.missing:
                self.full_since.pop(one.table, None)
                self.away_since.pop(one.table, None)
        if not open_ones:
            await self._next_round(of)
            return
        ours = [one for one in open_ones if self.house.share.has(one.table)]
        await asyncio.gather(*(self._tend_table(of, one) for one in ours))

    async def _next_round(self, of: Tournament) -> None:
        def decide(book: Book) -> None:
            whole = rows.whole(book.connection, of.id)
            if (
                whole is None
                or (whole.tournament.state, whole.tournament.round) != (RUNNING, of.round)
                or any(one.points is None for one in whole.sat)
            ):  # another process was quicker
                return
            begin_next(book, whole)

        await self.clubs.book.through(of.club, decide)

    async def _tend_table(self, of: Tournament, one: OfRound) -> None:
        try:
            if one.state is None:
                await self._make(of, one)
            elif one.state == ABANDONED:  # everybody there was deleted
                await self.clubs.book.through(
                    of.club, lambda book: rows.void(book.connection, one.table)
                )
            elif room := await self._ours(one.table):
                await self._start_if_due(of, room)
        except Problem as problem:
            log.warning("table not tended", extra={"table": one.table, "reason": problem.key})

    async def _ours(self, table: str) -> Room | None:
        """None where another server has it, which does the same."""
        room = self.house.rooms.get(table)
        if room is not None and not room.is_gone:
            self.away_since.pop(table, None)
            return room
        now = asyncio.get_running_loop().time()
        if now - self.away_since.setdefault(table, now) < NOBODYS_SECONDS:
            return None
        return await self.house.room(table) if await self.store.claim(table) else None

    async def _make(self, of: Tournament, one: OfRound) -> None:
        plan = of.plan
        header = Header(
            game=plan["game"],
            options=plan["options"],
            seats=[
                SeatTaken()
                if own.device is None or own.is_out
                else SeatTaken(
                    kept_for=Reservation(kind="person", name=own.name, device=own.device)
                )
                for own in await self.book.seats_of(one.table)
            ],
            host=None,
            clock=plan["clock"],
            stand_in=plan["stand_in"],
            latecomers="never",
            club=of.club,
            tournament=of.id,
        )
        bots = plan["seats"] - len(header.seats)
        header.seats += [SeatTaken(kind="bot", level=plan["stand_in"]) for _ in range(bots)]
        name_bots(header)
        try:
            await self.house.made(header, None, (), one.table)
        except Conflict:  # another server was quicker
            return

    async def _start_if_due(self, of: Tournament, room: Room) -> None:
        if room.header.state != LOBBY:
            self.full_since.pop(room.id, None)
            return
        gone = {own.seat for own in await self.book.seats_of(room.id) if own.is_out}

        def is_awaited() -> bool:
            is_time_up = time.time() >= of.begun + of.plan["wait"]
            return not is_time_up and not gone.issuperset(room.header.open_seats())

        now = asyncio.get_running_loop().time()
        if is_awaited():
            self.full_since.pop(room.id, None)
            return
        is_full = not room.header.open_seats()
        if is_full and now - self.full_since.setdefault(room.id, now) < FULL_SECONDS:
            return  # the last one has a moment to commit to a share in the deal

        def allowed() -> None:
            if is_awaited():
                raise Refused(409, "not_full")

        await self.house.start_by_itself(room, allowed)


# -- Decisions ----------------------------------------------------------------------------------


def checked(wish: NewTournament) -> Json:
    """As a plan, by the rules of the game."""
    rules = game_called(wish.game)
    if wish.seats not in rules.SEATS:
        raise Refused(422, "quick_seats", seats=wish.seats, game=rules.TITLE)
    if (wish.kind == "swiss") != (wish.rounds is not None):
        raise Refused(422, "tournament_rounds")
    options = changing.served_options(rules, wish.seats, wish.options)
    return {**wish.model_dump(), "options": options}


def only_in(now: Whose, *states: str) -> None:
    if now.whole.tournament.state not in states:
        key = "tournament_begun" if states == (OPEN,) else "tournament_over"
        if now.whole.tournament.state == OPEN:
            key = "tournament_not_begun"
        raise Refused(409, key)


def must_run(now: Whose) -> None:
    if not now.runs:
        raise Refused(403, "tournament_not_yours")


def own_name(name: str, entrants: Collection[Entrant]) -> str:
    """None that could be taken for another's at the same table."""
    others, number, own = [one.name for one in entrants], 1, name
    while is_like_any(own, others):
        number += 1
        own = f"{name[: LONGEST_NAME - 3]} {number}"
    return own


def rounds_of(plan: Json, entrants: int) -> int:
    if plan["kind"] == "swiss":
        return int(plan["rounds"])
    return len(pairing.everybody(entrants, plan["seats"], MOST_ROUNDS))


def whole_now(book: Book, tournament: str, plan: Json) -> Whole:
    whole = rows.whole(book.connection, tournament)
    assert whole is not None
    return whole._replace(tournament=whole.tournament._replace(plan=plan))


def begin_next(book: Book, whole: Whole) -> None:
    """The next round, or the end."""
    of = whole.tournament
    gone = {one.number for one in whole.entrants if one.is_out}
    if of.round >= of.plan["rounds"] or len(whole.entrants) - len(gone) < LEAST_ENTRANTS:
        rows.close(book.connection, of.id, OVER)
        return
    drawn, worth = next_round(whole, gone)
    began = Counter(one.entrant for one in whole.sat if one.seat == 0)
    groups = [(new_id(), pairing.in_seats(group, began)) for group in drawn.groups]
    rows.begin_round(book.connection, of, groups, [(one, worth[one]) for one in drawn.byes])


def next_round(whole: Whole, gone: Collection[int]) -> tuple[Round, dict[int, float]]:
    """And what a bye in it is worth: in a Swiss one as much as a win; in a plan of all rounds nothing, for everybody
    has it once, but a win where it is given by somebody who has left."""
    of, plan = whole.tournament, whole.tournament.plan
    if plan["kind"] == "everybody":
        planned = pairing.everybody(len(whole.entrants), plan["seats"], MOST_ROUNDS)[of.round]
        drawn = pairing.without(planned, gone)
        return drawn, {one: 0.0 if one in planned.byes else 1.0 for one in drawn.byes}
    order = [row.entrant for row in table_of(whole) if row.entrant not in gone]
    if not of.round:
        order = [one.number for one in whole.entrants]  # by lot
    groups: dict[str, list[int]] = {}
    for one in whole.sat:
        if one.table is not None:
            groups.setdefault(one.table, []).append(one.entrant)
    met = Counter(pairing.pairs_of([tuple(group) for group in groups.values()]))
    byes = Counter(one.entrant for one in whole.sat if one.table is None)
    drawn = pairing.swiss(order, plan["seats"], met, byes)
    return drawn, dict.fromkeys(drawn.byes, 1.0)


# -- What is shown ------------------------------------------------------------------------------


def table_of(whole: Whole) -> list[Row]:
    """The standings."""
    played = [
        Played(one.entrant, one.round, one.number, one.points, one.is_won)
        for one in whole.sat
        if one.points is not None
    ]
    return pairing.standings([one.number for one in whole.entrants], played)


def own_table(whole: Whole, own: Entrant, states: Mapping[str, OfRound]) -> str | None:
    """Where one is expected now, once it is there."""
    of = whole.tournament
    if of.state != RUNNING:
        return None
    now = (one for one in whole.sat if (one.round, one.entrant) == (of.round, own.number))
    table = next((one.table for one in now if one.points is None), None)
    known = states.get(table) if table else None
    return table if known and known.state is not None else None


def entrants_shown(whole: Whole, own: Entrant | None) -> list[Json]:
    by_number = {one.number: one for one in whole.entrants}
    return [
        {
            **row._asdict(),
            "name": by_number[row.entrant].name,
            "you": own is not None and own.number == row.entrant,
            "out": by_number[row.entrant].is_out,
        }
        for row in table_of(whole)
    ]


def rounds_shown(whole: Whole, states: Mapping[str, OfRound], own: Entrant | None) -> list[Json]:
    """The last one first."""
    plan, names = whole.tournament.plan, {one.number: one.name for one in whole.entrants}
    found: dict[int, Json] = {}
    for one in whole.sat:
        shown = found.setdefault(one.round, {"round": one.round, "tables": {}, "byes": []})
        if one.table is None:
            shown["byes"].append(names[one.entrant])
            continue
        of_round = states.get(one.table)
        is_over = one.points is not None
        table = shown["tables"].setdefault(
            one.table,
            {
                "table": one.table,
                "number": one.number,
                "status": "over" if is_over or not of_round else STATUS.get(of_round.state, "over"),
                "seats": [],
                "bots": plan["seats"],
                "yours": False,
            },
        )
        seat = {"entrant": one.entrant, "name": names[one.entrant]}
        table["seats"].append({**seat, "points": one.points, "score": one.score})
        table["bots"] -= 1
        table["yours"] = table["yours"] or (own is not None and own.number == one.entrant)
    rounds = sorted(found.values(), key=lambda shown: -shown["round"])
    return [{**shown, "tables": list(shown["tables"].values())} for shown in rounds]
