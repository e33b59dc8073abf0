"""Places as data and changes as carries: what every game's table does, shown on a small one."""

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from bullpen import table as base
from bullpen import views
from bullpen.actions import HIGHEST, Actions, Touch
from bullpen.cards import UNSEEN, mask
from bullpen.deck import Deck, load_deck
from bullpen.game import Game
from bullpen.games import GAMES
from bullpen.places import ALIKE, FACE_DOWN, HELD, TOP_ONLY, UNKNOWN, Places
from bullpen.table import TURNED_UP, with_places
from bullpen.views import OwnSide, shown_to
from tests.walks import every_setup, walk

CHOOSING, SHOWING, OVER = range(3)

places = Places(3)
BOX = places.box()
ROW = places.numbered("row", 2)
HAND = places.by_seat("hand", HELD, opened=(OVER,))
LAID = places.by_seat("laid", secret_in=CHOOSING, part_of=HAND)
WON = places.by_seat("won", FACE_DOWN, opened=(OVER,))
COINS = places.one("coins", ALIKE)
DRAW = places.one("draw", UNKNOWN)
STACK = places.heaps("stack", TOP_ONLY)

actions = Actions(places)
PLAY = actions.block("play {card}", range(1, 21), "T-1", "no_such_card", example=7, picks=HAND)
TAKE = actions.block("row {row}", (1, 2), "T-2", "no_such_row", example=2, at=ROW)


@with_places(places)
@dataclass(slots=True)
class Table(base.Table):
    trump: int = 0


def table(phase: int = CHOOSING) -> Table:
    made = Table(2, {"memory_aid": False}, Deck("own"), phase)
    made.clear()
    return made


def legal(of: Table, seat: int) -> list[int]:
    return [PLAY + card for card in of.lying[HAND + seat]] if not of.lying[LAID + seat] else []


# -- Declarations -----------------------------------------------------------------------------


def test_places_are_plain_numbers_and_rows_count_from_one() -> None:
    assert (BOX, ROW, HAND, LAID, WON) == (0, 0, 3, 6, 9)
    assert (COINS, DRAW, STACK) == (12, 13, 14)
    assert places.family_of(ROW + 2).name == "row"
    assert places.family_of(HAND).name == "hand"
    assert places.family_of(STACK + 5).name == "stack"


def test_places_are_told_as_declared_with_those_of_a_seat_together_and_the_box_last() -> None:
    assert list(places.names(2, ["stack 4"])) == [
        *("row 1", "row 2", "hand 0", "laid 0", "won 0", "hand 1", "laid 1", "won 1"),
        *("coins", "draw", "stack 4", "box"),
    ]


def test_another_order_of_telling_can_be_asked_for() -> None:
    others = Places(2)
    others.one("draw")
    others.by_seat("hand", HELD)
    others.listed("hand", "draw")
    assert list(others.names(2, [])) == ["hand 0", "hand 1", "draw"]


def test_nothing_is_declared_after_the_heaps() -> None:
    with pytest.raises(AssertionError, match="heaps come last"):
        places.one("late")


def test_actions_go_on_where_the_last_block_ended_and_know_what_they_touch() -> None:
    assert (PLAY, TAKE) == (0, 20)
    assert actions.notation[PLAY + 7] == "play 7"
    assert actions.forms == {"play 7": ("T-1", "no_such_card"), "row 2": ("T-2", "no_such_row")}
    lying = filled().lying
    assert actions.picked(PLAY + 7, 1, lying) == (7, HAND + 1)
    assert actions.picked(TAKE + 2, 1, lying) is None
    assert actions.touched(TAKE + 2, 1) == ROW + 2


def test_an_action_can_pick_the_highest_card_whichever_that_is() -> None:
    others = Actions(places)
    others.written({0: "last"}, "last", "T-1", "no_such_card", {0: Touch(HIGHEST, HAND, True)})
    t = table()
    t.lay((9, 3), HAND + 1)
    assert others.picked(0, 1, t.lying) == (9, HAND + 1)
    assert list(others.picks(1, t.lying)) == [(9, HAND + 1, 0)]
    assert (0 in others, 1 in others) == (True, False)


# -- Carrying ---------------------------------------------------------------------------------


