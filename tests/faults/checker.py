"""Reads the history of one table: was everything kept that was promised, and nothing shown too early?

It knows the rules of no game.  What a seat may have seen is what the replay, as seen by that seat, shows at the same
turn; what happened is what the record says.  A `turn` of the wire counts everything that all have seen, also what was
taken back later; a replay has only what stands.  `Timeline` leads from one to the other.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from tests.faults.history import Json
from tests.faults.joining import is_early, secrets_of

INSTEAD = ("stand_in", "clock")  # who decides for somebody who is away, or late
TOLD = ("scores", "rounds", "winners", "played_for")  # of a result: all but the words
HELD = ("hand", "laid", "bid")  # places that a secret choice moves a card between
SHORTEST_SECRET = 4  # characters: what is shorter stands in any text
MOST_TRIES = 3_000  # ways to place take-backs that nobody heard of

Turn = int
Seat = int


@dataclass(frozen=True)
class Trouble:
    """Something that must not be, and where in the history to look."""

    what: str
    facts: str
    table: str = ""
    seat: int | None = None
    decision: int | None = None
    lines: tuple[int, ...] = ()


@dataclass
class Counts:
    moves_ok: int = 0
    moves_refused: int = 0
    moves_unknown: int = 0
    frames: int = 0
    faces: int = 0
    undone: int = 0
    stand_ins: int = 0


@dataclass
class Move:
    """A move that a client said, and how it was answered."""

    line: int
    t: float
    seat: Seat
    decision: int
    action: int
    turn: Turn
    outcome: str = "unknown"
    key: str = ""
    answered: float | None = None


@dataclass
class Looked:
    """A view that somebody was shown."""

    line: int
    t: float
    socket: int
    seat: Seat | None
    view: Json

    @property
    def turn(self) -> Turn:
        turn: int = self.view["turn"]
        return turn

    @property
    def choice(self) -> int | None:
        decision = self.view["decision"]
        choice: int | None = decision["choice"] if decision else None
        return choice


@dataclass
class Table:
    """The history of one table, sorted."""

    id: str
    lines: list[Json]
    seats: dict[Seat, str] = field(default_factory=dict)  # whom clients played: program or person
    moves: list[Move] = field(default_factory=list)
    views: list[Looked] = field(default_factory=list)
    results: list[Json] = field(default_factory=list)  # lines with what was told
    records: list[Json] = field(default_factory=list)
    replays: dict[Seat, Json] = field(default_factory=dict)
    took_back: dict[Turn, Seat] = field(
        default_factory=dict
    )  # turns that somebody saw as take-backs

    @property
    def is_over(self) -> bool:
        return bool(self.replays)

    @property
    def last_turn(self) -> Turn:
        return max((one.turn for one in self.views), default=0)


def sorted_out(table: str, lines: Sequence[Json]) -> Table:
    found, moves, undone = Table(table, list(lines)), {}, dict[int, Seat]()
    for line in lines:
        what = line["what"]
        if what == "table":
            found.seats = {one["seat"]: one["kind"] for one in line["seats"]}
        elif what == "invoke":
            facts = {key: line[key] for key in ("line", "t", "seat", "decision", "action", "turn")}
            moves[line["move"]] = Move(**facts)
        elif what in ("ok", "refused", "unknown") and "move" in line:
            move = moves[line["move"]]
            move.outcome, move.key, move.answered = what, line["key"], line["t"]
        elif what == "undo" and line["frame"]["state"] == "done":
            undone[line["socket"]] = line["frame"]["seat"]
        elif what == "record":
            found.records.append(line)
        elif what == "replay":
            found.replays[line["seat"]] = line
        if what == "result" or (what == "welcome" and line["frame"]["result"]):
            found.results.append(line)
        if line.get("view"):
            looked = Looked(line["line"], line["t"], line["socket"], line["seat"], line["view"])
            found.views.append(looked)
            if what == "view" and line["socket"] in undone:
                found.took_back[looked.turn] = undone.pop(line["socket"])
    found.moves = list(moves.values())
    return found


# -- Turns ----------------------------------------------------------------------------------------


class Timeline:
    """Where each turn of the wire stands in the replay, and which turn each decision of the replay was asked in."""

    def __init__(self, last: Turn, took_back: set[Turn]) -> None:
        self.took_back = took_back
        self.place: dict[Turn, int] = {}
        self.undone: list[tuple[Turn, Turn]] = []  # asked in, taken back by
        self.vanished: dict[
            Turn, Turn
        ] = {}  # what it led to, until it was taken back, and by which turn
        stack: list[Turn] = []
        for turn in range(last + 1):
            if turn in took_back and len(stack) > 1:
                self.vanished[stack.pop()] = turn
                self.undone.append((stack[-1], turn))
                stack[-1] = turn
            else:
                stack.append(turn)
            self.place[turn] = len(stack) - 1
        self.asked = stack  # by place: the turn whose question was answered for good


def timeline(table: Table) -> Timeline | Trouble:
    steps = len(replay_of(table)["turns"]) - 1
    last = table.last_turn
    missing, odd = divmod(last - steps, 2)
    missing -= len(table.took_back)
    if odd or missing < 0:
        known = sorted(table.took_back)
        facts = f"{last} turns were shown, {steps} stand in the replay, taken back by {known}"
        return Trouble("turns do not add up", facts, table.id, lines=last_lines(table))
    if not missing:
        return Timeline(last, set(table.took_back))
    return found_by_trying(table, last, missing)


def found_by_trying(table: Table, last: Turn, missing: int) -> Timeline | Trouble:
    """Where all sockets were lost while something was taken back, nobody has heard of it."""
    went_on = {one.turn for one in table.views if one.view["steps"]}
    open_turns = [turn for turn in range(2, last + 1) if turn not in went_on | set(table.took_back)]
    ways = itertools.combinations(open_turns, missing)
    for more in itertools.islice(ways, MOST_TRIES):
        tried = Timeline(last, set(table.took_back) | set(more))
        if not any(True for _ in shown_otherwise(table, tried)):
            return tried
    facts = f"{missing} take-backs that nobody was told of fit no turn"
    return Trouble("turns do not add up", facts, table.id, lines=last_lines(table))


def replay_of(table: Table) -> Json:
    return next(iter(table.replays.values()))


def last_lines(table: Table) -> tuple[int, ...]:
    return (table.views[-1].line,) if table.views else ()


# -- All checks -----------------------------------------------------------------------------------


def check(table: Table, counts: Counts) -> list[Trouble]:
    count(table, counts)
    found = [*turns_that_go_back(table), *views_that_differ(table), *secrets_told(table)]
    found += [*results_that_differ(table), *games_that_go_on(table)]
    if not table.is_over:
        return found
    times = timeline(table)
    if isinstance(times, Trouble):
        return [*found, times]
    counts.undone += len(times.undone)
    found += [*moves_that_do_not_stand(table, times, counts), *taken_back_unasked(table, times)]
    found += [*shown_otherwise(table, times, counts), *record_and_replay(table)]
    return found


def count(table: Table, counts: Counts) -> None:
    for move in table.moves:
        if move.outcome == "ok":
            counts.moves_ok += 1
        elif move.outcome == "refused":
            counts.moves_refused += 1
        else:
            counts.moves_unknown += 1
    counts.frames += sum("socket" in line and line["what"] not in NO_FRAMES for line in table.lines)


NO_FRAMES = ("invoke", "connected", "say", "ok", "unknown", "lost")


# -- Moves ----------------------------------------------------------------------------------------


def moves_that_do_not_stand(table: Table, times: Timeline, counts: Counts) -> Iterator[Trouble]:
    asked: dict[tuple[Turn, Seat], list[Move]] = defaultdict(list)
    for move in table.moves:
        asked[move.turn, move.seat].append(move)
    yield from two_answers(table)
    turns = replay_of(table)["turns"]
    for place, turn in enumerate(times.asked):
        decisions = turns[place + 1]["decisions"] if place + 1 < len(turns) else []
        standing = {seat: (action, by) for seat, action, _, by in decisions}
        for seat in table.seats:
            said = asked.get((turn, seat), [])
            counts.stand_ins += standing.get(seat, (0, ""))[1] in INSTEAD
            yield from fate(table, seat, turn, said, standing.get(seat))


def fate(
    table: Table, seat: Seat, turn: Turn, said: list[Move], standing: tuple[int, str] | None
) -> Iterator[Trouble]:
    """What one seat said in one turn, and what stands."""

    def trouble(what: str, moves: Sequence[Move]) -> Trouble:
        heard = ", ".join(
            f"{one.decision}:{one.action} {one.outcome} {one.key}".strip() for one in said
        )
        facts = f"turn {turn}: stands {standing}; said {heard or 'nothing'}"
        decision = moves[-1].decision if moves else None
        return Trouble(
            what, facts, table.id, seat, decision, tuple(one.line for one in moves or said)
        )

    accepted = [one for one in said if one.outcome == "ok"]
    if standing is None or standing[1] in INSTEAD:
        # Who says late what a bot has just decided for them is told that it stands, and so it does.
        lost = [one for one in accepted if standing is None or one.action != standing[0]]
        if lost:
            yield trouble("an acknowledged move is lost", lost)
        return
    action = standing[0]
    newest = max((one.decision for one in accepted), default=-1)
    may_stand = {one.action for one in accepted if one.decision == newest}
    may_stand |= {one.action for one in said if one.outcome == "unknown" and one.decision > newest}
    if action in may_stand:
        return
    same = [one for one in said if one.action == action]
    if not same:
        yield trouble("a move is invented", accepted)
    elif all(one.outcome == "refused" for one in same):
        yield trouble("a refused move stands", same)
    if accepted:
        yield trouble("an acknowledged move is lost", accepted)


def two_answers(table: Table) -> Iterator[Trouble]:
    """A decision is answered once: two different moves were both acknowledged."""
    by_decision: dict[tuple[Seat, int], dict[int, int]] = defaultdict(dict)
    for move in table.moves:
        if move.outcome == "ok":
            by_decision[move.seat, move.decision][move.action] = move.line
    for (seat, decision), actions in by_decision.items():
        if len(actions) > 1:
            facts = f"both {sorted(actions)} were acknowledged"
            lines = tuple(actions.values())
            yield Trouble("two answers to one decision", facts, table.id, seat, decision, lines)


def taken_back_unasked(table: Table, times: Timeline) -> Iterator[Trouble]:
    """Whoever loses a decision has asked for that."""
    asked_by = {
        line["seat"] for line in table.lines if line["what"] == "say" and line["kind"] == "undo"
    }
    for asked, by in times.undone:
        seat = table.took_back.get(by)
        if (seat is None and not asked_by) or (
            seat is not None and seat in table.seats and seat not in asked_by
        ):
            facts = f"the answer to turn {asked} was taken back by turn {by}; nobody asked for it"
            yield Trouble("a decision is taken back unasked", facts, table.id, seat)


# -- Views ----------------------------------------------------------------------------------------


def turns_that_go_back(table: Table) -> Iterator[Trouble]:
    """On one socket, and from what anybody had seen when a socket was opened."""
    newest: dict[int, Looked] = {}
    opened = {line["socket"]: line["begun"] for line in table.lines if line["what"] == "connected"}
    seen: list[Looked] = sorted(table.views, key=lambda one: one.t)
    highest: list[tuple[float, Looked]] = []
    for one in seen:
        before = newest.get(one.socket) or highest_before(highest, opened.get(one.socket, 0.0))
        if before and one.turn < before.turn:
            facts = f"turn {one.turn} after turn {before.turn}"
            yield Trouble(
                "a turn goes back", facts, table.id, one.seat, lines=(before.line, one.line)
            )
        newest[one.socket] = one
        if not highest or one.turn > highest[-1][1].turn:
            highest.append((one.t, one))


def highest_before(highest: list[tuple[float, Looked]], t: float) -> Looked | None:
    for when, one in reversed(highest):
        if when < t:
            return one
    return None


def views_that_differ(table: Table) -> Iterator[Trouble]:
    """All sockets of a seat, and whoever comes back, see the same at the same turn."""
    first: dict[tuple[Any, ...], Looked] = {}
    for one in table.views:
        view = one.view
        if view["phase"] == "over":  # what is counted lies open
            key: tuple[Any, ...] = (one.seat, one.turn)
        else:
            key = (one.seat, one.turn, tuple(view["chosen"]), one.choice)
        before = first.setdefault(key, one)
        for part in ("phase", "actor", "places", "facts", "scores", "rounds"):
            if view[part] != before.view[part]:
                facts = f"turn {one.turn}: {part} is {view[part]}, and was {before.view[part]}"
                lines = (before.line, one.line)
                yield Trouble(
                    "two views of one turn differ", facts, table.id, one.seat, lines=lines
                )


def shown_otherwise(
    table: Table, times: Timeline, counts: Counts | None = None
) -> Iterator[Trouble]:
    """Every view beside the replay, as that seat saw it; a spectator's beside those of all seats."""
    for one in table.views:
        place = times.place[one.turn]
        if one.turn in times.vanished:
            yield from before_it_was_taken_back(table, one, times)
        elif one.seat is None:
            yield from too_much_for_a_spectator(table, one, place, counts)
        elif one.seat in table.replays:
            yield from beside_the_replay(
                table, one, table.replays[one.seat]["turns"][place], counts
            )


