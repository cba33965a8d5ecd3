#include "decode/mbr/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "core/interrupt.hpp"

namespace tertium {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
using State = std::uint32_t;
constexpr std::size_t most_arcs = std::size_t{1} << 24;  // of a lattice split by history

double log_add(double one, double other) {
    if (one < other) std::swap(one, other);
    return other == minus_infinity ? one : one + std::log1p(std::exp(other - one));
}

// The last words of a path, up to a number; histories have numbers, and words lead from one to
// another.
class Histories {
  public:
    explicit Histories(std::size_t length) : length_(length) { words_.emplace_back(); }

    static constexpr std::uint32_t none = 0;  // no word yet

    const std::vector<Token>& words(std::uint32_t history) const { return words_[history]; }

    std::uint32_t after(std::uint32_t history, Token word) {
        if (length_ == 0) return none;
        const std::uint64_t key =
            (static_cast<std::uint64_t>(history) << 32) | static_cast<std::uint32_t>(word);
        const auto [place, fresh] = next_.try_emplace(key, none);
        if (fresh) place->second = number_of(words_[history], word);
        return place->second;
    }

  private:
    std::uint32_t number_of(std::vector<Token> words, Token word) {
        if (words.size() == length_) words.erase(words.begin());
        words.push_back(word);
        Gram gram = empty_gram;
        for (const Token one : words) gram = table_.intern(gram, one);
        const auto [place, fresh] =
            numbers_.try_emplace(gram, static_cast<std::uint32_t>(words_.size()));
        if (fresh) words_.push_back(std::move(words));
        return place->second;
    }

    std::size_t length_;
    GramTable table_;
    std::unordered_map<Gram, std::uint32_t> numbers_;
    std::unordered_map<std::uint64_t, std::uint32_t> next_;
    std::vector<std::vector<Token>> words_;
};

// The lattice with nodes split by history; states are in topological order, arcs by source.
struct SplitLattice {
    struct Arc {
        State source, target;
        std::uint32_t arc;  // of the lattice
    };
    std::vector<std::uint32_t> histories;  // by state
    std::vector<std::size_t> begins;       // by state: its first arc; and the end
    std::vector<Arc> arcs;
    std::vector<State> finals;  // the states of the last node

    SplitLattice(const WordLattice& lattice, Histories& known) {
        std::vector<std::vector<std::uint32_t>> waiting(lattice.nodes);
        waiting[0].push_back(Histories::none);
        std::vector<std::size_t> first(lattice.nodes + 1, 0);
        // States are numbered node by node, so all histories of a node must be known first.
        struct Open {
            State source;
            std::uint32_t arc, history;
        };
        std::vector<Open> open;
        for (std::size_t node = 0; node < lattice.nodes; ++node) {
            check_interrupt();
            auto& mine = waiting[node];
            std::ranges::sort(mine);
            mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
            first[node] = histories.size();
            for (const std::uint32_t history : mine) {
                const auto state = static_cast<State>(histories.size());
                histories.push_back(history);
                begins.push_back(open.size());
                for (std::size_t a = lattice.begins[node]; a < lattice.begins[node + 1]; ++a) {
                    const Token word = lattice.labels[a];
                    const std::uint32_t next = word < 0 ? history : known.after(history, word);
                    waiting[static_cast<std::size_t>(lattice.targets[a])].push_back(next);
                    open.push_back({state, static_cast<std::uint32_t>(a), next});
                }
                if (open.size() > most_arcs) {
                    throw std::length_error("more than " + std::to_string(most_arcs) +
                                            " n-grams in their places, expected fewer");
                }
            }
        }
        first[lattice.nodes] = histories.size();
        begins.push_back(open.size());
        arcs.reserve(open.size());
        for (const Open& one : open) {
            const auto node = static_cast<std::size_t>(lattice.targets[one.arc]);
            const auto& of_node = waiting[node];
            const auto place = std::ranges::lower_bound(of_node, one.history) - of_node.begin();
            arcs.push_back({one.source,
                            static_cast<State>(first[node] + static_cast<std::size_t>(place)),
                            one.arc});
        }
        for (std::size_t s = first[lattice.nodes - 1]; s < histories.size(); ++s) {
            finals.push_back(static_cast<State>(s));
        }
    }
};

// Places of each number among 0 … bound − 1, as one list.
struct Buckets {
    std::vector<std::size_t> begins;
    std::vector<std::uint32_t> places;

