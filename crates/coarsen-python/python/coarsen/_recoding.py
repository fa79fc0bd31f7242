"""A saved recoding: what becomes of every value, for the next delivery."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _coarsen
from ._errors import DataError
from ._frames import take
from ._progress import Listener, Shown, options

if TYPE_CHECKING:
    from ._release import Release


class Use(NamedTuple):
    """How the native part uses a recoding."""

    unseen: str | None
    shortfall: str | None
    path: str | None


class Recoding:
    """A recoding, found by a release or loaded from a file, that recodes other rows alike.

    It holds blocks and rules and no row, but it names the values that a block of text covers: keep it
    with the data rather than with the release.
    """

    def __init__(
        self, native: _coarsen.NativeRecoding, path: str | None = None, text: str | None = None
    ) -> None:
        self._native = native
        self._path = path
        self._text = text

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recoding:
        """Reads a recoding that :meth:`save` or ``coarsen run`` wrote."""
        path = os.fspath(path)
        try:
            text = Path(path).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise DataError(
                f"{path}: there is no such recoding",
                "`coarsen run` saves one where the policy has output.recoding",
            ) from None
        except UnicodeDecodeError:
            text = ""
        return cls(_coarsen.NativeRecoding.read(text, path), path, text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the recoding as JSON, the file that ``coarsen apply`` takes."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    def apply(
        self,
        data: Any,
        *,
        output: str | os.PathLike[str] | None = None,
        unseen: str | None = None,
        shortfall: str | None = None,
        threads: int | None = None,
        progress: bool | Listener | None = None,
    ) -> Release:
        """Recodes new rows and audits them like any release.

        ``unseen`` says what to do with values that the recoding has never seen (``error``, ``suppress``
        or ``root``), ``shortfall`` what to do with rows that fall short of the requirement (``suppress``
        or ``fail``); the policy's rules hold where they are not given. With ``output`` a file is recoded
        into a file.
        """
        from ._release import Release

        _check_word("unseen", unseen, ("error", "suppress", "root"))
        _check_word("shortfall", shortfall, ("suppress", "fail"))
        rules = Use(unseen, shortfall, self._path)
        with Shown(progress) as listener:
            how = options(threads, listener)
            if output is not None:
                if not isinstance(data, (str, os.PathLike)):
                    raise TypeError("output= writes a file from a file: give data as a path")
                made, evidence = _coarsen.apply_file(
                    self._native, os.fspath(data), os.fspath(output), rules, how
                )
                return Release(json.loads(made), None, self, evidence)
            given, give = take(data)
            made, table, _, evidence = _coarsen.apply(self._native, given, rules, how)
        return Release(json.loads(made), give(table), self, evidence)

    def _row_by_row(self, data: Any, threads: int | None) -> _coarsen.ArrowTable:
        """Every row recoded by itself: no requirement is held against them, all rows stay, in their
        order, and what a row becomes does not depend on the others. No release, but features of one."""
        return _coarsen.recode_rows(self._native, data, options(threads, None))

    @property
    def kind(self) -> str:
        """``partitions`` (column by column), ``regions`` (boxes of all columns together) or ``cells``."""
        return self._native.kind

    @property
    def columns(self) -> list[str]:
        """The quasi-identifiers."""
        return self._native.columns

    @property
    def policy(self) -> dict[str, Any]:
        """The rules that it was made under."""
        return json.loads(self._native.policy)

    def to_json(self) -> str:
        """The text that :meth:`save` writes."""
        if self._text is None:
            self._text = self._native.to_json()
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recoding) and self.to_json() == other.to_json()

    def __reduce__(self) -> tuple[Any, ...]:
        return _read, (self.to_json(), self._path)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<coarsen.Recoding of {self.kind}: {', '.join(self.columns)}>"


def _read(text: str, path: str | None) -> Recoding:
    return Recoding(_coarsen.NativeRecoding.read(text, path or "recoding"), path, text)


def _check_word(name: str, word: str | None, known: tuple[str, ...]) -> None:
    if word is not None and word not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, not {word!r}")
