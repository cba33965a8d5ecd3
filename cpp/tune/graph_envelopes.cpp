// Minimum error rate training on lattices and forests (Macherey et al. 2008; Kumar et al. 2009).
// Along a search direction the score of a derivation is a line, intercept + step · slope, and the
// model's choice at every step is the upper envelope of the lines of all derivations: exponentially
// many, few of them on top anywhere. The envelope is computed bottom-up in the convex-hull
// semiring:
//
//   a hyperedge  adds: the envelope of a sum is the sum of the tails' envelopes at every step, a
//                Minkowski sum (add_edge). The walk goes from −∞ to the right with one current line
//                per tail, and moves on all those whose next line takes over at the same step. So k
//                tails of n₁ … n_k lines give at most Σ nᵢ − k + 1 lines, not their product.
//   a node       takes the maximum: the upper envelope of the lines of all its hyperedges, by
//                sorting (keep_best, O(n log n) in their number).
//
// Each line that is kept has back pointers, the hyperedge and one line of each tail, from which the
// words of the goal's lines are read off in the end.
//
// Invariants, most of them guaranteed by `check`: tails have smaller numbers than their head, edges
// are sorted by head, the goal is the last node. The lines of node v are kept_[begins_[v] …
// begins_[v + 1]), by ascending slope, the first from −∞; a node without any cannot be derived, and
// a hyperedge over it is dropped. ScoreLine::label is an index into fresh_ and means nothing once
// the node is done. Tail lines are 32-bit indices, which keep_best guards.
//
// Results must not depend on threads: charts run in parallel, but hypotheses get their numbers
// afterwards, in the order of searches. Of equal lines the one with the smallest label wins, which
// is the order of hyperedges: a change in the order of enumeration changes which of two tied
// derivations is returned.
#include "tune/graph_envelopes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/interrupt.hpp"
#include "core/parallel.hpp"

namespace tertium::tune {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// One envelope, with the words of each of its hypotheses.
struct WordEnvelope {
    std::vector<double> starts;
    std::vector<std::size_t> word_offsets{0};
    std::vector<std::int32_t> words;
};

// A line of some node's envelope: the edge on top of it, and the lines of the edge's tails.
struct Derivation {
    ScoreLine line;
    std::uint32_t edge;
    std::uint32_t tails;  // where in the list of tail lines
};

class EnvelopeChart {
  public:
    WordEnvelope run(const DerivationGraph& graph, std::span<const double> point,
                     std::span<const double> direction) {
        graph_ = &graph;
        kept_.clear();
        kept_tails_.clear();
        begins_.assign(1, 0);
        std::size_t edge = 0;
        for (std::size_t node = 0; node < graph.nodes; ++node) {
            core::check_interrupt();
            fresh_.clear();
            fresh_tails_.clear();
            for (; edge < graph.edges() && static_cast<std::size_t>(graph.heads[edge]) == node;
                 ++edge) {
                const std::span<const double> features{graph.features.data() + edge * graph.columns,
                                                       graph.columns};
                add_edge(edge, dot(features, direction), dot(features, point));
            }
            keep_best();
            begins_.push_back(kept_.size());
        }
        return words_of_goal();
    }

  private:
    std::span<const std::int32_t> tails_of(std::size_t edge) const {
        const auto begin = static_cast<std::size_t>(graph_->tail_offsets[edge]);
        const auto end = static_cast<std::size_t>(graph_->tail_offsets[edge + 1]);
        return {graph_->tails.data() + begin, end - begin};
    }

    // The sum of the tails' envelopes: at every step the best line of each tail (Minkowski sum).
    void add_edge(std::size_t edge, double slope, double intercept) {
        const auto tails = tails_of(edge);
        current_.clear();
        for (const std::int32_t tail : tails) {
            const auto node = static_cast<std::size_t>(tail);
            if (begins_[node] == begins_[node + 1]) return;  // nothing can be derived
            current_.push_back(begins_[node]);
        }
        while (true) {
            core::check_interrupt();
            ScoreLine line{slope, intercept, 0, static_cast<std::uint32_t>(fresh_.size())};
            for (const std::size_t index : current_) {
                line.slope += kept_[index].line.slope;
                line.intercept += kept_[index].line.intercept;
            }
            if (!std::isfinite(line.slope) || !std::isfinite(line.intercept)) {
                throw std::invalid_argument("edge " + std::to_string(edge) +
                                            ": found a model score that is not finite, "
                                            "expected a number");
            }
            fresh_.push_back({line, static_cast<std::uint32_t>(edge),
                              static_cast<std::uint32_t>(fresh_tails_.size())});
            for (const std::size_t index : current_) {
                fresh_tails_.push_back(static_cast<std::uint32_t>(index));
            }
            double next = infinity;
            for (std::size_t t = 0; t < current_.size(); ++t)
                next = std::min(next, end_of(t, tails));
            if (next == infinity) return;
            for (std::size_t t = 0; t < current_.size(); ++t) {
                if (end_of(t, tails) == next) ++current_[t];
            }
        }
    }

