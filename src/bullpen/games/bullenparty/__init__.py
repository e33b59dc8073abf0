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
    pictures=(
        (
            "row 1: 22 24 60 / pile 1 of 0: 13 / hand 0: 20",
            "pile 1 of 0: 13 *20 *22 / hand 0: *24 *60",
        ),
        (
            "row 1: 2 4 18 / pile 1 of 0: 13 20 22 / bid 0: 24",
            "pile 1 of 0: 13 20 22 / pile 2 of 0: *4 *18 / hand 0: *2",
        ),
        (
            (
                "row 1: 17 18 35 49 77 106 / row 2: 24 33 3 75 94 107 / row 3: 11 19 55 63 93 110 / "
                "bid 0: 13 / bid 1: 85 / bid 2: 36"
            ),
            (
                "pile 1 of 0: 23 / hand 0: 51 72 *24 *33 *3 *75 *94 / pile 3 of 2: 10 / "
                "pile 4 of 2: 86 / hand 2: 87 *11 *19 *55 *63 *93 / pile 2 of 1: 31 / "
                "hand 1: *17 *18 *35 *49 *77"
            ),
            (
                "pile 1 of 0: 23 *24 *33 / pile 5 of 0: *51 *72 / hand 0: 3 75 94 / "
                "pile 3 of 2: 10 *11 *19 / pile 4 of 2: 86 *87 *93 / hand 2: 55 63 / "
                "pile 2 of 1: 31 *49 / pile 6 of 1: *17 *18 *35 / hand 1: 77"
            ),
        ),
    ),
)
