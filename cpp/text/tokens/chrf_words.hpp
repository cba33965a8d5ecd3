// The words of chrF++ (Popović 2017).
#pragma once

#include <string_view>

#include "text/utf8.hpp"

namespace tertium::text::tokens {

// The marks of string.punctuation in Python: what is printed in ASCII, but no letter or digit.
constexpr bool is_chrf_punctuation(char c) {
    const bool alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    return c > ' ' && c < 127 && !alphanumeric;
}

// Of what blanks separate, one mark of punctuation is parted from the end or, failing that, from
// the beginning.
template <class Take>
void for_each_chrf_word(std::string_view token, Take&& take) {
    const bool single = token.size() == utf8::length_from_lead(token.front());
    if (!single && is_chrf_punctuation(token.back())) {
        take(token.substr(0, token.size() - 1));
        take(token.substr(token.size() - 1));
    } else if (!single && is_chrf_punctuation(token.front())) {
        take(token.substr(0, 1));
        take(token.substr(1));
    } else {
        take(token);
    }
}

}  // namespace tertium::text::tokens
