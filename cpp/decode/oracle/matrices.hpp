// What a node of a forest does to the metric's automaton: a max-plus matrix for each node.
//
// Item (X, p, q) is the best weight of deriving X while the automaton goes from p to q. A word's
// matrix is a match, a substitution or an insertion after any deletions, a hyperedge's the product
// of its symbols', a node's the maximum of its hyperedges'. Rows are made only for states p from
// which a derivation can be asked for, and they hold only what no other item implies: whoever is
// at (i, 0) may delete, and be at (i + 1, 0) for β. That leaves few items of a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "decode/oracle/automaton.hpp"
#include "decode/oracle/forest.hpp"
#include "decode/oracle/suffixes.hpp"

namespace tertium::decode::oracle {

template <class Value>
class ForestMatrices {
  public:
    ForestMatrices(const OracleForest&, const OracleAutomaton<Value>&, const OracleUnits&,
                   const ForestPruning&);

    const SuffixTrees& suffixes() const { return suffixes_; }
    Value model(std::size_t edge) const { return models_[edge]; }

    // From the weights of going on after a symbol, as in suffixes, those of going on before it.
    void unread(std::int32_t symbol, const Value* after, Value* before) const;

  private:
    enum class Demand : std::uint8_t { nothing, start, everything };

    // A state and the weight of being there. Slots order states by position, then by run.
    struct Item {
        std::int32_t slot;
        std::int32_t position;
        Value weight;
    };

    // Bits for positions.
    using Marks = std::vector<std::uint64_t>;

    // A row holds items by position, at each of them (i, 0) first.
    // That of (i, m), m > 0, holds only what begins with a match; (i, 0) implies the rest.
    struct Row {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::uint64_t marks = 0;      // of positions with items, if there are at most 64,
        std::uint64_t run_marks = 0;  // and of those with runs
    };
    struct NodeRows {
        std::vector<Row> rows;  // by slot; empty where there is none
        std::vector<Item> items;
    };

    // Weights of states in the middle of a hyperedge, reachable at marked positions only.
    struct Frame {
        std::vector<Value> weights;  // by slot
        Marks marks;
        Marks run_marks;
    };

    void find_borders();
    void find_demand();
    void fill(std::size_t node);
    void fill_row(std::size_t node, std::size_t position, std::size_t run);
    void prune(std::size_t node, std::size_t position);
    bool continues(const SuffixTrees::Suffix&, std::size_t position) const;
    void add_row(NodeRows&, std::size_t slot) const;
    void take_items(Frame&);
    std::span<const Item> items() const { return {items_.data(), count_}; }
    void read_node(std::size_t node, Frame& after) const;
    void read_word(std::int32_t word, Frame& after) const;
    std::size_t slot(std::size_t position, std::size_t run) const {
        return position * automaton_.levels() + run;
    }
    std::size_t run_of(const Item& item) const {
        return static_cast<std::size_t>(item.slot) -
               static_cast<std::size_t>(item.position) * automaton_.levels();
    }

    std::uint8_t& flag(std::vector<std::uint8_t>& flags, std::size_t node, std::size_t position) {
        return flags[node * automaton_.width() + position];
    }

    const OracleForest& forest_;
    const OracleAutomaton<Value>& automaton_;
    ForestPruning pruning_;
    SuffixTrees suffixes_;
    std::vector<Value> models_;         // by hyperedge
    std::vector<Value> suffix_models_;  // the best hyperedge with this body
    std::vector<Demand> demand_;
    // By node and position: may a run be there on entering, does its first word match there, can
    // its last word have matched before it. A node that can be empty is taken to do all.
    std::vector<std::uint8_t> entered_;
    std::vector<std::uint8_t> continues_;
    std::vector<std::uint8_t> ends_;
    std::vector<std::uint8_t> nullable_;
    std::vector<NodeRows> rows_;
    std::size_t blocks_;         // of 64 marks
    std::vector<Frame> frames_;  // by depth
    std::vector<Item> items_;    // of the frame at hand: the first `count_`
    std::size_t count_ = 0;
    std::vector<Value> deletions_;    // the weight of so many
    std::vector<Value> most_by_run_;  // what a run can add to all that follows
};

}  // namespace tertium::decode::oracle