    // Where the next line of a tail takes over.
    double end_of(std::size_t t, std::span<const std::int32_t> tails) const {
        const std::size_t after = current_[t] + 1;
        return after < begins_[static_cast<std::size_t>(tails[t]) + 1] ? kept_[after].line.from
                                                                       : infinity;
    }

    void keep_best() {
        lines_.clear();
        for (const Derivation& one : fresh_) lines_.push_back(one.line);
        keep_upper_envelope(lines_);
        if (kept_tails_.size() + fresh_tails_.size() > std::numeric_limits<std::uint32_t>::max()) {
            throw std::invalid_argument("found more than 2^32 lines, expected a smaller graph");
        }
        for (const ScoreLine& line : lines_) {
            Derivation one = fresh_[line.label];
            const std::size_t arity = tails_of(one.edge).size();
            const auto from = fresh_tails_.begin() + one.tails;
            one.line = line;
            one.tails = static_cast<std::uint32_t>(kept_tails_.size());
            kept_.push_back(one);
            kept_tails_.insert(kept_tails_.end(), from, from + static_cast<std::ptrdiff_t>(arity));
        }
    }

    WordEnvelope words_of_goal() {
        WordEnvelope found;
        for (std::size_t n = begins_[graph_->nodes - 1]; n < begins_[graph_->nodes]; ++n) {
            found.starts.push_back(kept_[n].line.from);
            write_words(n, found.words);
            found.word_offsets.push_back(found.words.size());
        }
        return found;
    }

    // Left to right without recursion: graphs may be as deep as they are large.
    void write_words(std::size_t root, std::vector<std::int32_t>& words) {
        struct Place {
            std::size_t derivation;
            std::size_t symbol;
        };
        std::vector<Place> open;
        const auto first = [&](std::size_t derivation) {
            return Place{derivation,
                         static_cast<std::size_t>(graph_->symbol_offsets[kept_[derivation].edge])};
        };
        open.push_back(first(root));
        while (!open.empty()) {
            Place& top = open.back();
            const Derivation& one = kept_[top.derivation];
            if (top.symbol == static_cast<std::size_t>(graph_->symbol_offsets[one.edge + 1])) {
                open.pop_back();
                continue;
            }
            const std::int32_t symbol = graph_->symbols[top.symbol++];
            if (symbol >= 0) {
                words.push_back(symbol);
            } else {
                open.push_back(
                    first(kept_tails_[one.tails + static_cast<std::size_t>(-1 - symbol)]));
            }
        }
    }

    const DerivationGraph* graph_ = nullptr;
    std::vector<Derivation> kept_;           // of all nodes so far
    std::vector<std::uint32_t> kept_tails_;  // lines of the tails of each
    std::vector<std::size_t> begins_;        // of each node's lines, and the end
    std::vector<Derivation> fresh_;          // of the node at hand, before the best are kept
    std::vector<std::uint32_t> fresh_tails_;
    std::vector<std::size_t> current_;  // of each tail, the line that is best
    std::vector<ScoreLine> lines_;
};

void require(bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
}

void check_offsets(const std::vector<std::int32_t>& offsets, std::size_t edges, std::size_t size) {
    require(offsets.size() == edges + 1 && offsets[0] == 0 &&
                static_cast<std::size_t>(offsets[edges]) == size &&
                std::is_sorted(offsets.begin(), offsets.end()),
            "found offsets that do not fit, expected ascending ones from 0 to the end");
}

}  // namespace

