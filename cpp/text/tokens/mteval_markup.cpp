#include "text/tokens/mteval_markup.hpp"

#include <algorithm>
#include <cstddef>

namespace tertium::text::tokens {
namespace {

// Replaces left to right in place, in linear time; what is put in is not looked at again.
// `replacement` must not be longer than `pattern`.
void replace_all(std::string& text, std::string_view pattern, std::string_view replacement) {
    std::size_t found = text.find(pattern);
    if (found == std::string::npos) return;
    auto written = text.begin() + static_cast<std::ptrdiff_t>(found);
    while (found != std::string::npos) {
        written = std::copy(replacement.begin(), replacement.end(), written);
        const std::size_t rest = found + pattern.size();
        found = text.find(pattern, rest);
        const std::size_t until = std::min(found, text.size());
        written = std::copy(text.begin() + static_cast<std::ptrdiff_t>(rest),
                            text.begin() + static_cast<std::ptrdiff_t>(until), written);
    }
    text.erase(written, text.end());
}

}  // namespace

std::string_view without_markup(std::string_view text, std::string& buffer) {
    constexpr std::string_view skipped = "<skipped>";
    if (text.find('&') == std::string_view::npos && text.find('\n') == std::string_view::npos &&
        text.find(skipped) == std::string_view::npos) {
        return text;
    }
    buffer.assign(text);
    replace_all(buffer, skipped, "");
    replace_all(buffer, "-\n", "");
    replace_all(buffer, "\n", " ");
    // Each entity in a pass of its own: "&amp;lt;" ends as "<" but "&amp;quot;" as "&quot;".
    replace_all(buffer, "&quot;", "\"");
    replace_all(buffer, "&amp;", "&");
    replace_all(buffer, "&lt;", "<");
    replace_all(buffer, "&gt;", ">");
    return buffer;
}

}  // namespace tertium::text::tokens
