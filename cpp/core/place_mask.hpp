// A set of places in a short text: one bit for each, in so many words of 64.
//
// Every function is inlined, so that callers compiled for processors that count bits get that
// instruction.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/processor.hpp"

namespace tertium::core {

template <std::size_t Words>
struct PlaceMask {
    static constexpr std::size_t word_bits = 64;
    static constexpr std::size_t most = Words * word_bits;

    std::array<std::uint64_t, Words> words;

    TERTIUM_INLINE static PlaceMask none() { return {}; }

    // This place and all behind it.
    static constexpr PlaceMask from_place(std::size_t place) {
        PlaceMask mask{};
        for (std::size_t w = 0; w < Words; ++w) {
            const std::size_t begin = w * word_bits;
            mask.words[w] = place <= begin               ? ~std::uint64_t{0}
                            : place >= begin + word_bits ? 0
                                                         : ~std::uint64_t{0} << (place - begin);
        }
        return mask;
    }
    TERTIUM_INLINE void set(std::size_t place) {
        words[place / word_bits] |= std::uint64_t{1} << place % word_bits;
    }
    TERTIUM_INLINE PlaceMask operator&(const PlaceMask& other) const {
        PlaceMask mask;
        for (std::size_t w = 0; w < Words; ++w) mask.words[w] = words[w] & other.words[w];
        return mask;
    }
    TERTIUM_INLINE PlaceMask operator|(const PlaceMask& other) const {
        PlaceMask mask;
        for (std::size_t w = 0; w < Words; ++w) mask.words[w] = words[w] | other.words[w];
        return mask;
    }
    TERTIUM_INLINE PlaceMask without(const PlaceMask& other) const {
        PlaceMask mask;
        for (std::size_t w = 0; w < Words; ++w) mask.words[w] = words[w] & ~other.words[w];
        return mask;
    }
    // Every place becomes one that lies `places` earlier, or later; 1 … 63.
    TERTIUM_INLINE PlaceMask earlier(std::size_t places) const {
        PlaceMask mask;
        for (std::size_t w = 0; w < Words; ++w) {
            const std::uint64_t next = w + 1 < Words ? words[w + 1] << (word_bits - places) : 0;
            mask.words[w] = words[w] >> places | next;
        }
        return mask;
    }
    TERTIUM_INLINE PlaceMask later(std::size_t places) const {
        PlaceMask mask;
        for (std::size_t w = 0; w < Words; ++w) {
            const std::uint64_t before = w > 0 ? words[w - 1] >> (word_bits - places) : 0;
            mask.words[w] = words[w] << places | before;
        }
        return mask;
    }
    TERTIUM_INLINE std::uint32_t count() const {
        int bits = 0;
        for (std::size_t w = 0; w < Words; ++w) bits += std::popcount(words[w]);
        return static_cast<std::uint32_t>(bits);
    }
    TERTIUM_INLINE bool any() const {
        std::uint64_t bits = 0;
        for (std::size_t w = 0; w < Words; ++w) bits |= words[w];
        return bits != 0;
    }
    // Exactly one place.
    TERTIUM_INLINE bool single() const {
        std::uint64_t bits = 0, more = 0;
        for (std::size_t w = 0; w < Words; ++w) {
            more |= words[w] & (words[w] - 1);
            more |= bits != 0 ? words[w] : 0;
            bits |= words[w];
        }
        return bits != 0 && more == 0;
    }
    // The place before which there are `before` others; there must be one.
    TERTIUM_INLINE std::size_t place(std::uint32_t before) const {
        std::size_t w = 0;
        if constexpr (Words > 1) {
            for (;; ++w) {
                const auto here = static_cast<std::uint32_t>(std::popcount(words[w]));
                if (before < here) break;
                before -= here;
            }
        }
        std::uint64_t bits = words[w];
        for (; before > 0; --before) bits &= bits - 1;
        return w * word_bits + static_cast<std::size_t>(std::countr_zero(bits));
    }
    TERTIUM_INLINE std::size_t first() const {
        std::size_t w = 0;
        while (words[w] == 0) ++w;
        return w * word_bits + static_cast<std::size_t>(std::countr_zero(words[w]));
    }
};

// from_place of every place, and of `Slack` places behind the last.
template <std::size_t Words, std::size_t Slack>
inline constexpr auto masks_from = [] {
    std::array<PlaceMask<Words>, Words * 64 + Slack> masks{};
    for (std::size_t place = 0; place < masks.size(); ++place) {
        masks[place] = PlaceMask<Words>::from_place(place);
    }
    return masks;
}();

}  // namespace tertium::core
