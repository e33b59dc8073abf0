"""What speaks against an action at a glance: for playouts that look a little before they leap.

Each module has one function, `drawback(state, action)`, in points or so; less is better.  It is a hint of
the game's rule of thumb (`bullpen.bots.careful`), made for speed.
"""

ALL = 0

# How many legal actions a playout draws to take the best-looking one, by game; measured at four seats
# (three in Bullenparty) by what wins most against the careful bot.  Where cards are chosen in secret, a
# little chance in what the others do serves better than the habit alone; in turn, the habit does.
LOOKS = {
    "hornochsen": 5,
    "eleven-nimmt": ALL,
    "x-nimmt": 4,
    "baron-oxx": 6,
    "bullenparty": ALL,
    "six-nimmt": 5,
}
