// chrF (Popović 2015) and chrF++ (Popović 2017): one row of counts per segment, and the F-score of
// rows. Rows are additive, so a corpus score is `chrf_score` of their sum.
//
// Per order a row has the n-grams of the hypothesis, those of the reference, and the matches. From
// these, F_β = (1 + β²)·P·R / (β²·P + R). There are two ways to average over the orders:
// sacreBLEU's takes the mean P and the mean R over the orders that both sides have, and one F of
// these means; `every_order` is that of Popović's chrF++.py, the mean of the F of all orders, in
// which an order without n-grams counts 1e-16. The order of the additions is part of the result:
// sums in another order differ in the last bit.
//
// Most of the time goes into matches (clipped_matches.cpp); this file saves the work around them:
//  - The hypothesis owns the numbers of characters and words, and the reference is looked up in
//    them. Clipped matches are symmetric, so whichever text owns the numbers may take the part of
//    the reference in ClippedMatches. An ASCII hypothesis needs no numbers: its bytes are the
//    numbers.
//  - Several references: the hypothesis is prepared once and held against each of them.
//  - Equal references in a row, as in lists of candidates: from the second segment on, the
//    reference is the side that is prepared (`read_again`). That is decided by comparing the text
//    with the previous segment's, and `prepared_` says of which segment the prepared one is. A
//    kernel therefore belongs to one column of references: do not reuse one for another column.
//  - `matches_` and `repeated_` are two objects because a prepared ClippedMatches cannot count.
// With more than one reference the best score decides, and ties go to the first reference, so the
// comparison has to stay strict.
#include "metrics/ngram/chrf.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/interrupt.hpp"
#include "text/tokens/chrf_words.hpp"

namespace tertium::metrics::ngram {
namespace {

double f_score(double precision, double recall, double factor, double empty) {
    const double denominator = factor * precision + recall;
    return denominator > 0 ? (1 + factor) * precision * recall / denominator : empty;
}

}  // namespace

double chrf_score(const double* row, const ChrfOptions& options) {
    constexpr double tiny = 1e-16;
    const double factor = options.beta * options.beta;
    double sum = 0;
    double precisions = 0;
    double recalls = 0;
    double effective = 0;
    for (std::size_t n = 0; n < options.orders(); ++n) {
        const double hypothesis = row[3 * n];
        const double reference = row[3 * n + 1];
        const double precision = hypothesis > 0 ? row[3 * n + 2] / hypothesis : tiny;
        const double recall = reference > 0 ? row[3 * n + 2] / reference : tiny;
        sum += f_score(precision, recall, factor, tiny);
        if (hypothesis > 0 && reference > 0) {
            precisions += precision;
            recalls += recall;
            effective += 1;
        }
    }
    if (options.every_order) return sum / static_cast<double>(options.orders());
    return effective == 0 ? 0 : f_score(precisions / effective, recalls / effective, factor, 0);
}

void ChrfKernel::read(std::string_view text, bool defines, Units& out) {
    if (defines) plain_ = text::CharacterNumbers::is_plain(text);
    if (plain_) {
        text::CharacterNumbers::plain(text, options_.whitespace, out.characters);
    } else if (defines) {
        characters_.clear();
        characters_.intern(text, options_.whitespace, out.characters);
    } else {
        characters_.find(text, options_.whitespace, out.characters);
    }
    if (options_.word_order > 0) read_words(text, defines, out.words);
}

void ChrfKernel::read_words(std::string_view text, bool defines, std::vector<core::Token>& out) {
    words_.clear();
    text::tokens::tokenize(text::tokens::Tokenization::none, text, buffer_);
    for (const std::string_view token : buffer_.tokens) {
        text::tokens::for_each_chrf_word(token,
                                         [&](std::string_view word) { words_.push_back(word); });
    }
    if (defines) {
        vocabulary_.clear();
        vocabulary_.intern(words_, text, out);
    } else {
        vocabulary_.find(words_, text, out);
    }
}

bool ChrfKernel::read_again(std::string_view hypothesis, const text::Texts& references,
                            std::size_t index) {
    if (index == 0 || references.missing(index) || references.missing(index - 1)) return false;
    if (references[index] != references[index - 1]) return false;
    if (prepared_ != index - 1) {
        repeated_characters_.clear();
        repeated_characters_.intern(references[index], options_.whitespace, repeated_reference_);
        held_ = options_.character_order > 0 &&
                repeated_.prepare(repeated_reference_, repeated_characters_.size(),
                                  options_.character_order);
    }
    prepared_ = index;
    if (!held_) return false;
    repeated_characters_.find(hypothesis, options_.whitespace, hypothesis_.characters);
    reference_.characters = repeated_reference_;
    if (options_.word_order > 0) {
        read_words(hypothesis, true, hypothesis_.words);
        read_words(references[index], false, reference_.words);
    }
    return true;
}

void ChrfKernel::compare(const Units& hypothesis, const Units& reference, Held held, double* row) {
    const auto fill = [&](const std::vector<core::Token>& words,
                          const std::vector<core::Token>& others, std::size_t vocabulary, Held side,
                          std::size_t order, double* out) {
        counts_.assign(order, 0.0);
        // Which side the matches are clipped to makes no difference; the hypothesis has the
        // numbers, or the reference if it is held.
        if (side == Held::none) {
            matches_.count(others, words, vocabulary, counts_);
        } else {
            repeated_.count_prepared(side == Held::hypothesis ? others : words, counts_);
        }
        for (std::size_t n = 0; n < order; ++n) {
            const double total = others.size() > n ? static_cast<double>(others.size() - n) : 0.0;
            // As in sacreBLEU: hypothesis n-grams of an order that the reference lacks count not.
            const bool counted = total > 0 && words.size() > n;
            out[3 * n] = counted ? static_cast<double>(words.size() - n) : 0.0;
            out[3 * n + 1] = total;
            out[3 * n + 2] = counts_[n];
        }
    };
    fill(hypothesis.characters, reference.characters, character_count(), held,
         options_.character_order, row);
    fill(hypothesis.words, reference.words, vocabulary_.size(), Held::none, options_.word_order,
         row + 3 * options_.character_order);
}

void ChrfKernel::operator()(std::string_view hypothesis,
                            const std::vector<const text::Texts*>& references, std::size_t index,
                            double* row) {
    double best = -1;
    bool text = false;
    candidate_.resize(columns(options_));
    const bool again = references.size() == 1 && read_again(hypothesis, *references[0], index);
    Held held = again ? Held::reference : Held::none;
    if (!again) {
        read(hypothesis, true, hypothesis_);
        const std::size_t order = options_.character_order;
        if (references.size() > 1 && order > 0 &&
            repeated_.prepare(hypothesis_.characters, character_count(), order)) {
            held = Held::hypothesis;
        }
    }
    for (const text::Texts* column : references) {
        core::check_interrupt();
        if (column->missing(index)) continue;
        if (!again) read((*column)[index], false, reference_);
        compare(hypothesis_, reference_, held, candidate_.data());
        text = text || !hypothesis_.empty() || !reference_.empty();
        const double score = chrf_score(candidate_.data(), options_);
        if (score > best) {
            best = score;
            std::ranges::copy(candidate_, row);
        }
    }
    if (best < 0) {
        throw std::invalid_argument("segment " + std::to_string(index + 1) +
                                    ": no reference, expected at least one");
    }
    const bool counted = row[1] > 0;  // the reference has a unit of the shortest kind
    row[3 * options_.orders()] = text && !counted ? 1.0 : 0.0;
}

}  // namespace tertium::metrics::ngram
