#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fuzz/target.hpp"
#include "meta/rated_groups.hpp"

namespace tertium::fuzz {
namespace {

using namespace meta;

struct Groups {
    std::vector<std::int32_t> ranks;
    std::vector<double> scores;
    std::vector<std::size_t> starts{0};
    std::vector<double> weights;

    explicit Groups(Input& input) {
        for (std::size_t n = 1 + input.below(4); n > 0; --n) {
            const std::size_t size = input.below(12), first = scores.size();
            for (std::size_t i = 0; i < size; ++i) {
                scores.push_back(input.number());
                ranks.push_back(static_cast<std::int32_t>(input.below(size)));
            }
            std::sort(scores.begin() + static_cast<std::ptrdiff_t>(first), scores.end());
            starts.push_back(scores.size());
            weights.push_back(static_cast<double>(1 + input.below(4)));
        }
    }

    // Calls take(distance, weight, rise, fall) for each pair.
    template <class Take>
    void for_each_pair(Take&& take) const {
        for (std::size_t g = 0; g < weights.size(); ++g) {
            for (std::size_t i = starts[g]; i < starts[g + 1]; ++i) {
                for (std::size_t k = i + 1; k < starts[g + 1]; ++k) {
                    const double distance = scores[k] - scores[i];
                    take(distance, weights[g], ranks[i] == ranks[k],
                         distance > 0 && ranks[i] < ranks[k]);
                }
            }
        }
    }
};

}  // namespace

// Counts below a threshold are those of a loop over all pairs.
FUZZ_TARGET(ratings) {
    if (input.byte() % 8 == 0) {
        std::vector<std::int32_t> ranks;
        std::vector<std::size_t> starts;
        for (std::size_t n = input.below(6); n > 0; --n) starts.push_back(input.below(9));
        while (!input.empty()) ranks.push_back(static_cast<std::int32_t>(input.byte()) - 9);
        std::vector<double> scores(ranks.size()), weights(starts.size());
        if (!weights.empty()) weights.pop_back();
        try {
            const RatedGroups groups(ranks, scores, starts, weights);
        } catch (const std::invalid_argument&) {
        }
        return;
    }
    const double threshold = std::abs(input.number()) / 2;
    const Groups given(input);
    const RatedGroups groups(given.ranks, given.scores, given.starts, given.weights);
    const std::vector<double> thresholds{threshold};
    const TieCounts found = groups.counts(thresholds)[0];
    double rises = 0, falls = 0, pairs = 0, below = -HUGE_VAL, above = HUGE_VAL;
    given.for_each_pair([&](double distance, double weight, bool rise, bool fall) {
        if (distance > threshold) {
            above = std::min(above, distance);
            return;
        }
        below = std::max(below, distance);
        rises += rise ? weight : 0;
        falls += fall ? weight : 0;
        pairs += rise || fall ? 1 : 0;
    });
    EXPECT(found.below == below && found.above == above);
    EXPECT(found.rises == rises && found.falls == falls && found.pairs == pairs);
    const std::vector<Interval> intervals{{-1, threshold}};
    double gained = 0;
    for (const TiePair& pair : groups.pairs(intervals)) gained += pair.gain;
    EXPECT(gained == rises - falls);
}

}  // namespace tertium::fuzz
