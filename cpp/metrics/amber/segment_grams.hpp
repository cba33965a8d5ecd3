// The n-grams of one segment by number, with their places: what matching strategies start from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/gram_table.hpp"
#include "core/pair_numbers.hpp"
#include "core/segment.hpp"

namespace tertium::metrics::amber {

// What the words of a segment weigh; an n-gram weighs the mean of its words.
struct SegmentWeights {
    std::vector<double> hypothesis;  // by position
    std::vector<double> vocabulary;  // by token
};

// Occurrences, and the sum of their weights where words are weighed.
struct GramSum {
    double count = 0;
    double weight = 0;

    void add(double occurrences, double weight_of_one) {
        count += occurrences;
        weight += occurrences * weight_of_one;
    }
};

// Of the orders 1, 2, …, or where there is a gap of the orders 2, 3, …
struct GramSums {
    std::vector<GramSum> matches, totals;

    void clear(std::size_t orders) {
        matches.assign(orders, {});
        totals.assign(orders, {});
    }
};

using Place = std::int32_t;
inline constexpr Place nowhere = -1;

// The n-grams of one order. Only those of references have a number; of a single reference even
// only those of which the first n − 1 words stand in the hypothesis. The others are no_gram.
struct GramOrder {
    std::vector<core::Gram> hypothesis;  // by position
    std::vector<std::vector<core::Gram>>
        references;                     // by position; may be more than the segment has
    std::vector<std::uint32_t> limits;  // by n-gram: largest count in one reference
    std::vector<std::uint32_t> counts;  // by n-gram: count in the hypothesis
};

class SegmentGrams {
  public:
    // Numbers the n-grams of all orders for which the sums have room, and counts them; matches
    // are clipped to the largest count in one reference. `reference` gets the n-grams of all
    // references, each as often as the one reference has it that has it most often. Segment
    // and weights, which may be null, have to live until the next call.
    void begin(const core::Segment& segment, const SegmentWeights* weights, GramSums& sums,
               std::vector<GramSum>& reference);

    const GramOrder& order(std::size_t n) const { return orders_[n - 1]; }
    const core::Segment& segment() const { return *segment_; }
    const SegmentWeights* weights() const { return weights_; }
    std::size_t length() const { return segment_->hypothesis.size(); }
    std::size_t references() const { return segment_->references.size(); }

    // Of `words` hypothesis words from a position on; 0 without weights.
    double weight(std::size_t position, std::size_t words) const {
        return weights_ ? weight_before_[position + words] - weight_before_[position] : 0.0;
    }

  private:
    void number_references(std::size_t n);
    void add_reference_totals(std::size_t n, GramSum& total);

    const core::Segment* segment_ = nullptr;
    const SegmentWeights* weights_ = nullptr;
    std::vector<double> weight_before_;
    std::vector<GramOrder> orders_;
    core::PairNumbers numbers_;
    std::vector<std::uint32_t> counts_;
};

}  // namespace tertium::metrics::amber
