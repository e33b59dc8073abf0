def choose(view, rng):
    return rng.choice(view.legal)
