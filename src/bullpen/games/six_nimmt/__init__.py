"""6 nimmt!: its rules, and all that is made of them."""

from bullpen.about import About, Cover, Lesson, Scene

ABOUT = About(
    order=6,
    spread=11,
    looks=5,
    practice_options={"rounds": 1},
    cover=Cover(1, (7, 40, 55, 88, 103), "#4f87a8", minutes=45, bots=3),
    lessons=(
        Lesson("goal", "start"),
        Lesson("hand", "start"),
        Lesson("pick", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("low", "phase taking", "asks"),
        Lesson("order", "event place"),
        Lesson("full", "cards row 5"),
        Lesson("taken", "own taken"),
    ),
    scenes=(
        Scene("SN-4", "place", 3, 2, 1, ("play 66",)),
        Scene("SN-5", "take", 3, 5, 3, ("play 96",)),
        Scene("SN-6", "take", 3, 2, 2, ("play 1", "row 1")),
    ),
)
