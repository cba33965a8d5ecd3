#include "tune/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/parallel.hpp"

namespace tertium::tune {
namespace {

constexpr std::size_t hypotheses_at_once = 4096;

void append(Envelopes& all, const Envelopes& part) {
    const std::int64_t base = all.offsets.back();
    for (std::size_t n = 1; n < part.offsets.size(); ++n) {
        all.offsets.push_back(base + part.offsets[n]);
    }
    all.starts.insert(all.starts.end(), part.starts.begin(), part.starts.end());
    all.hypotheses.insert(all.hypotheses.end(), part.hypotheses.begin(), part.hypotheses.end());
}

[[noreturn]] void refuse(std::size_t segment, std::int64_t hypothesis) {
    throw std::invalid_argument("segment " + std::to_string(segment + 1) + ", hypothesis " +
                                std::to_string(hypothesis + 1) +
                                ": found a model score that is not finite, expected a number");
}

// A direction without its zeros: coordinate directions have one number only.
struct Direction {
    std::vector<std::size_t> columns;
    std::vector<double> numbers;

    explicit Direction(std::span<const double> whole) {
        for (std::size_t n = 0; n < whole.size(); ++n) {
            if (whole[n] == 0) continue;
            columns.push_back(n);
            numbers.push_back(whole[n]);
        }
    }

    double slope(std::span<const double> features) const {
        double sum = 0;
        for (std::size_t n = 0; n < columns.size(); ++n) sum += features[columns[n]] * numbers[n];
        return sum;
    }
};

// The envelopes of all segments for one search, given the scores of all hypotheses at its point.
Envelopes search_envelopes(const NBestLists& lists, std::span<const double> intercepts,
                           const Direction& direction, EnvelopeFinder& finder) {
    Envelopes found;
    found.offsets.reserve(lists.segments() + 1);
    for (std::size_t segment = 0; segment < lists.segments(); ++segment) {
        const std::int64_t first = lists.offsets[segment], last = lists.offsets[segment + 1];
        finder.clear();
        for (std::int64_t h = first; h < last; ++h) {
            const auto hypothesis = static_cast<std::size_t>(h);
            const double slope = direction.slope(lists.features.row(hypothesis));
            const double intercept = intercepts[hypothesis];
            if (!std::isfinite(slope) || !std::isfinite(intercept)) refuse(segment, h - first);
            finder.slopes.push_back(slope);
            finder.intercepts.push_back(intercept);
        }
        for (const ScoreLine& line : finder.find()) {
            found.starts.push_back(line.from);
            found.hypotheses.push_back(static_cast<std::int32_t>(first + line.label));
        }
        found.offsets.push_back(static_cast<std::int64_t>(found.starts.size()));
    }
    return found;
}

// Where a segment changes its hypothesis.
struct Change {
    double step;
    std::int32_t before;
    std::int32_t after;
};

class Merger {
  public:
    Merger(std::span<const std::int64_t> offsets, std::span<const double> starts,
           std::span<const std::int32_t> hypotheses, const MatrixView& statistics)
        : offsets_(offsets), starts_(starts), hypotheses_(hypotheses), statistics_(statistics) {}

    // Of the envelopes first … last − 1.
    IntervalSums merge(std::size_t first, std::size_t last) {
        changes_.clear();
        sum_.assign(statistics_.columns, 0.0);
        for (std::size_t e = first; e < last; ++e) {
            const auto begin = static_cast<std::size_t>(offsets_[e]);
            const auto end = static_cast<std::size_t>(offsets_[e + 1]);
            add(hypotheses_[begin], 1);
            for (std::size_t n = begin + 1; n < end; ++n) {
                changes_.push_back({starts_[n], hypotheses_[n - 1], hypotheses_[n]});
            }
        }
        // Equal steps stay in the order of segments: sums must not depend on the sort.
        std::stable_sort(changes_.begin(), changes_.end(),
                         [](const Change& a, const Change& b) { return a.step < b.step; });
        IntervalSums found;
        double start = -std::numeric_limits<double>::infinity();
        for (const Change& change : changes_) {
            if (change.step > start) {
                emit(found, start);
                start = change.step;
            }
            add(change.before, -1);
            add(change.after, 1);
        }
        emit(found, start);
        return found;
    }

  private:
    void add(std::int32_t hypothesis, double sign) {
        const auto row = statistics_.row(static_cast<std::size_t>(hypothesis));
        for (std::size_t k = 0; k < row.size(); ++k) sum_[k] += sign * row[k];
    }

    void emit(IntervalSums& found, double start) const {
        found.starts.push_back(start);
        found.sums.insert(found.sums.end(), sum_.begin(), sum_.end());
    }

    std::span<const std::int64_t> offsets_;
    std::span<const double> starts_;
    std::span<const std::int32_t> hypotheses_;
    MatrixView statistics_;
    std::vector<Change> changes_;
    std::vector<double> sum_;
};

}  // namespace

Envelopes nbest_envelopes(const NBestLists& lists, const Searches& searches) {
    // Searches that follow one another mostly begin at the same point: scores there are shared.
    std::vector<std::size_t> place_of(searches.size());
    std::vector<std::size_t> distinct;
    for (std::size_t q = 0; q < searches.size(); ++q) {
        if (q == 0 || !std::ranges::equal(searches.points.row(q), searches.points.row(q - 1))) {
            distinct.push_back(q);
        }
        place_of[q] = distinct.size() - 1;
    }
    const std::size_t hypotheses = lists.features.rows;
    std::vector<double> intercepts(distinct.size() * hypotheses);
    core::for_each_block(intercepts.size(), hypotheses_at_once, [&] {
        return [&](std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n) {
                intercepts[n] = dot(lists.features.row(n % hypotheses),
                                    searches.points.row(distinct[n / hypotheses]));
            }
        };
    });
    std::vector<Envelopes> parts(searches.size());
    core::for_each_block(searches.size(), 1, [&] {
        return [&, finder = EnvelopeFinder()](std::size_t begin, std::size_t end) mutable {
            for (std::size_t q = begin; q < end; ++q) {
                const std::span<const double> here{intercepts.data() + place_of[q] * hypotheses,
                                                   hypotheses};
                parts[q] =
                    search_envelopes(lists, here, Direction(searches.directions.row(q)), finder);
            }
        };
    });
    Envelopes all;
    for (Envelopes& part : parts) {
        append(all, part);
        part = {};
    }
    return all;
}

IntervalSums interval_sums(std::span<const std::int64_t> offsets, std::span<const double> starts,
                           std::span<const std::int32_t> hypotheses, std::size_t segments,
                           const MatrixView& statistics) {
    const std::size_t searches = segments == 0 ? 0 : (offsets.size() - 1) / segments;
    std::vector<IntervalSums> parts(searches);
    core::for_each_block(searches, 1, [&] {
        return [&, merger = Merger(offsets, starts, hypotheses, statistics)](
                   std::size_t begin, std::size_t end) mutable {
            for (std::size_t q = begin; q < end; ++q) {
                parts[q] = merger.merge(q * segments, (q + 1) * segments);
            }
        };
    });
    IntervalSums all;
    for (IntervalSums& part : parts) {
        all.starts.insert(all.starts.end(), part.starts.begin(), part.starts.end());
        all.sums.insert(all.sums.end(), part.sums.begin(), part.sums.end());
        all.offsets.push_back(static_cast<std::int64_t>(all.starts.size()));
        part = {};
    }
    return all;
}

}  // namespace tertium::tune