def beside_the_replay(
    table: Table, one: Looked, shown: Json, counts: Counts | None
) -> Iterator[Trouble]:
    def trouble(what: str, facts: str) -> Trouble:
        return Trouble(what, f"turn {one.turn}: {facts}", table.id, one.seat, lines=(one.line,))

    view = one.view
    known = faces(shown["places"])
    seen = faces(view["places"])
    if counts:
        counts.faces += len(seen)
    if early := seen - known:
        yield trouble("a card is seen too early", f"{sorted(early)} in {places_with(view, early)}")
    for name, cards in view["places"].items():
        if not may_differ(name, one) and cards != shown["places"].get(name):
            facts = f"{name} is {cards}, in the replay {shown['places'].get(name)}"
            yield trouble("a view is not that of the replay", facts)
    for part in ("phase", "scores", "rounds", "facts"):
        if view[part] != shown[part]:
            facts = f"{part} is {view[part]}, in the replay {shown[part]}"
            yield trouble("a view is not that of the replay", facts)
    if view["steps"] and view["steps"] != shown["steps"]:
        facts = f"steps are {view['steps']}, in the replay {shown['steps']}"
        yield trouble("steps are not those of the replay", facts)


def before_it_was_taken_back(table: Table, one: Looked, times: Timeline) -> Iterator[Trouble]:
    """No replay has it.  Nothing may have become known but what its player knew before."""
    if one.view["phase"] == "over":  # see `games_that_go_on`
        return
    by = times.vanished[one.turn]
    place = times.place[by]
    mover = table.took_back.get(by)
    if (
        mover is None
        or mover not in table.replays
        or (one.seat is not None and one.seat not in table.replays)
    ):
        return
    readers = [mover] if one.seat is None else [mover, one.seat]
    # Also what lay open once and is covered now: a perfect memory knows it.
    earlier = [table.replays[seat]["turns"][at] for seat in readers for at in range(place + 1)]
    known = {card for turn in earlier for card in faces(turn["places"])}
    if early := faces(one.view["places"]) - known:
        facts = f"turn {one.turn}, taken back by turn {by}: {sorted(early)} in {places_with(one.view, early)}"
        yield Trouble("a card is seen too early", facts, table.id, one.seat, lines=(one.line,))


