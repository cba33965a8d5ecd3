// Text as the translation edit rate sees it: the normalisation of tercom, and of sacreBLEU.
#pragma once

#include <string>
#include <string_view>

#include "text/texts.hpp"
#include "text/tokens/tokenizers.hpp"

namespace tertium::text::tokens {

struct TercomRules {
    bool normalized = false;  // undo markup, cut off punctuation
    bool punctuation = true;  // false: remove it
    bool asian = false;       // the same for Chinese and Japanese text
    // tercom 0.8.0 to the letter. sacreBLEU 2.6.0 differs: every blank of Unicode ends a word,
    // no word is empty, kana are not cut off, a hyphen is dropped behind a line's end.
    bool original = false;
};

// The words of a segment that is lower-cased already if case is to be folded, with one space
// between them. Words of tercom may be empty or hold blanks that Java's \s does not know: such
// blanks, and the empty word, are written as characters for private use of plane 15.
class TercomText {
  public:
    explicit TercomText(const TercomRules& rules) : rules_(rules) {}
    std::string_view operator()(std::string_view segment);

  private:
    void normalize();
    void cut_kana();
    void remove_punctuation();
    void join_words();
    void join_words_as_java();

    TercomRules rules_;
    std::string text_, other_;
    TokenBuffer buffer_;
};

Texts tercom_texts(const Texts& texts, const TercomRules& rules);

}  // namespace tertium::text::tokens
