// How many n-grams of one text stand in another, each counted at most as often as it does there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/gram_table.hpp"
#include "core/segment.hpp"
#include "metrics/ngram/pooled_matches.hpp"

namespace tertium::metrics::ngram {

class ClippedMatches {
  public:
    // Adds to matches[n − 1] the clipped matches of order n, for n = 1 … matches.size().
    // Tokens of the reference are 0 … vocabulary − 1.
    void count(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
               std::span<double> matches);

    // For many hypotheses in a row: reads the reference, up to which order n-grams are to be
    // counted, and says whether it is short enough for that …
    bool prepare(core::Tokens reference, std::size_t vocabulary, std::size_t order);
    // … and adds the matches of a hypothesis with it, as `count` would.
    void count_prepared(core::Tokens hypothesis, std::span<double> matches);

  private:
    void count_tokens(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                      double& matches);
    template <std::size_t Words>
    void count_by_masks(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                        std::span<double> matches);
    template <std::size_t Words>
    void number_pairs(core::Tokens reference, std::size_t width);
    template <std::size_t Words>
    void count_runs(core::Tokens hypothesis, std::size_t width, std::span<double> matches);
    void forget_pairs(core::Tokens reference, std::size_t width);
    void count_by_table(core::Tokens hypothesis, core::Tokens reference, std::span<double> matches);

    std::vector<std::uint32_t> left_;         // how often each n-gram may still match, …
    std::vector<std::uint32_t> left_tokens_;  // … and each token
    // Of count_by_masks: the number of each pair of neighbours, all 0 between two calls.
    std::vector<std::uint16_t> pairs_;
    std::vector<std::uint64_t> masks_;
    std::vector<std::uint16_t> hypothesis_pairs_;
    // Of what is prepared: the reference, and how often its tokens and pairs may match in all.
    std::vector<core::Token> prepared_;
    std::vector<std::uint32_t> whole_, whole_tokens_;
    std::size_t width_ = 0;
    PooledMatches long_;
    // Of count_by_table, for texts that are longer still.
    core::GramTable table_;
    std::vector<core::Gram> reference_grams_, hypothesis_grams_;
};

}  // namespace tertium::metrics::ngram
