r"""COMET (Rei et al. 2020, 2022) as a metric of tertium, in an environment of its own.

    python -m venv comet && comet/bin/pip install unbabel-comet
    tertium score reference.en -i system.en --source source.de -m bleu \
        'command[run="comet/bin/python comet_score.py Unbabel/wmt22-comet-da",name=COMET,
        model=Unbabel/wmt22-comet-da,version=2.2.6,precision=fp32,source=yes,batch=256]'

Models without references, such as Unbabel/wmt22-cometkiwi-da, want references=no as well.
"""

# Needs: unbabel-comet.

import json
import os
import sys

# What libraries print must not be taken for scores: standard output is kept for these alone.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

from comet import download_model, load_from_checkpoint  # noqa: E402 - after the line above

model = load_from_checkpoint(download_model(sys.argv[1]))
texts = []
for line in sys.stdin:
    row = json.loads(line)
    text = {"src": row["source"], "mt": row["hypothesis"]}
    if row["references"]:
        text["ref"] = row["references"][0]  # COMET knows one
    texts.append(text)
    if row.get("last"):
        for score in model.predict(texts, batch_size=16, progress_bar=False).scores:
            print(score, file=answers, flush=True)
        texts = []
