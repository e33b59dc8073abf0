"""Bullenparty: its rules, and all that is made of them."""

from bullpen.about import ALL_MOVES, About, Cover, Lesson, Scene

ABOUT = About(
    order=5,
    spread=8.5,
    looks=ALL_MOVES,
    others_learn=True,
    cover=Cover(6, (18, 53, 101, 112, 90), "#8a5fc7", minutes=20, bots=2),
    age=8,
    lessons=(
        Lesson("goal", "start"),
        Lesson("rows", "start"),
        Lesson("bid", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("take", "phase taking", "asks"),
        Lesson("extend", "phase extending", "asks"),
        Lesson("zero", "event reveal"),
        Lesson("pile", "phase piling", "asks"),
        Lesson("piles", "event pile"),
    ),
    scenes=(
        Scene("BP-9", "take", 3, 1, 0, ("bid 40", "take 1")),
        Scene("BP-10", "extend", 3, 1, 0, ("bid 0", "extend 1")),
        Scene("BP-12", "bull", 3, 1, 0, ("bid 0", "extend 1", "bid 0", "extend 2")),
        Scene("BP-16", "pile", 3, 15, 7, ("pile 93 on 67",)),
    ),
)
