"""What notebooks show: small tables and bars, without script and without colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def page(title: str, *parts: str) -> str:
    """A titled block."""
    return f"<div><p><b>{escape(title)}</b></p>{''.join(parts)}</div>"


def table_of(lines: Iterable[Sequence[str]], head: Sequence[str] = ()) -> str:
    """A table of texts; the first column names the line."""
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr><th style='text-align:left'>"
        + escape(line[0])
        + "</th>"
        + "".join(f"<td style='text-align:right'>{escape(cell)}</td>" for cell in line[1:])
        + "</tr>"
        for line in lines
    )
    return f"<table>{'<tr>' + top + '</tr>' if top else ''}{body}</table>"


def bars(title: str, shares: Sequence[tuple[str, float]]) -> str:
    """Shares from 0 to 1 as horizontal bars with their figures, as SVG."""
    height, left, width = 18, 160, 240
    rows = []
    for place, (name, share) in enumerate(shares):
        y = place * height
        long = max(0.0, min(1.0, share)) * width
        rows.append(
            f"<text x='{left - 6}' y='{y + 13}' text-anchor='end'>{escape(name)}</text>"
            f"<rect x='{left}' y='{y + 3}' width='{width}' height='{height - 6}' fill='#eee'/>"
            f"<rect x='{left}' y='{y + 3}' width='{long:.1f}' height='{height - 6}' fill='#4a6fa5'/>"
            f"<text x='{left + width + 6}' y='{y + 13}'>{share:.1%}</text>"
        )
    size = f"width='{left + width + 60}' height='{max(1, len(shares)) * height}'"
    return (
        f"<p>{escape(title)}</p><svg xmlns='http://www.w3.org/2000/svg' {size} font-size='12' "
        f"fill='currentColor' role='img' aria-label='{escape(title, quote=True)}'>{''.join(rows)}</svg>"
    )
