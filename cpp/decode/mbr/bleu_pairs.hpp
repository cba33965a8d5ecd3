// BLEU of every hypothesis against every reference, as minimum Bayes risk decoding asks for.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "decode/mbr/grams.hpp"
#include "text/texts.hpp"
#include "text/tokens/tokenizers.hpp"

namespace tertium::decode::mbr {

struct BleuFormula {
    enum class Smoothing { none, exp, floor, add };

    std::size_t order;
    std::vector<double> weights;  // one for each order
    Smoothing smoothing;
    double value;  // of floor and add
    bool effective_order;
    bool arithmetic;
    bool strict_brevity;  // the length that counts is min{|c|, |r|} (Chiang et al. 2008)
};

// "none", "exp", "floor", "add-k"; throws std::invalid_argument otherwise.
BleuFormula::Smoothing bleu_smoothing_named(std::string_view name);

// Both lists counted over the n-grams of the hypotheses: no others can match.
class BleuPairs {
  public:
    BleuPairs(const text::Texts& hypotheses, const text::Texts& references,
              text::tokens::Tokenization tokenization, std::size_t order);

    std::size_t hypotheses() const { return hypotheses_.size(); }
    std::size_t references() const { return references_.size(); }

    // scores[hypothesis · references() + reference], 0 … 100
    void utilities(const BleuFormula& formula, double* scores) const;

    // For each hypothesis BLEU's row of statistics against the mean of all references: matches
    // and totals of each order, length, mean reference length, the smaller of both lengths.
    void against_mean(std::span<const double> weights, double* rows) const;

  private:
    core::GramTable table_;
    GramCounts hypotheses_, references_;
};

}  // namespace tertium::decode::mbr
