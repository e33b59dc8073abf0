"""Who may sit where: the decisions at the door, each on a header as it is at that moment.

They change the header that they are given, or refuse; storing it, and everything that follows from it, is the
business of door.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hmac import compare_digest
from typing import Any

from bullpen.game import Seat
from bullpen.server.header import Header, Part, Reservation, SeatTaken
from bullpen.server.names import is_like_any
from bullpen.server.refused import Refused
from bullpen.server.requests import Arrange, JoinTable
from bullpen.server.store import LOBBY, OPENING, PLAYING, token_hash

BOTS_AFTER_SECONDS = 20.0  # that one waits for people at a quick match, at most


def only_before_the_start(header: Header) -> None:
    """A deal of the day is the same for everybody: it is arranged and started by nobody, also before it is dealt."""
    if header.state != LOBBY or header.daily is not None:
        raise Refused(409, "already_started")


def not_while_dealing(header: Header) -> None:
    """Who shares in the deal stands, from the start until the cards are there."""
    if header.state == OPENING:
        raise Refused(409, "being_dealt")


def not_sent_away(header: Header, own: Sequence[str]) -> None:
    """Who was sent away does not come back on another device of theirs."""
    if any(one in header.barred for one in own):
        raise Refused(403, "sent_away")


def sit_down(header: Header, wish: JoinTable, device: str | None, network: str | None) -> Seat:
    """By an invitation, or at a listed table: that is looked at before."""
    seat = chosen_seat(header, wish.seat)
    name_is_free(wish.name, header.called())
    person = SeatTaken(
        kind=wish.kind,
        name=wish.name,
        device=device,
        network=network,
        attempt=wish.attempt and token_hash(wish.attempt),
    )
    take(header, seat, person)
    return seat


def seat_of_attempt(header: Header, wish: JoinTable, device: str | None) -> Seat | None:
    """Where whoever asks sits already, and does not know it: the answer was lost, and with it the cookie of a new device.
    Also after the start, for which nobody waited; whose game it is stays as it was then, or one could win it for another."""
    if wish.attempt is None or header.state not in (LOBBY, OPENING, PLAYING):
        return None
    asked = token_hash(wish.attempt)
    for seat in header.people():
        taken = header.seats[seat]
        if taken.attempt is not None and compare_digest(taken.attempt, asked):
            if header.state == LOBBY:
                taken.device = device
            return seat
    return None


def chosen_seat(header: Header, wanted: Seat | None) -> Seat:
    free = header.free_seats()
    if wanted is None and free:
        return free[0]
    if wanted in free:
        return wanted
    kept = [header.seats[seat].kept_for for seat in header.open_seats() if wanted in (None, seat)]
    if names := [one.name for one in kept if one]:
        raise Refused(409, "seat_kept", name=", ".join(names))
    raise Refused(409, "seat_taken" if free else "table_full")


def name_is_free(name: str, others: list[str]) -> None:
    if is_like_any(name, others):
        raise Refused(409, "name_taken", name=name)


def take(header: Header, seat: Seat, person: SeatTaken) -> None:
    header.seats[seat] = person
    if header.host is None:  # all others have left
        make_host(header, seat)


def make_host(header: Header, seat: Seat) -> None:
    header.host = seat
    header.seats[seat].muted = False  # nobody could give the host a voice again


def may_start(header: Header, seat: Seat, waited: float) -> None:
    """The host; at a table of a quick match, where strangers wait, after a while anybody: bots fill it."""
    if seat != header.host and seconds_to_bots(header, waited) != 0:
        raise Refused(403, "only_the_host")


def seconds_to_bots(header: Header, waited: float) -> float | None:
    """Until anybody who waits here may go on with bots; None where the host decides that."""
    if not header.is_quick:
        return None
    return max(0.0, BOTS_AFTER_SECONDS - waited)


def commit(header: Header, seat: Seat, commitment: str) -> None:
    """To a share in the deal, until the start: afterwards others may have opened theirs."""
    if header.daily is not None:
        raise Refused(409, "daily_no_shares")
    if header.commitment is None:
        raise Refused(409, "no_shares_here")
    if header.state != LOBBY:
        raise Refused(409, "commit_late")
    header.seats[seat].commitment = commitment


# -- Once more ----------------------------------------------------------------------------------


def next_header(old: Header) -> Header:
    """The same table again, with every seat kept for whoever sat there; its host is who comes first."""
    fresh: dict[str, Any] = {
        "host": None,
        "rematch": None,
        "barred_seats": [],
        "senders": [],
        "is_quick": False,
        "tournament": None,
    }
    new = old.model_copy(deep=True, update=fresh)
    new.state, new.result = LOBBY, None
    if old.played_on is not None:  # the next game is one like any other
        new.practice = new.played_on = None
        new.latecomers = "ask"
    for seat, taken in enumerate(old.seats):
        if seat in old.people() and not old.is_former(seat):
            new.seats[seat] = SeatTaken(kept_for=reservation(taken))
        elif taken.kind != "bot":
            new.seats[seat] = SeatTaken()
    return new


def reservation(taken: SeatTaken) -> Reservation:
    return Reservation.model_validate(taken, from_attributes=True)


def sit_down_again(header: Header, seat: Seat, person: Reservation, network: str | None) -> None:
    """By the token of this seat at the table before.  Asked again it is the same person, who has lost their token."""
    if seat in header.barred_seats or person.device in header.barred:
        raise Refused(403, "sent_away")
    if seat >= len(header.seats):  # the host plays with fewer
        raise Refused(409, "seat_taken")
    if header.seats[seat].is_back:
        return
    only_before_the_start(header)
    if seat not in header.open_seats():
        raise Refused(409, "seat_taken")
    header.seats[seat].kept_for = None
    name_is_free(person.name, header.called())
    take(header, seat, SeatTaken(is_back=True, network=network, **person.model_dump()))


def sit_where_kept(header: Header, own: Sequence[str], network: str | None) -> Seat:
    """At a table of a tournament, which has no host: everybody has their seat, nobody else does."""
    for seat, taken in enumerate(header.seats):
        if taken.kind == "person" and taken.device in own:
            return seat
        if taken.kept_for and taken.kept_for.device in own:
            only_before_the_start(header)
            header.seats[seat] = SeatTaken(network=network, **taken.kept_for.model_dump())
            return seat
    raise Refused(403, "tournament_seat")


def fill(header: Header) -> list[Seat]:
    """Bots on what is open at the start.  Whose seat is kept by a tournament keeps it: a bot stands in for them until
    they come.  The seats of these."""
    absent = []
    for seat in header.open_seats():
        kept = header.seats[seat].kept_for if header.tournament else None
        if kept is None:
            header.seats[seat] = SeatTaken(kind="bot", level=header.stand_in)
        else:
            header.seats[seat] = SeatTaken(**kept.model_dump())
            absent.append(seat)
    return absent


def arrange(header: Header, wish: Arrange) -> None:
    """Before the start the host may put a bot on a seat that is free, or free one on which a bot sits."""
    only_before_the_start(header)
    bots = [seat for seat, taken in enumerate(header.seats) if taken.kind == "bot"]
    if wish.seat not in (*header.free_seats(), *bots):
        raise Refused(409, "seat_taken")
    if wish.kind == "bot":
        header.seats[wish.seat] = SeatTaken(kind="bot", level=wish.level or header.stand_in)
    elif header.practice is not None:
        raise Refused(422, "practice_alone")
    else:
        header.seats[wish.seat] = SeatTaken()


# -- Coming late --------------------------------------------------------------------------------


def somebody_may_come(header: Header) -> None:
    """Before the start, and later where somebody may take over a bot's seat."""
    if header.state != PLAYING or header.latecomers == "never":
        only_before_the_start(header)


