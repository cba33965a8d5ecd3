// Cuts a text into tokens as a table of rules says.
#pragma once

#include <string_view>
#include <vector>

#include "text/tokens/token_rules.hpp"

namespace tertium::text::tokens {

// Replaces `tokens` by the tokens of `text`, as views into it. Time and memory are linear.
void split_tokens(const TokenRules& rules, std::string_view text,
                  std::vector<std::string_view>& tokens);

std::string_view without_leading_blanks(std::string_view text);
std::string_view without_trailing_blanks(std::string_view text);

}  // namespace tertium::text::tokens
