"""What the boxes on a page say of its layout: whether cards can be read, whether anything is cut or lies over something."""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from playwright.sync_api import Page, TimeoutError

from tests.e2e.sitting import ASKED, Sitting, sit_down
from tests.e2e.table import MINE_NOW, Visit

SIZES = {
    "tiny phone": (320, 568),
    "small phone": (360, 640),
    "phone": (390, 844),
    "small phone sideways": (667, 375),
    "phone sideways": (844, 390),
    "tablet": (768, 1024),
    "laptop": (1280, 800),
    "laptop at 200 %": (720, 450),
    "desktop": (1920, 1080),
    "large desktop": (2560, 1440),
}
SCROLLED = {(320, 568)}  # the last resort: here the table may be longer than the screen
NARROWEST = 34  # px of a card whose number can be read
CROWDED = 24  # of those that lie before the names of a full table
PEEKS = 20  # px: what must be seen of every card of a hand, for its number is in its corner


class Full(NamedTuple):
    """A table with all its seats taken, after so many decisions."""

    seats: int
    decisions: int
    theme: str


FULL = {
    "six-nimmt": Full(10, 3, "meadow"),
    "x-nimmt": Full(4, 4, "dusk"),
    "baron-oxx": Full(6, 4, "barn"),
    "hornochsen": Full(6, 3, "meadow"),
    "eleven-nimmt": Full(7, 4, "daylight"),
    "bullenparty": Full(5, 5, "meadow"),
}


def full_table(visit: Visit, game: str, size: tuple[int, int]) -> Page:
    """With known cards, and nothing done yet."""
    page = sit_down(visit, game, size, FULL[game].seats, theme=FULL[game].theme)
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_selector(ASKED)
    return page


def play_on(page: Page, decisions: int) -> None:
    """So many decisions, and on to one in which a card can be picked."""
    sitting, made = Sitting(page, seed=3), 0
    page.wait_for_selector(ASKED)
    while made < decisions or not page.locator(MINE_NOW).count():
        # What was there a moment ago may be gone when it is pressed: then there is a next step.
        with contextlib.suppress(TimeoutError):
            sitting.decide()
        made += 1
        page.wait_for_selector(ASKED)  # the next question: until then the table goes on
    # What is said aloud is said when all cards have landed.
    page.wait_for_function("() => document.querySelector('.app > [role=status]')?.textContent")


def faults_of_table(page: Page) -> list[str]:
    """Everything on a table that cannot be read, is cut, or lies over something else."""
    limits = {"narrowest": NARROWEST, "crowded": CROWDED, "peeks": PEEKS}
    found: list[str] = page.evaluate(MEASURE, limits)
    return found


def faults_of_page(page: Page) -> list[str]:
    """Everything on any other page that is cut at its sides."""
    found: list[str] = page.evaluate(f"() => {{ {COMMON}; return cutAtSides(); }}")
    return found


