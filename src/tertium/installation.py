"""How this copy of tertium was installed, and so how the rest of it can be."""

from functools import cache


def install_hint(extra: str) -> str:
    """The command that brings an extra, in words that work for this installation."""
    if _from_source():
        return f"pip install '.[{extra}]' in the folder of tertium's source"
    return f"pip install 'tertium[{extra}]'"


@cache
def _from_source() -> bool:
    """Whether pip was given a folder or file, which it notes; an index leaves no note."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return distribution("tertium").read_text("direct_url.json") is not None
    except PackageNotFoundError:  # run from the source itself
        return True
