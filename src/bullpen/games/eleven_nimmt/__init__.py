"""11 nimmt!: its rules, and all that is made of them."""

from bullpen.about import ALL_MOVES, About, Cover, Lesson, Scene

ABOUT = About(
    order=2,
    spread=20,
    looks=ALL_MOVES,
    others_learn=True,
    hard_playouts=200,
    practice_seed=8,
    practice_options={"rounds": 1},
    cover=Cover(5, (9, 44, 55, 60, 100), "#dd6a2c", minutes=30, bots=2),
    age=8,
    lessons=(
        Lesson("goal", "start"),
        Lesson("turn", "start"),
        Lesson("pick", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("take", "event place"),
        Lesson("open", "event open"),
        Lesson("bull", "fact bulls"),
    ),
    scenes=(
        Scene("EN-6", "place", 3, 1, 3, ("play 22 on 19",)),
        Scene("EN-9", "take", 3, 2, 3, ("take 91",)),
        Scene("EN-11", "bull", 3, 1, 3, ("take 19",)),
        Scene("EN-14", "place", 3, 1, 9, ("play 45 on 44", "play 49 on 44")),
    ),
)
