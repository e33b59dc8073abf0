"""A finished game played on from one of its positions, at a table of its own: the old one is only read."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import groupby, islice
from operator import attrgetter
from secrets import randbelow

from bullpen.server import door
from bullpen.server.header import Header, PlayedOn, SeatTaken
from bullpen.server.house import House, Sat, device_hash, name_bots
from bullpen.server.names import is_like_any
from bullpen.server.play import EARLIER, MOVE, SHUFFLE, Made, Play, new_play
from bullpen.server.refused import Gone, Refused
from bullpen.server.requests import PlayOn
from bullpen.server.room import FOLDED_AT_ONCE, Room
from bullpen.server.store import NewEvent, NotOwner, new_token

HIGHEST_SEED = 2**31


async def play_on(house: House, room: Room, wish: PlayOn, address: str, device: str | None) -> Sat:
    """With bots on all other seats.  What lay hidden lies as it did, which this replay shows to everybody: so it is a
    practice table, and its later deals are new."""
    if room.play is None:  # let go in this very moment
        raise Gone(room.id)
    if wish.seat >= len(room.header.seats):
        raise Refused(422, "no_such_chair", last=len(room.header.seats))
    house.steward.warming.must_be_playable(wish.level, room.header.game)
    play, log = await as_it_stood(room.play, wish.turn)
    header = practice_header(room, wish, device)
    token = new_token()
    own = await house.made(header, address, door.seating(wish.seat, wish.name, token).given)
    async with own.lock:
        if own.is_gone:
            raise Gone(own.id)
        try:
            await own.take_up(header, play, log)
        except NotOwner:
            own.let_go()
            raise Gone(own.id) from None
        except BaseException:  # perhaps its log stands, and no start: nobody may deal there
            own.let_go()
            raise
    house.steward.wait_for_somebody(own)
    return Sat(own, wish.seat, token)


def practice_header(room: Room, wish: PlayOn, device: str | None) -> Header:
    """By the same rules and with the same cards; bots keep their names, people do not lend theirs."""
    old = room.header
    header = Header(
        game=old.game,
        options=old.options,
        deck=old.deck,
        seats=[bot_for(taken, wish) for taken in old.seats],
        host=wish.seat,
        coach=True,
        stand_in=wish.level,
        practice=randbelow(HIGHEST_SEED),
        played_on=PlayedOn(table=room.id, turn=wish.turn),
        latecomers="never",
    )
    own = SeatTaken(kind=wish.kind, name=wish.name, device=device_hash(device))
    header.seats[wish.seat] = own
    name_bots(header)
    return header


def bot_for(taken: SeatTaken, wish: PlayOn) -> SeatTaken:
    is_free = taken.kind == "bot" and not is_like_any(taken.name, [wish.name])
    return SeatTaken(kind="bot", name=taken.name if is_free else "", level=wish.level)


async def as_it_stood(whole: Play, turn: int) -> tuple[Play, list[NewEvent]]:
    """After this turn of a replay, and the log that leads there; others have their turn meanwhile."""
    play = new_play(whole.game, whole.seats, whole.options, whole.deck)
    shuffles, log = iter(whole.shuffles), list[NewEvent]()

    def deal() -> None:
        while whole.game.to_shuffle(play.table):
            cards = next(shuffles)
            play.shuffle(cards)
            log.append(NewEvent(None, None, SHUFFLE, {"cards": cards}))

    deal()
    gone = 0
    for together in islice(decisions_by_turn(whole), turn):
        for one in together:
            number = play.numbers[one.seat]
            play.move(one.seat, number, one.action, EARLIER)
            payload = {"action": one.action, "by": EARLIER}
            log.append(NewEvent(one.seat, number, MOVE, payload))
            if not len(log) % FOLDED_AT_ONCE:
                await asyncio.sleep(0)
        deal()
        gone += 1
    if gone < turn or play.is_over:
        raise Refused(422, "nothing_to_play_on", turn=turn)
    play.settle()
    return play, log


def decisions_by_turn(whole: Play) -> Iterator[list[Made]]:
    """As a replay counts turns: those of one secret choice are one."""
    return (list(together) for _, together in groupby(whole.made, key=attrgetter("moment")))
