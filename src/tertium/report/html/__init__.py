"""The report as a page: pure functions of a `tertium.study.Study`."""
