"""tertium's metrics in the interfaces of other people's packages, one module for each.

What stands in this folder translates arguments and results, and computes nothing itself: the
number of a text is that of `tertium.score`, to the last bit. A module imports its package, so that
only who has the package can import it; `rewards` and `trainer` need none.
"""
