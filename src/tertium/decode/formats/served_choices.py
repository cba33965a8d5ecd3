"""Answers of served language models as JSON lines: one request a line, its samples as ``choices``.

``{"choices": [{"message": {"content": "…"}, "logprobs": {"content": [{"logprob": -0.1}]}}]}`` of
chats, ``{"choices": [{"text": "…", "logprobs": {"token_logprobs": [-0.1]}}]}`` of completions, and
either inside ``{"custom_id": "7", "response": {"body": …}}`` of batches. A text's log-probability
is the sum of its tokens'. ``source`` and ``references`` may stand beside the choices.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium.decode.formats.json_lines import as_list, as_object, read_lists
from tertium.decode.formats.log_probabilities import (
    log_probabilities,
    log_probability,
    with_log_probabilities,
)
from tertium.decode.formats.numbered_lines import Damages, shortened
from tertium.decode.formats.only_read import OnlyRead
from tertium.decode.formats.samples import number_and_label, strings
from tertium.decode.structures.nbest import NBest
from tertium.text.files import TextFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices(OnlyRead):
    """An answer on each line, its choices are the hypotheses.

    A batch's ``custom_id`` numbers the segment if it is a number, and names it otherwise; the
    ``id`` of an answer is the server's own, and lines are counted.
    """

    name: ClassVar[str] = "choices"

    def read(self, file: TextFile, damages: Damages) -> Iterator[NBest]:
        """The lists of a file."""
        return read_lists(file, damages, _list)


def _list(value: dict[str, Any], place: int) -> NBest:
    segment, label = number_and_label(value.get("custom_id"), place)
    answer = value
    if "choices" not in value and "response" in value:
        if value.get("error") is not None:
            raise ValueError(f"error: found {shortened(str(value['error']))}, expected an answer")
        answer = as_object(as_object(value["response"], "response").get("body"), "response.body")
    choices = [
        as_object(one, f"choices[{number}]")
        for number, one in enumerate(as_list(answer.get("choices"), "choices"))
    ]
    references = value.get("references", [])
    source = value.get("source")
    if source is not None and not isinstance(source, str):
        raise ValueError(f"source: found {shortened(str(source))}, expected a string")
    one = NBest(
        segment=segment,
        label=label,
        hypotheses=tuple(_text(choice, number) for number, choice in enumerate(choices)),
        source=source,
        references=strings(
            [references] if isinstance(references, str) else references, "references"
        ),
    )
    sums = [_log_probability(choice, number) for number, choice in enumerate(choices)]
    return with_log_probabilities(one, log_probabilities(sums, "logprobs"))


def _text(choice: dict[str, Any], number: int) -> str:
    place = f"choices[{number}]"
    if "message" in choice:
        found, name = as_object(choice["message"], f"{place}.message").get("content"), "content"
    else:
        found, name = choice.get("text"), "text or message"
    if not isinstance(found, str):
        raise ValueError(f"{place}: found {shortened(str(found))} as {name}, expected a string")  # noqa: TRY004
    return found


def _log_probability(choice: dict[str, Any], number: int) -> float | None:
    """The sum over tokens; nothing where the server said nothing."""
    place = f"choices[{number}].logprobs"
    found = choice.get("logprobs")
    if found is None:
        return None
    tokens = as_object(found, place)
    if tokens.get("content") is not None:
        values = [
            as_object(one, f"{place}.content").get("logprob")
            for one in as_list(tokens["content"], f"{place}.content")
        ]
    elif tokens.get("token_logprobs") is not None:
        values = as_list(tokens["token_logprobs"], f"{place}.token_logprobs")
    else:
        return None
    # The first token of a prompt that is echoed has none.
    known = [log_probability(one, place) for one in values if one is not None]
    return sum(known) if known else None
