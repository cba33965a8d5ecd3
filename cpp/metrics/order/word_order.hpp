// Which reference word each hypothesis word stands for, and how well the order is kept, as in
// RIBES (Isozaki et al. 2010; Hirao et al. 2014).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "core/place_mask.hpp"
#include "core/segment.hpp"
#include "core/suffix_automaton.hpp"

namespace tertium::metrics::order {

class WordOrder {
  public:
    // Reference positions of the hypothesis words that have a counterpart, in the order of the
    // hypothesis; valid until the next call. A word that stands once in both texts has its
    // equal there. Any other word grows a context, to the left or to the right and by the
    // same number of words, until one of the two stands once in both texts; left is tried
    // first. Words without such a context have no counterpart. No two words reach the same
    // position by contexts to the same side, but two may by contexts to different sides.
    std::span<const std::uint32_t> correspondence(core::Tokens hypothesis, core::Tokens reference,
                                                  std::size_t vocabulary);

    // Pairs of which the later position is the larger: the concordant pairs of Kendall's τ.
    std::uint64_t increasing_pairs(std::span<const std::uint32_t> positions);

  private:
    // The shortest context of a word that is unique in both texts, and where its word stands.
    struct Context {
        std::uint32_t length, position;
    };
    // The words that both texts have, and one filler for any run of others between them.
    struct SharedWords {
        std::vector<core::Token> tokens;
        std::vector<std::uint32_t> places;
    };

    // Of a word, or of a context by the word that it grew by last.
    template <std::size_t Words>
    struct Places {
        core::PlaceMask<Words> hypothesis, reference;

        bool unique() const { return hypothesis.single() && reference.single(); }
        void extend_left(const Places& word) {
            hypothesis = word.hypothesis & hypothesis.earlier(1);
            reference = word.reference & reference.earlier(1);
        }
        void extend_right(const Places& word) {
            hypothesis = word.hypothesis & hypothesis.later(1);
            reference = word.reference & reference.later(1);
        }
    };

    template <std::size_t Words>
    bool correspond_by_masks(core::Tokens hypothesis, core::Tokens reference,
                             std::size_t vocabulary, std::vector<Places<Words>>& masks);
    void correspond_by_automata(core::Tokens hypothesis, core::Tokens reference,
                                std::size_t vocabulary);
    void share(core::Tokens text, core::Token filler, SharedWords& out) const;
    void find_contexts(std::vector<Context>& contexts);

    std::vector<std::uint32_t> positions_;
    std::tuple<std::vector<Places<1>>, std::vector<Places<2>>, std::vector<Places<4>>> masks_;
    std::vector<char> sides_;  // by token: one bit for each text it stands in
    SharedWords hypothesis_, reference_;
    core::SuffixAutomaton hypothesis_parts_, reference_parts_;
    std::vector<Context> left_, right_;
    std::vector<std::uint32_t> tree_;
};

}  // namespace tertium::metrics::order