def may_differ(place: str, one: Looked) -> bool:
    """While some have chosen, a card lies face down that has left its hand."""
    return bool(one.view["chosen"]) and place.split(" ", maxsplit=1)[0] in HELD


def too_much_for_a_spectator(
    table: Table, one: Looked, place: int, counts: Counts | None
) -> Iterator[Trouble]:
    """What everybody sees, every seat sees."""
    seen = faces(one.view["places"])
    if counts:
        counts.faces += len(seen)
    for seat, replay in table.replays.items():
        if early := seen - faces(replay["turns"][place]["places"]):
            facts = f"turn {one.turn}: {sorted(early)} in {places_with(one.view, early)}, which seat {seat} does not see"
            yield Trouble("a card is seen too early", facts, table.id, None, lines=(one.line,))
            return
    if one.view["decision"] is not None:
        yield Trouble("a spectator is asked", f"turn {one.turn}", table.id, None, lines=(one.line,))


def faces(places: Json) -> set[int]:
    return {card for cards in places.values() if isinstance(cards, list) for card in cards if card}


def places_with(view: Json, cards: set[int]) -> list[str]:
    return [
        name
        for name, lying in view["places"].items()
        if isinstance(lying, list) and cards & set(lying)
    ]


# -- Secrets --------------------------------------------------------------------------------------


