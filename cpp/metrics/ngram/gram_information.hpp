// How much the n-grams of a corpus tell, in bits (Doddington 2002).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "text/corpus_tokens.hpp"
#include "text/references.hpp"

namespace tertium::metrics::ngram {

// info(w1…wn) = log2(count(w1…wn−1) / count(w1…wn)), counted over all references; for a word it is
// log2(words / count). All places of the references are sorted by the words that follow: those of
// an n-gram are neighbours, and their number is its count.
class GramInformation {
  public:
    // With `zero_is_no_history` the word "0" before another counts as no word at all, as it does
    // in mteval, where Perl takes it for false.
    GramInformation(const text::References& references, std::size_t order, bool zero_is_no_history);

    std::size_t order() const { return order_; }
    const text::CorpusTokens& tokens() const { return tokens_; }

    // Whether these are the references that were counted.
    bool is_of(const text::References& references) const {
        return identity_ == references.identity();
    }
    // The place where a segment's first reference begins; between two references lies one more.
    std::size_t place(std::size_t segment) const { return segments_[segment]; }

    // Of the n ≤ order() words that begin at a place.
    double bits(std::size_t place, std::size_t n) const;

    // All places of a word, and those among the places of n words where `last` follows.
    using Places = std::span<const std::uint32_t>;
    Places places(core::Token word) const;
    Places longer(Places places, std::size_t n, core::Token last) const;

  private:
    struct Range {
        std::size_t begin, end;
    };
    void pool(const text::References& references);
    void sort_by_first_words();
    void sort_places(std::size_t first_word, std::size_t end_word);

    std::size_t order_;
    std::shared_ptr<const void> identity_;
    text::CorpusTokens tokens_;
    std::vector<core::Token> words_;  // of all references, with `unknown` after each
    std::vector<std::size_t> segments_;
    double word_total_ = 0;
    core::Token no_history_ = core::unknown;  // the word that counts as none
    std::vector<std::uint32_t> places_;
    std::vector<std::size_t> word_ends_;  // where the places of each word end
    std::vector<std::uint32_t> counts_;   // by place, of its n-grams of order 1, 2, …
};

}  // namespace tertium::metrics::ngram
