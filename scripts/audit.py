"""Known vulnerabilities in what is installed: asks the package indexes, and fails if there is one.

    python scripts/audit.py

Where an index cannot be asked (no network, or a mirror without that service), it says so and goes on:
then nothing is known, and nothing is claimed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120


def main() -> int:
    found: list[str] = []
    for what, ask, read in (
        ("Python packages", ask_pip_audit, python_problems),
        ("npm packages", ask_npm, npm_problems),
    ):
        problems = read(ask())
        if problems is None:
            print(f"{what}: not audited, their index does not tell about vulnerabilities here")
        elif problems:
            found += problems
        else:
            print(f"{what}: no known vulnerability")
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


def ask_pip_audit() -> Any:
    words = ["-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off"]
    locks = ["-r", "requirements.lock", "-r", "requirements-dev.lock"]
    return answer([sys.executable, *words, *locks, "--format", "json"], ROOT)


def ask_npm() -> Any:
    """With the npm that builds the client."""
    import web  # beside this file

    return answer([*web.npm(web.find_node()), "audit", "--json"], ROOT / "web")


def answer(command: list[str], folder: Path) -> Any:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=SECONDS, check=False
        )
        return json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, json.JSONDecodeError):
        return None


def python_problems(answer: Any) -> list[str] | None:
    """None where no package could be looked up."""
    asked = [package for package in (answer or {}).get("dependencies", ()) if "vulns" in package]
    if not asked:
        return None
    return [
        f"{package['name']} {package['version']}: {vulnerability['id']},"
        f" mended in {', '.join(vulnerability['fix_versions']) or 'no version yet'}"
        for package in asked
        for vulnerability in package["vulns"]
    ]


def npm_problems(answer: Any) -> list[str] | None:
    """None where the registry did not answer."""
    if not answer or "vulnerabilities" not in answer:
        return None
    return [
        f"{name} {one['range']}: {one['severity']}"
        for name, one in answer["vulnerabilities"].items()
    ]


if __name__ == "__main__":
    sys.exit(main())
