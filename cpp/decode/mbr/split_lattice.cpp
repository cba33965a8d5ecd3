#include "decode/mbr/split_lattice.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/interrupt.hpp"

namespace tertium::decode::mbr {
namespace {

constexpr std::size_t most_arcs = std::size_t{1} << 24;  // of a lattice split by history

}  // namespace

std::uint32_t Histories::after(std::uint32_t history, core::Token word) {
    if (length_ == 0) return none;
    const core::Gram step = steps_.intern(history, word);
    if (step == targets_.size()) targets_.push_back(number_of(words_[history], word));
    return targets_[step];
}

std::uint32_t Histories::number_of(std::vector<core::Token> words, core::Token word) {
    if (words.size() == length_) words.erase(words.begin());
    words.push_back(word);
    core::Gram gram = core::empty_gram;
    for (const core::Token one : words) gram = table_.intern(gram, one);
    if (gram >= numbers_.size()) numbers_.resize(gram + 1, none);
    if (numbers_[gram] == none) {
        numbers_[gram] = static_cast<std::uint32_t>(words_.size());
        words_.push_back(std::move(words));
    }
    return numbers_[gram];
}

SplitLattice::SplitLattice(const WordLattice& lattice, Histories& known) {
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
        core::check_interrupt();
        auto& mine = waiting[node];
        std::ranges::sort(mine);
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
        first[node] = histories.size();
        for (const std::uint32_t history : mine) {
            const auto state = static_cast<State>(histories.size());
            histories.push_back(history);
            begins.push_back(open.size());
            for (std::size_t a = lattice.begins[node]; a < lattice.begins[node + 1]; ++a) {
                const core::Token word = lattice.labels[a];
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

}  // namespace tertium::decode::mbr
