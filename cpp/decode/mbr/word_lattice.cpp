#include "decode/mbr/word_lattice.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace tertium::decode::mbr {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

double log_add(double one, double other) {
    if (one < other) std::swap(one, other);
    return other == minus_infinity ? one : one + std::log1p(std::exp(other - one));
}

}  // namespace

WordLattice::WordLattice(std::span<const std::int32_t> arc_sources,
                         std::span<const std::int32_t> arc_targets,
                         std::span<const std::int32_t> arc_labels, std::size_t node_count)
    : sources(arc_sources),
      targets(arc_targets),
      labels(arc_labels),
      nodes(node_count),
      begins(node_count + 1, 0) {
    if (nodes == 0 || targets.size() != sources.size() || labels.size() != sources.size()) {
        throw std::invalid_argument("lattice: expected a node, and arcs with both ends and a word");
    }
    for (std::size_t a = 0; a < sources.size(); ++a) {
        const bool forward = sources[a] >= 0 && sources[a] < targets[a] &&
                             static_cast<std::size_t>(targets[a]) < nodes;
        if (!forward || (a > 0 && sources[a] < sources[a - 1])) {
            throw std::invalid_argument("lattice: arc " + std::to_string(a) +
                                        ": expected nodes in topological order, arcs by source");
        }
        ++begins[static_cast<std::size_t>(sources[a]) + 1];
    }
    for (std::size_t node = 0; node < nodes; ++node) begins[node + 1] += begins[node];
}

std::vector<double> log_sums_to_end(const WordLattice& lattice, std::span<const double> scores) {
    std::vector<double> sums(lattice.nodes, minus_infinity);
    sums.back() = 0;
    for (std::size_t a = lattice.sources.size(); a-- > 0;) {
        double& sum = sums[static_cast<std::size_t>(lattice.sources[a])];
        sum = log_add(sum, scores[a] + sums[static_cast<std::size_t>(lattice.targets[a])]);
    }
    return sums;
}

}  // namespace tertium::decode::mbr
