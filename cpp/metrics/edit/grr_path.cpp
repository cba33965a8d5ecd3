#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/interrupt.hpp"
#include "metrics/edit/grr.hpp"

namespace tertium::metrics::edit {
namespace {

constexpr std::size_t most_states = std::size_t{1} << 24;
constexpr double unreachable = -std::numeric_limits<double>::infinity();

// The automaton's best weights for every state, as the paper writes it down.
class Table {
  public:
    Table(core::Tokens hypothesis, core::Tokens reference, std::size_t k,
          const GramWeights& weights)
        : hypothesis_(hypothesis),
          reference_(reference),
          k_(k),
          weights_(weights),
          states_((hypothesis.size() + 1) * (reference.size() + 1) * k, unreachable) {
        state(0, 0, 0) = 0;
        for (std::size_t words = 0; words <= hypothesis.size(); ++words) {
            core::check_interrupt();
            for (std::size_t position = 0; position <= reference.size(); ++position) {
                for (std::size_t run = 0; run < k; ++run) {
                    for (const Source& source : sources(words, position, run)) {
                        state(words, position, run) =
                            std::max(state(words, position, run), source.weight);
                    }
                }
            }
        }
    }

    double& state(std::size_t words, std::size_t position, std::size_t run) {
        return states_[(words * (reference_.size() + 1) + position) * k_ + run];
    }

    // The run with the best weight, the longest one of several.
    std::size_t best_run(std::size_t words, std::size_t position) {
        const double* const runs = &state(words, position, 0);
        const auto reversed =
            std::max_element(std::reverse_iterator(runs + k_), std::reverse_iterator(runs));
        return static_cast<std::size_t>(&*reversed - runs);
    }

    struct Source {
        GrrMove move = GrrMove::match;
        std::size_t run = 0;
        double weight = unreachable;  // at the target, by this move
    };

    // The moves into a state, in the order of preference.
    std::array<Source, 4> sources(std::size_t words, std::size_t position, std::size_t run) {
        std::array<Source, 4> result;
        const auto arrive = [&](std::size_t slot, GrrMove move, std::size_t from_words,
                                std::size_t from_position, std::size_t from_run, double weight) {
            result[slot] = {move, from_run, state(from_words, from_position, from_run) + weight};
        };
        const auto arrive_from_best = [&](std::size_t slot, GrrMove move, std::size_t from_words,
                                          std::size_t from_position, double weight) {
            arrive(slot, move, from_words, from_position, best_run(from_words, from_position),
                   weight);
        };
        const bool both = words > 0 && position > 0;
        if (both && hypothesis_[words - 1] == reference_[position - 1]) {
            const auto gain = [&](std::size_t from) {
                return weights_.unit() * static_cast<double>(from + 1);
            };
            if (run + 1 == k_) {
                arrive(0, GrrMove::match, words - 1, position - 1, run, gain(run));
            }
            if (run > 0) {
                arrive(1, GrrMove::match, words - 1, position - 1, run - 1, gain(run - 1));
            }
        }
        if (run == 0) {
            if (both && result[0].weight == unreachable) {
                arrive_from_best(1, GrrMove::substitution, words - 1, position - 1, 0);
            }
            if (words > 0) {
                arrive_from_best(2, GrrMove::insertion, words - 1, position,
                                 -weights_.alpha_units());
            }
            if (position > 0) {
                arrive_from_best(3, GrrMove::deletion, words, position - 1, -weights_.beta_units());
            }
        }
        return result;
    }

  private:
    core::Tokens hypothesis_;
    core::Tokens reference_;
    std::size_t k_;
    const GramWeights& weights_;
    std::vector<double> states_;
};

double weight_of(GrrMove move, std::size_t run_before, const GramWeights& weights) {
    switch (move) {
        case GrrMove::match:
            return static_cast<double>(run_before + 1);
        case GrrMove::insertion:
            return -weights.alpha();
        case GrrMove::deletion:
            return -weights.beta();
        default:
            return 0;
    }
}

}  // namespace

std::vector<GrrStep> grr_path(core::Tokens hypothesis, core::Tokens reference,
                              const GramWeights& weights) {
    std::size_t words = hypothesis.size();
    std::size_t position = reference.size();
    // No run of matches is longer than the shorter side.
    const auto k = static_cast<std::size_t>(
        std::min(weights.k(), static_cast<std::int64_t>(std::min(words, position)) + 1));
    if ((words + 1) > most_states / k / (position + 1)) {
        throw std::length_error("the alignment of " + std::to_string(words) + " with " +
                                std::to_string(position) +
                                " words has too many states, expected (" +
                                "|c| + 1)(|r| + 1)k of at most " + std::to_string(most_states));
    }
    Table table(hypothesis, reference, k, weights);
    std::vector<GrrStep> steps;
    std::size_t run = table.best_run(words, position);
    while (words > 0 || position > 0) {
        const double weight = table.state(words, position, run);
        const auto sources = table.sources(words, position, run);
        const auto source = *std::find_if(sources.begin(), sources.end(),
                                          [&](const auto& each) { return each.weight == weight; });
        const bool reads = source.move != GrrMove::deletion;
        const bool passes = source.move != GrrMove::insertion;
        words -= reads ? 1 : 0;
        position -= passes ? 1 : 0;
        steps.push_back({source.move, reads ? static_cast<std::int64_t>(words) : -1,
                         passes ? static_cast<std::int64_t>(position) : -1,
                         static_cast<std::int64_t>(run),
                         weight_of(source.move, source.run, weights)});
        run = source.run;
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
}

}  // namespace tertium::metrics::edit
