#include "metrics/amber/word_weights.hpp"

#include <cmath>

namespace tertium::metrics::amber {

WordWeights::WordWeights(const text::References& references) {
    const auto segments = static_cast<double>(references.size());
    references.prepare();
    for (std::size_t i = 0; i < references.size(); ++i) {
        const text::Vocabulary vocabulary = references.vocabulary(i);
        for (std::size_t t = 0; t < vocabulary.keys.size(); ++t) {
            const auto number = tokens_.intern(vocabulary, static_cast<core::Token>(t));
            const auto place = static_cast<std::size_t>(number);
            if (place == weights_.size()) weights_.push_back(0);
            weights_[place] += 1;
        }
    }
    for (double& weight : weights_) weight = std::log(1 + segments / weight);
    of_unseen_ = std::log(1 + segments);
}

double WordWeights::weight(core::Token number) const {
    return number == core::unknown ? of_unseen_ : weights_[static_cast<std::size_t>(number)];
}

double WordWeights::of(const text::Vocabulary& vocabulary, core::Token token) const {
    return weight(tokens_.find(vocabulary, token));
}

double WordWeights::of(std::string_view word) const {
    return weight(tokens_.find(word));
}

}  // namespace tertium::metrics::amber
