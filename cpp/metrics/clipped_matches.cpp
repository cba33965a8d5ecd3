#include "metrics/clipped_matches.hpp"

#include <algorithm>
#include <array>

namespace tertium {
namespace {

constexpr std::size_t word_bits = 64;

template <std::size_t Words>
using Mask = std::array<std::uint64_t, Words>;

}  // namespace

void ClippedMatches::count(Tokens hypothesis, Tokens reference, std::size_t vocabulary,
                           std::span<double> matches) {
    const std::size_t words = (reference.size() + word_bits - 1) / word_bits;
    if (words <= 1) return count_by_masks<1>(hypothesis, reference, vocabulary, matches);
    if (words == 2) return count_by_masks<2>(hypothesis, reference, vocabulary, matches);
    if (words == 3) return count_by_masks<3>(hypothesis, reference, vocabulary, matches);
    if (words == 4) return count_by_masks<4>(hypothesis, reference, vocabulary, matches);
    if (words <= 6) return count_by_masks<6>(hypothesis, reference, vocabulary, matches);
    if (words <= 8) return count_by_masks<8>(hypothesis, reference, vocabulary, matches);
    count_by_table(hypothesis, reference, matches);
}

// Bit p of runs[n] says that the (n+1)-gram ending at this token ends at reference position p.
// All set bits are one n-gram, so each match uses up the lowest that is free.
template <std::size_t Words>
void ClippedMatches::count_by_masks(Tokens hypothesis, Tokens reference, std::size_t vocabulary,
                                    std::span<double> matches) {
    const std::size_t order = matches.size();
    masks_.assign(vocabulary * Words, 0);
    for (std::size_t p = 0; p < reference.size(); ++p) {
        masks_[static_cast<std::size_t>(reference[p]) * Words + p / word_bits] |=
            std::uint64_t{1} << (p % word_bits);
    }
    runs_.assign(order * Words, 0);
    used_.assign(order * Words, 0);
    std::size_t alive = 0;  // orders up to this have a run that ends at the last token
    for (const Token token : hypothesis) {
        if (token == unknown) {
            alive = 0;
            continue;
        }
        const std::uint64_t* mask = masks_.data() + static_cast<std::size_t>(token) * Words;
        const std::size_t top = std::min(alive + 1, order);
        alive = 0;
        for (std::size_t n = top; n-- > 0;) {
            std::uint64_t* run = runs_.data() + n * Words;
            std::uint64_t* used = used_.data() + n * Words;
            std::uint64_t any = 0;
            if (n == 0) {
                for (std::size_t w = 0; w < Words; ++w) any |= run[w] = mask[w];
            } else {
                const std::uint64_t* shorter = run - Words;
                std::uint64_t carry = 0;
                for (std::size_t w = 0; w < Words; ++w) {
                    const std::uint64_t shifted = shorter[w] << 1 | carry;
                    carry = shorter[w] >> (word_bits - 1);
                    any |= run[w] = shifted & mask[w];
                }
            }
            if (any == 0) continue;
            alive = std::max(alive, n + 1);
            for (std::size_t w = 0; w < Words; ++w) {
                const std::uint64_t free = run[w] & ~used[w];
                if (free == 0) continue;
                used[w] |= free & (~free + 1);
                matches[n] += 1;
                break;
            }
        }
    }
}

void ClippedMatches::count_by_table(Tokens hypothesis, Tokens reference,
                                    std::span<double> matches) {
    reference_grams_.assign(reference.size(), empty_gram);
    hypothesis_grams_.assign(hypothesis.size(), empty_gram);
    for (std::size_t n = 0; n < matches.size(); ++n) {
        table_.clear(reference.size());
        left_.clear();
        for (std::size_t p = 0; p + n < reference.size(); ++p) {
            Gram& gram = reference_grams_[p];
            gram = table_.intern(gram, reference[p + n]);
            if (gram == left_.size()) left_.push_back(0);
            ++left_[gram];
        }
        for (std::size_t p = 0; p + n < hypothesis.size(); ++p) {
            Gram& gram = hypothesis_grams_[p];
            gram = table_.find(gram, hypothesis[p + n]);
            if (gram == no_gram || left_[gram] == 0) continue;
            --left_[gram];
            matches[n] += 1;
        }
    }
}

}  // namespace tertium
