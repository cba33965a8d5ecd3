#include <algorithm>
#include <cmath>

#include "fuzz/target.hpp"
#include "tune/line_search.hpp"

namespace tertium::fuzz {
namespace {

using namespace tune;

// At a step in the middle of each piece, no line is higher than the piece's own.
void check_envelope(const std::vector<ScoreLine>& found, const EnvelopeFinder& lines) {
    EXPECT(!found.empty() && found.front().from == -HUGE_VAL);
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT(i == 0 ||
               (found[i - 1].slope < found[i].slope && found[i - 1].from < found[i].from));
        const double from = found[i].from;
        const double to = i + 1 < found.size() ? found[i + 1].from : HUGE_VAL;
        const double middle = std::isfinite(from) ? (std::isfinite(to) ? (from + to) / 2 : from + 1)
                              : std::isfinite(to) ? to - 1
                                                  : 0;
        const double own = found[i].intercept + middle * found[i].slope;
        for (std::size_t line = 0; line < lines.slopes.size(); ++line) {
            const double other = lines.intercepts[line] + middle * lines.slopes[line];
            EXPECT(other <= own + 1e-9 * std::max(1.0, std::abs(own)));
        }
    }
}

}  // namespace

// Two ways to an envelope give the same, and statistics of intervals are those of the hypotheses
// that are best in them.
FUZZ_TARGET(envelopes) {
    const std::size_t segments = 1 + input.below(3), columns = 1 + input.below(3);
    std::vector<std::int64_t> offsets{0};
    std::vector<double> features, statistics;
    for (std::size_t s = 0; s < segments; ++s) {
        for (std::size_t n = 1 + input.below(12); n > 0; --n) {
            for (std::size_t c = 0; c < columns; ++c) features.push_back(input.number());
            statistics.push_back(input.number());
        }
        offsets.push_back(static_cast<std::int64_t>(statistics.size()));
    }
    std::vector<double> point(columns), direction(columns);
    for (double& one : point) one = input.number();
    for (double& one : direction) one = input.number();
    const NBestLists lists{{features.data(), statistics.size(), columns}, offsets};
    const Searches searches{{point.data(), 1, columns}, {direction.data(), 1, columns}};
    const Envelopes found = nbest_envelopes(lists, searches);
    EXPECT(found.offsets.size() == segments + 1);
    for (std::size_t s = 0; s < segments; ++s) {
        EnvelopeFinder finder;
        std::vector<ScoreLine> all;
        for (auto h = static_cast<std::size_t>(offsets[s]);
             h < static_cast<std::size_t>(offsets[s + 1]); ++h) {
            finder.slopes.push_back(dot(lists.features.row(h), direction));
            finder.intercepts.push_back(dot(lists.features.row(h), point));
            all.push_back({finder.slopes.back(), finder.intercepts.back(), 0,
                           static_cast<std::uint32_t>(all.size())});
        }
        keep_upper_envelope(all);
        check_envelope(all, finder);
        const std::vector<ScoreLine>& quick = finder.find();
        check_envelope(quick, finder);
        EXPECT(quick.size() == all.size());
        const auto begin = static_cast<std::size_t>(found.offsets[s]);
        EXPECT(static_cast<std::size_t>(found.offsets[s + 1]) - begin == all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT(quick[i].label == all[i].label && quick[i].from == all[i].from);
            EXPECT(found.starts[begin + i] == all[i].from);
            EXPECT(found.hypotheses[begin + i] ==
                   static_cast<std::int32_t>(offsets[s] + all[i].label));
        }
    }
    const IntervalSums sums = interval_sums(found.offsets, found.starts, found.hypotheses, segments,
                                            {statistics.data(), statistics.size(), 1});
    EXPECT(std::ranges::is_sorted(sums.starts) && sums.starts.front() == -HUGE_VAL);
    for (std::size_t i = 0; i < sums.starts.size(); ++i) {
        double expected = 0;
        for (std::size_t s = 0; s < segments; ++s) {
            auto e = static_cast<std::size_t>(found.offsets[s]);
            while (e + 1 < static_cast<std::size_t>(found.offsets[s + 1]) &&
                   found.starts[e + 1] <= sums.starts[i]) {
                ++e;
            }
            expected += statistics[static_cast<std::size_t>(found.hypotheses[e])];
        }
        EXPECT(sums.sums[i] == expected);  // halves: sums are exact
    }
}

}  // namespace tertium::fuzz
