"""How the site is built: ``make docs``. Nothing in it is loaded from another host."""

import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docutils import nodes
from docutils.statemachine import StringList
from docutils.utils.math.latex2mathml import tex2mathml
from pygments.lexers.shell import BashSessionLexer
from pygments.token import Generic
from sphinx.util.docutils import SphinxDirective

from tertium.lazy import homes_of
from tertium.version import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project: Final = "tertium"
author: Final = "the authors of tertium"
project_copyright: Final = author
release: Final = __version__
html_theme: Final = "furo"
html_title: Final = f"tertium {__version__}"
html_copy_source: Final = False
html_show_copyright: Final = False
html_static_path: Final = ["static"]
html_css_files: Final = ["site.css"]
TOKENS: Final = Path(__file__).parents[1] / "src/tertium/report/html/assets/tokens.css"
PALETTE: Final = {
    name: (light, dark)
    for name, light, dark in re.findall(
        r"--([a-z0-9-]+): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)", TOKENS.read_text("utf-8")
    )
}
"""Colors of reports and the server: token → light, dark."""
OF_THEME: Final = {
    "color-foreground-primary": "ink",
    "color-foreground-secondary": "ink-2",
    "color-foreground-muted": "ink-3",
    "color-foreground-border": "line",
    "color-background-primary": "card",
    "color-background-secondary": "bg",
    "color-background-hover": "accent-soft",
    "color-background-border": "line",
    "color-brand-primary": "accent",
    "color-brand-content": "accent",
    "color-brand-visited": "accent",
    "color-table-header-background": "bg",
    "color-table-border": "hair",
    "color-code-background": "bg",
}
"""Variables of the theme and the tokens that they have."""
html_theme_options: Final = {
    f"{scheme}_css_variables": {name: PALETTE[token][at] for name, token in OF_THEME.items()}
    for at, scheme in enumerate(("light", "dark"))
}
extensions: Final = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns: Final = ["figures", "images", "static"]
myst_heading_anchors: Final = 6
# Formulas as GitHub shows them, too: $…$ in a line, and blocks of ```math.
myst_enable_extensions: Final = ["dollarmath"]
myst_fence_as_directive: Final = ["math"]
html_math_renderer: Final = "mathml"
add_module_names: Final = False
autodoc_class_signature: Final = "separated"
autodoc_member_order: Final = "bysource"
autodoc_typehints_format: Final = "short"
python_maximum_signature_line_length: Final = 80
python_use_unqualified_type_names: Final = True
# Types of other packages are named as they are written; there is no inventory to link them to.
suppress_warnings: Final = ["config.cache"]


class Console(BashSessionLexer):
    """A console in which sentences can be told from rows of tables: ``site.css`` lets them wrap."""

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """What the lexer finds; a line of output with a long cell is a sentence."""
        for place, token, value in super().get_tokens_unprocessed(text):
            cells = re.split(r" {2,}", value.strip("\n"))
            long = any(len(cell) > 80 and "──" not in cell for cell in cells)
            sentence = token is Generic.Output and long
            yield place, Generic.Output.Sentence if sentence else token, value


class PublicNames(SphinxDirective):
    """``{public-names} PACKAGE``: all that a package offers, from its docstrings.

    The list is the one that the package itself is made from, so that none can be forgotten. What
    several packages offer is documented once, and named by the others.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (package,) = self.arguments
        own, others = [], []
        for name, home in sorted(offers(package).items(), key=functions_first):
            if owner(package, name, home) == package:
                own += documented(home, name)
            else:
                others.append(f"``{name}``")
        if others:
            own += ["Offered here, too, and described on other pages: " + ", ".join(others) + "."]
        node = nodes.section()
        node.document = self.state.document
        lines = StringList(["```{eval-rst}", *own, "```"], source=package)
        self.state.nested_parse(lines, 0, node)
        return node.children


def offers(package: str) -> dict[str, str]:
    """The public names of a package, and the modules that have them."""
    import_module(package)
    return dict(homes_of(package))


def functions_first(item: tuple[str, str]) -> tuple[bool, str]:
    """Functions, which have small letters, and then classes and constants."""
    name, _ = item
    return name[0].isupper(), name.lower()


def owner(package: str, name: str, home: str) -> str:
    """The package on whose page a name is documented."""
    if offers("tertium").get(name) == home:
        return "tertium"
    nearest = ".".join(home.split(".")[:2])
    return nearest if name in getattr(import_module(nearest), "__all__", ()) else package


def documented(home: str, name: str) -> list[str]:
    """The lines of reStructuredText that document one name."""
    import_module(home)
    value = getattr(sys.modules[home], name)
    if inspect.isclass(value):
        return [f".. autoclass:: {home}.{name}", "   :members:", ""]
    kind = "function" if inspect.isroutine(value) else "data"
    return [f".. auto{kind}:: {home}.{name}", *(["   :no-value:"] * (kind == "data")), ""]


def readable_defaults(*event: Any) -> tuple[str | None, str | None]:
    """Three dots for defaults that are no Python, such as ``<factory>``.

    Sphinx could not take such a signature apart, and would show it in one piece.
    """
    *_, signature, result = event
    shown = signature and re.sub(r"<(factory|function .*?>?|.* object at 0x\w+)>", "...", signature)
    return shown, result


# Formulas are MathML, which browsers show without a script. MyST and docutils have all it takes.


def visit_inline_math(translator: Any, node: nodes.Element) -> None:
    """A formula in a line of text."""
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def visit_block_math(translator: Any, node: nodes.Element) -> None:
    """A formula of its own, which scrolls where it is wider than the page."""
    # Rows of the outermost environment become those of a table that fills the width.
    source = re.sub(r"\\(?:begin|end)\{aligned\}", "", node.astext())
    formula = tex2mathml(source.strip(), as_block=True)
    translator.body.append(f'<div class="formula" tabindex="0">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app: "Sphinx") -> dict[str, Any]:
    """Offer the directive to the pages."""
    app.add_lexer("console", Console)
    app.add_directive("public-names", PublicNames)
    app.connect("autodoc-process-signature", readable_defaults)
    app.add_html_math_renderer("mathml", (visit_inline_math, None), (visit_block_math, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
