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
    pictures=(
        (
            "stack 1: 98 / hand 0: 5",
            "stack 1: 98 *5",
        ),
        (
            "stack 1: 33 / hand 0: 34 35 36 37 38 39 40 41 42 43",
            "stack 1: 33 *34 *35 *36 *37 *38 *39 *40 *41 *42 *43",
        ),
        (
            "stack 1: 31",
            "stack 1: 31 *36 *46",
            "stack 2: *23 / stack 3: *87 / hand 2: *31 *36 *46",
            "stack 2: 23 / stack 3: 87 *88 *92 *98 *5",
            "stack 3: 87 88 92 98 5 / stack 4: *70 / stack 5: *44 / hand 0: *23",
        ),
    ),
)
