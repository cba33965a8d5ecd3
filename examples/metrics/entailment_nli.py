r"""Does the translation entail the reference, and the reference the translation?

    python -m venv nli && nli/bin/pip install transformers torch
    tertium score reference.en -i system.en -m entailment \
        'command[run="nli/bin/python entailment_nli.py MoritzLaurer/DeBERTa-v3-base-mnli",name=NLI,
        model=MoritzLaurer/DeBERTa-v3-base-mnli,version=1,precision=fp32,batch=64]'

The score is the mean of both directions' probabilities of entailment, of the best reference (after
Padó et al. 2009). With the word 'forward' or 'backward' behind the model's name it is one of them:
the reference entails the translation (nothing was made up), or the translation the reference
(nothing was lost).
"""

# Needs: transformers, torch.

import json
import os
import sys
from importlib import import_module

# What libraries print must not be taken for scores: standard output is kept for these alone.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

name, *rest = sys.argv[1:]
classify = import_module("transformers").pipeline("text-classification", model=name, top_k=None)


def entailments(pairs: list[tuple[str, str]]) -> list[float]:
    """The probability that the first text of each pair entails the second."""
    found = classify([{"text": premise, "text_pair": claim} for premise, claim in pairs])
    return [
        next(one["score"] for one in labels if one["label"].lower().startswith("entail"))
        for labels in found
    ]


rows = []
for line in sys.stdin:
    row = json.loads(line)
    rows.append(row)
    if row.get("last"):
        pairs = [(ref, one["hypothesis"]) for one in rows for ref in one["references"]]
        forward = iter(entailments(pairs))
        backward = iter(entailments([(claim, premise) for premise, claim in pairs]))
        for one in rows:
            both = [(next(forward), next(backward)) for _ in one["references"]]
            chosen = {"forward": slice(0, 1), "backward": slice(1, 2)}.get("".join(rest), slice(2))
            scores = [sum(pair[chosen]) / len(pair[chosen]) for pair in both]
            print(max(scores), file=answers)
        answers.flush()
        rows = []
