// Tokenizers that reproduce sacreBLEU 2.6.0 on any valid UTF-8 text.
#pragma once

#include <string>
#include <string_view>

#include "text/tokens/token_list.hpp"

namespace tertium::text::tokens {

struct Tokenization {
    enum Rules { none, thirteen_a, international, character, chinese, chinese_fixed };

    // A set of rules alone is a tokenization that keeps everything.
    constexpr Tokenization(Rules chosen, bool keeps_punctuation = true)
        : rules(chosen), punctuation(keeps_punctuation) {}

    Rules rules;
    bool punctuation;  // if not, tokens of nothing but punctuation and symbols are left out
};

// "none", "13a", "intl", "char", "zh", "zh-fixed", each alone or with " without punctuation"
// behind it; throws std::invalid_argument otherwise.
Tokenization tokenization_named(std::string_view name);

// The tokens of one segment. The views point into `bytes` or into the segment that was
// tokenised, so they live until the next call with the same buffer or the segment's end.
struct TokenBuffer {
    std::string bytes;
    TokenList tokens;
};

// Fills `out` with the tokens of `segment` (valid UTF-8, any length, newlines allowed).
void tokenize(Tokenization tokenization, std::string_view segment, TokenBuffer& out);

}  // namespace tertium::text::tokens
