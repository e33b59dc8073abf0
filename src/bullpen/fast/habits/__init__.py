"""What speaks against an action at a glance: for playouts that look a little before they leap.

Each module has one function, `drawback(state, action)`, in points or so; less is better.  It is a hint of
the game's rule of thumb (`bullpen.bots.careful`), made for speed.
"""
