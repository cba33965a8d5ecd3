// NIST (Doddington 2002): n-gram matches weighted by how much information they carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gram_table.hpp"
#include "metrics/ngram_matcher.hpp"
#include "text/corpus_tokens.hpp"
#include "text/references.hpp"

namespace tertium {

// info(w1…wn) = log2(count(w1…wn−1) / count(w1…wn)), counted over all references. N-grams are
// kept apart by their first word, so that parts are made in parallel and fit into caches. What
// follows an n-gram that occurs once tells nothing more: such n-grams are left out, 0 bits.
class GramInformation {
  public:
    GramInformation(const References& references, std::size_t order);

    std::size_t order() const { return order_; }
    const CorpusTokens& tokens() const { return tokens_; }

    // A word is the 1-gram of its own number; `first` is the first word of the n-gram.
    Gram longer(Token first, Gram gram, Token last) const;
    double bits(Token first, Gram gram) const;

  private:
    struct Part {
        GramTable table;           // of n-grams of two words and more
        std::vector<double> bits;  // by number in the table
    };
    static constexpr std::size_t part_count = 16;
    static std::size_t part_of(Token first) { return static_cast<std::size_t>(first) % part_count; }

    void count_part(std::size_t number, const std::vector<Token>& words,
                    const std::vector<std::size_t>& ends, const std::vector<double>& word_counts);

    std::size_t order_;
    CorpusTokens tokens_;
    Gram word_count_ = 0;
    std::vector<double> word_bits_;
    std::vector<Part> parts_;
};

class NistKernel {
  public:
    NistKernel(const GramInformation& information, const References& references)
        : information_(&information), references_(&references) {}

    // information matched 1…N, n-grams 1…N, hypothesis length, mean reference length
    static std::size_t columns(std::size_t order) { return 2 * order + 2; }
    void operator()(const Segment& segment, std::size_t index, double* row);

  private:
    const GramInformation* information_;
    const References* references_;
    // The longest n-gram looked up so far that begins at a place of the hypothesis.
    struct Start {
        Gram gram = empty_gram;
        std::size_t length = 0;
    };
    double bits(std::size_t begin, std::size_t end);

    std::vector<Token> corpus_ids_, hypothesis_;
    std::vector<Start> starts_;
    NgramMatcher matcher_;
};

}  // namespace tertium
