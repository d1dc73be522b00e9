"""The site builds without a warning, needs no other host, and works in a browser."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import plcfrs

ROOT = Path(__file__).parents[2]
BUILDER = os.environ.get("PLCFRS_DOCS", sys.executable)  # in CI with the extra docs alone
SECTIONS = ["start", "tutorials", "guide", "theory", "reference"]


@pytest.mark.full
def test_site(request, tmp_path):
    if os.environ.get("CI"):
        assert sys.executable != BUILDER, "in CI, PLCFRS_DOCS is a Python with the extra docs alone"
    elif importlib.util.find_spec("sphinx") is None:
        pytest.skip("needs Sphinx: pip install '.[docs]'")
    build(tmp_path)
    for name in plcfrs.__all__:
        if callable(getattr(plcfrs, name)):
            assert (tmp_path / f"reference/api/plcfrs.{name}.html").exists()
    for page in tmp_path.glob("**/*.html"):
        text = page.read_text(encoding="utf-8")
        assert re.findall(r'<(?:script|img|iframe)[^>]*src="(https?:[^"]*)"', text) == []
        assert re.findall(r'<link rel="stylesheet"[^>]*href="(https?:[^"]*)"', text) == []
    look_at(request.getfixturevalue("browser"), tmp_path)


def build(folder):
    """Build the site from a clean state; a warning is an error."""
    command = [BUILDER, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-E", "-j", "2"]
    done = subprocess.run(
        [*command, str(ROOT / "docs"), str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def look_at(browser, folder):
    """Read on a phone, in the dark, search; nothing is fetched from elsewhere."""
    fetched = []
    phone = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    phone.on("request", lambda asked: fetched.append(asked.url))
    pages = [f"{section}/index" for section in SECTIONS] + ["index", "benchmarks"]
    pages += [str(page.relative_to(folder))[:-5] for page in folder.glob("guide/*.html")]
    for page in pages:
        phone.goto(f"file://{folder}/{page}.html")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, page
    background = phone.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, re.findall(r"\d+", background)[:3])) < 3 * 80
    phone.goto(f"file://{folder}/search.html?q=extraposition")
    phone.wait_for_selector("ul.search li a", timeout=60_000)
    phone.close()
    assert [url for url in fetched if not url.startswith(("file:", "data:"))] == []
