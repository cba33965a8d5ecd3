"""Figures as files: a page for the browser, or an image for a paper."""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.report.plots.style import HEIGHT, WIDTH, plain
from tertium.text.output_files import drafted

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

IMAGES: Final = (".svg", ".png", ".pdf")
SUFFIXES: Final = (".html", *IMAGES)
_SHARPNESS: Final = 2
"""Pixels of a PNG per pixel of the page."""

_CONFIG: Final = {
    "displaylogo": False,
    "responsive": True,
    # Plotly offers to upload charts; a page that asks no server for anything must not.
    "plotlyServerURL": "",
    "modeBarButtonsToRemove": ["sendChartToCloud", "sendDataToCloud"],
}

_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
</head>
<body>
{body}
</body>
</html>
"""


def write_figure(figure: "Figure", path: str | Path) -> None:
    """Write one figure; the suffix says how."""
    write_figures({path: figure})


def write_figures(
    figures: "Mapping[str, Figure] | Mapping[Path, Figure] | Mapping[str | Path, Figure]",
) -> None:
    """Write figures, the suffix of each path says how: .html, .svg, .png or .pdf.

    A page holds Plotly's script and asks no server for anything. Images are drawn by Chromium
    or Chrome, started once for all of them. The same figure gives the same text each time.
    """
    paths = {Path(path): figure for path, figure in figures.items()}
    for path in paths:
        if path.suffix.lower() not in SUFFIXES:
            raise OptionError(
                f"{path}: found suffix '{path.suffix}', expected one of {', '.join(SUFFIXES)}"
            )
    images = {path: figure for path, figure in paths.items() if path.suffix.lower() in IMAGES}
    rendered = _images(images) if images else {}
    for path, figure in paths.items():
        with drafted(path) as file:
            file.write(rendered[path] if path in rendered else html_page(figure).encode())


def named_files(path: Path, named: "Mapping[tuple[str, ...], Figure]") -> "dict[Path, Figure]":
    """A file for each figure: where there are several, what they show is added to the name."""
    alone = len(named) == 1
    return {with_parts(path, () if alone else parts): figure for parts, figure in named.items()}


def with_parts(path: Path, parts: Sequence[str]) -> Path:
    """The file of one figure among several.

    >>> with_parts(Path("plots/agree.svg"), ("es-en", "rank", "bleu")).name
    'agree-es-en-rank-bleu.svg'
    """
    safe = ("".join(c if c.isalnum() or c in "-.=" else "_" for c in part) for part in parts)
    return path.with_name("-".join([path.stem, *safe]) + path.suffix)


def html_page(figure: "Figure") -> str:
    """A page that holds everything it needs."""
    name = identity(figure)
    body = figure.to_html(
        full_html=False,
        include_plotlyjs=True,
        div_id=f"figure-{name}",
        config=_CONFIG,
    )
    return _PAGE.format(title=plain(_title(figure)), body=body)


def identity(figure: "Figure") -> str:
    """Six hexadecimal digits that follow from what the figure shows."""
    return sha256(figure.to_json().encode("utf-8")).hexdigest()[:6]


def _title(figure: "Figure") -> str:
    text = figure.layout.title.text or "figure"
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def check_image_tools(place: str | Path) -> None:
    """Complain before any work if images cannot be drawn here; ``place`` is the file asked for."""
    try:
        import_module("kaleido")
        from choreographer.browsers.chromium import Chromium
    except ImportError:
        raise MissingExtraError(
            f"{place}: package 'kaleido' is not installed; {install_hint('plots')}"
        ) from None
    browser = Chromium.find_browser(skip_local=False)
    if browser is None or not Path(browser).is_file():
        raise MissingExtraError(
            f"{place}: found no browser{f' at {browser}' if browser else ''}, expected Chromium or "
            "Chrome to draw images (Debian: apt install chromium; elsewhere set BROWSER_PATH); "
            "a figure as .html needs none"
        )


def _images(figures: "Mapping[Path, Figure]") -> dict[Path, bytes]:
    check_image_tools(next(iter(figures)))
    import kaleido

    # Without this the page would fetch a script for formulas from the network.
    page = kaleido.PageGenerator(mathjax=False)
    found: dict[Path, bytes] = {}
    kaleido.start_sync_server(page_generator=page, silence_warnings=True)
    try:
        for path, figure in figures.items():
            drawn = kaleido.calc_fig_sync(_content(figure), opts=_options(figure, path))
            is_svg = path.suffix.lower() == ".svg"
            found[path] = _steady(drawn) if is_svg else drawn
    finally:
        kaleido.stop_sync_server(silence_warnings=True)
    return found


def _content(figure: "Figure") -> dict[str, Any]:
    content: dict[str, Any] = json.loads(figure.to_json(remove_uids=False))
    return content


def _options(figure: "Figure", path: Path) -> dict[str, object]:
    suffix = path.suffix.lower().removeprefix(".")
    return {
        "format": suffix,
        "width": figure.layout.width or WIDTH,
        "height": figure.layout.height or HEIGHT,
        "scale": _SHARPNESS if suffix == "png" else 1,
    }


def _steady(svg: bytes) -> bytes:
    """Plotly's random id, which stands in every reference inside an SVG, made to follow the rest.

    What is drawn decides, not the data: their last digits are those of one machine.

    >>> _steady(b'<g id="defs-0a1b2c"/><g clip-path="url(#clip0a1b2cxy)"/>')
    b'<g id="defs-dd63da"/><g clip-path="url(#clipdd63daxy)"/>'
    """
    found = re.search(rb'id="defs-([0-9a-f]{6})"', svg)
    if found is None:
        return svg
    name = sha256(svg.replace(found[1], b"")).hexdigest()[:6]
    return svg.replace(found[1], name.encode())