    Buckets(const std::vector<Gram>& numbers, std::size_t bound) : begins(bound + 1, 0) {
        for (const Gram number : numbers) {
            if (number != no_gram) ++begins[number + 1];
        }
        for (std::size_t i = 0; i < bound; ++i) begins[i + 1] += begins[i];
        places.resize(begins.back());
        std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
        for (std::size_t p = 0; p < numbers.size(); ++p) {
            if (numbers[p] != no_gram) {
                places[next[numbers[p]]++] = static_cast<std::uint32_t>(p);
            }
        }
    }
    std::span<const std::uint32_t> of(std::size_t number) const {
        return std::span(places).subspan(begins[number], begins[number + 1] - begins[number]);
    }
};

// Numbers of n-grams of one order, made from a history and a word.
class GramNumbers {
  public:
    explicit GramNumbers(std::size_t order) : order_(order) { grams_.order = order; }

    // no_gram where the history is too short.
    Gram intern(const std::vector<Token>& history, Token word) {
        if (history.size() + 1 < order_) return no_gram;
        Gram gram = empty_gram;
        for (std::size_t i = history.size() + 1 - order_; i < history.size(); ++i) {
            gram = table_.intern(gram, history[i]);
        }
        gram = table_.intern(gram, word);
        const auto [place, fresh] =
            numbers_.try_emplace(gram, static_cast<Gram>(grams_.values.size()));
        if (fresh) {
            grams_.words.insert(grams_.words.end(),
                                history.end() - static_cast<std::ptrdiff_t>(order_ - 1),
                                history.end());
            grams_.words.push_back(word);
            grams_.values.push_back(0);
        }
        return place->second;
    }
    std::size_t size() const { return grams_.values.size(); }
    WeightedGrams& grams() { return grams_; }

  private:
    std::size_t order_;
    GramTable table_;
    std::unordered_map<Gram, Gram> numbers_;
    WeightedGrams grams_;
};

// The values of listed n-grams, looked up by their words.
class GramValues {
  public:
    explicit GramValues(const WeightedGrams& grams) : order_(grams.order) {
        if (order_ == 0 || grams.words.size() != order_ * grams.size()) {
            throw std::invalid_argument("n-grams: expected a value for every n words, n > 0");
        }
        for (std::size_t g = 0; g < grams.size(); ++g) {
            Gram gram = empty_gram;
            for (std::size_t i = 0; i < order_; ++i) {
                const Token word = grams.words[g * order_ + i];
                if (word < 0) throw std::invalid_argument("n-grams: found a word below 0");
                gram = table_.intern(gram, word);
            }
            values_[gram] = grams.values[g];
        }
    }
    double find(const std::vector<Token>& history, Token word) const {
        if (history.size() + 1 < order_) return 0;
        Gram gram = empty_gram;
        for (std::size_t i = history.size() + 1 - order_; i < history.size(); ++i) {
            gram = table_.find(gram, history[i]);
        }
        const auto found = values_.find(table_.find(gram, word));
        return found == values_.end() ? 0 : found->second;
    }

