r"""A language model as a judge, behind an HTTP address that you name, as a metric of tertium.

    tertium score reference.en -i system.en --source source.de -m bleu \
        'command[run="python llm_judge.py http://localhost:8000/v1/chat/completions my-model",
        name=Judge,model=my-model,version=2025-06,precision=unknown,source=yes,batch=8]'

The address must take what OpenAI's chat completions take, as vLLM, llama.cpp and many services do.
Where a key is needed, it is read from the environment variable JUDGE_KEY. An answer without a
number from 0 to 100 is no score, which tertium counts and leaves out. Nothing is drawn at random
(temperature 0), but few services promise the same answer twice: the cache keeps the first one.
"""

# Needs: nothing but Python.

import json
import os
import re
import sys
import urllib.request

QUESTION = """\
Judge how well a translation keeps the meaning of its source and reads as good text.
Source: {source}
{reference}Translation: {hypothesis}
Answer with one whole number from 0 (nothing of the meaning is left) to 100 (perfect), and with \
nothing else."""

address, model = sys.argv[1:]


def asked(text: str) -> str:
    """What the model answers."""
    body = {
        "model": model,
        "temperature": 0,
        "max_tokens": 8,
        "messages": [{"role": "user", "content": text}],
    }
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("JUDGE_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


for line in sys.stdin:
    row = json.loads(line)
    reference = "".join(f"Reference: {one}\n" for one in row["references"][:1])
    said = asked(
        QUESTION.format(
            source=row["source"] or "", reference=reference, hypothesis=row["hypothesis"]
        )
    )
    number = re.search(r"\b(100|\d{1,2})\b", said)
    print("null" if number is None else number[0], flush=True)
