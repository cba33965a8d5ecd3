// Sums of rows of statistics over random choices of segments: all that bootstrap and
// randomization tests need of a corpus.
#pragma once

#include <cstddef>
#include <cstdint>

#include "inference/packed_rows.hpp"

namespace tertium::inference {

// Trials first, first + 1, … of a seed; streams of the same seed are independent.
struct TrialRange {
    std::uint64_t seed;
    std::uint64_t stream;
    std::uint64_t first;
    std::size_t count;
};

// Each trial draws as many segments as there are, with replacement, and adds up their rows
// (Efron 1979; Koehn 2004). Writes rows.columns() × trials.count sums: those of a column lie
// behind one another.
void resampled_sums(const PackedRows& rows, const TrialRange& trials, double* sums);

// Each trial tosses a fair coin for every segment and adds up the rows of those that show heads:
// what two systems exchange in approximate randomization (Noreen 1989). Output as above.
void tossed_sums(const PackedRows& rows, const TrialRange& trials, double* sums);

}  // namespace tertium::inference
