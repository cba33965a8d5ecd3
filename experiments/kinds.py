"""Which systems of WMT23 and WMT24 are large language models: a table of facts with its sources.

Word overlap favors classic systems (encoder–decoder models trained on parallel data, online
services) over LLMs, so agreement with raters is told by kind of pair. A system is an LLM if its
translations come from a decoder-only language model, prompted or fine-tuned. Where the same team
used different models for different pairs, the pair is part of the key.
"""

from typing import Final, Literal, TypeAlias

from tertium.meta.worth_curves import KINDS

SystemKind: TypeAlias = Literal["LLM", "classic"]

WMT23: Final[dict[str, SystemKind]] = {
    "GPT4-5shot": "LLM",  # prompted by the organizers
    # zh-en: has 61 % of its words in common with GPT4-5shot, with no other more than 52 %.
    "zh-en Lan-BridgeMT": "LLM",
    # he-en: nearest to NLLB_Greedy (61 %), and 50 % in common with GPT4-5shot.
    "he-en Lan-BridgeMT": "classic",
}
"""All others of zh-en and he-en are online services, NLLB, or Transformers of the teams' own."""

WMT24: Final[dict[str, SystemKind]] = {
    # Prompted by the organizers, with few shots.
    "Aya23": "LLM",
    "Claude-3.5": "LLM",
    "CommandR-plus": "LLM",
    "GPT-4": "LLM",
    "Gemini-1.5-Pro": "LLM",
    "Llama3-70B": "LLM",
    "Mistral-Large": "LLM",
    "Phi-3-Medium": "LLM",
    # By the teams' papers in the proceedings of WMT24.
    "Unbabel-Tower70B": "LLM",  # Tower, continued from Llama
    "CUNI-MH": "LLM",  # Mistral 7B, fine-tuned
    "IKUN": "LLM",  # Llama-3-8b, fine-tuned
    "IKUN-C": "LLM",  # Mistral-7B, fine-tuned
    "IOL-Research": "LLM",  # open LLMs, fine-tuned
    "CUNI-GA": "classic",  # a genetic algorithm over outputs of Transformers
    "CUNI-Transformer": "classic",
    "CUNI-DocTransformer": "classic",
    "TranssionMT": "classic",  # en-hi: has 96 % of its words in common with ONLINE-B
    "NVIDIA-NeMo": "classic",
    "ONLINE-A": "classic",
    "ONLINE-B": "classic",
    "ONLINE-G": "classic",
    "ONLINE-W": "classic",
}
"""SCIR-MT and others of which we found no description are of no kind."""


def system_kind(test_set: str, system: str) -> SystemKind | None:
    """What a system of a test set such as ``wmt23 zh-en`` is; nothing where that is not known.

    >>> system_kind("wmt23 zh-en", "Lan-BridgeMT"), system_kind("wmt24 en-cs", "SCIR-MT")
    ('LLM', None)
    """
    campaign, _, rest = test_set.partition(" ")
    pair = rest.partition(",")[0]
    if campaign == "wmt24":
        return WMT24.get(system)
    return WMT23.get(f"{pair} {system}", WMT23.get(system, "classic"))


def pair_kind(test_set: str, ahead: str, behind: str) -> str:
    """The kind of a pair, by which of the two is ahead; empty where it is not known."""
    first, second = system_kind(test_set, ahead), system_kind(test_set, behind)
    return "" if first is None or second is None else KINDS[first == "LLM", second == "LLM"]
