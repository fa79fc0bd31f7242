"""Progress: told to a function of the user's, or shown by tqdm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Union

#: Called with the stage, and in a search or a comparison with the steps done, the steps in all where that is
#: known, and the best cost so far.
Listener = Callable[[str, Union[int, None], Union[int, None], Union[float, None]], Any]


class Options(NamedTuple):
    """How the native part works."""

    threads: int | None
    memory: int | None
    progress: Listener | None


class Shown:
    """Progress as the caller asked for it, for the time of a ``with`` block."""

    def __init__(self, progress: bool | Listener | None) -> None:
        self._bar: Any = None
        self._listener = progress if callable(progress) else None
        if progress is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(bar_format="{desc} {elapsed}{postfix}")
            self._listener = self._show

    def __enter__(self) -> Listener | None:
        return self._listener

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def _show(self, stage: str, done: int | None, of: int | None, cost: float | None) -> None:
        self._bar.set_description_str(stage)
        if done is not None:
            if stage == "comparing":
                steps = f"{done} of {of} candidates"
            else:
                steps = f"step {done}" if of is None else f"step {done} of at most {of}"
            self._bar.set_postfix_str(steps if cost is None else f"{steps}, cost {cost:.4f}")
        else:
            self._bar.set_postfix_str("")
        self._bar.refresh()


def options(threads: int | None, listener: Listener | None) -> Options:
    """Checks the number of threads, which the native part takes as it is."""
    is_whole = hasattr(threads, "__index__") and not isinstance(threads, bool)
    if threads is not None and (not is_whole or threads < 1):
        raise ValueError(f"threads must be a whole number of at least 1, not {threads!r}")
    return Options(None if threads is None else int(threads), None, listener)
