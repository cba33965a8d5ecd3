// Clipped n-gram matches of two texts, Σ over n-grams of min(count here, count there), for orders 1
// … N at once. This is the inner loop of chrF, so there are four strategies:
//
//   one order     an array of remaining counts per token.
//   masks         the text that owns the token numbers ("reference" below) has at most 512 tokens
//                 and few distinct ones, N ≤ 8: nearly every sentence of chrF.
//   arrays        texts beyond that for which PooledMatches has room.
//   hashing       anything else: n-grams are numbered order by order in a GramTable.
//
// The masks. Every bigram of the reference has a number and a bit mask of the positions at which it
// ends. Reading the other text, runs[n] is the mask of reference positions at which the (n+1)-gram
// that ends at the current token ends too: (runs[n − 1] of the previous token) << 1, & the mask of
// the current bigram. All bits of runs[n] are occurrences of one and the same n-gram, so clipping
// needs no count per n-gram: each match uses up the lowest bit that is still free, and there is
// none left after as many matches as the reference has occurrences. Unigrams and bigrams have plain
// counters. The cost is O(tokens · N · words of a mask), without hashing and, on AVX2, without
// branches: there the orders 3 … 6 are the four lanes of one register.
//
// Invariants: token −1 (unknown) is index 0, and the reference has none, so that bigram number 0,
// its empty mask and its count of 0 stand for every bigram the reference lacks. pairs_ is all 0
// between calls; it has (vocabulary + 1)² entries and is never wiped, only the reference's own
// entries are reset (forget_pairs), with the width they were written with. `prepare` leaves them
// set until the next `prepare`: never call `count` on an instance that is prepared, as both use
// pairs_ and masks_. The scalar loop must go down in n, since runs[n − 1] has to be that of the
// previous token.
#include "metrics/ngram/clipped_matches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "core/interrupt.hpp"
#include "core/processor.hpp"

namespace tertium::metrics::ngram {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::size_t most_mask_words = 8;
constexpr std::size_t most_mask_orders = 8;
// Pairs of tokens whose numbers are kept in one array, which has to stay in the cache.
constexpr std::size_t most_pairs = 1 << 17;

template <std::size_t Words>
using Mask = std::array<std::uint64_t, Words>;

// Tokens as places in an array: 0 is that of unknown ones.
std::size_t place_of(core::Token token) {
    return static_cast<std::size_t>(token + 1);
}

// Uses up one of those left, if there is one; without a branch, for nothing would foretell it.
std::uint32_t taken(std::uint32_t& left) {
    const std::uint32_t match = left != 0;
    left -= match;
    return match;
}

// Whether a reference is short enough for masks, and its characters few enough.
bool fits_masks(core::Tokens reference, std::size_t vocabulary, std::size_t order) {
    return reference.size() <= most_mask_words * word_bits && order <= most_mask_orders &&
           (vocabulary + 1) * (vocabulary + 1) <= most_pairs;
}

// Calls work(words) with the words of a mask over the reference, as a constant.
template <class Work>
void with_mask_words(core::Tokens reference, Work&& work) {
    const std::size_t words = (reference.size() + word_bits - 1) / word_bits;
    if (words <= 1) {
        work(std::integral_constant<std::size_t, 1>{});
    } else if (words == 2) {
        work(std::integral_constant<std::size_t, 2>{});
    } else if (words == 3) {
        work(std::integral_constant<std::size_t, 3>{});
    } else if (words == 4) {
        work(std::integral_constant<std::size_t, 4>{});
    } else if (words <= 6) {
        work(std::integral_constant<std::size_t, 6>{});
    } else {
        work(std::integral_constant<std::size_t, most_mask_words>{});
    }
}

#ifdef TERTIUM_AVX2
constexpr std::size_t most_lane_orders = 6;

// A number for each of the orders 3 to 6.
typedef std::uint64_t Orders TERTIUM_VECTOR(4 * sizeof(std::uint64_t));

// What `ClippedMatches::count_runs` does for one order after the other, for four at once.
template <std::size_t Words>
TERTIUM_AVX2 void use_runs(std::span<const std::uint16_t> pairs, const std::uint64_t* masks,
                           std::span<double> matches) {
    Orders runs[Words] = {};
    Orders used[Words] = {};
    std::uint64_t before[Words] = {};
    for (const std::uint16_t pair : pairs) {
        const std::uint64_t* mask = masks + pair * Words;  // of no pair: nothing
        Orders carry = {};
        Orders untaken = Orders{} + 1;  // 1 until a match is found
        for (std::size_t w = 0; w < Words; ++w) {
            // Lane k is order k + 3. It extends lane k − 1 of the previous token, and lane 0 the
            // previous bigram.
            const Orders first = Orders{} + before[w];
            const Orders shorter = TERTIUM_SHUFFLE(runs[w], first, 4, 0, 1, 2);
            runs[w] = (shorter << 1 | carry) & (Orders{} + mask[w]);
            carry = shorter >> (word_bits - 1);
            before[w] = mask[w];
            const Orders free = runs[w] & ~used[w];
            // The lowest free bit, free & −free, in the first word that has one; from then on
            // `untaken` is 0, and free & ~free adds nothing.
            used[w] |= free & (~free + untaken);
            if (w + 1 < Words) untaken &= static_cast<Orders>(free == Orders{});
        }
    }
    for (std::size_t n = 0; n < matches.size(); ++n) {
        for (const Orders& word : used) matches[n] += std::popcount(word[n]);
    }
}
#endif

}  // namespace

