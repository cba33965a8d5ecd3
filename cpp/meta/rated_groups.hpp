// Pairs of rated outputs within groups, by the distance of their scores: what the accuracy of a
// metric gains where scores that lie near each other count as tied (Deutsch, Foster & Freitag
// 2023).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium::meta {

// The pairs whose scores lie no further apart than a threshold, by weight: `rises` become right by
// a tie, since people found one; `falls` become wrong, since they stood in people's order.
// `below` is the greatest distance up to the threshold, `above` the least beyond it; −∞ and ∞
// where there is none.
struct TieCounts {
    double rises = 0;
    double falls = 0;
    double pairs = 0;
    double below;
    double above;
};

// A pair to which a tie makes a difference, which of some intervals it is in, and its weight,
// negative for a fall.
struct TiePair {
    double distance;
    double gain;
    std::size_t interval;
};

// Distances d with low < d <= high.
struct Interval {
    double low;
    double high;
};

class RatedGroups {
  public:
    // Groups lie behind one another, `starts` has their first places and the end of the last; in
    // each group scores rise. `ranks` are those of the ratings within the group, from 0 on, equal
    // for equal ratings. A pair of group g counts weights[g].
    RatedGroups(std::vector<std::int32_t> ranks, std::vector<double> scores,
                std::vector<std::size_t> starts, std::vector<double> weights);

    // O(n log n) for each threshold, however many pairs there are.
    std::vector<TieCounts> counts(std::span<const double> thresholds) const;

    // O(n) for each interval, and what it finds.
    std::vector<TiePair> pairs(std::span<const Interval> intervals) const;

  private:
    TieCounts count(double threshold, std::vector<std::int32_t>& less,
                    std::vector<std::int32_t>& equal) const;

    std::vector<std::int32_t> ranks_;
    std::vector<double> scores_;
    std::vector<std::size_t> starts_;
    std::vector<double> weights_;
    std::size_t most_ranks_ = 0;
};

}  // namespace tertium::meta
