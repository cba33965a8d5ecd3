#include "text/tokens/tercom_tokens.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "text/tokens/code_points.hpp"
#include "text/utf8.hpp"

namespace tertium::text::tokens {
namespace {

// Added to a blank's code point so that it does not end a word; alone it is the empty word.
constexpr char32_t private_plane = 0xF0000;

constexpr bool is_java_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

constexpr bool is_stop(char c) {
    return c == '.' || c == ',';
}

// ASCII punctuation that always stands alone: all of it but ' , - and the full stop. The space is
// among it, which makes no difference.
constexpr bool stands_alone(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
           (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

constexpr bool is_removed(char c) {
    return is_stop(c) || c == '?' || c == ':' || c == ';' || c == '!' || c == '"' || c == '(' ||
           c == ')';
}

constexpr bool between(char32_t code, char32_t first, char32_t last) {
    return code >= first && code <= last;
}

constexpr bool is_asian_punctuation(char32_t code) {
    return between(code, 0x3001, 0x3002) || between(code, 0x3008, 0x3011) ||
           between(code, 0x3014, 0x301F) || between(code, 0xFF61, 0xFF65) || code == 0x30FB ||
           code == 0xFF0E || code == 0xFF0C || code == 0xFF1F || code == 0xFF1A || code == 0xFF1B ||
           code == 0xFF01 || code == 0xFF02 || code == 0xFF08 || code == 0xFF09;
}

// CJK ideographs, strokes, radicals, compatibility forms and enclosed letters. sacreBLEU's range
// of the enclosed letters reaches to U+3F22, where tercom means U+32FF.
constexpr bool is_ideograph(char32_t code, bool original) {
    return between(code, 0x4E00, 0x9FFF) || between(code, 0x3400, 0x4DBF) ||
           between(code, 0x31C0, 0x31EF) || between(code, 0x2E80, 0x2EFF) ||
           between(code, 0x3300, 0x33FF) || between(code, 0xF900, 0xFAFF) ||
           between(code, 0xFE30, 0xFE4F) || between(code, 0x3200, original ? 0x32FF : 0x3F22);
}

void replace_all(std::string& text, std::string_view from, std::string_view to,
                 std::string& scratch) {
    std::size_t found = text.find(from);
    if (found == std::string::npos) return;
    scratch.clear();
    std::size_t done = 0;
    for (; found != std::string::npos; found = text.find(from, done)) {
        scratch.append(text, done, found - done).append(to);
        done = found + from.size();
    }
    scratch.append(text, done);
    text.swap(scratch);
}

// Rewrites every pair of neighbours that `matches`, without overlap, as `before` first `between`
// second `after`.
template <class Matches>
void space_pairs(std::string& text, std::string_view before, std::string_view between,
                 std::string_view after, std::string& scratch, Matches&& matches) {
    scratch.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i + 1 < text.size() && matches(text[i], text[i + 1])) {
            scratch.append(before).push_back(text[i]);
            scratch.append(between).push_back(text[i + 1]);
            scratch.append(after);
            ++i;
        } else {
            scratch.push_back(text[i]);
        }
    }
    text.swap(scratch);
}

// Puts a space on both sides of every character that is `alone`.
template <class Alone>
void space_characters(std::string& text, std::string& scratch, Alone&& alone) {
    scratch.clear();
    for (std::size_t i = 0; i < text.size();) {
        const utf8::CodePoint point = utf8::decode(text, i);
        const bool spaced = alone(point.value);
        if (spaced) scratch.push_back(' ');
        scratch.append(text, i, point.length);
        if (spaced) scratch.push_back(' ');
        i += point.length;
    }
    text.swap(scratch);
}

std::string_view trimmed_as_java(std::string_view text) {
    const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace

std::string_view TercomText::operator()(std::string_view segment) {
    if (rules_.original) segment = trimmed_as_java(segment);
    text_.assign(segment);
    if (text_.empty()) return text_;  // no word, while what becomes empty is one empty word
    if (rules_.normalized) normalize();
    if (!rules_.punctuation) remove_punctuation();
    if (rules_.original) {
        join_words_as_java();
    } else {
        join_words();
    }
    return text_;
}

void TercomText::normalize() {
    if (rules_.original) replace_all(text_, "<skipped>", "", other_);
    replace_all(text_, rules_.original ? "-\n" : "\n-", "", other_);
    std::replace(text_.begin(), text_.end(), '\n', ' ');
    if (text_.find('&') != std::string::npos) {
        replace_all(text_, "&quot;", "\"", other_);
        replace_all(text_, "&amp;", "&", other_);
        replace_all(text_, "&lt;", "<", other_);
        replace_all(text_, "&gt;", ">", other_);
    }
    other_.assign(1, ' ');
    for (const char c : text_) {
        const bool alone = stands_alone(c);
        if (alone) other_.push_back(' ');
        other_.push_back(c);
        if (alone) other_.push_back(' ');
    }
    other_.push_back(' ');
    text_.swap(other_);
    replace_all(text_, "'s ", " 's ", other_);
    const auto not_after_digit = [](char a, char b) { return !is_digit(a) && is_stop(b); };
    const auto not_before_digit = [](char a, char b) { return is_stop(a) && !is_digit(b); };
    const auto dash_after_digit = [](char a, char b) { return is_digit(a) && b == '-'; };
    space_pairs(text_, "", " ", " ", other_, not_after_digit);
    space_pairs(text_, " ", " ", "", other_, not_before_digit);
    space_pairs(text_, "", " ", " ", other_, dash_after_digit);
    const bool original = rules_.original;
    if (rules_.asian) {
        space_characters(text_, other_, [original](char32_t code) {
            return is_ideograph(code, original) || is_asian_punctuation(code);
        });
        if (original) cut_kana();
    }
    if (original) {  // before punctuation is removed, since its blanks stay
        while (!text_.empty() && is_java_blank(text_.back())) text_.pop_back();
        const auto word = std::find_if_not(text_.begin(), text_.end(), is_java_blank);
        text_.erase(text_.begin(), word);
    }
}

// A run of one kind of kana is cut off from what surrounds it. sacreBLEU means to do the same,
// but asks for a run at the very beginning, where it has just put a space.
void TercomText::cut_kana() {
    const auto kind = [](char32_t code) {
        if (between(code, 0x3040, 0x309F)) return 1;
        if (between(code, 0x30A0, 0x30FF)) return 2;
        return between(code, 0x31F0, 0x31FF) ? 3 : 0;
    };
    other_.clear();
    int last = 0;
    for (std::size_t i = 0; i < text_.size();) {
        const utf8::CodePoint point = utf8::decode(text_, i);
        const int now = kind(point.value);
        if (now != last) other_.push_back(' ');
        other_.append(text_, i, point.length);
        last = now;
        i += point.length;
    }
    text_.swap(other_);
}

void TercomText::remove_punctuation() {
    other_.clear();
    for (std::size_t i = 0; i < text_.size();) {
        const utf8::CodePoint point = utf8::decode(text_, i);
        const bool removed = point.length == 1 ? is_removed(text_[i])
                                               : rules_.asian && is_asian_punctuation(point.value);
        if (!removed) other_.append(text_, i, point.length);
        i += point.length;
    }
    text_.swap(other_);
}

void TercomText::join_words() {
    tokenize(Tokenization::none, text_, buffer_);
    other_.clear();
    for (const std::string_view word : buffer_.tokens) {
        if (!other_.empty()) other_.push_back(' ');
        other_.append(word);
    }
    text_.swap(other_);
}

// String.split("\\s+"): only blanks of ASCII separate; an empty word stands before a leading
// blank unless nothing else follows, and for a text that has become empty.
void TercomText::join_words_as_java() {
    const std::string_view text = text_;
    other_.clear();
    if (text.empty()) utf8::append(other_, private_plane);
    bool pending = false, any = false;
    for (std::size_t i = 0; i < text.size();) {
        if (is_java_blank(text[i])) {
            pending = true;
            ++i;
            continue;
        }
        if (pending) {
            if (!any) utf8::append(other_, private_plane);
            other_.push_back(' ');
        }
        pending = false;
        any = true;
        const utf8::CodePoint point = utf8::decode(text, i);
        if ((code_points[point.value] & property::blank) != 0) {
            utf8::append(other_, private_plane + point.value);
        } else {
            other_.append(text, i, point.length);
        }
        i += point.length;
    }
    text_.swap(other_);
}

Texts tercom_texts(const Texts& texts, const TercomRules& rules) {
    Texts out;
    out.reserve(texts.size(), texts.byte_size() + texts.byte_size() / 8);
    TercomText prepare(rules);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts.missing(i)) {
            out.append_missing();
        } else {
            out.append(prepare(texts[i]));
        }
    }
    return out;
}

}  // namespace tertium::text::tokens