def is_under_way(header: Header) -> None:
    if header.state in (LOBBY, OPENING):
        raise Refused(409, "late_not_started")
    if header.state != PLAYING:
        raise Refused(409, "late_over")
    if header.latecomers == "never" or header.practice is not None:
        raise Refused(403, "no_latecomers")


def seat_to_take_over(header: Header, wanted: Seat | None, left: Collection[Seat]) -> Seat:
    """A bot's, or one that a bot plays because its person was sent away, or has left."""
    bots = [seat for seat in range(len(header.seats)) if is_played_by_a_bot(header, seat)]
    gone = [seat for seat in sorted(left) if seat != header.host and seat not in bots]
    if wanted is None and bots:
        return bots[0]
    if wanted in (*bots, *gone):
        return wanted
    raise Refused(409, "seat_taken" if bots else "no_bot_to_relieve")


def is_played_by_a_bot(header: Header, seat: Seat) -> bool:
    """For good: nobody is expected back."""
    taken = header.seats[seat]
    return taken.kind == "bot" or taken.sent_away


def needs_the_host(header: Header, seat: Seat) -> bool:
    """Whoever has left was told that they may come back: only the host gives such a seat away."""
    return header.latecomers == "ask" or not is_played_by_a_bot(header, seat)


def take_over(header: Header, seat: Seat, person: SeatTaken, decisions: int) -> None:
    """The seat with all that belongs to its deal; who played it until now stays known."""
    before = header.seats[seat]
    part = Part(
        kind=before.kind,
        name=before.name,
        decisions=decisions,
        device=before.device,
        level=before.level,
    )
    kept = {name: getattr(before, name) for name in ("commitment", "share", "contribution")}
    header.seats[seat] = person.model_copy(update={**kept, "earlier": [*before.earlier, part]})


