#include "metrics/ngram/subsequence.hpp"

#include <algorithm>
#include <bit>

#include "core/interrupt.hpp"

namespace tertium::metrics::ngram {
namespace {

constexpr std::size_t block_size = 64;

}  // namespace

// One row of the table as differences (Allison and Dix 1986, in the form of Hyyrö 2004): bit j
// of `row` is 0 where the subsequence grows at reference position j. A word moves each growth
// to the first of its own positions after the growth before, which one addition does for all.
std::size_t LongestSubsequence::length(core::Tokens hypothesis, core::Tokens reference,
                                       std::size_t vocabulary) {
    const auto [first, other] = std::ranges::mismatch(hypothesis, reference);
    const auto prefix = static_cast<std::size_t>(first - hypothesis.begin());
    hypothesis = hypothesis.subspan(prefix);
    reference = reference.subspan(prefix);
    std::size_t length = prefix;
    while (!hypothesis.empty() && !reference.empty() && hypothesis.back() == reference.back()) {
        hypothesis = hypothesis.first(hypothesis.size() - 1);
        reference = reference.first(reference.size() - 1);
        ++length;
    }
    masks_.assign(vocabulary, 0);
    const bool one_block = reference.size() <= block_size;
    if (!one_block) carries_.assign(hypothesis.size(), 0);
    while (!reference.empty()) {
        const core::Tokens block = reference.first(std::min(reference.size(), block_size));
        for (std::size_t j = 0; j < block.size(); ++j) {
            masks_[static_cast<std::size_t>(block[j])] |= std::uint64_t{1} << j;
        }
        std::uint64_t row = ~std::uint64_t{0};
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            core::check_interrupt();
            const std::uint64_t mask = hypothesis[i] == core::unknown
                                           ? 0
                                           : masks_[static_cast<std::size_t>(hypothesis[i])];
            const std::uint64_t matched = row & mask;
            if (one_block) {
                row = (row + matched) | (row & ~mask);
                continue;
            }
            const std::uint64_t partial = row + matched;
            const std::uint64_t sum = partial + static_cast<std::uint64_t>(carries_[i]);
            carries_[i] = partial < row || sum < partial;
            row = sum | (row & ~mask);
        }
        const std::uint64_t inside = ~std::uint64_t{0} >> (block_size - block.size());
        length += static_cast<std::size_t>(std::popcount(~row & inside));
        for (const core::Token token : block) masks_[static_cast<std::size_t>(token)] = 0;
        reference = reference.subspan(block.size());
    }
    return length;
}

}  // namespace tertium::metrics::ngram
