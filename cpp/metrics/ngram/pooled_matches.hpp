// How many n-grams of a hypothesis stand in some references, each counted at most as often as the
// reference has it that has it most often (Papineni et al. 2002).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/segment.hpp"

namespace tertium::metrics::ngram {

// The n-grams of all references have numbers, of each order from 1 on. That of an n-gram stands in
// an array at (number of its first n − 1 tokens, last token), where 0 is found for all others: so
// neither side needs a branch for a token. For segments that NgramMatcher would hash.
class PooledMatches {
  public:
    // Adds to matches[n − 1] the clipped matches of order n, for n = 1 … matches.size(); false,
    // and nothing done, where the references are short enough for NgramMatcher, or too long.
    bool count(const core::Segment& segment, std::span<double> matches);

  private:
    using Number = std::uint16_t;

    void start(const core::Segment& segment);
    // Goes from the n-grams of an order to those of the next.
    void number_longer(const core::Segment& segment, std::size_t order);
    void find_longer(core::Tokens hypothesis, std::size_t order);
    void forget();
    // Pools the counts of one reference, and begins again.
    void pool_counts();
    double matches() const;

    std::size_t width_ = 0;
    std::size_t size_ = 0;             // the numbers of this order, 0 included
    std::vector<Number> numbers_;      // all 0 between two orders
    std::vector<std::size_t> places_;  // in numbers_, of those that are not 0
    std::vector<Number> reference_grams_, hypothesis_grams_;
    std::vector<std::uint32_t> limits_, counts_;  // by number
};

}  // namespace tertium::metrics::ngram
