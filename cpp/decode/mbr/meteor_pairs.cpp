#include "decode/mbr/meteor_pairs.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"

namespace tertium::decode::mbr {
namespace {

// How many words the longest phrase has that begins these words; 1 where there is none.
std::size_t longest_phrase(const metrics::meteor::MeteorWords& vocabulary,
                           const metrics::meteor::MeteorPhrases* phrases,
                           std::span<const metrics::meteor::Word> words) {
    std::size_t longest = 1;
    if (phrases == nullptr) return longest;
    std::uint32_t node = phrases->first(vocabulary.phrase_word(words[0]));
    for (std::size_t length = 1; node != 0; ++length) {
        if (phrases->is_phrase(node)) longest = length;
        if (length == words.size()) break;
        node = phrases->next(node, vocabulary.phrase_word(words[length]));
    }
    return longest;
}

}  // namespace

MeteorPairs::MeteorPairs(const metrics::meteor::MeteorWords& hypotheses,
                         const metrics::meteor::MeteorWords& references,
                         const metrics::meteor::MeteorParameters& parameters,
                         const metrics::meteor::MeteorPhrases* phrases)
    : hypotheses_(hypotheses),
      references_(references),
      parameters_(parameters),
      phrases_(metrics::meteor::match_stages(parameters.stages, phrases).phrases) {
    name_kinds();
    sort_references();
}

void MeteorPairs::name_kinds() {
    std::map<std::vector<metrics::meteor::Word>, std::uint32_t> numbers;
    reference_begins_.assign(1, 0);
    for (std::size_t r = 0; r < references_.size(); ++r) {
        const std::span words = references_.words(0, r);
        if (words.size() <=
            metrics::meteor::MeteorShortSearch::most_words) {  // longer ones have no use for them
            for (std::size_t place = 0; place < words.size(); ++place) {
                const std::span rest = words.subspan(place);
                const std::span own = rest.first(longest_phrase(references_, phrases_, rest));
                const auto [found, fresh] = numbers.try_emplace(
                    {own.begin(), own.end()}, static_cast<std::uint32_t>(kinds_.size()));
                if (fresh) {
                    kinds_.push_back({static_cast<std::uint32_t>(kind_words_.size()),
                                      static_cast<std::uint32_t>(own.size())});
                    kind_words_.insert(kind_words_.end(), own.begin(), own.end());
                }
                kinds_of_places_.push_back(found->second);
            }
        }
        reference_begins_.push_back(kinds_of_places_.size());
    }
}

void MeteorPairs::sort_references() {
    order_.resize(references_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::sort(order_, [&](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare(kinds_of(a), kinds_of(b));
    });
    shared_.assign(order_.size(), 0);
    for (std::size_t i = 1; i < order_.size(); ++i) {
        const std::span own = kinds_of(order_[i]), before = kinds_of(order_[i - 1]);
        const auto [end, unused] = std::ranges::mismatch(own, before);
        shared_[i] = static_cast<std::size_t>(end - own.begin());
    }
}

class MeteorPairs::Worker {
  public:
    explicit Worker(const MeteorPairs& pairs)
        : pairs_(pairs),
          kernel_(pairs.parameters_, pairs.phrases_),
          matches_(metrics::meteor::match_stages(pairs.parameters_.stages, pairs.phrases_)),
          search_(pairs.parameters_.beam) {}

    void compare_all(std::size_t hypothesis, double* rows) {
        const std::size_t columns =
            metrics::meteor::MeteorKernel::columns(pairs_.parameters_.stages.size());
        const metrics::meteor::MeteorWords& vocabulary = pairs_.hypotheses_;
        const std::span words = vocabulary.words(0, hypothesis);
        const bool is_short = search_.fits(words.size(), 0) && prepare_options(words);
        std::size_t unchanged = 0;  // kinds since the last search
        for (std::size_t i = 0; i < pairs_.order_.size(); ++i) {
            const std::size_t r = pairs_.order_[i];
            const std::span reference = pairs_.references_.words(0, r);
            double* const row = rows + r * columns;
            unchanged = std::min(unchanged, pairs_.shared_[i]);
            if (!is_short || !search_.fits(words.size(), reference.size()) ||
                std::ranges::equal(words, reference)) {
                kernel_.compare(vocabulary, words, reference, row);
                continue;
            }
            places_.clear();
            for (const std::uint32_t kind : pairs_.kinds_of(r))
                places_.push_back(kind_options_[kind]);
            search_.search(places_, unchanged);
            unchanged = std::numeric_limits<std::size_t>::max();
            kernel_.count(vocabulary, words, reference, search_.chosen(), search_.chunks(), row);
        }
    }

  private:
    // The options of each kind of place for one hypothesis; false if there are too many.
    bool prepare_options(std::span<const metrics::meteor::Word> words) {
        options_.clear();
        ends_.clear();
        if (!pairs_.kinds_.empty()) {
            matches_.prepare(pairs_.hypotheses_, words, pairs_.kind_words_,
                             std::numeric_limits<std::uint32_t>::max());
        }
        for (const Kind& kind : pairs_.kinds_) {
            matches_.at(kind.place, here_);
            // Words of the next kind are no part of its phrases.
            std::erase_if(here_, [&](const metrics::meteor::Match& match) {
                return match.length > kind.length;
            });
            if (here_.size() > metrics::meteor::MeteorShortSearch::most_options) return false;
            for (const metrics::meteor::Match& match : here_) options_.emplace_back(match);
            ends_.push_back(options_.size());
        }
        kind_options_.clear();
        std::size_t begin = 0;
        for (const std::size_t end : ends_) {
            kind_options_.push_back(std::span(options_).subspan(begin, end - begin));
            begin = end;
        }
        return true;
    }

    const MeteorPairs& pairs_;
    metrics::meteor::MeteorKernel kernel_;
    metrics::meteor::MeteorMatches matches_;
    metrics::meteor::MeteorShortSearch search_;
    std::vector<metrics::meteor::Match> here_;
    std::vector<metrics::meteor::MatchOption> options_;
    std::vector<std::size_t> ends_;
    std::vector<metrics::meteor::MeteorShortSearch::Options> kind_options_, places_;
};

void MeteorPairs::rows(double* rows) const {
    const std::size_t width =
        references_.size() * metrics::meteor::MeteorKernel::columns(parameters_.stages.size());
    core::for_each_block(hypotheses_.size(), 1, [&] {
        return [&, worker = Worker(*this)](std::size_t begin, std::size_t end) mutable {
            for (std::size_t h = begin; h < end; ++h) worker.compare_all(h, rows + h * width);
        };
    });
}

}  // namespace tertium::decode::mbr
