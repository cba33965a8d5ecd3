r"""MetricX-24 (Juraska et al. 2024) as a metric of tertium: errors from 0 to 25, lower is better.

    git clone https://github.com/google-research/metricx
    python -m venv metricx-env && metricx-env/bin/pip install -r metricx/requirements.txt
    export PYTHONPATH=metricx
    MODEL=google/metricx-24-hybrid-large-v2p6
    tertium score reference.en -i system.en --source source.de -m bleu "command[
        run=\"metricx-env/bin/python metricx_score.py $MODEL google/mt5-large\",
        name=MetricX-24,model=$MODEL,version=v2p6,precision=fp32,higher=no,source=yes]"

With references=no the same models score without references.
"""

# Needs: torch, transformers, the package metricx24 of the repository above.

import json
import os
import sys

# What libraries print must not be taken for scores: standard output is kept for these alone.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import torch  # noqa: E402 - after the line above
from metricx24.models import MT5ForRegression  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402

LONGEST = 1536

device = "cuda" if torch.cuda.is_available() else "cpu"
model = MT5ForRegression.from_pretrained(sys.argv[1]).to(device).eval()
tokenizer = AutoTokenizer.from_pretrained(sys.argv[2])

for line in sys.stdin:
    row = json.loads(line)
    text = f"source: {row['source'] or ''} candidate: {row['hypothesis']}"
    if row["references"]:
        text += f" reference: {row['references'][0]}"
    numbers = tokenizer(text, max_length=LONGEST, truncation=True, return_tensors="pt")
    # The models were trained without the sign that ends a text.
    words = numbers["input_ids"][:, :-1].to(device)
    mask = numbers["attention_mask"][:, :-1].to(device)
    with torch.no_grad():
        score = model(input_ids=words, attention_mask=mask).predictions
    print(float(score), file=answers, flush=True)
