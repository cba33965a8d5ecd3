#include "metrics/ngram/gram_information.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tertium::metrics::ngram {

GramInformation::GramInformation(const text::References& references, std::size_t order,
                                 bool zero_is_no_history)
    : order_(order), identity_(references.identity()) {
    if (order == 0) throw std::invalid_argument("NIST order 0, expected at least 1");
    pool(references);
    if (zero_is_no_history) no_history_ = tokens_.find("0");
    sort_by_first_words();
    // What follows an n-gram that occurs once occurs once as well.
    counts_.assign(words_.size() * order, 1);
    constexpr std::size_t words_at_once = 64;
    core::for_each_block(word_ends_.size(), words_at_once, [&] {
        return [&](std::size_t first, std::size_t end) { sort_places(first, end); };
    });
}

void GramInformation::pool(const text::References& references) {
    references.prepare();
    std::size_t room = 0;
    for (std::size_t i = 0; i < references.size(); ++i) {
        for (const core::Tokens reference : references.references(i)) room += reference.size() + 1;
    }
    words_.reserve(room);
    std::vector<core::Token> ids;
    for (std::size_t i = 0; i < references.size(); ++i) {
        core::check_interrupt();
        const text::Vocabulary vocabulary = references.vocabulary(i);
        ids.resize(vocabulary.keys.size());
        for (std::size_t t = 0; t < ids.size(); ++t) {
            ids[t] = tokens_.intern(vocabulary, static_cast<core::Token>(t));
        }
        segments_.push_back(words_.size());
        for (const core::Tokens reference : references.references(i)) {
            for (const core::Token token : reference) {
                words_.push_back(ids[static_cast<std::size_t>(token)]);
            }
            word_total_ += static_cast<double>(reference.size());
            words_.push_back(core::unknown);
        }
    }
    if (words_.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw std::invalid_argument("NIST: more than 2^32 reference words, expected fewer");
    }
}

void GramInformation::sort_by_first_words() {
    std::vector<std::size_t> next(tokens_.size() + 1, 0);
    for (const core::Token word : words_) ++next[static_cast<std::size_t>(word + 1)];
    next[0] = 0;  // of what is no word
    for (std::size_t w = 1; w < next.size(); ++w) next[w] += next[w - 1];
    word_ends_.assign(next.begin() + 1, next.end());
    places_.resize(next.back());
    for (std::size_t p = 0; p < words_.size(); ++p) {
        if (words_[p] == core::unknown) continue;
        places_[next[static_cast<std::size_t>(words_[p])]++] = static_cast<std::uint32_t>(p);
    }
}

// Sorts the places of some words by the second word, those that agree in it by the third, and so
// on, and writes down how many agree.
void GramInformation::sort_places(std::size_t first_word, std::size_t end_word) {
    std::vector<Range> ranges;  // of places that agree in n words
    std::vector<Range> longer;
    std::vector<std::uint64_t> keys;
    const auto add = [&](const Range& range, std::size_t n, std::vector<Range>& list) {
        const auto count = static_cast<std::uint32_t>(range.end - range.begin);
        if (count < 2) return;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            counts_[places_[i] * order_ + n - 1] = count;
        }
        list.push_back(range);
    };
    for (std::size_t w = first_word; w < end_word; ++w) {
        add({w == 0 ? 0 : word_ends_[w - 1], word_ends_[w]}, 1, ranges);
    }
    for (std::size_t n = 1; n < order_; ++n) {
        longer.clear();
        for (const auto& [begin, end] : ranges) {
            keys.clear();
            for (std::size_t i = begin; i < end; ++i) {
                const auto word = static_cast<std::uint32_t>(words_[places_[i] + n]);
                keys.push_back(static_cast<std::uint64_t>(word) << 32 | places_[i]);
            }
            std::ranges::sort(keys);
            std::size_t run = 0;
            for (std::size_t k = 0; k < keys.size(); ++k) {
                places_[begin + k] = static_cast<std::uint32_t>(keys[k]);
                if (keys[k] >> 32 == keys[run] >> 32) continue;
                add({begin + run, begin + k}, n + 1, longer);
                run = k;
            }
            // The last run is of those that nothing follows, if there are any.
            if (static_cast<core::Token>(keys[run] >> 32) != core::unknown) {
                add({begin + run, end}, n + 1, longer);
            }
        }
        std::swap(ranges, longer);
    }
}

double GramInformation::bits(std::size_t place, std::size_t n) const {
    const std::uint32_t* counts = counts_.data() + place * order_;
    const bool alone = n == 1 || (n == 2 && words_[place] == no_history_);
    const double before = alone ? word_total_ : counts[n - 2];
    return std::log2(before / counts[n - 1]);
}

GramInformation::Places GramInformation::places(core::Token word) const {
    const auto w = static_cast<std::size_t>(word);
    const std::size_t begin = w == 0 ? 0 : word_ends_[w - 1];
    return Places(places_).subspan(begin, word_ends_[w] - begin);
}

GramInformation::Places GramInformation::longer(Places places, std::size_t n,
                                                core::Token last) const {
    if (last == core::unknown) return {};
    const auto next = [&](std::uint32_t place) {
        return static_cast<std::uint32_t>(words_[place + n]);
    };
    const auto word = static_cast<std::uint32_t>(last);
    const auto begin = std::ranges::lower_bound(places, word, {}, next);
    return {begin, std::ranges::upper_bound(begin, places.end(), word, {}, next)};
}

}  // namespace tertium::metrics::ngram
