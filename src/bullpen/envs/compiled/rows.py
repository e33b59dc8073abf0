"""The same function as in `bullpen.envs.rows`, compiled once for all games."""

from __future__ import annotations

from bullpen.envs import rows
from bullpen.fast.compiling import compiled

write_all = compiled(rows.write_all)
