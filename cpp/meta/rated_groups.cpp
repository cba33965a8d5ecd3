#include "meta/rated_groups.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core/parallel.hpp"

namespace tertium::meta {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Counts of ranks in a tree of sums (Fenwick 1994).
void add(std::vector<std::int32_t>& tree, std::int32_t rank, std::int32_t count) {
    for (auto place = static_cast<std::size_t>(rank) + 1; place < tree.size();
         place += place & (~place + 1)) {
        tree[place] += count;
    }
}

std::int32_t count_below(const std::vector<std::int32_t>& tree, std::int32_t rank) {
    std::int32_t total = 0;
    for (auto place = static_cast<std::size_t>(rank); place > 0; place &= place - 1) {
        total += tree[place];
    }
    return total;
}

}  // namespace

RatedGroups::RatedGroups(std::vector<std::int32_t> ranks, std::vector<double> scores,
                         std::vector<std::size_t> starts, std::vector<double> weights)
    : ranks_(std::move(ranks)),
      scores_(std::move(scores)),
      starts_(std::move(starts)),
      weights_(std::move(weights)) {
    const bool fits = ranks_.size() == scores_.size() && starts_.size() == weights_.size() + 1 &&
                      starts_.front() == 0 && starts_.back() == scores_.size() &&
                      std::is_sorted(starts_.begin(), starts_.end());
    if (!fits) throw std::invalid_argument("groups: ranks, scores, starts and weights do not fit");
    for (std::size_t g = 0; g < weights_.size(); ++g) {
        const std::size_t size = starts_[g + 1] - starts_[g];
        for (std::size_t i = starts_[g]; i < starts_[g + 1]; ++i) {
            if (ranks_[i] < 0 || static_cast<std::size_t>(ranks_[i]) >= size) {
                throw std::invalid_argument("groups: found a rank outside of its group");
            }
            if (i > starts_[g] && !(scores_[i - 1] <= scores_[i])) {
                throw std::invalid_argument("groups: found scores that do not rise");
            }
        }
        most_ranks_ = std::max(most_ranks_, size);
    }
}

std::vector<TieCounts> RatedGroups::counts(std::span<const double> thresholds) const {
    std::vector<TieCounts> found(thresholds.size());
    core::for_each_block(thresholds.size(), 1, [&] {
        return [&, less = std::vector<std::int32_t>(), equal = std::vector<std::int32_t>()](
                   std::size_t begin, std::size_t end) mutable {
            for (std::size_t t = begin; t < end; ++t) found[t] = count(thresholds[t], less, equal);
        };
    });
    return found;
}

// A window over the scores: whatever lies within the threshold of the output at its right end.
TieCounts RatedGroups::count(double threshold, std::vector<std::int32_t>& less,
                             std::vector<std::int32_t>& equal) const {
    TieCounts total{.below = -infinity, .above = infinity};
    for (std::size_t g = 0; g < weights_.size(); ++g) {
        const std::size_t size = starts_[g + 1] - starts_[g];
        less.assign(size + 1, 0);
        equal.assign(size, 0);
        std::int64_t rises = 0;
        std::int64_t falls = 0;
        std::size_t left = starts_[g];
        for (std::size_t j = starts_[g]; j < starts_[g + 1];) {
            const double score = scores_[j];
            for (; left < j && score - scores_[left] > threshold; ++left) {
                add(less, ranks_[left], -1);
                --equal[static_cast<std::size_t>(ranks_[left])];
            }
            if (left > starts_[g]) total.above = std::min(total.above, score - scores_[left - 1]);
            if (left < j) total.below = std::max(total.below, score - scores_[left]);
            std::size_t end = j;  // outputs of one score are in no order to each other
            for (; end < starts_[g + 1] && scores_[end] == score; ++end) {
                falls += count_below(less, ranks_[end]);
            }
            if (end - j > 1) total.below = std::max(total.below, 0.0);
            for (; j < end; ++j) {
                rises += equal[static_cast<std::size_t>(ranks_[j])]++;
                add(less, ranks_[j], 1);
            }
        }
        total.rises += weights_[g] * static_cast<double>(rises);
        total.falls += weights_[g] * static_cast<double>(falls);
        total.pairs += static_cast<double>(rises + falls);
    }
    return total;
}

std::vector<TiePair> RatedGroups::pairs(std::span<const Interval> intervals) const {
    std::vector<TiePair> found;
    for (std::size_t number = 0; number < intervals.size(); ++number) {
        core::check_interrupt();
        const auto [low, high] = intervals[number];
        for (std::size_t g = 0; g < weights_.size(); ++g) {
            std::size_t far = starts_[g];
            std::size_t near = starts_[g];
            for (std::size_t j = starts_[g]; j < starts_[g + 1]; ++j) {
                while (far < j && scores_[j] - scores_[far] > high) ++far;
                while (near < j && scores_[j] - scores_[near] > low) ++near;
                for (std::size_t i = far; i < near; ++i) {
                    const double distance = scores_[j] - scores_[i];
                    if (ranks_[i] == ranks_[j]) {
                        found.push_back({distance, weights_[g], number});
                    } else if (ranks_[i] < ranks_[j] && distance > 0) {
                        found.push_back({distance, -weights_[g], number});
                    }
                }
            }
        }
    }
    return found;
}

}  // namespace tertium::meta
