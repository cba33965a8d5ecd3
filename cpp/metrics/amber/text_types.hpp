// The text types of AMBER (Chen and Kuhn 2011, section 2.5): what a run of it sees as words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/amber/affixes.hpp"
#include "text/texts.hpp"
#include "text/tokens/tokenizers.hpp"

namespace tertium::metrics::amber {

enum class TextType {
    original,       // 0: the words as they are
    normalised,     // 1: the words, of text that is tokenised and lower-cased, as below
    first_letters,  // 2: the first 4 letters of each word
    last_letters,   // 3: the last 4 letters
    ends,           // 4: the first 4 and the last 2 letters of words longer than 4
    pieces,         // 5: pieces of 4 letters, from the left
    affixes,        // 6: prefix, root and suffix
    long_words,     // 7: without the short words
};
inline constexpr std::size_t text_types = 8;

struct TextTypeOptions {
    std::size_t short_word;  // words with fewer letters are short
    const AffixList& affixes;
};

// Appends what a text of that type has in place of a word, with blanks in between; letters are
// code points. `out` is either empty or ends with a word.
void append_word(TextType type, std::string_view word, const TextTypeOptions& options,
                 std::string& out);

// The text of each type, words separated by one blank; missing segments stay missing.
std::vector<text::Texts> texts_of_types(const text::Texts& texts,
                                        text::tokens::Tokenization tokenization,
                                        const std::vector<TextType>& types,
                                        const TextTypeOptions& options);

}  // namespace tertium::metrics::amber
