// A hypothesis and its references as numbers, as an interner would give them.
#pragma once

#include <cstddef>
#include <vector>

#include "core/segment.hpp"
#include "fuzz/input.hpp"

namespace tertium::fuzz {

class FuzzSegment {
  public:
    FuzzSegment(Input& input, std::size_t most_references, std::size_t most_words = 2048) {
        const std::size_t references = 1 + input.below(most_references);
        const std::size_t words = 1 + input.below(40);
        hypothesis_ = input.tokens(words, most_words);
        for (std::size_t r = 0; r < references; ++r) {
            references_.push_back(input.tokens(words, most_words));
        }
        // Numbers of the references come first, in the order of arrival.
        std::vector<core::Token> numbers(words, core::unknown);
        for (auto& reference : references_) {
            for (core::Token& token : reference) {
                core::Token& number = numbers[static_cast<std::size_t>(token)];
                if (number == core::unknown) number = static_cast<core::Token>(vocabulary_++);
                token = number;
            }
            views_.emplace_back(reference);
        }
        for (core::Token& token : hypothesis_) token = numbers[static_cast<std::size_t>(token)];
    }
    FuzzSegment(const FuzzSegment&) = delete;
    FuzzSegment& operator=(const FuzzSegment&) = delete;

    core::Segment segment() const { return {hypothesis_, views_, vocabulary_}; }
    core::Tokens hypothesis() const { return hypothesis_; }
    core::Tokens reference(std::size_t i = 0) const { return views_[i]; }
    std::size_t references() const { return views_.size(); }
    std::size_t vocabulary() const { return vocabulary_; }
    std::size_t words() const {
        std::size_t all = hypothesis_.size();
        for (const core::Tokens reference : views_) all += reference.size();
        return all;
    }

  private:
    std::vector<core::Token> hypothesis_;
    std::vector<std::vector<core::Token>> references_;
    std::vector<core::Tokens> views_;
    std::size_t vocabulary_ = 0;
};

}  // namespace tertium::fuzz
