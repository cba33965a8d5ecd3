// chrF and chrF++ of every hypothesis against every reference.
#pragma once

#include <cstddef>
#include <span>

#include "decode/mbr/grams.hpp"
#include "metrics/ngram/chrf.hpp"
#include "text/texts.hpp"

namespace tertium::decode::mbr {

class ChrfPairs {
  public:
    ChrfPairs(const text::Texts& hypotheses, const text::Texts& references,
              const metrics::ngram::ChrfOptions& options);

    std::size_t hypotheses() const { return characters_.hypotheses.size(); }
    std::size_t references() const { return characters_.references.size(); }

    // scores[hypothesis · references() + reference], 0 … 100
    void utilities(double* scores) const;

    // For each hypothesis chrF's row of statistics against the mean of all references.
    void against_mean(std::span<const double> weights, double* rows) const;

  private:
    // Characters or words of both lists, counted over the n-grams of the hypotheses.
    struct Side {
        explicit Side(std::size_t orders) : hypotheses(orders), references(orders) {}
        core::GramTable table;
        GramCounts hypotheses, references;
    };

    metrics::ngram::ChrfOptions options_;
    Side characters_, words_;
};

}  // namespace tertium::decode::mbr
