// What a token is compared by.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/hash_table.hpp"

namespace tertium::text::tokens {

// For up to 15 bytes the key is the token itself and its length, so that most look-ups never touch
// its bytes; for more it is a hash and the length, and the bytes decide.
class TokenKey {
  public:
    static constexpr std::size_t held_bytes = 15;

    explicit TokenKey(std::string_view token) : TokenKey(token, token.data() + token.size()) {}

    // `end` is that of the text around the token. As long as it is not near, a key is made from two
    // loads, whatever the token's length.
    TokenKey(std::string_view token, const char* end) {
        const std::size_t length = token.size();
        if (length > held_bytes) {
            low_ = hash_of(token);
            high_ = long_token | length;
            return;
        }
        if (static_cast<std::size_t>(end - token.data()) >= loaded_bytes) {
            low_ = load(token.data()) & kept[length].low;
            high_ = load(token.data() + 8) & kept[length].high;
        } else {
            char bytes[loaded_bytes] = {};
            std::memcpy(bytes, token.data(), length);
            low_ = load(bytes);
            high_ = load(bytes + 8);
        }
        high_ |= static_cast<std::uint64_t>(length) << length_shift;
    }

    bool operator==(const TokenKey&) const = default;
    // Whether equal keys mean equal tokens.
    bool holds_all() const { return high_ < long_token; }
    std::size_t length() const { return holds_all() ? high_ >> length_shift : high_ & ~long_token; }
    // The bytes of a token that the key holds, in `out`.
    std::string_view held(std::array<char, held_bytes>& out) const {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = static_cast<char>((i < 8 ? low_ : high_) >> 8 * (i % 8));
        }
        return {out.data(), length()};
    }
    std::uint64_t hash() const {
        const std::uint64_t sum = low_ * 0xD6E8FEB86659FD93u + high_;
        return core::mixed(sum ^ sum >> 32);
    }

  private:
    static constexpr std::size_t loaded_bytes = 16;
    static constexpr int length_shift = 56;
    static constexpr std::uint64_t long_token = std::uint64_t{0xFF} << length_shift;

    struct Bits {
        std::uint64_t low, high;
    };
    // By length: those of the bytes that belong to a token.
    static constexpr std::array<Bits, held_bytes + 1> kept = [] {
        constexpr auto first = [](std::size_t bytes) {
            return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
        };
        std::array<Bits, held_bytes + 1> made{};
        for (std::size_t n = 0; n < made.size(); ++n)
            made[n] = {first(n), n < 8 ? 0 : first(n - 8)};
        return made;
    }();

    // Loads that overlap cover any length without reading past the end.
    static std::uint64_t hash_of(std::string_view token) {
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i + 8 < token.size(); i += 8) {
            hash = stirred(hash ^ load(token.data() + i));
        }
        return stirred(hash ^ load(token.data() + token.size() - 8));
    }

    static std::uint64_t stirred(std::uint64_t value) {
        value *= 0xD6E8FEB86659FD93u;
        return value ^ (value >> 32);
    }

    // The first byte has the lowest place on every machine.
    static std::uint64_t load(const char* from) {
        std::uint64_t word = 0;
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(&word, from, sizeof word);
        } else {
            for (int i = 0; i < 8; ++i) {
                word |= std::uint64_t{static_cast<unsigned char>(from[i])} << 8 * i;
            }
        }
        return word;
    }

    std::uint64_t low_, high_;
};

}  // namespace tertium::text::tokens
