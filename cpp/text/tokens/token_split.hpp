// Cuts a text into tokens as a table of rules says.
#pragma once

#include <string_view>

#include "text/tokens/token_list.hpp"
#include "text/tokens/token_rules.hpp"

namespace tertium::text::tokens {

// Replaces `tokens` by the tokens of `text`, as views into it. Time and memory are linear.
void split_tokens(const TokenRules& rules, std::string_view text, TokenList& tokens);

std::string_view without_leading_blanks(std::string_view text);
std::string_view without_trailing_blanks(std::string_view text);

}  // namespace tertium::text::tokens
