// The bodies of a forest's hyperedges as trees, read from their ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "decode/oracle/automaton.hpp"
#include "decode/oracle/forest.hpp"

namespace tertium::decode::oracle {

// One tree for each node. A suffix that several hyperedges share is one path from the root, so it
// is multiplied out once for all of them; words that the reference lacks are all the same.
class SuffixTrees {
  public:
    struct Suffix {
        std::int32_t symbol;  // the number of a word, −1 for any that is not in the reference;
                              // −2 − node for a node. Of a root, nothing.
        std::int32_t parent;
        std::int32_t depth;
        std::int32_t first_edge;  // hyperedges with this body: a range of `edges`
        std::int32_t end_edge;
        bool longest;  // no body has more symbols in front of it

        bool is_node() const { return symbol < -1; }
        std::size_t node() const { return static_cast<std::size_t>(-2 - symbol); }
    };

    SuffixTrees(const OracleForest&, const OracleReference&);

    // The tree of a node: its root, then parents before children, depth first.
    std::size_t begin(std::size_t node) const { return begins_[node]; }
    std::size_t end(std::size_t node) const { return begins_[node + 1]; }
    const Suffix& operator[](std::size_t place) const { return suffixes_[place]; }
    std::size_t size() const { return suffixes_.size(); }
    std::size_t deepest() const { return deepest_; }

    std::span<const std::int32_t> edges(const Suffix& suffix) const {
        return {edges_.data() + suffix.first_edge, edges_.data() + suffix.end_edge};
    }

    // A hyperedge's body in the symbols of suffixes.
    std::span<const std::int32_t> body(std::size_t edge) const {
        return {symbols_.data() + body_begins_[edge], symbols_.data() + body_begins_[edge + 1]};
    }

  private:
    std::vector<std::size_t> body_begins_;
    std::vector<std::int32_t> symbols_;
    std::vector<Suffix> suffixes_;
    std::vector<std::size_t> begins_;
    std::vector<std::int32_t> edges_;
    std::size_t deepest_ = 0;
};

}  // namespace tertium::decode::oracle
