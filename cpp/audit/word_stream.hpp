// A text as the audit of copies sees it: code points, and words whatever the script.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/tokens/code_points.hpp"
#include "text/utf8.hpp"

namespace tertium::audit {

constexpr char32_t folded(char32_t code) {
    return code >= U'A' && code <= U'Z' ? code + 32 : code;
}

// One step of a hash over code points (FNV-1a, by code point).
inline constexpr std::uint64_t hash_start = 0xCBF29CE484222325u;
constexpr std::uint64_t hashed(std::uint64_t hash, char32_t code) {
    return (hash ^ code) * 0x100000001B3u;
}

// Scripts that most text is written in; `other_script` for letters of all others.
enum Script : std::uint8_t {
    latin,
    greek,
    cyrillic,
    hebrew,
    arabic,
    indic,
    southeast_asian,
    hangul,
    kana,
    han,
    other_script,
    script_count,
};

// The script of a letter, by its block.
constexpr Script script_of(char32_t code) {
    const auto within = [&](char32_t first, char32_t last) {
        return first <= code && code <= last;
    };
    if (code < 0x370 || within(0x1E00, 0x1EFF) || within(0xFF21, 0xFF5A)) return latin;
    if (code < 0x400 || within(0x1F00, 0x1FFF)) return greek;
    if (code < 0x530 || within(0x1C80, 0x1C8F) || within(0x2DE0, 0x2DFF)) return cyrillic;
    if (within(0x590, 0x5FF) || within(0xFB1D, 0xFB4F)) return hebrew;
    if (within(0x600, 0x77F) || within(0x8A0, 0x8FF) || within(0xFB50, 0xFDFF) ||
        within(0xFE70, 0xFEFF)) {
        return arabic;
    }
    if (within(0x900, 0xDFF)) return indic;
    if (within(0xE00, 0xEFF) || within(0x1000, 0x109F) || within(0x1780, 0x17FF)) {
        return southeast_asian;
    }
    if (within(0x1100, 0x11FF) || within(0x3130, 0x318F) || within(0xAC00, 0xD7FF)) return hangul;
    if (within(0x3040, 0x30FF) || within(0x31F0, 0x31FF) || within(0xFF66, 0xFF9F)) return kana;
    if (within(0x2E80, 0x2FDF) || within(0x3400, 0x9FFF) || within(0xF900, 0xFAFF) ||
        within(0x20000, 0x3FFFF)) {
        return han;
    }
    return other_script;
}

// Scripts that put no blanks between words: each of their letters is taken for a word.
constexpr bool is_unspaced(Script script) {
    return script == han || script == kana || script == southeast_asian;
}

// Calls found(code, properties) for each code point, any run of blanks as one U+0020, and none of
// them at either end.
template <class Found>
void for_each_code_point(std::string_view text, Found&& found) {
    bool blank = false, begun = false;
    for (std::size_t place = 0; place < text.size();) {
        const auto [code, length] = text::utf8::decode(text, place);
        place += length;
        const auto properties = text::tokens::code_points[code];
        if (properties & text::tokens::property::blank) {
            blank = begun;
            continue;
        }
        if (blank) found(U' ', text::tokens::property::blank);
        blank = false;
        begun = true;
        found(code, properties);
    }
}

// Turns code points into the hashes of words: runs of letters and digits with a letter among
// them, letters of unspaced scripts one by one, ASCII in lower case.
template <class Word>
class WordReader {
  public:
    explicit WordReader(Word& word) : word_(word) {}

    // The script of the code point if it is a letter, else `script_count`.
    Script take(char32_t code, text::tokens::Properties properties) {
        using namespace text::tokens::property;
        if (properties & (blank | punctuation | symbol)) {
            end();
            return script_count;
        }
        if (properties & number) {
            hash_ = hashed(hash_, code);
            return script_count;
        }
        const Script script = script_of(code);
        if (is_unspaced(script)) {
            end();
            word_(hashed(hash_start, code));
            return script;
        }
        hash_ = hashed(hash_, folded(code));
        has_letter_ = true;
        return script;
    }

    void end() {
        if (has_letter_) word_(hash_);
        hash_ = hash_start;
        has_letter_ = false;
    }

  private:
    Word& word_;
    std::uint64_t hash_ = hash_start;
    bool has_letter_ = false;
};

}  // namespace tertium::audit
