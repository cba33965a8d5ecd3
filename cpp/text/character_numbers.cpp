#include "text/character_numbers.hpp"

#include "text/tokens/token_rules.hpp"
#include "text/utf8.hpp"

namespace tertium {

void CharacterNumbers::clear() {
    ascii_.fill(unknown);
    if (!others_.empty()) others_.clear();
    count_ = 0;
}

// Most characters are ASCII: for them there is no branch that depends on the text. A blank is
// written too, and then overwritten.
template <class Ascii, class Other>
void CharacterNumbers::read(std::string_view text, bool blanks, std::vector<Token>& out,
                            Ascii&& ascii, Other&& other) {
    const auto& kinds = rules_of(Tokenization::none).of_byte;
    out.resize(text.size());
    Token* end = out.data();
    for (std::size_t p = 0; p < text.size();) {
        const auto byte = static_cast<unsigned char>(text[p]);
        if (byte < 128) {
            *end = ascii(byte);
            end += blanks || !(kinds[byte] & kind::blank);
            ++p;
            continue;
        }
        const utf8::CodePoint character = utf8::decode(text, p);
        *end = other(character.value);
        end += blanks || !(code_points[character.value] & property::blank);
        p += character.length;
    }
    out.resize(static_cast<std::size_t>(end - out.data()));
}

void CharacterNumbers::intern(std::string_view text, bool blanks, std::vector<Token>& out) {
    Token count = count_;
    read(
        text, blanks, out,
        [&](unsigned char byte) {
            const Token known = ascii_[byte];
            const Token number = known == unknown ? count : known;
            count += known == unknown;
            return ascii_[byte] = number;
        },
        [&](char32_t character) {
            const auto [place, fresh] = others_.try_emplace(character, count);
            count += fresh;
            return place->second;
        });
    count_ = count;
}

void CharacterNumbers::find(std::string_view text, bool blanks, std::vector<Token>& out) const {
    read(
        text, blanks, out, [&](unsigned char byte) { return ascii_[byte]; },
        [&](char32_t character) {
            const auto found = others_.find(character);
            return found == others_.end() ? unknown : found->second;
        });
}

}  // namespace tertium
