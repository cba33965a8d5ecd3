// tf-idf weights of words: how rare a word is among the segments of a corpus.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "text/corpus_tokens.hpp"
#include "text/references.hpp"

namespace tertium::metrics::amber {

// idf(w) = ln(1 + S / max(1, df(w))), with S segments of which df(w) have the word in a
// reference. It is never 0, so that text of the commonest words can still match. The term
// frequency comes by counting: an n-gram that stands there twice is added twice.
class WordWeights {
  public:
    explicit WordWeights(const text::References& references);

    double of(const text::Vocabulary& vocabulary, core::Token token) const;
    double of(std::string_view word) const;

  private:
    double weight(core::Token number) const;

    text::CorpusTokens tokens_;
    std::vector<double> weights_;
    double of_unseen_ = 0;
};

}  // namespace tertium::metrics::amber
