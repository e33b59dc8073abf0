"""The table of Bullenparty."""

from __future__ import annotations

from rich.text import Text

from bullpen.cards import Card
from bullpen.game import Seat
from bullpen.games.bullenparty import (
    BID,
    BULL_SUPPLY,
    DISCARD,
    DRAW,
    DRAWN,
    EXTENDING,
    FULL_ROW,
    HAND,
    HAND_SIZE,
    PILING,
    ROW,
    TAKING,
    WON,
    ZEROS,
    bull_heads,
    numbers_in,
    open_rows,
    piles,
    rows,
    zero_may_be_bid,
)
from bullpen.terminal.boards.layout import (
    INDENT,
    Row,
    cards_line,
    counted,
    facts_line,
    hand_below,
    heading,
    known_cards,
    no_cards,
    own_hand,
    player_lines,
    points,
    row_lines,
    waiting_cards,
    words_line,
)
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.cards import chips, empty_space, heads_on
from bullpen.terminal.sight import Sight


def draw(sight: Sight) -> list[Text]:
    return [
        heading(sight, "table.rows_to_take"),
        *rows_on_table(sight),
        *facts_line(sight, supplies(sight)),
        *known_cards(sight, "table.discard_known", DISCARD),
        *waiting_cards(sight, "table.bids", BID),
        heading(sight, "table.players"),
        *players(sight),
        *own_hand(sight, HAND),
    ]


def rows_on_table(sight: Sight) -> list[Text]:
    if not open_rows(sight.table):
        return words_line(sight, sight.words("table.all_taken"))
    drawn = []
    for row in rows(sight.table):
        cards, label = sight.lying(ROW + row), sight.words("table.row", row=row)
        if not cards:
            drawn.append(Row(label, [Text(sight.words("table.row_taken"), "dim")]))
            continue
        numbers = numbers_in(cards)
        room = [empty_space(sight)] * (FULL_ROW - len(numbers))
        note = sight.words("table.heads", heads=heads_on(sight, numbers))
        drawn.append(Row(label, [*chips(sight, cards), *room], note))
    return row_lines(sight, drawn)


def supplies(sight: Sight) -> list[str]:
    bulls = [bull_heads(sight.table, bull) for bull in sight.lying(BULL_SUPPLY)]
    return [
        sight.words("table.draw_pile", count=len(sight.lying(DRAW))),
        sight.words("table.discard_pile", count=len(sight.lying(DISCARD))),
        sight.words("table.next_bull", heads=bulls[0], count=len(bulls))
        if bulls
        else sight.words("table.no_bulls"),
    ]


def players(sight: Sight) -> list[Text]:
    def facts(seat: Seat) -> list[str]:
        won = [bull_heads(sight.table, bull) for bull in sight.lying(WON + seat)]
        return [
            counted(sight, "table.hand", HAND + seat),
            sight.words("table.zero_card", letter=zero_letter(sight, seat)),
            sight.words("table.bulls_won", heads=sum(won)),
            points(sight, seat),
        ]

    def below(seat: Seat) -> list[Text]:
        return players_piles(sight, seat) + hand_below(sight, seat, HAND)

    return player_lines(sight, facts, no_cards, below)


def zero_letter(sight: Sight, seat: Seat) -> str:
    """Whose zero card is which is open to all, wherever the card is just now."""
    held = (*sight.view.remembered[HAND + seat], *sight.view.remembered[BID + seat])
    return next((sight.game.CARD_NAMES[card] for card in held if card in ZEROS), "")


def players_piles(sight: Sight, seat: Seat) -> list[Text]:
    """Bottom to top; the top card is where the pile goes on."""
    lines = []
    for pile in piles(sight.table, seat):
        label = INDENT * 2 + sight.words("table.pile_so_far", heads=heads_on(sight, pile))
        lines += cards_line(sight, label, pile)
    return lines


def question(sight: Sight) -> Question:
    assert sight.seat is not None
    table = sight.table
    if table.phase == TAKING:
        return Question("take", {}, ("BP-9", "BP-15", "BP-16", "BP-17"))
    if table.phase == EXTENDING:
        (card,) = sight.lying(DRAWN)
        return Question("extend", {"card": card}, ("BP-10", "BP-11", "BP-12"))
    if table.phase == PILING:
        return piling_question(sight, numbers_in(sight.lying(HAND + sight.seat)))
    bidding = ("BP-8", "BP-9", "BP-10", "BP-13", "BP-14", "BP-21")
    key = "bid" if zero_may_be_bid(table) else "bid_without_zero"
    return Question(key, {"rows": len(open_rows(table))}, bidding)


def piling_question(sight: Sight, numbers: list[Card]) -> Question:
    rules = ("BP-15", "BP-16", "BP-21")
    if sight.table.emptied:
        return Question("pile_all", {"count": len(numbers)}, (*rules, "BP-20"))
    return Question("pile", {"count": len(numbers) - HAND_SIZE}, rules)
