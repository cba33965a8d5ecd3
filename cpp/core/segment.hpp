// What every word-based metric kernel sees of one segment: interned tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tertium::core {

// A token's identity within one segment. References define the ids 0 … vocabulary − 1;
// a hypothesis word that stands in no reference is `unknown`, since it can match nothing.
using Token = std::int32_t;
inline constexpr Token unknown = -1;

using Tokens = std::span<const Token>;

struct Segment {
    Tokens hypothesis;
    std::span<const Tokens> references;  // at least one
    std::size_t vocabulary;              // number of distinct reference tokens
};

}  // namespace tertium::core