def test_a_hand_is_sorted_and_what_is_laid_openly_is_seen() -> None:
    t = table()
    t.lay((9, 3), HAND)
    t.lay((5,), ROW + 1)
    t.carry(5, ROW + 1, HAND)
    assert t.lying[HAND] == (3, 5, 9)
    assert t.seen == mask((5,))
    t.carry(9, HAND, ROW + 2)
    assert t.seen == mask((5, 9))


def test_a_carry_belongs_to_the_event_told_after_it() -> None:
    t = table(SHOWING)
    t.lay((1, 2), ROW + 1)
    t.lay((3,), HAND + 1)
    t.carry_all(ROW + 1, WON + 1)
    t.tell(event="take", seat=1)
    t.carry(3, HAND + 1, ROW + 1)
    t.tell(event="place", seat=1, card=3)
    assert t.events == [{"event": "take", "seat": 1}, {"event": "place", "seat": 1, "card": 3}]
    assert t.carries == [
        (0, (1, 2), ROW + 1, WON + 1, SHOWING, 0),
        (1, (3,), HAND + 1, ROW + 1, SHOWING, 0),
    ]


def test_a_secret_choice_tells_nothing_until_it_is_turned_up() -> None:
    t = table()
    t.lay((3, 4), HAND + 1)
    assert t.still_to_choose(range(2), LAID) == [0, 1]
    t.choose(4, HAND + 1, LAID + 1)
    assert t.still_to_choose(range(2), LAID) == [0]
    assert (t.carries, t.seen) == ([], 0)
    assert t.turn_up(LAID) == [None, 4]
    assert t.carries == [(0, (4,), LAID + 1, LAID + 1, TURNED_UP, 0)]
    assert t.seen == mask((4,))


def test_a_heap_keeps_its_number_when_another_one_is_gone() -> None:
    t = table(SHOWING)
    for card in (1, 2, 3):
        t.lay((card,), t.new_heap())
    assert t.carry_all(STACK + 1, HAND) == (2,)
    assert list(t.heaps) == [1, 3]
    assert t.lying[STACK:] == [(1,), (3,)]
    t.lay((4,), HAND)
    t.carry(4, HAND, STACK + 1)
    assert [(t.called(origin), t.called(to)) for _, _, origin, to, _, _ in t.carries] == [
        ("stack 2", "hand 0"),
        ("hand 0", "stack 3"),
    ]
    assert t.new_heap() == STACK + 2
    assert list(t.heaps) == [1, 3, 4]


def test_a_changed_table_leaves_the_first_alone_and_tells_nothing_yet() -> None:
    t = table()
    t.lay((1, 2), HAND)
    t.trump, t.alone = 5, True
    t.tell(event="deal")
    copied = t.changed()
    copied.carry(1, HAND, ROW + 1)
    assert t.lying[HAND] == (1, 2)
    assert (copied.trump, copied.alone, copied.events) == (5, False, [])


# -- What is seen -----------------------------------------------------------------------------


def filled() -> Table:
    t = table()
    t.lay((20, 19), BOX)
    t.lay((5,), ROW + 1)
    t.lay((1, 2), HAND)
    t.lay((3, 4, 6), HAND + 1)
    t.lay((7,), ROW + 2)
    t.carry(7, ROW + 2, WON)
    t.lay((8,), WON)  # nobody has seen it
    t.lay((18, 17), DRAW)
    t.lay((9, 10), t.new_heap())
    t.carry(5, ROW + 1, HAND + 1)
    t.choose(5, HAND + 1, LAID + 1)
    return t


def test_a_view_hides_what_the_places_hide() -> None:
    view = views.view(filled(), 0, [])
    shown, remembered = view.table.lying, view.remembered
    assert shown[HAND] == (1, 2)
    assert (shown[HAND + 1], shown[LAID + 1]) == ((UNSEEN,) * 3, (UNSEEN,))
    assert (remembered[HAND + 1], remembered[LAID + 1]) == ((5, UNSEEN, UNSEEN, UNSEEN), ())
    assert (shown[WON], remembered[WON]) == ((UNSEEN, UNSEEN), (7, UNSEEN))
    assert shown[DRAW] == remembered[DRAW] == (UNSEEN, UNSEEN)
    assert (shown[STACK], remembered[STACK]) == ((10,), (9, 10))
    assert (view.table.events, view.table.carries) == ([], [])


