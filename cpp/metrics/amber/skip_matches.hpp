// Clipped matches of skip n-grams (Lin 2004), a matching strategy of AMBER.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/gram_table.hpp"
#include "metrics/amber/segment_grams.hpp"

namespace tertium::metrics::amber {

// n words in their order, with at most `limit` words left out between the first and the last;
// n = 2, 3, …
class SkipMatches {
  public:
    static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

    void count(const SegmentGrams& grams, std::size_t limit, GramSums& sums);

  private:
    void number(const SegmentGrams& grams, core::Tokens reference, std::size_t limit,
                std::size_t order);

    core::GramTable table_;
    std::vector<std::uint32_t> counts_, limits_;
    std::vector<double> weights_;  // by n-gram: sum over its words
};

}  // namespace tertium::metrics::amber
