"""Clubs: a page with a link for a group of players (docs/clubs.md).

Who belongs to a club, and what it is called, is decided while the store holds the club's row: `decide` functions look,
then change or refuse.  To strangers a club does not exist.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from bullpen import days
from bullpen.server.budget import Hits, Rate
from bullpen.server.header import Header
from bullpen.server.house import ID_LENGTH, ID_LETTERS
from bullpen.server.refused import Refused
from bullpen.server.settings import Settings
from bullpen.server.store import Store, new_token
from bullpen.server.store.clubs import Book, Club, ClubTable, Member, Seen, Tally
from bullpen.server.store.tournaments import GOING_ON
from bullpen.server.turns import STATUS

Json = dict[str, Any]
T = TypeVar("T")
MOST_MEMBERS = 100
TABLES_SHOWN, GAMES_SHOWN, TOURNAMENTS_SHOWN = 50, 20, 10
# Games with half the points that everybody is given beforehand: one lucky game is no first place.
GIVEN_GAMES = 2


def new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


class Clubs:
    """`device` is always the hash of one."""

    def __init__(self, settings: Settings, store: Store, hits: Hits) -> None:
        self.settings, self.store, self.book = settings, store, store.clubs
        self.tries = Rate("clubs", settings.clubs_per_minute, hits)

    # -- Coming and going ---------------------------------------------------------------------

    async def make(self, name: str, device: str, address: str) -> str:
        self._count(address)

        def decide(book: Book) -> None:
            player = known(book, device)
            self._has_room_for_more(book, player)
            book.make(name, new_token(), player)

        club = new_id()
        await self.book.through(club, decide)
        return club

    async def door(self, club: str, invite: str, device: str | None, address: str) -> Json:
        """What whoever has the link is shown before they come in."""
        seen = await self.book.seen(club)
        if seen is None or not fits(seen.club, invite):
            self._count(address)
            raise Refused(404, "club_link")
        player = device and await self._player(device)
        return {**brief(seen), "member": seen.member(player) is not None}

    async def join(self, club: str, invite: str, device: str, address: str) -> None:
        def decide(book: Book) -> None:
            if book.seen is None or not fits(book.seen.club, invite):
                raise Refused(404, "club_link")
            player = known(book, device)
            if book.seen.member(player):
                return
            if len(book.seen.members) >= MOST_MEMBERS:
                raise Refused(409, "club_full", most=MOST_MEMBERS)
            self._has_room_for_more(book, player)
            book.add(player)

        try:
            await self.book.through(club, decide)
        except Refused as refused:
            if refused.key == "club_link":
                self._count(address)
            raise

    def _count(self, address: str) -> None:
        if not self.tries.allows(address):
            raise Refused(429, "too_many_clubs", seconds=self.tries.seconds_left())

    def _has_room_for_more(self, book: Book, player: str) -> None:
        most = self.settings.clubs_per_player
        if book.clubs_of(player) >= most:
            raise Refused(429, "too_many_own_clubs", most=most)

    async def leave(self, club: str, device: str) -> None:
        def decide(book: Book) -> None:
            book.remove(member_of(book, device).player)

        await self.book.through(club, decide)

    # -- What the keeper may do ---------------------------------------------------------------

    async def rename(self, club: str, device: str, name: str) -> None:
        await self._by_the_keeper(club, device, lambda book, _seen: book.change(name=name))

    async def renew(self, club: str, device: str) -> None:
        """A new invitation; the one before ends."""
        invite = new_token()
        await self._by_the_keeper(club, device, lambda book, _seen: book.change(invite=invite))

    async def hand_over(self, club: str, device: str, number: int) -> None:
        def decide(book: Book, seen: Seen) -> None:
            book.hand_over(numbered(seen, number).player)

        await self._by_the_keeper(club, device, decide)

    async def send_away(self, club: str, device: str, number: int) -> None:
        """The invitation ends, which they know."""
        invite = new_token()

        def decide(book: Book, seen: Seen) -> None:
            whom = numbered(seen, number)
            if whom.player == seen.club.keeper:
                raise Refused(409, "club_keeper_stays")
            book.remove(whom.player)
            book.change(invite=invite)

        await self._by_the_keeper(club, device, decide)

    async def delete(self, club: str, device: str) -> None:
        await self._by_the_keeper(club, device, lambda book, _seen: book.delete())

    async def _by_the_keeper(
        self, club: str, device: str, decide: Callable[[Book, Seen], None]
    ) -> None:
        def checked(book: Book) -> None:
            own = member_of(book, device)
            assert book.seen is not None
            if own.player != book.seen.club.keeper:
                raise Refused(403, "only_the_keeper")
            decide(book, book.seen)

        await self.book.through(club, checked)

    # -- Looking ------------------------------------------------------------------------------

    async def _player(self, device: str) -> str | None:
        found = await self.store.players.of(device)
        return found.id if found else None

    async def seen_by(self, club: str, device: str | None) -> tuple[Seen, Member]:
        """As a member sees it; to all others it does not exist."""
        seen = await self.book.seen(club)
        player = device and await self._player(device)
        own = seen.member(player) if seen and player else None
        if seen is None or own is None:
            raise Refused(404, "no_such_club")
        return seen, own

    async def of(self, device: str | None) -> list[Json]:
        player = device and await self._player(device)
        found = await self.book.of(player) if player else []
        shown = []
        for seen in found:
            last = await self.store.tournaments.of_club(seen.club.id, 1)
            going_on = next((one.id for one in last if one.state in GOING_ON), None)
            keeper = seen.club.keeper == player
            shown.append({**brief(seen), "keeper": keeper, "tournament": going_on})
        return shown

    async def shown(self, club: str, device: str | None) -> Json:
        seen, own = await self.seen_by(club, device)
        devices = await self.store.players.devices(str(device))
        tables = await self.book.running(club, TABLES_SHOWN)
        games = await self.book.finished(club, time.time() + 1, GAMES_SHOWN)
        tournaments = await self.store.tournaments.of_club(club, TOURNAMENTS_SHOWN)
        entrants = {
            one.id: len(whole.entrants)
            for one in tournaments
            if (whole := await self.store.tournaments.whole(one.id))
        }
        first = await self.book.first(club)
        return {
            "club": club,
            "name": seen.club.name,
            "link": f"/club/{club}#invite={seen.club.invite}",
            "keeper": own.player == seen.club.keeper,
            "members": [member_shown(seen, one, own) for one in seen.members],
            "tables": [one for row in tables if (one := table_shown(row, devices))],
            "games": [
                {
                    "table": one.table,
                    "game": one.game,
                    "finished": one.finished,
                    "replay": one.is_kept,
                    "tournament": one.tournament,
                    "scores": [
                        {"seat": seat, "name": name, "score": score, "won": won}
                        for seat, (name, score, won) in enumerate(one.scores)
                    ],
                }
                for one in games
            ],
            "tournaments": [
                {
                    "tournament": one.id,
                    "game": one.plan["game"],
                    "kind": one.plan["kind"],
                    "state": one.state,
                    "entrants": entrants.get(one.id, 0),
                    "created": one.created,
                }
                for one in tournaments
            ],
            "first_month": month_of(time.time() if first is None else first),
        }

    async def standings(
        self, club: str, device: str | None, month: str | None, game: str | None
    ) -> Json:
        seen, own = await self.seen_by(club, device)
        chosen = month or month_of(time.time())
        since, until = bounds(chosen)
        tallies = await self.book.tallies(club, since, until, game)
        return {"month": chosen, "game": game, "rows": ranked(seen, own, tallies)}

    async def must_be_member(self, club: str, device: str | None) -> None:
        await self.seen_by(club, device)


# -- Decisions ----------------------------------------------------------------------------------


def known(book: Book, device: str) -> str:
    player = book.player(device)
    if player is None:
        raise Refused(422, "club_who")
    return player


def member_of(book: Book, device: str) -> Member:
    player = book.player(device)
    own = book.seen.member(player) if book.seen and player else None
    if own is None:
        raise Refused(404, "no_such_club")
    return own


def numbered(seen: Seen, number: int) -> Member:
    for one in seen.members:
        if one.number == number:
            return one
    raise Refused(404, "no_such_member")


def fits(club: Club, invite: str) -> bool:
    known_bytes = club.invite.encode()
    return hmac.compare_digest(known_bytes, invite.encode("utf-8", "surrogatepass"))


# -- What is shown ------------------------------------------------------------------------------


def brief(seen: Seen) -> Json:
    return {"club": seen.club.id, "name": seen.club.name, "members": len(seen.members)}


def member_shown(seen: Seen, one: Member, own: Member) -> Json:
    return {
        "member": one.number,
        "name": one.name,
        "colour": one.colour,
        "keeper": one.player == seen.club.keeper,
        "you": one.number == own.number,
    }


def table_shown(row: ClubTable, own: list[str]) -> Json | None:
    header = Header.model_validate(row.header)
    if not header.can_be_played:
        return None
    return {
        "table": row.table,
        "game": header.game,
        "status": STATUS[header.state],
        "seats": [
            {"kind": one.kind, "name": one.kept_for.name if one.kept_for else one.name}
            for one in header.seats
        ],
        "free": len(header.free_seats()),
        "tournament": row.tournament,
        "yours": header.names_any(own),
    }


def ranked(seen: Seen, own: Member, tallies: list[Tally]) -> list[Json]:
    """By the points a game, after everybody was given some games with half the points.  Of who has left nothing is
    shown, though their games stay those of the others."""
    rows = []
    for one in tallies:
        member = seen.member(one.player)
        if member is None:
            continue
        worth = (one.points + GIVEN_GAMES / 2) / (one.games + GIVEN_GAMES)
        rows.append((round(worth, 6), one, member))
    rows.sort(key=lambda row: (-row[0], row[2].joined))
    return [
        {
            "place": 1 + sum(other > worth for other, _, _ in rows),
            "name": member.name,
            "colour": member.colour,
            "you": member.number == own.number,
            "games": one.games,
            "wins": one.wins,
            "points": round(one.points / one.games, 4),
            "mean_place": round(one.places / one.games, 4),
            "mean_score": round(one.score / one.games, 4),
        }
        for worth, one, member in rows
    ]


# -- Months, by UTC -----------------------------------------------------------------------------


def month_of(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m")


def bounds(month: str) -> tuple[float, float]:
    """When it begins, and when the next one does."""
    year, number = map(int, month.split("-"))
    first = date(year, number, 1)
    following = date(year + number // 12, number % 12 + 1, 1)
    return days.beginning(first), days.beginning(following)
