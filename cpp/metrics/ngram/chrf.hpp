// chrF and chrF++ (Popović 2015, 2017): clipped matches of character and word n-grams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "core/segment.hpp"
#include "metrics/ngram/clipped_matches.hpp"
#include "text/character_numbers.hpp"
#include "text/local_vocabulary.hpp"
#include "text/texts.hpp"
#include "text/tokens/tokenizers.hpp"

namespace tertium::metrics::ngram {

struct ChrfOptions {
    std::size_t character_order;
    std::size_t word_order;
    double beta;
    bool whitespace;   // blanks are characters too
    bool every_order;  // average the F of all orders (Popović), not of those that both sides have

    std::size_t orders() const { return character_order + word_order; }
};

// The F-score (0 … 1) of hypothesis n-grams, reference n-grams and matches of each order.
double chrf_score(const double* row, const ChrfOptions& options);

class ChrfKernel {
  public:
    explicit ChrfKernel(const ChrfOptions& options) : options_(options) {}

    // For each order: hypothesis n-grams, reference n-grams, matches; characters, then words. Last,
    // 1 where nothing was counted although a side has text.
    static std::size_t columns(const ChrfOptions& options) { return 3 * options.orders() + 1; }

    // The reference with the best score decides; ties go to the first.
    void operator()(std::string_view hypothesis, const std::vector<const text::Texts*>& references,
                    std::size_t index, double* row);

  private:
    // The characters and words of one text as numbers. The hypothesis defines them.
    struct Units {
        std::vector<core::Token> characters, words;
        bool empty() const { return characters.empty() && words.empty(); }
    };

    void read(std::string_view text, bool defines, Units& out);
    void read_words(std::string_view text, bool defines, std::vector<core::Token>& out);
    // Neighbours often have one reference: many candidates of one source. From the second on it is
    // held as one side that the hypotheses are compared with; false if it is too long for that.
    bool read_again(std::string_view hypothesis, const text::Texts& references, std::size_t index);
    // Which side's characters are prepared for more than one comparison.
    enum class Held { none, hypothesis, reference };
    void compare(const Units& hypothesis, const Units& reference, Held held, double* row);
    // One more than the highest number of a character of the hypothesis.
    std::size_t character_count() const {
        return plain_ ? text::CharacterNumbers::plain_size : characters_.size();
    }

    ChrfOptions options_;
    ClippedMatches matches_;
    text::tokens::TokenBuffer buffer_;
    Units hypothesis_, reference_;
    std::vector<double> candidate_, counts_;
    bool plain_ = false;  // the hypothesis is ASCII, which needs no numbers
    text::CharacterNumbers characters_, repeated_characters_;
    ClippedMatches repeated_;  // of the side that is held
    std::vector<core::Token> repeated_reference_;
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
    std::size_t prepared_ = never;  // the last segment whose reference was held
    bool held_ = false;             // or was too long for that
    text::LocalVocabulary vocabulary_;
    std::vector<std::string_view> words_;  // of one text
};

}  // namespace tertium::metrics::ngram
