"""Hornochsen!: its rules, and all that is made of them."""

from bullpen.about import About, Cover, Lesson, Scene

ABOUT = About(
    order=1,
    spread=33,
    looks=5,
    others_learn=True,
    hard_playouts=3200,
    cover=Cover(4, (12, 55, 99, 32, 105), "#2f8a4c", minutes=30, bots=2),
    age=10,
    lessons=(
        Lesson("goal", "start"),
        Lesson("ring", "start"),
        Lesson("pick", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("more", "fact played"),
        Lesson("specials", "event place"),
        Lesson("ripe", "cards row 4"),
        Lesson("taken", "own pile"),
    ),
    scenes=(
        Scene("HO-8", "place", 3, 1, 0, ("play 82",)),
        Scene("HO-11", "special", 3, 14, 8, ("x2 on 19",)),
        Scene("HO-12", "take", 3, 14, 8, ("play 12",)),
    ),
)
