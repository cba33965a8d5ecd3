// The longest common subsequence of two texts, by bit-parallel dynamic programming.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/segment.hpp"

namespace tertium::metrics::ngram {

class LongestSubsequence {
  public:
    // Its length in words. Tokens of the reference are 0 … vocabulary − 1.
    std::size_t length(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary);

  private:
    std::vector<std::uint64_t> masks_;
    std::vector<char> carries_;  // by hypothesis word, into the next block of the reference
};

}  // namespace tertium::metrics::ngram
