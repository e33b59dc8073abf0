"""A review as one page of HTML that needs nothing else: no script, no file, no other place."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from bullpen.coach import drawing, wording
from bullpen.coach.candidates import Candidate
from bullpen.coach.curves import curve, round_starts
from bullpen.coach.grades import limits
from bullpen.coach.pictures import cards_of, place_name
from bullpen.coach.review import Judged, Review
from bullpen.game import titled
from bullpen.text import Voice

WORST_DRAWN = 12
CANDIDATES_SHOWN = 5


def page(voice: Voice, review: Review) -> str:
    """Well-formed as XML, too, so that any reader can take it apart."""
    title = voice.say("coach.review.title", title=titled(review.game, review.match.options))
    style = (Path(__file__).parent / "page.css").read_text("utf-8")
    parts = (
        opening(voice, review, title),
        summary(voice, review),
        course(voice, review),
        verdicts(voice, review),
        moments(voice, review),
        all_decisions(voice, review),
        method(voice, review),
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{voice.language}">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"{drawing.SYMBOLS}\n<main>\n{''.join(parts)}</main>\n</body>\n</html>\n"
    )


def marked(sentence: str) -> str:
    """What is typed, between backquotes in our sentences, as code."""
    parts = escape(sentence).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))


def minus(text: str) -> str:
    return text.replace("-", "−")


def row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>\n"


def head(voice: Voice, *columns: tuple[str, str]) -> str:
    """The headings of a table: keys of the locale files, and their classes."""
    cells = [
        f'<th scope="col" class="{kind}">{escape(voice.say(f"coach.review.{key}"))}</th>'
        for key, kind in columns
    ]
    return f"<thead>{row(cells)}</thead>"


def section(voice: Voice, key: str, *parts: str) -> str:
    heading = escape(voice.say(f"coach.review.{key}"))
    return f"<section>\n<h2>{heading}</h2>\n{''.join(parts)}</section>\n"


# -- The whole game ---------------------------------------------------------------------------


def opening(voice: Voice, review: Review, title: str) -> str:
    match = review.match
    lines = [voice.say("coach.review.players", names=match.names)]
    if match.is_over:
        facts = match.game, match.options, match.scores, match.winners, match.names
        lines.append(voice.result(*facts))
    paragraphs = "".join(f"<p>{marked(line)}</p>\n" for line in lines)
    notes = "".join(
        f'<p class="note">{escape(note)}</p>\n' for note in wording.notes(voice, review)
    )
    return f"<header>\n<h1>{escape(title)}</h1>\n{paragraphs}{notes}</header>\n"


def summary(voice: Voice, review: Review) -> str:
    wholes = [seat.whole for seat in review.seats]
    most = max(abs(part) for one in wholes for part in (one.deal, one.play, one.skill, one.lost))
    rows = []
    for seat in review.seats:
        whole = seat.whole
        lost = f"{wording.decimal(voice, whole.lost)} ±{wording.decimal(voice, whole.lost_error)}"
        cells = [f'<th scope="row">{escape(seat.name)}</th>']
        cells.append(f'<td class="n"><b>{minus(wording.signed(voice, whole.result))}</b></td>')
        for part in (whole.deal, whole.play, whole.skill):
            number = minus(wording.signed(voice, part))
            cells.append(f'<td class="n">{number}{drawing.bar(part, most)}</td>')
        cells.append(f'<td class="n">{lost}{drawing.bar(-whole.lost, most)}</td>')
        counts = voice.say("coach.review.counts", **seat.grades)
        cells.append(f'<td class="n">{escape(counts)}</td>')
        rows.append(row(cells))
    numbers = [(key, "n") for key in ("result", "deal", "play", "skill", "lost", "mistakes")]
    table = f"<table>{head(voice, ('name', ''), *numbers)}<tbody>{''.join(rows)}</tbody></table>"
    note = escape(voice.say("coach.review.summary_note"))
    scrolled = f'<div class="scroll">{table}</div>\n<p class="soft">{note}</p>\n'
    return section(voice, "summary", scrolled)


def course(voice: Voice, review: Review) -> str:
    curves = [(seat.seat, curve(review, seat)) for seat in review.seats]
    leads = [point.lead for _, points in curves for point in points] or [0.0]
    facts = {"least": minus(wording.signed(voice, min(leads)))}
    facts["most"] = minus(wording.signed(voice, max(leads)))
    picture = drawing.chart(
        curves,
        round_starts(review),
        voice.say("coach.review.chart"),
        voice.say("coach.review.chart_text", **facts),
        voice.say("coach.review.moment"),
    )
    keys = "".join(
        f"<li>{drawing.legend_line(seat.seat)}{escape(seat.name)} "
        f"<b>{minus(wording.signed(voice, seat.whole.result))}</b></li>"
        for seat in review.seats
    )
    note = escape(voice.say("coach.review.chart_note"))
    return section(
        voice,
        "chart",
        f'<div class="scroll">{picture}</div>\n<ul class="legend">{keys}</ul>\n',
        f'<p class="soft">{note}</p>\n',
    )


def verdicts(voice: Voice, review: Review) -> str:
    parts = "".join(
        f"<div><h3>{escape(seat.name)}</h3>"
        f"<p>{marked(' '.join(wording.verdict(voice, review, seat)))}</p></div>\n"
        for seat in review.seats
    )
    return section(voice, "verdicts", f'<div class="verdicts">\n{parts}</div>\n')


def method(voice: Voice, review: Review) -> str:
    points = {grade: wording.decimal(voice, least) for grade, least in limits(review.game).items()}
    until = wording.until(voice, review.game)
    text = voice.say("coach.review.how_text", playouts=review.playouts, until=until, **points)
    deck = voice.deck_note(review.game, review.match.deck)
    heading = escape(voice.say("coach.review.how"))
    return (
        f"<footer>\n<h2>{heading}</h2>\n<p>{escape(text)}</p>\n<p>{escape(deck)}</p>\n</footer>\n"
    )


# -- Single decisions -------------------------------------------------------------------------


def moments(voice: Voice, review: Review) -> str:
    worst = review.worst(WORST_DRAWN)
    if not worst:
        none = escape(voice.say("coach.review.no_worst"))
        return section(voice, "worst", f"<p>{none}</p>\n")
    return section(voice, "worst", *(moment(voice, review, one) for one in worst))


def moment(voice: Voice, review: Review, one: Judged) -> str:
    name = review.match.names[one.seat]
    grade = f"coach.grade.{one.grade}"
    heading = voice.say(
        "coach.review.heading", number=one.number, name=name, grade=voice.say(grade)
    )
    facts: dict[str, Any] = {"move": voice.typed(one.move), "best": voice.typed(one.best)}
    facts["points"] = wording.decimal(voice, one.lost)
    facts["error"] = wording.decimal(voice, one.behind_error)
    comparison = voice.say("coach.review.told", **facts)
    shown = [*one.candidates[:CANDIDATES_SHOWN]]
    shown += [c for c in one.candidates[CANDIDATES_SHOWN:] if c.move == one.move]
    means = wording.means(voice, review.game, one)
    rows = "".join(
        candidate_row(voice, review, one, candidate, means.get(candidate.move, ""))
        for candidate in shown
    )
    more = len(one.candidates) - len(shown)
    rest = f'<p class="soft">{escape(voice.say("coach.review.more", count=more))}</p>\n'
    columns = ("move", ""), ("lead", "n"), ("behind", "n")
    return (
        f'<div class="moment"><h3 class="{one.grade} grade">{escape(heading)}</h3>\n'
        f'<p>{marked(comparison)}</p>\n<div class="sides">{table_picture(voice, review, one)}<div>'
        f'<div class="scroll"><table>{head(voice, *columns)}<tbody>{rows}</tbody></table></div>\n'
        f"{rest if more > 0 else ''}</div></div></div>\n"
    )


def table_picture(voice: Voice, review: Review, one: Judged) -> str:
    """The rows and the own cards, with the cards of the two moves framed."""
    assert one.view is not None, "of a moment that is worth a picture it is kept"
    chosen, best = (cards_of(review.game, one.view, move) for move in (one.move, one.best))
    lines = []
    for place, cards in one.seen:
        drawn = ""
        for card in cards:
            mark = "is-best" if card in best else "is-chosen" if card in chosen else ""
            drawn += card_picture(voice, review, card, mark)
        name = escape(place_name(voice, place))
        lines.append(f"<dt>{name}</dt><dd>{drawn}</dd>")
    return f'<dl class="places">{"".join(lines)}</dl>\n'


def card_picture(voice: Voice, review: Review, card: int, mark: str = "") -> str:
    name, _, heads = drawing.face(review.game, review.match.deck, card)
    label = voice.say("coach.review.card", name=name)
    if heads:
        label += ", " + voice.say("coach.review.heads", heads=len(heads))
    if mark:
        label += ", " + voice.say(f"coach.review.{mark.removeprefix('is-')}")
    return drawing.card(review.game, review.match.deck, card, label, mark)


def candidate_row(
    voice: Voice, review: Review, one: Judged, candidate: Candidate, means: str
) -> str:
    tags = ""
    for kind, move in (("best", one.best), ("chosen", one.move)):
        if candidate.move == move:
            word = escape(voice.say(f"coach.review.{kind}"))
            tags += f'<span class="tag is-{kind}">{word}</span>'
    cards = [] if one.view is None else cards_of(review.game, one.view, candidate.move)
    pictures = "".join(card_picture(voice, review, card) for card in cards)
    lead = minus(wording.signed(voice, candidate.lead))
    error = wording.decimal(voice, candidate.error)
    # All from the first look, as the leads beside them; the sentence above tells the second look at the chosen move.
    behind, off = candidate.behind, candidate.behind_error
    cost = f"{wording.decimal(voice, behind)} ±{wording.decimal(voice, off)}"
    if candidate is one.candidates[0]:
        cost = ""
    move = f'<span class="move">{pictures}<code>{escape(voice.typed(candidate.move))}</code>{tags}</span>'
    if means:
        move += f'<br/><small class="soft">{escape(means)}</small>'
    cells = (
        f'<th scope="row">{move}</th>',
        f'<td class="n">{lead} ±{error}</td>',
        f'<td class="n">{cost}</td>',
    )
    return row(cells)


def all_decisions(voice: Voice, review: Review) -> str:
    names, rows = review.match.names, []
    for one in review.decisions:
        lead = "" if one.expected is None else minus(wording.signed(voice, one.expected))
        cost = wording.decimal(voice, one.lost) if one.lost else ""
        better = f"<code>{escape(voice.typed(one.best))}</code>" if one.lost else ""
        grade = escape(voice.say(f"coach.grade.{one.grade}"))
        cells = (
            f'<th scope="row" class="n">{one.number}</th>',
            f"<td>{escape(names[one.seat])}</td><td><code>{escape(voice.typed(one.move))}</code></td>",
            f'<td>{better}</td><td class="n">{cost}</td><td class="n">{lead}</td>',
            f'<td><span class="{one.grade} grade">{grade}</span></td>'
            if one.lost
            else f'<td class="soft">{grade}</td>',
        )
        rows.append(row(cells))
    columns = (("number", "n"), ("name", ""), ("move", ""), ("better", ""), ("behind", "n"))
    heading = head(voice, *columns, ("lead", "n"), ("grade", ""))
    title = escape(voice.say("coach.review.all"))
    table = f"<table>{heading}<tbody>{''.join(rows)}</tbody></table>"
    return f'<details><summary>{title}</summary>\n<div class="scroll">{table}</div></details>\n'
