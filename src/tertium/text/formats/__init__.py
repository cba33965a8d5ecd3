"""Formats of corpora: how a file is recognized by its content, and the readers.

`table` has a row for each format, `content` tells formats apart by the first bytes. `xliff`, `tmx`,
`po`, `subtitles`, `conllu` and `sgml` give `Records` with sources and targets, or with one text for
any role; `workbook` gives rows as other tables do. To add a format, write a reader here and a row
in `table`.
"""
