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
    // What a strip of rows needs of those above it.
    struct State {
        struct Run {
            std::uint32_t words, last;  // matched in a row; the antidiagonal of the last of them
        };
        std::vector<double> row;  // best weights of the last row, by hypothesis position
        std::vector<Run> runs;    // by diagonal
    };

    template <class FromAbove>
    void find_runs(core::Tokens hypothesis, core::Tokens reference, FromAbove&& from_above);
    void fill_rows(core::Tokens hypothesis, core::Tokens reference);
    void fill_block(std::size_t block, State& state);
    void fill_strip(std::size_t strip, State& state, unsigned char* moves);
    double sum_of_runs() const;

    double weight_;
    std::vector<double> powers_;
    std::vector<core::Token> hypothesis_, reference_;  // the hypothesis from its end; with margins
    std::size_t rows_ = 0, columns_ = 0;               // words of reference and hypothesis
    std::size_t strips_ = 0, strips_of_block_ = 0;
    std::size_t stride_ = 0;  // bytes of moves of an antidiagonal
    State state_;
    std::vector<State> saved_;                  // at the start of each block of strips
    std::vector<double> last_, before_, next_;  // antidiagonals, by row of the strip
    std::vector<std::uint64_t> matches_, last_matches_, matches_before_;
    std::vector<unsigned char> moves_;  // of one block
    std::vector<std::uint32_t> hit_runs_;
};

}  // namespace tertium::metrics::ngram
