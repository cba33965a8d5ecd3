// Bounds on TER for pruned minimum Bayes risk (tertium.decode.mbr.pruning): for each pair the
// fewest and the most edits that the shift search can end with, from counts and one plain edit
// distance, so that most pairs never need the search.
//
// The lower bound counts what an edit or a shift can repair at most in the bags of words and of
// bigrams (derived at Bounder). The upper bound is the distance without shifts. Where both meet,
// that is the result of the search and has to be it to the last bit, as the decision then is made
// on it.
//
//  - The bounds hold for the search as it is, beam included: a beam can make a distance larger than
//    the true one, so an upper bound must come from the beam's own distance wherever the plain one
//    is not known to be the same (`unshifted`). A new search limit needs a look at this function.
//  - Bags are clipped matches of unigrams and bigrams with a border token on both sides
//    (GramMatcher), for one reference against all hypotheses at a time.
//  - Plain distances are computed for DistanceLanes::most hypotheses at once, sorted by length so
//    that lanes end together; texts of more than most_words words go one by one.
// An empty text has only insertions or deletions, which is exact and needs no search.
#include "decode/mbr/ter_intervals.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/interrupt.hpp"
#include "core/parallel.hpp"
#include "decode/mbr/distance_lanes.hpp"
#include "decode/mbr/ter_pairs.hpp"
#include "metrics/edit/tercom_search.hpp"

namespace tertium::decode::mbr {
namespace {

std::int64_t signed_size(std::size_t size) {
    return static_cast<std::int64_t>(size);
}

void check_numbers(std::span<const std::int32_t> numbers, std::size_t size) {
    for (const std::int32_t number : numbers) {
        if (number < 0 || static_cast<std::size_t>(number) >= size) {
            throw std::invalid_argument("TER: found text " + std::to_string(number) +
                                        ", expected one of " + std::to_string(size));
        }
    }
}

}  // namespace

TerIntervals::TerIntervals(PairTokens pairs, const metrics::edit::TerLimits& limits, bool original)
    : pairs_(std::move(pairs)),
      limits_(limits),
      original_(original),
      by_length_(pairs_.hypotheses.size()),
      own_(2),
      others_(2) {
    const auto longest = [](const TokenLists& texts) {
        std::size_t most = 0;
        for (std::size_t i = 0; i < texts.size(); ++i) most = std::max(most, texts[i].size());
        return most;
    };
    if (original) {
        metrics::edit::WeightedTerSearch::check_size(longest(pairs_.hypotheses),
                                                     longest(pairs_.references));
    }
    std::iota(by_length_.begin(), by_length_.end(), std::size_t{0});
    std::stable_sort(by_length_.begin(), by_length_.end(), [&](std::size_t a, std::size_t b) {
        return pairs_.hypotheses[a].size() < pairs_.hypotheses[b].size();
    });
    std::vector<core::Token> words;
    const auto bordered = [&](core::Tokens text) -> core::Tokens {
        const auto border = static_cast<core::Token>(pairs_.vocabulary);
        words.assign(1, border);
        words.insert(words.end(), text.begin(), text.end());
        words.push_back(border);
        return words;
    };
    for (std::size_t h = 0; h < hypotheses(); ++h) own_.add(bordered(pairs_.hypotheses[h]), table_);
    for (std::size_t r = 0; r < references(); ++r) {
        others_.add_known(bordered(pairs_.references[r]), table_);
    }
    matcher_ = std::make_unique<GramMatcher>(own_, table_.size());
}

// Let a text become another by E edits of single words and S shifts. An edit changes one word of
// its bag of words and two of its bag of neighbours (borders included), a shift none and three. So
// where max(|h|, |r|) less what the bags have in common is `words` and `neighbours`,
//     E ≥ words   and   2 E + 3 S ≥ neighbours,
// and E + S is least with the fewest edits. The most is what no shift at all leaves: a search
// makes only shifts that do not cost more than they gain.
class TerIntervals::Bounder {
  public:
    explicit Bounder(const TerIntervals& all)
        : all_(all), lanes_(all.pairs_.vocabulary), distances_(all.limits_.beam) {}

