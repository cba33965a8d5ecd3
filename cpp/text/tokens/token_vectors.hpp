// Reads blocks of text by vectors of 32 or of 64 bytes, on processors that have them: the same bits
// as read_block in token_block.cpp, which is the definition (on valid UTF-8).
//
// ASCII is classified by two table lookups per byte (pshufb). A set of bytes is 8 rows of 16: the
// entry for the lower half of a byte has a bit for each upper half, and a second table turns the
// upper half into that bit. AVX-512 VBMI looks all 128 kinds up at once.
//
// Characters beyond ASCII are first taken to be like the rest (TokenRules::rest), which is true of
// most letters. A filter on the first three bytes of each character (LeadFilter, again by halves of
// bytes) finds those that may be different; it lets all of these through and some others, and they
// alone are decoded (look_up). So text in any script costs little more than ASCII, except for those
// characters.
//
//  - The filter looks up to two bytes beyond the block. The AVX2 version takes what is not there
//    for a hit, the AVX-512 version reads it from the text.
//  - A text of 64 bytes or more is never copied: the last block is loaded so that it ends with the
//    text, and the bits are shifted down by `before`. Shorter texts are padded with zeros. AVX-512
//    loads under a mask.
//  - Bits beyond Block::length are garbage, for callers to mask.
//  - Every function needs the target attribute and TERTIUM_INLINE: no vector may be passed between
//    functions that are compiled for different targets.
#pragma once

#include <algorithm>
#include <cstring>

#include "core/processor.hpp"
#include "text/tokens/token_block.hpp"

#ifdef TERTIUM_AVX2

namespace tertium::text::tokens {

// 64 bytes, of which the first `before` are no part of the block.
class VectorBytes {
  public:
    TERTIUM_AVX2 TERTIUM_INLINE VectorBytes(const char* from, std::size_t before)
        : first_(load(from)), second_(load(from + 32)), before_(before) {}

    TERTIUM_AVX2 TERTIUM_INLINE Bits beyond_ascii() const {
        return signs(first_.bytes, second_.bytes);
    }
    TERTIUM_AVX2 TERTIUM_INLINE Bits inner() const {
        const __m256i least_lead = _mm256_set1_epi8(-0x40);
        return signs(_mm256_cmpgt_epi8(least_lead, first_.bytes),
                     _mm256_cmpgt_epi8(least_lead, second_.bytes));
    }
    // The bytes of ASCII in a set, by the lower half of a byte; bit i is of upper half i.
    TERTIUM_AVX2 TERTIUM_INLINE Bits ascii(const ByteSet& set) const {
        const __m256i wide = twice(set);
        return ~signs(not_in(wide, first_), not_in(wide, second_));
    }
    // Where characters begin that a filter lets through.
    TERTIUM_AVX2 TERTIUM_INLINE Bits candidates(const LeadFilter& filter) const {
        const __m256i none = _mm256_setzero_si256();
        const Pair second = groups(filter.second);
        const Pair third = groups(filter.third);
        const Pair lead = groups(filter.lead);
        const __m256i first_half =
            _mm256_and_si256(_mm256_and_si256(lead.first, moved<1>(second.first, second.second)),
                             moved<2>(third.first, third.second));
        // Behind the last byte there may be anything.
        const __m256i all = _mm256_set1_epi8(-1);
        const __m256i second_half =
            _mm256_and_si256(_mm256_and_si256(lead.second, moved<1>(second.second, all)),
                             moved<2>(third.second, all));
        return ~signs(_mm256_cmpeq_epi8(_mm256_or_si256(first_half, rare(first_.bytes)), none),
                      _mm256_cmpeq_epi8(_mm256_or_si256(second_half, rare(second_.bytes)), none));
    }

  private:
    struct Half {
        __m256i bytes;
        __m256i lower, upper;  // halves of each byte
    };
    struct Pair {
        __m256i first, second;
    };

