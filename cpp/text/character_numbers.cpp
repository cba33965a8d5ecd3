#include "text/character_numbers.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "text/tokens/token_rules.hpp"
#include "text/utf8.hpp"

namespace tertium::text {

void CharacterNumbers::clear() {
    others_.clear();
    other_numbers_.clear();
    if (marks_.empty()) marks_.resize(plane, 0);
    // Half of all marks are left to one text, and differences of marks fit a token.
    if (next_ > static_cast<core::Mark>(std::numeric_limits<core::Token>::max())) {
        std::ranges::fill(marks_, 0);
        next_ = 1;
    }
    first_ = next_;
}

// A blank is written too, and then overwritten: no branch depends on ASCII text. Beyond it, only
// some first bytes begin a blank. number(character, counted) is the number of one that counts.
template <class Number>
void CharacterNumbers::read(std::string_view text, bool blanks, std::vector<core::Token>& out,
                            Number&& number) {
    using tokens::kind::blank;
    using tokens::kind::lookup;
    const auto& kinds = tokens::rules_of(tokens::Tokenization::none).of_byte;
    out.resize(text.size());
    core::Token* end = out.data();
    for (std::size_t p = 0; p < text.size();) {
        const auto byte = static_cast<unsigned char>(text[p]);
        if (byte < 128) {
            const bool counted = blanks || !(kinds[byte] & blank);
            *end = number(char32_t{byte}, counted);
            end += counted;
            ++p;
            continue;
        }
        const utf8::CodePoint character = utf8::decode(text, p);
        p += character.length;
        if (!blanks && (kinds[byte] & lookup) != 0 &&
            (tokens::code_points[character.value] & tokens::property::blank) != 0) {
            continue;
        }
        *end++ = number(character.value, true);
    }
    out.resize(static_cast<std::size_t>(end - out.data()));
}

void CharacterNumbers::intern(std::string_view text, bool blanks, std::vector<core::Token>& out) {
    core::Mark next = next_;
    const core::Mark first = first_;
    const std::size_t most = size() + text.size() + 1;
    if (characters_.size() < most) characters_.resize(2 * most);
    char32_t* characters = characters_.data();
    read(text, blanks, out, [&](char32_t character, bool counted) {
        characters[next - first] = character;  // and written over unless it is new
        if (character >= plane) {
            const std::uint32_t other = others_.intern(character);
            if (other == other_numbers_.size()) {
                other_numbers_.push_back(static_cast<core::Token>(next++ - first));
            }
            return other_numbers_[other];
        }
        core::Mark& mark = marks_[character];
        const bool known = mark >= first;
        mark = known ? mark : next;
        next += counted && !known ? 1 : 0;
        return static_cast<core::Token>(mark - first);
    });
    next_ = next;
}

void CharacterNumbers::find(std::string_view text, bool blanks,
                            std::vector<core::Token>& out) const {
    read(text, blanks, out, [&](char32_t character, bool) {
        if (character >= plane) {
            const std::uint32_t other = others_.find(character);
            return other == core::no_number ? core::unknown : other_numbers_[other];
        }
        const core::Mark mark = marks_[character];
        return mark >= first_ ? static_cast<core::Token>(mark - first_) : core::unknown;
    });
}

bool CharacterNumbers::is_plain(std::string_view text) {
    std::uint64_t all = 0;
    std::size_t p = 0;
    for (std::uint64_t word = 0; p + sizeof word <= text.size(); p += sizeof word) {
        std::memcpy(&word, text.data() + p, sizeof word);
        all |= word;
    }
    for (; p < text.size(); ++p) all |= static_cast<unsigned char>(text[p]);
    return (all & 0x8080808080808080u) == 0;
}

void CharacterNumbers::plain(std::string_view text, bool blanks, std::vector<core::Token>& out) {
    read(text, blanks, out, [](char32_t character, bool) {
        return character < plain_size ? static_cast<core::Token>(character) : core::unknown;
    });
}

}  // namespace tertium::text
