#include "text/character_numbers.hpp"

#include "text/tokens/token_rules.hpp"
#include "text/utf8.hpp"

namespace tertium::text {

void CharacterNumbers::clear() {
    ascii_.fill(core::unknown);
    others_.clear();
    other_numbers_.clear();
    count_ = 0;
}

// Most characters are ASCII: for them there is no branch that depends on the text. A blank is
// written too, and then overwritten.
template <class Ascii, class Other>
void CharacterNumbers::read(std::string_view text, bool blanks, std::vector<core::Token>& out,
                            Ascii&& ascii, Other&& other) {
    const auto& kinds = tokens::rules_of(tokens::Tokenization::none).of_byte;
    out.resize(text.size());
    core::Token* end = out.data();
    for (std::size_t p = 0; p < text.size();) {
        const auto byte = static_cast<unsigned char>(text[p]);
        if (byte < 128) {
            *end = ascii(byte);
            end += blanks || !(kinds[byte] & tokens::kind::blank);
            ++p;
            continue;
        }
        const utf8::CodePoint character = utf8::decode(text, p);
        *end = other(character.value);
        end += blanks || !(tokens::code_points[character.value] & tokens::property::blank);
        p += character.length;
    }
    out.resize(static_cast<std::size_t>(end - out.data()));
}

void CharacterNumbers::intern(std::string_view text, bool blanks, std::vector<core::Token>& out) {
    core::Token count = count_;
    read(
        text, blanks, out,
        [&](unsigned char byte) {
            const core::Token known = ascii_[byte];
            const core::Token number = known == core::unknown ? count : known;
            count += known == core::unknown;
            return ascii_[byte] = number;
        },
        [&](char32_t character) {
            const std::uint32_t other = others_.intern(character);
            if (other == other_numbers_.size()) other_numbers_.push_back(count++);
            return other_numbers_[other];
        });
    count_ = count;
}

void CharacterNumbers::find(std::string_view text, bool blanks,
                            std::vector<core::Token>& out) const {
    read(
        text, blanks, out, [&](unsigned char byte) { return ascii_[byte]; },
        [&](char32_t character) {
            const std::uint32_t other = others_.find(character);
            return other == core::no_number ? core::unknown : other_numbers_[other];
        });
}

}  // namespace tertium::text
