"""6 nimmt! Baron Oxx: its rules, and all that is made of them."""

from bullpen.about import About, Cover, Lesson, Scene

ABOUT = About(
    order=4,
    spread=25,
    looks=6,
    hard_playouts=130,
    cover=Cover(3, (14, 33, 52, 70, 96), "#d99a1c", minutes=30, bots=3),
    lessons=(
        Lesson("goal", "start"),
        Lesson("colours", "start"),
        Lesson("pick", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("choose", "phase choosing", "asks"),
        Lesson("order", "event place"),
        Lesson("full", "cards row 4"),
        Lesson("taken", "own bull pile"),
    ),
    scenes=(
        Scene("BO-6", "place", 3, 2, 0, ("play 100", "row 1")),
        Scene("BO-9", "take", 3, 13, 6, ("play 85",)),
        Scene("BO-10", "take", 3, 36, 11, ("play 17",)),
        Scene("BO-11", "take", 3, 18, 0, ("play 16", "row 1")),
    ),
    pictures=(
        (
            "row 1: 58 / row 2: 1 / row 3: 5 / row 4: 42 / row 5: 84 / laid: 6 88",
            "row 1: 58 *88 / row 2: 1 / row 3: 5 / row 4: 42 *6 / row 5: 84",
        ),
        (
            "row 1: 70 9 / row 2: 1 / laid: 88",
            "row 1: *88 / row 2: 1 / bull pile 0: *70 *9",
        ),
        (
            "row 1: 1 6 42 73 74 / row 2: 5 / laid: 31",
            "row 1: *31 / row 2: 5 / bull pile 0: *1 *6 *42 *73 *74",
        ),
    ),
)
