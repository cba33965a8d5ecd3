#include "metrics/ngram/nist.hpp"

#include <algorithm>

namespace tertium::metrics::ngram {

// A match stands in a reference whose n-grams are counted already.
void NistKernel::match_counted(const core::Segment& segment, std::size_t index,
                               double* information) {
    places_.clear();
    std::size_t place = information_->place(index);
    for (const core::Tokens reference : segment.references) {
        places_.push_back(place);
        place += reference.size() + 1;
    }
    const auto matched = [&](std::size_t, std::size_t n, const ReferencePlace& found) {
        const std::size_t begin = places_[found.reference] + found.end + 1 - n;
        information[n - 1] += information_->bits(begin, n);
    };
    matcher_.find(segment, information_->order(), matched);
}

// The references are others than those counted, such as a part of them: look-ups by word.
void NistKernel::match_others(const core::Segment& segment, std::size_t index,
                              double* information) {
    const text::Vocabulary vocabulary = references_->vocabulary(index);
    corpus_ids_.resize(vocabulary.keys.size());
    for (std::size_t t = 0; t < corpus_ids_.size(); ++t) {
        corpus_ids_[t] = information_->tokens().find(vocabulary, static_cast<core::Token>(t));
    }
    hypothesis_.clear();
    for (const core::Token token : segment.hypothesis) {
        hypothesis_.push_back(
            token == core::unknown ? core::unknown : corpus_ids_[static_cast<std::size_t>(token)]);
    }
    starts_.assign(hypothesis_.size(), Start{});
    const auto matched = [&](std::size_t end, std::size_t n, const ReferencePlace&) {
        information[n - 1] += bits(end + 1 - n, end + 1);
    };
    matcher_.find(segment, information_->order(), matched);
}

// Of an n-gram and its beginning only one is looked up anew, since the shorter comes first.
double NistKernel::bits(std::size_t begin, std::size_t end) {
    Start& start = starts_[begin];
    if (hypothesis_[begin] == core::unknown) return 0;
    if (start.length == 0) start = {information_->places(hypothesis_[begin]), 1};
    for (; begin + start.length < end && !start.places.empty(); ++start.length) {
        const core::Token last = hypothesis_[begin + start.length];
        start.places = information_->longer(start.places, start.length, last);
    }
    return start.places.empty() ? 0 : information_->bits(start.places.front(), end - begin);
}

void NistKernel::operator()(const core::Segment& segment, std::size_t index, double* row) {
    const std::size_t order = information_->order();
    const std::size_t length = segment.hypothesis.size();
    std::fill(row, row + columns(order), 0.0);
    if (counted_) {
        match_counted(segment, index, row);
    } else {
        match_others(segment, index, row);
    }
    for (std::size_t n = 0; n < order && n < length; ++n) {
        row[order + n] = static_cast<double>(length - n);
    }
    double reference_words = 0;
    for (const core::Tokens reference : segment.references) {
        reference_words += static_cast<double>(reference.size());
    }
    row[2 * order] = static_cast<double>(length);
    row[2 * order + 1] = reference_words / static_cast<double>(segment.references.size());
}

}  // namespace tertium::metrics::ngram