  private:
    std::size_t order_;
    GramTable table_;
    std::unordered_map<Gram, double> values_;
};

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

WeightedGrams gram_posteriors(const WordLattice& lattice, std::span<const double> scores,
                              std::size_t order) {
    if (order == 0 || scores.size() != lattice.sources.size()) {
        throw std::invalid_argument(
            "lattice: expected a score for every arc, and an order above 0");
    }
    const std::vector<double> sums = log_sums_to_end(lattice, scores);
    Histories known(order - 1);
    const SplitLattice split(lattice, known);
    GramNumbers numbers(order);
    std::vector<Gram> gram_of(split.arcs.size(), no_gram);
    // The probability of an arc once its source is reached, so that nothing is left to do
    // behind the last n-gram of interest; and the probability to reach a state.
    std::vector<double> share(split.arcs.size()), reached(split.histories.size(), 0.0);
    reached[0] = 1;
    for (std::size_t p = 0; p < split.arcs.size(); ++p) {
        const auto [source, target, arc] = split.arcs[p];
        const double to_end = sums[static_cast<std::size_t>(lattice.targets[arc])];
        const double all = sums[static_cast<std::size_t>(lattice.sources[arc])];
        share[p] = all == minus_infinity ? 0 : std::exp(scores[arc] + to_end - all);
        reached[target] += reached[source] * share[p];
        if (lattice.labels[arc] >= 0) {
            gram_of[p] = numbers.intern(known.words(split.histories[source]), lattice.labels[arc]);
        }
    }
    // seen[state]: the probability to reach it by a path that has the n-gram already. States
    // wait in a heap for their turn, so that only those behind the n-gram are ever looked at.
    std::vector<double> seen(split.histories.size(), 0.0);
    std::vector<State> waiting;
    const Buckets arcs_of(gram_of, numbers.size());
    for (std::size_t gram = 0; gram < numbers.size(); ++gram) {
        check_interrupt();
        const std::span<const std::uint32_t> mine = arcs_of.of(gram);
        const State last = split.arcs[mine.back()].source;
        const auto pass = [&](State target, double probability) {
            if (target > last || probability == 0) return;  // nothing follows
            if (seen[target] == 0) {
                waiting.push_back(target);
                std::ranges::push_heap(waiting, std::greater<>{});
            }
            seen[target] += probability;
        };
        double probability = 0;
        std::size_t next = 0;  // of the n-gram's own arcs, which are sorted by source
        while (next < mine.size()) {
            const State own = split.arcs[mine[next]].source;
            if (waiting.empty() || waiting.front() > own) {
                for (; next < mine.size() && split.arcs[mine[next]].source == own; ++next) {
                    probability += reached[own] * share[mine[next]];
                    pass(split.arcs[mine[next]].target, reached[own] * share[mine[next]]);
                }
                continue;
            }
            std::ranges::pop_heap(waiting, std::greater<>{});
            const State state = waiting.back();
            waiting.pop_back();
            for (std::size_t p = split.begins[state]; p < split.begins[state + 1]; ++p) {
                if (gram_of[p] != gram) {
                    pass(split.arcs[p].target, seen[state] * share[p]);
                    continue;
                }
                probability += std::max(0.0, reached[state] - seen[state]) * share[p];
                pass(split.arcs[p].target, reached[state] * share[p]);
                ++next;
            }
            seen[state] = 0;
        }
        for (const State state : waiting) seen[state] = 0;
        waiting.clear();
        numbers.grams().values[gram] = std::min(1.0, probability);
    }
    return std::move(numbers.grams());
}

GainPath best_gain_path(const WordLattice& lattice, double word_gain,
                        std::span<const WeightedGrams> grams) {
    std::size_t longest = 1;
    std::vector<GramValues> values;
    for (const WeightedGrams& one : grams) {
        values.emplace_back(one);
        longest = std::max(longest, one.order);
    }
    Histories known(longest - 1);
    const SplitLattice split(lattice, known);
    constexpr std::uint32_t no_arc = std::numeric_limits<std::uint32_t>::max();
    std::vector<double> best(split.histories.size(), minus_infinity);
    std::vector<std::uint32_t> back(split.histories.size(), no_arc);
    best[0] = 0;
    for (std::size_t p = 0; p < split.arcs.size(); ++p) {
        check_interrupt();
        const auto [source, target, arc] = split.arcs[p];
        double gain = best[source];
        const Token word = lattice.labels[arc];
        if (word >= 0) {
            gain += word_gain;
            const std::vector<Token>& history = known.words(split.histories[source]);
            for (const GramValues& value : values) gain += value.find(history, word);
        }
        if (gain > best[target]) {
            best[target] = gain;
            back[target] = static_cast<std::uint32_t>(p);
        }
    }
    if (split.finals.empty()) throw std::invalid_argument("lattice: no path, expected one");
    State state = *std::ranges::max_element(split.finals, {}, [&](State s) { return best[s]; });
    GainPath path;
    path.gain = best[state];
    while (back[state] != no_arc) {
        path.arcs.push_back(static_cast<std::int32_t>(split.arcs[back[state]].arc));
        state = split.arcs[back[state]].source;
    }
    std::ranges::reverse(path.arcs);
    return path;
}

}  // namespace tertium