def end_of(table: Table) -> float:
    """When the first one saw that it is over."""
    over = [one.t for one in table.views if one.view["phase"] == "over"]
    return min([*over, *(line["t"] for line in table.results)], default=float("inf"))


def secrets_told(table: Table) -> Iterator[Trouble]:
    end = end_of(table)
    deal = next((line["fair"] for line in table.lines if line["what"] == "deal"), None) or {}
    texts = [text.encode() for text in secrets_of(deal) if len(text) > SHORTEST_SECRET]
    for line in table.lines:
        if line["t"] >= end or "frame" not in line:
            continue
        early = is_early(line["frame"].get("fair") or {})
        told = orjson.dumps(line["frame"])
        early += ["its text"] * any(text in told for text in texts)
        if early:
            what, at = "a secret is told too early", (line["line"],)
            yield Trouble(what, str(early), table.id, line["seat"], lines=at)


# -- The end --------------------------------------------------------------------------------------


def results_that_differ(table: Table) -> Iterator[Trouble]:
    """Told first, told last, in the record, in the replay: the same."""
    if not table.results:
        return
    first = table.results[0]
    wanted = told(first)
    for line in table.results[1:]:
        if told(line) != wanted:
            facts = f"{told(line)} after {wanted}"
            lines = (first["line"], line["line"])
            yield Trouble("a result changes", facts, table.id, line["seat"], lines=lines)
    for seat, replay in table.replays.items():
        if {name: replay["result"][name] for name in TOLD} != wanted:
            facts = f"the replay for seat {seat} says {replay['result']}, told was {wanted}"
            yield Trouble("a result changes", facts, table.id, seat, lines=(first["line"],))
    yield from records_that_differ(table, first, wanted)


