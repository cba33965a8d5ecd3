// Lattice minimum Bayes risk with linear BLEU (Tromble et al. 2008). The gain of a path is θ₀ per
// word plus, for each n-gram that it has, θ_n times the posterior probability that a path has it at
// least once. This file computes the posteriors and finds the best path; the caller multiplies by
// θ.
//
// Nodes are split by the last n − 1 words (SplitLattice), so that every arc completes one known
// n-gram. Then both are passes over the arcs in topological order:
//  - gram_posteriors: "at least once" is not the expected count. For each n-gram seen[state] is the
//    probability of reaching a state by a path that has it already; an arc with the n-gram adds
//    what reached − seen leaves. Only states behind an occurrence differ from 0, so these wait in a
//    heap in topological order, and nothing behind the n-gram's last arc is visited.
//  - best_gain_path: the best path with back pointers; of equal gains the first one found stays.
//
// share is the probability of an arc given its source, from log sums to the end, so that no forward
// pass through the rest of the lattice is needed and nothing underflows.
//
// seen is all 0 between two n-grams, and a state is in the heap exactly if its entry is not 0:
// never push a probability of 0. Arcs of an n-gram ascend by source because split.arcs do. Time and
// memory are those of the split lattice, which grows with the distinct histories of each node.
#include "decode/mbr/linear_bleu.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "core/gram_table.hpp"
#include "core/interrupt.hpp"
#include "decode/mbr/split_lattice.hpp"

namespace tertium::decode::mbr {
namespace {

using State = SplitLattice::State;

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// Places of each number among 0 … bound − 1, as one list.
struct Buckets {
    std::vector<std::size_t> begins;
    std::vector<std::uint32_t> places;

    Buckets(const std::vector<core::Gram>& numbers, std::size_t bound) : begins(bound + 1, 0) {
        for (const core::Gram number : numbers) {
            if (number != core::no_gram) ++begins[number + 1];
        }
        for (std::size_t i = 0; i < bound; ++i) begins[i + 1] += begins[i];
        places.resize(begins.back());
        std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
        for (std::size_t p = 0; p < numbers.size(); ++p) {
            if (numbers[p] != core::no_gram) {
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
    core::Gram intern(const std::vector<core::Token>& history, core::Token word) {
        if (history.size() + 1 < order_) return core::no_gram;
        core::Gram gram = core::empty_gram;
        for (std::size_t i = history.size() + 1 - order_; i < history.size(); ++i) {
            gram = table_.intern(gram, history[i]);
        }
        gram = table_.intern(gram, word);
        if (gram >= numbers_.size()) numbers_.resize(gram + 1, core::no_gram);
        if (numbers_[gram] == core::no_gram) {
            numbers_[gram] = static_cast<core::Gram>(grams_.values.size());
            grams_.words.insert(grams_.words.end(),
                                history.end() - static_cast<std::ptrdiff_t>(order_ - 1),
                                history.end());
            grams_.words.push_back(word);
            grams_.values.push_back(0);
        }
        return numbers_[gram];
    }
    std::size_t size() const { return grams_.values.size(); }
    WeightedGrams& grams() { return grams_; }

  private:
    std::size_t order_;
    core::GramTable table_;
    std::vector<core::Gram> numbers_;  // by gram of the table, where it has the full order
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
            core::Gram gram = core::empty_gram;
            for (std::size_t i = 0; i < order_; ++i) {
                const core::Token word = grams.words[g * order_ + i];
                if (word < 0) throw std::invalid_argument("n-grams: found a word below 0");
                gram = table_.intern(gram, word);
            }
            if (gram >= values_.size()) values_.resize(gram + 1, 0.0);
            values_[gram] = grams.values[g];
        }
    }
    double find(const std::vector<core::Token>& history, core::Token word) const {
        if (history.size() + 1 < order_) return 0;
        core::Gram gram = core::empty_gram;
        for (std::size_t i = history.size() + 1 - order_; i < history.size(); ++i) {
            gram = table_.find(gram, history[i]);
        }
        gram = table_.find(gram, word);
        return gram < values_.size() ? values_[gram] : 0;
    }

  private:
    std::size_t order_;
    core::GramTable table_;
    std::vector<double> values_;  // by gram of the table; 0 where it only begins one
};

}  // namespace

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
    std::vector<core::Gram> gram_of(split.arcs.size(), core::no_gram);
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
        core::check_interrupt();
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
        core::check_interrupt();
        const auto [source, target, arc] = split.arcs[p];
        double gain = best[source];
        const core::Token word = lattice.labels[arc];
        if (word >= 0) {
            gain += word_gain;
            const std::vector<core::Token>& history = known.words(split.histories[source]);
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

}  // namespace tertium::decode::mbr
