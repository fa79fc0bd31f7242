"""What notebooks show of profiles and comparisons: small tables, without script."""

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
