// Numbers for n-grams of any length: an n-gram is the pair (its first n − 1 words as a number,
// its last word), so that equal numbers mean equal n-grams, without collisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/hash_table.hpp"
#include "core/segment.hpp"

namespace tertium::core {

using Gram = std::uint32_t;
inline constexpr Gram no_gram = no_number;
inline constexpr Gram empty_gram = no_gram - 1;  // what the first word of an n-gram follows

// Room for more is made when it is needed: a text of very many words may repeat itself, and memory
// that is never used takes its time, too.
inline constexpr std::size_t most_expected_grams = std::size_t{1} << 20;

class GramTable {
  public:
    std::size_t size() const { return numbers_.size(); }

    void clear(std::size_t expected) { numbers_.clear(expected); }

    Gram find(Gram prefix, Token last) const {
        if (prefix == no_gram || last == unknown) return no_gram;
        return numbers_.find(key_of(prefix, last));
    }

    // The number of an n-gram, given in the order of arrival: 0, 1, 2, …
    Gram intern(Gram prefix, Token last) { return numbers_.intern(key_of(prefix, last)); }

  private:
    struct Hash {
        std::uint64_t operator()(std::uint64_t key) const { return mixed(key); }
    };

    static std::uint64_t key_of(Gram prefix, Token last) {
        return (static_cast<std::uint64_t>(prefix) << 32) | static_cast<std::uint32_t>(last);
    }

    KeyNumbers<std::uint64_t, Hash> numbers_;
};

}  // namespace tertium::core
