// Up to 64 bytes of a text, and of what kinds they are: one word for each kind, bit i for byte i.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokens/token_rules.hpp"
#include "text/utf8.hpp"

namespace tertium::text::tokens {

using Bits = std::uint64_t;
inline constexpr std::size_t block_size = 64;

inline std::size_t lowest(Bits bits) {
    return static_cast<std::size_t>(std::countr_zero(bits));
}

// Of bits that are not 0.
inline std::size_t highest(Bits bits) {
    return static_cast<std::size_t>(std::bit_width(bits)) - 1;
}

// In a character of several bytes all bytes are of its kind.
struct Block {
    std::size_t begin;   // in the text
    std::size_t length;  // in bytes, 1 … 64; bits beyond it mean nothing
    Bits blank = 0;
    Bits lone = 0;
    Bits number = 0;
    Bits point = 0;
    Bits dash = 0;
    Bits inner = 0;
};

// The longest block that begins at `begin` and ends where a character ends.
using ReadBlock = Block (*)(const TokenRules& rules, std::string_view text, std::size_t begin);

// On any processor …
Block read_block(const TokenRules& rules, std::string_view text, std::size_t begin);
// … and all ways on this one, the fastest last; on UTF-8 they give the same.
std::vector<ReadBlock> block_readers();

// For whoever reads blocks: how many bytes of at most 64 belong to characters that end there …
inline std::size_t block_length(std::string_view text, std::size_t begin) {
    const std::size_t left = text.size() - begin;
    if (left <= block_size) return left;
    // Without a branch, for characters end anywhere.
    const char* end = text.data() + begin + block_size;
    const unsigned one = utf8::is_continuation(end[0]);
    const unsigned two = one & utf8::is_continuation(end[-1]);
    const unsigned three = two & utf8::is_continuation(end[-2]);
    return block_size - one - two - three;
}

// … and the kinds of the character at `at`, which its bits get.
inline void look_up(const TokenRules& rules, std::string_view text, std::size_t at, Block& block) {
    const utf8::CodePoint character = utf8::decode(text, block.begin + at);
    const Kinds found = rules.of_properties[code_points[character.value]];
    const Bits bytes_of_character = ((Bits{1} << character.length) - 1) << at;
    const auto if_found = [&](Kinds kind) {
        return (found & kind) != 0 ? bytes_of_character : Bits{0};
    };
    block.blank |= if_found(kind::blank);
    block.lone |= if_found(kind::lone);
    block.number |= if_found(kind::number);
    block.point |= if_found(kind::point);
}

}  // namespace tertium::text::tokens