    TERTIUM_AVX2 TERTIUM_INLINE static Half load(const char* from) {
        const __m256i mask = _mm256_set1_epi8(0x0F);
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
        return {bytes, _mm256_and_si256(bytes, mask),
                _mm256_and_si256(_mm256_srli_epi16(bytes, 4), mask)};
    }
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i twice(const ByteSet& set) {
        return _mm256_broadcastsi128_si256(
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(set.data())));
    }
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i not_in(__m256i set, const Half& half) {
        const __m256i rows = _mm256_broadcastsi128_si256(
            _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
        const __m256i found = _mm256_and_si256(_mm256_shuffle_epi8(set, half.lower),
                                               _mm256_shuffle_epi8(rows, half.upper));
        return _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
    }
    TERTIUM_AVX2 TERTIUM_INLINE Pair groups(const GroupsOfByte& of) const {
        const __m256i lower = twice(of.lower);
        const __m256i upper = twice(of.upper);
        return {_mm256_and_si256(_mm256_shuffle_epi8(lower, first_.lower),
                                 _mm256_shuffle_epi8(upper, first_.upper)),
                _mm256_and_si256(_mm256_shuffle_epi8(lower, second_.lower),
                                 _mm256_shuffle_epi8(upper, second_.upper))};
    }
    // The bytes `Places` behind those of `here`; after it comes `next`.
    template <int Places>
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i moved(__m256i here, __m256i next) {
        return _mm256_alignr_epi8(_mm256_permute2x128_si256(here, next, 0x21), here, Places);
    }
    // First bytes that no group has: of four-byte characters, and LeadFilter::lone_lead.
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i rare(__m256i bytes) {
        return _mm256_or_si256(
            _mm256_subs_epu8(bytes, _mm256_set1_epi8(-0x11)),
            _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(static_cast<char>(LeadFilter::lone_lead))));
    }
    TERTIUM_AVX2 TERTIUM_INLINE Bits signs(__m256i first, __m256i second) const {
        const auto low = static_cast<std::uint32_t>(_mm256_movemask_epi8(first));
        const auto high = static_cast<std::uint32_t>(_mm256_movemask_epi8(second));
        return (Bits{high} << 32 | low) >> before_;
    }

    Half first_, second_;
    std::size_t before_;
};

TERTIUM_AVX2 TERTIUM_INLINE Block read_block_by_vectors(const TokenRules& rules,
                                                        std::string_view text, std::size_t begin) {
    const std::size_t length = block_length(text, begin);
    const std::size_t read = std::min(block_size, text.size() - begin);
    alignas(32) char padded[block_size];
    const char* from = text.data() + begin;
    std::size_t before = 0;
    if (read < block_size && text.size() >= block_size) {
        before = block_size - read;
        from -= before;
    } else if (read < block_size) {
        std::memset(padded, 0, block_size);
        from = static_cast<const char*>(std::memcpy(padded, from, read));
    }
    const VectorBytes bytes(from, before);
    const Bits inside = ~Bits{0} >> (block_size - length);
    const Bits beyond_ascii = bytes.beyond_ascii();
    Block block = {.begin = begin, .length = length, .blank = bytes.ascii(rules.ascii_blank)};
    block.lone = bytes.ascii(rules.ascii_lone);
    block.number = bytes.ascii(rules.ascii_number);
    block.point = bytes.ascii(rules.ascii_point);
    block.dash = bytes.ascii(rules.ascii_dash);
    if (rules.rest & kind::lone) block.lone |= beyond_ascii | block.blank;
    if ((beyond_ascii & inside) == 0) return block;
    block.inner = bytes.inner();
    Bits left = bytes.candidates(rules.filter) & inside;
    for (; left != 0; left &= left - 1) look_up(rules, text, lowest(left), block);
    return block;
}

// All 64 bytes at once; what lies behind the text is read as zeros.
class WideBytes {
  public:
    TERTIUM_AVX512 TERTIUM_INLINE WideBytes(const char* from, std::size_t left)
        : from_(from), left_(left), bytes_(at(0)) {}

