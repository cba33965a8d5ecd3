#include "metrics/amber/segment_grams.hpp"

#include <algorithm>

namespace tertium::metrics::amber {

void SegmentGrams::begin(const core::Segment& segment, const SegmentWeights* weights,
                         GramSums& sums, std::vector<GramSum>& reference) {
    segment_ = &segment;
    weights_ = weights;
    if (weights != nullptr) {
        weight_before_.assign(1, 0.0);
        for (const double one : weights->hypothesis) {
            weight_before_.push_back(weight_before_.back() + one);
        }
    }
    const std::size_t orders = sums.matches.size();
    if (orders_.size() < orders) orders_.resize(orders);
    for (std::size_t n = 1; n <= orders; ++n) {
        number_references(n);
        add_reference_totals(n, reference[n - 1]);
        GramOrder& order = orders_[n - 1];
        order.counts.assign(order.limits.size(), 0);
        order.hypothesis.resize(length() < n ? 0 : length() - n + 1);
        std::size_t matched = 0;
        for (std::size_t p = 0; p < order.hypothesis.size(); ++p) {
            const core::Token last = segment.hypothesis[p + n - 1];
            core::Gram gram = last == core::unknown ? core::no_gram : static_cast<core::Gram>(last);
            if (n > 1) gram = numbers_.find(orders_[n - 2].hypothesis[p], gram);
            order.hypothesis[p] = gram;
            const bool match = gram != core::no_gram && ++order.counts[gram] <= order.limits[gram];
            matched += match;
            if (weights_ == nullptr) continue;
            const double one = weight(p, n) / static_cast<double>(n);
            sums.totals[n - 1].weight += one;
            if (match) sums.matches[n - 1].weight += one;
        }
        sums.totals[n - 1].count += static_cast<double>(order.hypothesis.size());
        sums.matches[n - 1].count += static_cast<double>(matched);
    }
}

// Gives the n-grams of the references their numbers, from those of the (n − 1)-grams.
void SegmentGrams::number_references(std::size_t n) {
    GramOrder& order = orders_[n - 1];
    if (order.references.size() < references()) order.references.resize(references());
    if (n == 1) {
        order.limits.assign(segment_->vocabulary, 0);
    } else {
        std::size_t words = 0;
        for (const core::Tokens reference : segment_->references) words += reference.size();
        order.limits.clear();
        numbers_.clear(orders_[n - 2].limits.size(), words);
    }
    for (std::size_t r = 0; r < references(); ++r) {
        const core::Tokens reference = segment_->references[r];
        std::vector<core::Gram>& grams = order.references[r];
        grams.resize(reference.size() < n ? 0 : reference.size() - n + 1);
        counts_.assign(order.limits.size(), 0);
        for (std::size_t p = 0; p < grams.size(); ++p) {
            auto gram = static_cast<core::Gram>(reference[p + n - 1]);
            if (n > 1) {
                const core::Gram prefix = orders_[n - 2].references[r][p];
                // What cannot match needs no number, unless references have to be united.
                if (references() == 1 &&
                    (prefix == core::no_gram || orders_[n - 2].counts[prefix] == 0)) {
                    grams[p] = core::no_gram;
                    continue;
                }
                gram = numbers_.intern(prefix, gram);
            }
            grams[p] = gram;
            if (gram == order.limits.size()) {
                order.limits.push_back(0);
                counts_.push_back(0);
            }
            order.limits[gram] = std::max(order.limits[gram], ++counts_[gram]);
        }
    }
}

void SegmentGrams::add_reference_totals(std::size_t n, GramSum& total) {
    const GramOrder& order = orders_[n - 1];
    if (references() == 1 && weights_ == nullptr) {
        total.count += static_cast<double>(order.references.front().size());
        return;
    }
    counts_.assign(order.limits.size(), 0);
    for (std::size_t r = 0; r < references(); ++r) {
        const core::Tokens reference = segment_->references[r];
        for (std::size_t p = 0; p < order.references[r].size(); ++p) {
            const core::Gram gram = order.references[r][p];
            if (gram != core::no_gram && counts_[gram]++ >= order.limits[gram]) continue;
            double words = 0;
            for (std::size_t i = p; weights_ != nullptr && i < p + n; ++i) {
                words += weights_->vocabulary[static_cast<std::size_t>(reference[i])];
            }
            total.add(1, words / static_cast<double>(n));
        }
    }
}

}  // namespace tertium::metrics::amber
