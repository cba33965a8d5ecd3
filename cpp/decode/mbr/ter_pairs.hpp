// TER of every candidate against every pseudo reference.
#pragma once

#include <cstddef>

#include "decode/mbr/tokens.hpp"
#include "metrics/edit/ter.hpp"

namespace tertium::decode::mbr {

// edits, reference length: all that the rate needs. How the edits divide takes one more look at
// each pair.
inline constexpr std::size_t ter_total_columns = 2;

// Fewer pairs are not worth a thread.
inline constexpr std::size_t ter_pairs_at_once = 64;

// Row (h, r) is number h · references + r. Each reference is prepared once.
void ter_totals(const PairTokens& pairs, const metrics::edit::TerLimits& limits, double* rows);

}  // namespace tertium::decode::mbr
