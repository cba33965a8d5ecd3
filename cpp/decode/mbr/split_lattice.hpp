// A word lattice whose nodes know the last words of every path that reaches them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/gram_table.hpp"
#include "core/segment.hpp"
#include "decode/mbr/word_lattice.hpp"

namespace tertium::decode::mbr {

// The last words of a path, up to a number; histories have numbers, and words lead from one to
// another.
class Histories {
  public:
    explicit Histories(std::size_t length) : length_(length) { words_.emplace_back(); }

    static constexpr std::uint32_t none = 0;  // no word yet

    const std::vector<core::Token>& words(std::uint32_t history) const { return words_[history]; }
    std::uint32_t after(std::uint32_t history, core::Token word);

  private:
    std::uint32_t number_of(std::vector<core::Token> words, core::Token word);

    std::size_t length_;
    std::vector<std::vector<core::Token>> words_;  // by history
    // A step is a history and a word behind it.
    core::GramTable steps_;
    std::vector<std::uint32_t> targets_;  // by step
    // Histories by their words.
    core::GramTable table_;
    std::vector<std::uint32_t> numbers_;  // by gram of the table; `none` where it is no history
};

// The lattice with nodes split by history; states are in topological order, arcs by source.
struct SplitLattice {
    using State = std::uint32_t;
    struct Arc {
        State source, target;
        std::uint32_t arc;  // of the lattice
    };

    SplitLattice(const WordLattice& lattice, Histories& known);

    std::vector<std::uint32_t> histories;  // by state
    std::vector<std::size_t> begins;       // by state: its first arc; and the end
    std::vector<Arc> arcs;
    std::vector<State> finals;  // the states of the last node
};

}  // namespace tertium::decode::mbr
