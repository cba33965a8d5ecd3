#include "text/tokens/punctuation.hpp"

#include <cstddef>
#include <string>
#include <string_view>

#include "text/tokens/code_points.hpp"
#include "text/utf8.hpp"

namespace tertium::text::tokens {

namespace {

void append_without(std::string_view text, std::string& out) {
    bool blank = false;
    for (std::size_t at = 0; at < text.size();) {
        const utf8::CodePoint one = utf8::decode(text, at);
        const Properties found = code_points[one.value];
        if (found & property::blank) {
            blank = !out.empty();
        } else if (!(found & property::punctuation)) {
            if (blank) out += ' ';
            blank = false;
            out += text.substr(at, one.length);
        }
        at += one.length;
    }
}

}  // namespace

Texts without_punctuation(const Texts& texts) {
    Texts out;
    out.reserve(texts.size(), texts.byte_size());
    std::string buffer;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts.missing(i)) {
            out.append_missing();
            continue;
        }
        buffer.clear();
        append_without(texts[i], buffer);
        out.append(buffer);
    }
    return out;
}

}  // namespace tertium::text::tokens
