// Text as ROUGE-1.5.5 reads it: words of letters and digits, case folded, all else blank.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/references.hpp"
#include "text/texts.hpp"

namespace tertium::metrics::ngram {

// `ascii` knows only A–Z, a–z and 0–9, as the original does: other letters part words.
// `unicode` parts words at blanks, punctuation, symbols and control characters only; its text
// has to be in lower case already, ASCII apart.
struct RougeText {
    enum Letters { ascii, unicode };

    Letters letters;
    bool stems;  // words of more than three characters by NLTK's Porter stemmer
};

// "ascii" or "unicode", each alone or with " stems" behind it.
RougeText rouge_text_named(std::string_view name);

// Writes the words of `segment`, separated by blanks.
void write_rouge_words(RougeText text, std::string_view segment, std::string& out);

class RougeReferences {
  public:
    RougeReferences(const std::vector<const text::Texts*>& columns, RougeText text);

    std::size_t size() const { return words_.size(); }
    RougeText text() const { return text_; }
    const text::References& words() const { return words_; }
    // Whether all references of a segment are empty. (Punctuation alone is not: the original
    // counts such a segment, with a score of 0.)
    bool blank(std::size_t segment) const { return blank_[segment]; }

  private:
    RougeText text_;
    text::References words_;
    std::vector<char> blank_;
};

}  // namespace tertium::metrics::ngram
