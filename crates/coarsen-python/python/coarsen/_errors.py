"""What can go wrong, as exceptions. Their words are those of the command line."""

from __future__ import annotations


class CoarsenError(Exception):
    """Anything that coarsen refuses or fails to do.

    ``message`` says what is wrong, ``help`` what to do about it (or is ``None``), and ``key`` names the
    key of the policy at fault (or is ``None``). No cell of the data is ever part of them.
    """

    def __init__(self, message: str, help: str | None = None, key: str | None = None) -> None:
        super().__init__(message, help, key)
        self.message = message
        self.help = help
        self.key = key

    def __str__(self) -> str:
        return self.message if self.help is None else f"{self.message}\n  help: {self.help}"


class PolicyError(CoarsenError, ValueError):
    """The policy cannot be used: a wrong key or value, or one that does not fit the data."""


class DataError(CoarsenError, ValueError):
    """The data cannot be taken as they are."""


class UnseenError(DataError):
    """New rows hold values that the recoding has never seen."""


class RecodingError(CoarsenError, ValueError):
    """This is no saved recoding, or one that cannot be applied to other rows."""


class NoRelease(CoarsenError):
    """No release of these data meets the requirement."""


class AuditError(CoarsenError):
    """The release did not pass its audit, and was not handed over."""


class FileError(CoarsenError, OSError):
    """The file system said no."""


class EngineError(CoarsenError, RuntimeError):
    """The data engine failed, for want of memory for example."""


class Cancelled(CoarsenError):
    """The work was cancelled; nothing was written."""
