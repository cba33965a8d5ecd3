"""What every tokenizer of sacreBLEU's can do."""


class BaseTokenizer:
    """A call takes a segment and returns its tokens with blanks between them.

    Both methods are for subclasses to write, in other people's code too; as in sacreBLEU the base
    raises, and is no abstract class, for there it can be made by itself.
    """

    def __call__(self, line: str) -> str:
        """The tokens of a segment."""
        raise NotImplementedError

    def signature(self) -> str:
        """The name in a signature."""
        raise NotImplementedError
