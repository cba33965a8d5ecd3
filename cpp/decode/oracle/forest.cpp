#include "decode/oracle/forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "decode/oracle/derivations.hpp"
#include "decode/oracle/numbers.hpp"

namespace tertium::decode::oracle {
namespace {

bool is_node(std::int32_t symbol) {
    return symbol < 0;
}

std::size_t node_of(std::int32_t symbol) {
    return index(-1 - symbol);
}

void check_offsets(std::span<const std::int32_t> offsets, std::size_t edges, std::size_t size) {
    if (offsets.size() != edges + 1 || offsets.front() != 0 || index(offsets.back()) != size ||
        !std::is_sorted(offsets.begin(), offsets.end())) {
        throw std::invalid_argument("offsets do not rise from 0 to " + std::to_string(size));
    }
}

}  // namespace

OracleForest::OracleForest(std::size_t nodes, std::vector<std::int32_t> heads,
                           std::span<const std::int32_t> symbol_offsets,
                           std::span<const std::int32_t> symbols,
                           std::span<const std::int32_t> tail_offsets,
                           std::span<const std::int32_t> tails, std::vector<double> scores)
    : begins_(nodes + 1), scores_(std::move(scores)) {
    const std::size_t edges = heads.size();
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max() / 4;
    if (nodes < 1 || nodes > most || symbols.size() > most || edges > most) {
        throw std::invalid_argument(std::to_string(nodes) + " nodes, expected at least one");
    }
    if (scores_.size() != edges) {
        throw std::invalid_argument(std::to_string(scores_.size()) + " scores, expected " +
                                    std::to_string(edges));
    }
    check_offsets(symbol_offsets, edges, symbols.size());
    check_offsets(tail_offsets, edges, tails.size());
    body_begins_.assign(symbol_offsets.begin(), symbol_offsets.end());
    bodies_.assign(symbols.begin(), symbols.end());
    tail_numbers_.resize(bodies_.size());
    for (std::size_t edge = 0; edge < edges; ++edge) {
        if (heads[edge] < 0 || index(heads[edge]) >= nodes ||
            (edge > 0 && heads[edge] < heads[edge - 1])) {
            throw std::invalid_argument("hyperedge " + std::to_string(edge) + " of node " +
                                        std::to_string(heads[edge]) +
                                        ", expected hyperedges sorted by head");
        }
        if (!std::isfinite(scores_[edge])) {
            throw std::invalid_argument("hyperedge " + std::to_string(edge) +
                                        " has a score that is not finite");
        }
        ++begins_[index(heads[edge]) + 1];
        const std::int64_t first_tail = tail_offsets[edge];
        const std::int64_t arity = tail_offsets[edge + 1] - first_tail;
        for (std::size_t place = body_begins_[edge]; place < body_begins_[edge + 1]; ++place) {
            if (bodies_[place] >= 0) continue;
            const std::int64_t tail = -1 - static_cast<std::int64_t>(bodies_[place]);
            const std::int32_t node =
                tail < arity ? tails[static_cast<std::size_t>(first_tail + tail)] : -1;
            if (node < 0 || node >= heads[edge]) {
                throw std::invalid_argument("hyperedge " + std::to_string(edge) +
                                            ", expected tails before heads");
            }
            bodies_[place] = -1 - node;
            tail_numbers_[place] = static_cast<std::int32_t>(tail);
        }
    }
    for (std::size_t node = 0; node < nodes; ++node) begins_[node + 1] += begins_[node];
    measure();
    make_lattice();
}

OracleForest::~OracleForest() = default;
OracleForest::OracleForest(OracleForest&&) noexcept = default;

// How long yields are, and how large a derivation's score can be.
void OracleForest::measure() {
    shortest_.assign(nodes(), std::numeric_limits<double>::infinity());
    longest_.assign(nodes(), 0);
    std::vector<double> largest(nodes());
    for (std::size_t node = 0; node < nodes(); ++node) {
        for (std::size_t edge = begins_[node]; edge < begins_[node + 1]; ++edge) {
            double fewest = 0;
            double most = 0;
            double score = std::abs(scores_[edge]);
            for (const std::int32_t symbol : body(edge)) {
                fewest += is_node(symbol) ? shortest_[node_of(symbol)] : 1;
                most += is_node(symbol) ? longest_[node_of(symbol)] : 1;
                score += is_node(symbol) ? largest[node_of(symbol)] : 0;
            }
            shortest_[node] = std::min(shortest_[node], fewest);
            longest_[node] = std::max(longest_[node], most);
            largest[node] = std::max(largest[node], score);
        }
    }
    most_score_ = *std::max_element(largest.begin(), largest.end());
}

// Where a node can only be the first symbol of a body, a derivation is a path: node 0 is nothing
// read, and a hyperedge leads from its tail, or from 0, to its head, by a new node for each of
// its words but the last.
void OracleForest::make_lattice() {
    for (std::size_t edge = 0; edge < scores_.size(); ++edge) {
        const auto symbols = body(edge);
        if (!symbols.empty() && std::any_of(symbols.begin() + 1, symbols.end(), is_node)) return;
    }
    struct Arc {
        std::int32_t source;
        std::int32_t target;
        std::int32_t label;
        std::int32_t edge;
    };
    std::vector<Arc> arcs;
    std::vector<std::int32_t> numbers(nodes());
    std::int32_t next = 1;
    for (std::size_t node = 0; node < nodes(); ++node) {
        const std::size_t first = arcs.size();
        for (std::size_t edge = begins_[node]; edge < begins_[node + 1]; ++edge) {
            auto symbols = body(edge);
            std::int32_t source = 0;
            if (!symbols.empty() && is_node(symbols.front())) {
                source = numbers[node_of(symbols.front())];
                symbols = symbols.subspan(1);
            }
            if (symbols.empty()) arcs.push_back({source, -1, -1, narrow(edge)});
            for (std::size_t place = 0; place < symbols.size(); ++place) {
                const bool last = place + 1 == symbols.size();
                const std::int32_t target = last ? -1 : next++;
                arcs.push_back({source, target, symbols[place], place == 0 ? narrow(edge) : -1});
                source = target;
            }
        }
        numbers[node] = next++;
        for (std::size_t arc = first; arc < arcs.size(); ++arc) {
            if (arcs[arc].target < 0) arcs[arc].target = numbers[node];
        }
    }
    std::stable_sort(arcs.begin(), arcs.end(),
                     [](const Arc& one, const Arc& other) { return one.source < other.source; });
    std::vector<std::int32_t> sources, targets, labels;
    std::vector<double> scores;
    for (const Arc& arc : arcs) {
        sources.push_back(arc.source);
        targets.push_back(arc.target);
        labels.push_back(arc.label);
        scores.push_back(arc.edge < 0 ? 0 : scores_[index(arc.edge)]);
        lattice_edges_.push_back(arc.edge);
    }
    lattice_ = std::make_unique<OracleLattice>(index(next), std::move(sources), std::move(targets),
                                               std::move(labels), std::move(scores));
}

ForestOracles OracleForest::best(core::Tokens words, const metrics::edit::GramWeights& weights,
                                 std::size_t count, const ForestPruning& pruning,
                                 double mix) const {
    if (lattice_) {
        ForestOracles found{lattice_->best(words, weights, count, mix)};
        for (OraclePath& path : found.paths) {
            std::vector<std::int32_t> edges;
            for (const std::int32_t arc : path.edges) {
                if (lattice_edges_[index(arc)] >= 0) edges.push_back(lattice_edges_[index(arc)]);
            }
            std::reverse(edges.begin(), edges.end());  // the goal's hyperedge comes first
            path.edges = std::move(edges);
        }
        return found;
    }
    const OracleReference reference(words);
    const OracleUnits units(weights, words.size(), longest_.back(), most_score_, mix);
    if (units.packed()) {
        return best_derivations<PackedValue>(*this, reference, units, weights.k(), count, pruning);
    }
    return best_derivations<PairValue>(*this, reference, units, weights.k(), count, pruning);
}

std::vector<double> OracleForest::merits() const {
    constexpr double none = -std::numeric_limits<double>::infinity();
    std::vector<double> inside(nodes(), none);
    std::vector<double> outside(nodes(), none);
    const auto total = [&](std::size_t edge) {
        double sum = scores_[edge];
        for (const std::int32_t symbol : body(edge)) {
            if (is_node(symbol)) sum += inside[node_of(symbol)];
        }
        return sum;
    };
    for (std::size_t node = 0; node < nodes(); ++node) {
        for (std::size_t edge = begins_[node]; edge < begins_[node + 1]; ++edge) {
            raise(inside[node], total(edge));
        }
    }
    outside.back() = 0;
    std::vector<double> result(scores_.size());
    for (std::size_t node = nodes(); node-- > 0;) {
        for (std::size_t edge = begins_[node]; edge < begins_[node + 1]; ++edge) {
            result[edge] = outside[node] + total(edge);
            for (const std::int32_t symbol : body(edge)) {
                if (is_node(symbol) && inside[node_of(symbol)] > none) {
                    raise(outside[node_of(symbol)], result[edge] - inside[node_of(symbol)]);
                }
            }
        }
    }
    return result;
}

}  // namespace tertium::decode::oracle