void ClippedMatches::count(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                           std::span<double> matches) {
    if (matches.empty()) return;
    if (matches.size() == 1) {
        count_tokens(hypothesis, reference, vocabulary, matches[0]);
    } else if (!fits_masks(reference, vocabulary, matches.size())) {
        if (!long_.count({hypothesis, {&reference, 1}, vocabulary}, matches)) {
            count_by_table(hypothesis, reference, matches);
        }
    } else {
        with_mask_words(reference, [&](auto words) {
            count_by_masks<words()>(hypothesis, reference, vocabulary, matches);
        });
    }
}

bool ClippedMatches::prepare(core::Tokens reference, std::size_t vocabulary, std::size_t order) {
    forget_pairs(prepared_, width_);
    prepared_.clear();
    if (!fits_masks(reference, vocabulary, order)) return false;
    prepared_.assign(reference.begin(), reference.end());
    width_ = vocabulary + 1;
    with_mask_words(reference, [&](auto words) { number_pairs<words()>(reference, width_); });
    whole_ = left_;
    whole_tokens_ = left_tokens_;
    return true;
}

void ClippedMatches::count_prepared(core::Tokens hypothesis, std::span<double> matches) {
    if (matches.empty()) return;
    left_ = whole_;
    left_tokens_ = whole_tokens_;
    with_mask_words(prepared_,
                    [&](auto words) { count_runs<words()>(hypothesis, width_, matches); });
}

void ClippedMatches::count_tokens(core::Tokens hypothesis, core::Tokens reference,
                                  std::size_t vocabulary, double& matches) {
    left_tokens_.assign(vocabulary + 1, 0);
    for (const core::Token token : reference) ++left_tokens_[place_of(token)];
    std::uint32_t count = 0;
    for (const core::Token token : hypothesis) count += taken(left_tokens_[place_of(token)]);
    matches += count;
}

// Counts the tokens, and numbers the pairs of neighbours from 1 on. Bit p of a pair's mask says
// that it ends at p.
template <std::size_t Words>
void ClippedMatches::number_pairs(core::Tokens reference, std::size_t width) {
    if (pairs_.size() < width * width) pairs_.resize(width * width, 0);
    masks_.assign((reference.size() + 1) * Words, 0);
    left_.assign(reference.size() + 1, 0);
    left_tokens_.assign(width, 0);
    if (!reference.empty()) ++left_tokens_[place_of(reference[0])];
    std::uint16_t next = 1;
    for (std::size_t p = 1; p < reference.size(); ++p) {
        ++left_tokens_[place_of(reference[p])];
        std::uint16_t& pair = pairs_[place_of(reference[p - 1]) * width + place_of(reference[p])];
        const bool fresh = pair == 0;
        pair = fresh ? next : pair;
        next = static_cast<std::uint16_t>(next + fresh);
        ++left_[pair];
        masks_[pair * Words + p / word_bits] |= std::uint64_t{1} << (p % word_bits);
    }
}

template <std::size_t Words>
void ClippedMatches::count_by_masks(core::Tokens hypothesis, core::Tokens reference,
                                    std::size_t vocabulary, std::span<double> matches) {
    const std::size_t width = vocabulary + 1;
    number_pairs<Words>(reference, width);
    count_runs<Words>(hypothesis, width, matches);
    forget_pairs(reference, width);
}

