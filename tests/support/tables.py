"""Tables of HTML, read back."""

from html.parser import HTMLParser

ALLOWED = {"table", "caption", "tr", "th", "td", "b", "p"}


class Tags(HTMLParser):
    """The tags of some HTML, and the text of its cells."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert attrs == []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def cells(html: str) -> list[str]:
    """The text of every cell, after a check that there is no tag but a table's."""
    parser = Tags()
    parser.feed(html)
    assert parser.tags <= ALLOWED
    return parser.texts
