#include "text/cut_marks.hpp"

#include <cstddef>

#include "text/tokens/code_points.hpp"
#include "text/utf8.hpp"

namespace tertium::text {
namespace {

std::size_t behind_blanks(std::string_view text, std::size_t place) {
    while (place < text.size()) {
        const utf8::CodePoint code = utf8::decode(text, place);
        if ((tokens::code_points[code.value] & tokens::property::blank) == 0) break;
        place += code.length;
    }
    return place;
}

std::string parted_by_spaces(const tokens::TokenList& tokens) {
    std::string out;
    for (const std::string_view token : tokens) {
        if (!out.empty()) out.push_back(' ');
        out.append(token);
    }
    return out;
}

}  // namespace

std::string with_cut_marks(std::string_view text, const tokens::TokenList& tokens) {
    std::string out;
    out.reserve(text.size() + tokens.size());
    std::size_t place = 0;
    for (const std::string_view token : tokens) {
        const std::size_t start = behind_blanks(text, place);
        if (!text.substr(start).starts_with(token) || token.find(cut_mark) != token.npos) {
            return parted_by_spaces(tokens);
        }
        if (!out.empty()) out.push_back(start > place ? ' ' : cut_mark);
        out.append(token);
        place = start + token.size();
    }
    return behind_blanks(text, place) == text.size() ? out : parted_by_spaces(tokens);
}

}  // namespace tertium::text
