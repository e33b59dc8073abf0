"""X nimmt!: its rules, and all that is made of them."""

from bullpen.about import About, Cover, Lesson, Scene

ABOUT = About(
    order=3,
    spread=14,
    looks=4,
    hard_playouts=130,
    practice_options={"rounds": 1},
    cover=Cover(2, (10, 22, 55, 71, 95), "#b0213c", minutes=25, bots=2),
    age=8,
    lessons=(
        Lesson("goal", "start"),
        Lesson("hand", "start"),
        Lesson("pick", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("keep", "phase keeping", "asks"),
        Lesson("low", "phase taking", "asks"),
        Lesson("order", "event place"),
        Lesson("row", "own x row"),
        Lesson("end", "hand 4"),
    ),
    scenes=(
        Scene("XN-5", "place", 3, 26, 2, ("play 82",)),
        Scene("XN-6", "collect", 3, 34, 1, ("play 55", "keep 15")),
        Scene("XN-7", "collect", 3, 3, 1, ("play 27", "row 1")),
        Scene("XN-10", "x_flush", 3, 22, 2, ("play 94", "play 60", "keep 33")),
    ),
)