    // Prepares for a range of references and those hypotheses that are wanted.
    void set_references(std::size_t begin, std::size_t end,
                        const std::vector<std::uint8_t>& wanted) {
        begin_ = begin;
        const std::size_t stride = all_.matcher_->stride();
        matches_.resize((end - begin) * 2 * stride);
        plain_.resize((end - begin) * all_.hypotheses());
        for (std::size_t r = begin; r < end; ++r) {
            all_.matcher_->count(all_.others_, r, matches_.data() + (r - begin) * 2 * stride,
                                 scratch_);
        }
        std::array<core::Tokens, DistanceLanes::most> texts;
        std::array<std::size_t, DistanceLanes::most> numbers;
        std::array<std::int32_t, DistanceLanes::most> found;
        std::size_t size = 0;
        const auto measure = [&] {
            core::check_interrupt();
            lanes_.set_texts(std::span(texts).first(size));
            for (std::size_t r = begin; r < end; ++r) {
                if (!fits(all_.pairs_.references[r])) continue;
                lanes_(all_.pairs_.references[r], found.data());
                std::int32_t* const row = plain_.data() + (r - begin) * all_.hypotheses();
                for (std::size_t lane = 0; lane < size; ++lane) row[numbers[lane]] = found[lane];
            }
            size = 0;
        };
        for (const std::size_t h : all_.by_length_) {
            const core::Tokens text = all_.pairs_.hypotheses[h];
            if (wanted[h] == 0 || !fits(text)) continue;
            texts[size] = text;
            numbers[size++] = h;
            if (size == texts.size()) measure();
        }
        if (size > 0) measure();
    }

    std::pair<std::int64_t, std::int64_t> operator()(std::size_t hypothesis,
                                                     std::size_t reference) {
        const std::size_t own = all_.pairs_.hypotheses[hypothesis].size();
        const std::size_t other = all_.pairs_.references[reference].size();
        const std::int64_t longer = signed_size(std::max(own, other));
        if (own == 0 || other == 0) return {longer, longer};
        const std::size_t stride = all_.matcher_->stride();
        const std::uint32_t* const matches =
            matches_.data() + (reference - begin_) * 2 * stride + hypothesis;
        // Both have both borders.
        const std::int64_t words = longer + 2 - static_cast<std::int64_t>(matches[0]);
        const std::int64_t neighbours = longer + 1 - static_cast<std::int64_t>(matches[stride]);
        const std::int64_t shifts = std::max<std::int64_t>(0, (neighbours - 2 * words + 2) / 3);
        const auto [least, most] = unshifted(hypothesis, reference);
        // More edits than the words need come from their order, or there is a shift.
        return {std::min(most, words + std::max<std::int64_t>(shifts, least > words ? 1 : 0)),
                most};
    }

  private:
    static bool fits(core::Tokens text) { return text.size() <= DistanceLanes::most_words; }

    // Between what numbers the distance without a shift lies, as the search's beam sees it.
    std::pair<std::int64_t, std::int64_t> unshifted(std::size_t hypothesis, std::size_t reference) {
        const core::Tokens own = all_.pairs_.hypotheses[hypothesis];
        const core::Tokens other = all_.pairs_.references[reference];
        const bool measured = fits(own) && fits(other);
        const std::int64_t plain =
            measured ? plain_[(reference - begin_) * all_.hypotheses() + hypothesis] : 0;
        const std::int64_t beam = all_.limits_.beam;
        if (all_.original_) {
            // tercom's beam leaves out cells that are worse than others by more than it: none of
            // a path whose whole cost is not more.
            if (measured && plain <= beam) return {plain, plain};
            return {plain, signed_size(own.size() + other.size())};
        }
        if (measured &&
            plain <= metrics::edit::ShiftDistance::plain_up_to(own.size(), other.size(), beam)) {
            return {plain, plain};
        }
        distances_.set_reference(other, all_.pairs_.vocabulary);
        const std::int64_t in_beam = distances_.start(own);
        return {in_beam, in_beam};
    }

