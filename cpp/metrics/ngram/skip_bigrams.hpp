// Pairs of words in their order, with any words between them (Lin and Och 2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/gram_table.hpp"
#include "core/segment.hpp"

namespace tertium::metrics::ngram {

class SkipBigrams {
  public:
    static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

    // How many pairs a text of that length has; at most `skip` words stand between the two.
    static double total(std::size_t length, std::size_t skip);

    // How many pairs the texts share, each as often as the text has it that has it less often.
    double matches(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                   std::size_t skip);

  private:
    double matches_by_first_word(core::Tokens hypothesis, core::Tokens reference,
                                 std::size_t vocabulary);
    double matches_by_table(core::Tokens hypothesis, core::Tokens reference, std::size_t skip);

    std::vector<std::uint64_t> hypothesis_counts_, reference_counts_;  // by second word
    std::vector<std::size_t> hypothesis_first_, reference_first_;      // by token
    std::vector<core::Token> hypothesis_shared_, reference_shared_;
    core::GramTable table_;
    std::vector<std::uint32_t> left_;
};

}  // namespace tertium::metrics::ngram