def games_that_go_on(table: Table) -> Iterator[Trouble]:
    """All cards were open: whatever comes then is played with them known."""
    over = [one for one in table.views if one.view["phase"] == "over"]
    if over:
        first = min(over, key=lambda one: one.turn)
        later = [one for one in table.views if one.turn > first.turn]
        for one in later[:1]:
            facts = f"turn {one.turn}, phase {one.view['phase']}; turn {first.turn} was the end"
            lines = (first.line, one.line)
            yield Trouble("a game goes on after its end", facts, table.id, one.seat, lines=lines)


def records_that_differ(table: Table, first: Json, wanted: Json) -> Iterator[Trouble]:
    for line in table.records:
        record, lines = line["record"], (first["line"], line["line"])
        if record is None:
            yield Trouble("a record is gone", "at the very end", table.id, lines=lines)
        elif (record["scores"], record["winners"]) != (wanted["scores"], wanted["winners"]):
            facts = f"the record says {record['scores']}, {record['winners']}; told was {wanted}"
            yield Trouble("a result changes", facts, table.id, lines=lines)
        elif record != table.records[0]["record"]:
            lines = (table.records[0]["line"], line["line"])
            yield Trouble("a record changes", "after the end", table.id, lines=lines)


def told(line: Json) -> Json:
    result = line["frame"]["result"] if line["what"] == "welcome" else line["frame"]
    return {name: result[name] for name in TOLD}


def record_and_replay(table: Table) -> Iterator[Trouble]:
    """The moves of the record are those of the replay."""
    if not table.records or table.records[0]["record"] is None:
        return
    recorded = [[one["seat"], one["move"]] for one in table.records[0]["record"]["moves"]]
    replayed = [
        [seat, move]
        for turn in replay_of(table)["turns"]
        for seat, _, move, _ in sorted(turn["decisions"])
    ]
    if recorded != replayed:
        at = next(
            (
                at
                for at, pair in enumerate(itertools.zip_longest(recorded, replayed))
                if pair[0] != pair[1]
            ),
            0,
        )
        facts = f"move {at}: {recorded[at : at + 3]} and {replayed[at : at + 3]}"
        yield Trouble(
            "record and replay differ", facts, table.id, lines=(table.records[0]["line"],)
        )