// Tokens and pairs are counted. Bit p of runs[n] says that the (n+1)-gram ending at this
// token ends at reference position p; those of pairs are known, each next is the one before,
// shifted, where the pair allows it. All set bits are one n-gram, so each match uses up the lowest
// that is free.
template <std::size_t Words>
void ClippedMatches::count_runs(core::Tokens hypothesis, std::size_t width,
                                std::span<double> matches) {
    if (hypothesis.empty()) return;
    const std::size_t order = matches.size();
    matches[0] += taken(left_tokens_[place_of(hypothesis[0])]);
#ifdef TERTIUM_AVX2
    if (order > 2 && order <= most_lane_orders && core::has_avx2()) {
        hypothesis_pairs_.resize(hypothesis.size() - 1);
        std::uint32_t count = 0;
        std::uint32_t pair_count = 0;
        for (std::size_t p = 0; p < hypothesis_pairs_.size(); ++p) {
            const std::size_t next = place_of(hypothesis[p + 1]);
            count += taken(left_tokens_[next]);
            hypothesis_pairs_[p] = pairs_[place_of(hypothesis[p]) * width + next];
            pair_count += taken(left_[hypothesis_pairs_[p]]);
        }
        matches[0] += count;
        matches[1] += pair_count;
        return use_runs<Words>(hypothesis_pairs_, masks_.data(), matches.subspan(2));
    }
#endif
    std::array<Mask<Words>, most_mask_orders> runs{};
    std::array<Mask<Words>, most_mask_orders> used{};
    std::array<std::uint32_t, most_mask_orders> counts{};
    std::size_t alive = 1;  // orders up to this have a run that ends at the last token
    for (std::size_t p = 1; p < hypothesis.size(); ++p) {
        const std::size_t pair =
            pairs_[place_of(hypothesis[p - 1]) * width + place_of(hypothesis[p])];
        counts[0] += taken(left_tokens_[place_of(hypothesis[p])]);
        counts[1] += taken(left_[pair]);
        if (pair == 0) {
            alive = 1;
            continue;
        }
        const std::uint64_t* mask = masks_.data() + pair * Words;
        const std::size_t top = std::min(alive + 1, order);
        alive = 2;
        for (std::size_t n = top; n-- > 2;) {
            std::uint64_t carry = 0;
            std::uint64_t any = 0;
            for (std::size_t w = 0; w < Words; ++w) {
                const std::uint64_t shorter = runs[n - 1][w];
                any |= runs[n][w] = (shorter << 1 | carry) & mask[w];
                carry = shorter >> (word_bits - 1);
            }
            if (any == 0) continue;
            ++alive;
            for (std::size_t w = 0; w < Words; ++w) {
                const std::uint64_t free = runs[n][w] & ~used[n][w];
                if (free == 0) continue;
                used[n][w] |= free & (~free + 1);
                ++counts[n];
                break;
            }
        }
        std::copy_n(mask, Words, runs[1].begin());
    }
    for (std::size_t n = 0; n < order; ++n) matches[n] += counts[n];
}

void ClippedMatches::forget_pairs(core::Tokens reference, std::size_t width) {
    for (std::size_t p = 1; p < reference.size(); ++p) {
        pairs_[place_of(reference[p - 1]) * width + place_of(reference[p])] = 0;
    }
}

void ClippedMatches::count_by_table(core::Tokens hypothesis, core::Tokens reference,
                                    std::span<double> matches) {
    reference_grams_.assign(reference.size(), core::empty_gram);
    hypothesis_grams_.assign(hypothesis.size(), core::empty_gram);
    for (std::size_t n = 0; n < matches.size(); ++n) {
        table_.clear(std::min(reference.size(), core::most_expected_grams));
        left_.clear();
        for (std::size_t p = 0; p + n < reference.size(); ++p) {
            core::check_interrupt_at(p);
            core::Gram& gram = reference_grams_[p];
            gram = table_.intern(gram, reference[p + n]);
            if (gram == left_.size()) left_.push_back(0);
            ++left_[gram];
        }
        for (std::size_t p = 0; p + n < hypothesis.size(); ++p) {
            core::check_interrupt_at(p);
            core::Gram& gram = hypothesis_grams_[p];
            gram = table_.find(gram, hypothesis[p + n]);
            if (gram == core::no_gram || left_[gram] == 0) continue;
            --left_[gram];
            matches[n] += 1;
        }
    }
}

}  // namespace tertium::metrics::ngram
