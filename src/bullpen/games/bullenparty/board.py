"""The table of Bullenparty."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from bullpen.cards import Card
from bullpen.game import Seat
from bullpen.games.bullenparty.rules import (
    BID,
    BULL_SUPPLY,
    BULLS,
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
    arranged,
    cards_line,
    facts_line,
    hand_below,
    hand_counted,
    heading,
    known_cards,
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
    table = [
        heading(sight, "table.rows_to_take"),
        *rows_on_table(sight),
        *facts_line(sight, supplies(sight)),
        *known_cards(sight, "table.discard_known", DISCARD),
        *waiting_cards(sight, "table.bids", BID),
    ]
    return arranged(sight, table, players(sight), own_hand(sight, HAND))


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
        drawn.append(Row(label, [*chips(sight, cards), *room], heads_in_row(sight, cards)))
    return row_lines(sight, drawn)


def heads_in_row(sight: Sight, cards: Sequence[Card]) -> str:
    """`12 heads`, and with bull cards `12 + 4 heads`."""
    heads = heads_on(sight, numbers_in(cards))
    bulls = [bull_heads(sight.table, card) for card in cards if card in BULLS]
    if not bulls:
        return sight.words("table.heads", heads=heads)
    return sight.words("table.heads_and_bulls", heads=heads, bulls=sum(bulls))


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
            hand_counted(sight, HAND + seat, BID + seat),
            sight.words("table.zero_card", letter=zero_letter(sight, seat)),
            sight.words("table.bulls_won", heads=sum(won)),
            points(sight, seat),
        ]

    def below(seat: Seat) -> list[Text]:
        return players_piles(sight, seat) + hand_below(sight, seat, HAND)

    def piles_in_brief(seat: Seat) -> list[Text]:
        return [] if sight.layout == "full" else tops_of_piles(sight, seat)

    return player_lines(sight, facts, piles_in_brief, below)


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


def tops_of_piles(sight: Sight, seat: Seat) -> list[Text]:
    """Of every pile its top card, and the heads on the whole pile: `[88▼1] 12`."""
    tops = [
        Text.assemble(*chips(sight, pile[-1:]), f" {heads_on(sight, pile)}")
        for pile in piles(sight.table, seat)
    ]
    return [Text(sight.words("table.tops_of_piles"), "dim"), *tops] if tops else []


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
