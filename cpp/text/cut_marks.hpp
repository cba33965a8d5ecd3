// Text with its token boundaries in one string.
#pragma once

#include <string>
#include <string_view>

#include "text/tokens/token_list.hpp"

namespace tertium::text {

// Stands between two tokens that no blank parts in the text: ASCII's unit separator.
inline constexpr char cut_mark = '\x1f';

// The tokens of a text, parted by single spaces where blanks part them there and by `cut_mark`
// where nothing does; a mark that the text has itself is a blank. Tokens that are not the text's
// own, as of a tokenizer that rewrites it, are parted by spaces.
std::string with_cut_marks(std::string_view text, const tokens::TokenList& tokens);

}  // namespace tertium::text
