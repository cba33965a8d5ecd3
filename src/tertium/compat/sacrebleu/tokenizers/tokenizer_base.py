"""What every tokenizer of sacreBLEU's can do."""


class BaseTokenizer:
    """A call takes a segment and returns its tokens with blanks between them."""

    def __call__(self, line: str) -> str:
        """The tokens of a segment."""
        raise NotImplementedError

    def signature(self) -> str:
        """The name in a signature."""
        raise NotImplementedError
