"""Text for LaTeX."""

from typing import Final

_ESCAPED: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\n": " ",
        "\r": " ",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)


def escape_latex(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> escape_latex("50%_a\\b")
    '50\\%\\_a\\textbackslash{}b'
    """
    return text.translate(_ESCAPED)
