"""The flag that says what is resampled, alike in every command that resamples."""

from collections.abc import Callable

from tertium.inference.choices import RESAMPLINGS


def configure_resampling(add: Callable[..., object], *, default: str | None = "auto") -> None:
    """Declare it; ``default`` is None where a command must know whether it was given."""
    add(
        "--resample",
        metavar="UNIT",
        choices=RESAMPLINGS,
        default=default,
        help="what is drawn: segments, documents, or auto for documents where they are known "
        "(default: auto)",
    )
