// The transport problem of TESLA (Liu et al. 2010): weights of the n-grams of two texts are moved
// onto each other so that the sum of (moved weight × similarity) is as large as it can be.
//
// The paper hands this to a solver of linear programs. It is a flow of minimum cost on a bipartite
// graph, and a small one: similarities are multiples of 1/2n, so gains are whole numbers from 1 to
// 2n, and a shortest path costs one of 2n values. The primal-dual method raises that cost step by
// step, and for each value finds a maximum flow among the arcs on shortest paths (Dinic). So there
// are at most 2n searches for distances, however long the texts. Weights are whole numbers, too,
// and every sum is exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tertium::metrics::matching {

// The largest Σ moved × gain. `gains` has a row for each supply and a column for each demand;
// pairs whose gain is 0 (or less) are not joined. Supplies and demands are not negative.
std::int64_t transport_value(std::span<const std::int64_t> supplies,
                             std::span<const std::int64_t> demands,
                             std::span<const std::int32_t> gains);

}  // namespace tertium::metrics::matching
