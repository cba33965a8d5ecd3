// Between what numbers of edits TER lies, for every candidate against every pseudo reference, at a
// fraction of the cost of the number itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/gram_table.hpp"
#include "decode/mbr/grams.hpp"
#include "decode/mbr/tokens.hpp"
#include "metrics/edit/ter.hpp"

namespace tertium::decode::mbr {

class TerIntervals {
  public:
    // `original` is tercom's search. Throws std::invalid_argument if a pair is too large for it.
    TerIntervals(PairTokens pairs, const metrics::edit::TerLimits& limits, bool original);

    std::size_t hypotheses() const { return pairs_.hypotheses.size(); }
    std::size_t references() const { return pairs_.references.size(); }

    // The fewest edits and the most that some hypotheses can have against the references
    // [begin, end): rows as those of `ter_totals`, all with the fewest and then all with the most.
    void bounds(std::span<const std::int32_t> hypotheses, std::size_t begin, std::size_t end,
                double* rows) const;
    // The edits themselves of some pairs: the row of each.
    void edits(std::span<const std::int32_t> hypotheses, std::span<const std::int32_t> references,
               double* rows) const;

  private:
    class Bounder;

    PairTokens pairs_;
    metrics::edit::TerLimits limits_;
    bool original_;
    std::vector<std::size_t> by_length_;  // the hypotheses
    core::GramTable table_;
    GramCounts own_, others_;  // words and neighbours of the hypotheses and of the references
    std::unique_ptr<GramMatcher> matcher_;
};

}  // namespace tertium::decode::mbr
