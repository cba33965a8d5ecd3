"""Systems on a corpus with the statistics of every metric, each computed once."""

from tertium.scored.scored import Scored, scored

__all__ = ["Scored", "scored"]
