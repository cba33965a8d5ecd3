// What the tokenizers know of every code point, in one table that the compiler builds.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "text/tokens/chinese_ranges.hpp"
#include "text/tokens/unicode_tables.hpp"

namespace tertium::text::tokens {

// A set of properties, one bit each.
using Properties = std::uint8_t;

namespace property {
inline constexpr Properties blank = 1 << 0;
inline constexpr Properties punctuation = 1 << 1;
inline constexpr Properties symbol = 1 << 2;
inline constexpr Properties number = 1 << 3;
inline constexpr Properties chinese = 1 << 4;
inline constexpr Properties chinese_fixed = 1 << 5;
inline constexpr std::size_t sets = 1 << 6;
}  // namespace property

// Two levels: code points in pages of 128, pages of one value (most of Unicode) stored once.
class CodePointTable {
  public:
    constexpr CodePointTable() {
        std::array<Source, 6> sources = {{{property::blank, blank_ranges},
                                          {property::punctuation, punctuation_ranges},
                                          {property::symbol, symbol_ranges},
                                          {property::number, number_ranges},
                                          {property::chinese, chinese_ranges},
                                          {property::chinese_fixed, chinese_fixed_ranges}}};
        std::array<std::uint16_t, property::sets> uniform_page{};
        std::uint16_t used = 0;
        for (char32_t first = 0; first < code_count; first += page_size) {
            const char32_t last = first + page_size - 1;
            Properties everywhere = 0;
            bool uniform = true;
            for (Source& source : sources) {
                source.skip_before(first);
                if (source.covers(first, last)) {
                    everywhere |= source.property;
                } else if (source.touches(last)) {
                    uniform = false;
                }
            }
            std::uint16_t& page = page_of_[first / page_size];
            if (uniform && uniform_page[everywhere] != 0) {
                page = uniform_page[everywhere];
                continue;
            }
            page = used++;
            if (uniform) uniform_page[everywhere] = page;
            for (const Source& source : sources) {
                for (const CodePointRange& range : source.ranges) {
                    if (range.first > last) break;
                    for (char32_t code = std::max(range.first, first);
                         code <= std::min(range.last, last); ++code) {
                        pages_[page][code - first] |= source.property;
                        union_of_page_[page] |= source.property;
                    }
                }
            }
        }
    }

    constexpr Properties operator[](char32_t code) const {
        if (code >= code_count) return 0;
        return pages_[page_of_[code / page_size]][code % page_size];
    }

    // Every property that some code point in `first` … `last` has.
    constexpr Properties among(char32_t first, char32_t last) const {
        Properties found = 0;
        last = std::min(last, char32_t{code_count - 1});
        for (char32_t code = first; code <= last;) {
            if (code % page_size == 0 && last - code >= page_size - 1) {
                found |= union_of_page_[page_of_[code / page_size]];
                code += page_size;
            } else {
                found |= (*this)[code++];
            }
        }
        return found;
    }

  private:
    static constexpr char32_t code_count = 0x110000;
    static constexpr char32_t page_size = 128;
    static constexpr std::size_t page_capacity = 256;  // more pages than this do not compile

    struct Source {
        Properties property;
        std::span<const CodePointRange> ranges;  // ascending

        constexpr void skip_before(char32_t code) {
            while (!ranges.empty() && ranges.front().last < code) ranges = ranges.subspan(1);
        }
        constexpr bool covers(char32_t first, char32_t last) const {
            return touches(last) && ranges.front().first <= first && last <= ranges.front().last;
        }
        constexpr bool touches(char32_t last) const {
            return !ranges.empty() && ranges.front().first <= last;
        }
    };

    std::array<std::uint16_t, code_count / page_size> page_of_{};
    std::array<std::array<Properties, page_size>, page_capacity> pages_{};
    std::array<Properties, page_capacity> union_of_page_{};
};

// Defined in token_rules.cpp, so that only one file makes the compiler build it.
extern const CodePointTable code_points;

}  // namespace tertium::text::tokens
