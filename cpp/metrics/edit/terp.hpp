// TER-Plus (Snover et al. 2009): stems, synonyms and phrases are edits of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/segment.hpp"
#include "metrics/edit/weighted_ter.hpp"
#include "text/interned.hpp"

namespace tertium::metrics::edit {

// What a phrase costs: the paper's w1 + e (w2 log10 p + w3 p + w4), with e the edits between
// both sides without phrases and p the phrase's probability; never less than `least`.
struct TerpPhraseCost {
    double constant = 0;
    double logarithm = 0;
    double probability = 0;
    double edits = 0;
    double least = 0;
};

// What is known of the words of a corpus, by their ids.
class TerpLexicon {
  public:
    struct Words {
        std::vector<core::Token> stems;                 // equal ids are equal stems; may be empty
        std::vector<std::vector<std::int32_t>> senses;  // sorted sets of synonyms; may be empty
        std::vector<std::uint8_t> stops;  // words that do not move alone; may be empty
    };
    struct Entry {
        std::vector<core::Token> reference;
        std::vector<core::Token> hypothesis;
        double probability;
    };

    // Throws std::invalid_argument for lists that do not fit the number of words.
    TerpLexicon(std::size_t vocabulary, Words words, std::vector<Entry> entries,
                const TerCosts& costs, const TerpPhraseCost& phrase_cost);

    void fill(core::Tokens hypothesis, core::Tokens reference, TerPair& pair) const;
    const TerCosts& costs() const { return costs_; }
    std::size_t vocabulary() const { return vocabulary_; }

  private:
    struct Phrase {
        std::vector<core::Token> reference;
        std::vector<core::Token> hypothesis;
        double cost;
    };

    Relation relation(core::Token word, core::Token other) const;
    void fill_words(core::Tokens hypothesis, core::Tokens reference, TerPair& pair) const;

    std::size_t vocabulary_;
    Words words_;
    TerCosts costs_;
    std::vector<Phrase> phrases_;                   // sorted by both sides
    std::vector<std::vector<std::size_t>> starts_;  // by word: the phrases that begin with it
};

// cost, reference length, insertions, deletions, substitutions, stems, synonyms, phrases, shifts
inline constexpr std::size_t terp_columns = 9;

// The statistics of one segment: the reference with the least cost, the mean length of all.
class TerpKernel {
  public:
    explicit TerpKernel(const TerpLexicon& lexicon);

    // Column 0 of the corpus is the hypothesis, the others are the references.
    void row(const text::Interned& corpus, std::size_t segment, double* row);
    // The same of two texts.
    void compare(core::Tokens hypothesis, core::Tokens reference, double* row);
    void search(core::Tokens hypothesis, core::Tokens reference, WeightedTerPath& path);

  private:
    static void write(const WeightedTerPath& path, double length, double* row);

    const TerpLexicon* lexicon_;
    WeightedTerSearch search_;
    TerPair pair_;
    WeightedTerPath path_, best_path_;
};

}  // namespace tertium::metrics::edit
