// The text is cut in blocks of at most 64 bytes. Of each block one word per kind is made, bit i
// telling whether byte i belongs to a character of that kind; where tokens begin and end is then
// bit arithmetic on 64 bytes at once, without a branch per character.
#include "text/tokens/token_split.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "text/utf8.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define TERTIUM_SSE2
#endif

namespace tertium::text::tokens {
namespace {

using Bits = std::uint64_t;
constexpr std::size_t block_size = 64;

std::size_t lowest(Bits bits) {
    return static_cast<std::size_t>(std::countr_zero(bits));
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

// One word for each kind. In a character of several bytes all bytes are of its kind.
struct Block {
    std::size_t begin;   // in the text
    std::size_t length;  // in bytes, 1 … 64; bits beyond it mean nothing
    Bits blank;
    Bits lone;
    Bits number;
    Bits point;
    Bits dash;
    Bits inner;
};

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

// The longest block that begins at `begin` and ends where a character ends.
Block read_block(const TokenRules& rules, std::string_view text, std::size_t begin) {
    std::size_t length = text.size() - begin;
    if (length > block_size) {
        length = block_size;
        for (int i = 0; i < 3 && utf8::is_continuation(text[begin + length]); ++i) --length;
    }
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
        if (like_the_rest(rules, bytes, at, length)) continue;  // its bytes say so already
        const utf8::CodePoint character = utf8::decode(text, begin + at);
        const Kinds found = rules.of_properties[code_points[character.value]];
        if (found == rules.rest) continue;
        const Bits bytes_of_character = ((Bits{1} << character.length) - 1) << at;
        if (found & kind::blank) block.blank |= bytes_of_character;
        if (found & kind::lone) block.lone |= bytes_of_character;
        if (found & kind::number) block.number |= bytes_of_character;
        if (found & kind::point) block.point |= bytes_of_character;
    }
    return block;
}

Kinds kinds_at(const TokenRules& rules, std::string_view text, std::size_t position) {
    const Kinds kinds = rules.of_byte[static_cast<unsigned char>(text[position])];
    if (!(kinds & kind::lookup)) return kinds;
    return rules.of_properties[code_points[utf8::decode(text, position).value]];
}

// Whether the point that ends before `end`, and after which a number follows (or, unpadded, the
// text ends), is left attached to what follows and, if that is a number, to what precedes.
//
// The regular expressions take points two by two. First `([^0-9])([.,])` sets apart each point
// that it reaches as its second character; a point it consumes as its first character is set
// apart by `([.,])([^0-9])`, which finds the blank put in between. In a run of points after a
// number (or, unpadded, where the text begins) pairs begin with the first point, otherwise with
// the character before it; the point that is left over at the end of the run, if one is, has
// only a following non-number to set it apart.
//
// A run ends once, so walking back through it keeps the whole linear.
bool binds(const TokenRules& rules, std::string_view text, std::size_t end) {
    bool odd = false;
    while (end > 0) {
        end = utf8::previous(text, end);
        const Kinds kinds = kinds_at(rules, text, end);
        if (!(kinds & kind::point)) return odd == ((kinds & kind::number) != 0);
        odd = !odd;
    }
    return odd == !rules.padded;
}

// The points of the block that are not tokens of their own.
Bits bound_points(const TokenRules& rules, std::string_view text, const Block& block) {
    if (block.point == 0) return 0;
    const std::size_t end = block.begin + block.length;
    const bool number_after_block =
        end == text.size() ? !rules.padded : (kinds_at(rules, text, end) & kind::number) != 0;
    const Bits number_next = block.number >> 1 | Bits{number_after_block} << (block.length - 1);
    Bits bound = 0;
    for (Bits left = block.point & number_next; left != 0; left &= left - 1) {
        const std::size_t last = lowest(left);
        if (!binds(rules, text, block.begin + last + 1)) continue;
        const std::size_t first = utf8::previous(text, block.begin + last + 1) - block.begin;
        bound |= ((Bits{2} << (last - first)) - 1) << first;
    }
    return bound;
}

}  // namespace

void split_tokens(const TokenRules& rules, std::string_view text,
                  std::vector<std::string_view>& tokens) {
    tokens.clear();
    std::size_t token = 0;  // where the open token begins
    // Of the byte before the block: does it belong to a token, to a lone character, to a number?
    bool open = false;
    bool after_lone = false;
    bool after_number = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const Block block = read_block(rules, text, begin);
        const Bits inside = ~Bits{0} >> (block_size - block.length);
        const Bits dash_after_number = block.dash & (block.number << 1 | Bits{after_number});
        const Bits lone =
            block.lone | dash_after_number | (block.point & ~bound_points(rules, text, block));
        const Bits beside_lone = lone | lone << 1 | Bits{after_lone};
        const Bits covered = ~block.blank & inside;
        const Bits after_covered = covered << 1 | Bits{open};
        Bits starts = covered & (~after_covered | (beside_lone & ~block.inner));
        Bits ends = after_covered & (block.blank | starts) & inside;

        // Starts and ends alternate, beginning with the end of the token left open, if any.
        const auto next_start = [&] {
            token = begin + lowest(starts);
            starts &= starts - 1;
        };
        if (!open) next_start();
        for (; ends != 0; ends &= ends - 1) {
            tokens.emplace_back(text.data() + token, begin + lowest(ends) - token);
            next_start();
        }
        const auto at_last = [&](Bits bits) { return (bits >> (block.length - 1) & 1) != 0; };
        open = at_last(covered);
        after_lone = at_last(lone);
        after_number = at_last(block.number);
        begin += block.length;
    }
    if (open) tokens.emplace_back(text.data() + token, text.size() - token);
}

std::string_view without_leading_blanks(std::string_view text) {
    while (!text.empty()) {
        const utf8::CodePoint first = utf8::decode(text, 0);
        if (!(code_points[first.value] & property::blank)) break;
        text.remove_prefix(first.length);
    }
    return text;
}

std::string_view without_trailing_blanks(std::string_view text) {
    while (!text.empty()) {
        const std::size_t last = utf8::previous(text, text.size());
        if (!(code_points[utf8::decode(text, last).value] & property::blank)) break;
        text.remove_suffix(text.size() - last);
    }
    return text;
}

}  // namespace tertium::text::tokens
