// NIST (Doddington 2002): n-gram matches weighted by how much information they carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gram_table.hpp"
#include "text/corpus_tokens.hpp"
#include "text/references.hpp"

namespace tertium {

// info(w1…wn) = log2(count(w1…wn−1) / count(w1…wn)), counted over all references.
class GramInformation {
  public:
    GramInformation(const References& references, std::size_t order);

    std::size_t order() const { return order_; }
    const CorpusTokens& tokens() const { return tokens_; }
    Gram find(Gram prefix, Token last) const { return table_.find(prefix, last); }
    double bits(Gram gram) const { return bits_[gram]; }

  private:
    std::size_t order_;
    CorpusTokens tokens_;
    GramTable table_;
    std::vector<double> bits_;
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
    std::vector<Token> corpus_ids_;
    std::vector<Gram> grams_;
    GramTable local_;
    std::vector<std::uint32_t> limits_, counts_;
};

}  // namespace tertium
