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

from ._audit import Audit
from ._coarsen import ArrowTable, __version__
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
from ._policy import Hierarchy, Policy
from ._recoding import Recoding
from ._release import (
    Comparison,
    Profile,
    Release,
    algorithms,
    check,
    compare,
    losses,
    profile,
    release,
    requirements,
    schemes,
)

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

for _error in (CoarsenError, PolicyError, DataError, UnseenError, RecodingError, NoRelease, AuditError):
    _error.__module__ = __name__
for _error in (FileError, EngineError, Cancelled):
    _error.__module__ = __name__
del _error