COMMON = r"""
    const boxOf = (node) => node.getBoundingClientRect();
    const seen = (node) => node.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})
        && !node.closest('.vh') && boxOf(node).width > 1;
    const all = (what, root = document) => [...root.querySelectorAll(what)].filter(seen);
    const told = (node) => {
        const {x, y, width, height} = boxOf(node);
        const name = node.getAttribute('aria-label') || node.dataset?.place || node.textContent.trim().slice(0, 24);
        return `${node.tagName.toLowerCase()}.${[...node.classList].filter((one) => !one.startsWith('svelte')).join('.')}`
            + ` "${name}" (${[x, y, width, height].map(Math.round).join(' ')})`;
    };
    const clips = (node) => {
        const {overflowX, overflowY} = getComputedStyle(node);
        return {x: overflowX === 'hidden' || overflowX === 'clip', y: overflowY === 'hidden' || overflowY === 'clip',
                scrolls: overflowX === 'auto' || overflowX === 'scroll'};
    };
    // By an ancestor that hides what is beyond its edges.
    const cutBy = (node) => {
        const box = boxOf(node);
        for (let over = node.parentElement; over && over !== document.body; over = over.parentElement) {
            const {x, y, scrolls} = clips(over), edge = boxOf(over);
            if (scrolls) return null;
            if (x && (box.left < edge.left - 2 || box.right > edge.right + 2)) return over;
            if (y && (box.top < edge.top - 2 || box.bottom > edge.bottom + 2)) return over;
        }
        return null;
    };
    const isText = (node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim());
    const cutAtSides = () => {
        const faults = [];
        if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);
        for (const node of all('body *')) {
            if (!isText(node) && !node.matches('button, a, input, select, .card')) continue;
            if (node.closest('svg')) continue;
            const box = boxOf(node);
            let inScroller = false;
            for (let over = node.parentElement; over; over = over.parentElement) inScroller ||= clips(over).scrolls;
            if (!inScroller && (box.left < -1 || box.right > innerWidth + 1)) faults.push(`beyond the edge: ${told(node)}`);
            if (node.closest('.fan')) continue;  // a picture
            const over = cutBy(node);
            if (over) faults.push(`cut: ${told(node)} by ${told(over)}`);
            if (node.matches('.go, .ghost') && node.scrollWidth > node.clientWidth + 1) faults.push(`out of its button: ${told(node)}`);
            if (isText(node) && clips(node).x && node.scrollWidth > node.clientWidth + 1) faults.push(`text is cut: ${told(node)}`);
        }
        return faults;
    };
"""
MEASURE = (
    "({narrowest, crowded, peeks}) => {"
    + COMMON
    + r"""
    const faults = cutAtSides();
    const seats = all('.seats .seat'), hand = all('.hand > li');
    // Cards that can be read.
    for (const card of all('.card:not(.down)')) {
        if (card.closest('dialog')) continue;
        const least = card.closest('.seats') && seats.length > 4 ? crowded : narrowest;
        if (card.offsetWidth < least) faults.push(`too narrow: ${told(card)}`);
    }
    // Names that are whole, and not broken where they have no end.
    for (const name of all('.who b', document)) {
        const lines = Math.round(boxOf(name).height / parseFloat(getComputedStyle(name).lineHeight));
        if (lines > name.textContent.trim().split(/[ -]/).length) faults.push(`a broken name: ${told(name)}`);
    }
    // The page's end is where the last thing ends.
    const bottom = document.documentElement.scrollHeight - scrollY;
    for (const node of all('.app .card, .app button, .app .seat'))
        if (boxOf(node).bottom > bottom + 2 || boxOf(node).top + scrollY < -2) faults.push(`below the end: ${told(node)}`);
    // What must not lie over one another: each of these with every other.
    const zones = [...all('.app > header'), ...seats, ...all('.say'), ...all('.acts > *'),
        ...all('main .board [data-place], main .board .chip, main .board section, main .board .own'), ...hand];
    const related = (a, b) => a.contains(b) || b.contains(a) || (hand.includes(a) && hand.includes(b));
    for (const [at, a] of zones.entries()) for (const b of zones.slice(at + 1)) {
        if (related(a, b)) continue;
        const [p, q] = [boxOf(a), boxOf(b)];
        const [wide, high] = [Math.min(p.right, q.right) - Math.max(p.left, q.left), Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top)];
        const slack = hand.includes(a) || hand.includes(b) ? 9 : 3;  // a fanned card is turned
        if (wide > slack && high > slack) faults.push(`over one another by ${Math.round(wide)} x ${Math.round(high)}: ${told(a)}, ${told(b)}`);
    }
    // Cards within their row, and seats around what is in them.
    for (const holder of [...all('main .board .row'), ...seats, ...all('main .board .stack, main .board .own > li')])
        for (const node of all('.card, b, .stat, small, .name, .span', holder)) {
            const [box, edge] = [boxOf(node), boxOf(holder)];
            if (box.left < edge.left - 3 || box.right > edge.right + 3 || box.top < edge.top - 5 || box.bottom > edge.bottom + 5)
                faults.push(`out of its place: ${told(node)} in ${told(holder)}`);
        }
    // Nobody sits alone where others sit side by side.
    const lines = Object.values(Object.groupBy(seats, (seat) => Math.round(boxOf(seat).top)));
    const last = lines.at(-1);
    if (last?.length === 1 && lines.length > 1 && lines.some((line) => line.length > 1)
        && boxOf(last[0]).width < 1.5 * boxOf(lines.find((line) => line.length > 1)[0]).width)
        faults.push(`alone: ${told(last[0])}`);
    // What is seen of the cards of a hand, also under one that is picked.
    for (const card of all('.hand > .low')) {
        const box = boxOf(card), over = document.elementFromPoint(box.left + 0.3 * box.width, box.top + 0.3 * box.height);
        if (over && !card.contains(over) && !over.closest('.hand > .low')) faults.push(`covered by ${told(over)}: ${told(card)}`);
    }
    for (const [at, card] of hand.entries()) {
        const next = hand[at + 1];
        if (!next || next.style.gridRow !== card.style.gridRow) continue;
        const part = next.offsetLeft - card.offsetLeft;
        if (part < peeks) faults.push(`of ${told(card)} only ${Math.round(part)} px are seen`);
        if (innerWidth >= 1120 && hand.length <= 15 && part < 0.7 * card.offsetWidth)
            faults.push(`a wide screen, and of ${told(card)} only ${Math.round(part)} of ${card.offsetWidth} px are seen`);
    }
    return faults;
}"""
)