    TERTIUM_AVX512 TERTIUM_INLINE Bits beyond_ascii() const { return _mm512_movepi8_mask(bytes_); }
    TERTIUM_AVX512 TERTIUM_INLINE Bits inner() const {
        return _mm512_cmplt_epi8_mask(bytes_, _mm512_set1_epi8(-0x40));
    }
    // The kinds of those that are ASCII.
    TERTIUM_AVX512 TERTIUM_INLINE __m512i kinds(const TokenRules& rules) const {
        const __m512i first = _mm512_loadu_si512(rules.of_byte.data());
        const __m512i second = _mm512_loadu_si512(rules.of_byte.data() + block_size);
        return _mm512_maskz_permutex2var_epi8(~beyond_ascii(), first, bytes_, second);
    }
    // Where characters begin that a filter lets through.
    TERTIUM_AVX512 TERTIUM_INLINE Bits candidates(const LeadFilter& filter) const {
        const __m512i groups = _mm512_ternarylogic_epi64(
            groups_of(filter.lead, bytes_), groups_of(filter.second, at(1)),
            groups_of(filter.third, at(2)), 0x80);  // in all three
        const Bits rare =
            _mm512_cmpgt_epu8_mask(bytes_, _mm512_set1_epi8(static_cast<char>(0xEF))) |
            _mm512_cmpeq_epi8_mask(bytes_,
                                   _mm512_set1_epi8(static_cast<char>(LeadFilter::lone_lead)));
        return _mm512_test_epi8_mask(groups, groups) | rare;
    }

  private:
    TERTIUM_AVX512 TERTIUM_INLINE __m512i at(std::size_t place) const {
        if (left_ >= block_size + place) return _mm512_loadu_si512(from_ + place);
        const Bits there = place < left_ ? ~Bits{0} >> (block_size + place - left_) : 0;
        return _mm512_maskz_loadu_epi8(there, from_ + place);
    }
    TERTIUM_AVX512 TERTIUM_INLINE static __m512i groups_of(const GroupsOfByte& of, __m512i bytes) {
        const __m512i mask = _mm512_set1_epi8(0x0F);
        const __m512i lower = _mm512_and_si512(bytes, mask);
        const __m512i upper = _mm512_and_si512(_mm512_srli_epi16(bytes, 4), mask);
        return _mm512_and_si512(_mm512_shuffle_epi8(four_times(of.lower), lower),
                                _mm512_shuffle_epi8(four_times(of.upper), upper));
    }
    TERTIUM_AVX512 TERTIUM_INLINE static __m512i four_times(const ByteSet& set) {
        return _mm512_broadcast_i32x4(
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(set.data())));
    }

    const char* from_;
    std::size_t left_;  // of the text
    __m512i bytes_;
};

TERTIUM_AVX512 TERTIUM_INLINE Block read_block_by_wide_vectors(const TokenRules& rules,
                                                               std::string_view text,
                                                               std::size_t begin) {
    const std::size_t length = block_length(text, begin);
    const WideBytes bytes(text.data() + begin, text.size() - begin);
    const Bits inside = ~Bits{0} >> (block_size - length);
    const Bits beyond_ascii = bytes.beyond_ascii();
    const __m512i kinds = bytes.kinds(rules);
    const auto of = [&](Kinds kind) TERTIUM_AVX512 {
        return _mm512_test_epi8_mask(kinds, _mm512_set1_epi8(static_cast<char>(kind)));
    };
    Block block = {.begin = begin, .length = length, .blank = of(kind::blank)};
    block.lone = of(kind::lone);
    block.number = of(kind::number);
    block.point = of(kind::point);
    block.dash = of(kind::dash);
    if (rules.rest & kind::lone) block.lone |= beyond_ascii;
    if ((beyond_ascii & inside) == 0) return block;
    block.inner = bytes.inner();
    Bits left = bytes.candidates(rules.filter) & inside;
    for (; left != 0; left &= left - 1) look_up(rules, text, lowest(left), block);
    return block;
}

}  // namespace tertium::text::tokens

#endif
