// ROUGE (Lin 2004) as ROUGE-1.5.5 computes it: what two texts share, over what each has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "core/segment.hpp"
#include "metrics/ngram/clipped_matches.hpp"
#include "metrics/ngram/rouge_text.hpp"
#include "metrics/ngram/skip_bigrams.hpp"
#include "metrics/ngram/subsequence.hpp"
#include "metrics/ngram/weighted_subsequence.hpp"
#include "text/tokens/token_split.hpp"

namespace tertium::metrics::ngram {

// What one reference shares with the hypothesis, and what there is to share.
struct Overlap {
    double matches, reference, hypothesis;
    double quality;  // the recall by which the best of several references is chosen
};

// ROUGE-N: n-grams.
class RougeGrams {
  public:
    explicit RougeGrams(std::size_t order) : matches_(order) {}
    Overlap operator()(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary);
    double share(double matches, double total) const;

  private:
    ClippedMatches counter_;
    std::vector<double> matches_;  // by order; the last is meant
};

// ROUGE-L: the longest common subsequence.
class RougeSubsequence {
  public:
    Overlap operator()(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary);
    double share(double matches, double total) const;

  private:
    LongestSubsequence counter_;
};

// ROUGE-W: the same, with a weight for words that stand together. ROUGE-1.5.5 raises the
// reference length to the weight twice, so that its recall of a perfect text is below 1;
// `once` is what the paper says.
class RougeWeighted {
  public:
    RougeWeighted(double weight, bool once) : weight_(weight), once_(once), counter_(weight) {}
    Overlap operator()(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary);
    double share(double matches, double total) const;

  private:
    double weight_;
    bool once_;
    WeightedSubsequence counter_;
};

// ROUGE-S: skip bigrams; ROUGE-SU: and the unigrams that begin one, so all but the last.
class RougeSkipBigrams {
  public:
    RougeSkipBigrams(std::size_t skip, bool unigrams) : skip_(skip), unigrams_(unigrams) {}
    Overlap operator()(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary);
    double share(double matches, double total) const;

  private:
    std::size_t skip_;
    bool unigrams_;
    SkipBigrams counter_;
    ClippedMatches unigram_counter_;
};

struct RougeScoring {
    bool best;     // the reference with the best recall, instead of sums over all of them
    double alpha;  // 1: F is precision, 0: F is recall
};

// Precision, recall, F, and 1 for the segment; nothing at all where both sides are empty.
inline constexpr std::size_t rouge_columns = 4;

template <class Measure>
void rouge_row(const core::Segment& segment, const RougeScoring& scoring, Measure& measure,
               double* row) {
    Overlap sum{0, 0, 0, -1};
    for (const core::Tokens reference : segment.references) {
        const Overlap one = measure(segment.hypothesis, reference, segment.vocabulary);
        if (!scoring.best) {
            sum.matches += one.matches;
            sum.reference += one.reference;
            sum.hypothesis += one.hypothesis;
        } else if (one.quality > sum.quality) {
            sum = one;
        }
    }
    const double precision = measure.share(sum.matches, sum.hypothesis);
    const double recall = measure.share(sum.matches, sum.reference);
    const double mean = (1 - scoring.alpha) * precision + scoring.alpha * recall;
    row[0] = precision;
    row[1] = recall;
    row[2] = mean > 0 ? precision * recall / mean : 0;
    row[3] = 1;
}

template <class Measure>
void rouge_rows(const text::Texts& hypotheses, const RougeReferences& references,
                const RougeScoring& scoring, const Measure& measure, double* rows) {
    core::for_each_block(hypotheses.size(), 256, [&] {
        return [&, interner = text::Interner(references.words()), measure = measure,
                words = std::string()](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                double* row = rows + i * rouge_columns;
                if (references.blank(i) &&
                    text::tokens::without_trailing_blanks(hypotheses[i]).empty()) {
                    std::fill_n(row, rouge_columns, 0.0);
                    continue;
                }
                write_rouge_words(references.text(), hypotheses[i], words);
                rouge_row(interner.segment(words, i), scoring, measure, row);
            }
        };
    });
}

}  // namespace tertium::metrics::ngram
