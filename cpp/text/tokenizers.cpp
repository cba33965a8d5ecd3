#include "text/tokenizers.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "text/markup.hpp"
#include "text/token_rules.hpp"
#include "text/token_split.hpp"

namespace tertium {
namespace {

constexpr std::array<std::pair<std::string_view, Tokenization>, 6> tokenizations = {{
    {"none", Tokenization::none},
    {"13a", Tokenization::thirteen_a},
    {"intl", Tokenization::international},
    {"char", Tokenization::character},
    {"zh", Tokenization::chinese},
    {"zh-fixed", Tokenization::chinese_fixed},
}};

}  // namespace

Tokenization tokenization_named(std::string_view name) {
    std::string known;
    for (const auto& [candidate, tokenization] : tokenizations) {
        if (candidate == name) return tokenization;
        known += known.empty() ? "" : ", ";
        known += candidate;
    }
    throw std::invalid_argument("unknown tokenization '" + std::string(name) +
                                "'; known: " + known);
}

void tokenize(Tokenization tokenization, std::string_view segment, TokenBuffer& out) {
    // Before anything else, since a hyphen at the very end is not one at a line's end, and since
    // without padding the last character has no neighbour.
    std::string_view text = without_trailing_blanks(segment);
    if (tokenization == Tokenization::thirteen_a) {
        text = without_markup(text, out.bytes);
    } else if (tokenization == Tokenization::chinese ||
               tokenization == Tokenization::chinese_fixed) {
        text = without_leading_blanks(text);
    }
    split_tokens(rules_of(tokenization), text, out.tokens);
}

}  // namespace tertium
