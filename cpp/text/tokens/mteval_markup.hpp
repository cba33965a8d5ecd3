// What mteval-v13a undoes before it looks for tokens.
#pragma once

#include <string>
#include <string_view>

namespace tertium::text::tokens {

// Removes "<skipped>", joins words hyphenated at a line's end, makes lines one, and decodes four
// entities, in this order. Returns `text` itself if there is nothing to do, otherwise a view of
// `buffer`, which it overwrites.
std::string_view without_markup(std::string_view text, std::string& buffer);

}  // namespace tertium::text::tokens
