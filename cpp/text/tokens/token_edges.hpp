// The first and the last bytes of a token: what a short one is, and most of what tells long ones
// apart.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/lanes.hpp"

namespace tertium::text::tokens {

// Eight bytes as a number; the first byte has the lowest place on every machine.
inline std::uint64_t load_word(const char* from) {
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

inline void store_word(std::uint64_t word, char* to) {
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(to, &word, sizeof word);
    } else {
        for (int i = 0; i < 8; ++i) to[i] = static_cast<char>(word >> 8 * i);
    }
}

inline constexpr std::size_t edge_bytes = 16;

// A text of which so many bytes can be read from everywhere in it: where there are fewer, they are
// read from a copy with zeros behind it.
class ReadableText {
  public:
    explicit ReadableText(std::string_view text) : end_(text.data() + text.size()) {
        if (text.size() >= edge_bytes) {  // as most texts; so many bytes are copied at once
            std::memcpy(last_, end_ - edge_bytes, edge_bytes);
        } else {
            std::copy_n(text.data(), text.size(), last_ + edge_bytes - text.size());
        }
    }
    // Whether they can be read right there.
    bool reaches(const char* place) const {
        return static_cast<std::size_t>(end_ - place) >= edge_bytes;
    }
    const char* at(const char* place) const {
        const auto there = static_cast<std::size_t>(end_ - place);
        return there < edge_bytes ? last_ + (edge_bytes - there) : place;
    }

  private:
    const char* end_;
    char last_[2 * edge_bytes] = {};  // the first half ends as the text does
};

// The first 16 bytes and the last 16, which overlap in tokens of fewer than 32; where there are
// fewer than 16, zeros follow and both edges are the same. So equal edges and lengths mean equal
// tokens up to `held_bytes`. No branch depends on the length, which nobody can foretell.
class TokenEdges {
  public:
    static constexpr std::size_t held_bytes = 2 * edge_bytes;

    // `text` is the one around the token.
    TokenEdges(std::string_view token, const ReadableText& text)
        : TokenEdges(text.at(token.data()), token.size()) {}
    // Of a token that begins where `edge_bytes` can be read.
    TokenEdges(const char* begin, std::size_t size) : first_(Edge::all(0)), last_(Edge::all(0)) {
        const std::size_t length = std::min(size, edge_bytes);
        const Edge bytes_of_token = Edge::load_bytes(kept[length].data());
        first_ = Edge::load_bytes(begin) & bytes_of_token;
        last_ = Edge::load_bytes(begin + (size - length)) & bytes_of_token;
    }
    // Of a token of at most 16 bytes, zeros behind them.
    explicit TokenEdges(const std::array<char, 16>& bytes)
        : first_(Edge::load_bytes(bytes.data())), last_(first_) {}

    // Not 0 if they differ.
    std::uint64_t difference(const TokenEdges& other) const {
        const Edge different = (first_ ^ other.first_) | (last_ ^ other.last_);
        return different[0] | different[1];
    }
    // Of the machine: its upper bits are the best.
    std::uint64_t hash() const {
        const Edge both = first_ ^ (last_ << 21);
        return both[0] * 0x9E3779B97F4A7C15u + both[1] * 0xD6E8FEB86659FD93u;
    }
    // The first bytes.
    std::array<char, 16> first() const {
        std::array<char, 16> bytes;
        std::memcpy(bytes.data(), &first_, bytes.size());
        return bytes;
    }

  private:
    using Edge = core::Lanes<std::uint64_t>;
    using EdgeBytes = std::array<std::uint8_t, 16>;
    static_assert(sizeof(Edge) == edge_bytes);

    // By length: the bits of the bytes that belong to a token.
    alignas(16) static constexpr std::array<EdgeBytes, edge_bytes + 1> kept = [] {
        std::array<EdgeBytes, edge_bytes + 1> made{};
        for (std::size_t length = 0; length < made.size(); ++length) {
            for (std::size_t i = 0; i < length; ++i) made[length][i] = 0xFF;
        }
        return made;
    }();

    Edge first_, last_;
};

}  // namespace tertium::text::tokens
