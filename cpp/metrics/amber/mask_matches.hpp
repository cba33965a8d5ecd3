// All n-gram matches of AMBER at once, of a segment with one reference and few words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/segment.hpp"
#include "metrics/amber/segment_grams.hpp"

namespace tertium::metrics::amber {

// Where the sums go; without a strategy its pointer is null.
struct MaskSums {
    GramSums* plain;
    std::vector<GramSum>* reference;
    GramSums* fixed;
    GramSums* flexible;
};

class MaskMatches {
  public:
    static constexpr std::size_t most_words = 256;
    static constexpr std::size_t most_orders = 8;

    MaskMatches();
    MaskMatches(MaskMatches&&) noexcept;
    MaskMatches& operator=(MaskMatches&&) noexcept;
    ~MaskMatches();

    // Whether both texts are short enough, and the segment has a single reference.
    static bool fits(const core::Segment& segment, std::size_t orders);

    // Adds to the counts, not to the weights. `sums.plain` has room for `orders` orders, the
    // strategies with gaps for the orders 2 … gap_order.
    void count(const core::Segment& segment, std::size_t orders, std::size_t gap_order,
               const MaskSums& sums);

  private:
    struct Memories;
    std::unique_ptr<Memories> memories_;
};

}  // namespace tertium::metrics::amber
