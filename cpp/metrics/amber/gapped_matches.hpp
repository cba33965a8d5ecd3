// Clipped matches of n-grams with one gap: two of the matching strategies of AMBER (Chen and Kuhn
// 2011, section 2.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "metrics/amber/segment_grams.hpp"
#include "metrics/order/position_counter.hpp"

namespace tertium::metrics::amber {

// n words with one gap, at any of the n − 1 places, of exactly one word; n = 2, 3, …. The places
// of the n-grams up to the longest but one have to be found already.
void count_fixed_gaps(const SegmentGrams& grams, GramSums& sums);

// The same with a gap of one word or more.
class FlexibleGaps {
  public:
    void count(const SegmentGrams& grams, GramSums& sums);

  private:
    // Places of all n-grams that stand once in the hypothesis and in the only reference: those
    // of order 1 in the order of the hypothesis, then those of order 2, and so on.
    struct Once {
        std::vector<Place> begins, begins_in_reference;
        std::vector<Place> ends, ends_in_reference;  // one word further: where a gap must end
        std::vector<std::size_t> until;              // by order: where the next one begins

        std::size_t from(std::size_t n) const { return n == 1 ? 0 : until[n - 2]; }
    };

    void tell_repeated(std::size_t orders);
    void add_totals(GramSums& sums) const;
    void count_once(std::size_t first, std::size_t second);
    void count_repeated_first(std::size_t first, core::Gram gram);
    void count_repeated_second(std::size_t second, core::Gram gram);
    void add_smaller(std::size_t beside);
    void count_repeated(std::size_t first, std::size_t second, GramSum& matches) const;
    std::uint64_t pairs(const GramOrder& first, core::Gram a, const GramOrder& second, core::Gram b,
                        Place distance) const;

    const SegmentGrams* grams_ = nullptr;
    Once once_;
    std::vector<std::vector<core::Gram>>
        repeated_;                      // by order: n-grams that both sides have, not once
    std::vector<std::uint64_t> found_;  // by length of the n-gram, without the repeated
    std::vector<std::uint32_t> own_, other_;
    order::PositionCounter counter_;
};

}  // namespace tertium::metrics::amber
