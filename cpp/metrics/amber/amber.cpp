#include "metrics/amber/amber.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "text/utf8.hpp"

namespace tertium::metrics::amber {
namespace {

constexpr std::size_t length_columns = 10;
constexpr std::size_t order_columns = 3;

std::size_t strategies_with_gaps(const AmberOptions& options) {
    return std::size_t{options.fixed_gap} + options.flexible_gap + options.skip;
}

// The reference closest in length, of equally close ones the shorter, of equals the first.
std::size_t closest(const core::Segment& segment) {
    const auto key = [&](std::size_t r) {
        const auto length = static_cast<std::ptrdiff_t>(segment.references[r].size());
        const auto words = static_cast<std::ptrdiff_t>(segment.hypothesis.size());
        return std::pair(std::abs(length - words), length);
    };
    std::size_t best = 0;
    for (std::size_t r = 1; r < segment.references.size(); ++r) {
        if (key(r) < key(best)) best = r;
    }
    return best;
}

double* write_length(double hypothesis, double reference, double* out) {
    *out++ = hypothesis;
    *out++ = reference;
    *out++ = std::min(hypothesis, reference);
    *out++ = std::max(hypothesis, reference);
    return out;
}

template <class Visit>
void for_each_word(std::string_view text, Visit&& visit) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        visit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace

bool ShortWords::contains(std::string_view word) const {
    return listed ? listed->contains(word) : text::utf8::length(word) < fewer_than;
}

WordLengths word_lengths(std::string_view text, const ShortWords& short_words) {
    WordLengths lengths;
    if (short_words.listed) {
        for_each_word(text, [&](std::string_view word) {
            lengths.characters += static_cast<double>(text::utf8::length(word));
            lengths.short_words += short_words.contains(word) ? 1 : 0;
        });
        return lengths;
    }
    // Letters are counted in one pass; no branch but the loop's depends on what a byte is.
    std::size_t letters = 0, all = 0, few = 0;
    for (const char byte : text) {
        const bool blank = byte == ' ';
        letters += !blank && !text::utf8::is_continuation(byte);
        few += blank && letters < short_words.fewer_than;
        all += blank ? letters : 0;
        letters = blank ? 0 : letters;
    }
    if (!text.empty() && text.back() != ' ') few += letters < short_words.fewer_than;
    lengths.characters = static_cast<double>(all + letters);
    lengths.short_words = static_cast<double>(few);
    return lengths;
}

AmberReferences::AmberReferences(const std::vector<const text::Texts*>& columns,
                                 ShortWords short_words)
    : short_words_(std::move(short_words)), tokens_(columns, text::tokens::Tokenization::none) {
    ends_.reserve(tokens_.size());
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        for (const text::Texts* column : columns) {
            if (!column->missing(i)) lengths_.push_back(word_lengths((*column)[i], short_words_));
        }
        ends_.push_back(lengths_.size());
    }
}

std::span<const WordLengths> AmberReferences::lengths(std::size_t segment) const {
    const std::size_t begin = segment == 0 ? 0 : ends_[segment - 1];
    return std::span(lengths_).subspan(begin, ends_[segment] - begin);
}

AmberKernel::AmberKernel(const AmberOptions& options, const text::Texts& hypotheses,
                         const AmberReferences& references, const WordWeights* weights)
    : options_(options),
      hypotheses_(&hypotheses),
      references_(&references),
      weights_(weights),
      gaps_(strategies_with_gaps(options)) {
    if (options.order == 0 || options.counted < options.order) {
        throw std::invalid_argument("AMBER order 0 or above the n-grams counted");
    }
}

std::size_t AmberKernel::columns(const AmberOptions& options, bool weighted) {
    const std::size_t gaps = 2 * (options.order - 1) * strategies_with_gaps(options);
    const std::size_t weights = weighted ? 3 * options.counted + gaps : 0;
    return 4 * options.counted + gaps + length_columns + order_columns + weights;
}

void AmberKernel::compare(const core::Segment& segment, std::size_t hypothesis,
                          std::size_t references, double* row) {
    std::fill_n(row, columns(options_, weights_ != nullptr), 0.0);
    const std::size_t nearest = closest(segment);
    const core::Tokens reference = segment.references[nearest];
    if (segment.hypothesis.empty() && reference.empty()) return;  // adds nothing
    if (weights_ != nullptr) weigh(segment, hypothesis, references);
    count_grams(segment);
    double* out = write_grams(row, &GramSum::count);
    for (const GramSum& sum : plain_.matches) *out++ = sum.count > 0 ? 1 : 0;
    out = write_gaps(out, &GramSum::count);
    out = write_lengths(segment, hypothesis, references, nearest, out);
    out = write_order(segment.hypothesis, reference, segment.vocabulary, out);
    if (weights_ == nullptr) return;
    write_gaps(write_grams(out, &GramSum::weight), &GramSum::weight);
}

void AmberKernel::weigh(const core::Segment& segment, std::size_t hypothesis,
                        std::size_t references) {
    const text::Vocabulary vocabulary = references_->tokens().vocabulary(references);
    segment_weights_.vocabulary.resize(vocabulary.keys.size());
    for (std::size_t t = 0; t < vocabulary.keys.size(); ++t) {
        segment_weights_.vocabulary[t] = weights_->of(vocabulary, static_cast<core::Token>(t));
    }
    segment_weights_.hypothesis.clear();
    for_each_word((*hypotheses_)[hypothesis], [&](std::string_view word) {
        segment_weights_.hypothesis.push_back(weights_->of(word));
    });
    if (segment_weights_.hypothesis.size() != segment.hypothesis.size()) {
        throw std::invalid_argument("segment " + std::to_string(hypothesis + 1) +
                                    ": found other blanks, expected a space between words");
    }
}

void AmberKernel::count_grams(const core::Segment& segment) {
    plain_.clear(options_.counted);
    reference_.assign(options_.counted, {});
    for (GramSums& sums : gaps_) sums.clear(options_.order - 1);
    auto sums = gaps_.begin();
    if (weights_ == nullptr && !options_.skip && MaskMatches::fits(segment, options_.counted)) {
        GramSums* const fixed = options_.fixed_gap ? &*sums++ : nullptr;
        GramSums* const flexible = options_.flexible_gap ? &*sums : nullptr;
        masks_.count(segment, options_.counted, options_.order,
                     {&plain_, &reference_, fixed, flexible});
        return;
    }
    grams_.begin(segment, weights_ ? &segment_weights_ : nullptr, plain_, reference_);
    if (options_.fixed_gap) fixed_.count(grams_, *sums++);
    if (options_.flexible_gap) flexible_.count(grams_, *sums++);
    if (options_.skip) skip_.count(grams_, options_.skip_limit, *sums);
}

double* AmberKernel::write_grams(double* out, double GramSum::* part) const {
    for (const auto* sums : {&plain_.matches, &plain_.totals, &reference_}) {
        for (const GramSum& sum : *sums) *out++ = sum.*part;
    }
    return out;
}

double* AmberKernel::write_gaps(double* out, double GramSum::* part) const {
    for (const GramSums& gaps : gaps_) {
        for (const GramSum& sum : gaps.matches) *out++ = sum.*part;
        for (const GramSum& sum : gaps.totals) *out++ = sum.*part;
    }
    return out;
}

double* AmberKernel::write_lengths(const core::Segment& segment, std::size_t hypothesis,
                                   std::size_t references, std::size_t nearest, double* out) const {
    const auto words = static_cast<double>(segment.hypothesis.size());
    const auto reference_words = static_cast<double>(segment.references[nearest].size());
    const WordLengths own = word_lengths((*hypotheses_)[hypothesis], references_->short_words());
    const WordLengths other = references_->lengths(references)[nearest];
    out = write_length(words, reference_words, out);
    out = write_length(own.characters, other.characters, out);
    *out++ = std::abs(own.short_words - other.short_words);
    *out++ = std::abs((words - own.short_words) - (reference_words - other.short_words));
    return out;
}

// Σd² / (n(n + 1)(n − 1)) and the share of pairs out of order; 0 with fewer than two words.
double* AmberKernel::write_order(core::Tokens hypothesis, core::Tokens reference,
                                 std::size_t vocabulary, double* out) {
    // Ranks are 1 + the number of counterparts before; a reference word that two words reach
    // belongs to the first of them.
    ranks_.assign(reference.size() + 1, 0);
    positions_.clear();
    for (const std::uint32_t p : order_.correspondence(hypothesis, reference, vocabulary)) {
        if (ranks_[p + 1]++ == 0) positions_.push_back(p);
    }
    const auto words = static_cast<double>(positions_.size());
    if (positions_.size() >= 2) {
        for (std::size_t p = 1; p < ranks_.size(); ++p) {
            ranks_[p] = ranks_[p - 1] + std::min(ranks_[p], 1u);
        }
        double squares = 0;
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            const double distance =
                static_cast<double>(ranks_[positions_[i]]) - static_cast<double>(i);
            squares += distance * distance;
        }
        const auto increasing = static_cast<double>(order_.increasing_pairs(positions_));
        out[0] = squares / (words * (words + 1) * (words - 1));
        out[1] = 1 - increasing / (words * (words - 1) / 2);
    }
    out[2] = 1;
    return out + order_columns;
}

}  // namespace tertium::metrics::amber
