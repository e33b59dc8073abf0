"""Without the extras, importing says what to install."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("package", "module"),
    [
        ("pettingzoo", "bullpen.envs.petting"),
        ("gymnasium", "bullpen.envs.petting"),
        ("PIL", "bullpen.envs.petting"),
        ("gymnasium", "bullpen.envs.gym"),
        ("numpy", "bullpen.envs.gym"),
        ("gymnasium", "bullpen.envs.vector"),
    ],
)
def test_an_environment_without_its_package_says_what_to_install(package: str, module: str) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None
try:
    import {module}
except ValueError as problem:
    print(problem)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(f"This needs the package {package}, which is not installed")
    assert "pip install 'bullpen-games[envs]'" in ran.stdout


def test_the_package_itself_needs_nothing() -> None:
    code = """
import sys
sys.modules.update(dict.fromkeys(("numpy", "numba", "gymnasium", "pettingzoo", "PIL", "pyspiel")))
import bullpen.envs
print("imported")
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "imported\n"
