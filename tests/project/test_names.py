"""Names that are read outside their file: a class has one of its own."""

from pathlib import Path

from tools.shape import read_modules, repeated_classes

import tertium


def test_class_names_are_unique() -> None:
    """So that an import, a traceback or a search for one leads to one class."""
    modules = read_modules(Path(tertium.__file__).parent)
    assert len(modules) > 300
    assert repeated_classes(modules) == {}, "two classes of one name: rename the narrower one"
