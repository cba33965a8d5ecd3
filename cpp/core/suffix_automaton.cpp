// The suffix automaton, or directed acyclic word graph, of Blumer et al. (1985), built online.
//
// A state is a class of parts of the text that end at the same set of positions. Its longest part
// has lengths_[state] tokens; the others are its ends down to lengths_[link] + 1. links_ leads to
// the class of the next shorter end, whose set of positions is strictly larger, so links form a
// tree with the empty part, state 0, at its root. A text of n tokens has at most 2n − 1 states and
// 3n − 4 edges (n ≥ 3), and edges are looked up by hashing (state, token): expected linear time for
// building, amortized for walking, since each link that `advance` follows makes the match shorter.
//
// Adding a token makes the state of the whole prefix and gives an edge to it from every end of the
// previous prefix that lacks one. The first end that has one leads to a state `found`. If `found`
// holds longer parts than that end plus the token, these do not end here while the shorter ones do:
// the class splits, and the shorter ones become a clone.
//
// `once_` holds for a state exactly while its parts end at a single position. A state starts so,
// and loses it when another state is linked below it, which is when a second position is found;
// clones always have two. Ancestors need no update, having a child already. `ends_` is the first
// position at which the state's parts end, and the only one if once_ holds: SuffixAutomaton::end is
// meant for these states alone.
//
// An edge's number in edges_ is its index into targets_, next_edges_ and tokens_. So add_edge must
// be called for new pairs only, and redirecting an edge writes targets_ in place.
#include "core/suffix_automaton.hpp"

#include "core/interrupt.hpp"

namespace tertium::core {

void SuffixAutomaton::build(Tokens text) {
    lengths_.clear();
    links_.clear();
    ends_.clear();
    once_.clear();
    first_edges_.clear();
    edges_.clear(2 * text.size());
    targets_.clear();
    next_edges_.clear();
    tokens_.clear();
    std::uint32_t last = add_state(0, 0, false);
    for (std::size_t i = 0; i < text.size(); ++i) {
        check_interrupt_at(i);
        const auto position = static_cast<std::uint32_t>(i);
        const std::uint32_t whole = add_state(position + 1, position, true);
        std::uint32_t shorter = last;
        last = whole;
        while (shorter != none && target(shorter, text[i]) == none) {
            add_edge(shorter, text[i], whole);
            shorter = links_[shorter];
        }
        if (shorter == none) {
            links_[whole] = 0;
            continue;
        }
        std::uint32_t found = target(shorter, text[i]);
        if (lengths_[found] != lengths_[shorter] + 1) {
            // Only the shorter parts of `found` end here too: they become a state of their own.
            const std::uint32_t part = clone(found, lengths_[shorter] + 1);
            while (shorter != none && target(shorter, text[i]) == found) {
                targets_[edges_.find(shorter, text[i])] = part;
                shorter = links_[shorter];
            }
            found = part;
        }
        links_[whole] = found;
        once_[found] = false;  // it ends here and where it was found first
    }
}

SuffixAutomaton::Match SuffixAutomaton::advance(Match match, Token token) const {
    std::uint32_t next = target(match.state, token);
    while (next == none && match.state != 0) {
        match.state = links_[match.state];
        match.length = lengths_[match.state];
        next = target(match.state, token);
    }
    return next == none ? Match{} : Match{next, match.length + 1};
}

std::uint32_t SuffixAutomaton::add_state(std::uint32_t length, std::uint32_t end, bool once) {
    lengths_.push_back(length);
    links_.push_back(none);
    ends_.push_back(end);
    once_.push_back(once);
    first_edges_.push_back(no_gram);
    return static_cast<std::uint32_t>(lengths_.size() - 1);
}

void SuffixAutomaton::add_edge(std::uint32_t state, Token token, std::uint32_t target) {
    const Gram edge = edges_.intern(state, token);
    targets_.push_back(target);
    tokens_.push_back(token);
    next_edges_.push_back(first_edges_[state]);
    first_edges_[state] = edge;
}

std::uint32_t SuffixAutomaton::clone(std::uint32_t state, std::uint32_t length) {
    const std::uint32_t copy = add_state(length, ends_[state], false);
    for (Gram edge = first_edges_[state]; edge != no_gram; edge = next_edges_[edge]) {
        add_edge(copy, tokens_[edge], targets_[edge]);
    }
    links_[copy] = links_[state];
    links_[state] = copy;
    return copy;
}

std::uint32_t SuffixAutomaton::target(std::uint32_t state, Token token) const {
    const Gram edge = edges_.find(state, token);
    return edge == no_gram ? none : targets_[edge];
}

}  // namespace tertium::core
