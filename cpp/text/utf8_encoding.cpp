#include "text/utf8_encoding.hpp"

#include <array>
#include <cstddef>
#include <cstring>

namespace tertium::text {
namespace {

// Up to three bytes in the order of writing, and how many they are.
struct Form {
    std::uint8_t bytes[3];
    std::uint8_t length;  // 0 for a surrogate
};

// A text has few of these characters, so that their part of the table stays in the cache.
constexpr auto forms = [] {
    std::array<Form, 0x10000> made{};
    for (std::uint32_t c = 0; c < made.size(); ++c) {
        const auto last = static_cast<std::uint8_t>(0x80 | (c & 0x3F));
        const auto middle = static_cast<std::uint8_t>(0x80 | (c >> 6 & 0x3F));
        if (c < 0x80) {
            made[c] = {{static_cast<std::uint8_t>(c)}, 1};
        } else if (c < 0x800) {
            made[c] = {{static_cast<std::uint8_t>(0xC0 | c >> 6), last}, 2};
        } else if (c < 0xD800 || c > 0xDFFF) {
            made[c] = {{static_cast<std::uint8_t>(0xE0 | c >> 12), middle, last}, 3};
        }
    }
    return made;
}();

// Without a branch for each character: in most scripts blanks and letters take different numbers of
// bytes. As many bytes are written as a form has, and what is too much is written over.
template <class Character>
std::optional<std::string_view> encode(std::span<const Character> characters, std::string& room) {
    const std::size_t most = sizeof(Form) * (characters.size() + 1);
    if (room.size() < most) room.resize(2 * most);
    char* const begin = room.data();
    char* end = begin;
    bool surrogates = false;
    for (const Character character : characters) {
        const Form form = forms[character];
        std::memcpy(end, &form, sizeof form);
        end += form.length;
        surrogates |= form.length == 0;
    }
    if (surrogates) return std::nullopt;
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
}

}  // namespace

std::optional<std::string_view> utf8_of(std::span<const std::uint8_t> characters,
                                        std::string& room) {
    return encode(characters, room);
}

std::optional<std::string_view> utf8_of(std::span<const std::uint16_t> characters,
                                        std::string& room) {
    return encode(characters, room);
}

}  // namespace tertium::text
