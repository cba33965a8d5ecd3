// Minimum-cost flow by successive shortest paths, all paths of one length at a time (the
// primal-dual method). Nodes: the source, a node for each supply, one for each demand, the sink;
// costs are negative gains, and the flow may stop anywhere, as weight need not be moved.
//
//  - find_distances: shortest distances from the source in the residual graph, by Bellman and Ford
//    with a queue. Costs are negative, and there is never a negative cycle: at first because all
//    arcs lead from left to right, later because flow only goes along shortest paths.
//  - find_levels, push_all: Dinic's algorithm on the arcs that lie on shortest paths. Levels are
//    needed because arcs and their reverses can form cycles of cost 0 there.
//  - When no such path is left the distance of the sink has risen by at least 1. A path of distance
//    d < 0 gains −d per unit; at 0 nothing is gained any more, so the flow is optimal.
// With gains of 1 … G there are at most G rounds. The result is a sum of whole numbers, and does
// not depend on which of several optimal flows is found.
//
// Arc a and its reverse are a and a ^ 1, so arcs must be added in pairs (join). next_ is Dinic's
// current-arc pointer; it is reset for each blocking flow, and a dead end loses its level so that
// no path enters it again. Paths are kept in a list and not on the stack, for they can be as long
// as the texts. Sums are 64-bit: the caller sees to it that Σ supplies × G fits.
#include "metrics/matching/transport.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <vector>

#include "core/interrupt.hpp"

namespace tertium::metrics::matching {
namespace {

class Network {
  public:
    Network(std::span<const std::int64_t> supplies, std::span<const std::int64_t> demands,
            std::span<const std::int32_t> gains)
        : sink_(supplies.size() + demands.size() + 1), first_(sink_ + 1, none) {
        for (std::size_t row = 0; row < supplies.size(); ++row) {
            join(source, 1 + row, supplies[row], 0);
            for (std::size_t column = 0; column < demands.size(); ++column) {
                const std::int32_t gain = gains[row * demands.size() + column];
                const std::int64_t most = std::min(supplies[row], demands[column]);
                if (gain > 0) join(1 + row, 1 + supplies.size() + column, most, -gain);
            }
        }
        for (std::size_t column = 0; column < demands.size(); ++column) {
            join(1 + supplies.size() + column, sink_, demands[column], 0);
        }
    }

    std::int64_t largest_gain() {
        std::int64_t total = 0;
        // Distances never fall from one round to the next, and at 0 nothing is gained any more.
        while (find_distances() && distances_[sink_] < 0) {
            while (find_levels()) {
                next_ = first_;
                total -= distances_[sink_] * push_all();
            }
        }
        return total;
    }

  private:
    static constexpr std::size_t source = 0;
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    static constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 4;

    // Arcs come in pairs: the one with an odd number takes back what its neighbor moved.
    struct Arc {
        std::size_t to, next;
        std::int64_t room, cost;
    };

    void join(std::size_t from, std::size_t to, std::int64_t room, std::int64_t cost) {
        arcs_.push_back({to, first_[from], room, cost});
        first_[from] = arcs_.size() - 1;
        arcs_.push_back({from, first_[to], 0, -cost});
        first_[to] = arcs_.size() - 1;
    }

    // Costs of shortest paths from the source, by a queue (costs may be negative, cycles are not).
    bool find_distances() {
        distances_.assign(first_.size(), far);
        std::vector<char> queued(first_.size(), 0);
        std::deque<std::size_t> queue{source};
        distances_[source] = 0;
        for (std::size_t step = 0; !queue.empty(); ++step) {
            core::check_interrupt_at(step);
            const std::size_t node = queue.front();
            queue.pop_front();
            queued[node] = 0;
            for (std::size_t arc = first_[node]; arc != none; arc = arcs_[arc].next) {
                const auto& [to, _, room, cost] = arcs_[arc];
                if (room <= 0 || distances_[node] + cost >= distances_[to]) continue;
                distances_[to] = distances_[node] + cost;
                if (!queued[to]) {
                    queue.push_back(to);
                    queued[to] = 1;
                }
            }
        }
        return distances_[sink_] < far;
    }

    bool on_shortest_path(std::size_t node, const Arc& arc) const {
        return arc.room > 0 && distances_[node] + arc.cost == distances_[arc.to];
    }

    // How many arcs of shortest paths lead to each node; arcs that cost nothing could form cycles.
    bool find_levels() {
        levels_.assign(first_.size(), none);
        levels_[source] = 0;
        std::deque<std::size_t> queue{source};
        for (std::size_t step = 0; !queue.empty(); ++step) {
            core::check_interrupt_at(step);
            const std::size_t node = queue.front();
            queue.pop_front();
            for (std::size_t arc = first_[node]; arc != none; arc = arcs_[arc].next) {
                if (!on_shortest_path(node, arcs_[arc]) || levels_[arcs_[arc].to] != none) continue;
                levels_[arcs_[arc].to] = levels_[node] + 1;
                queue.push_back(arcs_[arc].to);
            }
        }
        return levels_[sink_] != none;
    }

    // A blocking flow: paths are followed and retreated from without recursion, for texts may be
    // long and so may paths.
    std::int64_t push_all() {
        std::int64_t pushed = 0;
        std::vector<std::size_t> path;
        std::size_t node = source;
        for (std::size_t step = 0;; ++step) {
            core::check_interrupt_at(step);
            if (node == sink_) {
                std::int64_t room = far;
                for (const std::size_t arc : path) room = std::min(room, arcs_[arc].room);
                for (const std::size_t arc : path) {
                    arcs_[arc].room -= room;
                    arcs_[arc ^ 1].room += room;
                }
                pushed += room;
                path.clear();
                node = source;
                continue;
            }
            std::size_t& arc = next_[node];
            while (arc != none && !(on_shortest_path(node, arcs_[arc]) &&
                                    levels_[arcs_[arc].to] == levels_[node] + 1)) {
                arc = arcs_[arc].next;
            }
            if (arc != none) {
                path.push_back(arc);
                node = arcs_[arc].to;
            } else if (path.empty()) {
                return pushed;
            } else {
                levels_[node] = none;  // a dead end for the rest of this flow
                node = arcs_[path.back() ^ 1].to;
                path.pop_back();
            }
        }
    }

    std::size_t sink_;
    std::vector<std::size_t> first_, next_, levels_;
    std::vector<Arc> arcs_;
    std::vector<std::int64_t> distances_;
};

}  // namespace

std::int64_t transport_value(std::span<const std::int64_t> supplies,
                             std::span<const std::int64_t> demands,
                             std::span<const std::int32_t> gains) {
    return Network(supplies, demands, gains).largest_gain();
}

}  // namespace tertium::metrics::matching
