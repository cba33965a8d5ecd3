// The common subsequence that ROUGE-W prefers: one whose words stand together (Lin 2004, §3.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/segment.hpp"

namespace tertium::metrics::ngram {

class WeightedSubsequence {
  public:
    explicit WeightedSubsequence(double weight) : weight_(weight) {}

    // Σ length ^ weight over the runs of reference words that the subsequence hits. As in
    // ROUGE-1.5.5 the words of a run need not be neighbours in the hypothesis, and of equally
    // good subsequences the one is taken that leaves out later reference words first.
    double size(core::Tokens hypothesis, core::Tokens reference);

    double power(std::size_t length);

  private:
    // One row of the table, by hypothesis position.
    struct Row {
        std::vector<double> best;         // weight of the best subsequence that ends here
        std::vector<std::uint32_t> runs;  // words matched in a row up to here
    };

    void advance(Row& row, core::Tokens hypothesis, core::Token word, char* moves);
    double sum_of_runs() const;

    double weight_;
    std::vector<double> powers_;
    std::vector<Row> saved_;  // rows at the start of each block of reference words
    Row row_;
    std::vector<char> moves_;  // of one block
    std::vector<std::uint32_t> hit_runs_;
};

}  // namespace tertium::metrics::ngram
