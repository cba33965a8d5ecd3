"""Names of metrics that people try, and what to say here instead."""

from typing import Final

TRAINED: Final = (
    "tertium computes no trained metric, but takes the scores of one: --scores FILE, or a program, "
    "-m 'command[run=…]'"
)

OTHER_NAMES: Final = {
    "sacrebleu": "use 'bleu', which is equal to sacreBLEU's",
    "sentbleu": "use 'bleu' and -sl for a score of each segment",
    "spbleu": "use 'bleu[tokenizer=flores200]'",
    "rouge": "use 'rouge-n[n=1]', 'rouge-n[n=2]' or 'rouge-l'",
    "rouge-1": "use 'rouge-n[n=1]'",
    "rouge1": "use 'rouge-n[n=1]'",
    "rouge-2": "use 'rouge-n[n=2]'",
    "rouge2": "use 'rouge-n[n=2]'",
    "cer": "use 'wer[tokenizer=char]'",
    **dict.fromkeys(
        ("bertscore", "bleurt", "comet", "cometkiwi", "gemba", "metricx", "xcomet"), TRAINED
    ),
}
"""Lower-cased name → the second half of an error."""
