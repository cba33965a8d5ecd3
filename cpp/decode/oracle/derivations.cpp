// Best-first search for derivations, goal first and left before right. An unfinished derivation is
// the weights of the automaton after the words so far, and a stack of symbols still to come; what
// the stack can add is known exactly from the matrices. So the search opens nothing that does not
// belong to a derivation it returns, however many alignments that has.
//
// Unlike in a lattice (lattice.cpp) it is derivations that are enumerated, not word sequences, for
// a forest cannot be determinized like that. Several derivations may say the same words; only the
// first, which is the best, is returned, and `patience` ends a search that finds nothing but
// repetitions (ForestOracles::complete is false then).
//
//  - Stacks are linked lists in cells_ that share their lower parts; cell 0 is the bottom. A cell
//    has the weights of going on from before its symbol to the end (`future`), computed when it is
//    pushed. The first symbol behind the words just read is always a node, whose future is not
//    needed, since `push` expands it at once.
//  - `push` computes the futures of all suffixes of a node's hyperedges, parents before children,
//    so that shared suffixes cost once. It queues each hyperedge with its bound: past meets future,
//    plus the model's score.
//  - sequences_ and unfinished_ are numbered alike, and each entry of one must come with one of the
//    other, also for finished derivations.
// With ForestPruning the matrices are lower bounds, and the search finds the best of what is left.
#include "decode/oracle/derivations.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "core/interrupt.hpp"
#include "decode/oracle/matrices.hpp"
#include "decode/oracle/numbers.hpp"
#include "decode/oracle/order.hpp"

namespace tertium::decode::oracle {
namespace {

constexpr std::size_t derivations_per_sequence = 100;
constexpr std::size_t least_derivations = 1000;

// A derivation in the order of symbols, brought into that of tails.
std::vector<std::int32_t> in_order_of_tails(const OracleForest& forest,
                                            const std::vector<std::int32_t>& edges) {
    std::vector<std::vector<std::int32_t>> done;  // the derivations of nodes, the last one first
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
        const auto body = forest.body(index(*edge));
        const auto numbers = forest.tail_numbers(index(*edge));
        std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>> parts;
        for (std::size_t place = 0; place < body.size(); ++place) {
            if (body[place] >= 0) continue;
            parts.emplace_back(numbers[place], std::move(done.back()));
            done.pop_back();
        }
        std::stable_sort(parts.begin(), parts.end(), [](const auto& one, const auto& other) {
            return one.first < other.first;
        });
        std::vector<std::int32_t> whole{*edge};
        for (const auto& part : parts) {
            whole.insert(whole.end(), part.second.begin(), part.second.end());
        }
        done.push_back(std::move(whole));
    }
    return std::move(done.back());
}

template <class Value>
class DerivationSearch {
  public:
    DerivationSearch(const OracleForest& forest, const OracleReference& reference,
                     const OracleUnits& units, std::int64_t k, const ForestPruning& pruning)
        : forest_(forest),
          units_(units),
          automaton_(reference, units, k),
          matrices_(forest, automaton_, units, pruning) {}

    ForestOracles best(std::size_t count) {
        ForestOracles found;
        std::set<std::vector<std::int32_t>> sequences;
        const auto goal = static_cast<std::int32_t>(forest_.nodes() - 1);
        cells_.push_back({0, 0, 0, automaton_.end()});
        cells_.push_back({-2 - goal, 0, 0, {}});
        push({automaton_.start(), {}, 1}, 0);
        std::size_t patience = least_derivations + derivations_per_sequence * count;
        while (found.paths.size() < count && !queue_.empty()) {
            core::check_interrupt();
            const Candidate<Value> top = queue_.top();
            queue_.pop();
            Unfinished next = opened(top);
            const std::int32_t number = sequences_.add(top.parent, top.item);
            if (next.cell != 0) {
                push(std::move(next), number);
                continue;
            }
            if (patience-- == 0) {
                found.complete = false;
                break;
            }
            unfinished_.push_back(std::move(next));
            const auto [edges, words] = history(number);
            if (sequences.insert(words).second) {
                found.paths.push_back(
                    {units_.metric_of(top.bound), in_order_of_tails(forest_, edges)});
            }
        }
        return found;
    }

  private:
    // A symbol on a stack, linked to the one below; cell 0 is the bottom of every stack.
    struct Cell {
        std::int32_t symbol;  // as in suffixes
        std::int32_t word;    // as in the forest
        std::int32_t next;
        std::vector<Value> future;  // weights of going on before it; none for what is read first
    };

    // As `sequences_` numbers them, which knows its hyperedges.
    struct Unfinished {
        std::vector<Value> past;
        std::vector<std::int32_t> words;  // read with the last hyperedge
        std::int32_t cell;                // the top of the stack: a node, or 0 for nothing
    };

