"""A bar on the error output: how far, how fast, and how long still; nothing where nobody watches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress


def games_bar(errors: Console) -> Progress:
    """For tasks with a field `rate`, which stands between how far and how long."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=errors,
        disable=not errors.is_terminal,
        transient=True,
    )
