#include "metrics/ngram/pooled_matches.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace tertium::metrics::ngram {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::size_t most_words = 32;
// Pairs of tokens whose numbers are kept in one array, which has to stay in the cache.
constexpr std::size_t most_pairs = 1 << 17;
constexpr std::uint32_t not_known = std::numeric_limits<std::uint32_t>::max();

// Tokens as places in an array: 0 is that of unknown ones.
std::size_t place_of(core::Token token) {
    return static_cast<std::size_t>(token + 1);
}

}  // namespace

bool PooledMatches::count(const core::Segment& segment, std::span<double> matches) {
    const auto words_of = [](core::Tokens text) {
        return (text.size() + word_bits - 1) / word_bits;
    };
    begins_.assign(1, 0);
    bool any_long = false;
    for (const core::Tokens reference : segment.references) {
        begins_.push_back(begins_.back() + words_of(reference));
        any_long = any_long || reference.size() > word_bits;
    }
    words_ = begins_.back();
    const std::size_t width = segment.vocabulary + 1;
    if (!any_long || words_ > most_words || width * width > most_pairs || matches.size() < 2) {
        return false;
    }
    count_tokens(segment, matches[0]);
    number_pairs(segment, width);
    const std::size_t orders = matches.size();
    const std::size_t places = words_ * word_bits;
    runs_.resize(orders * words_);
    limits_.assign(orders * places, not_known);
    uses_.resize(orders * places);
    std::fill(matches.begin() + 1, matches.end(), 0.0);
    std::size_t alive = 1;  // orders up to this have a run that ends at the last token
    for (std::size_t p = 1; p < segment.hypothesis.size(); ++p) {
        const std::size_t pair =
            pairs_[place_of(segment.hypothesis[p - 1]) * width + place_of(segment.hypothesis[p])];
        if (pair == 0) {
            alive = 1;
            continue;
        }
        if (pair_left_[pair] > 0) {
            --pair_left_[pair];
            matches[1] += 1;
        }
        const std::uint64_t* mask = masks_.data() + pair * words_;
        const std::size_t top = std::min(alive + 1, orders);
        alive = 2;
        for (std::size_t n = top; n-- > 2;) {
            std::uint64_t* run = runs_.data() + n * words_;
            const std::uint64_t* shorter = run - words_;
            std::uint64_t carry = 0;
            std::uint64_t any = 0;
            for (std::size_t w = 0; w < words_; ++w) {
                // A reference's pairs end behind its first bit, so that no run enters the next one.
                any |= run[w] = (shorter[w] << 1 | carry) & mask[w];
                carry = shorter[w] >> (word_bits - 1);
            }
            if (any == 0) continue;
            ++alive;
            std::size_t w = 0;
            while (run[w] == 0) ++w;
            const std::size_t first =
                n * places + w * word_bits + static_cast<std::size_t>(std::countr_zero(run[w]));
            if (limits_[first] == not_known) {
                limits_[first] = most_in_one_reference(run);
                uses_[first] = 0;
            }
            if (uses_[first] < limits_[first]) {
                ++uses_[first];
                matches[n] += 1;
            }
        }
        std::copy_n(mask, words_, runs_.begin() + static_cast<std::ptrdiff_t>(words_));
    }
    forget_pairs(segment, width);
    return true;
}

void PooledMatches::count_tokens(const core::Segment& segment, double& matches) {
    left_.assign(segment.vocabulary + 1, 0);
    for (const core::Tokens reference : segment.references) {
        counts_.assign(segment.vocabulary + 1, 0);
        for (const core::Token token : reference) {
            const std::size_t place = place_of(token);
            left_[place] = std::max(left_[place], ++counts_[place]);
        }
    }
    std::uint32_t count = 0;
    for (const core::Token token : segment.hypothesis) {
        std::uint32_t& left = left_[place_of(token)];
        const std::uint32_t match = left != 0;
        left -= match;
        count += match;
    }
    matches = count;
}

// Numbers the pairs of neighbours from 1 on. Bit p of a pair's row says that it ends at place p.
void PooledMatches::number_pairs(const core::Segment& segment, std::size_t width) {
    if (pairs_.size() < width * width) pairs_.resize(width * width, 0);
    std::size_t tokens = 0;
    for (const core::Tokens reference : segment.references) tokens += reference.size();
    masks_.assign((tokens + 1) * words_, 0);
    pair_left_.assign(tokens + 1, 0);
    std::uint16_t next = 1;
    for (std::size_t r = 0; r < segment.references.size(); ++r) {
        const core::Tokens reference = segment.references[r];
        counts_.assign(tokens + 1, 0);
        for (std::size_t p = 1; p < reference.size(); ++p) {
            std::uint16_t& pair =
                pairs_[place_of(reference[p - 1]) * width + place_of(reference[p])];
            if (pair == 0) pair = next++;
            pair_left_[pair] = std::max(pair_left_[pair], ++counts_[pair]);
            masks_[pair * words_ + begins_[r] + p / word_bits] |= std::uint64_t{1}
                                                                  << (p % word_bits);
        }
    }
}

void PooledMatches::forget_pairs(const core::Segment& segment, std::size_t width) {
    for (const core::Tokens reference : segment.references) {
        for (std::size_t p = 1; p < reference.size(); ++p) {
            pairs_[place_of(reference[p - 1]) * width + place_of(reference[p])] = 0;
        }
    }
}

std::uint32_t PooledMatches::most_in_one_reference(const std::uint64_t* run) const {
    std::uint32_t most = 0;
    for (std::size_t r = 0; r + 1 < begins_.size(); ++r) {
        std::uint32_t count = 0;
        for (std::size_t w = begins_[r]; w < begins_[r + 1]; ++w) {
            // Bit by bit: most n-grams stand in one place, and not every processor counts bits.
            for (std::uint64_t left = run[w]; left != 0; left &= left - 1) ++count;
        }
        most = std::max(most, count);
    }
    return most;
}

}  // namespace tertium::metrics::ngram
