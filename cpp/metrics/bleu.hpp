// Clipped n-gram matches and the lengths of the BLEU family (Papineni et al. 2002).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gram_table.hpp"
#include "segment.hpp"

namespace tertium {

enum class ReferenceLength { closest, shortest, average };

// "closest" (ties to the shorter), "shortest", "average" (the real mean).
ReferenceLength reference_length_named(std::string_view name);

double effective_length(const Segment& segment, ReferenceLength choice);

class BleuKernel {
  public:
    BleuKernel(std::size_t order, ReferenceLength length);

    // matches 1…N, totals 1…N, hypothesis length, reference length, min of the two lengths.
    static std::size_t columns(std::size_t order) { return 2 * order + 3; }
    void operator()(const Segment& segment, double* row);

  private:
    template <std::size_t Order>
    void match_one_reference(const Segment& segment, double* matches);
    void match_by_masks(const Segment& segment, double* matches);
    void match_by_tables(const Segment& segment, double* matches);

    std::size_t order_;
    ReferenceLength length_;
    std::vector<std::uint64_t> masks_, runs_, used_;  // of match_by_masks
    GramTable table_;                                 // these of match_by_tables
    std::vector<std::uint32_t> limits_, counts_;
    std::vector<std::vector<Gram>> reference_grams_;
    std::vector<Gram> hypothesis_grams_;
};

}  // namespace tertium
