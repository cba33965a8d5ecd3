#include "text/tokens/tokenizers.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "text/tokens/code_points.hpp"
#include "text/tokens/mteval_markup.hpp"
#include "text/tokens/token_rules.hpp"
#include "text/tokens/token_split.hpp"
#include "text/utf8.hpp"

namespace tertium::text::tokens {
namespace {

constexpr std::array<std::pair<std::string_view, Tokenization::Rules>, 6> tokenizations = {{
    {"none", Tokenization::none},
    {"13a", Tokenization::thirteen_a},
    {"intl", Tokenization::international},
    {"char", Tokenization::character},
    {"zh", Tokenization::chinese},
    {"zh-fixed", Tokenization::chinese_fixed},
}};

constexpr std::string_view without_punctuation = " without punctuation";

bool is_punctuation(std::string_view token) {
    for (std::size_t i = 0; i < token.size();) {
        const auto [code, length] = utf8::decode(token, i);
        if (!(code_points[code] & (property::punctuation | property::symbol))) return false;
        i += length;
    }
    return true;
}

}  // namespace

Tokenization tokenization_named(std::string_view name) {
    const bool punctuation = !name.ends_with(without_punctuation);
    if (!punctuation) name.remove_suffix(without_punctuation.size());
    std::string known;
    for (const auto& [candidate, rules] : tokenizations) {
        if (candidate == name) return {rules, punctuation};
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
    if (tokenization.rules == Tokenization::thirteen_a) {
        text = without_markup(text, out.bytes);
    } else if (tokenization.rules == Tokenization::chinese ||
               tokenization.rules == Tokenization::chinese_fixed) {
        text = without_leading_blanks(text);
    }
    split_tokens(rules_of(tokenization.rules), text, out.tokens);
    if (!tokenization.punctuation) out.tokens.erase_if(is_punctuation);
}

}  // namespace tertium::text::tokens
