"""How `make docs` makes a site of the pages in docs/, which stay what they are: plain Markdown.

What a code host does by itself is done here instead: a list of all pages beside each of them, links to files
outside of docs/, and the start page under the name that every server looks for.
"""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Iterator
from importlib import import_module
from os.path import relpath
from pathlib import Path, PurePosixPath
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import bullpen
from bullpen.games import GAMES

DOCS = Path(__file__).parent.parent
ROOT = DOCS.parent

project = "Bullpen"
author = "The Bullpen authors"
project_copyright = author
version = release = bullpen.__version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "README"
source_suffix = {".md": "markdown"}
exclude_patterns: list[str] = []
nitpicky = True

# -- Markdown -----------------------------------------------------------------------------------

myst_enable_extensions = ["attrs_inline", "html_image"]
myst_heading_anchors = 4  # as a code host makes them
suppress_warnings: list[str] = []

# -- The reference ------------------------------------------------------------------------------

default_role = "code"  # docstrings mark code as Markdown does
add_module_names = False
autodoc_inherit_docstrings = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"
# Types are links where the reference tells of them; of others their names are enough.
nitpick_ignore_regex = [(r"py:.*", r".*")]


def tell_fields(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """A field is told by the comment behind it; what Python writes under a class that has no docstring is left out."""
    if what == "attribute" and (not any(lines) or lines[0].startswith("Alias for field")):
        lines[:] = [comment_behind(name)]
    elif what == "class" and "".join(lines[:1]).startswith(f"{name.rpartition('.')[2]}("):
        lines.clear()


def comment_behind(name: str) -> str:
    path, _, field = name.rpartition(".")
    module, _, owner = path.rpartition(".")
    try:
        source = inspect.getsource(getattr(import_module(module), owner))
    except (AttributeError, ImportError, OSError, TypeError):
        return ""
    found = re.search(rf"^    {field}: [^#\n]*  # (.+)$", source, re.MULTILINE)
    return f"{found[1][0].upper()}{found[1][1:].rstrip('.')}." if found else ""


# -- How it looks -------------------------------------------------------------------------------

html_theme = "furo"
html_title = "Bullpen"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_copy_source = False
pygments_style = "tango"
pygments_dark_style = "monokai"
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "footer_icons": [],
    "light_css_variables": {
        "color-brand-primary": "#2f6b3a",
        "color-brand-content": "#256230",
        "color-brand-visited": "#5b4b8a",
        "color-api-name": "#256230",
        "color-api-pre-name": "#256230",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8fce97",
        "color-brand-content": "#9bd6a2",
        "color-brand-visited": "#c3b4f0",
        "color-api-name": "#9bd6a2",
        "color-api-pre-name": "#9bd6a2",
    },
}

# -- The list of all pages ----------------------------------------------------------------------

REFERENCE = ("match", "games", "bots", "arena", "coach", "envs", "fast", "fair")
PAGES = {
    "Play": [
        "installing",
        "levels",
        "ratings",
        "coach",
        "daily",
        "clubs",
        "puzzles",
        "fair",
        "rules/README",
        "glossary",
    ],
    "The games": [f"games/{game}" for game in GAMES],
    "Study": [
        "library",
        "records",
        "traces",
        "fast",
        "arena",
        "family-benchmark",
        "exact",
        "family",
        "adding-a-bot",
        "environments",
        "openspiel",
        "training",
        "baselines",
        "dataset",
    ],
    "Reference": ["api/README", *(f"api/{page}" for page in REFERENCE)],
    "Run a server": ["server", "tls", "store", "promises", "wire"],
    "Work on it": [
        "site/contributing",
        "architecture",
        "adding-a-game",
        "site/example-game",
        "site/measurements",
        "site/changelog",
        "decisions/*",
    ],
}


def listed(caption: str, pages: list[str]) -> str:
    inside = "\n".join([f":caption: {caption}", ":hidden:", ":glob:", "", *pages])
    return f"\n```{{toctree}}\n{inside}\n```\n"


