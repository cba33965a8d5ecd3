// A tokenization as a table: which characters stand alone, which only outside of numbers.
//
// The regular expressions of mteval-v13a and -v14 come, pass by pass, to one rule each for five
// kinds of characters, so the tokenizations differ in nothing but the kind of each character:
//
//   blank   separates tokens and belongs to none.
//   lone    is a token of its own.
//   dash    is a token of its own directly after a number, otherwise part of a word.
//   number  matters to its neighbours only.
//   point   is a token of its own, except that the last of a run of points binds to a number
//           that follows (see `binds` in token_split.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "text/tokens/code_points.hpp"
#include "text/tokens/tokenizers.hpp"

namespace tertium::text::tokens {

// A set of kinds, one bit each; no bit: part of a word.
using Kinds = std::uint8_t;

namespace kind {
inline constexpr Kinds blank = 1 << 0;
inline constexpr Kinds lone = 1 << 1;
inline constexpr Kinds number = 1 << 2;
inline constexpr Kinds point = 1 << 3;
inline constexpr Kinds dash = 1 << 4;
// Two kinds of bytes rather than of characters:
inline constexpr Kinds lookup = 1 << 5;  // begins a character whose kind has to be looked up
inline constexpr Kinds inner = 1 << 6;   // continues a character
}  // namespace kind

// A set of bytes in eight rows of 16: bit r of the entry i is that of byte i of row r.
using ByteSet = std::array<std::uint8_t, 16>;

// Groups of characters, one bit each, that a byte may belong to by its halves.
struct GroupsOfByte {
    ByteSet lower{}, upper{};

    constexpr void add(unsigned byte, std::uint8_t group) {
        lower[byte & 0x0F] |= group;
        upper[byte >> 4] |= group;
    }
};

// Lets all characters beyond ASCII through that are not like the rest, and some that are: those
// whose first three bytes belong to the same group. Groups are chosen so that few letters of the
// large scripts go through.
struct LeadFilter {
    // Its characters belong to no group; nor do those of four bytes. All of them go through.
    static constexpr unsigned lone_lead = 0xCB;

    GroupsOfByte lead{}, second{}, third{};

    constexpr void add(char32_t code);
};

struct TokenRules {
    std::array<Kinds, 256> of_byte{};
    std::array<Kinds, property::sets> of_properties{};
    Kinds rest = 0;  // of characters without properties
    // A bit for each character of the first plane: is it of another kind than the rest?
    std::array<std::uint64_t, 0x10000 / 64> special{};
    LeadFilter filter{};
    // The same as of_byte, for processors that look up many bytes at once: the ASCII characters of
    // a kind, row by row.
    ByteSet ascii_blank{}, ascii_lone{}, ascii_number{}, ascii_point{}, ascii_dash{};
    // Whether the text counts as standing between two blanks. If not, a point at an edge of the
    // text misses the neighbour by which a regular expression would have set it apart.
    bool padded = true;
};

const TokenRules& rules_of(Tokenization::Rules rules);

}  // namespace tertium::text::tokens
