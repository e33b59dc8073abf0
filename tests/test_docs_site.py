"""What `make docs` refuses; that the site has none of it is said by `make check`."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.docs import faults, reached


def faults_of(folder: Path, **pages: str) -> list[str]:
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return list(faults(folder, reached(folder)))


def test_links_to_pages_headings_and_pictures_that_are_there_are_sound(tmp_path: Path) -> None:
    (tmp_path / "shot.webp").write_bytes(b"")
    start = (
        '<h1 id="top">A</h1><a href="other.html#end">B</a><a href="#top">C</a><img src="shot.webp">'
    )
    assert not faults_of(
        tmp_path, index=start, other='<p id="end"><a href="https://example.org/gone">D</a>'
    )


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ('<a href="gone.html">A</a>', "index.html: a link to gone.html, which is not there"),
        (
            '<a href="other.html#gone">A</a>',
            "index.html: a link to other.html#gone, and there is no such heading",
        ),
        (
            '<a href="#gone">A</a>',
            "index.html: a link to index.html#gone, and there is no such heading",
        ),
        ('<img src="gone.webp">', "index.html: a link to gone.webp, which is not there"),
        (
            '<script src="https://example.org/a.js"></script>',
            "index.html: loads https://example.org/a.js from elsewhere",
        ),
        (
            '<link rel="stylesheet" href="//example.org/a.css">',
            "index.html: loads //example.org/a.css from elsewhere",
        ),
    ],
)
def test_what_leads_nowhere_or_comes_from_elsewhere_is_named(
    page: str, fault: str, tmp_path: Path
) -> None:
    assert faults_of(tmp_path, index=page, other="<p>") == [fault]


def test_a_page_behind_another_is_looked_at(tmp_path: Path) -> None:
    found = faults_of(
        tmp_path, index='<a href="other.html">A</a>', other='<a href="gone.html">B</a>'
    )
    assert found == ["other.html: a link to gone.html, which is not there"]
