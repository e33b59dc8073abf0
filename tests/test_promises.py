"""What every game promises, tested over all games: cards, turns, views, memory, notation, refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bullpen.cards import UNSEEN, Card, Lying, Place
from bullpen.game import Event, Game, IllegalMove, Seat, View, read_move
from bullpen.games import GAMES
from tests.walks import (
    LONGEST,
    PREFER,
    SEEDS,
    Setup,
    Step,
    Walk,
    beginnings,
    facts,
    set_up,
    setups,
    walk,
    walks,
)

FOR_EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
DATA = st.data()

# How many cards there are, the special, bull and zero cards included.
CARDS = {
    "hornochsen": 98 + 12,
    "eleven-nimmt": 100,
    "x-nimmt": 100,
    "baron-oxx": 110,
    "bullenparty": 100 + 10 + 5,
    "six-nimmt": 104,
}
RULE_IDS = {
    rule
    for page in (Path(__file__).parent.parent / "docs" / "games").glob("*.md")
    for rule in re.findall(r"\*\*([A-Z]{2}-\d+)\*\*", page.read_text("utf-8"))
}


def viewers(setup: Setup) -> list[Seat | None]:
    return [*range(setup.seats), None]


def is_over(game: Game[Any], table: Any) -> bool:
    return not game.waiting_for(table) and not game.to_shuffle(table)


# -- Cards ----------------------------------------------------------------------------------------


@FOR_EVERY_GAME
@settings(max_examples=12)
@given(data=DATA)
def test_every_card_lies_in_exactly_one_place_at_every_step(game: Game[Any], data: Any) -> None:
    every_card = list(range(1, CARDS[game.ID] + 1))
    for step in data.draw(walks(game)).steps():
        for table in (step.before, step.after):
            assert sorted(numbered_cards(table)) == every_card


@FOR_EVERY_GAME
@settings(max_examples=8)
@given(data=DATA)
def test_every_place_where_cards_lie_has_one_name(game: Game[Any], data: Any) -> None:
    for step in data.draw(walks(game)).steps():
        named = list(game.places(step.after).values())
        assert len(named) == len(set(named))
        assert {place for place, cards in enumerate(step.after.lying) if cards} <= set(named)


def numbered_cards(table: Any) -> list[Card]:
    """All but the cards that are all alike, which are only counted."""
    alike = table.PLACES.alike
    return [card for place, cards in enumerate(table.lying) if place not in alike for card in cards]


# -- Turns ----------------------------------------------------------------------------------------


@FOR_EVERY_GAME
@settings(max_examples=15)
@given(data=DATA)
def test_a_random_game_ends(game: Game[Any], data: Any) -> None:
    walked = data.draw(walks(game))
    steps = list(walked.steps())
    assert is_over(game, steps[-1].after)
    assert len(game.scores(steps[-1].after)) == walked.setup.seats
    assert game.winners(steps[-1].after)


@FOR_EVERY_GAME
@settings(max_examples=10)
@given(data=DATA)
def test_legal_is_empty_exactly_when_the_table_does_not_wait_for_that_seat(
    game: Game[Any], data: Any
) -> None:
    walked = data.draw(walks(game))
    for step in walked.steps():
        waiting = game.waiting_for(step.after)
        assert waiting == sorted(set(waiting))
        for seat in range(walked.setup.seats):
            legal = game.legal(step.after, seat)
            assert bool(legal) == (seat in waiting)
            assert len(legal) == len(set(legal))
            assert set(legal) <= set(game.NOTATION)


@FOR_EVERY_GAME
@settings(max_examples=8)
@given(data=DATA)
def test_a_table_waits_for_a_shuffle_or_for_somebody_until_it_is_over(
    game: Game[Any], data: Any
) -> None:
    walked = data.draw(walks(game))
    for step in walked.steps():
        assert not is_over(game, step.before)
        assert not (game.waiting_for(step.before) and game.to_shuffle(step.before))
        assert len(set(step.shuffled)) == len(step.shuffled)


@FOR_EVERY_GAME
@settings(max_examples=6)
@given(data=DATA)
def test_nothing_changes_the_table_that_it_was_given(game: Game[Any], data: Any) -> None:
    """Whether a shuffle or an action, allowed or not, or a question."""
    walked = data.draw(walks(game))
    setup, rng = walked.setup, Random(walked.seed)
    now = facts(game.set_up(setup.seats, setup.options, setup.deck))
    for step in walked.steps():
        assert facts(step.before) == now  # as it was before the shuffle or the action
        table, now = step.after, facts(step.after)
        legal = [list(game.legal(table, seat)) for seat in range(setup.seats)]
        view = game.view(table, rng.choice(viewers(setup)))
        seen = facts(view.table), list(view.remembered), list(view.legal)
        game.imagine(view, rng)
        assert (facts(view.table), view.remembered, view.legal) == seen
        game.places(table), game.scores(table), game.rounds(table), game.winners(table)
        game.waiting_for(table), game.to_shuffle(table)
        with pytest.raises(IllegalMove):
            game.apply(table, 0, -1)
        assert facts(table) == now
        assert [game.legal(table, seat) for seat in range(setup.seats)] == legal


@FOR_EVERY_GAME
@settings(max_examples=10)
@given(data=DATA)
def test_what_a_game_hands_out_may_be_spoilt(game: Game[Any], data: Any) -> None:
    """A bot that writes into what it was given, or a server into an event, harms nobody."""
    begun = data.draw(beginnings(game, longest=80))
    setup, last = begun.setup, begun.steps[-1]
    before = facts(last.after)
    for seat in game.waiting_for(last.after):
        legal = list(game.legal(last.after, seat))
        game.legal(last.after, seat).clear()
        assert game.legal(last.after, seat) == legal
    for viewer in viewers(setup):
        view = game.view(last.after, viewer)
        view.table.lying.clear()
        view.remembered.clear()
        view.legal.clear()
    for event in last.events:
        for value in event.values():
            if isinstance(value, list):
                value.clear()
    game.to_shuffle(last.before).clear()
    last.shuffled.clear()
    assert facts(last.after) == before


# -- Secret choices ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x-nimmt", "baron-oxx", "bullenparty", "six-nimmt"])
@settings(max_examples=25)
@given(data=DATA)
def test_the_order_in_which_secret_choices_arrive_does_not_matter(name: str, data: Any) -> None:
    game = GAMES[name]
    begun, rng = data.draw(beginnings(game)), Random(data.draw(SEEDS))
    tables = [step.after for step in reversed(begun.steps)]
    table = next(table for table in tables if len(game.waiting_for(table)) > 1)
    waiting = game.waiting_for(table)
    chosen = {seat: rng.choice(game.legal(table, seat)) for seat in waiting}
    outcomes = []
    for _ in range(3):
        after, caused = table, []
        for at, seat in enumerate(rng.sample(waiting, len(waiting))):
            assert game.legal(after, seat) == game.legal(table, seat)
            after, events = game.apply(after, seat, chosen[seat])
            assert not events or at == len(waiting) - 1
            caused += events
        outcomes.append((facts(after), caused))
    assert outcomes[0] == outcomes[1] == outcomes[2]


# -- What lies open ---------------------------------------------------------------------------------

# Who sees the cards in a place, in the words of each rulebook's "What a player sees"; hands, piles and
# stacks by the first words of their name.  "counted": its owner, and all when the game is over.
SEES: dict[str, dict[str, str]] = {
    "hornochsen": {"row": "all", "hand": "counted", "pile": "end", "box": "specials"},
    "eleven-nimmt": {
        "stack": "top",
        "hand": "counted",
        "bulls": "all",
        "draw": "nobody",
        "supply": "all",
    },
    "x-nimmt": {
        "row": "all",
        "collected": "all",
        "x row": "all",
        "hand": "counted",
        "laid": "revealed",
        "x pile": "end",
        "box": "nobody",
    },
    "baron-oxx": {
        "row": "all",
        "hand": "counted",
        "laid": "revealed",
        "draw": "end",
        "bull pile": "end",
        "box": "nobody",
    },
    "bullenparty": {
        "row": "all",
        "hand": "owner",
        "bid": "revealed",
        "bulls": "all",
        "pile": "all",
        "drawn": "drawer",
        "draw": "nobody",
        "discard": "nobody",
        "bull supply": "all",
        "box": "specials",
    },
    "six-nimmt": {
        "row": "all",
        "hand": "counted",
        "laid": "revealed",
        "taken": "end",
        "box": "tactical",
    },
}
SECRET_CHOICE = ("play", "bid")
NUMBER_CARDS = {"hornochsen": 98, "bullenparty": 100}  # the other cards have higher numbers


def special_cards(game: Game[Any]) -> set[Card]:
    """Of which all know from the start who has them."""
    return set(range(NUMBER_CARDS.get(game.ID, CARDS[game.ID]) + 1, CARDS[game.ID] + 1))


def left_out(setup: Setup) -> set[Card]:
    """The cards that a mini game does not have; once it is dealt, all know that they lie in the box."""
    last = NUMBER_CARDS.get(setup.game.ID, CARDS[setup.game.ID])
    in_play = setup.options.get("cards", last)
    assert isinstance(in_play, int)
    return set(range(in_play + 1, last + 1))


def shown_to(setup: Setup, table: Any, viewer: Seat | None, name: str) -> tuple[Card, ...]:
    """What the rulebook lets this viewer see of a place."""
    game = setup.game
    word, owner = re.fullmatch(r"(.*?)(?: (\d+))?(?: of \d+)?", name).groups()  # type: ignore[union-attr]
    cards: tuple[Card, ...] = table.lying[game.places(table)[name]]
    closed = (UNSEEN,) * len(cards)
    own = owner is not None and viewer == int(owner)
    if word == "box" and "cards" in setup.options and len(cards) < CARDS[game.ID]:
        known = left_out(setup) | special_cards(game)
        return tuple(card if card in known else UNSEEN for card in cards)
    match SEES[game.ID][word]:
        case "top":
            return cards[-1:]
        case "specials":
            return tuple(card if card > NUMBER_CARDS[game.ID] else UNSEEN for card in cards)
        case "tactical":
            return cards if setup.options["deck"] == "tactical" else closed
        case "revealed":
            waiting = game.waiting_for(table)
            words = {game.NOTATION[game.legal(table, seat)[0]].split()[0] for seat in waiting}
            return closed if words <= set(SECRET_CHOICE) and words and not own else cards
        case who:
            seen = {
                "all": True,
                "nobody": False,
                "end": is_over(game, table),
                "owner": own,
                "counted": own or is_over(game, table),
                "drawer": [viewer] == game.waiting_for(table),
            }
            return cards if seen[who] else closed


@FOR_EVERY_GAME
@settings(max_examples=25)
@given(data=DATA)
def test_a_view_opens_what_the_rulebook_opens_and_nothing_else(game: Game[Any], data: Any) -> None:
    begun = data.draw(beginnings(game))
    setup, table = begun.setup, begun.table
    for viewer in viewers(setup):
        view = game.view(table, viewer)
        assert view.seat == viewer
        assert view.legal == ([] if viewer is None else game.legal(table, viewer))
        assert len(view.table.lying) == len(table.lying)
        for name, place in game.places(table).items():
            assert view.table.lying[place] == shown_to(setup, table, viewer, name), name


@FOR_EVERY_GAME
@settings(max_examples=15)
@given(data=DATA)
def test_views_do_not_depend_on_the_memory_aid(game: Game[Any], data: Any) -> None:
    begun = data.draw(beginnings(game))
    setup, table = begun.setup, begun.table
    other = replace(table, options={**table.options, "memory_aid": not table.options["memory_aid"]})
    for viewer in viewers(setup):
        one, two = game.view(table, viewer), game.view(other, viewer)
        assert one.table.lying == two.table.lying
        assert one.remembered == two.remembered


# -- What a perfect memory knows ----------------------------------------------------------------------


def cards_in(lying: Lying) -> set[Card]:
    return {card for cards in lying for card in cards} - {UNSEEN}


def hidden_with(game: Game[Any], table: Any) -> dict[Place, Place]:
    """A hidden card chosen from a hand is remembered in the hand, a drawn one in the draw pile."""
    named = game.places(table)
    pairs = [("draw", "drawn")] + [
        (f"hand {seat}", f"{word} {seat}")
        for seat in range(table.seats)
        for word in ("laid", "bid")
    ]
    return {named[hand]: named[laid] for hand, laid in pairs if {hand, laid} <= set(named)}


@FOR_EVERY_GAME
@settings(max_examples=25)
@given(data=DATA)
def test_what_lies_open_and_what_is_remembered_is_true(game: Game[Any], data: Any) -> None:
    begun = data.draw(beginnings(game))
    setup, table = begun.setup, begun.table
    pairs = hidden_with(game, table)
    for viewer in viewers(setup):
        view = game.view(table, viewer)
        shown, remembered = view.table.lying, view.remembered
        assert len(remembered) == len(table.lying)
        for place, cards in enumerate(remembered):
            lies_there, laid = table.lying[place], pairs.get(place)
            if laid is not None and not remembered[laid]:
                lies_there += table.lying[laid]
            elif place in pairs.values() and not cards:
                continue  # remembered in the hand
            assert len(cards) == len(lies_there)
            assert set(cards) - {UNSEEN} <= set(lies_there)
            assert set(shown[place]) - {UNSEEN} <= set(cards)  # what is open is remembered, too


@FOR_EVERY_GAME
@settings(max_examples=8)
@given(data=DATA)
def test_what_was_seen_once_is_remembered_and_nothing_else(game: Game[Any], data: Any) -> None:
    """Our own bookkeeping: all that lay open before this viewer, or was named in an event it saw, since
    the cards were dealt; and what everybody knows from the start."""
    walked = data.draw(walks(game))
    setup = walked.setup
    for viewer in {data.draw(st.sampled_from(viewers(setup))), 0, None}:
        seen: set[Card] = set()
        for step in walked.steps():
            if step.seat is None and (game.ID != "bullenparty" or len(step.shuffled) == 5):
                seen = known_from_the_start(setup, step)
            if game.to_shuffle(step.after):
                continue  # nobody looks at the table before it is dealt
            view = game.view(step.after, viewer)
            told = [game.seen_by(event, viewer, setup.options) for event in step.events]
            seen |= cards_in(view.table.lying) | cards_named(game, told)
            assert cards_in(view.remembered) == seen


def known_from_the_start(setup: Setup, step: Step) -> set[Card]:
    if setup.game.ID in NUMBER_CARDS:
        return left_out(setup) | special_cards(setup.game)
    if setup.options.get("deck") == "tactical":
        return set(range(1, CARDS[setup.game.ID] + 1)) - set(step.shuffled)
    return left_out(setup)


def cards_named(game: Game[Any], events: list[Event]) -> set[Card]:
    """All numbers in the fields that tell cards."""
    named: set[Card] = set()
    for event in events:
        for name in ("card", "cards", "bids"):
            told = event.get(name)
            named.update(card or UNSEEN for card in (told if isinstance(told, list) else [told]))
    return named - {UNSEEN}


@FOR_EVERY_GAME
@settings(max_examples=12)
@given(data=DATA)
def test_where_a_card_lies_in_an_open_or_remembered_order_is_true(
    game: Game[Any], data: Any
) -> None:
    """Rows, stacks, piles and the cards gone under a draw pile keep their order in memory."""
    begun = data.draw(beginnings(game))
    setup, table = begun.setup, begun.table
    ordered = ["row", "stack", "x row", "x pile", "pile", "taken", "bull pile", "discard", "bulls"]
    if game.ID == "baron-oxx":
        ordered.append("draw")
    for name, place in game.places(table).items():
        if re.fullmatch(rf"({'|'.join(ordered)})( \d+)?( of \d+)?", name):
            for viewer in viewers(setup):
                remembered = game.view(table, viewer).remembered[place]
                for known, card in zip(remembered, table.lying[place], strict=True):
                    assert known in (card, UNSEEN)


# -- Imagined tables ----------------------------------------------------------------------------------


@FOR_EVERY_GAME
@settings(max_examples=40)
@given(data=DATA)
def test_an_imagined_table_gives_the_very_view_it_was_imagined_from(
    game: Game[Any], data: Any
) -> None:
    begun, rng = data.draw(beginnings(game)), Random(data.draw(SEEDS))
    setup, table = begun.setup, begun.table
    for viewer in viewers(setup):
        view = game.view(table, viewer)
        imagined = game.imagine(view, rng)
        assert cards_in(imagined.lying) == set(range(1, CARDS[game.ID] + 1))
        assert game.view(imagined, viewer) == view
        assert game.waiting_for(imagined) == game.waiting_for(table)


def can_lie_otherwise(game: Game[Any], view: View[Any]) -> bool:
    """Whether two different tables give this view: unseen cards of different hands, the order of a draw
    pile, or which card was chosen."""
    named = {place: name for name, place in game.places(view.table).items()}
    alike = view.table.PLACES.alike
    unseen = {
        named[p]: cards.count(UNSEEN)
        for p, cards in enumerate(view.remembered)
        if p in named and p not in alike
    }
    piles = [name for name, count in unseen.items() if count > 1 and name.startswith("draw")]
    if game.ID == "bullenparty" and len(view.table.lying[game.places(view.table)["draw"]]) > 1:
        piles.append("draw")  # even if it is known which cards it holds
    chosen = [
        hand
        for hand, laid in hidden_with(game, view.table).items()
        if view.table.lying[laid] == (UNSEEN,) and view.table.lying[hand]
    ]
    return bool(piles or chosen) or sum(1 for count in unseen.values() if count) > 1


@FOR_EVERY_GAME
@settings(max_examples=15)
@given(data=DATA)
def test_imagined_tables_differ_where_something_is_hidden(game: Game[Any], data: Any) -> None:
    begun, rng = data.draw(beginnings(game)), Random(data.draw(SEEDS))
    setup, table = begun.setup, begun.table
    viewer = data.draw(st.sampled_from(viewers(setup)))
    view = game.view(table, viewer)
    imagined = {tuple(game.imagine(view, rng).lying) for _ in range(40)}
    if can_lie_otherwise(game, view):
        assert len(imagined) > 1
    else:
        assert imagined == {tuple(table.lying)}


@FOR_EVERY_GAME
def test_hidden_cards_are_imagined_wherever_they_may_lie_equally_often(game: Game[Any]) -> None:
    """By chance alone one of them would stray so far once in a million tests."""
    view, rng, tries = a_view_with_secrets(game), Random(1), 400
    unseen = set(range(1, CARDS[game.ID] + 1)) - cards_in(view.remembered)
    pairs = hidden_with(game, view.table)
    shares: dict[tuple[Place, Card], float] = {}  # how often a card should lie in a place
    for place, cards in enumerate(view.remembered):
        if place in view.table.PLACES.alike:
            continue
        shares |= {(place, card): cards.count(UNSEEN) / len(unseen) for card in unseen}
        if view.table.lying[pairs.get(place, 0)] == (UNSEEN,) and place in pairs:
            known = set(cards) - {UNSEEN}
            shares |= {(pairs[place], card): 1 / len(cards) for card in known}
    found = dict.fromkeys(shares, 0)
    for _ in range(tries):
        lying = game.imagine(view, rng).lying
        for place, cards in enumerate(lying):
            chosen = (
                lying[pairs[place]] if place in pairs and not view.remembered[pairs[place]] else ()
            )
            for card in (*cards, *chosen):
                if (place, card) in found:
                    found[place, card] += 1
    for key, share in shares.items():
        if key[0] not in pairs.values() or share:
            stray = 6 * (tries * share * (1 - share)) ** 0.5 + 1
            assert abs(found[key] - tries * share) < stray, key


def a_view_with_secrets(game: Game[Any]) -> View[Any]:
    """Seat 1's, late in a game, where it remembers a card of somebody who has chosen one, if there is
    such a moment."""
    views = [
        game.view(step.after, 1)
        for step in walk(set_up(game, 3), seed=5)
        if game.waiting_for(step.after)
    ]

    def secrets(view: View[Any]) -> int:
        return sum(
            view.table.lying[laid] == (UNSEEN,) and len(set(view.remembered[hand]) - {UNSEEN})
            for hand, laid in hidden_with(game, view.table).items()
        )

    return max(views, key=secrets)


@FOR_EVERY_GAME
@settings(max_examples=4)
@given(data=DATA)
def test_a_hidden_choice_is_imagined_among_the_moves_that_were_allowed(
    game: Game[Any], data: Any
) -> None:
    setup, seed = data.draw(setups(game)), data.draw(SEEDS)
    rng = Random(seed)
    for prefer in (
        "",
        *PREFER[game.ID],
    ):  # Bullenparty: after many zeros no zero may be bid (BP-14)
        for step in walk(setup, seed, prefer):
            if step.events or not game.waiting_for(step.after):
                continue  # nothing is hidden between a choice and the next one
            view = game.view(step.after, rng.choice(viewers(setup)))
            for seat, card, before in choices_taken_back(game, view, game.imagine(view, rng)):
                moves = {game.NOTATION[action] for action in game.legal(before, seat)}
                assert moves & {f"play {card}", f"bid {card if card <= 100 else 0}"}


def choices_taken_back(
    game: Game[Any], view: View[Any], table: Any
) -> Iterator[tuple[Seat, Card, Any]]:
    """For every card chosen face down: whose and which, and the table as if it were still in the hand."""
    named = game.places(table)
    for name in [name for name in named if re.match("laid|bid", name)]:
        seat = int(name.split()[1])
        hand, laid = named[f"hand {seat}"], named[name]
        if view.table.lying[laid] == (UNSEEN,):
            lying = table.lying[:]
            lying[hand], lying[laid] = tuple(sorted(lying[hand] + lying[laid])), ()
            yield seat, table.lying[laid][0], replace(table, lying=lying)


@FOR_EVERY_GAME
@settings(max_examples=12)
@given(data=DATA)
def test_an_imagined_table_can_be_played_to_its_end(game: Game[Any], data: Any) -> None:
    begun, rng = data.draw(beginnings(game)), Random(data.draw(SEEDS))
    view = game.view(begun.table, data.draw(st.sampled_from(viewers(begun.setup))))
    table = game.imagine(view, rng)
    for _ in range(LONGEST):
        if cards := game.to_shuffle(table):
            rng.shuffle(cards)
            table, _ = game.deal(table, cards)
        elif waiting := game.waiting_for(table):
            seat = rng.choice(waiting)
            table, _ = game.apply(table, seat, rng.choice(game.legal(table, seat)))
    assert is_over(game, table)
    assert sorted(numbered_cards(table)) == list(range(1, CARDS[game.ID] + 1))


# -- What a seat may not see ----------------------------------------------------------------------


@FOR_EVERY_GAME
@settings(max_examples=40)
@given(data=DATA)
def test_two_games_that_differ_in_what_a_seat_never_saw_look_the_same_to_it(
    game: Game[Any], data: Any
) -> None:
    """Cards that it has not seen, two or all, are exchanged in the shuffle, and the game is played again
    with the same moves: all that this seat sees on the way, views and events, stays the same."""
    begun, rng = data.draw(beginnings(game)), Random(data.draw(SEEDS))
    viewer, steps = data.draw(st.sampled_from(viewers(begun.setup))), begun.steps
    at, cards = exchangeable(begun.setup, steps, viewer)
    assume(len(cards) > 1)
    some = rng.sample(cards, rng.choice([2, len(cards)]))
    exchange = dict(zip(some, [*some[1:], some[0]], strict=True))
    table, dealt = steps[at].before, [exchange.get(card, card) for card in steps[at].shuffled]
    after, events = game.deal(table, dealt)
    for number, step in enumerate(steps[at:]):
        if number:
            after, events = relived(game, step, after, exchange)
        assert looks(game, after, events, viewer) == looks(game, step.after, step.events, viewer)


def exchangeable(setup: Setup, steps: list[Step], viewer: Seat | None) -> tuple[int, list[Card]]:
    """The last shuffle, and the cards whose places in it this viewer has never learnt."""
    shuffles = [number for number, step in enumerate(steps) if step.seat is None]
    table = steps[-1].after
    if setup.game.ID == "bullenparty":
        if len(shuffles) > 2 and len(draw := table.lying[setup.game.places(table)["draw"]]) > 1:
            return shuffles[-1], sorted(draw)  # which cards is known, but not in which order
        shuffles = shuffles[:2]  # the zero cards, then the number cards
    known = cards_in(setup.game.view(table, viewer).remembered)
    return shuffles[-1], [card for card in steps[shuffles[-1]].shuffled if card not in known]


def relived(
    game: Game[Any], step: Step, table: Any, exchange: dict[Card, Card]
) -> tuple[Any, list[Event]]:
    """The same step on the other table; a hidden choice of an exchanged card is one of the other."""
    if step.seat is None:
        return game.deal(table, step.shuffled)
    word, *numbers = game.NOTATION[step.action].split()
    if word in SECRET_CHOICE and len(numbers) == 1:
        numbers = [str(exchange.get(int(numbers[0]), numbers[0]))]
    action = read_move(game, table, step.seat, " ".join([word, *numbers]))
    # 11 nimmt!: whether a turn goes on tells something of the hand, on a real table, too.
    assume(game.ID != "eleven-nimmt" or action in game.legal(table, step.seat))
    after, events = game.apply(table, step.seat, action)
    assume(game.ID != "eleven-nimmt" or game.waiting_for(after) == game.waiting_for(step.after))
    return after, events


def looks(game: Game[Any], table: Any, events: list[Event], viewer: Seat | None) -> Any:
    if game.to_shuffle(table) or is_over(game, table):
        return None  # hands are opened and counted
    told = [
        # 11 nimmt!: an event does not name the stack that somebody took, but all see which one it was.
        event if event["event"] == "take" else game.seen_by(event, viewer, table.options)
        for event in events
    ]
    return told, game.waiting_for(table), game.view(table, viewer)


@FOR_EVERY_GAME
@settings(max_examples=40)
@given(data=DATA)
def test_a_seat_learns_nothing_but_what_the_events_tell_it(game: Game[Any], data: Any) -> None:
    """From two tables that look the same to a seat, whatever is done on each that gives it the same
    events, it sees the same again: above all, a card chosen secretly says nothing."""
    begun, rng = data.draw(beginnings(game)), Random(data.draw(SEEDS))
    viewer, table = data.draw(st.sampled_from(viewers(begun.setup))), begun.table
    assume(game.waiting_for(table))
    other = game.imagine(game.view(table, viewer), rng)
    seat = rng.choice(game.waiting_for(table))
    action = rng.choice(game.legal(table, seat))
    after, events = game.apply(table, seat, action)
    expected = looks(game, after, events, viewer)
    draws_cards = any(e["event"] == "draw" and e["seat"] == viewer for e in events)
    assume(expected is not None and not (game.ID == "baron-oxx" and draws_cards))
    again = [action] if viewer == seat else game.legal(other, seat)
    for action in rng.sample(again, min(len(again), 12)):
        found = looks(game, *game.apply(other, seat, action), viewer)
        if len(game.waiting_for(table)) > 1 and not events:
            assert found == expected
        if found is not None and found[:2] == expected[:2]:
            assert found == expected


# -- Events -----------------------------------------------------------------------------------------

# What is told to one seat alone, as the rulebooks say.
PRIVATE = {("eleven-nimmt", "take"): "cards", ("bullenparty", "draw"): "card"}


@FOR_EVERY_GAME
@settings(max_examples=10)
@given(data=DATA)
def test_every_event_tells_exactly_what_it_should(game: Game[Any], data: Any) -> None:
    for step in data.draw(walks(game)).steps():
        for event in step.events:
            assert tuple(event) == ("event", *game.EVENTS[event["event"]])


@FOR_EVERY_GAME
@settings(max_examples=8)
@given(data=DATA)
def test_events_hide_from_a_seat_exactly_what_is_private(game: Game[Any], data: Any) -> None:
    walked = data.draw(walks(game))
    for step in walked.steps():
        for event in step.events:
            private = PRIVATE.get((game.ID, event["event"]))
            if game.ID == "eleven-nimmt" and walked.setup.options["memory_aid"]:
                private = None
            whole = dict(event)
            for viewer in viewers(walked.setup):
                seen = game.seen_by(event, viewer, walked.setup.options)
                hidden = private and event["seat"] != viewer
                assert seen == ({**event, private: None} if hidden else event)
            assert event == whole


def test_every_event_of_every_game_happens() -> None:
    """So that the tests above have seen them all."""
    happened = {
        (game.ID, event["event"])
        for game in GAMES.values()
        for seats in (2, game.SEATS[-1])
        for variant in ([{"variant": "positive"}, {}] if game.ID == "baron-oxx" else [{}])
        for prefer in ("", PREFER[game.ID][0])
        for seed in range(2)
        for step in walk(set_up(game, seats, **variant), seed, prefer)
        for event in step.events
    }
    assert happened == {(game.ID, name) for game in GAMES.values() for name in game.EVENTS}


# -- Points -----------------------------------------------------------------------------------------


@FOR_EVERY_GAME
@settings(max_examples=8)
@given(data=DATA)
def test_finished_rounds_stay_and_add_up_to_the_scores(game: Game[Any], data: Any) -> None:
    walked = data.draw(walks(game))
    rounds: list[tuple[int, ...]] = []
    for step in walked.steps():
        now = [tuple(points) for points in game.rounds(step.after)]
        assert now[: len(rounds)] == rounds
        assert len(now) - len(rounds) == sum(
            event["event"] in ("round_end", "game_end") and game.ID != "bullenparty"
            for event in step.events
        )
        rounds = now
        scores = game.scores(step.after)
        assert all(type(score) is int for score in scores)
        if game.ID not in ("hornochsen", "bullenparty"):  # they have no rounds
            assert scores == [sum(r[seat] for r in rounds) for seat in range(len(scores))]
        winners = game.winners(step.after)
        assert winners == sorted(set(winners))
        assert len({scores[winner] for winner in winners}) == 1


# -- The notation -----------------------------------------------------------------------------------


@FOR_EVERY_GAME
def test_every_move_that_is_written_reads_back(game: Game[Any]) -> None:
    table = next(walk(set_up(game, game.SEATS[0]), seed=0)).before
    assert len(set(game.NOTATION.values())) == len(game.NOTATION)
    for action, text in game.NOTATION.items():
        assert type(action) is int
        assert text == " ".join(text.lower().split())
        assert read_move(game, table, 0, text) == action
        assert read_move(game, table, 0, f"  {text.upper().replace(' ', '   ')} ") == action


@FOR_EVERY_GAME
def test_every_move_has_one_of_the_forms_and_every_form_is_a_move(game: Game[Any]) -> None:
    def form(text: str) -> str:
        return re.sub(r"(?<![\w+])\d+", "N", text)

    assert {form(text) for text in game.NOTATION.values()} == {form(text) for text in game.FORMS}
    assert set(game.FORMS) <= set(game.NOTATION.values())
    assert {rule for rule, _ in game.FORMS.values()} | {game.TURN_RULE} <= RULE_IDS


@FOR_EVERY_GAME
@settings(max_examples=60)
@given(data=DATA)
def test_a_text_that_is_no_move_is_refused_with_a_rule(game: Game[Any], data: Any) -> None:
    table = list(zip(range(3), walk(set_up(game, 2), seed=0), strict=False))[-1][1].after
    words = st.sampled_from([w for text in game.FORMS for w in text.split()] + ["0", "999", "-1"])
    text = data.draw(st.text("ab 10+-xą\n\x00²") | st.lists(words, max_size=4).map(" ".join))
    assume(" ".join(text.lower().split()) not in game.NOTATION.values())
    with pytest.raises(IllegalMove) as refused:
        read_move(game, table, 0, text)
    assert refused.value.refusal.rule in RULE_IDS


# -- Refusals ---------------------------------------------------------------------------------------


def tables_of_all_kinds(walked: Walk) -> list[Any]:
    """The tables of a game where something else may be done than on the tables before."""
    game = walked.setup.game
    found: dict[Any, Any] = {}
    for step in walked.steps():
        for table in (step.before, step.after):
            offered = [game.legal(table, seat) for seat in range(walked.setup.seats)]
            words = {game.NOTATION[action].split()[0] for legal in offered for action in legal}
            kind = frozenset(words), len(game.waiting_for(table)) > 1, is_over(game, table)
            found.setdefault(kind, table)
    return list(found.values())


@FOR_EVERY_GAME
@settings(max_examples=6)
@given(data=DATA)
def test_every_action_outside_legal_is_refused_with_a_rule_and_changes_nothing(
    game: Game[Any], data: Any
) -> None:
    walked = data.draw(walks(game))
    rng = Random(walked.seed)
    for table in tables_of_all_kinds(walked):
        before = facts(table)
        for seat in range(walked.setup.seats):
            legal = game.legal(table, seat)
            for action in {*rng.sample([*game.NOTATION], 100), *STRANGE_ACTIONS} - set(legal):
                with pytest.raises(IllegalMove) as refused:
                    game.apply(table, seat, action)
                error = refused.value
                assert error.seat == seat
                assert error.refusal.rule in RULE_IDS
                assert error.refusal.rule.startswith(game.PREFIX + "-")
                assert error.legal == [game.NOTATION[allowed] for allowed in legal]
                assert error.move == game.NOTATION.get(action, str(action))
        assert facts(table) == before


STRANGE_ACTIONS = (-1, 0, 1, 2, 98, 99, 100, 101, 105, 106, 110, 111, 10**4, 10**9, -(10**9))
