// How many n-grams of a hypothesis stand in some references, each counted at most as often as the
// reference has it that has it most often (Papineni et al. 2002).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/segment.hpp"

namespace tertium::metrics::ngram {

// The references lie one after the other in one row of bits, so that all of them are searched by
// the same few operations. For segments that NgramMatcher would number n-gram by n-gram.
class PooledMatches {
  public:
    // Sets matches[n − 1] to the clipped matches of order n, for n = 1 … matches.size(); false,
    // and nothing done, where the references are short enough for NgramMatcher, or too long.
    bool count(const core::Segment& segment, std::span<double> matches);

  private:
    void number_pairs(const core::Segment& segment, std::size_t width);
    void count_tokens(const core::Segment& segment, double& matches);
    void forget_pairs(const core::Segment& segment, std::size_t width);
    std::uint32_t most_in_one_reference(const std::uint64_t* run) const;

    std::size_t words_ = 0;            // of 64 bits in a row
    std::vector<std::size_t> begins_;  // of the references in the row, and the end; in words
    std::vector<std::uint32_t> left_, counts_;
    // The number of each pair of neighbours, all 0 between two calls; by number, where it ends.
    std::vector<std::uint16_t> pairs_;
    std::vector<std::uint64_t> masks_;
    std::vector<std::uint32_t> pair_left_;
    // Of longer n-grams, by order: the places where they end, and by the first of these places how
    // often they may match.
    std::vector<std::uint64_t> runs_;
    std::vector<std::uint32_t> limits_, uses_;
};

}  // namespace tertium::metrics::ngram
