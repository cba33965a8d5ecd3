"""Utility matrices in files, to be used again with other probabilities."""

from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path

import numpy as np

from tertium.decode.mbr_choice import Choice
from tertium.decode.mbr_matrix import Matrix
from tertium.errors import InputError, OptionError


def save_matrices(path: str | PathLike[str], choices: list[Choice]) -> None:
    """``.npz``: a matrix for each segment with its texts; ``.npy``: the matrix of the only one.

    Choices must have been made with ``keep_matrix=True``.
    """
    kept = [one for one in choices if one.matrix is not None]
    if len(kept) < len(choices) or not kept:
        raise OptionError("matrix: found choices without one, expected keep_matrix=True")
    name = Path(path).name
    if name.endswith(".npy"):
        if len(kept) > 1:
            raise OptionError(f"{name}: found {len(kept)} segments, expected one (or a .npz file)")
        np.save(path, kept[0].matrix)  # type: ignore[arg-type]
        return
    check_matrix_name(path)
    arrays: dict[str, np.ndarray] = {"utility": np.array(kept[0].utility)}
    for one in kept:
        arrays[f"{one.segment}.matrix"] = one.matrix  # type: ignore[assignment]
        arrays[f"{one.segment}.candidates"] = np.array(one.candidates)
        arrays[f"{one.segment}.references"] = np.array(one.evidence.texts)
    with Path(path).open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def check_matrix_name(path: str | PathLike[str]) -> None:
    """Refuse a name that says neither ``.npz`` nor ``.npy``."""
    if not str(path).endswith((".npz", ".npy")):
        raise OptionError(f"{path}: found neither .npz nor .npy at the end, expected one of them")


class SavedMatrices(Mapping[int, Matrix]):
    """The matrices of a file, by segment; texts are checked where the file has them."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.name = str(path)
        check_matrix_name(path)
        try:
            found = np.load(path, allow_pickle=False)
            self.arrays = (
                {"0.matrix": found}
                if isinstance(found, np.ndarray)
                else {name: found[name] for name in found.files}
            )
        except (OSError, ValueError, EOFError, KeyError) as error:
            raise InputError(f"{path}: {error}, expected utility matrices") from None
        self.segments = sorted(
            int(name.removesuffix(".matrix"))
            for name in self.arrays
            if name.endswith(".matrix") and name.removesuffix(".matrix").isdigit()
        )
        for segment in self.segments:
            matrix = self.arrays[f"{segment}.matrix"]
            if matrix.ndim != 2 or matrix.dtype != np.float64:
                raise InputError(
                    f"{path}: segment {segment}: found shape {matrix.shape} of {matrix.dtype}, "
                    "expected rows and columns of float64"
                )

    @property
    def utility(self) -> str:
        """The metric of the utilities; empty where the file does not say."""
        return str(self.arrays["utility"]) if "utility" in self.arrays else ""

    def __getitem__(self, segment: int) -> Matrix:
        if segment not in self.segments:
            raise InputError(f"{self.name}: found no matrix for segment {segment}, expected one")
        return self.arrays[f"{segment}.matrix"]

    def __iter__(self) -> Iterator[int]:
        return iter(self.segments)

    def __len__(self) -> int:
        return len(self.segments)

    def check(self, segment: int, candidates: tuple[str, ...], references: tuple[str, ...]) -> None:
        """Refuse texts that are not those the matrix was made of."""
        for kind, texts in (("candidates", candidates), ("references", references)):
            saved = self.arrays.get(f"{segment}.{kind}")
            if saved is not None and tuple(saved.tolist()) != texts:
                raise InputError(
                    f"{self.name}: segment {segment}: found {kind} other than those of the "
                    "matrix, expected the same texts in the same order"
                )
