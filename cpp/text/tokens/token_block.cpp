#include "text/tokens/token_block.hpp"

#include <algorithm>
#include <cstring>

#include "core/processor.hpp"
#include "text/utf8.hpp"

namespace tertium::text::tokens {
namespace {

// How many bytes of at most 64 belong to characters that end there.
std::size_t block_length(std::string_view text, std::size_t begin) {
    std::size_t length = text.size() - begin;
    if (length <= block_size) return length;
    length = block_size;
    for (int i = 0; i < 3 && utf8::is_continuation(text[begin + length]); ++i) --length;
    return length;
}

// Gives the character at `at` the kinds it has.
void look_up(const TokenRules& rules, std::string_view text, std::size_t at, Block& block) {
    const utf8::CodePoint character = utf8::decode(text, block.begin + at);
    const Kinds found = rules.of_properties[code_points[character.value]];
    if (found == rules.rest) return;
    const Bits bytes_of_character = ((Bits{1} << character.length) - 1) << at;
    if (found & kind::blank) block.blank |= bytes_of_character;
    if (found & kind::lone) block.lone |= bytes_of_character;
    if (found & kind::number) block.number |= bytes_of_character;
    if (found & kind::point) block.point |= bytes_of_character;
}

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

// The 64 bytes from `from` on, of which the first `before` are no part of the block.
class VectorBytes {
  public:
    TERTIUM_AVX2 TERTIUM_INLINE VectorBytes(const char* from, std::size_t before)
        : first_(load(from)), second_(load(from + 32)), before_(before) {}

    // The bytes of ASCII in a set, by the lower half of a byte; bit i is of upper half i.
    TERTIUM_AVX2 TERTIUM_INLINE Bits ascii(const ByteSet& set) const {
        return in_rows(set, ascii_rows());
    }
    // The same of bytes from 0xC0 on, bit 0 being that of 0xC.
    TERTIUM_AVX2 TERTIUM_INLINE Bits leads(const ByteSet& set) const {
        return in_rows(set, lead_rows());
    }
    TERTIUM_AVX2 TERTIUM_INLINE Bits beyond_ascii() const { return signs(first_, second_); }
    TERTIUM_AVX2 TERTIUM_INLINE Bits inner() const {
        const __m256i least_lead = _mm256_set1_epi8(-0x40);
        return signs(_mm256_cmpgt_epi8(least_lead, first_), _mm256_cmpgt_epi8(least_lead, second_));
    }
    TERTIUM_AVX2 TERTIUM_INLINE Bits equal(char byte) const {
        const __m256i all = _mm256_set1_epi8(byte);
        return signs(_mm256_cmpeq_epi8(first_, all), _mm256_cmpeq_epi8(second_, all));
    }
    // The bytes whose lower six bits are in a set.
    TERTIUM_AVX2 TERTIUM_INLINE Bits among(std::uint64_t set) const {
        const __m256i parts = _mm256_set1_epi64x(static_cast<long long>(set));
        return signs(among(parts, first_), among(parts, second_));
    }

  private:
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i load(const char* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i twice(__m128i half) {
        return _mm256_broadcastsi128_si256(half);
    }
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i ascii_rows() {
        return twice(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    }
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i lead_rows() {
        return twice(_mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8));
    }
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i upper_half(__m256i bytes) {
        return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
    }
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i missing(__m256i set, __m256i rows, __m256i bytes) {
        const __m256i lower_half = _mm256_and_si256(bytes, _mm256_set1_epi8(0x0F));
        const __m256i row = _mm256_shuffle_epi8(rows, upper_half(bytes));
        const __m256i found = _mm256_and_si256(_mm256_shuffle_epi8(set, lower_half), row);
        return _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
    }
    TERTIUM_AVX2 TERTIUM_INLINE Bits in_rows(const ByteSet& set, __m256i rows) const {
        const __m256i wide = twice(_mm_loadu_si128(reinterpret_cast<const __m128i*>(set.data())));
        return ~all_signs(missing(wide, rows, first_), missing(wide, rows, second_)) >> before_;
    }
    TERTIUM_AVX2 TERTIUM_INLINE static __m256i among(__m256i parts, __m256i bytes) {
        const __m256i part = _mm256_and_si256(_mm256_srli_epi16(bytes, 3), _mm256_set1_epi8(7));
        const __m256i powers =
            twice(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
        const __m256i bit =
            _mm256_shuffle_epi8(powers, _mm256_and_si256(bytes, _mm256_set1_epi8(7)));
        return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(parts, part), bit), bit);
    }
    TERTIUM_AVX2 TERTIUM_INLINE static Bits all_signs(__m256i first, __m256i second) {
        const auto low = static_cast<std::uint32_t>(_mm256_movemask_epi8(first));
        const auto high = static_cast<std::uint32_t>(_mm256_movemask_epi8(second));
        return Bits{high} << 32 | low;
    }
    TERTIUM_AVX2 TERTIUM_INLINE Bits signs(__m256i first, __m256i second) const {
        return all_signs(first, second) >> before_;
    }

    __m256i first_, second_;
    std::size_t before_;
};

// Characters that are not of the kind of the rest are looked for all at once: those with the same
// first byte together, and of three bytes those with the same first two.
TERTIUM_AVX2 Block read_block_by_vectors(const TokenRules& rules, std::string_view text,
                                         std::size_t begin) {
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
    Block block = {.begin = begin,
                   .length = length,
                   .blank = bytes.ascii(rules.ascii_blank),
                   .lone = bytes.ascii(rules.ascii_lone),
                   .number = bytes.ascii(rules.ascii_number),
                   .point = bytes.ascii(rules.ascii_point),
                   .dash = bytes.ascii(rules.ascii_dash),
                   .inner = 0};
    const Bits inside = ~Bits{0} >> (block_size - length);
    const Bits beyond_ascii = bytes.beyond_ascii();
    if ((beyond_ascii & inside) == 0) return block;
    block.inner = bytes.inner();
    if (rules.rest & kind::lone) block.lone |= beyond_ascii;
    Bits special = 0;
    for (Bits left = bytes.leads(rules.leads) & inside; left != 0;) {
        const char lead = from[before + lowest(left)];
        const auto value = static_cast<unsigned char>(lead);
        const Bits same = left & bytes.equal(lead);
        left &= ~same;
        if (value < 0xE0) {
            special |= same & bytes.among(rules.special[value & 0x1F]) >> 1;
        } else if (value < 0xF0) {
            const std::uint64_t* pages = rules.special.data() + (value & 0x0F) * 64;
            Bits there = same & bytes.among(rules.special_pages[value & 0x0F]) >> 1;
            while (there != 0) {
                const char second = from[before + lowest(there) + 1];
                const Bits page = there & bytes.equal(second) >> 1;
                there &= ~page;
                special |=
                    page & bytes.among(pages[static_cast<unsigned char>(second) & 0x3F]) >> 2;
            }
        } else {
            special |= same;
        }
    }
    for (; special != 0; special &= special - 1) look_up(rules, text, lowest(special), block);
    return block;
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

ReadBlock block_reader() {
#ifdef TERTIUM_AVX2
    if (core::has_avx2()) return read_block_by_vectors;
#endif
    return read_block;
}

}  // namespace tertium::text::tokens
