#include "metrics/meteor/normalizer.hpp"

#include <algorithm>
#include <vector>

#include "text/utf8.hpp"

namespace tertium::metrics::meteor {
namespace {

// Stands for one dot of an ellipsis while single dots are looked at; no valid text has it.
constexpr char32_t ellipsis_dot = 0x110000;

bool between(char32_t code, char32_t first, char32_t last) {
    return first <= code && code <= last;
}

// The letters Meteor lists: western European and Cyrillic ones.
bool is_letter(char32_t code) {
    if (code < 0x80) return between(code | 0x20, 'a', 'z');
    return between(code, 0xC0, 0xD6) || between(code, 0xD8, 0xF6) || between(code, 0xF8, 0x17E) ||
           between(code, 0x400, 0x527) || between(code, 0xA640, 0xA66E) ||
           between(code, 0xA67E, 0xA697) || between(code, 0x1D00, 0x1D7F);
}

bool is_digit(char32_t code) {
    return between(code, '0', '9');
}

bool is_alphanumeric(char32_t code) {
    return is_digit(code) || is_letter(code);
}

bool is_java_blank(char32_t code) {  // \s of java.util.regex
    return code == ' ' || between(code, '\t', '\r');
}

bool is_delimiter(char32_t code) {  // where java.util.StringTokenizer splits
    return code == ' ' || code == '\t' || code == '\n' || code == '\r' || code == '\f';
}

bool is_wide_blank(char32_t code) {
    return code == ' ' || code == 0xA0 || between(code, 0x2000, 0x200A) || code == 0x202F ||
           code == 0x205F || code == 0x3000;
}

// Meteor's expressions have the form (left)middle(right) and are replaced from left to right; a
// replacement uses up both neighbours, so of "a,b,c" only the first comma is found by one pass.
template <class Left, class Right>
void replace_between(std::u32string& text, std::u32string& scratch, char32_t middle,
                     std::u32string_view replacement, Left&& left, Right&& right) {
    if (text.find(middle) == std::u32string::npos) return;
    scratch.clear();
    std::size_t i = 0;
    while (i < text.size()) {
        if (i + 2 < text.size() && text[i + 1] == middle && left(text[i]) && right(text[i + 2])) {
            scratch.push_back(text[i]);
            scratch.append(replacement);
            scratch.push_back(text[i + 2]);
            i += 3;
        } else {
            scratch.push_back(text[i++]);
        }
    }
    text.swap(scratch);
}

template <class Predicate>
auto negated(Predicate predicate) {
    return [predicate](char32_t code) { return !predicate(code); };
}

}  // namespace

std::string_view MeteorNormalizer::operator()(std::string_view text) {
    text_.assign(1, ' ');
    for (std::size_t i = 0; i < text.size();) {
        const text::utf8::CodePoint code = text::utf8::decode(text, i);
        text_.push_back(code.value);
        i += code.length;
    }
    text_.push_back(' ');
    separate_symbols();
    separate_apostrophes();
    separate_dots();
    finish(text_);
    return out_;
}

void MeteorNormalizer::separate_symbols() {
    constexpr std::u32string_view special = U".'`,-\u2018\u2019";
    scratch_.clear();
    for (const char32_t code : text_) {
        const bool lone = !is_alphanumeric(code) && !is_java_blank(code) &&
                          special.find(code) == std::u32string_view::npos;
        if (lone) scratch_.push_back(' ');
        scratch_.push_back(code);
        if (lone) scratch_.push_back(' ');
    }
    text_.swap(scratch_);

    // Two and more dots are a word.
    scratch_.clear();
    for (std::size_t i = 0; i < text_.size();) {
        std::size_t end = i;
        while (end < text_.size() && text_[end] == '.') ++end;
        if (end - i < 2) {
            scratch_.push_back(text_[i++]);
            continue;
        }
        scratch_.push_back(' ');
        scratch_.append(end - i, ellipsis_dot);
        scratch_.push_back(' ');
        i = end;
    }
    text_.swap(scratch_);

    const auto other = negated(is_digit);
    replace_between(text_, scratch_, ',', U" , ", other, other);
    replace_between(text_, scratch_, ',', U" , ", is_digit, other);
    replace_between(text_, scratch_, ',', U" , ", other, is_digit);

    // Quotes and dashes: one form of each.
    scratch_.clear();
    const auto is_single = [](char32_t code) {
        return code == '\'' || code == '`' || code == 0x2018 || code == 0x2019;
    };
    for (std::size_t i = 0; i < text_.size(); ++i) {
        const char32_t code = text_[i];
        const bool doubled = is_single(code) && i + 1 < text_.size() && is_single(text_[i + 1]);
        if (code == 0x201C || code == 0x201D || doubled) {
            scratch_.append(U" \" ");
            i += doubled;
        } else {
            scratch_.push_back(is_single(code) ? U'\'' : code == 0x2013 ? U'-' : code);
        }
    }
    text_.clear();
    for (std::size_t i = 0; i < scratch_.size(); ++i) {
        text_.push_back(scratch_[i]);
        if (scratch_[i] == '-' && i + 1 < scratch_.size() && scratch_[i + 1] == '-') ++i;
    }
    const auto word_or_dot = [](char32_t code) { return is_alphanumeric(code) || code == '.'; };
    replace_between(text_, scratch_, '-', U" ", word_or_dot, is_alphanumeric);
}

void MeteorNormalizer::separate_apostrophes() {
    const auto other = negated(is_letter);
    const auto symbol = negated(is_alphanumeric);
    const auto replace = [&](std::u32string_view replacement, auto&& left, auto&& right) {
        replace_between(text_, scratch_, '\'', replacement, left, right);
    };
    switch (apostrophes_) {
        case Apostrophes::before:
            replace(U" ' ", other, other);
            replace(U" ' ", symbol, is_letter);
            replace(U" ' ", is_letter, other);
            replace(U" '", is_letter, is_letter);
            replace(U" '", is_digit, [](char32_t code) { return code == 's'; });  // 1990's
            break;
        case Apostrophes::behind:
            replace(U" ' ", other, other);
            replace(U" ' ", other, is_letter);
            replace(U" ' ", is_letter, other);
            replace(U"' ", is_letter, is_letter);
            break;
        case Apostrophes::alone:
            scratch_.clear();
            for (const char32_t code : text_) {
                if (code == '\'') {
                    scratch_.append(U" ' ");
                } else {
                    scratch_.push_back(code);
                }
            }
            text_.swap(scratch_);
            break;
    }
}

bool MeteorNormalizer::keeps_dot(std::u32string_view word, std::u32string_view following) {
    if (!following.empty() && between(following.front(), 'a', 'z')) return true;
    if (lexicon_ == nullptr) return false;
    out_.clear();
    for (const char32_t code : word) text::utf8::append(out_, code == ellipsis_dot ? '.' : code);
    const auto kind = lexicon_->abbreviation(out_);
    return kind == MeteorLexicon::Abbreviation::always ||
           (kind == MeteorLexicon::Abbreviation::before_number && !following.empty() &&
            is_digit(following.front()));
}

void MeteorNormalizer::separate_dots() {
    std::vector<std::u32string_view> words;
    for (std::size_t i = 0; i < text_.size();) {
        const std::size_t begin = i;
        while (i < text_.size() && !is_delimiter(text_[i])) ++i;
        if (i > begin) words.push_back(std::u32string_view(text_).substr(begin, i - begin));
        while (i < text_.size() && is_delimiter(text_[i])) ++i;
    }
    scratch_.clear();
    for (std::size_t w = 0; w < words.size(); ++w) {
        const std::u32string_view word = words[w];
        const std::u32string_view following = w + 1 < words.size() ? words[w + 1] : U"";
        const std::u32string_view before = word.substr(0, word.size() - 1);
        if (word.size() < 2 || word.back() != '.') {
            scratch_.append(word);
        } else if (before.find('.') != std::u32string_view::npos &&
                   std::find_if(before.begin(), before.end(), is_letter) != before.end()) {
            for (const char32_t code : word) {  // U.S. is the same as US
                if (code != '.') scratch_.push_back(code);
            }
        } else if (keeps_dot(before, following)) {
            scratch_.append(word);
        } else {
            scratch_.append(before).append(U" .");
        }
        scratch_.push_back(' ');
    }
    text_.swap(scratch_);
}

void MeteorNormalizer::finish(std::u32string& text) {
    out_.clear();
    for (char32_t code : text) {
        if (code == ellipsis_dot) code = '.';
        if (!keep_punctuation_ && !is_alphanumeric(code)) code = ' ';
        if (is_wide_blank(code)) {
            if (!out_.empty() && out_.back() != ' ') out_.push_back(' ');
        } else {
            text::utf8::append(out_, code);
        }
    }
    // java.lang.String.trim: control characters at the ends go too.
    const auto visible = [](char byte) { return static_cast<unsigned char>(byte) > ' '; };
    out_.erase(std::find_if(out_.rbegin(), out_.rend(), visible).base(), out_.end());
    out_.erase(out_.begin(), std::find_if(out_.begin(), out_.end(), visible));
}

}  // namespace tertium::metrics::meteor
