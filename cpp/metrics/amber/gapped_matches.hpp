// Clipped matches of n-grams with one gap: two of the matching strategies of AMBER (Chen and Kuhn
// 2011, section 2.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/pair_numbers.hpp"
#include "metrics/amber/segment_grams.hpp"
#include "metrics/order/position_counter.hpp"

namespace tertium::metrics::amber {

// n words with one gap, at any of the n − 1 places, of exactly one word; n = 2, 3, ….
class FixedGaps {
  public:
    void count(const SegmentGrams& grams, GramSums& sums);

  private:
    void number_references(const SegmentGrams& grams, std::size_t first, std::size_t n);
    void count_at(const SegmentGrams& grams, std::size_t first, std::size_t n, GramSum& matches);

    core::PairNumbers numbers_;
    std::vector<std::uint32_t> counts_, limits_;
};

// The same with a gap of one word or more.
class FlexibleGaps {
  public:
    void count(const SegmentGrams& grams, GramSums& sums);

  private:
    // The n-grams of one order as parts of a pair.
    struct Parts {
        // By hypothesis place: the place in the reference that it is paired with as a first part,
        // and as a second part; nowhere if there is none.
        std::vector<Place> first, second;
        std::vector<char> once;       // by hypothesis place: whether it stands once in both texts
        std::vector<Place> repeated;  // first places of what both sides have, not once
        std::size_t offset = 0;       // of the repeated ones of this order among those of all
        std::vector<std::uint32_t> columns;  // by n-gram: its number among those, or no_number
    };
    // Some first parts of one order, and all second parts that leave room for them.
    struct Block {
        std::size_t first, longest_second, begin, rows, columns;
    };
    // Pairs of places in order: a row for each first part of a block.
    template <class Count>
    struct Tables {
        std::vector<Count> own, limits, others, so_far;
    };
    static constexpr std::size_t of_hypothesis = ~std::size_t{0};  // where a reference could be

    void add_totals(GramSums& sums) const;
    void find_parts(std::size_t n, std::size_t offset, Parts& parts);
    void link(core::Gram gram, std::size_t place);
    Place take_next(core::Gram gram);
    void count_paired(std::size_t second, std::size_t longest);
    template <class Count>
    void count_repeated(std::size_t first, std::size_t longest, Tables<Count>& tables,
                        GramSums& sums);
    template <class Count>
    void count_pairs(std::size_t text, const Block& block, std::vector<Count>& pairs,
                     std::vector<Count>& so_far) const;
    template <class Count>
    void add_smaller(const Count* own, const Count* limits, std::size_t m, double weight,
                     std::size_t n, GramSum& matches) const;
    const std::vector<core::Gram>& grams_of(std::size_t text, std::size_t n) const;

    const SegmentGrams* grams_ = nullptr;
    bool any_once_ = false;
    std::vector<Parts> parts_;           // by order
    std::vector<std::uint64_t> paired_;  // by words: matches of which a part stands once
    std::vector<Place> next_;            // by n-gram: the place of the reference to pair next
    std::vector<Place> linked_;          // by place of the reference: the one to pair after it
    std::vector<std::uint32_t> seen_;
    order::PositionCounter all_, once_;
    Tables<std::uint32_t> narrow_;
    Tables<std::uint64_t> wide_;
};

}  // namespace tertium::metrics::amber
