#include "text/character_numbers.hpp"

#include <string>
#include <vector>

#include "tests/check.hpp"
#include "text/tokens/token_rules.hpp"

namespace tertium::tests {

TEST(plain_text_is_its_bytes_without_blanks) {
    const auto& kinds = text::tokens::rules_of(text::tokens::Tokenization::none).of_byte;
    std::string text;
    std::vector<core::Token> numbers;
    // Every byte of ASCII, and every length of what is left behind the last whole vector.
    for (std::size_t length = 0; length < 300; ++length) {
        text += static_cast<char>(length * 37 % 128);
        std::vector<core::Token> expected, with_blanks;
        for (const char byte : text) {
            with_blanks.push_back(byte);
            const bool blank = kinds[static_cast<unsigned char>(byte)] & text::tokens::kind::blank;
            if (!blank) expected.push_back(byte);
        }
        text::CharacterNumbers::plain(text, false, numbers);
        CHECK(numbers == expected);
        text::CharacterNumbers::plain(text, true, numbers);
        CHECK(numbers == with_blanks);
    }
    CHECK(text::CharacterNumbers::is_plain(text));
}

TEST(what_is_beyond_plain_text_is_unknown) {
    const std::string text =
        "a\xC3\xA4 b\xE3\x80\x80"
        "c";
    CHECK(!text::CharacterNumbers::is_plain(text));
    std::vector<core::Token> numbers;
    text::CharacterNumbers::plain(text, false, numbers);
    CHECK(numbers == std::vector<core::Token>({'a', core::unknown, 'b', 'c'}));
}

}  // namespace tertium::tests