    // Queues every hyperedge for the node on top of the stack, with the best it can lead to.
    void push(Unfinished next, std::int32_t number) {
        const Cell& cell = cells_[index(next.cell)];
        const auto node = index(-2 - cell.symbol);
        const auto& suffixes = matrices_.suffixes();
        const std::size_t begin = suffixes.begin(node);
        const std::size_t states = automaton_.states();
        unfinished_.push_back(std::move(next));
        const Value* const past = unfinished_.back().past.data();
        futures_.resize(std::max(futures_.size(), (suffixes.end(node) - begin) * states));
        const auto& below = cells_[index(cell.next)].future;
        std::copy(below.begin(), below.end(), futures_.begin());
        for (std::size_t place = begin; place < suffixes.end(node); ++place) {
            const auto& suffix = suffixes[place];
            Value* const here = futures_.data() + (place - begin) * states;
            if (place > begin) {
                const std::size_t parent = index(suffix.parent) - begin;
                matrices_.unread(suffix.symbol, futures_.data() + parent * states, here);
            }
            const auto edges = suffixes.edges(suffix);
            if (edges.empty()) continue;
            const Value bound = automaton_.meet(past, here);
            if (!is_reachable(bound)) continue;
            for (const std::int32_t edge : edges) {
                queue_.push({bound + matrices_.model(index(edge)), number, edge});
            }
        }
    }

    // A candidate with its hyperedge in place of the node, and its words read up to the next node.
    Unfinished opened(const Candidate<Value>& candidate) {
        const Unfinished& parent = unfinished_[index(candidate.parent)];
        Unfinished next{parent.past, {}, cells_[index(parent.cell)].next};
        const Value model = matrices_.model(index(candidate.item));
        for (Value& weight : next.past) weight = weight + model;
        const auto symbols = matrices_.suffixes().body(index(candidate.item));
        const auto words = forest_.body(index(candidate.item));
        std::size_t place = 0;
        for (; place < symbols.size() && symbols[place] >= -1; ++place) {
            read(next, symbols[place], words[place]);
        }
        if (place < symbols.size()) {
            for (std::size_t later = symbols.size(); later-- > place;) {
                std::vector<Value> future;
                if (later > place) {
                    future.resize(automaton_.states());
                    matrices_.unread(symbols[later], cells_[index(next.cell)].future.data(),
                                     future.data());
                }
                cells_.push_back({symbols[later], words[later], next.cell, std::move(future)});
                next.cell = static_cast<std::int32_t>(cells_.size()) - 1;
            }
            return next;
        }
        while (next.cell != 0 && cells_[index(next.cell)].symbol >= -1) {
            const Cell& top = cells_[index(next.cell)];
            read(next, top.symbol, top.word);
            next.cell = top.next;
        }
        return next;
    }

    void read(Unfinished& state, std::int32_t symbol, std::int32_t word) {
        after_.resize(automaton_.states());
        automaton_.read(state.past.data(), symbol, after_.data(), scratch_);
        std::swap(state.past, after_);
        state.words.push_back(word);
    }

    // All hyperedges and words of a finished derivation.
    std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> history(
        std::int32_t last) const {
        std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> result;
        for (std::int32_t place = last; place > 0; place = sequences_.parent(place)) {
            const Unfinished& one = unfinished_[index(place)];
            result.first.push_back(sequences_.item(place));
            result.second.insert(result.second.end(), one.words.rbegin(), one.words.rend());
        }
        std::reverse(result.first.begin(), result.first.end());
        std::reverse(result.second.begin(), result.second.end());
        return result;
    }

    const OracleForest& forest_;
    const OracleUnits& units_;
    OracleAutomaton<Value> automaton_;
    ForestMatrices<Value> matrices_;
    std::vector<Cell> cells_;
    SharedSequences sequences_;
    std::vector<Unfinished> unfinished_;
    CandidateQueue<Value> queue_{Worse<Value>{&sequences_}};
    std::vector<Value> futures_;  // by suffix of the node at hand
    std::vector<Value> after_;
    std::vector<Value> scratch_;
};

}  // namespace

template <class Value>
ForestOracles best_derivations(const OracleForest& forest, const OracleReference& reference,
                               const OracleUnits& units, std::int64_t k, std::size_t count,
                               const ForestPruning& pruning) {
    return DerivationSearch<Value>(forest, reference, units, k, pruning).best(count);
}

template ForestOracles best_derivations<PackedValue>(const OracleForest&, const OracleReference&,
                                                     const OracleUnits&, std::int64_t, std::size_t,
                                                     const ForestPruning&);
template ForestOracles best_derivations<PairValue>(const OracleForest&, const OracleReference&,
                                                   const OracleUnits&, std::int64_t, std::size_t,
                                                   const ForestPruning&);

}  // namespace tertium::decode::oracle
