"""From people's preferences between two systems to one number for each system.

With win(A), loss(A), tie(A) the comparisons that A won, lost and tied:

==================  ===============================================================  =============
method              value of A                                                       official in
==================  ===============================================================  =============
better-or-equal     (win + tie) / (win + tie + loss)                                 WMT08 – WMT11
better              win / (win + tie + loss)
wins-ratio          win / (win + loss): Bojar et al. (2011), who showed that         WMT12
                    better-or-equal rewards systems for having similar rivals
expected-wins       mean over the other systems B of win(A, B) / (win(A, B) +        WMT13
                    loss(A, B)): Koehn (2012)
bradley-terry       log ability in P(A beats B) = a / (a + b), maximum likelihood
                    without ties: Bradley and Terry (1952), by the algorithm of
                    Hunter (2004)
trueskill           mean of the skill in TrueSkill (Herbrich et al., 2006), with     WMT14, WMT15
                    ties, as Sakaguchi et al. (2014) use it; needs the package
==================  ===============================================================  =============

Shares are in percent.
"""

from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.meta.agreement.choices import RANK_METHODS, RankMethod
from tertium.meta.ratings.judgments import Comparisons, Floats
from tertium.plurals import counted
from tertium.suggestions import did_you_mean

_STEPS: Final = 10_000
_PRECISION: Final = 1e-10


def rank_values(
    comparisons: Comparisons,
    systems: int,
    method: RankMethod = "wins-ratio",
    *,
    seed: int = 0,
    place: str = "comparisons",
) -> Floats:
    """A value for each system, higher is better; NaN where the comparisons do not say.

    ``seed`` is the order in which TrueSkill sees the comparisons; nothing else uses it.
    """
    if method not in RANK_METHODS:
        raise OptionError(did_you_mean("way to rank", method, RANK_METHODS))
    wins, ties = win_matrix(comparisons, systems)
    if not len(comparisons):
        raise InputError(f"{place}: found no comparisons, expected at least one")
    if not wins.any() and method != "better-or-equal":
        raise InputError(
            f"{place}: found {counted(len(comparisons), 'comparison')}, all of them ties, "
            f"expected preferences for '{method}'"
        )
    won, lost, tied = wins.sum(axis=1), wins.sum(axis=0), ties.sum(axis=1)
    match method:
        case "wins-ratio":
            return 100 * _share(won, won + lost)
        case "better-or-equal":
            return 100 * _share(won + tied, won + lost + tied)
        case "better":
            return 100 * _share(won, won + lost + tied)
        case "expected-wins":
            return 100 * _expected_wins(wins)
        case "bradley-terry":
            return _bradley_terry(wins, place)
        case _:
            return _trueskill(comparisons, systems, seed)


def win_matrix(comparisons: Comparisons, systems: int) -> tuple[Floats, Floats]:
    """How often each system (row) beat each other (column), and how often they tied."""
    wins = np.zeros((systems, systems))
    ties = np.zeros((systems, systems))
    won = ~comparisons.tie
    np.add.at(wins, (comparisons.better[won], comparisons.worse[won]), 1.0)
    tied = comparisons.tie
    np.add.at(ties, (comparisons.better[tied], comparisons.worse[tied]), 1.0)
    return wins, ties + ties.T


def _share(part: Floats, whole: Floats) -> Floats:
    shares: Floats = np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)
    return shares


def _expected_wins(wins: Floats) -> Floats:
    """Koehn (2012), equation 1; over the systems that A was compared with."""
    decided = wins + wins.T
    shares = np.divide(wins, decided, out=np.zeros_like(wins), where=decided > 0)
    return _share(shares.sum(axis=1), (decided > 0).sum(axis=1).astype(np.float64))


def _bradley_terry(wins: Floats, place: str) -> Floats:
    """Log abilities with mean 0.

    They exist if no systems win every comparison with all the others (Ford, 1957), that is,
    if a chain of wins leads from each system to each other.
    """
    decided = wins + wins.T
    values = np.full(len(wins), np.nan)
    there = np.flatnonzero(decided.sum(axis=1) > 0)
    wins, decided = wins[np.ix_(there, there)], decided[np.ix_(there, there)]
    if not _reachable(wins > 0):
        raise InputError(
            f"{place}: found systems that only win against all others, or only lose, "
            "expected a chain of wins between any two for 'bradley-terry'"
        )
    won = wins.sum(axis=1)
    ability = np.ones(len(wins))
    for _ in range(_STEPS):
        before = ability
        ability = won / (decided / (ability[:, None] + ability[None, :])).sum(axis=1)
        ability = ability / np.exp(np.log(ability).mean())
        if np.abs(np.log(ability / before)).max() < _PRECISION:
            break
    values[there] = np.log(ability)
    return values


def _reachable(beats: NDArray[np.bool_]) -> bool:
    """Whether a chain of wins leads from every system to every other."""
    reach = beats | np.eye(len(beats), dtype=np.bool_)
    for _ in range(max(1, len(beats).bit_length())):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    return bool(reach.all())


def _trueskill(comparisons: Comparisons, systems: int, seed: int) -> Floats:
    try:
        trueskill: Any = import_module("trueskill")  # the package has no types
    except ImportError:
        raise MissingExtraError(
            "ranks 'trueskill': the package trueskill is missing, "
            f"expected: {install_hint('trueskill')}"
        ) from None
    rate = float(comparisons.tie.mean())
    environment: Any = trueskill.TrueSkill(
        draw_probability=min(max(rate, 1e-6), 1 - 1e-6),
        tau=0.0,  # systems do not change while they are judged
    )
    skills = [environment.create_rating() for _ in range(systems)]
    played = np.zeros(systems, dtype=np.bool_)
    # The order matters a little; judges came in none that means anything.
    for place in np.random.default_rng(seed).permutation(len(comparisons)).tolist():
        a, b = int(comparisons.better[place]), int(comparisons.worse[place])
        drawn = bool(comparisons.tie[place])
        skills[a], skills[b] = trueskill.rate_1vs1(
            skills[a], skills[b], drawn=drawn, env=environment
        )
        played[[a, b]] = True
    means = np.array([float(skill.mu) for skill in skills])
    return np.where(played, means, np.nan)
