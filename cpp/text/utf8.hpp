// Reading and writing UTF-8, one code point at a time.
//
// The functions are meant for valid UTF-8. On any other bytes they still terminate, stay within
// the text, and advance by at least one byte; what code point they report is then unspecified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tertium::text::utf8 {

struct CodePoint {
    char32_t value;
    std::uint32_t length;  // in bytes, 1 … 4
};

constexpr bool is_continuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// How many bytes the character takes that begins with `lead`.
constexpr std::uint32_t length_from_lead(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

// The character that begins at `position`, which must be < text.size().
constexpr CodePoint decode(std::string_view text, std::size_t position) {
    const auto bits = [&](std::size_t offset, unsigned mask) {
        return static_cast<char32_t>(static_cast<unsigned char>(text[position + offset]) & mask);
    };
    const std::uint32_t length = length_from_lead(text[position]);
    if (length > text.size() - position) return {bits(0, 0xFF), 1};
    switch (length) {
        case 1:
            return {bits(0, 0xFF), 1};
        case 2:
            return {bits(0, 0x1F) << 6 | bits(1, 0x3F), 2};
        case 3:
            return {bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F), 3};
        default:
            return {bits(0, 0x07) << 18 | bits(1, 0x3F) << 12 | bits(2, 0x3F) << 6 | bits(3, 0x3F),
                    4};
    }
}

// Where the character begins that ends just before `position`, which must be > 0.
constexpr std::size_t previous(std::string_view text, std::size_t position) {
    const std::size_t nearest = position > 4 ? position - 4 : 0;
    std::size_t begin = position - 1;
    while (begin > nearest && is_continuation(text[begin])) --begin;
    return begin;
}

// The number of code points.
constexpr std::size_t length(std::string_view text) {
    std::size_t count = 0;
    for (const char byte : text) count += !is_continuation(byte);
    return count;
}

// Appends `value`, which must be ≤ U+10FFFF.
inline void append(std::string& text, char32_t value) {
    const auto tail = [&](int shift) {
        text.push_back(static_cast<char>(0x80 | (value >> shift & 0x3F)));
    };
    if (value < 0x80) {
        text.push_back(static_cast<char>(value));
    } else if (value < 0x800) {
        text.push_back(static_cast<char>(0xC0 | value >> 6));
        tail(0);
    } else if (value < 0x10000) {
        text.push_back(static_cast<char>(0xE0 | value >> 12));
        tail(6);
        tail(0);
    } else {
        text.push_back(static_cast<char>(0xF0 | value >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

}  // namespace tertium::text::utf8
