"""A score as sacreBLEU shows it."""

# ruff: noqa: FBT001, FBT002 - arguments stand where sacreBLEU has them

import json
from collections.abc import Iterable
from statistics import mean


class SacrebleuScore:
    """A number that prints itself as sacreBLEU does."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        # sacreBLEU has no other names for these two, so people read them.
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""  # what follows the score in its line

    def format(
        self,
        width: int = 2,
        score_only: bool = False,
        signature: str = "",
        is_json: bool = False,
    ) -> str:
        """The score with ``width`` decimals: alone, as a line, or as a JSON object.

        >>> Score("BLEU", 12.345).format(signature="nrefs:1", width=1)
        'BLEU|nrefs:1 = 12.3'
        """
        number = f"{self.score:.{width}f}"
        confidence: dict[str, float | str] = {}
        shown = number
        if self._mean > 0:
            center, spread = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {center} ± {spread}"
            shown = f"{number} ({interval})"
            confidence = {
                "confidence_mean": float(center),
                "confidence_var": float(spread),
                "confidence": interval,
            }
        if score_only:
            return shown
        if is_json:
            pairs = (part.partition(":") for part in signature.split("|") if part)
            content: dict[str, float | str] = {
                "name": self.name,
                "score": float(number),
                "signature": signature,
                **confidence,
                **({"verbose_score": self._verbose} if self._verbose else {}),
                **{key: value for key, _, value in pairs},
            }
            return json.dumps(content, indent=1, ensure_ascii=False)
        title = f"{self.name}|{signature}" if signature else self.name
        return f"{title} = {shown} {self._verbose}".rstrip()

    def estimate_ci(self, scores: Iterable["Score"]) -> None:
        """Keep mean and half the width of the middle 95 % of resampled scores."""
        ordered = sorted(one.score for one in scores)
        if len(set(map(type, ordered))) > 1:
            # Some are in single precision, others are constants for want of any text, and
            # ``mean`` refuses to mix them (as it does under sacreBLEU).
            ordered = [float(score) for score in ordered]
        outside = len(ordered) // 40
        self._ci = 0.5 * (ordered[-1 - outside] - ordered[outside])
        self._mean = mean(ordered)

    def __repr__(self) -> str:
        return self.format()


Score = SacrebleuScore
"""The name that sacreBLEU gives it."""
