// Up to 64 bytes of a text, and of what kinds they are: one word for each kind, bit i for byte i.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/tokens/token_rules.hpp"

namespace tertium::text::tokens {

using Bits = std::uint64_t;
inline constexpr std::size_t block_size = 64;

inline std::size_t lowest(Bits bits) {
    return static_cast<std::size_t>(std::countr_zero(bits));
}

// In a character of several bytes all bytes are of its kind.
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

// The longest block that begins at `begin` and ends where a character ends.
using ReadBlock = Block (*)(const TokenRules& rules, std::string_view text, std::size_t begin);

// On any processor …
Block read_block(const TokenRules& rules, std::string_view text, std::size_t begin);
// … and the fastest on this one; on UTF-8 both give the same.
ReadBlock block_reader();

}  // namespace tertium::text::tokens