    const TerIntervals& all_;
    DistanceLanes lanes_;
    metrics::edit::ShiftDistance distances_;
    GramMatcher::Scratch scratch_;
    std::size_t begin_ = 0;
    std::vector<std::uint32_t> matches_;  // by reference, order and hypothesis
    std::vector<std::int32_t> plain_;     // distances by reference and hypothesis
};

void TerIntervals::bounds(std::span<const std::int32_t> hypotheses, std::size_t begin,
                          std::size_t end, double* rows) const {
    check_numbers(hypotheses, this->hypotheses());
    if (begin > end || end > references()) {
        throw std::invalid_argument("TER: found references that there are none of");
    }
    std::vector<std::uint8_t> wanted(this->hypotheses(), 0);
    for (const std::int32_t h : hypotheses) wanted[static_cast<std::size_t>(h)] = 1;
    const std::size_t width = end - begin, half = hypotheses.size() * width * ter_total_columns;
    // What a few pairs cost is not worth a thread.
    constexpr std::size_t least_block = 16, least_pairs = 16384;
    const std::size_t block =
        std::max(least_block, least_pairs / std::max<std::size_t>(1, hypotheses.size()));
    core::for_each_block(width, block, [&] {
        return [&, bounder = Bounder(*this)](std::size_t first, std::size_t last) mutable {
            bounder.set_references(begin + first, begin + last, wanted);
            for (std::size_t h = 0; h < hypotheses.size(); ++h) {
                for (std::size_t r = first; r < last; ++r) {
                    const auto [least, most] =
                        bounder(static_cast<std::size_t>(hypotheses[h]), begin + r);
                    double* const row = rows + (h * width + r) * ter_total_columns;
                    row[0] = static_cast<double>(least);
                    row[half] = static_cast<double>(most);
                    row[1] = row[half + 1] =
                        static_cast<double>(pairs_.references[begin + r].size());
                }
            }
        };
    });
}

void TerIntervals::edits(std::span<const std::int32_t> hypotheses,
                         std::span<const std::int32_t> references, double* rows) const {
    if (hypotheses.size() != references.size()) {
        throw std::invalid_argument("TER: found lists of different sizes, expected pairs");
    }
    check_numbers(hypotheses, this->hypotheses());
    check_numbers(references, this->references());
    std::vector<std::size_t> order(references.size());  // a reference is prepared once
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return references[a] < references[b]; });
    core::for_each_block(order.size(), ter_pairs_at_once, [&] {
        return [&, search = metrics::edit::TerSearch(limits_),
                tercom = metrics::edit::TercomSearch(limits_),
                path = metrics::edit::TerPath{}](std::size_t begin, std::size_t end) mutable {
            std::int32_t known = -1;
            for (std::size_t place = begin; place < end; ++place) {
                const std::size_t pair = order[place];
                const auto number = static_cast<std::size_t>(references[pair]);
                const core::Tokens own =
                    pairs_.hypotheses[static_cast<std::size_t>(hypotheses[pair])];
                const core::Tokens reference = pairs_.references[number];
                double* const row = rows + pair * ter_total_columns;
                row[1] = static_cast<double>(reference.size());
                if (original_) {
                    tercom.search(own, reference, path);
                    row[0] = static_cast<double>(path.total());
                    continue;
                }
                if (std::exchange(known, references[pair]) != references[pair]) {
                    search.set_reference(reference, pairs_.vocabulary);
                }
                row[0] = static_cast<double>(search.total(own));
            }
        };
    });
}

}  // namespace tertium::decode::mbr