void check(const DerivationGraph& graph) {
    require(graph.nodes > 0, "found no node, expected at least one");
    check_offsets(graph.tail_offsets, graph.edges(), graph.tails.size());
    check_offsets(graph.symbol_offsets, graph.edges(), graph.symbols.size());
    require(graph.features.size() == graph.edges() * graph.columns,
            "found features of another size, expected a row for each edge");
    require(std::is_sorted(graph.heads.begin(), graph.heads.end()),
            "found edges out of order, expected them sorted by head");
    std::vector<char> derived(graph.nodes, 0);
    for (std::size_t edge = 0; edge < graph.edges(); ++edge) {
        const std::int32_t head = graph.heads[edge];
        require(head >= 0 && static_cast<std::size_t>(head) < graph.nodes,
                "found a head that is no node, expected numbers below the number of nodes");
        bool whole = true;
        const std::int32_t begin = graph.tail_offsets[edge], end = graph.tail_offsets[edge + 1];
        for (std::int32_t t = begin; t < end; ++t) {
            const std::int32_t tail = graph.tails[static_cast<std::size_t>(t)];
            require(tail >= 0 && tail < head, "found a tail that is not below its head");
            whole = whole && derived[static_cast<std::size_t>(tail)];
        }
        for (std::int32_t s = graph.symbol_offsets[edge]; s < graph.symbol_offsets[edge + 1]; ++s) {
            const std::int64_t symbol = graph.symbols[static_cast<std::size_t>(s)];
            require(symbol >= 0 || -1 - symbol < end - begin, "found a symbol for a missing tail");
        }
        if (whole) derived[static_cast<std::size_t>(head)] = 1;
    }
    require(derived[graph.nodes - 1], "found no derivation of the goal, expected at least one");
}

GraphHypotheses::GraphHypotheses(std::vector<DerivationGraph> graphs) : graphs_(std::move(graphs)) {
    for (const DerivationGraph& graph : graphs_) {
        check(graph);
        require(graph.columns == columns(), "found graphs with different numbers of features");
    }
}

Envelopes GraphHypotheses::envelopes(const Searches& searches) {
    const std::size_t count = searches.size() * segments();
    std::vector<WordEnvelope> parts(count);
    core::for_each_block(count, 1, [&] {
        return [&, chart = EnvelopeChart()](std::size_t begin, std::size_t end) mutable {
            for (std::size_t e = begin; e < end; ++e) {
                const std::size_t q = e / segments();
                parts[e] = chart.run(graphs_[e % segments()], searches.points.row(q),
                                     searches.directions.row(q));
            }
        };
    });
    // Numbers are given in the order of searches, whatever thread came first.
    Envelopes all;
    for (std::size_t e = 0; e < count; ++e) {
        const WordEnvelope& part = parts[e];
        for (std::size_t n = 0; n < part.starts.size(); ++n) {
            const std::span<const std::int32_t> words{
                part.words.data() + part.word_offsets[n],
                part.word_offsets[n + 1] - part.word_offsets[n]};
            const std::int32_t number = number_of(e % segments(), words);
            // Neighbours may differ in their derivation and not in their words.
            const bool begins = all.starts.size() == static_cast<std::size_t>(all.offsets.back());
            if (!begins && all.hypotheses.back() == number) continue;
            all.starts.push_back(part.starts[n]);
            all.hypotheses.push_back(number);
        }
        all.offsets.push_back(static_cast<std::int64_t>(all.starts.size()));
        parts[e] = {};
    }
    return all;
}

std::int32_t GraphHypotheses::number_of(std::size_t segment, std::span<const std::int32_t> words) {
    const auto hash_of = [](std::size_t owner, std::span<const std::int32_t> sequence) {
        std::uint64_t hash = 0x9e3779b97f4a7c15 + owner;
        for (const std::int32_t word : sequence) {
            hash = (hash ^ static_cast<std::uint32_t>(word)) * 0xff51afd7ed558ccd;
            hash ^= hash >> 32;
        }
        return hash;
    };
    const auto words_of = [&](std::size_t number) {
        const auto begin = static_cast<std::size_t>(word_offsets_[number]);
        const auto end = static_cast<std::size_t>(word_offsets_[number + 1]);
        return std::span<const std::int32_t>(words_).subspan(begin, end - begin);
    };
    require(owners_.size() < std::numeric_limits<std::int32_t>::max(),
            "found more than 2^31 hypotheses, expected fewer searches");
    const std::uint32_t number = numbers_.intern(
        hash_of(segment, words),
        [&](std::uint32_t known) {
            return static_cast<std::size_t>(owners_[known]) == segment &&
                   std::ranges::equal(words, words_of(known));
        },
        [&](std::uint32_t known) {
            return hash_of(static_cast<std::size_t>(owners_[known]), words_of(known));
        });
    if (number == owners_.size()) {
        owners_.push_back(static_cast<std::int32_t>(segment));
        words_.insert(words_.end(), words.begin(), words.end());
        word_offsets_.push_back(static_cast<std::int64_t>(words_.size()));
    }
    return static_cast<std::int32_t>(number);
}

}  // namespace tertium::tune
