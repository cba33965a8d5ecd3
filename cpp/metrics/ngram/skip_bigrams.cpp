#include "metrics/ngram/skip_bigrams.hpp"

#include <algorithm>
#include <iterator>

#include "core/interrupt.hpp"

namespace tertium::metrics::ngram {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

void find_first(core::Tokens text, std::size_t vocabulary, std::vector<std::size_t>& first) {
    first.assign(vocabulary, nowhere);
    for (std::size_t p = text.size(); p-- > 0;) {
        if (text[p] != core::unknown) first[static_cast<std::size_t>(text[p])] = p;
    }
}

void keep_found(core::Tokens text, const std::vector<std::size_t>& elsewhere,
                std::vector<core::Token>& out) {
    out.clear();
    std::ranges::copy_if(text, std::back_inserter(out), [&](core::Token token) {
        return token != core::unknown && elsewhere[static_cast<std::size_t>(token)] != nowhere;
    });
}

// Adds to each word how often `word`, which stands first at `begin`, stands before it.
void count_after(core::Tokens text, std::size_t begin, core::Token word,
                 std::vector<std::uint64_t>& counts) {
    std::uint64_t seen = 0;
    for (std::size_t p = begin; p < text.size(); ++p) {
        counts[static_cast<std::size_t>(text[p])] += seen;
        seen += text[p] == word;
    }
}

}  // namespace

double SkipBigrams::total(std::size_t length, std::size_t skip) {
    if (length < 2) return 0;
    const auto n = static_cast<double>(length);
    if (skip >= length - 2) return n * (n - 1) / 2;
    // Σ (n − d) over distances d = 1 … skip + 1
    const auto distances = static_cast<double>(skip) + 1;
    return distances * n - distances * (distances + 1) / 2;
}

double SkipBigrams::matches(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                            std::size_t skip) {
    const std::size_t longest = std::max(hypothesis.size(), reference.size());
    if (skip >= longest) return matches_by_first_word(hypothesis, reference, vocabulary);
    return matches_by_table(hypothesis, reference, skip);
}

// Without a limit only order matters, so words that the other text lacks are left out; then one
// pass over each text counts all pairs with the same first word. Memory stays linear.
double SkipBigrams::matches_by_first_word(core::Tokens hypothesis, core::Tokens reference,
                                          std::size_t vocabulary) {
    find_first(hypothesis, vocabulary, hypothesis_first_);
    keep_found(reference, hypothesis_first_, reference_shared_);
    find_first(reference_shared_, vocabulary, reference_first_);
    keep_found(hypothesis, reference_first_, hypothesis_shared_);
    find_first(hypothesis_shared_, vocabulary, hypothesis_first_);
    hypothesis_counts_.assign(vocabulary, 0);
    reference_counts_.assign(vocabulary, 0);
    std::uint64_t matched = 0;
    for (std::size_t begin = 0; begin < reference_shared_.size(); ++begin) {
        core::check_interrupt();
        const core::Token word = reference_shared_[begin];
        const auto w = static_cast<std::size_t>(word);
        if (reference_first_[w] != begin) continue;
        count_after(hypothesis_shared_, hypothesis_first_[w], word, hypothesis_counts_);
        count_after(reference_shared_, begin, word, reference_counts_);
        for (std::size_t p = begin; p < reference_shared_.size(); ++p) {
            const auto second = static_cast<std::size_t>(reference_shared_[p]);
            matched += std::min(hypothesis_counts_[second], reference_counts_[second]);
            reference_counts_[second] = 0;
        }
        for (std::size_t p = hypothesis_first_[w]; p < hypothesis_shared_.size(); ++p) {
            hypothesis_counts_[static_cast<std::size_t>(hypothesis_shared_[p])] = 0;
        }
    }
    return static_cast<double>(matched);
}

double SkipBigrams::matches_by_table(core::Tokens hypothesis, core::Tokens reference,
                                     std::size_t skip) {
    // Room for all pairs, unless that were very much for text that may repeat itself.
    constexpr std::size_t most_partners = 8;
    table_.clear(reference.size() * std::min(skip + 1, most_partners));
    left_.clear();
    for (std::size_t p = 0; p < reference.size(); ++p) {
        core::check_interrupt();
        const std::size_t end = std::min(reference.size(), p + skip + 2);
        for (std::size_t q = p + 1; q < end; ++q) {
            const core::Gram pair =
                table_.intern(static_cast<core::Gram>(reference[p]), reference[q]);
            if (pair == left_.size()) left_.push_back(0);
            ++left_[pair];
        }
    }
    double matched = 0;
    for (std::size_t p = 0; p < hypothesis.size(); ++p) {
        core::check_interrupt();
        if (hypothesis[p] == core::unknown) continue;
        const std::size_t end = std::min(hypothesis.size(), p + skip + 2);
        for (std::size_t q = p + 1; q < end; ++q) {
            const core::Gram pair =
                table_.find(static_cast<core::Gram>(hypothesis[p]), hypothesis[q]);
            if (pair == core::no_gram || left_[pair] == 0) continue;
            --left_[pair];
            matched += 1;
        }
    }
    return matched;
}

}  // namespace tertium::metrics::ngram
