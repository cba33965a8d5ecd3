// Meteor 1.5's own tokenization (-norm), which it took from the Moses tokenizer and changed:
// quotes and dashes unified, hyphenated words split, dots in acronyms dropped.
#pragma once

#include <string>
#include <string_view>

#include "metrics/meteor/lexicon.hpp"

namespace tertium::metrics::meteor {

// Where an apostrophe between letters is cut: English before it, French behind it, all others
// on both sides.
enum class Apostrophes { before, behind, alone };

class MeteorNormalizer {
  public:
    // Without a lexicon no abbreviation keeps its dot.
    MeteorNormalizer(Apostrophes apostrophes, bool keep_punctuation, const MeteorLexicon* lexicon)
        : apostrophes_(apostrophes), keep_punctuation_(keep_punctuation), lexicon_(lexicon) {}

    // The tokens with a space between them, case kept; valid until the next call.
    std::string_view operator()(std::string_view text);

  private:
    void separate_symbols();
    void separate_apostrophes();
    void separate_dots();
    void finish(std::u32string& text);
    bool keeps_dot(std::u32string_view word, std::u32string_view following);

    Apostrophes apostrophes_;
    bool keep_punctuation_;
    const MeteorLexicon* lexicon_;
    std::u32string text_, scratch_;
    std::string out_;
};

}  // namespace tertium::metrics::meteor
