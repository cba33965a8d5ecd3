// What a token is compared by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/hash_table.hpp"

namespace tertium::text::tokens {

// For up to 8 bytes the key is the token itself, so that most look-ups never touch its bytes; for
// more it is a hash and the bytes decide.
struct TokenKey {
    static constexpr std::size_t held_bytes = 8;

    // Loads that overlap cover any length without reading past the end.
    explicit TokenKey(std::string_view token) : length(static_cast<std::uint32_t>(token.size())) {
        const char* p = token.data();
        const std::size_t n = token.size();
        const auto byte = [p](std::size_t i) { return static_cast<unsigned char>(p[i]); };
        if (n > held_bytes) {
            key = 0;
            for (std::size_t i = 0; i + 8 < n; i += 8) {
                key = stirred(key ^ load<std::uint64_t>(p + i));
            }
            key = stirred(key ^ load<std::uint64_t>(p + n - 8));
        } else if (n >= 4) {
            key = load<std::uint32_t>(p) | load<std::uint32_t>(p + n - 4) << 32;
        } else if (n > 0) {
            key = byte(0) | std::uint64_t{byte(n / 2)} << 8 | std::uint64_t{byte(n - 1)} << 16;
        } else {
            key = 0;
        }
    }

    bool operator==(const TokenKey&) const = default;
    // Whether equal keys mean equal tokens.
    bool holds_all() const { return length <= held_bytes; }
    std::uint64_t hash() const { return core::mixed(key + length); }

    std::uint64_t key;
    std::uint32_t length;

  private:
    static std::uint64_t stirred(std::uint64_t value) {
        value *= 0xD6E8FEB86659FD93u;
        return value ^ (value >> 32);
    }

    template <class Word>
    static std::uint64_t load(const char* from) {
        Word word;
        std::memcpy(&word, from, sizeof word);
        return word;
    }
};

}  // namespace tertium::text::tokens
