"""Two choose at once, and what one gains the other loses: how often each should choose what, and its worth.

The simplex method on the few rows and columns of one turn, so the solution is exact up to rounding.
"""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled

MOST_CHOICES = 10  # of each of the two
TABLEAU = (MOST_CHOICES + 1, 2 * MOST_CHOICES + 1)
TINY = 1e-11  # what rounding leaves of nothing


@compiled
def solve(gains, rows, columns, own, other, tableau):
    """The worth of `gains` [rows, columns] to who chooses the row.  How often each of the two should choose what
    goes into `own` and `other`: against these, nobody gains by choosing otherwise.  `tableau` is room to count in."""
    least, width = gains[:rows, :columns].min(), columns + rows + 1
    basis = np.empty(MOST_CHOICES, np.int64)
    tableau[: rows + 1, :width] = 0.0
    for row in range(rows):
        for column in range(columns):
            # A positive game has a positive worth.
            tableau[row, column] = gains[row, column] - least + 1.0
        tableau[row, columns + row] = tableau[row, width - 1] = 1.0
        basis[row] = columns + row
    tableau[rows, :columns] = -1.0
    entering = first_below_zero(tableau[rows], width - 1)
    while entering >= 0:
        pivot(tableau, basis, leaving(tableau, basis, entering, rows, width), entering, rows, width)
        entering = first_below_zero(tableau[rows], width - 1)
    worth = 1.0 / tableau[rows, width - 1]
    other[:columns] = 0.0
    for row in range(rows):
        own[row] = max(0.0, tableau[rows, columns + row] * worth)
        if basis[row] < columns:
            other[basis[row]] = max(0.0, tableau[row, width - 1] * worth)
    return worth + least - 1.0


@compiled
def first_below_zero(costs, count):
    """Always the first one (Bland's rule), or the method could go round in circles."""
    for column in range(count):
        if costs[column] < -TINY:
            return column
    return -1


@compiled
def leaving(tableau, basis, entering, rows, width):
    found, least = -1, np.inf
    for row in range(rows):
        if tableau[row, entering] > TINY:
            ratio = tableau[row, width - 1] / tableau[row, entering]
            if ratio < least - TINY or (ratio <= least + TINY and basis[row] < basis[found]):
                found, least = row, min(ratio, least)
    return found


@compiled
def pivot(tableau, basis, at, entering, rows, width):
    by = tableau[at, entering]
    for column in range(width):
        tableau[at, column] /= by
    for row in range(rows + 1):
        factor = tableau[row, entering]
        if row != at and factor != 0.0:
            for column in range(width):
                tableau[row, column] -= factor * tableau[at, column]
    basis[at] = entering
