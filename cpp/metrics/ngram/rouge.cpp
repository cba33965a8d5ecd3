#include "metrics/ngram/rouge.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace tertium::metrics::ngram {
namespace {

double ratio(double matches, double total) {
    return total > 0 ? matches / total : 0;
}

// ROUGE-1.5.5 compares references by recall as it prints it, with five decimals.
double printed(double recall) {
    return std::nearbyint(recall * 1e5);
}

double length_of(core::Tokens text) {
    return static_cast<double>(text.size());
}

}  // namespace

Overlap RougeGrams::operator()(core::Tokens hypothesis, core::Tokens reference,
                               std::size_t vocabulary) {
    const auto total = [this](core::Tokens text) {
        return text.size() < matches_.size()
                   ? 0.0
                   : static_cast<double>(text.size() - matches_.size() + 1);
    };
    std::ranges::fill(matches_, 0.0);
    counter_.count(hypothesis, reference, vocabulary, matches_);
    const double matched = matches_.back();
    return {matched, total(reference), total(hypothesis),
            printed(ratio(matched, total(reference)))};
}

double RougeGrams::share(double matches, double total) const {
    return ratio(matches, total);
}

Overlap RougeSubsequence::operator()(core::Tokens hypothesis, core::Tokens reference,
                                     std::size_t vocabulary) {
    const auto matched = static_cast<double>(counter_.length(hypothesis, reference, vocabulary));
    return {matched, length_of(reference), length_of(hypothesis),
            ratio(matched, length_of(reference))};
}

double RougeSubsequence::share(double matches, double total) const {
    return ratio(matches, total);
}

Overlap RougeWeighted::operator()(core::Tokens hypothesis, core::Tokens reference, std::size_t) {
    const double matched = counter_.size(hypothesis, reference);
    const double most = std::pow(length_of(reference), weight_);
    return {matched, once_ ? most : std::pow(most, weight_),
            std::pow(length_of(hypothesis), weight_), share(matched, most)};
}

double RougeWeighted::share(double matches, double total) const {
    return std::pow(ratio(matches, total), 1 / weight_);
}

Overlap RougeSkipBigrams::operator()(core::Tokens hypothesis, core::Tokens reference,
                                     std::size_t vocabulary) {
    double matched = counter_.matches(hypothesis, reference, vocabulary, skip_);
    double reference_total = SkipBigrams::total(reference.size(), skip_);
    double hypothesis_total = SkipBigrams::total(hypothesis.size(), skip_);
    if (unigrams_) {
        const auto begins = [](core::Tokens text) {
            return text.first(text.empty() ? 0 : text.size() - 1);
        };
        unigram_counter_.count(begins(hypothesis), begins(reference), vocabulary,
                               std::span(&matched, 1));
        reference_total += length_of(begins(reference));
        hypothesis_total += length_of(begins(hypothesis));
    }
    return {matched, reference_total, hypothesis_total, printed(ratio(matched, reference_total))};
}

double RougeSkipBigrams::share(double matches, double total) const {
    return ratio(matches, total);
}

}  // namespace tertium::metrics::ngram
