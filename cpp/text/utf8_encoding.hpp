// Characters that are held as numbers of one width, as UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tertium::text {

// At most so many bytes are written for a text, of which some may lie behind its end. No character
// of one byte takes more than two in UTF-8, and none of two more than three.
constexpr std::size_t utf8_overhang = 64;
template <class Character>
constexpr std::size_t utf8_room(std::size_t characters) {
    return (1 + sizeof(Character)) * characters + utf8_overhang;
}

// Where the UTF-8 of the characters ends that is written to `to`; nullptr if one is a surrogate.
char* write_utf8(std::span<const std::uint8_t> characters, char* to);
char* write_utf8(std::span<const std::uint16_t> characters, char* to);

}  // namespace tertium::text
