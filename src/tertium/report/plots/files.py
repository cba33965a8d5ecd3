"""Figures as files: a page for the browser, or an image for a paper."""

import json
import os
import re
import shutil
import struct
import subprocess
import zlib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.report.plots.style import HEIGHT, WIDTH, plain
from tertium.text.output_files import drafted

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

IMAGES: Final = (".svg", ".png", ".pdf")
SUFFIXES: Final = (".html", *IMAGES)
_PIXELS: Final = 96 / 72
"""Pixels of the page per point."""
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


def write_drawings(drawings: Mapping[Path, str]) -> None:
    """Write figures that are SVG already; PDF and PNG are made of them by Chromium or Chrome."""
    for path, svg in drawings.items():
        kind = path.suffix.lower()
        if kind == ".svg":
            content = svg.encode()
        elif kind == ".html":
            content = _PAGE.format(title=plain(path.stem), body=svg).encode()
        else:
            content = _printed(svg, kind)
        with drafted(path) as file:
            file.write(content)


_PRINTED: Final = """<!doctype html><html><head><meta charset="utf-8"><title>figure</title><style>
@page {{ size: {width}pt {height}pt; margin: 0; }} html, body {{ margin: 0; }}
svg {{ display: block; }}</style></head><body>{svg}</body></html>"""


def _printed(svg: str, kind: str) -> bytes:
    """A PDF with real text, or a PNG, of one figure."""
    width, height = (
        float(found) for found in re.findall(r' (?:width|height)="([0-9.]+)pt"', svg)[:2]
    )
    with TemporaryDirectory() as folder:
        page, result = Path(folder) / "figure.html", Path(folder) / f"figure{kind}"
        page.write_text(_PRINTED.format(width=width, height=height, svg=svg), encoding="utf-8")
        pixels = (ceil(width * _PIXELS), ceil(height * _PIXELS))
        output = {
            ".pdf": [f"--print-to-pdf={result}", "--no-pdf-header-footer"],
            ".png": [
                f"--screenshot={result}",
                f"--window-size={pixels[0]},{pixels[1] + _FRAME}",
                f"--force-device-scale-factor={_SHARPNESS}",
                "--hide-scrollbars",
            ],
        }[kind]
        # Root may not have the sandbox; the page is ours, and has no script.
        flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
        done = subprocess.run(  # noqa: S603 (the browser, on a page of ours)
            [browser_path(f"figure{kind}"), *flags, *output, page.as_uri()],
            capture_output=True,
            check=False,
        )
        if not result.is_file():
            last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise OptionError(f"{kind}: the browser drew nothing: {last}")
        content = result.read_bytes()
        return content if kind == ".pdf" else _without_rest(content, _SHARPNESS * pixels[1])


_FRAME: Final = 200
"""Pixels of a window that its frame may take, also where there is none to be seen."""
_PNG_START: Final = 8


def _without_rest(png: bytes, rows: int) -> bytes:
    """The upper rows of a picture; a row is coded by those above it alone."""
    chunks, place = [], _PNG_START
    while place < len(png):
        (length,) = struct.unpack_from(">I", png, place)
        chunks.append((png[place + 4 : place + 8], png[place + 8 : place + 8 + length]))
        place += length + 12
    head = dict(chunks)[b"IHDR"]
    width, height, depth, kind = struct.unpack_from(">IIBB", head)
    stride = 1 + width * depth * {0: 1, 2: 3, 6: 4}[kind] // 8
    pixels = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    rows = min(rows, height)
    parts = [
        (b"IHDR", struct.pack(">II", width, rows) + head[8:]),
        *((name, body) for name, body in chunks if name not in {b"IHDR", b"IDAT", b"IEND"}),
        (b"IDAT", zlib.compress(pixels[: rows * stride], 9)),
        (b"IEND", b""),
    ]
    return png[:_PNG_START] + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in parts
    )


_BROWSERS: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)


def browser_path(place: str | Path) -> str:
    """Where Chromium or Chrome is, or an error that says how to get it for the file asked for."""
    wanted = os.environ.get("BROWSER_PATH")
    found = wanted if wanted and Path(wanted).is_file() else None
    found = found or next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        raise MissingExtraError(
            f"{place}: found no browser{f' at {wanted}' if wanted else ''}, expected Chromium or "
            "Chrome to draw images (Debian: apt install chromium; elsewhere set BROWSER_PATH); "
            "a figure as .svg or .html needs none"
        )
    return found


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
