// All parts of a text in one automaton (Blumer et al. 1985), built and walked in linear time.
//
// It answers which contexts are unique: how much of what was read last occurs in the text at
// all, how much of that more than once, and where the part ends that occurs once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/gram_table.hpp"
#include "core/segment.hpp"

namespace tertium::core {

class SuffixAutomaton {
  public:
    // The longest part of the text that ends what was read so far.
    struct Match {
        std::uint32_t state = 0;
        std::uint32_t length = 0;
    };

    // No token may be `unknown`: that would match other unknown words.
    void build(Tokens text);

    Match advance(Match match, Token token) const;

    // The longest end of the match that occurs in the text twice or more often.
    std::uint32_t repeated(Match match) const {
        return once_[match.state] ? lengths_[links_[match.state]] : match.length;
    }
    // The position of the last word of a match that is longer than what is repeated.
    std::uint32_t end(Match match) const { return ends_[match.state]; }

  private:
    static constexpr std::uint32_t none = no_gram;

    std::uint32_t add_state(std::uint32_t length, std::uint32_t end, bool once);
    void add_edge(std::uint32_t state, Token token, std::uint32_t target);
    std::uint32_t clone(std::uint32_t state, std::uint32_t length);
    std::uint32_t target(std::uint32_t state, Token token) const;

    // By state: its longest part, the state of that part's next shorter ends, where it ends
    // first, whether it ends nowhere else, and its first edge.
    std::vector<std::uint32_t> lengths_, links_, ends_;
    std::vector<char> once_;
    std::vector<Gram> first_edges_;
    // By edge; an edge is numbered as the pair of its state and its token.
    GramTable edges_;
    std::vector<std::uint32_t> targets_;
    std::vector<Gram> next_edges_;
    std::vector<Token> tokens_;
};

}  // namespace tertium::core
