// NIST (Doddington 2002): n-gram matches weighted by how much information they carry.
#pragma once

#include <cstddef>
#include <vector>

#include "metrics/ngram/gram_information.hpp"
#include "metrics/ngram/ngram_matcher.hpp"
#include "text/references.hpp"

namespace tertium::metrics::ngram {

class NistKernel {
  public:
    NistKernel(const GramInformation& information, const text::References& references)
        : information_(&information),
          references_(&references),
          counted_(information.is_of(references)) {}

    // information matched 1…N, n-grams 1…N, hypothesis length, mean reference length
    static std::size_t columns(std::size_t order) { return 2 * order + 2; }
    void operator()(const core::Segment& segment, std::size_t index, double* row);

  private:
    void match_counted(const core::Segment& segment, std::size_t index, double* information);
    void match_others(const core::Segment& segment, std::size_t index, double* information);
    double bits(std::size_t begin, std::size_t end);

    const GramInformation* information_;
    const text::References* references_;
    bool counted_;  // the information is that of the references
    std::vector<std::size_t> places_;

    // Of match_others: the longest n-gram looked up so far that begins at a place of the
    // hypothesis.
    struct Start {
        GramInformation::Places places;
        std::size_t length = 0;
    };
    std::vector<core::Token> corpus_ids_, hypothesis_;
    std::vector<Start> starts_;
    NgramMatcher matcher_;
};

}  // namespace tertium::metrics::ngram
