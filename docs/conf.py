"""How Sphinx builds the documentation: `sphinx-build -W --keep-going -n docs build/docs`."""

import shutil
import sys
from importlib import import_module
from inspect import isclass, isfunction, ismodule
from pathlib import Path
from textwrap import shorten
from types import GenericAlias, ModuleType

from click import Context
from numpydoc.xref import DEFAULT_LINKS
from sphinx.application import Sphinx

import plcfrs

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "extensions"))

# Sphinx reads only what lies below this folder.
shutil.copy(HERE.parent / "examples" / "notebook.ipynb", HERE / "tutorials" / "notebook.ipynb")


# numpydoc would link Python's and NumPy's types to their sites; this one works offline.
DEFAULT_LINKS.clear()

FOLDER = Path(plcfrs.__file__).parents[1]
NAMES = [
    ".".join(path.parent.relative_to(FOLDER).parts)
    for pattern in ("plcfrs/*/__init__.py", "plcfrs/parsers/*/__init__.py")
    for path in FOLDER.glob(pattern)
]
PACKAGES = {name: import_module(name) for name in NAMES}


def names_at_the_top_level(package: ModuleType) -> list[str]:
    """Return which names of a package `plcfrs` has too, so that each is documented once."""
    return [
        name for name in plcfrs.__all__ if getattr(package, name, None) is getattr(plcfrs, name)
    ]


def unlisted(package: ModuleType) -> list[str]:
    """Return the names of a package that are not described: modules, and what a registry reads."""
    names = getattr(package, "__all__", ())
    return [name for name in names if name == "FAMILIES" or ismodule(getattr(package, name))]


def constants(package: ModuleType) -> dict[str, str]:
    """Return the names of a package that are neither classes nor functions, and their values."""
    names = set(getattr(package, "__all__", ())).difference(unlisted(package))
    values = {name: getattr(package, name) for name in sorted(names)}
    return {
        name: shorten(str(value).replace("typing.", ""), 150, placeholder=" ...")
        for name, value in values.items()
        if isinstance(value, GenericAlias) or not (isclass(value) or isfunction(value))
    }


project = "plcfrs"
author = "the plcfrs developers"
project_copyright = "the plcfrs developers"
release = plcfrs.__version__

extensions = [
    "myst_nb",
    "sphinx_click",
    "sphinx_design",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "families",
    "pictures",
    "results",
    "surprisal",
]
templates_path = ["templates"]
nitpicky = True
nitpick_ignore_regex = [("py:class", r"plcfrs\.parsers\..+")]  # what models are made of
default_role = "literal"
highlight_language = "text"
smartquotes = False  # `--option` has two hyphens

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120

autodoc_typehints = "none"  # the docstrings tell the types
autodoc_default_options = {"members": True, "special-members": "__call__"}
autosummary_imported_members = True
DOCUMENTED = {**PACKAGES, "plcfrs": plcfrs}
autosummary_context = {
    "at_the_top_level": {name: names_at_the_top_level(each) for name, each in PACKAGES.items()},
    "constants": {name: constants(each) for name, each in DOCUMENTED.items()},
    "unlisted": {name: unlisted(each) for name, each in DOCUMENTED.items()},
}
autosummary_ignore_module_all = False
numpydoc_show_class_members = False
numpydoc_attributes_as_param_list = False
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"  # only the public names are links
numpydoc_xref_aliases = {name: f"plcfrs.{name}" for name in plcfrs.__all__}

html_theme = "pydata_sphinx_theme"
html_title = "plcfrs"
html_static_path = ["static"]
html_css_files = ["plcfrs.css"]
html_show_sourcelink = False
html_sidebars = {"benchmarks": []}
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
}


def show_as_typed(_app: Sphinx, _context: Context, lines: list[str]) -> None:
    """Show examples and tables in the help of a command as they are, and names such as `*T*`."""
    shown: list[str] = []
    for before, line in zip(["", *lines], lines, strict=False):
        if not line.startswith("| "):
            shown.append(line if "``" in line else line.replace("*", r"\*"))
        else:
            shown += [] if before.startswith("| ") else ["::", ""]
            shown.append(f"   {line[2:]}")
    lines[:] = shown


def setup(app: Sphinx) -> None:
    """Register what changes the help of commands."""
    app.connect("sphinx-click-process-description", show_as_typed)
    app.connect("sphinx-click-process-options", show_as_typed)
