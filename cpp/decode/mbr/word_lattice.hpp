// A word lattice as minimum Bayes risk decoding reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium::decode::mbr {

// Nodes in topological order, 0 the start, the last one the end; arcs sorted by source. A label
// below 0 is the empty word. The constructor throws std::invalid_argument on anything else.
struct WordLattice {
    WordLattice(std::span<const std::int32_t> sources, std::span<const std::int32_t> targets,
                std::span<const std::int32_t> labels, std::size_t nodes);

    std::span<const std::int32_t> sources, targets, labels;
    std::size_t nodes;
    std::vector<std::size_t> begins;  // by node: its first arc
};

// log Σ exp(score) of all paths from each node to the end.
std::vector<double> log_sums_to_end(const WordLattice& lattice, std::span<const double> scores);

}  // namespace tertium::decode::mbr
