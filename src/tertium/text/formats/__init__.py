"""What a file is by its content, and readers for the formats of translators' tools.

`content` tells formats apart by the first bytes. `xliff`, `tmx`, `po` and `subtitles` give
`Records` with sources and targets, or with one text for any role; `workbook` gives rows as other
tables do. A new format needs an entry in `tertium.text.file_names.FORMATS`, a test of its first
bytes in `content`, a reader here and a line in `tertium.text.reader.Reader`.
"""
