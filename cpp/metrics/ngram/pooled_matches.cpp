#include "metrics/ngram/pooled_matches.hpp"

#include <algorithm>
#include <limits>

namespace tertium::metrics::ngram {
namespace {

constexpr std::size_t short_reference = 64;
// The array of numbers has to stay in the cache.
constexpr std::size_t most_numbers = 1 << 18;

// Tokens as places in an array: 0 is that of unknown ones.
std::size_t place_of(core::Token token) {
    return static_cast<std::size_t>(token + 1);
}

}  // namespace

bool PooledMatches::count(const core::Segment& segment, std::span<double> matches) {
    std::size_t tokens = 0;
    bool any_long = false;
    for (const core::Tokens reference : segment.references) {
        tokens += reference.size();
        any_long = any_long || reference.size() > short_reference;
    }
    width_ = segment.vocabulary + 1;
    // Of single tokens there may be more numbers than the references have tokens.
    const std::size_t size = std::max(tokens + 1, width_) * width_;
    const bool many =
        size > most_numbers || std::max(tokens, width_) > std::numeric_limits<Number>::max();
    if (!any_long || many || matches.size() < 2) return false;
    if (numbers_.size() < size) numbers_.resize(size, 0);
    places_.resize(tokens + 1);
    reference_grams_.resize(tokens);
    hypothesis_grams_.resize(segment.hypothesis.size());
    start(segment);
    matches[0] += this->matches();
    for (std::size_t n = 1; n < matches.size(); ++n) {
        number_longer(segment, n);
        find_longer(segment.hypothesis, n);
        forget();
        matches[n] += this->matches();
    }
    return true;
}

// The number of a single token is its place.
void PooledMatches::start(const core::Segment& segment) {
    size_ = width_;
    limits_.assign(size_, 0);
    counts_.assign(size_, 0);
    Number* gram = reference_grams_.data();
    for (const core::Tokens reference : segment.references) {
        for (const core::Token token : reference) {
            *gram = static_cast<Number>(place_of(token));
            ++counts_[*gram++];
        }
        pool_counts();
    }
    gram = hypothesis_grams_.data();
    for (const core::Token token : segment.hypothesis) {
        *gram = static_cast<Number>(place_of(token));
        ++counts_[*gram++];
    }
}

// An n-gram has its place where it begins. `order` is the length of those there are.
void PooledMatches::number_longer(const core::Segment& segment, std::size_t order) {
    const std::size_t tokens = reference_grams_.size();
    limits_.assign(tokens + 1, 0);
    counts_.assign(tokens + 1, 0);
    size_ = 1;
    Number* grams = reference_grams_.data();
    for (const core::Tokens reference : segment.references) {
        for (std::size_t p = 0; p + order < reference.size(); ++p) {
            const std::size_t place = grams[p] * width_ + place_of(reference[p + order]);
            const Number known = numbers_[place];
            const Number number = known != 0 ? known : static_cast<Number>(size_);
            places_[size_] = place;  // and written over unless it is new
            size_ += known == 0;
            numbers_[place] = grams[p] = number;
            ++counts_[number];
        }
        grams += reference.size();
        pool_counts();
    }
}

void PooledMatches::find_longer(core::Tokens hypothesis, std::size_t order) {
    for (std::size_t p = 0; p + order < hypothesis.size(); ++p) {
        Number& gram = hypothesis_grams_[p];
        gram = numbers_[gram * width_ + place_of(hypothesis[p + order])];
        ++counts_[gram];
    }
}

void PooledMatches::forget() {
    for (std::size_t number = 1; number < size_; ++number) numbers_[places_[number]] = 0;
}

void PooledMatches::pool_counts() {
    for (std::size_t number = 0; number < size_; ++number) {
        limits_[number] = std::max(limits_[number], counts_[number]);
        counts_[number] = 0;
    }
}

double PooledMatches::matches() const {
    std::uint32_t sum = 0;
    for (std::size_t number = 1; number < size_; ++number) {
        sum += std::min(limits_[number], counts_[number]);
    }
    return sum;
}

}  // namespace tertium::metrics::ngram