def test_what_is_counted_in_a_phase_lies_open_then() -> None:
    t = filled()
    t.phase = OVER
    view = views.view(t, None, [])
    assert view.table.lying[HAND + 1] == (3, 4, 6)
    assert view.table.lying[WON] == (7, 8)


def test_an_imagined_table_gives_the_view_that_it_was_imagined_from() -> None:
    rng, worlds = Random(1), set()
    for seat in (0, 1, None):
        view = views.view(filled(), seat, [])
        for _ in range(50):
            world = views.imagine(view, range(1, 21), legal, actions, rng)
            assert views.view(world, seat, []) == view
            worlds.add(tuple(world.lying))
    assert len(worlds) > 100


def test_whoever_sees_a_card_at_one_end_sees_it_on_its_way() -> None:
    t = filled()
    t.phase, t.carries = SHOWING, []
    t.carry(18, DRAW, HAND + 1)
    t.carry(17, DRAW, ROW + 1)
    t.carry_all(STACK, HAND)
    t.carry(8, WON, DRAW)
    drawn, laid, taken, hidden = [shown_to(t, carry) for carry in t.carries]
    assert drawn == ([18], frozenset({1}), 1)
    assert laid == ([17], None, 0)
    assert taken == ([9, 10], frozenset({0}), [10])
    assert hidden.cards == 1


def test_what_an_event_tells_its_own_seat_alone_is_null_to_the_others() -> None:
    event, off, on = (
        {"event": "draw", "seat": 1, "card": 3},
        {"memory_aid": False},
        {"memory_aid": True},
    )
    assert views.seen_by(event, OwnSide("card"), 1, off) is event
    assert views.seen_by(event, OwnSide("card"), 0, on)["card"] is None
    assert views.seen_by(event, OwnSide("card", recalled=True), 0, off)["card"] is None
    assert views.seen_by(event, OwnSide("card", recalled=True), 0, on) is event


# -- The games --------------------------------------------------------------------------------

DECLARED = list(GAMES.values())


def by_card(t: base.Table) -> dict[int, str]:
    """The name of the place where each card lies; those that are all alike are left out."""
    return {
        card: t.called(t.lasting(at))
        for at, there in enumerate(t.lying)
        for card in there
        if card != UNSEEN
    }


@pytest.mark.parametrize("game", DECLARED, ids=lambda game: game.ID)
def test_what_was_carried_leads_from_one_table_to_the_next(game: Game[base.Table]) -> None:
    rng = Random(game.ID)
    for _ in range(5):
        seats = rng.choice(game.SEATS)
        options = {option.name: option.default(seats) for option in game.OPTIONS}
        t = game.set_up(seats, options, load_deck(game.DECK_FILES))
        while (cards := game.to_shuffle(t)) or (waiting := game.waiting_for(t)):
            if cards:
                rng.shuffle(cards)
                t, _ = game.deal(t, cards)
                continue
            seat = rng.choice(waiting)
            after, events = game.apply(t, seat, rng.choice(game.legal(t, seat)))
            where = by_card(t)
            for number, moved, origin, to, _, _ in after.carries:
                assert number <= len(events)
                for card in moved:
                    if card != UNSEEN:  # they are all alike
                        assert where[card] == after.called(origin) or where[card].startswith("hand")
                        where[card] = after.called(to)
            if events:
                assert where == by_card(after)
            t = after


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_a_memory_is_said_to_know_of_a_place_it_knows(game: Game[Any]) -> None:
    """Said so that it need not be looked for in every view: it must be true of every table."""
    told = [family for family in game.rules.places.families if family.known != "some"]
    for setup in every_setup(game, game.SEATS[0]):
        for step in walk(setup, seed=1):
            table = step.after
            for family in told:
                for place in range(family.first, family.first + table.seats):
                    known = [table.seen >> card & 1 for card in table.lying[place]]
                    if table.phase not in family.opened:
                        assert set(known) <= {int(family.known == "everything")}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_a_seat_sees_alone_is_all_that_its_view_adds_to_a_spectators(game: Game[Any]) -> None:
    for setup in every_setup(game, game.SEATS[-1]):
        for step in walk(setup, seed=2):
            to_all = game.view(step.after, None).table.lying
            for seat in (0, setup.seats - 1):
                own = game.view(step.after, seat).table.lying
                added = [(at, cards) for at, cards in enumerate(own) if cards != to_all[at]]
                assert sorted(game.seen_alone(step.after, seat)) == added
        break
