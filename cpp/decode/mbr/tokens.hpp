// The texts of two lists as numbers over one vocabulary: each is read once and compared often.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "core/segment.hpp"
#include "metrics/ngram/rouge_text.hpp"
#include "text/texts.hpp"
#include "text/tokens/tokenizers.hpp"

namespace tertium::decode::mbr {

class TokenLists {
  public:
    std::size_t size() const { return ends_.size() - 1; }
    core::Tokens operator[](std::size_t i) const {
        return core::Tokens(tokens_).subspan(ends_[i], ends_[i + 1] - ends_[i]);
    }

    void push(core::Token token) { tokens_.push_back(token); }
    void close() { ends_.push_back(tokens_.size()); }

  private:
    std::vector<core::Token> tokens_;
    std::vector<std::size_t> ends_{0};
};

struct PairTokens {
    TokenLists hypotheses, references;
    std::size_t vocabulary = 0;
};

PairTokens pair_tokens(const text::Texts& hypotheses, const text::Texts& references,
                       text::tokens::Tokenization tokenization);
PairTokens pair_rouge_words(const text::Texts& hypotheses, const text::Texts& references,
                            metrics::ngram::RougeText text);

// Numbers as a metric's kernel expects them: 0, 1, … for the words of one reference.
class ReferenceNumbers {
  public:
    explicit ReferenceNumbers(std::size_t vocabulary) : numbers_(vocabulary, core::unknown) {}

    // Forgets the reference before.
    void define(core::Tokens reference);
    core::Tokens reference() const { return reference_; }
    std::size_t size() const { return distinct_; }
    // Valid until the next call.
    core::Tokens translate(core::Tokens hypothesis);

  private:
    std::vector<core::Token> numbers_;
    std::vector<core::Token> words_, reference_, hypothesis_;
    std::size_t distinct_ = 0;
};

// Runs worker(segment, row) for all pairs; row (h, r) is number h · references + r.
template <class MakeWorker>
void for_each_pair(const PairTokens& pairs, std::size_t columns, double* rows,
                   MakeWorker&& make_worker) {
    const std::size_t references = pairs.references.size();
    core::for_each_block(references, 1, [&] {
        return [&, worker = make_worker(), numbers = ReferenceNumbers(pairs.vocabulary)](
                   std::size_t begin, std::size_t end) mutable {
            for (std::size_t r = begin; r < end; ++r) {
                numbers.define(pairs.references[r]);
                const core::Tokens reference = numbers.reference();
                for (std::size_t h = 0; h < pairs.hypotheses.size(); ++h) {
                    const core::Segment segment{numbers.translate(pairs.hypotheses[h]),
                                                std::span(&reference, 1), numbers.size()};
                    worker(segment, rows + (h * references + r) * columns);
                }
            }
        };
    });
}

}  // namespace tertium::decode::mbr
