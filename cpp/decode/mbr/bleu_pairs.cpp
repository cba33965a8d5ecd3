#include "decode/mbr/bleu_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/parallel.hpp"
#include "decode/mbr/tokens.hpp"

namespace tertium::decode::mbr {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// exp(1 − r/c) for a text that is too short.
double brevity(double length, double reference) {
    if (length >= reference) return 1;
    return length > 0 ? std::exp(1 - reference / length) : 0;
}

// The formula with logarithms looked up: matches and totals are small whole numbers.
class BleuScorer {
  public:
    BleuScorer(const BleuFormula& formula, std::size_t longest)
        : formula_(formula), logs_(longest + 1), smoothed_logs_(longest + 1) {
        const double added = formula.smoothing == BleuFormula::Smoothing::add ? formula.value : 0;
        for (std::size_t i = 0; i <= longest; ++i) {
            logs_[i] = std::log(static_cast<double>(i));
            smoothed_logs_[i] = std::log(static_cast<double>(i) + added);
        }
    }

    // `matches` of the orders are `stride` apart.
    double operator()(const std::uint32_t* matches, std::size_t stride, std::size_t length,
                      std::size_t reference) const {
        if (length == 0 && reference == 0) return 100;
        double mean = 0;
        double total_weight = 0;
        double halvings = 0;
        bool nothing = true;
        for (std::size_t n = 0; n < formula_.order; ++n) {
            const std::uint32_t matched = matches[n * stride];
            const std::size_t total = length > n ? length - n : 0;
            const bool adds = n > 0 && formula_.smoothing == BleuFormula::Smoothing::add;
            nothing = nothing && matched == 0;
            double weight = formula_.weights[n];
            // As in sacreBLEU: smoothed totals are never 0 above the first order.
            const bool has_total = total > 0 || (adds && formula_.value != 0);
            if (formula_.effective_order && !has_total) weight = 0;
            if (matched == 0 && total > 0) halvings += 1;
            total_weight += weight;
            if (weight == 0) continue;
            const double log = log_precision(matched, total, adds, halvings);
            mean += weight * (formula_.arithmetic ? std::exp(log) : log);
        }
        if (nothing) return 0;
        if (formula_.effective_order) mean = total_weight == 0 ? 0 : mean / total_weight;
        if (!formula_.arithmetic) mean = std::exp(mean);
        const auto goal = static_cast<double>(reference);
        const auto words = static_cast<double>(length);
        return 100 * brevity(formula_.strict_brevity ? std::min(words, goal) : words, goal) * mean;
    }

  private:
    double log_precision(std::uint32_t matched, std::size_t total, bool adds,
                         double halvings) const {
        if (adds) {
            // With nothing added, an order without n-grams has precision 0.
            if (static_cast<double>(total) + formula_.value == 0) return minus_infinity;
            return smoothed_logs_[matched] - smoothed_logs_[total];
        }
        if (total == 0) return minus_infinity;
        if (matched > 0) return logs_[matched] - logs_[total];
        switch (formula_.smoothing) {
            case BleuFormula::Smoothing::exp:
                return -halvings * std::log(2.0) - logs_[total];
            case BleuFormula::Smoothing::floor:
                return std::log(formula_.value) - logs_[total];
            default:
                return minus_infinity;
        }
    }

    const BleuFormula& formula_;
    std::vector<double> logs_, smoothed_logs_;
};

std::size_t longest_of(const GramCounts& texts) {
    std::size_t longest = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) longest = std::max(longest, texts.length(i));
    return longest;
}

}  // namespace

BleuFormula::Smoothing bleu_smoothing_named(std::string_view name) {
    using Smoothing = BleuFormula::Smoothing;
    if (name == "none") return Smoothing::none;
    if (name == "exp") return Smoothing::exp;
    if (name == "floor") return Smoothing::floor;
    if (name == "add-k") return Smoothing::add;
    throw std::invalid_argument("unknown smoothing '" + std::string(name) +
                                "', expected none, exp, floor or add-k");
}

BleuPairs::BleuPairs(const text::Texts& hypotheses, const text::Texts& references,
                     text::tokens::Tokenization tokenization, std::size_t order)
    : hypotheses_(order), references_(order) {
    if (order == 0) throw std::invalid_argument("BLEU order 0, expected at least 1");
    const PairTokens pairs = pair_tokens(hypotheses, references, tokenization);
    for (std::size_t h = 0; h < hypotheses.size(); ++h) {
        hypotheses_.add(pairs.hypotheses[h], table_);
    }
    for (std::size_t r = 0; r < references.size(); ++r) {
        references_.add_known(pairs.references[r], table_);
    }
}

void BleuPairs::utilities(const BleuFormula& formula, double* scores) const {
    if (formula.order != hypotheses_.orders() || formula.weights.size() != formula.order) {
        throw std::invalid_argument("BLEU: expected a weight for each counted order");
    }
    const GramMatcher matcher(hypotheses_, table_.size());
    const BleuScorer score(formula, longest_of(hypotheses_));
    constexpr std::size_t block = 8;  // neighbours that share a cache line of the result
    core::for_each_block(references(), block, [&] {
        return [&, scratch = GramMatcher::Scratch{},
                matches = std::vector<std::uint32_t>(formula.order * matcher.stride())](
                   std::size_t begin, std::size_t end) mutable {
            for (std::size_t r = begin; r < end; ++r) {
                matcher.count(references_, r, matches.data(), scratch);
                for (std::size_t h = 0; h < hypotheses(); ++h) {
                    scores[h * references() + r] =
                        score(matches.data() + h, matcher.stride(), hypotheses_.length(h),
                              references_.length(r));
                }
            }
        };
    });
}

void BleuPairs::against_mean(std::span<const double> weights, double* rows) const {
    if (weights.size() != references()) {
        throw std::invalid_argument("BLEU: found " + std::to_string(weights.size()) +
                                    " probabilities, expected one for each reference");
    }
    const std::size_t order = hypotheses_.orders();
    const std::vector<double> means = mean_counts(references_, weights, table_.size());
    double mean_length = 0;
    for (std::size_t r = 0; r < references(); ++r) {
        mean_length += weights[r] * static_cast<double>(references_.length(r));
    }
    for (std::size_t h = 0; h < hypotheses(); ++h) {
        double* row = rows + h * (2 * order + 3);
        match_mean(hypotheses_, h, means, row);
        for (std::size_t n = 0; n < order; ++n) {
            row[order + n] = static_cast<double>(hypotheses_.total(h, n));
        }
        const auto length = static_cast<double>(hypotheses_.length(h));
        row[2 * order] = length;
        row[2 * order + 1] = mean_length;
        row[2 * order + 2] = std::min(length, mean_length);
    }
}

}  // namespace tertium::decode::mbr
