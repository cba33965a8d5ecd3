// What a token is kept and compared by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/hash_table.hpp"
#include "text/tokens/token_edges.hpp"

namespace tertium::text::tokens {

// For up to 15 bytes the key is the token itself and its length, so that most look-ups never touch
// its bytes; for more it is a hash and the length, and the bytes decide.
class TokenKey {
  public:
    static constexpr std::size_t held_bytes = 15;

    explicit TokenKey(std::string_view token)
        : TokenKey(token, TokenEdges(token, ReadableText(token))) {}

    TokenKey(std::string_view token, const TokenEdges& edges) {
        const std::size_t length = token.size();
        if (length > held_bytes) {
            low_ = hash_of(token);
            high_ = long_token | length;
        } else {
            const auto bytes = edges.first();
            low_ = load_word(bytes.data());
            high_ = load_word(bytes.data() + 8) | static_cast<std::uint64_t>(length)
                                                      << length_shift;
        }
    }

    bool operator==(const TokenKey&) const = default;
    // Whether equal keys mean equal tokens.
    bool holds_all() const { return high_ < long_token; }
    std::size_t length() const { return holds_all() ? high_ >> length_shift : high_ & ~long_token; }
    // The bytes of a token that the key holds, zeros behind them.
    std::array<char, held_bytes + 1> held() const {
        std::array<char, held_bytes + 1> bytes;
        store_word(low_, bytes.data());
        store_word(high_ & ~long_token, bytes.data() + 8);
        return bytes;
    }
    std::uint64_t hash() const {
        const std::uint64_t sum = low_ * 0xD6E8FEB86659FD93u + high_;
        return core::mixed(sum ^ sum >> 32);
    }

  private:
    static constexpr int length_shift = 56;
    static constexpr std::uint64_t long_token = std::uint64_t{0xFF} << length_shift;

    // Loads that overlap cover any length without reading past the end. Long tokens are read in
    // four lanes, which need not wait for each other.
    static std::uint64_t hash_of(std::string_view token) {
        constexpr std::size_t lanes = 4;
        constexpr std::size_t step = 8 * lanes;
        const char* at = token.data();
        const char* const end = at + token.size();
        std::uint64_t hash = 0;
        if (token.size() < step) {
            for (; end - at > 8; at += 8) hash = stirred(hash ^ load_word(at));
            return stirred(hash ^ load_word(end - 8));
        }
        std::uint64_t parts[lanes] = {};
        const auto read = [&](const char* from) {
            for (std::size_t k = 0; k < lanes; ++k) {
                parts[k] = stirred(parts[k] ^ load_word(from + 8 * k));
            }
        };
        for (; static_cast<std::size_t>(end - at) > step; at += step) read(at);
        read(end - step);
        for (const std::uint64_t part : parts) hash = stirred(hash ^ part);
        return hash;
    }

    static std::uint64_t stirred(std::uint64_t value) {
        value *= 0xD6E8FEB86659FD93u;
        return value ^ (value >> 32);
    }

    std::uint64_t low_, high_;
};

}  // namespace tertium::text::tokens