# -- Files outside of docs/ ---------------------------------------------------------------------

# Pages that stand for a file which has its place elsewhere.
STAND_INS = {
    "site/contributing": "CONTRIBUTING.md",
    "site/changelog": "CHANGELOG.md",
    "site/measurements": "benchmarks/results.md",
    "site/example-game": "examples/highest-takes/README.md",
}
PAGE_OF = {ROOT / file: DOCS / f"{page}.md" for page, file in STAND_INS.items()}
PAGE_OF[ROOT / "README.md"] = DOCS / "README.md"
LINK = re.compile(r"(```.*?```)|\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)", re.DOTALL)


def prepare_page(app: Sphinx, page: str, source: list[str]) -> None:
    file = DOCS / f"{page}.md"
    if page in STAND_INS:
        file = ROOT / STAND_INS[page]
        app.env.note_dependency(file)
        source[0] = file.read_text("utf-8")
    source[0] = with_links_of_the_site(app.env, page, file, source[0])
    if page == root_doc:
        source[0] += "".join(listed(caption, pages) for caption, pages in PAGES.items())


def with_links_of_the_site(env: BuildEnvironment, page: str, file: Path, text: str) -> str:
    """Links of a file, which may stand elsewhere, as links of a page; those to code lead to a page that shows it."""
    here = (DOCS / page).parent

    def rewritten(found: re.Match[str]) -> str:
        code, path, anchor = found.groups()
        if code:
            return code
        target = (file.parent / path).resolve()
        target = PAGE_OF.get(target, target)
        if target.is_relative_to(DOCS) or not target.is_file():
            return f"]({relpath(target, here)}{anchor or ''})"
        shown = target.relative_to(ROOT)
        shown_files(env).setdefault(page, set()).add(shown)
        return f"]({relpath(DOCS / page_of_code(shown), here)}.html){{.external}}"

    return LINK.sub(rewritten, text)


def shown_files(env: BuildEnvironment) -> dict[str, set[Path]]:
    """The files of code that pages link to, by page; kept between two builds."""
    if not hasattr(env, "bullpen_shown_files"):
        env.bullpen_shown_files = {}  # type: ignore[attr-defined]
    files: dict[str, set[Path]] = env.bullpen_shown_files  # type: ignore[attr-defined]
    return files


def page_of_code(file: Path) -> str:
    return f"code/{PurePosixPath(file)}"


def forget_page(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    shown_files(env).pop(page, None)


LANGUAGES = {".py": "python", ".yaml": "yaml", ".conf": "nginx", ".csv": "text"}


def code_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    files = set().union(*shown_files(app.env).values())
    for file in sorted(files):
        text = (ROOT / file).read_text("utf-8")
        code = app.builder.highlighter.highlight_block(
            text, LANGUAGES.get(file.suffix, "text"), linenos=False
        )
        told = f"<h1>{file.name}</h1><p><code>{file}</code></p>"
        yield page_of_code(file), {"title": file, "body": told + code}, "page.html"


# -- Examples -----------------------------------------------------------------------------------


def trim_examples(app: Sphinx, page: nodes.document) -> None:
    """Examples that are run end in an empty line, which need not be seen."""
    for example in page.findall(nodes.literal_block):
        example.rawsource = example.astext().rstrip()
        example[:] = [nodes.Text(example.rawsource)]


# -- The start page -----------------------------------------------------------------------------


def add_index(app: Sphinx, failure: Exception | None) -> None:
    if failure is None:
        shutil.copyfile(app.outdir / f"{root_doc}.html", app.outdir / "index.html")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", tell_fields)
    app.connect("source-read", prepare_page)
    app.connect("doctree-read", trim_examples)
    app.connect("env-purge-doc", forget_page)
    app.connect("html-collect-pages", code_pages)
    app.connect("build-finished", add_index)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
