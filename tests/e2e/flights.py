"""Which cards fly on a page, and from where to where: read from its animations, as somebody would see them."""

from __future__ import annotations

from typing import Any, NamedTuple

from playwright.sync_api import Page

# Notes every flight that begins: of a card that is on the page afterwards, and of one that leaves it.  A place is what
# carries its name there; a tray is called by its seat.
WATCH = """() => {
    const seen = [];
    const placeAt = (x, y) => {
        let found = null, smallest = Infinity;
        for (const node of document.querySelectorAll('[data-place], .tray')) {
            const box = node.getBoundingClientRect();
            const inside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
            if (!inside || box.width * box.height >= smallest) continue;
            smallest = box.width * box.height;
            found = node.dataset.place
                ?? `tray ${node.parentElement.querySelector('[data-seat]').dataset.seat}`;
        }
        return found;
    };
    const plain = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        if (how?.id === 'fly') {
            const box = this.getBoundingClientRect();
            const x = box.left + box.width / 2, y = box.top + box.height / 2;
            const leaves = this.classList.contains('leaving');
            const [dx, dy] = frames.at(leaves ? -1 : 0).translate.split(' ').map(parseFloat);
            const here = placeAt(x, y), there = placeAt(x + dx, y + dy);
            const card = this.querySelector('[role=img]')?.getAttribute('aria-label') ?? '';
            const [from, to] = leaves ? [here, there] : [there, here];
            const lying = leaves ? 0 : this.closest('[data-place]')?.querySelectorAll('[data-flip]').length;
            if (from !== to) seen.push({card, from, to, lying: lying ?? 0});
        }
        return plain.call(this, frames, how);
    };
    document.addEventListener('flown', (event) => event.detail.push(...seen));
}"""
SEEN = """() => {
    const seen = [];
    document.dispatchEvent(new CustomEvent('flown', {detail: seen}));
    return seen;
}"""


class Flown(NamedTuple):
    card: str  # in words
    origin: str | None
    to: str | None
    lying: int  # cards at its end, this one among them; 0 where they are not shown


def watch_flights(page: Page) -> None:
    page.evaluate(WATCH)


def flown(page: Page) -> list[Flown]:
    """In the order in which they began."""
    seen: list[dict[str, Any]] = page.evaluate(SEEN)
    return [Flown(one["card"], one["from"], one["to"], one["lying"]) for one in seen]
