// One block of 64 reference positions of a Levenshtein table in two machine words.
//
// The recurrence is that of Myers (1999) in the form of Hyyrö (2003): each hypothesis word costs
// a dozen operations, whatever the number of reference positions in the block.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/segment.hpp"
#include "metrics/edit/edit_distance.hpp"

namespace tertium::metrics::edit::edit_bits {

using Row = EditScratch::Row;

inline constexpr std::size_t block_size = 64;
// No hypothesis word yet: each reference position is one deletion more.
inline constexpr Row first_row{~std::uint64_t{0}, 0};

inline std::size_t slot(core::Token token) {
    return static_cast<std::size_t>(token + 1);
}

inline void set_masks(core::Tokens block, std::vector<std::uint64_t>& masks) {
    std::uint64_t bit = 1;
    for (const core::Token token : block) {
        masks[slot(token)] |= bit;
        bit <<= 1;
    }
}

inline void clear_masks(core::Tokens block, std::vector<std::uint64_t>& masks) {
    for (const core::Token token : block) {
        masks[slot(token)] = 0;
    }
}

// Masks are looked up by slot, the first of which is no token's and stays zero: unknown words.
inline void reserve_masks(std::size_t vocabulary, EditScratch& scratch) {
    if (scratch.masks.size() < vocabulary + 1) {
        scratch.masks.resize(vocabulary + 1);
    }
}

// One hypothesis word over one block. `carry` is the difference to the row before at the
// position left of the block, and on return at the block's last position.
inline void advance(Row& row, std::uint64_t equal, int& carry) {
    const std::uint64_t falls = carry < 0 ? 1u : 0u;
    const std::uint64_t rises = carry > 0 ? 1u : 0u;
    equal |= falls;
    const std::uint64_t diagonal =
        (((equal & row.positive) + row.positive) ^ row.positive) | equal | row.negative;
    std::uint64_t more = row.negative | ~(diagonal | row.positive);
    std::uint64_t less = diagonal & row.positive;
    carry = static_cast<int>(more >> 63) - static_cast<int>(less >> 63);
    more = more << 1 | rises;
    less = less << 1 | falls;
    row.positive = less | ~(diagonal | more);
    row.negative = diagonal & more;
}

// The bits of `positions` positions that lie in a block; `Number` has one for each of the block.
template <class Number = std::uint64_t>
constexpr Number used_bits(std::size_t block, std::size_t positions) {
    const std::size_t size = 8 * sizeof(Number), before = block * size;
    if (positions >= before + size) return static_cast<Number>(~Number{0});
    return positions <= before ? Number{0}
                               : static_cast<Number>((Number{1} << (positions - before)) - 1);
}

// How much more the cell behind `positions` positions of a row is than its first.
inline std::int64_t rise(const Row* blocks, std::size_t positions) {
    std::int64_t sum = 0;
    for (std::size_t block = 0; block * block_size < positions; ++block) {
        const std::uint64_t used = used_bits(block, positions);
        sum += std::popcount(blocks[block].positive & used) -
               std::popcount(blocks[block].negative & used);
    }
    return sum;
}

inline std::size_t common_prefix(core::Tokens first, core::Tokens second) {
    const auto [end, other] =
        std::mismatch(first.begin(), first.end(), second.begin(), second.end());
    return static_cast<std::size_t>(end - first.begin());
}

inline std::size_t common_suffix(core::Tokens first, core::Tokens second) {
    const auto [end, other] =
        std::mismatch(first.rbegin(), first.rend(), second.rbegin(), second.rend());
    return static_cast<std::size_t>(end - first.rbegin());
}

}  // namespace tertium::metrics::edit::edit_bits
