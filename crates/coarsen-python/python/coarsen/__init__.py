"""Release a table about people without releasing the people in it.

    import coarsen

    policy = coarsen.Policy(
        k=10,
        identifiers=["name"],
        quasi_identifiers={"age": coarsen.Hierarchy.intervals(5, 10, 20), "zip": coarsen.Hierarchy.mask()},
        sensitive=["disease"],
    )
    made = coarsen.release(frame, policy)      # pandas, polars, pyarrow, a DuckDB result, or a path
    made.table                                 # the released rows, of the kind that went in
    made.audit.holds, made.losses["lm"]        # the evidence, and the price

Errors are exceptions of :class:`CoarsenError`; nothing is printed unasked.
"""

from . import _errors
from ._audit import Audit, check
from ._catalog import algorithms, losses, requirements, schemes
from ._coarsen import ArrowTable, __version__
from ._compare import Comparison, compare
from ._errors import (
    AuditError,
    Cancelled,
    CoarsenError,
    DataError,
    EngineError,
    FileError,
    NoRelease,
    PolicyError,
    RecodingError,
    UnseenError,
)
from ._hierarchy import Hierarchy
from ._policy import Policy
from ._profile import Profile, profile
from ._recoding import Recoding
from ._release import Release, release

__all__ = [
    "ArrowTable",
    "Audit",
    "AuditError",
    "Cancelled",
    "CoarsenError",
    "Comparison",
    "DataError",
    "EngineError",
    "FileError",
    "Hierarchy",
    "NoRelease",
    "Policy",
    "PolicyError",
    "Profile",
    "Recoding",
    "RecodingError",
    "Release",
    "UnseenError",
    "__version__",
    "algorithms",
    "check",
    "compare",
    "losses",
    "profile",
    "release",
    "requirements",
    "schemes",
]

# They are coarsen's, wherever they are written down.
for _error in vars(_errors).values():
    if isinstance(_error, type) and issubclass(_error, CoarsenError):
        _error.__module__ = __name__
del _error