# -- Coming back, leaving and being sent away ---------------------------------------------------


def sits(header: Header, own: Sequence[str]) -> bool:
    """On whichever device.  Not where a seat is kept for them: they may want to play with others now."""
    return any(header.seats[seat].device in own for seat in header.people())


def seat_of_devices(header: Header, own: Sequence[str]) -> Seat:
    """Where the player sits whose devices these are."""
    for seat in header.people():
        if header.seats[seat].kind == "person" and header.seats[seat].device in own:
            return seat
    raise Refused(403, "not_your_seat")


def give_up_alone(header: Header, seat: Seat) -> None:
    """A game with bots alone: nobody else is concerned, and what the bots would make of it is nobody's."""
    not_while_dealing(header)
    if header.state != PLAYING or header.people() != [seat]:
        raise Refused(409, "already_over")
    taken = header.seats[seat]
    taken.sent_away, taken.device = True, None


def stand_up(header: Header, seat: Seat) -> None:
    only_before_the_start(header)
    kept = reservation(header.seats[seat]) if header.tournament else None
    header.seats[seat] = SeatTaken(kept_for=kept)
    if header.host == seat:
        header.host = None
        if others := header.people():
            make_host(header, others[0])


def is_kept(header: Header, seat: Seat) -> bool:
    return seat in header.open_seats() and header.seats[seat].kept_for is not None


def give_up(header: Header, seat: Seat) -> None:
    """The seat is for whoever comes; its person too, if they are quicker."""
    header.seats[seat] = SeatTaken()


def send_away(header: Header, seat: Seat) -> None:
    """Before the start the seat is free again, later a bot plays on; that device does not come back."""
    if seat == header.host or seat not in header.people():
        raise Refused(409, "nobody_to_kick", seat=seat)
    not_while_dealing(header)
    if header.state not in (LOBBY, PLAYING):
        raise Refused(409, "already_over")
    taken = header.seats[seat]
    if taken.device:
        header.barred.append(taken.device)
    if taken.is_back:
        header.barred_seats.append(seat)
    if header.state == LOBBY:
        header.seats[seat] = SeatTaken()
    else:
        taken.sent_away, taken.device = True, None  # what the bot makes of it is not theirs
        if header.host is not None and header.host not in header.senders:
            header.senders.append(header.host)


def mute(header: Header, seat: Seat, muted: bool) -> None:  # noqa: FBT001 — as it is asked for
    if seat == header.host or seat not in header.people():
        raise Refused(409, "nobody_to_mute", seat=seat)
    header.seats[seat].muted = muted
