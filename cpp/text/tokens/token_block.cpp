#include "text/tokens/token_block.hpp"

#include <algorithm>

#include "core/processor.hpp"
#include "text/tokens/token_vectors.hpp"

namespace tertium::text::tokens {
namespace {

// Kinds of 64 bytes, eight to a word, the first in the lowest place.
struct alignas(16) KindsOfBlock {
    std::uint64_t words[8] = {};
};

// The bit `Kind` of each of the 64 kinds.
template <Kinds Kind>
Bits bits_of(const KindsOfBlock& kinds) {
    constexpr int place = std::countr_zero(Kind);
    Bits bits = 0;
#ifdef TERTIUM_SSE2
    for (int i = 0; i < 4; ++i) {
        const __m128i part = _mm_load_si128(reinterpret_cast<const __m128i*>(kinds.words) + i);
        const int signs = _mm_movemask_epi8(_mm_slli_epi16(part, 7 - place));
        bits |= static_cast<Bits>(static_cast<unsigned>(signs)) << 16 * i;
    }
#else
    // The product brings the lowest bit of byte i to bit 56 + i, without carries.
    for (int i = 0; i < 8; ++i) {
        const std::uint64_t lowest_bits = kinds.words[i] >> place & 0x0101010101010101;
        bits |= (lowest_bits * 0x0102040810204080 >> 56) << 8 * i;
    }
#endif
    return bits;
}

// Whether the character at `at` is like the rest, as most letters are; no more than a guess if it
// ends a block or the bytes are no UTF-8, for it is then said to be another.
bool like_the_rest(const TokenRules& rules, const char* bytes, std::size_t at, std::size_t length) {
    if (at + 3 > length) return false;
    const auto bits = [&](std::size_t i, unsigned mask) {
        return static_cast<unsigned>(static_cast<unsigned char>(bytes[at + i])) & mask;
    };
    const unsigned lead = bits(0, 0xFF);
    if (lead >= 0xF0) return false;
    const unsigned two = (lead & 0x1F) << 6 | bits(1, 0x3F);
    const unsigned code = lead < 0xE0 ? two : (two << 6 | bits(2, 0x3F)) & 0xFFFF;
    return (rules.special[code / 64] >> code % 64 & 1) == 0;
}

#ifdef TERTIUM_AVX2
TERTIUM_AVX2 Block block_by_vectors(const TokenRules& rules, std::string_view text,
                                    std::size_t begin) {
    return read_block_by_vectors(rules, text, begin);
}
TERTIUM_AVX512 Block block_by_wide_vectors(const TokenRules& rules, std::string_view text,
                                           std::size_t begin) {
    return read_block_by_wide_vectors(rules, text, begin);
}
#endif

}  // namespace

Block read_block(const TokenRules& rules, std::string_view text, std::size_t begin) {
    const std::size_t length = block_length(text, begin);
    KindsOfBlock kinds;
    const char* bytes = text.data() + begin;
    // Bytes of a character that is left to the next block are read, too, as long as there are some.
    const std::size_t read = std::min(block_size, text.size() - begin);
    char padded[block_size] = {};
    if (read % 8 != 0) bytes = std::copy_n(bytes, read, padded) - read;
    for (std::size_t i = 0; i < (read + 7) / 8; ++i) {
        for (std::size_t j = 0; j < 8; ++j) {
            const auto byte = static_cast<unsigned char>(bytes[8 * i + j]);
            kinds.words[i] |= std::uint64_t{rules.of_byte[byte]} << 8 * j;
        }
    }
    Block block = {.begin = begin,
                   .length = length,
                   .blank = bits_of<kind::blank>(kinds),
                   .lone = bits_of<kind::lone>(kinds),
                   .number = bits_of<kind::number>(kinds),
                   .point = bits_of<kind::point>(kinds),
                   .dash = bits_of<kind::dash>(kinds),
                   .inner = bits_of<kind::inner>(kinds)};
    const Bits inside = ~Bits{0} >> (block_size - length);
    for (Bits left = bits_of<kind::lookup>(kinds) & inside; left != 0; left &= left - 1) {
        const std::size_t at = lowest(left);
        // If it is, its bytes say so already.
        if (!like_the_rest(rules, bytes, at, length)) look_up(rules, text, at, block);
    }
    return block;
}

std::vector<ReadBlock> block_readers() {
    std::vector<ReadBlock> all = {read_block};
#ifdef TERTIUM_AVX2
    if (core::has_avx2()) all.push_back(block_by_vectors);
    if (core::has_avx512()) all.push_back(block_by_wide_vectors);
#endif
    return all;
}

}  // namespace tertium::text::tokens
