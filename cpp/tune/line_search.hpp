// Exact line search on n-best lists (Och 2003).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tune/envelope.hpp"

namespace tertium::tune {

// The n-best lists of all segments: hypotheses offsets[s] … offsets[s + 1] − 1 are those of
// segment s, at least one. `features` has a row for each.
struct NBestLists {
    MatrixView features;
    std::span<const std::int64_t> offsets;

    std::size_t segments() const { return offsets.size() - 1; }
};

// Throws std::invalid_argument where a model score is not finite.
Envelopes nbest_envelopes(const NBestLists& lists, const Searches& searches);

// The steps of all segments merged: search q is cut at starts[offsets[q]] = −∞ < … into
// intervals, and sums[i · columns] … are the statistics of all segments in interval i.
struct IntervalSums {
    std::vector<std::int64_t> offsets{0};
    std::vector<double> starts;
    std::vector<double> sums;
};

// `envelopes` are those of `segments` segments for each search; `statistics` has a row for each
// hypothesis that they name.
IntervalSums interval_sums(std::span<const std::int64_t> offsets, std::span<const double> starts,
                           std::span<const std::int32_t> hypotheses, std::size_t segments,
                           const MatrixView& statistics);

}  // namespace tertium::tune
