#include "metrics/amber/skip_matches.hpp"

#include <algorithm>
#include <optional>

#include "core/interrupt.hpp"

namespace tertium::metrics::amber {
namespace {

// Walks through all skip n-grams of 2 … order words that go on from one word:
// step(state, position, words) gives the state with one word more, or none to turn back.
template <class State, class Step>
void extend(std::size_t length, std::size_t position, std::size_t left, std::size_t words,
            std::size_t order, State state, const Step& step) {
    if (words == order) return;
    const std::size_t room = length - position - 1;
    for (std::size_t skipped = 0; skipped < room && skipped <= left; ++skipped) {
        const std::size_t next = position + 1 + skipped;
        const auto longer = step(state, next, words + 1);
        if (longer) extend(length, next, left - skipped, words + 1, order, *longer, step);
    }
}

void add_totals(const SegmentGrams& grams, std::size_t limit, std::size_t order, GramSums& sums) {
    const std::size_t length = grams.length();
    for (std::size_t n = 2; n <= order && n <= length; ++n) {
        // With g words left out there are binomial(g + n − 2, n − 2) ways to leave them out.
        double ways = 1;
        for (std::size_t g = 0; g <= limit && g + n <= length; ++g) {
            if (g > 0) ways *= static_cast<double>(g + n - 2) / static_cast<double>(g);
            sums.totals[n - 2].count += ways * static_cast<double>(length - n - g + 1);
        }
    }
    if (grams.weights() == nullptr) return;
    const std::vector<double>& weights = grams.weights()->hypothesis;
    const auto step = [&](double before, std::size_t position, std::size_t words) {
        const double sum = before + weights[position];
        sums.totals[words - 2].weight += sum / static_cast<double>(words);
        return std::optional(sum);
    };
    for (std::size_t p = 0; p < length; ++p) extend(length, p, limit, 1, order, weights[p], step);
}

}  // namespace

void SkipMatches::count(const SegmentGrams& grams, std::size_t limit, GramSums& sums) {
    const std::size_t order = sums.matches.size() + 1;
    add_totals(grams, limit, order, sums);
    table_.clear(0);
    limits_.clear();
    weights_.clear();
    for (const core::Tokens reference : grams.segment().references) {
        number(grams, reference, limit, order);
    }
    const core::Tokens text = grams.segment().hypothesis;
    counts_.assign(limits_.size(), 0);
    const auto step = [&](core::Gram prefix, std::size_t position,
                          std::size_t words) -> std::optional<core::Gram> {
        const core::Gram gram = table_.find(prefix, text[position]);
        if (gram == core::no_gram) return std::nullopt;
        if (++counts_[gram] <= limits_[gram]) {
            sums.matches[words - 2].add(1, weights_[gram] / static_cast<double>(words));
        }
        return gram;
    };
    for (std::size_t p = 0; p < text.size(); ++p) {
        core::check_interrupt();
        const core::Gram start = table_.find(core::empty_gram, text[p]);
        if (start != core::no_gram) extend(text.size(), p, limit, 1, order, start, step);
    }
}

// Numbers the skip n-grams of a reference that have only words of the hypothesis.
void SkipMatches::number(const SegmentGrams& grams, core::Tokens reference, std::size_t limit,
                         std::size_t order) {
    const std::vector<std::uint32_t>& in_hypothesis = grams.order(1).counts;
    counts_.assign(limits_.size(), 0);
    const auto step = [&](core::Gram prefix, std::size_t position,
                          std::size_t) -> std::optional<core::Gram> {
        const core::Token token = reference[position];
        const auto word = static_cast<std::size_t>(token);
        if (in_hypothesis[word] == 0) return std::nullopt;
        const core::Gram gram = table_.intern(prefix, token);
        if (gram == limits_.size()) {
            limits_.push_back(0);
            counts_.push_back(0);
            const double before = prefix == core::empty_gram ? 0.0 : weights_[prefix];
            const double own = grams.weights() ? grams.weights()->vocabulary[word] : 0.0;
            weights_.push_back(before + own);
        }
        limits_[gram] = std::max(limits_[gram], ++counts_[gram]);
        return gram;
    };
    for (std::size_t p = 0; p < reference.size(); ++p) {
        core::check_interrupt();
        const auto start = step(core::empty_gram, p, 1);
        if (start) extend(reference.size(), p, limit, 1, order, *start, step);
    }
}

}  // namespace tertium::metrics::amber
